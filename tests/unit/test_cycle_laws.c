/*
 * test_cycle_laws.c - which structures the moves reach where sums of turns, parities and 3-cycles
 * are linked: every structure and its number of states, against all states of a puzzle.
 */
#include <check.h>

#include "tests/support/support_census.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

/* ---- built in ---------------------------------------------------------------------------- */

/* All of the skewb and the pyraminx: tests/long. */
START_TEST(skewb_two_faces)
{
    struct puzzle *whole = support_builtin("skewb"), *two = support_puzzle_faces(whole, "U R");
    support_census_check(two, 58320);
    puzzle_release(whole);
}
END_TEST

/* ---- made at home ------------------------------------------------------------------------- */

/* A parity with a sum mod 2; a sum mod 4 of which only the even half is reached; sums of two orbits
 * that add up to zero; a class of three with a sum mod 3, and one of four with that. */
START_TEST(links)
{
    support_census_check(support_puzzle("a 3*2", "A a(0 1+1); B a(0 1 2)"), 24);
    support_census_check(support_puzzle("a 3*4", "A a(0 1); B a(0 1 2); C a(0+1) a(1+1)"), 192);
    support_census_check(
        support_puzzle("a 3*3, b 2*3", "A a(0 1); B a(0 1 2); C a(0+1) b(0+2); D b(0 1+1 )"), 2916);
    support_census_check(support_puzzle("a 3, b 2*3", "A a(0 1 2) b(0+1); B b(0 1)"), 18);
    support_census_check(
        support_puzzle("a 4, b 2*3", "A a(0 1 2) b(0+1); B b(0 1); C a(1 2 3) b(0+1)"), 216);
}
END_TEST

/* Two pieces that change places, two that only turn, and sums that add up to zero over all four. */
START_TEST(carried_and_turned)
{
    support_census_check(support_puzzle("a 4*3", "A a(0 1); B a(0+1) a(2+2); C a(2+1) a(3+2)"), 54);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {skewb_two_faces, links, carried_and_turned};

    return support_suite_run("cycle_laws", tests, sizeof tests / sizeof tests[0], NULL, NULL, 20);
}
