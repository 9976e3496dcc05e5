/*
 * test_cycle_check.c - feasibility: which rules a structure breaks, where, and what is said.
 */
#include <check.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cycle/cycle.h"
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

struct expected_fault {
    enum cycle_rule rule;
    int orbit;
    int item;
    const char *says; /* part of the text */
};

/* Faults up to one of rule NONE, in any order. */
static void expect_faults(const struct puzzle *puzzle, const char *text,
                          const struct expected_fault *expected)
{
    struct cycle_structure structure;
    struct cycle_fault faults[CYCLE_MAX_FAULTS];
    struct base_diag diag;
    struct cycle_count count;
    size_t n = 0;

    ck_assert_msg(!cycle_parse(puzzle, text, strlen(text), &structure, &diag), "%s", diag.text);
    size_t found = cycle_check(puzzle, &structure, faults);
    for (; expected[n].rule != CYCLE_RULE_NONE; n++) {
        size_t i = 0;
        while (i < found &&
               (faults[i].rule != expected[n].rule || faults[i].orbit != expected[n].orbit ||
                faults[i].item != expected[n].item || !strstr(faults[i].text, expected[n].says)))
            i++;
        ck_assert_msg(i < found, "%s: no %s with '%s', but '%s'", text,
                      cycle_rule_name(expected[n].rule), expected[n].says,
                      found ? faults[0].text : "no fault");
    }
    ck_assert_msg(found == n, "%s: %zu faults, the last '%s'", text, found, faults[found - 1].text);
    cycle_count_states(puzzle, &structure, &count);
    ck_assert_int_eq(n > 0, strcmp(count.decimal, "0") == 0);
}

#define EXPECT(puzzle, text, ...)                                                                  \
    expect_faults(puzzle, text,                                                                    \
                  (const struct expected_fault[]){__VA_ARGS__, {CYCLE_RULE_NONE, 0, 0, ""}})

#define EXPECT_FEASIBLE(puzzle, text)                                                              \
    expect_faults(puzzle, text, (const struct expected_fault[]){{CYCLE_RULE_NONE, 0, 0, ""}})

START_TEST(feasible_structures_have_no_faults)
{
    EXPECT_FEASIBLE(cube, "c: / e:");
    EXPECT_FEASIBLE(cube, "c: (1+, 5+) / e: (1+, 1+)");
    EXPECT_FEASIBLE(cube, "c: (1+)x8 / e: (1+)x12");
    EXPECT_FEASIBLE(cube, "c: (8) / e: (12)");
    EXPECT_FEASIBLE(cube, "c: (1+, 1+, 1+)");
    EXPECT_FEASIBLE(cube, "c: (8) (1) / e: (2, 2, 2)");
}
END_TEST

START_TEST(pieces_are_counted)
{
    EXPECT(cube, "c: (5, 4) / e: (2)",
           {CYCLE_RULE_PIECES, 0, -1, "corners: cycles use 9 of 8 pieces"});
    EXPECT(cube, "c: (3) (1+)x6", {CYCLE_RULE_PIECES, 0, -1, "at least 1"});
    EXPECT(cube, "e: (1+)x14", {CYCLE_RULE_PIECES, 1, -1, "edges: cycles use 14 of 12 pieces"});
}
END_TEST

START_TEST(lengths_are_limited_by_the_orbit)
{
    struct cycle_structure structure = {.n_items = 1, .item = {{1, 0, 1}}};
    struct cycle_fault faults[CYCLE_MAX_FAULTS];

    EXPECT(cube, "e: (2, 2) / c: (3, 9)", {CYCLE_RULE_LENGTH, 0, 3, "corners: a cycle of length 9"},
           {CYCLE_RULE_PIECES, 0, -1, "12 of 8"});
    ck_assert_uint_ge(cycle_check(cube, &structure, faults), 1);
    ck_assert_int_eq(faults[0].rule, CYCLE_RULE_LENGTH);
    ck_assert_int_eq(faults[0].item, 0);
}
END_TEST

