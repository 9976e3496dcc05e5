/*
 * test_search_estimate.c - what plans say a job will cost: the parts of the forecast against counts
 * and against searches, and that it stays beside what happened.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/search/search_forecast.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

static struct search_context *context_of(const struct puzzle *puzzle)
{
    static const struct cycle_structure identity = {0};
    struct search_context *context;
    ck_assert_int_eq(search_context_new(puzzle, &identity, 1, &context), 0);
    return context;
}

static bool is_near(double said, double actual, double factor)
{
    return said <= factor * actual && actual <= factor * said;
}

/* ---- words ------------------------------------------------------------------------------- */

/* Canonical words are counted; what the window rule leaves of them is within a sixth of what its
 * searches visit. */
START_TEST(words_of_the_cube)
{
    static const double canonical[] = {1, 18, 243, 3240, 43254, 577368, 7706988};
    static const double inner[] = {3348, 31909, 340256}, classes[] = {123150, 1445470, 17131472};
    struct search_context *context = context_of(cube);
    struct search_words plain, words;
    search_estimate_words(context, false, &plain);
    search_estimate_words(context, true, &words);
    for (unsigned n = 0; n < BASE_COUNT(canonical); n++) {
        ck_assert(plain.canonical[n] == canonical[n]);
        ck_assert(plain.inner[n] == canonical[n] && plain.classes[n] == canonical[n]);
    }
    ck_assert(fabs(plain.canonical[30] / plain.canonical[29] - 13.348) < 0.001);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(is_near(words.inner[5 + i], inner[i], 1.17));
        ck_assert(is_near(words.classes[7 + i], classes[i], 1.17));
    }
    search_context_release(context);
}
END_TEST

/* Three moves that commute and undo themselves: eight words in all. */
START_TEST(words_that_end)
{
    struct puzzle *puzzle = support_puzzle("a 6", "U a(0 1); R a(2 3); F a(4 5)");
    struct search_context *context = context_of(puzzle);
    struct search_words words;
    search_estimate_words(context, false, &words);
    ck_assert(words.canonical[1] == 3 && words.canonical[2] == 3 && words.canonical[3] == 1);
    for (unsigned n = 4; n < SEARCH_ESTIMATE_LENGTHS; n++)
        ck_assert(words.canonical[n] == 0);
    search_context_release(context);
    puzzle_release(puzzle);
}
END_TEST

/* ---- lengths ----------------------------------------------------------------------------- */

START_TEST(chances_of_lengths)
{
    struct search_context *context = context_of(cube);
    struct search_words words;
    double before = 0;
    search_estimate_words(context, true, &words);
    for (unsigned tenths = 0; tenths <= 460; tenths += 5) {
        double chance[SEARCH_ESTIMATE_LENGTHS], sum = 0, mean = 0;
        search_estimate_lengths(&words, -(double)tenths / 10, 3, chance);
        for (unsigned n = 0; n < SEARCH_ESTIMATE_LENGTHS; n++) {
            ck_assert(chance[n] >= 0 && (n >= 3 || chance[n] == 0));
            sum += chance[n];
            mean += n * chance[n];
        }
        ck_assert(fabs(sum - 1) < 1e-9);
        ck_assert(mean >= before); /* the rarer, the longer */
        before = mean;
    }
    ck_assert(before > 18 && before < 22);
    search_context_release(context);
}
END_TEST

static unsigned compared;

static bool compare_orbit(void *arg, const struct cycle_structure *structure)
{
    struct cycle_count count;
    cycle_count_states(arg, structure, &count);
    ck_assert(fabs(search_estimate_orbit(arg, structure, 0) - count.log10) < 1e-6);
    compared++;
    return true;
}

/* One orbit that all arrangements of are reached: the count is exact. */
START_TEST(states_of_an_orbit)
{
    struct puzzle *puzzle = support_puzzle("a 5*3", "U a(0 1+1 2 3 4); R a(0 1); F! a(0+1)");
    compared = 0;
    ck_assert_int_eq(cycle_enumerate(puzzle, compare_orbit, puzzle), 0);
    ck_assert_uint_gt(compared, 20);
    puzzle_release(puzzle);
}
END_TEST

