/*
 * test_sym.c - symmetry groups against the geometry of the cube and against the definition of a
 * symmetry.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sym/sym.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_wings.h"
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

static struct sym_group *group_of(const struct puzzle *puzzle)
{
    struct sym_group *group = NULL;

    ck_assert_int_eq(sym_group_new(puzzle, &group), 0);
    ck_assert_ptr_eq(group->puzzle, puzzle);
    return group;
}

/* ---- what every group must fulfil ------------------------------------------------------- */

static void check_is_bijection(const struct sym_group *group, unsigned s)
{
    const struct perm_shape *shape = puzzle_shape(group->puzzle);
    const struct sym *sym = &group->sym[s];
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        bool taken[256] = {false};
        SUPPORT_EXPECT(shape->orbit[sym->orbit[k]].size == shape->orbit[k].size);
        SUPPORT_EXPECT(shape->orbit[sym->orbit[k]].mod == shape->orbit[k].mod);
        for (unsigned i = 0; i < shape->orbit[k].size; i++) {
            unsigned at = group->first_slot[k] + i;
            SUPPORT_EXPECT(sym->slot[at] < shape->orbit[k].size);
            ck_assert_msg(!taken[sym->slot[at]], "symmetry %u takes two slots to one", s);
            taken[sym->slot[at]] = true;
        }
    }
}

static void check_maps_moves(const struct sym_group *group, unsigned s)
{
    const struct puzzle *puzzle = group->puzzle;
    bool taken[PUZZLE_MAX_MOVES] = {false};
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        const struct puzzle_move *move = puzzle_move_at(puzzle, m);
        unsigned to = group->sym[s].move[m];
        uint8_t image[PERM_MAX_BYTES];
        sym_apply(group, s, move->transform, image);
        SUPPORT_EXPECT(!taken[to]);
        taken[to] = true;
        SUPPORT_EXPECT(puzzle_move_at(puzzle, to)->weight == move->weight);
        SUPPORT_EXPECT(
            perm_equal(puzzle_shape(puzzle), image, puzzle_move_at(puzzle, to)->transform));
    }
}

static void check_is_homomorphism(const struct sym_group *group, unsigned s)
{
    struct support_random random = {s + 1};
    const struct perm_shape *shape = puzzle_shape(group->puzzle);
    uint8_t a[PERM_MAX_BYTES], b[PERM_MAX_BYTES], ab[PERM_MAX_BYTES], image_a[PERM_MAX_BYTES],
        image_b[PERM_MAX_BYTES], image_ab[PERM_MAX_BYTES], product[PERM_MAX_BYTES];
    for (unsigned round = 0; round < 8; round++) {
        support_random_arrangement(&random, shape, a);
        support_random_arrangement(&random, shape, b);
        perm_compose(shape, a, b, ab);
        sym_apply(group, s, a, image_a);
        sym_apply(group, s, b, image_b);
        sym_apply(group, s, ab, image_ab);
        perm_compose(shape, image_a, image_b, product);
        ck_assert(perm_equal(shape, image_ab, product));
    }
}

static bool moves_are(const struct sym_group *group, unsigned s, const uint8_t *moves)
{
    return memcmp(group->sym[s].move, moves, puzzle_move_count(group->puzzle)) == 0;
}

/* Closed under products, every map of moves once, inverses as noted. */
static void check_is_group(const struct sym_group *group)
{
    unsigned n = puzzle_move_count(group->puzzle);
    for (unsigned a = 0; a < group->count; a++) {
        for (unsigned b = 0; b < group->count; b++) {
            uint8_t product[PUZZLE_MAX_MOVES];
            unsigned found = 0;
            for (unsigned m = 0; m < n; m++)
                product[m] = group->sym[b].move[group->sym[a].move[m]];
            for (unsigned c = 0; c < group->count; c++)
                found += moves_are(group, c, product);
            SUPPORT_EXPECT(found == 1);
            bool is_identity = moves_are(group, 0, product);
            SUPPORT_EXPECT((group->sym[a].inverse == b) == is_identity);
        }
    }
}

