/*
 * test_puzzle.c - the built-in definitions, and reading a definition.
 */
#include <check.h>
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/puzzle/puzzle_builtin.h"
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

static uint64_t order_of(const struct puzzle *puzzle, const char *word)
{
    uint8_t state[PERM_MAX_BYTES];

    support_word_state(puzzle, word, state);
    return perm_order(puzzle_shape(puzzle), state);
}

/* ---- built in ------------------------------------------------------------------------- */

START_TEST(cube_has_the_promised_moves)
{
    static const char *const names = "U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'";
    uint8_t word[SUPPORT_MAX_WORD];
    char text[100];

    ck_assert_uint_eq(puzzle_move_count(cube), 18);
    ck_assert_uint_eq(puzzle_family_count(cube), 6);
    for (unsigned i = 0; i < 18; i++) {
        const struct puzzle_move *move = puzzle_move_at(cube, i);
        word[i] = (uint8_t)i;
        ck_assert_uint_eq(move->family, i / 3);
        ck_assert_uint_eq(move->amount, i % 3 + 1);
        ck_assert_uint_eq(move->inverse, i / 3 * 3 + 2 - i % 3);
        ck_assert_uint_eq(move->weight, 1);
    }
    ck_assert_int_eq(puzzle_word_print(cube, word, 18, text, sizeof text), (int)strlen(names));
    ck_assert_str_eq(text, names);
}
END_TEST

START_TEST(cube_has_the_promised_orbits)
{
    const struct perm_shape *shape = puzzle_shape(cube);

    ck_assert_str_eq(puzzle_name(cube), "3x3x3");
    ck_assert_uint_eq(shape->n_orbits, 2);
    ck_assert_uint_eq(shape->bytes, 40);
    ck_assert_str_eq(puzzle_orbit_name(cube, 0), "corners");
    ck_assert_str_eq(puzzle_orbit_name(cube, 1), "edges");
    for (unsigned k = 0; k < 2; k++) {
        ck_assert_uint_eq(puzzle_movable_count(cube, k), shape->orbit[k].size);
        ck_assert(puzzle_orientation_sum_kept(cube, k));
    }
}
END_TEST

START_TEST(words_have_their_known_orders)
{
    static const struct {
        const char *word;
        uint64_t order;
    } known[] = {
        {"U", 4},     {"U2", 2},       {"R U", 105},           {"R U R' U'", 6},
        {"R U'", 63}, {"R U2", 30},    {"R U2 D' B D'", 1260}, {"U R B", 80},
        {"R2 U2", 6}, {"R U R' U", 5}, {"R2 L2 U2 D2", 2},     {"F B", 4},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        ck_assert_msg(order_of(cube, known[i].word) == known[i].order, "%s", known[i].word);
    ck_assert_uint_eq(order_of(pocket, "R U"), 15);
    ck_assert_uint_eq(order_of(pocket, "R U R' U'"), 6);
}
END_TEST

/* Each row: a face, and the pieces and turns that Kociemba's tables give ("is replaced by"). */
START_TEST(faces_equal_the_replaced_by_tables)
{
    static const struct {
        const char *name;
        uint8_t piece[8];
        uint8_t turn[8];
    } corners[] = {
        {"U", {3, 0, 1, 2, 4, 5, 6, 7}, {0, 0, 0, 0, 0, 0, 0, 0}},
        {"R", {4, 1, 2, 0, 7, 5, 6, 3}, {2, 0, 0, 1, 1, 0, 0, 2}},
        {"F", {1, 5, 2, 3, 0, 4, 6, 7}, {1, 2, 0, 0, 2, 1, 0, 0}},
        {"D", {0, 1, 2, 3, 5, 6, 7, 4}, {0, 0, 0, 0, 0, 0, 0, 0}},
        {"L", {0, 2, 6, 3, 4, 1, 5, 7}, {0, 1, 2, 0, 0, 2, 1, 0}},
        {"B", {0, 1, 3, 7, 4, 5, 2, 6}, {0, 0, 1, 2, 0, 0, 2, 1}},
    };
    const struct perm_orbit *orbit = &puzzle_shape(cube)->orbit[0];

    for (size_t i = 0; i < 6; i++) {
        uint8_t state[PERM_MAX_BYTES];
        support_word_state(cube, corners[i].name, state);
        ck_assert_mem_eq(perm_pieces(orbit, state), corners[i].piece, 8);
        ck_assert_mem_eq(perm_orientations(orbit, state), corners[i].turn, 8);
    }
}
END_TEST

/* ---- facelets, as an independent witness ------------------------------------------------ */

/* Facelet numbers: face URFDLB * 9 + row-major place, as the cube is unfolded. Corner facelets in
 * clockwise order from the U or D sticker. */
static const uint8_t corner_facelet[8][3] = {{8, 9, 20},   {6, 18, 38},  {0, 36, 47},
                                             {2, 45, 11},  {29, 26, 15}, {27, 44, 24},
                                             {33, 53, 42}, {35, 17, 51}};
static const uint8_t edge_facelet[12][2] = {{5, 10},  {7, 19},  {3, 37},  {1, 46},
                                            {32, 16}, {28, 25}, {30, 43}, {34, 52},
                                            {23, 12}, {21, 41}, {48, 14}, {50, 39}};

static void print_facelets(const uint8_t *state, char out[55])
{
    static const char colours[] = "URFDLB";
    const struct perm_orbit *corners = &puzzle_shape(cube)->orbit[0];
    const struct perm_orbit *edges = &puzzle_shape(cube)->orbit[1];

    for (unsigned i = 0; i < 54; i++)
        out[i] = colours[i / 9];
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned j = 0; j < 3; j++)
            out[corner_facelet[i][(j + perm_orientations(corners, state)[i]) % 3]] =
                colours[corner_facelet[perm_pieces(corners, state)[i]][j] / 9];
    }
    for (unsigned i = 0; i < 12; i++) {
        for (unsigned j = 0; j < 2; j++)
            out[edge_facelet[i][(j + perm_orientations(edges, state)[i]) % 2]] =
                colours[edge_facelet[perm_pieces(edges, state)[i]][j] / 9];
    }
    out[54] = '\0';
}

