/*
 * bench_threads.c - how much two threads (and three, on two processors) are worth on hard jobs,
 * with all tables resident.
 */
#include <check.h>
#include <stdio.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_word.h"

static const struct {
    const char *name, *target;
    unsigned max_length;
} jobs[] = {
    {"edges 1+ 1+", "c: / e: (1+, 1+)", 13},
    {"superflip to 16", "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+)", 16},
};

static double run_once(struct support_engine *here, const struct engine_spec *spec, uint64_t *hash,
                       uint64_t *nodes)
{
    struct support_job job;
    uint64_t began = base_clock_ns();
    const struct engine_result *result = support_job_run(here, spec, &job);
    double seconds = support_bench_since(began);
    *hash = support_bench_hash(result);
    *nodes = result->nodes;
    support_job_release(&job);
    return seconds;
}

static double measure(const struct puzzle *cube, unsigned j, unsigned threads, double one)
{
    struct engine_config config = {.threads = threads, .memory_bytes = 64 << 20};
    struct cycle_structure target = support_cycle(cube, jobs[j].target);
    struct engine_spec spec = support_spec_one(cube, &target);
    struct support_bench_times times = {.count = 0};
    struct support_engine here;
    uint64_t hash, nodes;
    spec.max_length = jobs[j].max_length, spec.max_length_set = true;
    support_engine_open(&here, &config);
    run_once(&here, &spec, &hash, &nodes); /* fills the tables */
    for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++)
        support_bench_add(&times, run_once(&here, &spec, &hash, &nodes));
    double seconds = support_bench_median(&times);
    printf("%-16s  %7u  %11llu  %8.3f  %8.2f  %7.2f  %016llx\n", jobs[j].name, threads,
           (unsigned long long)nodes, seconds, (double)nodes / seconds * 1e-6,
           one > 0 ? one / seconds : 1, (unsigned long long)hash);
    support_engine_close(&here);
    return seconds;
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    printf("job               threads        nodes   seconds  Mnodes/s  speedup  answers\n");
    for (unsigned j = 0; j < sizeof jobs / sizeof *jobs; j++) {
        double one = measure(cube, j, 1, 0);
        for (unsigned threads = 2; threads <= 3; threads++)
            measure(cube, j, threads, one);
    }
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