static void check_first_is_identity(const struct sym_group *group)
{
    struct support_random random = {5};
    uint8_t state[PERM_MAX_BYTES];
    for (unsigned m = 0; m < puzzle_move_count(group->puzzle); m++)
        ck_assert_uint_eq(group->sym[0].move[m], m);
    support_random_arrangement(&random, puzzle_shape(group->puzzle), state);
    ck_assert(sym_fixes_state(group, 0, state));
}

/* Applying a symmetry and its inverse, or two and their product, agrees on reachable states. */
static void check_acts_on_states(const struct sym_group *group)
{
    struct support_random random = {9};
    const struct perm_shape *shape = puzzle_shape(group->puzzle);
    uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES], back[PERM_MAX_BYTES];
    for (unsigned s = 0; s < group->count; s++) {
        support_random_state(&random, group->puzzle, state);
        sym_apply(group, s, state, image);
        ck_assert_int_eq(perm_check(shape, image, NULL), 0);
        sym_apply(group, group->sym[s].inverse, image, back);
        ck_assert(perm_equal(shape, state, back));
        ck_assert_int_eq(sym_fixes_state(group, s, state), perm_equal(shape, state, image));
    }
}

static void check_keeps_structures(const struct sym_group *group)
{
    struct support_random random = {11};
    const struct perm_shape *shape = puzzle_shape(group->puzzle);
    for (unsigned s = 0; s < group->count; s++) {
        uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
        struct cycle_structure both[2];
        support_random_arrangement(&random, shape, state);
        sym_apply(group, s, state, image);
        cycle_of_state(group->puzzle, state, &both[0]);
        cycle_of_state(group->puzzle, image, &both[1]);
        bool moved = false;
        for (unsigned k = 0; k < shape->n_orbits; k++)
            moved = moved || group->sym[s].orbit[k] != k;
        ck_assert(moved || cycle_equal(&both[0], &both[1]));
        for (unsigned i = 0; i < both[0].n_items; i++)
            both[0].item[i].orbit = group->sym[s].orbit[both[0].item[i].orbit];
        cycle_canonicalise(&both[0]);
        ck_assert(cycle_equal(&both[0], &both[1]));
    }
}

/* Checks all and frees; the number of symmetries. */
static unsigned check_group(struct sym_group *group)
{
    unsigned count = group->count;

    check_first_is_identity(group);
    for (unsigned s = 0; s < count; s++) {
        check_is_bijection(group, s);
        check_maps_moves(group, s);
        check_is_homomorphism(group, s);
    }
    check_is_group(group);
    check_acts_on_states(group);
    check_keeps_structures(group);
    sym_group_free(group);
    return count;
}

static unsigned check_puzzle(struct puzzle *puzzle)
{
    unsigned count = check_group(group_of(puzzle));

    puzzle_release(puzzle);
    return count;
}

/* ---- the cube, by geometry -------------------------------------------------------------- */

/* Faces U R F D L B as axis * 2 + side; a face's opposite has the other side. */
static const uint8_t face_axis[6] = {0, 2, 4, 1, 3, 5};

static unsigned face_at(unsigned axis_side)
{
    unsigned face = 0;
    while (face_axis[face] != axis_side)
        face++;
    return face;
}

/* The image of every move of the cube under one of the 48 signed permutations of the axes: a face
 * goes with its axis, and a mirror image turns the other way. */
static void geometric_moves(unsigned number, uint8_t moves[18])
{
    static const uint8_t axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                       {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    unsigned order = number / 8, signs = number % 8;
    unsigned mirrored = (order >= 3) ^ (__builtin_popcount(signs) & 1);
    for (unsigned m = 0; m < 18; m++) {
        unsigned axis = face_axis[m / 3] / 2, side = face_axis[m / 3] % 2;
        unsigned face = face_at(axes[order][axis] * 2u + (side ^ (signs >> axis & 1)));
        moves[m] = (uint8_t)(3 * face + (mirrored ? 2 - m % 3 : m % 3));
    }
}

/* Does it map the derived puzzle's moves to themselves? `image`: how, in that puzzle's numbers. */
static bool geometric_keeps(const struct puzzle *puzzle, unsigned number, uint8_t *image)
{
    uint8_t moves[18];
    geometric_moves(number, moves);
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        const struct puzzle_move *move = puzzle_move_at(puzzle, m);
        unsigned whole = (unsigned)puzzle_find_move(cube, move->name, strlen(move->name));
        const char *name = puzzle_move_at(cube, moves[whole])->name;
        int to = puzzle_find_move(puzzle, name, strlen(name));
        if (to < 0)
            return false;
        image[m] = (uint8_t)to;
    }
    return true;
}