START_TEST(orientation_sums_must_cancel)
{
    EXPECT(cube, "e: (1+)", {CYCLE_RULE_ORIENTATION_SUM, 1, -1, "edges: 1 oriented cycle,"});
    EXPECT(cube, "e: (1+, 2+, 3, 4+)", {CYCLE_RULE_ORIENTATION_SUM, 1, -1, "3 oriented cycles"});
    EXPECT(cube, "c: (1+)", {CYCLE_RULE_ORIENTATION_SUM, 0, -1, "corners: 1 oriented cycle alone"});
    EXPECT(cube, "c: (3+, 3)", {CYCLE_RULE_ORIENTATION_SUM, 0, -1, "mod 3"});
}
END_TEST

START_TEST(parities_must_agree)
{
    EXPECT(cube, "c: (2)", {CYCLE_RULE_PARITY, -1, -1, "corners odd, edges even"});
    EXPECT(cube, "c: (3) / e: (4)", {CYCLE_RULE_PARITY, -1, -1, "corners even, edges odd"});
}
END_TEST

START_TEST(all_faults_come_at_once)
{
    EXPECT(cube, "c: (9+) / e: (1+) (2)x6", {CYCLE_RULE_LENGTH, 0, 0, "length 9"},
           {CYCLE_RULE_PIECES, 0, -1, "9 of 8"}, {CYCLE_RULE_ORIENTATION_SUM, 0, -1, "corners"},
           {CYCLE_RULE_PIECES, 1, -1, "13 of 12"}, {CYCLE_RULE_ORIENTATION_SUM, 1, -1, "edges"});
}
END_TEST

START_TEST(more_faults_than_fit_are_counted)
{
    struct cycle_structure structure;
    struct cycle_fault faults[CYCLE_MAX_FAULTS + 1];

    faults[CYCLE_MAX_FAULTS].item = 77;
    ck_assert_int_eq(cycle_parse(cube, "c: (9)x40", 9, &structure, NULL), 0);
    ck_assert_uint_eq(cycle_check(cube, &structure, faults), 41);
    ck_assert_int_eq(faults[CYCLE_MAX_FAULTS - 1].item, CYCLE_MAX_FAULTS - 1);
    ck_assert_int_eq(faults[CYCLE_MAX_FAULTS].item, 77);
}
END_TEST

static struct puzzle *derive(const char *const *names, size_t n)
{
    struct puzzle_choice choices[8];
    struct puzzle *derived = NULL;

    for (size_t i = 0; i < n; i++) {
        int move = puzzle_find_move(cube, names[i], strlen(names[i]));
        choices[i] =
            (struct puzzle_choice){names[i], puzzle_move_at(cube, (unsigned)move)->transform, 1};
    }
    ck_assert_int_eq(puzzle_derive(cube, choices, n, &derived, NULL), 0);
    return derived;
}

/* Half turns change no parity at all; and <U, R> reaches six corners and seven edges. */
START_TEST(restricted_moves_are_judged_by_their_own_invariants)
{
    static const char *const halves[] = {"U2", "R2", "F2", "D2", "L2", "B2"};
    static const char *const two[] = {"U", "R"};
    struct puzzle *half_turns = derive(halves, 6);
    struct puzzle *two_faces = derive(two, 2);

    EXPECT_FEASIBLE(half_turns, "c: (2, 2) / e: (2, 2)");
    EXPECT(half_turns, "c: (4) / e: (4)",
           {CYCLE_RULE_PARITY, 0, -1, "corners odd: every move is even"},
           {CYCLE_RULE_PARITY, 1, -1, "edges odd: every move is even"});
    EXPECT_FEASIBLE(two_faces, "c: (1+, 5+) / e: (7)");
    EXPECT(two_faces, "c: (7) / e: (8, 2)",
           {CYCLE_RULE_PIECES, 0, -1, "7 pieces, but the moves reach only 6 of 8"},
           {CYCLE_RULE_PIECES, 1, -1, "10 pieces, but the moves reach only 7 of 12"});
    puzzle_release(half_turns);
    puzzle_release(two_faces);
}
END_TEST

