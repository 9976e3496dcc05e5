/*
 * test_table_structure_bounds.c - tables of cycle structures as bounds: never above the moves that
 * are left, and how near they come to the known lengths of the 3x3x3.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/table/table_fill.h"
#include "core/table/table_structure.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { MAX_ORBITS = 3, WORD = 9 };

/* Tables of all orbits of a puzzle for one target. */
struct tables {
    const struct puzzle *puzzle;
    unsigned n;
    struct table_structure *structure[MAX_ORBITS];
    uint8_t *entries[MAX_ORBITS];
};

static void tables_init(struct tables *tables, const struct puzzle *puzzle)
{
    *tables = (struct tables){.puzzle = puzzle, .n = puzzle_shape(puzzle)->n_orbits};
    ck_assert_uint_le(tables->n, MAX_ORBITS);
    for (unsigned k = 0; k < tables->n; k++) {
        ck_assert_int_eq(table_structure_new(puzzle, k, &tables->structure[k]), 0);
        tables->entries[k] = malloc(table_structure_count(tables->structure[k]));
        ck_assert_ptr_nonnull(tables->entries[k]);
    }
}

static void tables_deinit(struct tables *tables)
{
    for (unsigned k = 0; k < tables->n; k++) {
        table_structure_free(tables->structure[k]);
        free(tables->entries[k]);
    }
}

static void tables_fill(struct tables *tables, const struct cycle_structure *targets, size_t n)
{
    uint64_t histogram[TABLE_FILL_MAX_LAYERS];
    for (unsigned k = 0; k < tables->n; k++)
        ck_assert_int_eq(
            table_structure_fill(tables->structure[k], targets, n, tables->entries[k], histogram),
            0);
}

/* The largest bound; UINT8_MAX where the target cannot be reached. */
static unsigned tables_bound(const struct tables *tables, const uint8_t *state)
{
    unsigned bound = 0;
    for (unsigned k = 0; k < tables->n; k++) {
        uint8_t entry = tables->entries[k][table_structure_index(tables->structure[k], state)];
        unsigned mine = (uint8_t)(entry - 1);
        bound = mine > bound ? mine : bound;
    }
    return bound;
}

/* ---- along words -------------------------------------------------------------------------- */

/* For the structure of a word from `start`, every state on the way. */
static void check_word(struct tables *tables, const uint8_t *start, const uint8_t *word,
                       unsigned length)
{
    uint8_t state[PERM_MAX_BYTES];
    struct cycle_structure target;

    puzzle_apply_word(tables->puzzle, start, word, length, state);
    cycle_of_state(tables->puzzle, state, &target);
    tables_fill(tables, &target, 1);
    SUPPORT_EXPECT(tables_bound(tables, state) == 0);
    for (unsigned done = 0; done <= length; done++) {
        puzzle_apply_word(tables->puzzle, start, word, done, state);
        unsigned bound = tables_bound(tables, state);
        if (bound > length - done)
            ck_abort_msg("%u moves left, but the bound is %u", length - done, bound);
    }
}

/* A step changes the distance by one at most, also where it is infinite; and the structure of the
 * inverse is the same. */
static void check_steps(const struct tables *tables, const uint8_t *state)
{
    const struct perm_shape *shape = puzzle_shape(tables->puzzle);
    uint8_t inverse[PERM_MAX_BYTES], next[PERM_MAX_BYTES];
    unsigned bound = tables_bound(tables, state);

    perm_invert(shape, state, inverse);
    SUPPORT_EXPECT(tables_bound(tables, inverse) == bound);
    for (unsigned m = 0; m < puzzle_move_count(tables->puzzle); m++) {
        perm_compose(shape, state, puzzle_move_at(tables->puzzle, m)->transform, next);
        unsigned other = tables_bound(tables, next);
        SUPPORT_EXPECT(other + 1 >= bound && bound + 1 >= other);
    }
}

static void check_puzzle(const struct puzzle *puzzle, unsigned rounds)
{
    struct support_random random = {rounds + puzzle_move_count(puzzle)};
    struct tables tables;

    tables_init(&tables, puzzle);
    for (unsigned round = 0; round < rounds; round++) {
        uint8_t word[WORD], start[PERM_MAX_BYTES];
        unsigned length = support_random_below(&random, WORD + 1);
        support_random_word(&random, puzzle, word, length);
        support_random_state(&random, puzzle, start);
        check_word(&tables, round % 2 ? start : NULL, word, length);
        for (unsigned i = 0; i < 10; i++) {
            support_random_state(&random, puzzle, start);
            check_steps(&tables, start);
        }
    }
    tables_deinit(&tables);
}

START_TEST(bounds_of_the_cube_hold_along_words)
{
    struct puzzle *cube = support_builtin("3x3x3");
    check_puzzle(cube, 300);
    puzzle_release(cube);
}
END_TEST

START_TEST(bounds_of_the_pocket_cube_hold_along_words)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    check_puzzle(pocket, 300);
    puzzle_release(pocket);
}
END_TEST

