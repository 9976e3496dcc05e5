/*
 * test_engine_puzzles.c - puzzles that are no cube, by the generic kernel: every structure that a
 * puzzle has, with its length and number of solutions, against all states of the puzzle.
 */
#include <check.h>

#include "tests/support/support_ball.h"
#include "tests/support/support_brute.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_survey.h"
#include "tests/support/support_word.h"

static struct support_engine here;

static void setup(void)
{
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
}

static unsigned check_puzzle(const struct puzzle *puzzle)
{
    struct support_survey survey;
    support_survey_init(&survey, puzzle, SUPPORT_BALL_MAX_RADIUS);
    support_survey_check(&here, &survey);
    support_survey_deinit(&survey);
    return survey.count;
}

/* The same, and counts up to commuting and classes for structures of at most `longest` moves. */
static void check_words(const struct puzzle *puzzle, unsigned longest)
{
    struct support_survey survey;
    support_survey_init(&survey, puzzle, SUPPORT_BALL_MAX_RADIUS);
    for (unsigned i = 0; i < survey.count; i++) {
        struct engine_spec spec = support_spec_all(puzzle, &survey.known[i].structure);
        if (survey.known[i].length <= longest)
            support_brute_check(&here, &spec, longest);
    }
    support_survey_deinit(&survey);
}

/* ---- the 2x2x2 (all of it: tests/long) ------------------------------------------------------- */

START_TEST(pocket_cube)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct support_survey survey;
    support_survey_init(&survey, pocket, 7);
    ck_assert_uint_gt(survey.count, 30);
    support_survey_check(&here, &survey);
    support_survey_deinit(&survey);
    puzzle_release(pocket);
}
END_TEST

START_TEST(pocket_cube_two_faces)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct puzzle *faces = support_puzzle_faces(pocket, "U R");
    check_puzzle(faces);
    check_words(faces, 6);
    puzzle_release(faces);
    puzzle_release(pocket);
}
END_TEST

START_TEST(pocket_cube_half_turns)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct puzzle *half = support_puzzle_only(pocket, "U2 R2 F");
    check_puzzle(half);
    check_words(half, 6);
    puzzle_release(half);
    puzzle_release(pocket);
}
END_TEST

/* ---- made at home ------------------------------------------------------------------------- */

/* A symmetry exchanges the orbits: it may be used only where the target is the same in both. */
START_TEST(exchangeable_orbits)
{
    struct puzzle *puzzle =
        support_puzzle("a 4*2, b 4*2", "P a(0 1 2+1); Q b(0 1 2+1); R a(2 3) b(2 3)");
    struct sym_group *group;
    ck_assert_int_eq(sym_group_new(puzzle, &group), 0);
    ck_assert_uint_ge(group->count, 2);
    sym_group_free(group);
    ck_assert_uint_gt(check_puzzle(puzzle), 40);
    check_words(puzzle, 6);
    puzzle_release(puzzle);
}
END_TEST

/* P and T commute, so do P and Q, and S and Q; but not T and Q, nor P and S. */
START_TEST(commuting_is_not_transitive)
{
    struct puzzle *puzzle = support_puzzle("a 7", "P a(0 1 2); S a(2 3); T a(3 4); Q a(4 5 6)");
    check_puzzle(puzzle);
    check_words(puzzle, 6);
    puzzle_release(puzzle);
}
END_TEST

/* No symmetry but the identity; orientations of composite order; a move that is not a face. */
START_TEST(no_symmetry)
{
    struct puzzle *puzzle = support_puzzle("a 4*6, b 3", "A a(0 1+1 2+5); B! a(2 3+2) b(0 1 2)");
    check_puzzle(puzzle);
    check_words(puzzle, 7);
    puzzle_release(puzzle);
}
END_TEST

/* Every move commutes with every other: all words are one trace. */
START_TEST(all_commute)
{
    struct puzzle *puzzle = support_puzzle("a 3, b 3, c 2", "A a(0 1 2); B b(0 1 2); C c(0 1)");
    check_puzzle(puzzle);
    check_words(puzzle, 3);
    puzzle_release(puzzle);
}
END_TEST

/* One move: words of one letter. Lengths above find nothing and end all the same. */
START_TEST(one_move)
{
    struct puzzle *puzzle = support_puzzle("a 5", "A a(0 1 2 3 4)");
    struct cycle_structure target = support_cycle(puzzle, "a: (5)");
    struct engine_spec spec = support_spec_all(puzzle, &target);
    check_puzzle(puzzle);
    spec.min_length = 2, spec.max_length = 5, spec.max_length_set = true;
    support_brute_check(&here, &spec, 5);
    puzzle_release(puzzle);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        pocket_cube,
        pocket_cube_two_faces,
        pocket_cube_half_turns,
        exchangeable_orbits,
        commuting_is_not_transitive,
        no_symmetry,
        all_commute,
        one_move,
    };
    return support_suite_run("engine_puzzles", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
