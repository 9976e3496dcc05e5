/*
 * test_engine_bounds.c - min_length, max_length and slack, held against every word.
 *
 * Above the optimum the window rule does not hold: words that shorter ones replace count there, and
 * so do conjugates of shorter solutions.
 */
#include <check.h>
#include <stdio.h>

#include "tests/support/support_brute.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube, *pocket;
static struct support_engine here;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    pocket = support_builtin("2x2x2");
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(pocket);
    puzzle_release(cube);
}

/* max_length < 0: none. */
static void check(const struct puzzle *puzzle, const char *text, unsigned slack,
                  unsigned min_length, int max_length, unsigned longest)
{
    struct cycle_structure target = support_cycle(puzzle, text);
    struct engine_spec spec = support_spec_all(puzzle, &target);
    spec.slack = slack;
    spec.min_length = min_length;
    spec.max_length_set = max_length >= 0;
    spec.max_length = max_length < 0 ? 0 : (unsigned)max_length;
    support_brute_check(&here, &spec, longest);
}

START_TEST(slack_cube)
{
    check(cube, "c: (4) / e: (4)", 3, 0, -1, 4);
    check(cube, "c: (2, 2) / e: (2, 2)", 2, 0, -1, 3);
    check(cube, "c: (1+, 5+) / e: (7)", 2, 0, -1, 4);
    check(cube, "c: (4, 4) / e: (4, 4)", 2, 0, -1, 4);
    check(cube, "c: / e:", 4, 0, -1, 4);
}
END_TEST

START_TEST(slack_pocket)
{
    check(pocket, "c: (4)", 4, 0, -1, 5);
    check(pocket, "c: (1+, 5+)", 3, 0, -1, 5);
    check(pocket, "c: (2, 2)", 4, 0, -1, 5);
    check(pocket, "c:", 6, 0, -1, 6);
    check(pocket, "c: (7)", 2, 0, -1, 6);
}
END_TEST

START_TEST(min_length)
{
    for (unsigned least = 0; least <= 4; least++) {
        check(cube, "c: (4) / e: (4)", 0, least, 4, 4);
        check(cube, "c: (1+, 5+) / e: (7)", 0, least, 4, 4);
        check(cube, "c: / e:", 0, least, 4, 4);
    }
    for (unsigned least = 0; least <= 6; least++) {
        check(pocket, "c: (4)", 0, least, 6, 6);
        check(pocket, "c: (1+, 5+)", 0, least, 6, 6);
    }
}
END_TEST

START_TEST(max_length)
{
    for (int most = 0; most <= 4; most++) {
        check(cube, "c: (4) / e: (4)", 0, 0, most, 4);
        check(cube, "c: (3) / e:", 0, 0, most, 4);
        check(cube, "c: (1+, 5+) / e: (7)", 0, 0, most, 4);
    }
    check(cube, "c: / e:", 0, 0, 0, 0);
    check(cube, "c: (4) / e: (4)", 0, 0, 0, 0);
}
END_TEST

START_TEST(all_three)
{
    check(cube, "c: (4) / e: (4)", 5, 2, 4, 4);
    check(cube, "c: (4) / e: (4)", 1, 2, 4, 4);
    check(cube, "c: (1+, 5+) / e: (7)", 3, 3, 4, 4);
    check(pocket, "c: (1+, 5+)", 2, 3, 6, 6);
    check(pocket, "c: (4)", 1, 6, 6, 6);
    check(pocket, "c: (2, 2)", 3, 4, 6, 6);
}
END_TEST

/* The shortest of several targets is within the bounds, not the shortest of all. */
START_TEST(several_targets)
{
    struct cycle_structure targets[] = {support_cycle(cube, "c: (4) / e: (4)"),
                                        support_cycle(cube, "c: (1+, 5+) / e: (7)")};
    struct engine_spec spec = support_spec_all(cube, targets);
    spec.n_targets = 2;
    spec.slack = 1;
    support_brute_check(&here, &spec, 3);
    spec.min_length = 2;
    support_brute_check(&here, &spec, 3);
    spec.slack = 0, spec.min_length = 4;
    support_brute_check(&here, &spec, 4);
}
END_TEST

START_TEST(scrambles)
{
    static const char *const words[] = {"U", "U2 D2", "R U", "R U R' U'", "U D R L", "F2 B2 R2"};
    struct cycle_structure solved = support_cycle(cube, "c: / e:");
    struct engine_spec spec = support_spec_all(cube, &solved);
    uint8_t start[PERM_MAX_BYTES];
    spec.start = start;
    spec.max_length = 4, spec.max_length_set = true;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        support_word_state(cube, words[i], start);
        for (unsigned least = 0; least <= 3; least += 3) {
            spec.min_length = least;
            spec.slack = 0;
            support_brute_check(&here, &spec, 4);
            spec.slack = 2;
            support_brute_check(&here, &spec, 4);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {slack_cube, slack_pocket,    min_length, max_length,
                                  all_three,  several_targets, scrambles};
    return support_suite_run("engine_bounds", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