START_TEST(bounds_of_restricted_moves_hold_along_words)
{
    static const char *const moves[] = {"U R", "U2 R", "U2 R2 F2 D2", "U R' F2 L B2", "U D R2"};
    struct puzzle *cube = support_builtin("3x3x3");
    for (unsigned i = 0; i < BASE_COUNT(moves); i++) {
        struct puzzle *part = support_puzzle_only(cube, moves[i]);
        check_puzzle(part, 60);
        puzzle_release(part);
    }
    puzzle_release(cube);
}
END_TEST

/* Two layers of 24 pieces of the kind that big cubes have, beside an orbit that the lattice
 * handles. */
START_TEST(bounds_of_large_orbits_hold_along_words)
{
    struct puzzle *puzzle = support_puzzle(
        "w 24, e 20*3",
        "R w(0 1 2 3) w(4 5 6 7) e(0 1 2+1 3+1 4+1); S w(7 8 9 10) e(4 5 6 7 8);"
        "T w(10 11 12 13) w(14 15 16 17) w(0 18 19 20) e(8 9 10+2 11 12+1);"
        "U w(20 21 22 23) w(2 5 9 12) e(12 13 14 15 16); V w(1 23 16 3) e(16 17 18 19 0)");
    check_puzzle(puzzle, 20);
    puzzle_release(puzzle);
}
END_TEST

/* ---- known lengths ------------------------------------------------------------------------ */

/* What the bound of the solved state says of each row of the file. The graph is the same in both
 * directions, so the table of the identity has all the answers; every 50th row is asked for in its
 * own table too. */
START_TEST(known_lengths_are_never_exceeded)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct cycle_structure identity = {0};
    struct support_structure row;
    struct tables solved, own;
    uint8_t state[PERM_MAX_BYTES];
    unsigned n_rows = 0, n_equal = 0;
    FILE *file = support_structures_open();

    perm_identity(puzzle_shape(cube), state);
    tables_init(&solved, cube);
    tables_init(&own, cube);
    tables_fill(&solved, &identity, 1);
    for (; support_structures_next(file, cube, &row); n_rows++) {
        unsigned bound = 0;
        for (unsigned k = 0; k < solved.n; k++) {
            uint32_t number;
            ck_assert_int_eq(table_structure_find(solved.structure[k], &row.structure, &number), 0);
            unsigned mine = (uint8_t)(solved.entries[k][number] - 1);
            bound = mine > bound ? mine : bound;
        }
        SUPPORT_EXPECT(bound <= row.min_htm);
        n_equal += bound == row.min_htm;
        if (n_rows % 50 == 0) {
            tables_fill(&own, &row.structure, 1);
            SUPPORT_EXPECT(tables_bound(&own, state) == bound);
        }
    }
    fclose(file);
    ck_assert_uint_eq(n_rows, 3209);
    ck_assert_uint_eq(n_equal, 78);
    tables_deinit(&solved);
    tables_deinit(&own);
    puzzle_release(cube);
}
END_TEST

/* ---- several targets ---------------------------------------------------------------------- */

/* The bound to any of several structures is the least of the bounds to each, orbit by orbit. */
START_TEST(several_targets_are_as_near_as_the_nearest)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct support_random random = {77};
    struct tables all, one;

    tables_init(&all, cube);
    tables_init(&one, cube);
    for (unsigned round = 0; round < 40; round++) {
        struct cycle_structure target[5];
        uint8_t least[MAX_ORBITS][1024];
        memset(least, UINT8_MAX, sizeof least);
        for (unsigned i = 0; i < BASE_COUNT(target); i++) {
            uint8_t state[PERM_MAX_BYTES];
            support_random_state(&random, cube, state);
            cycle_of_state(cube, state, &target[i]);
            tables_fill(&one, &target[i], 1);
            for (unsigned k = 0; k < one.n; k++) {
                for (uint32_t s = 0; s < table_structure_count(one.structure[k]); s++) {
                    uint8_t distance = (uint8_t)(one.entries[k][s] - 1);
                    least[k][s] = distance < least[k][s] ? distance : least[k][s];
                }
            }
        }
        tables_fill(&all, target, BASE_COUNT(target));
        for (unsigned k = 0; k < all.n; k++) {
            for (uint32_t s = 0; s < table_structure_count(all.structure[k]); s++)
                SUPPORT_EXPECT((uint8_t)(all.entries[k][s] - 1) == least[k][s]);
        }
    }
    tables_deinit(&all);
    tables_deinit(&one);
    puzzle_release(cube);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        bounds_of_the_cube_hold_along_words,
        bounds_of_the_pocket_cube_hold_along_words,
        bounds_of_restricted_moves_hold_along_words,
        bounds_of_large_orbits_hold_along_words,
        known_lengths_are_never_exceeded,
        several_targets_are_as_near_as_the_nearest,
    };
    return support_suite_run("table_structure_bounds", tests, BASE_COUNT(tests), NULL, NULL, 240);
}
