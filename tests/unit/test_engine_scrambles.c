/*
 * test_engine_scrambles.c - the way back from a scramble: lengths and counts against a search from
 * both ends over all states.
 */
#include <check.h>

#include "tests/support/support_ball.h"
#include "tests/support/support_brute.h"
#include "tests/support/support_cases.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { NEAR = 5 };

static struct puzzle *cube;
static struct cycle_structure solved;
static struct support_engine here;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    solved = support_cycle(cube, "c: / e:");
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(cube);
}

static struct engine_spec spec_for(const uint8_t *start)
{
    struct engine_spec spec = support_spec_all(cube, &solved);
    spec.start = start;
    return spec;
}

/* `near`: the ball around the solved state. */
static void check_scramble(const struct support_ball *near, const uint8_t *word, unsigned length)
{
    struct support_ball around;
    struct support_job job;
    uint8_t start[PERM_MAX_BYTES];
    uint64_t words;
    puzzle_apply_word(cube, NULL, word, length, start);
    support_ball_init(&around, cube, start, NEAR - 1);
    int distance = support_ball_meet(&around, near, &words);
    struct engine_spec spec = spec_for(start);
    if (distance < 0)
        distance = 2 * NEAR; /* a scramble of ten moves needs at most ten */
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert(result->optimal);
    ck_assert_int_eq(result->length, distance);
    if (words > 0)
        ck_assert_uint_eq(result->count[0].sequences, words);
    support_job_release(&job);
    support_ball_deinit(&around);
}

START_TEST(random_scrambles)
{
    struct support_random random = {20240601};
    struct support_ball near;
    support_ball_init(&near, cube, NULL, NEAR);
    ck_assert_uint_eq(near.count, 1 + 18 + 243 + 3240 + 43239 + 574908);
    for (unsigned i = 0; i < 24; i++) {
        uint8_t word[2 * NEAR];
        unsigned length = i < 10 ? i : 2 * NEAR;
        support_random_word(&random, cube, word, length);
        check_scramble(&near, word, length);
    }
    support_ball_deinit(&near);
}
END_TEST

/* Starts that symmetries keep: only prefixes that no symmetry makes smaller are searched. */
START_TEST(symmetric_starts)
{
    static const char *const texts[] = {
        "U2 D2 F2 B2 L2 R2", "U2",          "U2 D2",       "U D",         "U D'",
        "R2 L2 U2 D2",       "R2 L2 U2",    "U2 R2 U2 R2", "U R2 L2 U'",  "U2 F2 U2 D2 B2 D2",
        "D U B2 F2 D' U'",   "R L U2 D2 R", "F2 B2 R L",   "U2 D2 R L' ", "R L' U2 D2 R' L",
    };
    struct support_ball near;
    support_ball_init(&near, cube, NULL, NEAR);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint8_t word[SUPPORT_MAX_WORD], start[PERM_MAX_BYTES];
        unsigned length = support_word_parse(cube, texts[i], word);
        check_scramble(&near, word, length);
        puzzle_apply_word(cube, NULL, word, length, start);
        struct engine_spec spec = spec_for(start);
        if (length <= 4)
            support_brute_check(&here, &spec, length);
    }
    support_ball_deinit(&near);
}
END_TEST

/* From a scramble to a cycle structure that is not the identity. */
START_TEST(other_targets)
{
    static const char *const targets[] = {"c: (4) / e: (4)", "c: (1+, 5+) / e: (7)",
                                          "c: (2, 2) / e: (2, 2)"};
    static const char *const starts[] = {"R U R'", "U2 D2 F", "R U2 D' F"};
    for (unsigned t = 0; t < 3; t++)
        for (unsigned s = 0; s < 3; s++) {
            struct cycle_structure target = support_cycle(cube, targets[t]);
            struct engine_spec spec = support_spec_all(cube, &target);
            uint8_t start[PERM_MAX_BYTES];
            support_word_state(cube, starts[s], start);
            spec.start = start;
            spec.max_length = 4, spec.max_length_set = true;
            support_brute_check(&here, &spec, 4);
        }
}
END_TEST

START_TEST(known_positions)
{
    ck_assert_uint_eq(support_cases_positions(&here, cube, 0, 13), 26);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {random_scrambles, symmetric_starts, other_targets,
                                  known_positions};
    return support_suite_run("engine_scrambles", tests, sizeof tests / sizeof *tests, setup,
                             teardown, 120);
}
