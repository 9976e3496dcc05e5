/*
 * test_long_puzzles.c - built-in puzzles as a whole: what takes minutes, or memory.
 */
#include <check.h>

#include "tests/support/support_ball.h"
#include "tests/support/support_cases.h"
#include "tests/support/support_census.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_survey.h"
#include "tests/support/support_word.h"

START_TEST(structures_of_the_pyraminx)
{
    support_census_check(support_builtin("pyraminx"), 933120);
}
END_TEST

START_TEST(structures_of_the_skewb)
{
    support_census_check(support_builtin("skewb"), 3149280);
}
END_TEST

/* Every structure of all positions of the pyraminx: length and number of words. */
START_TEST(words_of_the_pyraminx)
{
    struct support_engine here;
    struct puzzle *puzzle = support_builtin("pyraminx");
    struct support_survey survey;
    support_engine_open(&here, NULL);
    support_survey_init(&survey, puzzle, SUPPORT_BALL_MAX_RADIUS);
    support_survey_check(&here, &survey);
    support_survey_deinit(&survey);
    support_engine_close(&here);
    puzzle_release(puzzle);
}
END_TEST

static void check_cases(const char *name, const char *path)
{
    struct support_engine here;
    struct puzzle *puzzle = support_builtin(name);
    json_t *root = support_cases_open(path), *object;
    size_t i;
    support_engine_open(&here, NULL);
    json_array_foreach(json_object_get(root, "cases"), i, object)
    {
        support_cases_check_brute(&here, puzzle, object, 0);
    }
    support_engine_close(&here);
    json_decref(root);
    puzzle_release(puzzle);
}

/* With the tables that a job of any length gets. */
START_TEST(cases_with_tables)
{
    check_cases("megaminx", "tests/data/cycle_cases_megaminx.json");
    check_cases("4x4x4", "tests/data/cycle_cases_4x4.json");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {structures_of_the_pyraminx, structures_of_the_skewb,
                                  words_of_the_pyraminx, cases_with_tables};

    return support_suite_run("long_puzzles", tests, sizeof tests / sizeof tests[0], NULL, NULL,
                             3600);
}
