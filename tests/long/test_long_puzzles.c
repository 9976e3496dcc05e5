/*
 * test_long_puzzles.c - built-in puzzles as a whole: what takes minutes, or memory.
 */
#include <check.h>

#include "tests/support/support_census.h"
#include "tests/support/support_suite.h"
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

int main(void)
{
    const TTest *const tests[] = {structures_of_the_pyraminx, structures_of_the_skewb};

    return support_suite_run("long_puzzles", tests, sizeof tests / sizeof tests[0], NULL, NULL,
                             3600);
}
