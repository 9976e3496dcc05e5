/*
 * test_engine_rows.c - lengths and counts of all cycle structures of up to seven moves in
 * tests/data/structure_lengths_3x3.tsv; under sanitizers, which are ten times slower, every 40th of
 * them.
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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STEP = 40, ROWS = 41 };
#else
enum { STEP = 1, ROWS = 1609 };
#endif

START_TEST(rows_of_up_to_seven_moves)
{
    ck_assert_uint_eq(
        support_rows_run(&here, cube, &(struct support_rows){.most = 7, .step = STEP}), ROWS);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {rows_of_up_to_seven_moves};
    return support_suite_run("engine_rows", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
