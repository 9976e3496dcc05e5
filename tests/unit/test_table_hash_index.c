/*
 * test_table_hash_index.c - what shares an index of a hash table, the sets that its fill keeps
 * layers in, and the 24 wings, whose states nobody can list.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_codec_inl.h"
#include "core/table/table_hash_int.h"
#include "tests/support/support_ball.h"
#include "tests/support/support_codec.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_hash.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_wings.h"
#include "tests/support/support_word.h"

static const struct cycle_structure identity;

/* ---- the index ---------------------------------------------------------------------------- */

/* Takes the puzzle. A state, its inverse and all its images share one; few others do. */
static void check_invariance(struct puzzle *puzzle, unsigned least_distinct)
{
    enum { STATES = 500 };
    struct support_random random = {99};
    const struct perm_shape *shape = puzzle_shape(puzzle);
    struct sym_group *group = support_hash_group(puzzle);
    for (unsigned orbit = 0; orbit < shape->n_orbits; orbit++) {
        struct table_hash *hash = support_hash_new(group, orbit, UINT64_C(1) << 34);
        uint64_t seen[STATES];
        unsigned distinct = 0;
        for (unsigned round = 0; round < STATES; round++) {
            uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
            support_random_state(&random, puzzle, state);
            uint64_t index = table_hash_index(hash, state);
            perm_invert(shape, state, image);
            ck_assert_uint_eq(table_hash_index(hash, image), index);
            for (unsigned s = 0; s < group->count; s++) {
                sym_apply(group, s, state, image);
                if (group->sym[s].orbit[orbit] == orbit)
                    SUPPORT_EXPECT(table_hash_index(hash, image) == index);
            }
            bool is_new = true;
            for (unsigned i = 0; is_new && i < distinct; i++)
                is_new = seen[i] != index;
            if (is_new)
                seen[distinct++] = index;
        }
        ck_assert_uint_ge(distinct, least_distinct);
        table_hash_free(hash);
    }
    sym_group_free(group);
    puzzle_release(puzzle);
}

START_TEST(images_share_an_index_and_others_do_not)
{
    check_invariance(support_builtin("3x3x3"), 490);
    check_invariance(support_builtin("2x2x2"), 495);
    check_invariance(support_wings("X1 X4 Y1 Y4 Z1 Z4"), 500);
    check_invariance(support_wings("X4 Y4 Z4 X3"), 500);
    check_invariance(support_puzzle("a 8*4", "A a(0+1 1+3 2 3); B a(3 4 5+2 6); C! a(7+1 0)"), 499);
    check_invariance(support_puzzle("a 6*2, b 6*2", "A a(0 1+1 2 3) b(0 1+1 2 3); B a(3 4 5 0) "
                                                    "b(3 4 5 0)"),
                     430);
}
END_TEST

/* The hash is part of the format: tables are found again by programs built later. */
START_TEST(the_index_of_known_states_stays)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct sym_group *group = support_hash_group(cube);
    uint8_t state[PERM_MAX_BYTES];
    struct table_hash *corners = support_hash_new(group, 0, 1000000007);
    struct table_hash *edges = support_hash_new(group, 1, 1000000007);
    support_word_state(cube, "R U R' U' F2 D", state);
    ck_assert_uint_eq(table_hash_index(corners, state), 98537105);
    ck_assert_uint_eq(table_hash_index(edges, state), 310096811);
    table_hash_free(corners);
    table_hash_free(edges);
    sym_group_free(group);
    puzzle_release(cube);
}
END_TEST

