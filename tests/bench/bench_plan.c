/*
 * bench_plan.c - what plans say that jobs will cost, beside what they cost.
 *
 * A fixed set of jobs, each for one solution and cold, in a directory of its own: rows of
 * tests/data/structure_lengths_3x3.tsv, structures drawn at random of those that need 10 moves or
 * more, named cases, scrambles, and a few of other puzzles and move sets. `estimate` is what the
 * plan said before anything was searched, `forecast` what it said last before the depth in which
 * the job ended. A line that ends in '*' is off by more than a factor of three in nodes.
 *
 *     bench_plan [LIMIT_SECONDS]       jobs that do not end within that are left out of the shares
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_bench.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_word.h"

static const uint64_t memory = UINT64_C(4) << 30;
static double limit_seconds = 100;

enum { SHORTEST = 5, LONGEST = 9, ROWS_OF_A_LENGTH = 6, ROW_STEP = 53 };

static const char *const cube_targets[] = {
    /* drawn at random from the 14 536 structures that need 10 moves or more */
    "c: (1+, 3+, 3+) / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 2, 2+)",
    "c: (1+, 1+) / e: (1+, 2+, 6)",
    "c: (1+, 3, 3+) / e: (1+, 1+, 1+, 1+, 1+, 1+)",
    "c: (1+, 3+) / e: (1+, 1+, 1+, 1+, 2, 2)",
    "c: (5) / e: (1+, 1+, 1+, 1+, 1+, 1+, 3+, 3+)",
    "c: (1+, 1+, 1+, 1+, 1+) / e: (2+, 3, 3+, 4)",
    "c: (1+, 1+, 2, 2+) / e: (1+, 1+, 1+, 2, 2+, 3)",
    "c: (1+, 2+) / e: (2+, 2+, 4)",
    "c: (1+, 1+, 2, 2) / e: (1+, 1+, 1+, 9+)",
    "c: (1+, 1+, 1+, 1+, 1+, 1+, 2) / e: (1+, 1+, 1+, 2+, 3)",
    /* named */
    "c: (1+, 5+) / e: (1+, 1+)",
    "c: / e: (1+, 1+)",
    "c: (1+, 1+) / e:",
    "c: / e: (1+, 1+, 1+, 1+)",
    "c: (5) / e:",
};

static const char *const scrambles[] = {
    "R' D R U R' D' R U'",
    "R L F B R L F B R L F B R2 B2 L2 R2 B2 L2",
    "U F B' L2 U2 L2 F' B U2 L2 U",
    "F D' F' R D F' R' D R D L' F L D R' F D'",
};

static const struct {
    const char *puzzle, *faces, *target; /* faces NULL: all */
} others[] = {
    {"3x3x3", "U R", "c: (3, 3) / e: (7)"}, {"3x3x3", "U R", "c: (1+, 5+) / e: (7)"},
    {"3x3x3", "U R F", "c: (3) / e:"},      {"2x2x2", NULL, "c: (1+, 1+)"},
    {"2x2x2", NULL, "c: (1+, 6+)"},
};

/* How many lay within a factor of three, of how many. */
struct tally {
    unsigned jobs, length, length_within_1, nodes, seconds, forecast;
};

static bool is_near(double said, double actual)
{
    return said > 0 && actual > 0 && said <= 3 * actual && actual <= 3 * said;
}

static void judge(struct tally *tally, const struct engine_plan *plan, int length)
{
    tally->jobs++;
    tally->length += (int)plan->estimated_length == length;
    tally->length_within_1 += abs((int)plan->estimated_length - length) <= 1;
    tally->nodes += is_near(plan->estimated_nodes, (double)plan->actual_nodes);
    tally->seconds += is_near(plan->estimated_seconds, plan->actual_seconds);
    tally->forecast += is_near(plan->forecast_nodes, (double)plan->actual_nodes);
}

