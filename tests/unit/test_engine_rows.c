/*
 * test_engine_rows.c - lengths and counts of cycle structures of up to seven moves: some of those
 * in tests/data/structure_lengths_3x3.tsv. tests/long takes all.
 */
#include <check.h>

#include "tests/support/support_rows.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;
static struct support_engine here;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(cube);
}

START_TEST(some_rows)
{
    ck_assert_uint_eq(support_rows_run(&here, cube, 0, 7, 0, 17), 95);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {some_rows};
    return support_suite_run("engine_rows", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
