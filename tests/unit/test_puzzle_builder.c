/*
 * test_puzzle_builder.c - the builder's checks and what it completes; derived definitions; digests.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/puzzle/puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;
static struct puzzle *pocket;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    pocket = support_builtin("2x2x2");
}

static void teardown(void)
{
    puzzle_release(cube);
    puzzle_release(pocket);
}

/* ---- the builder ---------------------------------------------------------------------- */

/* A ring of five pieces without orientation and a turn of it, and a pair that can be exchanged. */
static struct puzzle_builder *ring_builder(void)
{
    struct puzzle_builder *builder = puzzle_builder_new("ring");

    ck_assert_ptr_nonnull(builder);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "ring", 5, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "pair", 2, 6, NULL), 0);
    return builder;
}

static const uint8_t ring_turn[14] = {1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
static const uint8_t ring_swap[14] = {0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 1, 0, 1, 0};
static const uint8_t ring_still[14] = {0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0};

START_TEST(faces_name_their_powers)
{
    static const char *const names[] = {"T", "T2", "T2'", "T'"};
    struct puzzle_builder *builder = ring_builder();
    struct puzzle *puzzle = NULL;

    ck_assert_int_eq(puzzle_builder_add_face(builder, "T", ring_turn, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    ck_assert_uint_eq(puzzle_move_count(puzzle), 4);
    ck_assert_uint_eq(puzzle_family_count(puzzle), 1);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_str_eq(puzzle_move_at(puzzle, i)->name, names[i]);
        ck_assert_uint_eq(puzzle_move_at(puzzle, i)->amount, i + 1);
        ck_assert_uint_eq(puzzle_move_at(puzzle, i)->inverse, 3 - i);
    }
    ck_assert_uint_eq(puzzle_movable_count(puzzle, 0), 5);
    ck_assert_uint_eq(puzzle_movable_count(puzzle, 1), 0);
    puzzle_release(puzzle);
}
END_TEST

START_TEST(missing_inverses_are_added_with_the_weight)
{
    struct puzzle_builder *builder = ring_builder();
    struct puzzle *puzzle = NULL;

    ck_assert_int_eq(puzzle_builder_add_move(builder, "T'", ring_turn, 3, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "S", ring_swap, 2, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    ck_assert_uint_eq(puzzle_move_count(puzzle), 4);
    ck_assert_str_eq(puzzle_move_at(puzzle, 1)->name, "T");
    ck_assert_uint_eq(puzzle_move_at(puzzle, 1)->weight, 3);
    ck_assert_uint_eq(puzzle_move_at(puzzle, 1)->amount, 4);
    ck_assert_str_eq(puzzle_move_at(puzzle, 3)->name, "S'");
    ck_assert_uint_eq(puzzle_move_at(puzzle, 3)->weight, 2);
    ck_assert_uint_eq(puzzle_move_at(puzzle, 3)->amount, 11);
    ck_assert_uint_eq(puzzle_move_at(puzzle, 2)->inverse, 3);
    ck_assert(!puzzle_orientation_sum_kept(puzzle, 1));
    ck_assert(puzzle_orientation_sum_kept(puzzle, 0));
    puzzle_release(puzzle);
}
END_TEST

START_TEST(a_slot_that_only_turns_is_movable)
{
    static const uint8_t twist[14] = {0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 1, 0, 2};
    struct puzzle_builder *builder = ring_builder();
    struct puzzle *puzzle = NULL;

    ck_assert_int_eq(puzzle_builder_add_face(builder, "T", twist, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    ck_assert_uint_eq(puzzle_movable_count(puzzle, 0), 0);
    ck_assert_uint_eq(puzzle_movable_count(puzzle, 1), 1);
    ck_assert_uint_eq(puzzle_carried_count(puzzle, 1), 0);
    ck_assert(puzzle_slot_movable(puzzle, 1, 1) && !puzzle_slot_movable(puzzle, 1, 0));
    ck_assert_uint_eq(puzzle_move_count(puzzle), 2);
    puzzle_release(puzzle);
}
END_TEST

START_TEST(a_move_and_its_inverse_may_weigh_differently)
{
    struct puzzle_builder *builder = ring_builder();
    struct puzzle *puzzle = NULL;
    uint8_t back[14];

    memcpy(back, ring_turn, sizeof back);
    for (unsigned i = 0; i < 5; i++)
        back[i] = (uint8_t)((i + 4) % 5);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "T", ring_turn, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "back", back, 2, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    ck_assert_uint_eq(puzzle_move_at(puzzle, 0)->weight, 1);
    ck_assert_uint_eq(puzzle_move_at(puzzle, 1)->weight, 2);
    ck_assert_uint_eq(puzzle_move_at(puzzle, 0)->inverse, 1);
    puzzle_release(puzzle);
}
END_TEST

/* The root of a family is a generator, wherever it was added. */
START_TEST(families_begin_with_a_generator)
{
    struct puzzle_builder *builder = puzzle_builder_new("half-first");
    struct puzzle *puzzle = NULL;
    static const char *const order[] = {"U'", "U2", "U", "R2"};

    puzzle_builder_add_orbit(builder, "corners", 8, 3, NULL);
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = {"U2", "R2", "U'", "U"};
        int at = puzzle_find_move(pocket, names[i], strlen(names[i]));
        ck_assert_int_eq(puzzle_builder_add_move(builder, names[i],
                                                 puzzle_move_at(pocket, (unsigned)at)->transform, 1,
                                                 NULL),
                         0);
    }
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    ck_assert_uint_eq(puzzle_family_count(puzzle), 2);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_str_eq(puzzle_move_at(puzzle, i)->name, order[i]);
        ck_assert_uint_eq(puzzle_move_at(puzzle, i)->amount, i < 3 ? i + 1 : 1);
    }
    puzzle_release(puzzle);
}
END_TEST

START_TEST(aliases_name_moves)
{
    struct puzzle_builder *builder = ring_builder();
    struct puzzle *puzzle = NULL;
    struct base_diag diag;
    unsigned move;

    ck_assert_int_eq(puzzle_builder_add_face(builder, "T", ring_turn, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_alias(builder, "tt", "T2'", NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_alias(builder, "T2", "T", &diag), BASE_ERR_CONFLICT);
    ck_assert_int_eq(puzzle_builder_add_alias(builder, "tt", "T", &diag), BASE_ERR_CONFLICT);
    ck_assert_int_eq(puzzle_builder_add_alias(builder, "u", "U", &diag), BASE_ERR_UNKNOWN_MOVE);
    ck_assert_int_eq(puzzle_builder_add_alias(builder, "", "T", &diag), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    ck_assert_uint_eq(puzzle_alias_count(puzzle), 1);
    ck_assert_str_eq(puzzle_alias_at(puzzle, 0, &move), "tt");
    ck_assert_str_eq(puzzle_move_at(puzzle, move)->name, "T2'");
    ck_assert_int_eq(puzzle_find_move(puzzle, "tt", 2), (int)move);
    puzzle_release(puzzle);
}
END_TEST

START_TEST(too_many_aliases_are_refused)
{
    struct puzzle_builder *builder = ring_builder();
    struct base_diag diag;
    char alias[16];

    ck_assert_int_eq(puzzle_builder_add_face(builder, "T", ring_turn, NULL), 0);
    for (unsigned i = 0; i < PUZZLE_MAX_ALIASES; i++) {
        snprintf(alias, sizeof alias, "a%u", i);
        ck_assert_int_eq(puzzle_builder_add_alias(builder, alias, "T", NULL), 0);
    }
    ck_assert_int_eq(puzzle_builder_add_alias(builder, "more", "T", &diag), BASE_ERR_TOO_LARGE);
    puzzle_builder_free(builder);
}
END_TEST

START_TEST(bad_orbits_are_refused)
{
    struct puzzle_builder *builder = ring_builder();
    struct base_diag diag;

    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "RING", 1, 1, &diag), BASE_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(diag.text, "RING"));
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "a b", 1, 1, NULL), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "", 1, 1, NULL), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "zero", 0, 1, NULL), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "many", 256, 1, NULL), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "turns", 3, 128, NULL), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "wide", 255, 2, NULL), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "rin", 4, 2, NULL), 0);
    puzzle_builder_free(builder);
}
END_TEST

