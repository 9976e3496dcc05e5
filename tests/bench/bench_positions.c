/*
 * bench_positions.c - the twelve random positions on which public solvers are timed
 * (tests/data/random_states_12.tsv).
 *
 *     bench_positions                       each for at most twenty seconds on two threads, with
 *                                           the tables that the engine chooses: how far it gets
 *     CYCLOSOLVE_BENCH_TABLES=directory     to the end, with the largest table resident in this
 *                                           directory: CPU seconds of each and of all. The table is
 *                                           filled first if it is not there, and stays
 *     CYCLOSOLVE_BENCH_MIB=n                memory for tables, 3686 (3.6 GiB) unless told
 *     CYCLOSOLVE_BENCH_ONLY=,4,8,           these positions
 *     CYCLOSOLVE_BENCH_THREADS=n            2 unless told
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/base_hash.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_word.h"

enum { SECONDS = 20, MIB = 3686 };

/* A fill takes more than the table. */
#define FILL_MEMORY ((uint64_t)10 << 30)

struct totals {
    double cpu_seconds;
    uint64_t nodes;
    uint64_t hash; /* of the answers */
};

static struct support_engine here;
static struct puzzle *cube;
static struct cycle_structure solved;
static bool resident; /* to the end, with the largest table within so many MiB */
static unsigned long mib;

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static const struct engine_result *solve(const char *scramble, uint8_t *start,
                                         struct support_job *job)
{
    struct engine_spec spec = support_spec_one(cube, &solved);
    support_word_state(cube, scramble, start);
    spec.start = start;
    if (resident) {
        spec.tables.product = (struct search_wish){.set = true, .kind = TABLE_KIND_PRODUCT};
        spec.limits.memory_bytes = (uint64_t)mib << 20;
    } else {
        spec.limits.seconds = SECONDS;
    }
    return support_job_run(&here, &spec, job);
}

static void measure(const char *number, int optimal, const char *scramble, struct totals *totals)
{
    struct support_job job;
    uint8_t start[PERM_MAX_BYTES];
    double began = cpu_seconds();
    const struct engine_result *result = solve(scramble, start, &job);
    double spent = cpu_seconds() - began;
    ck_assert(result->length == optimal || (!resident && result->length < 0));
    totals->cpu_seconds += spent;
    totals->nodes += result->nodes;
    totals->hash = base_hash_mix(totals->hash, support_bench_hash(result));
    printf("%8s  %7d  %-8s  %11u  %12llu  %7.2f  %7.2f  %8.2f\n", number, optimal,
           result->length < 0 ? "no" : "yes", result->lower_bound,
           (unsigned long long)result->nodes, result->seconds, spent,
           (double)result->nodes / spent * 1e-6);
    support_job_release(&job);
}

/* Is this position asked for? */
static bool is_wanted(const char *number)
{
    const char *only = getenv("CYCLOSOLVE_BENCH_ONLY");
    char name[16];
    snprintf(name, sizeof name, ",%s,", number);
    return !only || strstr(only, name) != NULL;
}

static void measure_all(void)
{
    FILE *file = fopen("tests/data/random_states_12.tsv", "r");
    struct totals totals = {.hash = 0};
    char line[1024];
    ck_assert_msg(file != NULL, "run from the root of the repository");
    printf(
        "position  optimal  solved    lower bound         nodes  seconds    CPU s  Mnodes/CPU s\n");
    while (fgets(line, sizeof line, file)) {
        char *rest = line;
        if (line[0] == '#' || strncmp(line, "number", 6) == 0)
            continue;
        const char *number = strsep(&rest, "\t"), *optimal = strsep(&rest, "\t");
        ck_assert(rest != NULL);
        if (is_wanted(number))
            measure(number, (int)strtol(optimal, NULL, 10), strsep(&rest, "\t"), &totals);
    }
    printf("all: %llu nodes, %.2f CPU s, %.2f Mnodes/CPU s, answers %016llx\n",
           (unsigned long long)totals.nodes, totals.cpu_seconds,
           (double)totals.nodes / totals.cpu_seconds * 1e-6, (unsigned long long)totals.hash);
    fclose(file);
}

/* Fills the tables or attaches them, and touches every page of theirs that the search will. */
static void warm_up(void)
{
    struct support_job job;
    uint8_t start[PERM_MAX_BYTES];
    double began = cpu_seconds();
    solve("R' U2 F L D' B2 R U F2 L' D B R2 U'", start, &job);
    support_job_release(&job);
    printf("tables and a first search: %.2f CPU s\n", cpu_seconds() - began);
}

static void body(void)
{
    const char *directory = getenv("CYCLOSOLVE_BENCH_TABLES"),
               *told = getenv("CYCLOSOLVE_BENCH_MIB"),
               *threads = getenv("CYCLOSOLVE_BENCH_THREADS");
    struct engine_config config = {.threads = threads ? (unsigned)strtoul(threads, NULL, 10) : 2,
                                   .table_dir = directory};
    resident = directory != NULL;
    if (resident)
        config.memory_bytes = FILL_MEMORY;
    mib = told ? strtoul(told, NULL, 10) : (unsigned long)MIB;
    cube = support_builtin("3x3x3");
    solved = support_cycle(cube, "c: / e:");
    support_engine_open(&here, &config);
    if (resident)
        warm_up();
    measure_all();
    support_engine_close(&here);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
