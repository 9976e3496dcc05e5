/*
 * support_bench.h - the frame of a benchmark: it runs as the one test of a silent suite, so that it
 * may use all of tests/support, and prints a table with a hash of its answers beside the times. Two
 * runs whose hashes differ have not done the same.
 */
#ifndef TESTS_SUPPORT_SUPPORT_BENCH_H
#define TESTS_SUPPORT_SUPPORT_BENCH_H

#include "tests/support/support_engine.h"

/* Every time is the median of so many. */
enum { SUPPORT_BENCH_RUNS = 5 };

/* Runs `body`; the exit status of the program: 1, with a line that says why, if it failed. */
int support_bench_main(void (*body)(void));

struct support_bench_times {
    double seconds[SUPPORT_BENCH_RUNS];
    unsigned count;
};

void support_bench_add(struct support_bench_times *times, double seconds);
double support_bench_median(struct support_bench_times *times);
double support_bench_since(uint64_t began_ns);

/* Of length, best word and counts. */
uint64_t support_bench_hash(const struct engine_result *result);

#endif
