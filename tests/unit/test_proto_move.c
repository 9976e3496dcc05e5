/*
 * test_proto_move.c - the text of algorithms, and the facelets of what they do.
 */
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_facelets.h"
#include "proto/proto_move.h"
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

static char *written_out(const struct puzzle *puzzle, const char *text)
{
    struct proto_move_alg alg;
    struct base_diag diag;
    char *printed;

    ck_assert_msg(proto_move_parse(puzzle, text, strlen(text), &alg, &diag) == 0, "%s: %s", text,
                  diag.text);
    printed = proto_move_print(puzzle, alg.moves, alg.n_moves);
    proto_move_alg_deinit(&alg);
    return printed;
}

static void expect_moves(const char *text, const char *expected)
{
    char *printed = written_out(cube, text);

    ck_assert_msg(strcmp(printed, expected) == 0, "%s: %s", text, printed);
    free(printed);
}

static void expect_refused(const char *text, int code, size_t position)
{
    struct proto_move_alg alg;
    struct base_diag diag;
    int found = proto_move_parse(cube, text, strlen(text), &alg, &diag);

    ck_assert_msg(found == code, "%s: %s: %s", text, base_err_name(found), diag.text);
    ck_assert_msg(diag.position == position, "%s: at %zu: %s", text, diag.position, diag.text);
    ck_assert_int_gt(strlen(diag.text), 10);
}

/* ---- what is accepted ----------------------------------------------------------------- */

START_TEST(moves_and_amounts)
{
    expect_moves("", "");
    expect_moves("U R2 F' D B L", "U R2 F' D B L");
    expect_moves("R2' R3 R3' R1 R1'", "R2 R' R R R'");
    expect_moves("R\xE2\x80\x99 U2\xE2\x80\x99", "R' U2");
    expect_moves("RUR'U'", "R U R' U'");
    expect_moves("D3F3DDD", "D' F' D D D");
    expect_moves("  R\tU\r\n.F . B\v", "R U F B");
    expect_moves("R // no U' here ( [\nU//end", "R U");
}
END_TEST

START_TEST(groups_and_brackets)
{
    expect_moves("(R U)2", "R U R U");
    expect_moves("(R U2)'", "U2 R'");
    expect_moves("(R U F')2'", "F U' R' F U' R'");
    expect_moves("()5 ()", "");
    expect_moves("[R, U]", "R U R' U'");
    expect_moves("[R: U]", "R U R'");
    expect_moves("[R U:F2]", "R U F2 U' R'");
    expect_moves("[R, U]'", "U R U' R'");
    expect_moves("[R: U]3", "R U R' R U R' R U R'");
    expect_moves("[R, [U: D2]]", "R U D2 U' R' U D2 U'");
    expect_moves("[R:]", "R R'");
    expect_moves("((R)2(U)')2", "R R U' R R U'");
}
END_TEST

START_TEST(long_repetitions_up_to_the_cap)
{
    char *printed = written_out(cube, "((((R U)10)10)10)5");

    ck_assert_uint_eq(strlen(printed), 2 * PROTO_MOVE_MAX_WORD - 1);
    free(printed);
}
END_TEST

START_TEST(the_state_is_that_of_the_reference)
{
    struct proto_move_alg alg;
    struct base_diag diag;
    uint8_t state[PERM_MAX_BYTES];
    const char *text = "([R, U2] F)3'";

    support_word_state(cube, "F' U2 R U2 R' F' U2 R U2 R' F' U2 R U2 R'", state);
    ck_assert_int_eq(proto_move_parse(cube, text, strlen(text), &alg, &diag), 0);
    ck_assert_mem_eq(alg.state, state, puzzle_shape(cube)->bytes);
    proto_move_alg_deinit(&alg);
}
END_TEST