static void measure(const struct puzzle *puzzle, const char *name, const char *scramble,
                    const struct cycle_structure *target, struct tally *tally)
{
    struct engine_config config = {.threads = 2, .memory_bytes = memory};
    struct engine_spec spec = support_spec_one(puzzle, target);
    struct support_engine here;
    struct support_job job;
    struct engine_snapshot snapshot;
    uint8_t start[PERM_MAX_BYTES];
    spec.limits.seconds = limit_seconds;
    if (scramble) {
        support_word_state(puzzle, scramble, start);
        spec.start = start;
    }
    support_engine_open(&here, &config);
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    engine_job_snapshot(job.job, &snapshot);
    const struct engine_plan *plan = &snapshot.plan;
    bool ended = result->limit_hit == ENGINE_LIMIT_NONE && result->length >= 0;
    if (ended)
        judge(tally, plan, result->length);
    printf("%2u %2d  %13.0f %13.0f %13llu  %8.2f %8.2f  %s%s\n", plan->estimated_length,
           result->length, plan->estimated_nodes, plan->forecast_nodes,
           (unsigned long long)plan->actual_nodes, plan->estimated_seconds, plan->actual_seconds,
           name,
           !ended                                                       ? "  (limit)"
           : is_near(plan->estimated_nodes, (double)plan->actual_nodes) ? ""
                                                                        : "  *");
    support_job_release(&job);
    support_engine_close(&here);
}

static void measure_text(const struct puzzle *puzzle, const char *text, const char *scramble,
                         struct tally *tally)
{
    struct cycle_structure target = support_cycle(puzzle, text);
    measure(puzzle, scramble ? scramble : text, scramble, &target, tally);
}

static void measure_rows(const struct puzzle *cube, struct tally *tally)
{
    unsigned seen[LONGEST + 1] = {0};
    struct support_structure row;
    FILE *file = support_structures_open();
    while (support_structures_next(file, cube, &row)) {
        char name[CYCLE_TEXT_BYTES];
        unsigned n = row.min_htm;
        if (n < SHORTEST || n > LONGEST || seen[n]++ % ROW_STEP ||
            seen[n] > ROWS_OF_A_LENGTH * ROW_STEP)
            continue;
        cycle_print(cube, &row.structure, name, sizeof name);
        measure(cube, name, NULL, &row.structure, tally);
    }
    fclose(file);
}

static void measure_others(struct tally *tally)
{
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        struct puzzle *all = support_builtin(others[i].puzzle);
        struct puzzle *puzzle =
            others[i].faces ? support_puzzle_faces(all, others[i].faces) : puzzle_acquire(all);
        measure_text(puzzle, others[i].target, NULL, tally);
        puzzle_release(puzzle);
        puzzle_release(all);
    }
}

static void print_tally(const char *name, const struct tally *tally)
{
    printf("%-12s %3u jobs; exact length %u, within one move %u; within a factor of 3: nodes %u, "
           "seconds %u, nodes by the last forecast %u\n",
           name, tally->jobs, tally->length, tally->length_within_1, tally->nodes, tally->seconds,
           tally->forecast);
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct tally tally[4] = {{.jobs = 0}};
    printf("length     estimate      forecast        actual  estimate   actual\n"
           " e  a         nodes         nodes         nodes   seconds  seconds  job\n");
    measure_rows(cube, &tally[0]);
    for (unsigned i = 0; i < sizeof cube_targets / sizeof *cube_targets; i++)
        measure_text(cube, cube_targets[i], NULL, &tally[1]);
    for (unsigned i = 0; i < sizeof scrambles / sizeof *scrambles; i++)
        measure_text(cube, "c: / e:", scrambles[i], &tally[2]);
    measure_others(&tally[3]);
    print_tally("5-9 moves", &tally[0]);
    print_tally("10 and more", &tally[1]);
    print_tally("scrambles", &tally[2]);
    print_tally("others", &tally[3]);
    puzzle_release(cube);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        limit_seconds = strtod(argv[1], NULL);
    return support_bench_main(body);
}
