/*
 * bench_latency.c - from submitting the hard 30x30x30 to its end, in process: with nothing on the
 * host, with the tables in the directory of a new engine, and with the tables in use.
 */
#include <check.h>
#include <stdio.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;
static struct cycle_structure target;

static double run_once(struct support_engine *here, enum engine_find find, uint64_t *hash)
{
    struct engine_spec spec = support_spec_all(cube, &target);
    struct support_job job;
    spec.find = find;
    uint64_t began = base_clock_ns();
    const struct engine_result *result = support_job_run(here, &spec, &job);
    double seconds = support_bench_since(began);
    ck_assert_int_eq(result->length, 11);
    *hash = support_bench_hash(result);
    support_job_release(&job);
    return seconds;
}

enum { COLD, FOUND, WARM, WAYS };

static void measure(unsigned threads, enum engine_find find)
{
    static const char *const names[WAYS] = {"cold", "tables found", "warm"};
    struct support_bench_times times[WAYS] = {{.count = 0}};
    uint64_t hash[WAYS];
    for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++) {
        struct support_engine here;
        struct engine_config config = {.threads = threads};
        char directory[80];
        support_directory_make(directory);
        config.table_dir = directory;
        support_engine_open(&here, &config);
        support_bench_add(&times[COLD], run_once(&here, find, &hash[COLD]));
        support_bench_add(&times[WARM], run_once(&here, find, &hash[WARM]));
        support_engine_close(&here);
        support_engine_open(&here, &config);
        support_bench_add(&times[FOUND], run_once(&here, find, &hash[FOUND]));
        support_engine_close(&here);
        support_directory_remove(directory);
    }
    for (unsigned way = 0; way < WAYS; way++)
        printf("%-4s  %u threads  %-12s  %9.1f ms  %016llx\n",
               find == ENGINE_FIND_ALL ? "all" : "one", threads, names[way],
               support_bench_median(&times[way]) * 1e3, (unsigned long long)hash[way]);
}

static void body(void)
{
    cube = support_builtin("3x3x3");
    target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 1+)");
    for (unsigned threads = 1; threads <= 2; threads++) {
        measure(threads, ENGINE_FIND_ONE);
        measure(threads, ENGINE_FIND_ALL);
    }
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