/* A cyclic shift of `n` slots of an orbit: a face of order n. */
static void turn_slots(uint8_t *transform, unsigned first, unsigned n)
{
    for (unsigned i = 0; i < 10; i++) {
        transform[i] = (uint8_t)i;
        transform[10 + i] = 0;
    }
    for (unsigned i = 0; i < n; i++)
        transform[first + i] = (uint8_t)(first + (i + 1) % n);
}

START_TEST(names_of_other_puzzles)
{
    struct puzzle_builder *builder = puzzle_builder_new("odd");
    struct puzzle *puzzle;
    uint8_t transform[20];
    char *printed;

    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "ring", 10, 1, NULL), 0);
    turn_slots(transform, 0, 5);
    ck_assert_int_eq(puzzle_builder_add_face(builder, "U", transform, NULL), 0);
    turn_slots(transform, 5, 5);
    ck_assert_int_eq(puzzle_builder_add_face(builder, "UF", transform, NULL), 0);
    turn_slots(transform, 4, 3);
    ck_assert_int_eq(puzzle_builder_add_face(builder, "F", transform, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    printed = written_out(puzzle, "U2' UF FU U4 U3 UF2 F2");
    ck_assert_str_eq(printed, "U2' UF F U U' U2' UF2 F'");
    free(printed);
    puzzle_release(puzzle);
}
END_TEST

/* Layers and wide turns of a big cube, by all their names. */
START_TEST(layers_and_wide_moves)
{
    struct puzzle *big = support_builtin("4x4x4");
    char *printed = written_out(big, "Rw 2Rw2 2r' r 2R 2R2 2R' (2U Uw')2' URw3 R2R");

    ck_assert_str_eq(printed, "r r2 r' r 2R 2R2 2R' u 2U' u 2U' U r' R2 R");
    free(printed);
    puzzle_release(big);
}
END_TEST

START_TEST(faces_of_two_letters)
{
    struct puzzle *megaminx = support_builtin("megaminx");
    char *printed = written_out(megaminx, "UBL2' B L DR4FR3' D");

    ck_assert_str_eq(printed, "U BL2' B L DR' FR2 D");
    free(printed);
    puzzle_release(megaminx);
}
END_TEST

/* Solutions of a job with an algorithm among its moves are told in its names. */
START_TEST(solutions_with_algorithms_read_back)
{
    struct puzzle *derived;
    uint8_t state[PERM_MAX_BYTES], again[PERM_MAX_BYTES];
    struct puzzle_choice choices[] = {{"[R: U]", state, 1}, {"F", NULL, 1}};
    struct proto_move_alg alg;
    struct base_diag diag;
    uint8_t word[3];
    char *printed;

    support_word_state(cube, "R U R'", state);
    choices[1].transform = puzzle_move_at(cube, 6)->transform;
    ck_assert_int_eq(puzzle_derive(cube, choices, 2, &derived, &diag), 0);
    word[0] = (uint8_t)puzzle_find_move(derived, "[R: U]'", 7);
    word[1] = (uint8_t)puzzle_find_move(derived, "F", 1);
    word[2] = (uint8_t)puzzle_find_move(derived, "[R: U]", 6);
    printed = proto_move_print(derived, word, 3);
    ck_assert_str_eq(printed, "[R: U]' F [R: U]");
    ck_assert_int_eq(proto_move_parse(cube, printed, strlen(printed), &alg, &diag), 0);
    puzzle_apply_word(derived, NULL, word, 3, again);
    ck_assert_mem_eq(alg.state, again, puzzle_shape(cube)->bytes);
    proto_move_alg_deinit(&alg);
    free(printed);
    puzzle_release(derived);
}
END_TEST

/* ---- what is not ---------------------------------------------------------------------- */

START_TEST(what_is_no_move_is_refused_at_its_place)
{
    static const struct {
        const char *text;
        int code;
        size_t position;
    } cases[] = {
        {"R U 2'", BASE_ERR_SYNTAX, 4},
        {"R '", BASE_ERR_SYNTAX, 2},
        {"(R U) 2", BASE_ERR_SYNTAX, 6},
        {"2R", BASE_ERR_SYNTAX, 0},
        {"R U x", BASE_ERR_UNKNOWN_MOVE, 4},
        {"y2", BASE_ERR_UNKNOWN_MOVE, 0},
        {"R M2", BASE_ERR_UNKNOWN_MOVE, 2},
        {"R Uw U", BASE_ERR_UNKNOWN_MOVE, 2},
        {"R U2w", BASE_ERR_UNKNOWN_MOVE, 2},
        {"r", BASE_ERR_UNKNOWN_MOVE, 0},
        {"R4", BASE_ERR_RANGE, 0},
        {"U R0", BASE_ERR_RANGE, 3},
        {"R99999999999999999999", BASE_ERR_RANGE, 1},
        {"(R)0", BASE_ERR_RANGE, 3},
        {"R++", BASE_ERR_SYNTAX, 1},
        {"R-", BASE_ERR_SYNTAX, 1},
        {"R''", BASE_ERR_SYNTAX, 2},
        {"R / U", BASE_ERR_SYNTAX, 2},
        {"(R", BASE_ERR_SYNTAX, 2},
        {"R)", BASE_ERR_SYNTAX, 1},
        {"[R]", BASE_ERR_SYNTAX, 2},
        {"[R, U", BASE_ERR_SYNTAX, 5},
        {"[R, U, F]", BASE_ERR_SYNTAX, 5},
        {"[R: U)", BASE_ERR_SYNTAX, 5},
        {"^(R U)", BASE_ERR_SYNTAX, 0},
        {"R\xC2\xA0U", BASE_ERR_SYNTAX, 1},
        {"R, U", BASE_ERR_SYNTAX, 1},
        {"(1, 0)", BASE_ERR_SYNTAX, 1},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++)
        expect_refused(cases[i].text, cases[i].code, cases[i].position);
}
END_TEST

START_TEST(a_nul_is_no_end)
{
    struct proto_move_alg alg;
    struct base_diag diag;

    ck_assert_int_eq(proto_move_parse(cube, "R\0U", 3, &alg, &diag), BASE_ERR_SYNTAX);
    ck_assert_uint_eq(diag.position, 1);
}
END_TEST

/* Behind the length there is a move that must not be read. */
START_TEST(the_length_is_the_end)
{
    struct proto_move_alg alg;
    struct base_diag diag;

    ck_assert_int_eq(proto_move_parse(cube, "RU2", 2, &alg, &diag), 0);
    ck_assert_uint_eq(alg.n_moves, 2);
    ck_assert_uint_eq(puzzle_move_at(cube, alg.moves[1])->amount, 1);
    proto_move_alg_deinit(&alg);
}
END_TEST

START_TEST(explosions_are_refused)
{
    char deep[4 * PROTO_MOVE_MAX_DEPTH];

    expect_refused("((((((R)9999)9999)9999)9999)9999)9999", BASE_ERR_TOO_LARGE, 4);
    expect_refused("((((R U)10)10)10)5 F", BASE_ERR_TOO_LARGE, 19);
    expect_refused("((((((((()9999)9999)9999)9999)9999)9999)9999)9999)9999 x",
                   BASE_ERR_UNKNOWN_MOVE, 55);
    memset(deep, '(', sizeof(deep));
    deep[sizeof(deep) - 1] = '\0';
    expect_refused(deep, BASE_ERR_TOO_LARGE, PROTO_MOVE_MAX_DEPTH);
}
END_TEST

START_TEST(a_megabyte_is_refused_in_no_time)
{
    enum { LENGTH = 1 << 20 };
    static const char *const pieces[] = {"R ", "(", "[R:", "R2'", "//", "(R)9", "."};
    struct proto_move_alg alg;
    struct base_diag diag;
    char *text = malloc(LENGTH + 8);

    for (size_t i = 0; i < BASE_COUNT(pieces); i++) {
        size_t size = strlen(pieces[i]);
        for (size_t at = 0; at < LENGTH; at += size)
            memcpy(text + at, pieces[i], size);
        if (proto_move_parse(cube, text, LENGTH, &alg, &diag) == 0) {
            ck_assert_uint_eq(alg.n_moves, 0);
            proto_move_alg_deinit(&alg);
        }
    }
    free(text);
}
END_TEST

/* ---- random texts --------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Whatever is accepted prints as text that is accepted as the same. */
static void check_round_trip(const char *text, size_t length)
{
    struct proto_move_alg alg, again;
    struct base_diag diag = {.position = SIZE_MAX};
    char *printed;

    if (proto_move_parse(cube, text, length, &alg, &diag) != 0) {
        ck_assert_msg(diag.position <= length, "%.*s", (int)length, text);
        return;
    }
    printed = proto_move_print(cube, alg.moves, alg.n_moves);
    ck_assert_int_eq(proto_move_parse(cube, printed, strlen(printed), &again, &diag), 0);
    ck_assert_uint_eq(again.n_moves, alg.n_moves);
    ck_assert_mem_eq(again.moves, alg.moves, alg.n_moves);
    ck_assert_mem_eq(again.state, alg.state, puzzle_shape(cube)->bytes);
    free(printed);
    proto_move_alg_deinit(&alg);
    proto_move_alg_deinit(&again);
}

START_TEST(random_texts_round_trip)
{
    static const char alphabet[] = "URFDLBURFDLB22'''   ()[],:3.9/\nxwM\x80\xE2\x99";
    uint32_t seed = 20260101;

    for (unsigned i = 0; i < 60000; i++) {
        char text[24];
        size_t length = next_random(&seed) % (sizeof(text) + 1);
        for (size_t k = 0; k < length; k++)
            text[k] = alphabet[next_random(&seed) % (sizeof(alphabet) - 1)];
        check_round_trip(text, length);
    }
}
END_TEST

/* ---- facelets ------------------------------------------------------------------------- */

START_TEST(facelets_of_known_positions)
{
    json_t *root = json_load_file("tests/data/optimal_positions_3x3.json", 0, NULL);
    json_t *position;
    size_t i;

    ck_assert_ptr_nonnull(root);
    ck_assert_uint_gt(json_array_size(json_object_get(root, "positions")), 300);
    json_array_foreach(json_object_get(root, "positions"), i, position)
    {
        const char *scramble = json_string_value(json_object_get(position, "scramble"));
        struct proto_move_alg alg;
        char facelets[PROTO_FACELETS_BYTES];
        ck_assert_int_eq(proto_move_parse(cube, scramble, strlen(scramble), &alg, NULL), 0);
        ck_assert_int_eq(proto_facelets_print(cube, alg.state, facelets), 0);
        ck_assert_str_eq(facelets, json_string_value(json_object_get(position, "facelets_uRFDLB")));
        proto_move_alg_deinit(&alg);
    }
    json_decref(root);
}
END_TEST

START_TEST(facelets_only_of_the_cube)
{
    struct puzzle *small = support_builtin("2x2x2");
    uint8_t state[PERM_MAX_BYTES];
    char facelets[PROTO_FACELETS_BYTES];

    perm_identity(puzzle_shape(small), state);
    ck_assert_int_eq(proto_facelets_print(small, state, facelets), BASE_ERR_UNSUPPORTED);
    puzzle_release(small);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        moves_and_amounts,
        groups_and_brackets,
        long_repetitions_up_to_the_cap,
        the_state_is_that_of_the_reference,
        names_of_other_puzzles,
        layers_and_wide_moves,
        faces_of_two_letters,
        solutions_with_algorithms_read_back,
        what_is_no_move_is_refused_at_its_place,
        a_nul_is_no_end,
        the_length_is_the_end,
        explosions_are_refused,
        a_megabyte_is_refused_in_no_time,
        random_texts_round_trip,
        facelets_of_known_positions,
        facelets_only_of_the_cube,
    };

    return support_suite_run("proto_move", tests, BASE_COUNT(tests), setup, teardown, 10);
}
