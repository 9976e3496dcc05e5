/*
 * test_long_jobs.c - what the unit tests do with a part of the data, done with all of it.
 */
#include <check.h>

#include "tests/support/support_ball.h"
#include "tests/support/support_cases.h"
#include "tests/support/support_rows.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_survey.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;
static struct support_engine here;

static void setup(void)
{
    struct engine_config config = {.threads = 2, .memory_bytes = (uint64_t)1 << 30};
    cube = support_builtin("3x3x3");
    support_engine_open(&here, &config);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(cube);
}

static unsigned rows(unsigned least, unsigned most)
{
    return support_rows_run(&here, cube,
                            &(struct support_rows){.least = least, .most = most, .step = 1});
}

START_TEST(rows_up_to_seven_moves)
{
    ck_assert_uint_eq(rows(0, 7), 1609);
}
END_TEST

START_TEST(rows_of_eight_moves)
{
    ck_assert_uint_eq(rows(8, 8), 800);
}
END_TEST

START_TEST(rows_of_nine_moves)
{
    ck_assert_uint_eq(rows(9, 9), 800);
}
END_TEST

START_TEST(harder_cases)
{
    ck_assert_uint_eq(support_cases_harder(&here, cube, 11, 13), 8);
}
END_TEST

START_TEST(positions_up_to_fifteen_moves)
{
    ck_assert_uint_eq(support_cases_positions(&here, cube, 14, 15), 40);
}
END_TEST

/* All 3 674 160 positions of the 2x2x2: every structure that it has. */
START_TEST(pocket_cube)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct support_survey survey;
    support_survey_init(&survey, pocket, SUPPORT_BALL_MAX_RADIUS);
    support_survey_check(&here, &survey);
    support_survey_deinit(&survey);
    puzzle_release(pocket);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        rows_up_to_seven_moves, rows_of_eight_moves, rows_of_nine_moves,
        harder_cases,           pocket_cube,         positions_up_to_fifteen_moves};
    return support_suite_run("long_jobs", tests, sizeof tests / sizeof *tests, setup, teardown,
                             1800);
}