/* All symmetries of the cube that keep its moves are in the group. Releases the puzzle; the number
 * of symmetries, geometric or not. */
static unsigned check_geometry(struct puzzle *puzzle)
{
    struct sym_group *group = group_of(puzzle);
    for (unsigned number = 0; number < 48; number++) {
        uint8_t image[PUZZLE_MAX_MOVES];
        bool found = false;
        if (!geometric_keeps(puzzle, number, image))
            continue;
        for (unsigned s = 0; s < group->count; s++)
            found = found || moves_are(group, s, image);
        ck_assert_msg(found, "signed permutation %u is missing among %u of %u moves", number,
                      group->count, puzzle_move_count(puzzle));
    }
    unsigned count = check_group(group);
    puzzle_release(puzzle);
    return count;
}

START_TEST(the_cube_has_48)
{
    ck_assert_uint_eq(check_geometry(puzzle_acquire(cube)), 48);
}
END_TEST

/* Of a set that does not hang together, each part has its own: U and D can be reflected apart, and
 * rotating about U maps no move elsewhere. */
START_TEST(restricted_moves_have_those_that_keep_them)
{
    static const struct {
        const char *moves;
        unsigned count;
    } known[] = {
        {"U R F", 6},   {"U R", 4},      {"U R D", 4},     {"U D", 8},     {"U", 2},
        {"U R F D", 4}, {"U R D L", 16}, {"U R F D L", 8}, {"U D L B", 4}, {"U L B", 6},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        unsigned count = check_geometry(support_puzzle_faces(cube, known[i].moves));
        ck_assert_msg(count == known[i].count, "<%s>: %u", known[i].moves, count);
    }
}
END_TEST

START_TEST(half_turns_have_all_48_and_mixed_turns_fewer)
{
    ck_assert_uint_eq(check_geometry(support_puzzle_only(cube, "U2 R2 F2 D2 L2 B2")), 48);
    ck_assert_uint_eq(check_geometry(support_puzzle_only(cube, "U D R2 L2 F2 B2")), 16);
    ck_assert_uint_eq(check_geometry(support_puzzle_only(cube, "U R F D L B")), 48);
    ck_assert_uint_eq(check_geometry(support_puzzle_only(cube, "U U2 R D L F B")), 8);
}
END_TEST

START_TEST(the_pocket_cube_has_6)
{
    ck_assert_uint_eq(check_geometry(support_builtin("2x2x2")), 6);
}
END_TEST

/* ---- wings, by geometry ------------------------------------------------------------------ */

enum { NAME = 8 };

/* The image of a layer's turn: the layer goes with its axis, to the other side if the axis is
 * reversed; and the turn is the other way round if just one of axis and space is. From 48 on, what
 * is no symmetry of the cube comes first: the two wings of every edge change places, and so do the
 * inner layers, which hold one of them each. */
static void geometric_turn(unsigned number, const char *name, char image[NAME])
{
    static const uint8_t axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                       {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    unsigned order = number % 48 / 8, signs = number % 8, axis = axes[order][name[0] - 'X'];
    bool reversed = signs >> axis & 1;
    bool mirrored = (order >= 3) ^ (__builtin_popcount(signs) & 1);
    const char *amount = name + 2;
    char layer = name[1];
    if (number >= 48 && (layer == '2' || layer == '3'))
        layer = '2' + '3' - layer;
    if (reversed)
        layer = '1' + '4' - layer;
    if (reversed != mirrored && *amount != '2')
        amount = *amount ? "" : "'";
    snprintf(image, NAME, "%c%c%s", "XYZ"[axis], layer, amount);
}

/* As geometric_keeps. */
static bool geometric_keeps_layers(const struct puzzle *puzzle, unsigned number, uint8_t *image)
{
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        char name[NAME];
        geometric_turn(number, puzzle_move_at(puzzle, m)->name, name);
        int to = puzzle_find_move(puzzle, name, strlen(name));
        if (to < 0)
            return false;
        image[m] = (uint8_t)to;
    }
    return true;
}