START_TEST(scrambles_give_the_facelets_that_others_found)
{
    static const struct {
        const char *word;
        const char *facelets;
    } known[] = {
        {"L R' B2 F R' B F2 U' B' R' B D' L D2 B2 U L B' L2 B' R2 L2 D2 L2 U B2 R' B F R2 U F'",
         "FLUUUFDFDLRRBRBBULBDFDFLRDLBBUBDLFUFRFLFLRRUDBDDRBLURU"},
        {"L' D2 F2 D R2 L' B L B2 U2 L' D' L' R D' L'",
         "UDFDUBFLULRUDRURBLDFBUFLDLURUFFDLRUBBRLFLRFRBLBRBBDDFD"},
        {"U'", "UUUUUUUUUFFFRRRRRRLLLFFFFFFDDDDDDDDDBBBLLLLLLRRRBBBBBB"},
    };
    uint8_t state[PERM_MAX_BYTES];
    char facelets[55];

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        support_word_state(cube, known[i].word, state);
        print_facelets(state, facelets);
        ck_assert_str_eq(facelets, known[i].facelets);
    }
}
END_TEST

START_TEST(positions_of_the_data_file_agree)
{
    json_t *root = json_load_file("tests/data/optimal_positions_3x3.json", 0, NULL);
    uint8_t state[PERM_MAX_BYTES];
    char facelets[55];
    size_t i;
    json_t *position;

    ck_assert_msg(root != NULL, "run from the root of the repository");
    ck_assert_uint_eq(json_array_size(json_object_get(root, "positions")), 308);
    json_array_foreach(json_object_get(root, "positions"), i, position)
    {
        support_word_state(cube, json_string_value(json_object_get(position, "scramble")), state);
        print_facelets(state, facelets);
        ck_assert_str_eq(facelets, json_string_value(json_object_get(position, "facelets_uRFDLB")));
    }
    json_decref(root);
}
END_TEST