/* ---- a job's plan ------------------------------------------------------------------------ */

static void run(struct support_engine *here, const char *target, unsigned most,
                struct engine_plan *plan)
{
    static struct engine_snapshot snapshot;
    struct cycle_structure structure = support_cycle(cube, target);
    struct engine_spec spec = support_spec_one(cube, &structure);
    struct support_job job;
    spec.max_length = most;
    spec.max_length_set = true;
    const struct engine_result *result = support_job_run(here, &spec, &job);
    engine_job_snapshot(job.job, &snapshot);
    *plan = snapshot.plan;
    ck_assert(plan->ended && plan->actual_nodes == result->nodes);
    ck_assert(plan->actual_seconds == result->seconds);
    ck_assert(plan->estimated_seconds > 0 && plan->forecast_seconds > 0);
    support_job_release(&job);
}

/* Below the optimum the length is no question of luck, and the nodes are none either. They are off
 * by more where the solved state lies close to the target, because the states near it are then not
 * like all others: c: (2, 2, 2, 2) takes ten times what is said. */
START_TEST(nodes_of_searches_that_find_nothing)
{
    static const struct {
        const char *target;
        unsigned most;
    } jobs[] = {
        {"c: (1+, 5+) / e: (1+, 1+)", 8},
        {"c: (1+, 2+) / e: (1+, 3+, 4)", 8},
        {"c: (1+, 1+, 1+, 3+) / e: (1+, 1+, 2, 4)", 8},
        {"c: (1+, 1+, 1+, 1+, 2+, 2+) / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 2, 2)", 8},
        {"c: / e: (1+, 1+)", 11},
        {"c: (1+, 7+) / e: (1+, 1+, 1+, 1+, 2+, 2+)", 7},
    };
    struct engine_config config = {.threads = 2, .memory_bytes = 8 << 20};
    struct support_engine here;
    support_engine_open(&here, &config);
    for (unsigned i = 0; i < BASE_COUNT(jobs); i++) {
        struct engine_plan plan;
        run(&here, jobs[i].target, jobs[i].most, &plan);
        ck_assert_msg(is_near(plan.estimated_nodes, (double)plan.actual_nodes, 4),
                      "%s: %.0f nodes estimated, %llu searched", jobs[i].target,
                      plan.estimated_nodes, (unsigned long long)plan.actual_nodes);
    }
    support_engine_close(&here);
}
END_TEST

/* How many tables of the plan are there at the end. */
static unsigned filled(const struct engine_plan *plan)
{
    unsigned count = 0;
    for (unsigned t = 0; t < plan->n_tables; t++)
        count += strcmp(plan->table[t].state, "sealed") == 0;
    return count;
}

/* With a negative factor only the small table is filled; with a tiny one all are, at once. */
START_TEST(factor_of_a_fill)
{
    static const double factors[] = {-1, 1e-9};
    struct engine_plan plan[2];
    for (unsigned i = 0; i < 2; i++) {
        struct engine_config config = {
            .threads = 2, .memory_bytes = 64 << 20, .fill_factor = factors[i]};
        struct support_engine here;
        support_engine_open(&here, &config);
        run(&here, "c: (1+, 5+) / e: (1+, 1+)", 9, &plan[i]);
        support_engine_close(&here);
    }
    ck_assert_uint_eq(plan[0].n_tables, 2);
    ck_assert_uint_eq(filled(&plan[0]), 1);
    ck_assert_uint_eq(filled(&plan[1]), 2);
    ck_assert_uint_gt(plan[0].actual_nodes, 8000000);
    ck_assert_uint_lt(plan[1].actual_nodes, 100000);
    ck_assert(plan[0].estimated_nodes > plan[1].estimated_nodes);
    ck_assert(is_near(plan[0].estimated_nodes, (double)plan[0].actual_nodes, 4));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        words_of_the_cube,  words_that_end,   chances_of_lengths,
        states_of_an_orbit, factor_of_a_fill, nodes_of_searches_that_find_nothing,
    };
    return support_suite_run("search_estimate", tests, BASE_COUNT(tests), setup, teardown, 120);
}