/* The symmetries are just those that geometry knows, each once. */
static void check_wings(const char *layers, unsigned count)
{
    struct puzzle *wings = support_wings(layers);
    struct sym_group *group = group_of(wings);
    bool found[SYM_MAX] = {false};
    unsigned n_found = 0;
    for (unsigned number = 0; number < 96; number++) {
        uint8_t image[PUZZLE_MAX_MOVES];
        unsigned s = 0;
        if (!geometric_keeps_layers(wings, number, image))
            continue;
        while (s < group->count && !moves_are(group, s, image))
            s++;
        ck_assert_msg(s < group->count, "%s: number %u is missing", layers, number);
        n_found += !found[s];
        found[s] = true;
    }
    ck_assert_uint_eq(n_found, count);
    ck_assert_uint_eq(check_group(group), count);
    puzzle_release(wings);
}

START_TEST(wings_have_those_of_their_layers)
{
    check_wings("X1 X2 X3 X4 Y1 Y2 Y3 Y4 Z1 Z2 Z3 Z4", 96);
    check_wings("X1 X4 Y1 Y4 Z1 Z4", 48);
    check_wings("X1 X2 X4 Y1 Y2 Y4 Z1 Z2 Z4", 12);
    check_wings("X4 Y4 Z4", 6);
    check_wings("X4 Y4 Z4 X3", 2);
}
END_TEST

/* ---- other puzzles ---------------------------------------------------------------------- */

START_TEST(weights_must_be_kept)
{
    static const char *const names[] = {"U", "U2", "R", "R2", "F", "F2"};
    static const uint8_t weight[] = {1, 2, 1, 2, 1, 3};
    struct puzzle *heavy = NULL;
    struct puzzle_choice choice[6];

    for (unsigned i = 0; i < 6; i++) {
        int move = puzzle_find_move(cube, names[i], strlen(names[i]));
        choice[i] = (struct puzzle_choice){
            names[i], puzzle_move_at(cube, (unsigned)move)->transform, weight[i]};
    }
    ck_assert_int_eq(puzzle_derive(cube, choice, 6, &heavy, NULL), 0);
    ck_assert_uint_eq(check_puzzle(heavy), 2);
}
END_TEST

START_TEST(orbits_alike_are_exchanged)
{
    /* A turns one orbit, B the other: exchange, and the two reflections. */
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 3, b 3", "A a(0 1 2); B b(0 1 2)")), 8);
    /* One move turns both: reflection alone, the exchange of orbits maps no move elsewhere. */
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 3, b 3", "A a(0 1 2) b(0 1 2)")), 2);
    /* Other sizes or orientations forbid the exchange. */
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 3, b 4", "A a(0 1 2); B b(0 1 2)")), 4);
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 3*2, b 3", "A a(0 1 2); B b(0 1 2)")), 4);
}
END_TEST

START_TEST(a_puzzle_may_have_no_symmetry)
{
    /* Of its own: only the identity. The order of A B says apart what lengths do not. */
    struct puzzle *lame = support_puzzle("a 7", "A a(0 1 2 3); B! a(2 3 4) a(0 5)");
    struct sym_group *group = group_of(lame);
    ck_assert_uint_eq(group->count, 1);
    ck_assert_uint_eq(group->sym[0].inverse, 0);
    check_group(group);
    puzzle_release(lame);
}
END_TEST

START_TEST(rings_have_dihedral_groups)
{
    /* Pairs around a ring. Where exchanging also turns, a reflection must reverse the moves as
     * well, unless frames can be chosen that absorb the turns: around three slots of three turns.
     */
    ck_assert_uint_eq(
        check_puzzle(support_puzzle("a 6", "A a(0 1); B a(1 2); C a(2 3); D a(3 4); E a(4 5); "
                                           "F a(5 0)")),
        12);
    ck_assert_uint_eq(
        check_puzzle(support_puzzle("a 4*3", "A! a(0 1+1); B! a(1 2+1); C! a(2 3+1); D! a(3 0+1)")),
        8);
    ck_assert_uint_eq(
        check_puzzle(support_puzzle("a 3*3", "A! a(0 1+1); B! a(1 2+1); C! a(2 0+1)")), 12);
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 5*4", "A! a(0 1 2+1); B! a(2 3 4+1)")), 4);
}
END_TEST

