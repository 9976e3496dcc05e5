/*
 * test_puzzle_builtin.c - the built-in definitions against what is known of the puzzles: names,
 * numbers of positions by depth, and the orders of their groups.
 */
#include <check.h>
#include <jansson.h>

#include "core/cycle/cycle.h"
#include "core/puzzle/puzzle_builtin.h"
#include "core/sym/sym.h"
#include "tests/support/support_ball.h"
#include "tests/support/support_cases.h"
#include "tests/support/support_depths.h"
#include "tests/support/support_order.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

/* ---- all positions by depth --------------------------------------------------------------- */

static void check_depths(const char *name, const char *member)
{
    json_t *root = support_cases_open("tests/data/positions_by_depth.json");
    const json_t *known = json_object_get(json_object_get(root, member), "positions");
    struct puzzle *puzzle = support_builtin(name);
    uint64_t count[SUPPORT_MAX_DEPTH];

    ck_assert_uint_gt(json_array_size(known), 5);
    ck_assert_uint_eq(support_depths(puzzle, count), json_array_size(known));
    for (size_t d = 0; d < json_array_size(known); d++)
        ck_assert_int_eq((json_int_t)count[d], json_integer_value(json_array_get(known, d)));
    puzzle_release(puzzle);
    json_decref(root);
}

START_TEST(pocket_cube_depths)
{
    check_depths("2x2x2", "cube2_htm");
}
END_TEST

START_TEST(pyraminx_depths)
{
    check_depths("pyraminx", "pyraminx_no_tips");
}
END_TEST

START_TEST(skewb_depths)
{
    check_depths("skewb", "skewb");
}
END_TEST

/* The first positions of puzzles that have too many. */
static void check_shallow(const char *name, const char *member, unsigned radius)
{
    json_t *root = support_cases_open("tests/data/positions_by_depth.json");
    const json_t *known = json_object_get(json_object_get(root, member), "positions");
    struct puzzle *puzzle = support_builtin(name);
    struct support_ball ball;

    ck_assert_uint_gt(json_array_size(known), radius);
    support_ball_init(&ball, puzzle, NULL, radius);
    for (size_t d = 0; d <= radius; d++)
        ck_assert_int_eq((json_int_t)(ball.first[d + 1] - ball.first[d]),
                         json_integer_value(json_array_get(known, d)));
    support_ball_deinit(&ball);
    puzzle_release(puzzle);
    json_decref(root);
}

START_TEST(big_puzzles_shallow)
{
    check_shallow("megaminx", "megaminx", 3);
    check_shallow("4x4x4", "cube4_54moves_supercube", 3);
}
END_TEST

/* ---- directions --------------------------------------------------------------------------- */

/* Which of two turns of a face is the clockwise one shows in what it does after another face. */
START_TEST(megaminx_faces_turn_as_named)
{
    struct puzzle *puzzle = support_builtin("megaminx");
    json_t *root = support_cases_open("tests/data/cycle_cases_megaminx.json"), *object;
    size_t i;

    json_array_foreach(json_object_get(root, "move_power_checks"), i, object)
    {
        support_cases_word(puzzle, object);
    }
    ck_assert_uint_eq(i, 4);
    json_decref(root);
    puzzle_release(puzzle);
}
END_TEST

/* Layers of a big cube do to the corners what faces of the 3x3x3 do, and compose. */
START_TEST(layers_of_cubes_agree)
{
    struct puzzle *cube = support_builtin("3x3x3"), *big = support_builtin("5x5x5");
    uint8_t a[PERM_MAX_BYTES], b[PERM_MAX_BYTES];

    support_word_state(cube, "R U2 F' L D B2", a);
    support_word_state(big, "R U2 F' L D B2", b);
    ck_assert_mem_eq(a, b, puzzle_shape(cube)->bytes);
    support_word_state(big, "R 2R U 2U b' Lw Lw", a);
    support_word_state(big, "r Uw 2B' B' L2 2L2", b);
    ck_assert(perm_equal(puzzle_shape(big), a, b));
    puzzle_release(cube);
    puzzle_release(big);
}
END_TEST

/* ---- groups ------------------------------------------------------------------------------ */

/* The 4x4x4: 8! 3^7 24! 24! / 2. The 5x5x5: 8! 3^7 12! 2^11 (24!)^3 / 8. The megaminx: 20! 3^19 30!
 * 2^29 / 4. A symmetry of the 2x2x2 keeps the corner that stays, one of the pyraminx and the skewb
 * the tetrahedron of axes. */
static const struct {
    const char *name, *order;
    unsigned n_moves, n_symmetries;
} known[] = {
    {"2x2x2", "3674160", 9, 6},
    {"3x3x3", "43252003274489856000", 18, 48},
    {"4x4x4", "16972688908618238933770849245964147960401887232000000000", 54, 48},
    {"5x5x5",
     "2582636272886959379162819698174683585918088940054237132144778804568925405184000000000000000",
     54, 48},
    {"pyraminx", "933120", 8, 24},
    {"skewb", "3149280", 8, 24},
    {"megaminx", "100669616553523347122516032313645505168688116411019768627200000000000", 48, 120},
};

enum { N_KNOWN = sizeof known / sizeof *known };

/* That the invariants allow just as many positions as there are says that no rule of feasibility is
 * missing. */
START_TEST(orders)
{
    ck_assert_uint_eq(puzzle_builtin_count(), N_KNOWN);
    for (size_t i = 0; i < N_KNOWN; i++) {
        struct puzzle *puzzle = support_builtin(known[i].name);
        char order[SUPPORT_ORDER_BYTES];
        struct cycle_count positions;
        support_order(puzzle, order);
        cycle_count_positions(puzzle, &positions);
        ck_assert_str_eq(order, known[i].order);
        ck_assert_str_eq(positions.decimal, known[i].order);
        puzzle_release(puzzle);
    }
}
END_TEST

START_TEST(symmetries)
{
    for (size_t i = 0; i < N_KNOWN; i++) {
        struct puzzle *puzzle = support_builtin(known[i].name);
        struct sym_group *group;
        ck_assert_int_eq(sym_group_new(puzzle, &group), 0);
        ck_assert_uint_eq(puzzle_move_count(puzzle), known[i].n_moves);
        ck_assert_uint_eq(group->count, known[i].n_symmetries);
        sym_group_free(group);
        puzzle_release(puzzle);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        pocket_cube_depths,           pyraminx_depths,       skewb_depths, big_puzzles_shallow,
        megaminx_faces_turn_as_named, layers_of_cubes_agree, orders,       symmetries,
    };

    return support_suite_run("puzzle_builtin", tests, sizeof tests / sizeof tests[0], NULL, NULL,
                             20);
}