START_TEST(bad_moves_are_refused)
{
    struct puzzle_builder *builder = ring_builder();
    struct base_diag diag;
    uint8_t bad[14];

    memcpy(bad, ring_turn, sizeof bad);
    bad[2] = 1;
    ck_assert_int_eq(puzzle_builder_add_move(builder, "X", bad, 1, &diag), BASE_ERR_CONFLICT);
    ck_assert_uint_eq(diag.position, 2);
    bad[2] = 5;
    ck_assert_int_eq(puzzle_builder_add_move(builder, "X", bad, 1, &diag), BASE_ERR_RANGE);
    ck_assert_uint_eq(diag.position, 2);
    memcpy(bad, ring_turn, sizeof bad);
    bad[12] = 6;
    ck_assert_int_eq(puzzle_builder_add_move(builder, "X", bad, 1, &diag), BASE_ERR_RANGE);
    ck_assert_uint_eq(diag.position, 12);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "X", ring_still, 1, &diag),
                     BASE_ERR_CONFLICT);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "X", ring_turn, 0, &diag), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "X", ring_turn, 256, &diag), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "", ring_turn, 1, &diag), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "a\nb", ring_turn, 1, &diag), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "[r: U]", ring_turn, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "X", ring_turn, 1, &diag), BASE_ERR_CONFLICT);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "[r: U]", ring_swap, 1, &diag),
                     BASE_ERR_CONFLICT);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "late", 1, 1, &diag), BASE_ERR_CONFLICT);
    puzzle_builder_free(builder);
}
END_TEST

