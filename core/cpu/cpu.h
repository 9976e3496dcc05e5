/*
 * cpu.h - what the processor can do, as a value.
 *
 * Detect once, leave out what the configuration or a test does not want, hand the value to whoever
 * chooses a kernel. A feature stands for everything that a file with its suffix is compiled with:
 * code in foo_avx2.c may run only where CPU_AVX2 is set, whatever instruction the compiler picks.
 * So each feature implies those it builds on, and leaving one out leaves out what builds on it.
 */
#ifndef CORE_CPU_CPU_H
#define CORE_CPU_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_diag.h"

/* X(NAME, "name", features it builds on) - in ascending order. */
#define CPU_FEATURE_LIST(X)                                                                        \
    X(BMI2, "bmi2", 0)                                                                             \
    X(AVX2, "avx2", CPU_BMI2)     /* with BMI1, LZCNT and POPCNT */                                \
    X(AVX512, "avx512", CPU_AVX2) /* F, BW, VL and DQ */                                           \
    X(AVX512_VBMI, "avx512vbmi", CPU_AVX512)                                                       \
    X(NEON, "neon", 0)

enum cpu_feature_index {
#define CPU_FEATURE_INDEX(name, text, needs) CPU_INDEX_##name,
    CPU_FEATURE_LIST(CPU_FEATURE_INDEX)
#undef CPU_FEATURE_INDEX
        CPU_FEATURE_COUNT
};

enum cpu_feature {
#define CPU_FEATURE_BIT(name, text, needs) CPU_##name = 1 << CPU_INDEX_##name,
    CPU_FEATURE_LIST(CPU_FEATURE_BIT)
#undef CPU_FEATURE_BIT
};

struct cpu_features {
    uint32_t bits; /* of enum cpu_feature */
};

/* Of the processor we run on, as far as the operating system supports it. */
struct cpu_features cpu_detect(void);

/* Are all of `bits` there? */
static inline bool cpu_has(struct cpu_features features, uint32_t bits)
{
    return (features.bits & bits) == bits;
}

/* Leaves out the features of a comma list such as "avx512,bmi2" (NULL or "": none), and those that
 * build on them. A name that is known but not there is fine. BASE_ERR_RANGE, position in `diag`
 * (may be NULL): a name is not known; nothing is left out then. */
int cpu_leave_out(struct cpu_features *features, const char *names, struct base_diag *diag);

/* "bmi2 avx2"; "none" if there are none. As snprintf. */
int cpu_print(struct cpu_features features, char *out, size_t size);

#endif