START_TEST(sizes_and_what_is_refused)
{
    struct puzzle *wings = support_wings("X4 Y4 Z4"), *small = support_puzzle("a 3", "A a(0 1 2)");
    struct puzzle *large = support_puzzle("a 40*5, b 2", "A a(0 1 2 3+1)");
    struct puzzle *still = support_puzzle("a 2, b 2", "A a(0 1)");
    struct sym_group *of_large, *of_wings = support_hash_group(wings),
                                *of_still = support_hash_group(still);
    struct table_hash *hash = NULL;
    struct table_fill *fill = NULL;
    struct base_diag diag = {0};
    uint8_t entries[64] = {0};

    ck_assert_uint_eq(table_hash_bytes(wings, 0, 6, 100000), 99968);
    ck_assert_uint_eq(table_hash_bytes(wings, 0, 6, UINT64_MAX), UINT64_C(1) << 34);
    ck_assert_uint_eq(table_hash_bytes(small, 0, 1, UINT64_MAX), 64);
    ck_assert_uint_eq(table_hash_bytes(still, 1, 1, UINT64_MAX), UINT64_MAX);
    ck_assert_int_eq(table_hash_new(of_still, 1, 1000, &hash), BASE_ERR_RANGE);
    ck_assert_int_eq(table_hash_new(of_wings, 0, 0, &hash), BASE_ERR_RANGE);
    ck_assert_int_eq(table_hash_new(of_wings, 0, (UINT64_C(1) << 34) + 1, &hash), BASE_ERR_RANGE);
    /* only four slots move: the others do not count */
    of_large = support_hash_group(large);
    ck_assert_int_eq(table_hash_new(of_large, 0, 1000, &hash), 0);
    ck_assert_uint_eq(hash->view.n, 4);
    table_hash_free(hash);

    hash = support_hash_new(of_wings, 0, sizeof entries);
    struct cycle_structure structure = {0};
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(cycle_add(wings, &structure, 0, 4, false), 0);
    const struct table_hash_target target = {hash, &structure, 1, 0};
    ck_assert_int_eq(table_fill_new_hash(&target, entries, &fill, &diag), BASE_ERR_TOO_LARGE);
    ck_assert_ptr_null(fill);
    ck_assert_ptr_nonnull(strstr(diag.text, "piece subset"));
    table_hash_free(hash);
    sym_group_free(of_large);
    sym_group_free(of_wings);
    sym_group_free(of_still);
    puzzle_release(wings);
    puzzle_release(small);
    puzzle_release(large);
    puzzle_release(still);
}
END_TEST

/* ---- sets --------------------------------------------------------------------------------- */

/* A random state of the orbit, and its hash. */
static uint64_t random_member(struct support_random *random, const struct table_hash *hash,
                              uint8_t *state, struct table_hash_state *arcs)
{
    struct table_view view;
    support_random_state(random, hash->view.group->puzzle, state);
    table_coord_view(&hash->view, state, &view);
    table__hash_state_set(hash, &view, arcs);
    return table__hash_sum(hash, arcs);
}

/* Its inverse and its images are in the set too. */
static void check_images(const struct table_states *states, const struct table_hash *hash,
                         const uint8_t *state)
{
    const struct perm_shape *shape = puzzle_shape(hash->view.group->puzzle);
    uint8_t inverse[PERM_MAX_BYTES];
    struct table_view view, image;
    struct table_hash_state arcs;
    perm_invert(shape, state, inverse);
    for (unsigned way = 0; way < 2; way++) {
        table_coord_view(&hash->view, way ? inverse : state, &view);
        for (unsigned s = 0; s < hash->view.n_syms; s++) {
            table_coord_apply_sym(&hash->view, s, &view, &image);
            table__hash_state_set(hash, &image, &arcs);
            SUPPORT_EXPECT(table__states_have(states, &arcs, table__hash_sum(hash, &arcs)));
        }
    }
}

/* What a slot holds is unpacked as it was packed: it is in the set. */
static void check_slots(const struct table_states *states, const struct table_hash *hash,
                        uint64_t count)
{
    uint64_t found = 0;
    for (uint64_t slot = 0; slot < table__states_slot_count(states); slot++) {
        struct table_hash_state arcs;
        if (!table__states_at(states, slot, &arcs))
            continue;
        found++;
        SUPPORT_EXPECT(table__states_have(states, &arcs, table__hash_sum(hash, &arcs)));
    }
    ck_assert_uint_eq(found, count);
    ck_assert_uint_eq(table__states_count(states), count);
}

