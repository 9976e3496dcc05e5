/*
 * load_times.c - see load_times.h.
 */
#include "tests/load/load_times.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/base_assert.h"

void load_times_add(struct load_times *times, uint64_t ns)
{
    uint64_t us = ns / 1000;

    if (times->n == times->capacity) {
        times->capacity = times->capacity ? 2 * times->capacity : 4096;
        times->us = realloc(times->us, times->capacity * sizeof(*times->us));
        BASE_ASSERT(times->us);
    }
    times->us[times->n++] = us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Nearest rank. */
static double quantile_ms(const struct load_times *times, double share)
{
    size_t at = (size_t)(share * (double)times->n);

    if (!times->n)
        return 0;
    return times->us[at < times->n ? at : times->n - 1] / 1000.0;
}

void load_times_print(struct load_times *times, const char *name)
{
    if (times->n)
        qsort(times->us, times->n, sizeof(*times->us), compare);
    printf("\"%s\": {\"n\": %zu, \"p50_ms\": %.3f, \"p90_ms\": %.3f, \"p99_ms\": %.3f, "
           "\"p999_ms\": %.3f, \"max_ms\": %.3f}",
           name, times->n, quantile_ms(times, 0.5), quantile_ms(times, 0.9),
           quantile_ms(times, 0.99), quantile_ms(times, 0.999), quantile_ms(times, 1));
}

void load_times_deinit(struct load_times *times)
{
    free(times->us);
    *times = (struct load_times){NULL, 0, 0};
}
