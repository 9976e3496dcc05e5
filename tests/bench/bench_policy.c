/*
 * bench_policy.c - when to fill a large table: before the search (buy), never (rent for ever), or,
 * as the engine does, once a depth has cost what the plan finds the table worth (rent, then buy).
 *
 * Every job runs cold, in a fresh directory, on two threads, for at most LIMIT_SECONDS. Where a
 * limit is hit the bound says how far the policy came; where none is, the answers must agree.
 *
 *     bench_policy [LIMIT_SECONDS]
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_word.h"

static const uint64_t memory = UINT64_C(8) << 30;
static double limit_seconds = 150;

static const struct {
    const char *name;
    double fill_factor;
} policies[] = {{"no large table", -1}, {"all tables first", 1e-9}, {"interleaved", 1}};

static const struct {
    const char *name, *target;
} jobs[] = {
    {"e: (1+, 1+)", "c: / e: (1+, 1+)"},
    {"c: (1+, 5+) / e: (1+, 1+)", "c: (1+, 5+) / e: (1+, 1+)"},
    {"superflip", "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+)"},
};

enum { JOBS = sizeof jobs / sizeof *jobs, POLICIES = sizeof policies / sizeof *policies };

/* Of all threads of this process. */
static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the hash of the answers; 0: a limit was hit. */
static uint64_t measure(const struct puzzle *cube, unsigned j, unsigned p)
{
    struct engine_config config = {
        .threads = 2, .memory_bytes = memory, .fill_factor = policies[p].fill_factor};
    struct cycle_structure target = support_cycle(cube, jobs[j].target);
    struct engine_spec spec = support_spec_one(cube, &target);
    struct support_engine here;
    struct support_job job;
    spec.limits.seconds = limit_seconds;
    support_engine_open(&here, &config);
    double cpu = cpu_seconds();
    uint64_t began = base_clock_ns();
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    double wall = support_bench_since(began);
    cpu = cpu_seconds() - cpu;
    struct engine_stats stats = support_engine_stats(&here);
    bool ended = result->limit_hit == ENGINE_LIMIT_NONE;
    uint64_t hash = ended ? support_bench_hash(result) : 0;
    printf("%-25s  %-16s  %8.2f  %8.2f  %8.2f  %6llu  %12llu  %6d  %5u  %016llx\n", jobs[j].name,
           policies[p].name, wall, cpu, stats.table_fill_seconds,
           (unsigned long long)stats.tables_filled, (unsigned long long)result->nodes,
           result->length, result->lower_bound, (unsigned long long)hash);
    support_job_release(&job);
    support_engine_close(&here);
    return hash;
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    printf("job                        policy             wall s     CPU s    fill s  tables  "
           "       nodes  length  bound  answers (at most %.0f s)\n",
           limit_seconds);
    for (unsigned j = 0; j < JOBS; j++) {
        uint64_t answer = 0;
        for (unsigned p = 0; p < POLICIES; p++) {
            uint64_t hash = measure(cube, j, p);
            ck_assert_msg(!hash || !answer || hash == answer, "the policies disagree");
            answer = hash ? hash : answer;
        }
    }
    puzzle_release(cube);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        limit_seconds = strtod(argv[1], NULL);
    return support_bench_main(body);
}
