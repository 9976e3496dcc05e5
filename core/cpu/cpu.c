/*
 * cpu.c - sets of processor features.
 */
#include "core/cpu/cpu.h"

#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cpu/cpu_int.h"

static const struct feature {
    const char *name;
    uint32_t needs;
} feature_of[CPU_FEATURE_COUNT] = {
#define ROW(name, text, needs) [CPU_INDEX_##name] = {text, needs},
    CPU_FEATURE_LIST(ROW)
#undef ROW
};

uint32_t cpu__close(uint32_t bits)
{
    /* Ascending order: what a feature builds on has been settled before it. */
    for (unsigned i = 0; i < CPU_FEATURE_COUNT; i++) {
        if ((bits & feature_of[i].needs) != feature_of[i].needs)
            bits &= ~(UINT32_C(1) << i);
    }
    return bits;
}

struct cpu_features cpu_detect(void)
{
    return (struct cpu_features){cpu__close(cpu__detect_raw())};
}

/* Bit of the feature with this name, 0 if there is none. */
static uint32_t bit_of(const char *name, size_t length)
{
    for (unsigned i = 0; i < CPU_FEATURE_COUNT; i++) {
        if (strlen(feature_of[i].name) == length && memcmp(feature_of[i].name, name, length) == 0)
            return UINT32_C(1) << i;
    }
    return 0;
}

static int report_unknown(struct base_diag *diag, size_t position, const char *name, size_t length)
{
    struct base_diag known = {0};
    size_t at = 0;
    for (unsigned i = 0; i < CPU_FEATURE_COUNT && at < sizeof known.text; i++)
        at += (size_t)snprintf(known.text + at, sizeof known.text - at, "%s%s", i ? ", " : "",
                               feature_of[i].name);
    return base_diag_set(diag, position, BASE_ERR_RANGE,
                         "\"%.*s\" is no processor feature known here; known are %s",
                         (int)(length < 40 ? length : 40), name, known.text);
}

int cpu_leave_out(struct cpu_features *features, const char *names, struct base_diag *diag)
{
    static const char blanks[] = " \t";
    uint32_t out = 0;

    if (!names || !names[strspn(names, blanks)])
        return 0;
    for (const char *at = names;; at++) {
        const char *end = at + strcspn(at, ",");
        const char *start = at + strspn(at, blanks);
        size_t length = start < end ? strcspn(start, ", \t") : 0;
        uint32_t bit = bit_of(start, length);

        if (!bit || start + length + strspn(start + length, blanks) != end)
            return report_unknown(diag, (size_t)(at - names), at, (size_t)(end - at));
        out |= bit;
        if (!*end)
            break;
        at = end;
    }
    features->bits = cpu__close(features->bits & ~out);
    return 0;
}

int cpu_print(struct cpu_features features, char *out, size_t size)
{
    char text[CPU_FEATURE_COUNT * 16] = ""; /* no name has 16 letters */
    int length = 0;
    for (unsigned i = 0; i < CPU_FEATURE_COUNT; i++) {
        if (features.bits >> i & 1)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%s",
                               length ? " " : "", feature_of[i].name);
    }
    return snprintf(out, size, "%s", length ? text : "none");
}
