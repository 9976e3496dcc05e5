/*
 * test_engine_big.c - jobs on the built-in puzzles that are not cubes of two or three layers: cases
 * of a public suite with their lengths and counts recomputed, and what few moves do against brute
 * force.
 */
#include <check.h>
#include <stdio.h>

#include "tests/support/support_ball.h"
#include "tests/support/support_brute.h"
#include "tests/support/support_cases.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_survey.h"
#include "tests/support/support_word.h"

/* Tables take longer than the searches of a few moves that are tried here. */
enum { LITTLE_MEMORY = 4096 };

static struct support_engine here;

static void setup(void)
{
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
}

/* ---- cases (with tables: tests/long) ------------------------------------------------------ */

static void check_cases(const char *name, const char *path, unsigned count)
{
    struct puzzle *puzzle = support_builtin(name);
    json_t *root = support_cases_open(path), *object;
    size_t i;
    json_array_foreach(json_object_get(root, "cases"), i, object)
    {
        support_cases_check_brute(&here, puzzle, object, LITTLE_MEMORY);
    }
    ck_assert_uint_eq(i, count);
    json_decref(root);
    puzzle_release(puzzle);
}

START_TEST(megaminx)
{
    check_cases("megaminx", "tests/data/cycle_cases_megaminx.json", 3);
}
END_TEST

START_TEST(cube_of_four_layers)
{
    check_cases("4x4x4", "tests/data/cycle_cases_4x4.json", 42);
}
END_TEST

/* The file says by which moves each structure was found. */
START_TEST(words_have_their_structures)
{
    struct puzzle *puzzle = support_builtin("4x4x4");
    json_t *root = support_cases_open("tests/data/cycle_cases_4x4.json"), *object;
    size_t i;
    json_array_foreach(json_object_get(root, "cases"), i, object)
    {
        support_cases_word(puzzle, object);
    }
    json_decref(root);
    puzzle_release(puzzle);
}
END_TEST

/* ---- against brute force ------------------------------------------------------------------ */

static void check_survey(const char *name, unsigned radius)
{
    struct puzzle *puzzle = support_builtin(name);
    struct support_survey survey;
    support_survey_init(&survey, puzzle, radius);
    ck_assert_uint_gt(survey.count, 20);
    support_survey_check(&here, &survey);
    support_survey_deinit(&survey);
    puzzle_release(puzzle);
}

START_TEST(pyraminx_structures)
{
    check_survey("pyraminx", 6);
}
END_TEST

START_TEST(skewb_structures)
{
    check_survey("skewb", 5);
}
END_TEST

/* What two moves of the 5x5x5 do; 54 moves with others of the same layers. */
START_TEST(cube_of_five_layers)
{
    struct puzzle *puzzle = support_builtin("5x5x5");
    static const char *const words[] = {"R", "2R2", "r U", "2R L", "R 2R2", "r l'"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct cycle_structure structure;
        uint8_t state[PERM_MAX_BYTES];
        support_word_state(puzzle, words[i], state);
        cycle_of_state(puzzle, state, &structure);
        struct engine_spec spec = support_spec_all(puzzle, &structure);
        spec.limits.memory_bytes = LITTLE_MEMORY;
        support_brute_check(&here, &spec, 2);
    }
    puzzle_release(puzzle);
}
END_TEST

/* ---- scrambles ---------------------------------------------------------------------------- */

/* The way back from what some random moves did is as long as the ball around the solved state says.
 */
static void check_scrambles(const char *name, unsigned radius, unsigned count)
{
    struct puzzle *puzzle = support_builtin(name);
    struct support_random random = {radius + count};
    struct cycle_structure solved = {0};
    struct support_ball ball;
    support_ball_init(&ball, puzzle, NULL, radius);
    for (unsigned i = 0; i < count; i++) {
        struct engine_spec spec = support_spec_one(puzzle, &solved);
        struct support_job job;
        uint8_t word[SUPPORT_MAX_WORD], start[PERM_MAX_BYTES];
        support_random_word(&random, puzzle, word, radius);
        puzzle_apply_word(puzzle, NULL, word, radius, start);
        spec.start = start;
        spec.limits.memory_bytes = LITTLE_MEMORY;
        const struct engine_result *result = support_job_run(&here, &spec, &job);
        long at = support_ball_find(&ball, start);
        ck_assert_int_ge(at, 0);
        ck_assert_int_eq(result->length, (int)support_ball_distance(&ball, (size_t)at));
        ck_assert(result->optimal);
        support_job_release(&job);
    }
    support_ball_deinit(&ball);
    puzzle_release(puzzle);
}

START_TEST(scrambles)
{
    check_scrambles("pyraminx", 6, 5);
    check_scrambles("skewb", 6, 5);
    check_scrambles("megaminx", 2, 5);
    check_scrambles("4x4x4", 2, 5);
    check_scrambles("5x5x5", 2, 5);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        megaminx,
        cube_of_four_layers,
        words_have_their_structures,
        pyraminx_structures,
        skewb_structures,
        cube_of_five_layers,
        scrambles,
    };
    return support_suite_run("engine_big", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