/* Takes the puzzle. */
static void check_set(struct puzzle *puzzle, unsigned orbit)
{
    enum { STATES = 600 };
    struct support_random random = {6};
    struct sym_group *group = support_hash_group(puzzle);
    struct table_hash *hash = support_hash_new(group, orbit, 1000);
    struct table_states *states = table__states_new(hash, 3 * TABLE_STATES_REGION);
    uint8_t state[STATES][PERM_MAX_BYTES];
    struct table_hash_state arcs;
    uint64_t count = 0;

    ck_assert_ptr_nonnull(states);
    for (unsigned i = 0; i < STATES; i++) {
        uint64_t sum = random_member(&random, hash, state[i], &arcs);
        bool had = table__states_have(states, &arcs, sum);
        enum table_states_added added = table__states_add(states, &arcs, sum);
        ck_assert_int_eq(added, had ? TABLE_STATES_KNOWN : TABLE_STATES_NEW);
        ck_assert_int_eq(table__states_add(states, &arcs, sum), TABLE_STATES_KNOWN);
        count += !had;
    }
    for (unsigned i = 0; i < STATES; i++)
        check_images(states, hash, state[i]);
    check_slots(states, hash, count);
    ck_assert_uint_gt(count, STATES / 2);
    for (unsigned i = 0; i < STATES; i++) {
        uint64_t sum = random_member(&random, hash, state[0], &arcs);
        count -= table__states_have(states, &arcs, sum);
    }
    ck_assert_uint_gt(count, STATES / 3); /* most others are not in it */
    table__states_free(states);
    table_hash_free(hash);
    sym_group_free(group);
    puzzle_release(puzzle);
}

START_TEST(sets_hold_classes)
{
    check_set(support_builtin("3x3x3"), 0);
    check_set(support_builtin("3x3x3"), 1);
    check_set(support_wings("X1 X4 Y1 Y4 Z1 Z4"), 0);
    check_set(support_wings("X4 Y4 Z4 X3"), 0);
    check_set(support_puzzle("a 8*4", "A a(0+1 1+3 2 3); B a(3 4 5+2 6); C! a(7+1 0)"), 0);
    check_set(support_puzzle("a 9*11", "A a(0+1 1+3 2 3); B a(3 4 5+2 6); C! a(7+1 8 0)"), 0);
}
END_TEST

/* States that agree in their hash but are not images of one another are two. */
START_TEST(sets_do_not_trust_the_hash)
{
    struct puzzle *puzzle =
        support_puzzle("a 12", "A a(0 1 2 3 4 5); B a(6 7 8 9 10 11); C a(0 6); D a(1 7)");
    struct sym_group *group = support_hash_group(puzzle);
    struct table_hash *hash = support_hash_new(group, 0, 1000);
    struct table_states *states = table__states_new(hash, TABLE_STATES_REGION);
    struct table_hash_state arcs[2];
    struct table_view view;
    uint8_t state[PERM_MAX_BYTES];

    /* turned alike and turned against each other: the cycles are the same, one of them backwards */
    for (unsigned i = 0; i < 2; i++) {
        support_word_state(puzzle, i ? "A B'" : "A B", state);
        table_coord_view(&hash->view, state, &view);
        table__hash_state_set(hash, &view, &arcs[i]);
    }
    uint64_t sum = table__hash_sum(hash, &arcs[0]);
    ck_assert_uint_eq(table__hash_sum(hash, &arcs[1]), sum);
    ck_assert_int_eq(table__states_add(states, &arcs[0], sum), TABLE_STATES_NEW);
    ck_assert(!table__states_have(states, &arcs[1], sum));
    ck_assert_int_eq(table__states_add(states, &arcs[1], sum), TABLE_STATES_NEW);
    ck_assert_int_eq(table__states_add(states, &arcs[0], sum), TABLE_STATES_KNOWN);
    table__states_free(states);
    table_hash_free(hash);
    sym_group_free(group);
    puzzle_release(puzzle);
}
END_TEST