START_TEST(slots_that_nothing_moves_do_not_mislead)
{
    /* Slot 1 stays; sliding everything onto a slot that stays is no symmetry. */
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 6", "A a(0 2 3); B a(3 4 5)")), 8);
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 7", "A a(0 3); B a(3 4); C a(4 5)")), 2);
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 9", "A a(0 5 6); B a(6 7 8)")), 8);
    ck_assert_uint_eq(check_puzzle(support_puzzle("a 6, b 6*2", "A a(0 2 3) b(0 1+1 2+1); "
                                                                "B a(3 4 5) b(2 3+1 5+1)")),
                      8);
}
END_TEST

/* ---- structures and filters ------------------------------------------------------------- */

START_TEST(exchanged_orbits_keep_only_matching_structures)
{
    struct puzzle *twin = support_puzzle("a 3, b 3", "A a(0 1 2); B b(0 1 2)");
    struct sym_group *group = group_of(twin);
    struct cycle_structure one[2] = {{0}, {0}}, both = {0};

    ck_assert_int_eq(cycle_add(twin, &one[0], 0, 3, false), 0);
    ck_assert_int_eq(cycle_add(twin, &one[1], 1, 3, false), 0);
    ck_assert_int_eq(cycle_add(twin, &both, 0, 3, false), 0);
    ck_assert_int_eq(cycle_add(twin, &both, 1, 3, false), 0);
    for (unsigned s = 0; s < group->count; s++) {
        bool stays = group->sym[s].orbit[0] == 0;
        ck_assert_int_eq(sym_keeps_structures(group, s, &one[0], 1), stays);
        ck_assert_int_eq(sym_keeps_structures(group, s, &one[1], 1), stays);
        ck_assert(sym_keeps_structures(group, s, one, 2));
        ck_assert(sym_keeps_structures(group, s, &both, 1));
    }
    sym_group_free(group);
    puzzle_release(twin);
}
END_TEST

static bool keeps_orbits(const struct sym_group *group, unsigned sym, void *arg)
{
    (void)arg;
    return group->sym[sym].orbit[0] == 0;
}

static bool keeps_state(const struct sym_group *group, unsigned sym, void *arg)
{
    return sym_fixes_state(group, sym, arg);
}

START_TEST(filtered_groups_are_groups)
{
    struct puzzle *twin = support_puzzle("a 3, b 3", "A a(0 1 2); B b(0 1 2)");
    struct sym_group *group = group_of(twin), *kept = NULL;
    uint8_t state[PERM_MAX_BYTES];

    ck_assert_int_eq(sym_group_filter(group, keeps_orbits, NULL, &kept), 0);
    sym_group_free(group);
    puzzle_release(twin);
    ck_assert_uint_eq(check_group(kept), 4);

    group = group_of(cube);
    support_word_state(cube, "U", state);
    ck_assert_int_eq(sym_group_filter(group, keeps_state, state, &kept), 0);
    ck_assert_uint_eq(check_group(kept), 4);
    support_word_state(cube, "R2 L2 U2 D2 F2 B2", state);
    ck_assert_int_eq(sym_group_filter(group, keeps_state, state, &kept), 0);
    ck_assert_uint_eq(check_group(kept), 48);
    sym_group_free(group);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        the_cube_has_48,
        restricted_moves_have_those_that_keep_them,
        half_turns_have_all_48_and_mixed_turns_fewer,
        the_pocket_cube_has_6,
        wings_have_those_of_their_layers,
        weights_must_be_kept,
        orbits_alike_are_exchanged,
        a_puzzle_may_have_no_symmetry,
        rings_have_dihedral_groups,
        slots_that_nothing_moves_do_not_mislead,
        exchanged_orbits_keep_only_matching_structures,
        filtered_groups_are_groups,
    };

    return support_suite_run("sym", tests, sizeof tests / sizeof tests[0], setup, teardown, 60);
}
