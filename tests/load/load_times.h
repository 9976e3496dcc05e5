/*
 * load_times.h - every latency of a run, for exact percentiles: four bytes each.
 */
#ifndef TESTS_LOAD_LOAD_TIMES_H
#define TESTS_LOAD_LOAD_TIMES_H

#include <stddef.h>
#include <stdint.h>

struct load_times {
    uint32_t *us; /* owned */
    size_t n, capacity;
};

void load_times_add(struct load_times *times, uint64_t ns);

/* Prints `"NAME": {"n":, "p50_ms":, "p90_ms":, "p99_ms":, "p999_ms":, "max_ms":}`; sorts. */
void load_times_print(struct load_times *times, const char *name);
void load_times_deinit(struct load_times *times);

#endif