START_TEST(superflip_flips_all_edges_and_nothing_else)
{
    uint8_t state[PERM_MAX_BYTES];
    uint8_t expected[PERM_MAX_BYTES];

    perm_identity(puzzle_shape(cube), expected);
    memset(expected + puzzle_shape(cube)->orbit[1].offset + 12, 1, 12);
    support_word_state(cube, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", state);
    ck_assert(perm_equal(puzzle_shape(cube), state, expected));
}
END_TEST

START_TEST(pocket_cube_is_the_corners_of_the_cube)
{
    uint8_t state[PERM_MAX_BYTES];
    uint8_t small[PERM_MAX_BYTES];

    ck_assert_uint_eq(puzzle_move_count(pocket), 9);
    ck_assert_uint_eq(puzzle_shape(pocket)->n_orbits, 1);
    ck_assert_uint_eq(puzzle_movable_count(pocket, 0), 7);
    ck_assert(!puzzle_slot_movable(pocket, 0, 6));
    support_word_state(cube, "R U2 F' R' F2 U", state);
    support_word_state(pocket, "R U2 F' R' F2 U", small);
    ck_assert_mem_eq(state, small, puzzle_shape(pocket)->bytes);
}
END_TEST

START_TEST(builtins_are_listed_and_others_refused)
{
    struct puzzle *puzzle = NULL;

    ck_assert_uint_eq(puzzle_builtin_count(), 7);
    for (size_t i = 0; i < puzzle_builtin_count(); i++) {
        ck_assert_int_eq(puzzle_builtin_new(puzzle_builtin_name(i), &puzzle), 0);
        ck_assert_str_eq(puzzle_name(puzzle), puzzle_builtin_name(i));
        puzzle_release(puzzle);
    }
    ck_assert_int_eq(puzzle_builtin_new("3x3", &puzzle), BASE_ERR_UNKNOWN_PUZZLE);
    ck_assert_int_eq(puzzle_builtin_new("", &puzzle), BASE_ERR_UNKNOWN_PUZZLE);
}
END_TEST

/* ---- looking up ----------------------------------------------------------------------- */

static int find_orbit(const struct puzzle *puzzle, const char *name)
{
    return puzzle_find_orbit(puzzle, name, strlen(name));
}

START_TEST(orbits_are_found_by_prefix_in_any_case)
{
    ck_assert_int_eq(find_orbit(cube, "c"), 0);
    ck_assert_int_eq(find_orbit(cube, "COR"), 0);
    ck_assert_int_eq(find_orbit(cube, "Edges"), 1);
    ck_assert_int_eq(find_orbit(cube, "edgess"), BASE_ERR_UNKNOWN_ORBIT);
    ck_assert_int_eq(find_orbit(cube, "x"), BASE_ERR_UNKNOWN_ORBIT);
    ck_assert_int_eq(find_orbit(cube, ""), BASE_ERR_UNKNOWN_ORBIT);
    ck_assert_int_eq(puzzle_find_orbit(cube, "corners\0", 8), BASE_ERR_UNKNOWN_ORBIT);
    ck_assert_int_eq(puzzle_find_orbit(cube, "c\0", 2), BASE_ERR_UNKNOWN_ORBIT);
}
END_TEST

START_TEST(moves_are_found_by_exact_name)
{
    ck_assert_int_eq(puzzle_find_move(cube, "R2", 2), 4);
    ck_assert_int_eq(puzzle_find_move(cube, "R2", 1), 3);
    ck_assert_int_eq(puzzle_find_move(cube, "r", 1), BASE_ERR_UNKNOWN_MOVE);
    ck_assert_int_eq(puzzle_find_move(cube, "", 0), BASE_ERR_UNKNOWN_MOVE);
    for (unsigned i = 0; i < 18; i++)
        ck_assert_int_eq(puzzle_find_transform(cube, puzzle_move_at(cube, i)->transform), (int)i);
}
END_TEST

START_TEST(words_print_like_snprintf)
{
    const uint8_t word[] = {3, 1, 5};
    char text[10] = "xxxxxxxxx";

    ck_assert_int_eq(puzzle_word_print(cube, word, 3, NULL, 0), 7);
    ck_assert_int_eq(puzzle_word_print(cube, word, 3, text, 4), 7);
    ck_assert_str_eq(text, "R U");
    ck_assert_int_eq(puzzle_word_print(cube, word, 3, text, sizeof text), 7);
    ck_assert_str_eq(text, "R U2 R'");
    ck_assert_int_eq(puzzle_word_print(cube, word, 0, text, sizeof text), 0);
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(words_apply_from_any_start)
{
    uint8_t word[SUPPORT_MAX_WORD];
    uint8_t half[PERM_MAX_BYTES];
    uint8_t whole[PERM_MAX_BYTES];
    unsigned n = support_word_parse(cube, "F' L2 B", word);

    support_word_state(cube, "R U", half);
    support_word_state(cube, "R U F' L2 B", whole);
    puzzle_apply_word(cube, half, word, n, half);
    ck_assert(perm_equal(puzzle_shape(cube), half, whole));
}
END_TEST

START_TEST(references_keep_a_definition_alive)
{
    struct puzzle *puzzle = support_builtin("2x2x2");

    ck_assert_ptr_eq(puzzle_acquire(puzzle), puzzle);
    puzzle_release(puzzle);
    ck_assert_str_eq(puzzle_name(puzzle), "2x2x2");
    puzzle_release(puzzle);
    puzzle_release(NULL);
}
END_TEST

static void *borrow_often(void *arg)
{
    struct puzzle *shared = arg;

    for (unsigned i = 0; i < 10000; i++)
        puzzle_release(puzzle_acquire(shared));
    puzzle_release(shared);
    return NULL;
}

/* The last reference is dropped by whichever thread ends last; a sanitizer sees a count that is
 * not atomic. */
START_TEST(references_are_counted_across_threads)
{
    struct puzzle *shared = support_builtin("2x2x2");
    pthread_t thread[4];

    for (unsigned i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, borrow_often, puzzle_acquire(shared)), 0);
    puzzle_release(shared);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        cube_has_the_promised_moves,
        cube_has_the_promised_orbits,
        words_have_their_known_orders,
        faces_equal_the_replaced_by_tables,
        scrambles_give_the_facelets_that_others_found,
        positions_of_the_data_file_agree,
        superflip_flips_all_edges_and_nothing_else,
        pocket_cube_is_the_corners_of_the_cube,
        builtins_are_listed_and_others_refused,
        orbits_are_found_by_prefix_in_any_case,
        moves_are_found_by_exact_name,
        words_print_like_snprintf,
        words_apply_from_any_start,
        references_keep_a_definition_alive,
        references_are_counted_across_threads,
    };

    return support_suite_run("puzzle", tests, sizeof tests / sizeof tests[0], setup, teardown, 10);
}
