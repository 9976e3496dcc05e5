/*
 * bench_direct.c - the jobs of bench_service.py, in process: one that is nothing but overhead and
 * one of some seconds, which never fills a large table, so that its work is the same every time.
 * Two threads; wall and CPU seconds, warm.
 */
#include <check.h>
#include <stdio.h>
#include <time.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_word.h"

static const struct {
    const char *name, *target;
    unsigned max_length;
} jobs[] = {
    {"trivial", "c: (4) / e: (4)", 4},
    {"long", "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+)", 14},
};

static double cpu_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static void measure(struct support_engine *here, const struct puzzle *cube, unsigned j)
{
    struct support_bench_times wall = {.count = 0}, cpu = {.count = 0};
    struct cycle_structure target = support_cycle(cube, jobs[j].target);
    struct engine_spec spec = support_spec_one(cube, &target);
    struct support_job job;
    uint64_t nodes = 0;
    spec.max_length = jobs[j].max_length, spec.max_length_set = true;
    for (unsigned i = 0; i <= SUPPORT_BENCH_RUNS; i++) {
        uint64_t began = base_clock_ns();
        double began_cpu = cpu_seconds();
        nodes = support_job_run(here, &spec, &job)->nodes;
        if (i > 0) { /* the first one makes the tables */
            support_bench_add(&wall, support_bench_since(began));
            support_bench_add(&cpu, cpu_seconds() - began_cpu);
        }
        support_job_release(&job);
    }
    printf("%-8s  %9.3f ms  %9.3f CPU ms  %llu nodes\n", jobs[j].name,
           1e3 * support_bench_median(&wall), 1e3 * support_bench_median(&cpu),
           (unsigned long long)nodes);
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct engine_config config = {.threads = 2, .fill_factor = 1e9};
    struct support_engine here;
    support_engine_open(&here, &config);
    for (unsigned j = 0; j < sizeof jobs / sizeof *jobs; j++)
        measure(&here, cube, j);
    support_engine_close(&here);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
