/*
 * bench_incumbent.c - solutions that jobs offer before they have their answer: how soon, how long,
 * and what they cost.
 *
 *     bench_incumbent [SECONDS [MIB [TABLES [NAME]]]]
 *
 * Each job is stopped after so many seconds (20), with so many MiB of tables (512) in the directory
 * TABLES (one of its own, so that tables are filled within the time); NAME selects jobs. `cost` is
 * the thread time spent on looking for incumbents, of that of the search; the
 * first job's with the tables of the two phases, which are made once.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/engine/engine_int.h"
#include "core/search/search_job_int.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_word.h"

enum { LINE_BYTES = 1024 };

static double seconds = 20;
static uint64_t memory = UINT64_C(512) << 20;
static const char *directory, *only = "";

static const struct {
    const char *name, *target;
    int optimum;
} cycles[] = {
    {"superflip", "e: (1+) x12", 20},
    {"six corners", "c: (1+) x6", 16},
    {"six edges", "e: (1+) x6", 16},
};

static void print_head(void)
{
    printf("%-12s %7s  %-28s %-28s %9s %7s\n", "job", "optimum", "first incumbent",
           "best incumbent", "proven", "cost");
}

static void print_incumbent(double at, unsigned length)
{
    if (length > 0)
        printf(" %2u moves after %6.2f s     ", length, at);
    else
        printf(" %-28s", "none");
}

/* Whether its length is what is known, if it ends. */
static void measure(struct support_engine *here, const char *name, const struct engine_spec *spec,
                    int optimum)
{
    struct support_job job;
    unsigned first = 0, seen = 0;
    double first_at = 0, last_at = 0;
    support_job_submit(here, spec, &job);
    uint64_t began_ns = base_clock_ns();
    while (!job.done) {
        support_engine_pump(here, 0.02);
        if (job.n_incumbents == seen)
            continue;
        last_at = support_bench_since(began_ns);
        if (seen == 0) {
            first = job.incumbent.length;
            first_at = last_at;
        }
        seen = job.n_incumbents;
    }
    const struct engine_result *result = engine_job_result(job.job);
    const struct search_offer *offer = &job.job->search->offer;
    if (result->optimal)
        ck_assert_int_eq(result->length, optimum);
    printf("%-12s %7d ", name, optimum);
    print_incumbent(first_at, first);
    print_incumbent(last_at, job.incumbent.length);
    printf(" %9u %6.2f%%\n", result->lower_bound,
           offer->searched_ns
               ? 100.0 * (double)(offer->used_ns + offer->made_ns) / (double)offer->searched_ns
               : 0);
    support_job_release(&job);
}

static void measure_cycles(struct support_engine *here, const struct puzzle *cube)
{
    for (unsigned i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        struct cycle_structure target = support_cycle(cube, cycles[i].target);
        struct engine_spec spec = support_spec_one(cube, &target);
        spec.limits.seconds = seconds;
        if (strstr(cycles[i].name, only))
            measure(here, cycles[i].name, &spec, cycles[i].optimum);
    }
}

static void measure_scrambles(struct support_engine *here, const struct puzzle *cube)
{
    struct cycle_structure solved = support_cycle(cube, "c: / e:");
    char line[LINE_BYTES], name[32];
    FILE *file = fopen("tests/data/random_states_12.tsv", "r");
    ck_assert_msg(file != NULL, "run from the root of the repository");
    while (fgets(line, sizeof line, file)) {
        char *rest = line, *number = strsep(&rest, "\t"), *optimum = strsep(&rest, "\t");
        char *scramble = strsep(&rest, "\t");
        struct engine_spec spec = support_spec_one(cube, &solved);
        uint8_t start[PERM_MAX_BYTES];
        snprintf(name, sizeof name, "scramble %.8s", number);
        if (!scramble || number[0] < '0' || number[0] > '9' || !strstr(name, only))
            continue;
        support_word_state(cube, scramble, start);
        spec.start = start;
        spec.limits.seconds = seconds;
        measure(here, name, &spec, (int)strtol(optimum, NULL, 10));
    }
    fclose(file);
}

static void body(void)
{
    const struct engine_config config = {
        .threads = 2, .memory_bytes = memory, .table_dir = directory};
    struct puzzle *cube = support_builtin("3x3x3");
    struct support_engine here;
    support_engine_open(&here, &config);
    print_head();
    measure_cycles(&here, cube);
    measure_scrambles(&here, cube);
    support_engine_close(&here);
    puzzle_release(cube);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seconds = strtod(argv[1], NULL);
    if (argc > 2)
        memory = strtoull(argv[2], NULL, 10) << 20;
    if (argc > 3)
        directory = argv[3];
    if (argc > 4)
        only = argv[4];
    return support_bench_main(body);
}