START_TEST(incomplete_definitions_are_refused)
{
    struct puzzle *puzzle = NULL;
    struct puzzle_builder *builder = puzzle_builder_new("empty");

    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), BASE_ERR_RANGE);
    ck_assert_int_eq(puzzle_builder_finish(ring_builder(), &puzzle, NULL), BASE_ERR_RANGE);
    builder = puzzle_builder_new("not a name");
    puzzle_builder_add_orbit(builder, "ring", 5, 1, NULL);
    puzzle_builder_add_move(builder, "T", ring_turn, 1, NULL);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), BASE_ERR_RANGE);
    ck_assert_ptr_null(puzzle);
}
END_TEST

START_TEST(an_inverse_without_a_name_is_a_conflict)
{
    struct puzzle_builder *builder = ring_builder();
    struct puzzle *puzzle = NULL;
    struct base_diag diag;

    puzzle_builder_add_move(builder, "A", ring_turn, 1, NULL);
    puzzle_builder_add_move(builder, "A'", ring_swap, 1, NULL);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, &diag), BASE_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(diag.text, "A'"));
}
END_TEST

START_TEST(too_many_moves_are_refused)
{
    struct puzzle_builder *builder = puzzle_builder_new("wheel");
    struct base_diag diag;
    uint8_t turn[2 * 130] = {0};

    for (unsigned i = 0; i < 130; i++)
        turn[i] = (uint8_t)((i + 1) % 130);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "wheel", 130, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_face(builder, "W", turn, &diag), BASE_ERR_TOO_LARGE);
    puzzle_builder_free(builder);
}
END_TEST

/* ---- derived, digests ----------------------------------------------------------------- */

static struct puzzle_choice choose(const char *name, unsigned weight)
{
    int at = puzzle_find_move(cube, name, strlen(name));

    ck_assert_int_ge(at, 0);
    return (struct puzzle_choice){name, puzzle_move_at(cube, (unsigned)at)->transform, weight};
}

static void expect_moves(const struct puzzle *puzzle, const char *names)
{
    uint8_t word[PUZZLE_MAX_MOVES];
    char text[400];

    for (unsigned i = 0; i < puzzle_move_count(puzzle); i++)
        word[i] = (uint8_t)i;
    puzzle_word_print(puzzle, word, puzzle_move_count(puzzle), text, sizeof text);
    ck_assert_str_eq(text, names);
}

START_TEST(derived_moves_are_closed_and_in_the_order_of_the_puzzle)
{
    uint8_t sexy[PERM_MAX_BYTES];
    struct puzzle *derived = NULL;

    support_word_state(cube, "R U R' U'", sexy);
    const struct puzzle_choice choices[] = {
        {"[R, U]", sexy, 1}, choose("F2", 1), choose("R'", 1), choose("U2", 2), choose("R'", 1),
    };
    ck_assert_int_eq(puzzle_derive(cube, choices, 5, &derived, NULL), 0);
    expect_moves(derived, "U2 R R' F2 [R, U] [R, U]'");
    ck_assert_uint_eq(puzzle_move_at(derived, 0)->weight, 2);
    ck_assert_uint_eq(puzzle_move_at(derived, 0)->amount, 1);
    ck_assert_uint_eq(puzzle_move_at(derived, 2)->amount, 3);
    ck_assert_uint_eq(puzzle_move_at(derived, 5)->amount, 5);
    ck_assert_uint_eq(puzzle_family_count(derived), 4);
    ck_assert(!puzzle_equal(cube, derived));
    puzzle_release(derived);
}
END_TEST