/* A region that is full refuses what is new, and still finds what it has. */
START_TEST(full_sets_refuse)
{
    enum { TRIES = 2000 };
    struct puzzle *wings = support_wings("X4 Y4 Z4 X3");
    struct support_random random = {8};
    struct sym_group *group = support_hash_group(wings);
    struct table_hash *hash = support_hash_new(group, 0, 1000);
    struct table_states *states = table__states_new(hash, TABLE_STATES_REGION);
    unsigned count[3] = {0};

    ck_assert_uint_eq(table__states_size(states), table__states_bytes(hash, TABLE_STATES_REGION));
    ck_assert_uint_eq(table__states_slots(hash, table__states_size(states)), TABLE_STATES_REGION);
    ck_assert_uint_eq(table__states_slots(hash, table__states_size(states) - 1), 0);
    for (unsigned i = 0; i < TRIES; i++) {
        struct table_hash_state arcs;
        uint8_t state[PERM_MAX_BYTES];
        uint64_t sum = random_member(&random, hash, state, &arcs);
        count[table__states_add(states, &arcs, sum)]++;
        SUPPORT_EXPECT(table__states_have(states, &arcs, sum) == (count[TABLE_STATES_FULL] == 0));
    }
    ck_assert_uint_ge(count[TABLE_STATES_NEW], table__states_capacity(TABLE_STATES_REGION));
    ck_assert_uint_lt(count[TABLE_STATES_NEW], TABLE_STATES_REGION);
    ck_assert_uint_eq(count[TABLE_STATES_FULL], TRIES - count[TABLE_STATES_NEW]);
    check_slots(states, hash, count[TABLE_STATES_NEW]);
    table__states_free(states);
    table_hash_free(hash);
    sym_group_free(group);
    puzzle_release(wings);
}
END_TEST

/* ---- encodings ---------------------------------------------------------------------------- */

/* The histogram of the fill is that of its table; so every encoding takes it as it is, and what is
 * "at least" that far stays a lower bound. */
START_TEST(tables_that_end_early_can_be_encoded)
{
    struct puzzle *wings = support_wings("X4 Y4 Z4 X3");
    struct sym_group *group = support_hash_group(wings);
    struct table_hash *hash = support_hash_new(group, 0, 100000);
    const struct table_hash_target target = {hash, &identity, 1, 300000};
    struct support_hashed hashed;
    support_hash_fill(&target, SUPPORT_FILL_IN_ORDER, &hashed);
    ck_assert_uint_ge(hashed.layers, 5);
    for (unsigned form = 0; form < SUPPORT_FORM_COUNT; form++) {
        struct support_encoded encoded;
        uint64_t lowered = 0;
        support_encode((enum support_form)form, hashed.entries, hash->size, hashed.histogram,
                       SUPPORT_IN_ORDER, &encoded);
        for (uint64_t i = 0; i < hash->size; i++) {
            unsigned bound = table_codec_bound(encoded.codec, encoded.payload, i);
            SUPPORT_EXPECT(bound < hashed.entries[i]);
            lowered += bound + 1u < hashed.entries[i];
        }
        ck_assert_uint_lt(lowered, hash->size / 50);
        support_encode_free(&encoded);
    }
    support_hash_free(&hashed);
    table_hash_free(hash);
    sym_group_free(group);
    puzzle_release(wings);
}
END_TEST

/* ---- wings -------------------------------------------------------------------------------- */