/* Three orbits of two pieces; the moves exchange in a and b, or in b and c: all parities together
 * are even. Both rotate the three pieces of a fourth. */
START_TEST(parities_may_be_tied_across_many_orbits)
{
    struct puzzle_builder *builder = puzzle_builder_new("tied");
    struct puzzle *puzzle = NULL;
    const uint8_t ab[18] = {1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0};
    const uint8_t bc[18] = {0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0};

    puzzle_builder_add_orbit(builder, "a", 2, 2, NULL);
    puzzle_builder_add_orbit(builder, "b", 2, 2, NULL);
    puzzle_builder_add_orbit(builder, "c", 2, 2, NULL);
    puzzle_builder_add_orbit(builder, "plain", 3, 1, NULL);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "AB", ab, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "BC", bc, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    EXPECT_FEASIBLE(puzzle, "a: (2) / c: (2)");
    EXPECT_FEASIBLE(puzzle, "a: (2) / b: (2) / p: (3)");
    EXPECT(puzzle, "a: (2) / b: (2) / c: (2)", {CYCLE_RULE_PARITY, -1, -1, "a odd, b odd, c odd"});
    EXPECT(puzzle, "b: (2)", {CYCLE_RULE_PARITY, -1, -1, "a even, b odd, c even"});
    EXPECT(puzzle, "p: (2, 1+)", {CYCLE_RULE_UNORIENTABLE, 3, 1, "1+ must be 1"},
           {CYCLE_RULE_PARITY, 3, -1, "plain odd"});
    puzzle_release(puzzle);
}
END_TEST

START_TEST(pieces_that_only_turn_stay)
{
    struct puzzle *pyraminx = support_builtin("pyraminx");

    EXPECT_FEASIBLE(pyraminx, "c: (1+) / e: (3)");
    EXPECT_FEASIBLE(pyraminx, "c: (1+, 1+, 1+, 1+)");
    EXPECT(pyraminx, "c: (2)", {CYCLE_RULE_PIECES, 0, -1, "only turn the pieces where they are"},
           {CYCLE_RULE_PARITY, 0, -1, "corners odd"});
    puzzle_release(pyraminx);
}
END_TEST

/* On the skewb the corners on the axes turn as the others go round by threes. */
START_TEST(links_are_named)
{
    struct puzzle *skewb = support_builtin("skewb");

    EXPECT_FEASIBLE(skewb, "co: (3) / f: (1+)");
    EXPECT_FEASIBLE(skewb, "co: (3) / f: (1+, 1+)");
    EXPECT_FEASIBLE(skewb, "co: (2, 2) / f: (1+, 1+)");
    EXPECT(skewb, "co: (3)",
           {CYCLE_RULE_LINK, -1, -1,
            "corners with a 3-cycle, fixed-corners with 0 oriented cycles: the moves never"});
    EXPECT(skewb, "co: (2, 2) / f: (1+)",
           {CYCLE_RULE_LINK, -1, -1,
            "corners without a 3-cycle, fixed-corners with 1 oriented cycle: the moves never"});
    puzzle_release(skewb);
}
END_TEST

START_TEST(rules_have_names)
{
    static const char *const names[] = {
        "none", "length", "pieces", "unorientable", "orientation-sum", "parity", "link"};

    for (unsigned i = 0; i < CYCLE_RULE_COUNT; i++) {
        ck_assert_str_eq(cycle_rule_name((enum cycle_rule)i), names[i]);
        ck_assert_str_ne(cycle_rule_text((enum cycle_rule)i), "");
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        feasible_structures_have_no_faults,
        pieces_are_counted,
        lengths_are_limited_by_the_orbit,
        orientation_sums_must_cancel,
        parities_must_agree,
        all_faults_come_at_once,
        more_faults_than_fit_are_counted,
        restricted_moves_are_judged_by_their_own_invariants,
        parities_may_be_tied_across_many_orbits,
        pieces_that_only_turn_stay,
        links_are_named,
        rules_have_names,
    };

    return support_suite_run("cycle_check", tests, sizeof tests / sizeof tests[0], setup, teardown,
                             20);
}