/* An algorithm of a large order keeps its inverse in its family. */
START_TEST(derived_algorithms_may_have_a_large_order)
{
    uint8_t state[PERM_MAX_BYTES];
    struct puzzle *derived = NULL;

    support_word_state(cube, "R U2 D' B D'", state);
    const struct puzzle_choice choice = {"[A]", state, 1};
    ck_assert_int_eq(puzzle_derive(cube, &choice, 1, &derived, NULL), 0);
    ck_assert_uint_eq(puzzle_family_count(derived), 1);
    ck_assert_uint_eq(puzzle_move_at(derived, 1)->amount, 1259);
    puzzle_release(derived);
}
END_TEST

START_TEST(equal_choices_keep_the_lightest)
{
    uint8_t state[PERM_MAX_BYTES];
    struct puzzle *derived = NULL;

    support_word_state(cube, "R R", state);
    const struct puzzle_choice choices[] = {choose("R2", 2), {"[R R]", state, 1}};
    ck_assert_int_eq(puzzle_derive(cube, choices, 2, &derived, NULL), 0);
    expect_moves(derived, "[R R]");
    ck_assert_uint_eq(puzzle_move_at(derived, 0)->weight, 1);
    puzzle_release(derived);
}
END_TEST

START_TEST(bad_choices_are_refused)
{
    uint8_t state[PERM_MAX_BYTES];
    struct puzzle *derived = NULL;
    struct base_diag diag;

    perm_identity(puzzle_shape(cube), state);
    const struct puzzle_choice still = {"[R R']", state, 1};
    ck_assert_int_eq(puzzle_derive(cube, &still, 1, &derived, &diag), BASE_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(diag.text, "[R R']"));
    ck_assert_int_eq(puzzle_derive(cube, NULL, 0, &derived, &diag), BASE_ERR_RANGE);
    ck_assert_ptr_null(derived);
}
END_TEST

START_TEST(digest_depends_on_orbits_moves_and_weights_only)
{
    struct puzzle *again = support_builtin("3x3x3");
    struct puzzle *named = NULL;
    struct puzzle *weighed = NULL;
    struct puzzle_choice choices[18];
    char names[18][2] = {{0}};

    ck_assert(puzzle_equal(cube, again));
    ck_assert_uint_eq(puzzle_digest(cube), puzzle_digest(again));
    ck_assert_uint_ne(puzzle_digest(cube), puzzle_digest(pocket));
    for (unsigned i = 0; i < 18; i++) {
        names[i][0] = (char)('a' + i);
        choices[i] = (struct puzzle_choice){names[i], puzzle_move_at(cube, i)->transform, 1};
    }
    ck_assert_int_eq(puzzle_derive(cube, choices, 18, &named, NULL), 0);
    ck_assert(puzzle_equal(cube, named));
    choices[1].weight = 2;
    ck_assert_int_eq(puzzle_derive(cube, choices, 18, &weighed, NULL), 0);
    ck_assert(!puzzle_equal(cube, weighed));
    puzzle_release(again);
    puzzle_release(named);
    puzzle_release(weighed);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        faces_name_their_powers,
        missing_inverses_are_added_with_the_weight,
        a_slot_that_only_turns_is_movable,
        a_move_and_its_inverse_may_weigh_differently,
        families_begin_with_a_generator,
        aliases_name_moves,
        too_many_aliases_are_refused,
        bad_orbits_are_refused,
        bad_moves_are_refused,
        incomplete_definitions_are_refused,
        an_inverse_without_a_name_is_a_conflict,
        too_many_moves_are_refused,
        derived_moves_are_closed_and_in_the_order_of_the_puzzle,
        derived_algorithms_may_have_a_large_order,
        equal_choices_keep_the_lightest,
        bad_choices_are_refused,
        digest_depends_on_orbits_moves_and_weights_only,
    };

    return support_suite_run("puzzle_builder", tests, sizeof tests / sizeof tests[0], setup,
                             teardown, 10);
}