/* Near states by brute force: the bound is right, and nearly always the distance. */
static void check_near(const struct puzzle *puzzle, const struct support_hashed *filled,
                       unsigned radius)
{
    struct support_ball ball;
    size_t exact = 0;
    support_ball_init(&ball, puzzle, NULL, radius);
    for (size_t i = 0; i < ball.count; i++) {
        unsigned bound = support_hash_bound(filled, ball.state + i * ball.bytes);
        SUPPORT_EXPECT(bound <= support_ball_distance(&ball, i));
        exact += bound == support_ball_distance(&ball, i);
    }
    ck_assert_uint_ge(exact, ball.count - ball.count / 10);
    support_ball_deinit(&ball);
}

/* Words of any length are no shorter than the bound of where they lead; far states get the most. */
static void check_words(const struct puzzle *puzzle, const struct support_hashed *filled,
                        const uint8_t *start)
{
    struct support_random random = {4};
    uint64_t far = 0;
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t word[30], state[PERM_MAX_BYTES];
        unsigned length = round % 30;
        support_random_word(&random, puzzle, word, length);
        puzzle_apply_word(puzzle, start, word, length, state);
        unsigned bound = support_hash_bound(filled, state);
        SUPPORT_EXPECT(bound <= length);
        far += length >= 20 && bound + 1 >= filled->layers;
    }
    ck_assert_uint_ge(far, 20000 / 3 * 9 / 10);
}

START_TEST(wings_are_filled_to_a_depth)
{
    struct puzzle *wings = support_wings(NULL);
    struct sym_group *group = support_hash_group(wings);
    struct table_hash *hash = support_hash_new(group, 0, 1 << 20);
    const struct table_hash_target target = {hash, &identity, 1, 1 << 20};
    struct support_hashed filled;
    support_hash_fill(&target, SUPPORT_FILL_THREADS, &filled);
    ck_assert_uint_ge(filled.layers, 5);
    ck_assert_uint_eq(support_hash_vacant(&filled), 0);
    check_near(wings, &filled, 3);
    check_words(wings, &filled, NULL);
    support_hash_free(&filled);
    table_hash_free(hash);
    sym_group_free(group);
    puzzle_release(wings);
}
END_TEST

START_TEST(wings_are_filled_from_several_structures)
{
    struct puzzle *wings = support_wings("X4 Y4 Z4 X3");
    struct sym_group *group = support_hash_group(wings);
    struct table_hash *hash = support_hash_new(group, 0, 1 << 20);
    struct cycle_structure cycles[2] = {{0}, {0}};
    uint8_t start[PERM_MAX_BYTES];
    struct support_hashed filled;
    ck_assert_int_eq(cycle_add(wings, &cycles[0], 0, 3, false), 0);
    ck_assert_int_eq(cycle_add(wings, &cycles[1], 0, 4, false), 0);
    support_hash_fill(&(struct table_hash_target){hash, cycles, 2, 4 << 20}, SUPPORT_FILL_THREADS,
                      &filled);
    ck_assert_uint_ge(filled.layers, 3);
    for (unsigned length = 3; length <= 4; length++) {
        perm_identity(puzzle_shape(wings), start);
        for (unsigned i = 0; i < length; i++)
            start[hash->view.slot_of[3 * i]] = hash->view.slot_of[3 * ((i + 1) % length)];
        check_words(wings, &filled, start);
    }
    support_hash_free(&filled);
    table_hash_free(hash);
    sym_group_free(group);
    puzzle_release(wings);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        images_share_an_index_and_others_do_not,
        the_index_of_known_states_stays,
        sizes_and_what_is_refused,
        sets_hold_classes,
        sets_do_not_trust_the_hash,
        full_sets_refuse,
        tables_that_end_early_can_be_encoded,
        wings_are_filled_to_a_depth,
        wings_are_filled_from_several_structures,
    };

    return support_suite_run("table_hash_index", tests, sizeof tests / sizeof tests[0], NULL, NULL,
                             120);
}
