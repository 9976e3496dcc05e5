/*
 * test_table_product.c - the joint coordinate of the 3x3x3, by reference and in the register, and
 * the coarse table of the identity, which is filled once before all tests.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cpu/cpu.h"
#include "core/table/table_fill_int.h"
#include "core/table/table_product_fill_int.h"
#include "tests/support/support_cube3.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_product.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum {
    ROUNDS = 4000,
    LAYERS = 495,
    SYMS = 16,
    AXES = 3,
    GROUP_WORDS = 8,
    BASE = 9,
    KNOWN_LAYERS = 11
};

/* Positions of Kociemba's phase-1 coordinate at each distance, those at 11 and more together. */
static const uint64_t known[KNOWN_LAYERS + 1] = {
    1, 4, 50, 592, 7156, 87236, 1043817, 12070278, 124946368, 821605960, 1199128738, 58202920};

static const struct cycle_structure identity;
static struct puzzle *cube;
static const struct perm_shape *shape;
static struct sym_group *group;
static struct support_product coarse, fine; /* coarse: filled; fine: the coordinate alone */

/* ---- what is noted while the table of the identity is filled -------------------------------- */

static struct notes {
    uint32_t *members;                       /* of each class */
    uint8_t *has_minimum;                    /* [256 entries] */
    uint64_t reached[TABLE_FILL_MAX_LAYERS]; /* positions that are set after each layer */
    unsigned wrong_minima;
} notes;

/* Entries of a word of 32 codes that are not 3. */
static unsigned count_set(uint64_t word)
{
    return (unsigned)__builtin_popcountll(~(word & word >> 1) & 0x5555555555555555);
}

static bool has_nearer(const uint64_t *words)
{
    for (unsigned w = 0; w < GROUP_WORDS; w++)
        if (~(words[w] | words[w] >> 1) & 0x5555555555555555)
            return true;
    return false;
}

/* The minimum of 256 entries is the layer in which the first of them was set, or 15. */
static void note_minimum(const struct support_product *filled, uint64_t g, const uint64_t *words)
{
    unsigned minimum =
        filled->payload[filled->product->codes_bytes + g / 2] >> (g % 2 ? 4 : 0) & 15;
    unsigned newest = filled->layers - 1;
    if (!has_nearer(words)) {
        notes.wrong_minima += minimum != 15;
        return;
    }
    notes.wrong_minima +=
        notes.has_minimum[g] ? minimum >= newest && newest < BASE : minimum != newest;
    notes.has_minimum[g] = 1;
}

static void note_layer(void *arg, const struct support_product *filled)
{
    const struct table_product *product = filled->product;
    uint64_t groups_per_class = (uint64_t)product->n_layers * (TABLE_PRODUCT_FLIPS / 256);
    (void)arg;
    for (uint64_t g = 0; g < product->n_classes * groups_per_class; g++) {
        uint64_t words[GROUP_WORDS], count = 0;
        memcpy(words, filled->payload + g * sizeof words, sizeof words);
        for (unsigned w = 0; w < GROUP_WORDS; w++)
            count += count_set(words[w]);
        notes.reached[filled->layers - 1] += count * notes.members[g / groups_per_class];
        note_minimum(filled, g, words);
    }
}

static void setup(void)
{
    cube = support_builtin("3x3x3");
    shape = puzzle_shape(cube);
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    support_product_init(&coarse, group, false, TABLE_PRODUCT_FLIP_BITS);
    support_product_init(&fine, group, true, TABLE_PRODUCT_FLIP_BITS);
    notes.members = support_product_members(coarse.product);
    notes.has_minimum = calloc(coarse.product->n_lines, GROUP_WORDS);
    coarse.each = note_layer;
    support_product_fill(&coarse, &identity, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_IN_ORDER);
}

static void teardown(void)
{
    free(notes.members);
    free(notes.has_minimum);
    support_product_deinit(&coarse);
    support_product_deinit(&fine);
    sym_group_free(group);
    puzzle_release(cube);
}

/* ---- the coordinate ------------------------------------------------------------------------ */

static void check_sizes(const struct table_product *product, uint32_t raw, uint32_t classes)
{
    ck_assert_uint_eq(product->n_raw, raw);
    ck_assert_uint_eq(product->n_classes, classes);
    ck_assert_uint_eq(product->n_layers, LAYERS);
    ck_assert_uint_eq(product->n_lines, (uint64_t)classes * LAYERS);
    ck_assert_uint_eq(product->n_syms, SYMS);
    ck_assert_uint_eq(product->n_axes, AXES);
    ck_assert_uint_eq(product->sym[0].sym, 0);
    ck_assert_uint_eq(product->axis[0], 0);
    ck_assert_uint_eq(product->codes_bytes, product->n_lines * TABLE_PRODUCT_FLIPS / 4);
    ck_assert_uint_eq(product->minima_bytes, product->n_lines * TABLE_PRODUCT_FLIPS / 512);
    ck_assert_uint_eq(product->bytes,
                      product->codes_bytes + product->minima_bytes + TABLE_PRODUCT_TAIL_BYTES);
}

START_TEST(sizes_of_the_cube)
{
    check_sizes(coarse.product, 2187, 168);
    check_sizes(fine.product, 70 * 2187, 9996);
}
END_TEST

static void check_raw_parts(const struct table_product *product)
{
    for (uint32_t raw = 0; raw < product->n_raw; raw++) {
        struct table_product_parts parts;
        unsigned ones = 0, sum = 0;
        table_product_raw_parts(product, raw, &parts);
        for (unsigned i = 0; i < 8; i++) {
            ones += parts.colour[i];
            sum += parts.turn[i];
        }
        SUPPORT_EXPECT(ones == (product->fine ? 4 : 0) && sum % 3 == 0);
        SUPPORT_EXPECT(table_product_raw(product, &parts) == raw);
    }
}

/* Parts of states, looked up in the state itself. */
static void check_state_parts(const struct table_product *product)
{
    struct support_random random = {4};
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES];
        struct table_product_parts parts, back;
        support_random_state(&random, cube, state);
        table_product_parts_of(product, state, &parts);
        table_product_raw_parts(product, table_product_raw(product, &parts), &back);
        for (unsigned i = 0; i < 8; i++) {
            SUPPORT_EXPECT(parts.turn[i] == state[8 + i] && back.turn[i] == parts.turn[i]);
            SUPPORT_EXPECT(parts.colour[i] == (product->fine && product->block >> state[i] & 1));
            SUPPORT_EXPECT(back.colour[i] == parts.colour[i]);
        }
        for (unsigned i = 0; i < 12; i++) {
            SUPPORT_EXPECT((parts.layer >> i & 1) == (product->layer >> state[16 + i] & 1));
            SUPPORT_EXPECT((parts.flips >> i & 1) == state[28 + i]);
        }
    }
}

START_TEST(raw_parts_go_back_and_forth)
{
    check_raw_parts(coarse.product);
    check_raw_parts(fine.product);
    check_state_parts(coarse.product);
    check_state_parts(fine.product);
}
END_TEST

/* Corners in the order of puzzle.h: half turns keep URF ULB DLF DRB apart from the others. Edges:
 * UR UF UL UB DR DF DL DB, then the slice that U and D leave alone. */
START_TEST(parts_are_the_slice_and_a_tetrad)
{
    const unsigned tetrad = 1 << 0 | 1 << 2 | 1 << 5 | 1 << 7;

    ck_assert_uint_eq(coarse.product->layer, 0xf00);
    ck_assert_uint_eq(fine.product->layer, 0xf00);
    ck_assert_uint_eq(fine.product->block, 0xff & ~tetrad);
}
END_TEST

/* Images under a symmetry that keeps the layer are in the same class, and where the class has no
 * symmetry of its own, the same entry. */
static void check_images(const struct table_product *product)
{
    struct support_random random = {5};
    uint32_t *members = support_product_members(product);
    unsigned same = 0;
    for (unsigned round = 0; round < ROUNDS / 8; round++) {
        uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
        support_random_state(&random, cube, state);
        uint64_t index = table_product_index(product, state);
        uint32_t class_index = (uint32_t)(index / TABLE_PRODUCT_FLIPS / LAYERS);
        SUPPORT_EXPECT(class_index < product->n_classes);
        SUPPORT_EXPECT(SYMS % members[class_index] == 0);
        for (unsigned h = 0; h < product->n_syms; h++) {
            sym_apply(group, product->sym[h].sym, state, image);
            uint64_t other = table_product_index(product, image);
            SUPPORT_EXPECT(other / TABLE_PRODUCT_FLIPS / LAYERS == class_index);
            SUPPORT_EXPECT(members[class_index] < SYMS || other == index);
            same += h > 0 && members[class_index] == SYMS;
        }
    }
    ck_assert_uint_ge(same, 1000);
    free(members);
}

START_TEST(images_share_a_class)
{
    check_images(coarse.product);
    check_images(fine.product);
}
END_TEST

/* For one first part, all second parts have different entries, and these are the whole class. */
static void check_lines(const struct table_product *product, uint32_t raw)
{
    const uint64_t entries = (uint64_t)LAYERS * TABLE_PRODUCT_FLIPS;
    uint64_t first = (product->class_of[raw] >> TABLE_PRODUCT_SYM_BITS) * entries;
    uint8_t *seen = calloc(entries, 1);
    struct table_product_parts parts;
    ck_assert_ptr_nonnull(seen);
    table_product_raw_parts(product, raw, &parts);
    for (uint32_t r = 0; r < LAYERS; r++)
        for (unsigned x = 0; x < TABLE_PRODUCT_FLIPS; x++) {
            uint8_t state[PERM_MAX_BYTES];
            parts.layer = product->layer_slots[r];
            parts.flips = (uint16_t)(x | (unsigned)__builtin_parity(x) << 11);
            support_product_state(product, &parts, state);
            uint64_t index = table_product_index(product, state) - first;
            SUPPORT_EXPECT(index < entries && !seen[index]);
            seen[index] = 1;
        }
    free(seen);
}

START_TEST(entries_of_a_class_are_all_used)
{
    struct support_random random = {6};

    for (unsigned round = 0; round < 2; round++) {
        check_lines(coarse.product, support_random_below(&random, coarse.product->n_raw));
        check_lines(fine.product, support_random_below(&random, fine.product->n_raw));
    }
}
END_TEST

/* ---- in the register ------------------------------------------------------------------------ */

static void check_register(bool is_fine, unsigned flip_bits, const struct support_cube3 *set)
{
    struct support_random random = {7};
    struct support_product unfilled;
    struct table table;
    support_product_init(&unfilled, group, is_fine, flip_bits);
    support_product_table_init(&table, &unfilled);
    ck_assert_ptr_nonnull(table.cube3);
    ck_assert_uint_eq(table.cube3->n_questions, AXES);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES], seen[PERM_MAX_BYTES];
        struct cube3 packed;
        support_random_state(&random, cube, state);
        cube3_from_state(shape, state, &packed);
        for (unsigned a = 0; a < AXES; a++) {
            sym_apply(group, unfilled.product->axis[a], state, seen);
            uint64_t expected = table_product_index(unfilled.product, seen);
            uint64_t index = set->product_index(&table.cube3->product, a, &packed);
            ck_assert_msg(index == expected, "%s, axis %u: %llu instead of %llu", set->name, a,
                          (unsigned long long)index, (unsigned long long)expected);
        }
    }
    support_fill_table_deinit(&table);
    support_product_deinit(&unfilled);
}

static void check_register_sizes(const struct support_cube3 *set)
{
    for (unsigned bits = TABLE_PRODUCT_MIN_FLIP_BITS; bits <= TABLE_PRODUCT_FLIP_BITS; bits++) {
        check_register(true, bits, set);
        check_register(false, bits, set);
    }
}

START_TEST(indices_in_the_register_are_those_of_the_coordinate)
{
    check_register_sizes(&support_cube3_portable);
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2))
        check_register_sizes(&support_cube3_avx2);
#endif
}
END_TEST

/* A table that hides flips has the same lines, and sees the same flips of all. */
START_TEST(hidden_flips_are_left_out_of_the_index)
{
    struct support_random random = {8};

    for (unsigned bits = TABLE_PRODUCT_MIN_FLIP_BITS; bits <= TABLE_PRODUCT_FLIP_BITS; bits++) {
        struct support_product hiding;
        support_product_init(&hiding, group, true, bits);
        for (unsigned round = 0; round < ROUNDS / 8; round++) {
            uint8_t state[PERM_MAX_BYTES];
            support_random_state(&random, cube, state);
            uint64_t index = table_product_index(hiding.product, state);
            uint64_t whole = table_product_index(fine.product, state);
            SUPPORT_EXPECT(index == support_product_hidden(hiding.product, whole));
            SUPPORT_EXPECT(index < hiding.product->n_entries);
        }
        support_product_deinit(&hiding);
    }
}
END_TEST

/* ---- the table of the identity ------------------------------------------------------------- */

START_TEST(the_identity_is_distributed_as_known)
{
    uint64_t reached = 0, all = 0;

    ck_assert_uint_eq(support_product_base(&coarse), BASE);
    ck_assert_uint_eq(coarse.layers, KNOWN_LAYERS);
    for (unsigned d = 0; d <= KNOWN_LAYERS; d++)
        all += known[d];
    ck_assert_uint_eq(all, (uint64_t)2187 * LAYERS * TABLE_PRODUCT_FLIPS);
    for (unsigned d = 0; d < KNOWN_LAYERS; d++) {
        reached += known[d];
        ck_assert_msg(notes.reached[d] == reached, "up to distance %u: %llu", d,
                      (unsigned long long)notes.reached[d]);
    }
}
END_TEST

/* The histogram counts entries, of which a class has as many as a member. */
START_TEST(the_histogram_counts_entries)
{
    uint64_t total = 0, code[4] = {0};

    for (unsigned d = 0; d < coarse.layers; d++)
        total += coarse.histogram[d];
    ck_assert_uint_eq(coarse.total, total);
    for (uint64_t i = 0; i < coarse.product->n_lines * TABLE_PRODUCT_FLIPS; i++)
        code[support_product_code(&coarse, i)]++;
    ck_assert_uint_eq(code[1], coarse.histogram[BASE]);
    ck_assert_uint_eq(code[2], coarse.histogram[BASE + 1]);
    ck_assert_uint_eq(code[0], total - code[1] - code[2]);
}
END_TEST

START_TEST(minima_are_those_of_their_entries)
{
    ck_assert_uint_eq(notes.wrong_minima, 0);
}
END_TEST

/* A move changes the distance by one at most: near the solved state and far from it. */
START_TEST(neighbours_are_consistent)
{
    struct support_random random = {8};

    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES], word[16];
        unsigned length = support_random_below(&random, 16);
        support_random_word(&random, cube, word, length);
        puzzle_apply_word(cube, NULL, word, length, state);
        support_product_check_neighbours(&coarse, state);
    }
}
END_TEST

/* All images under the symmetries that keep the layer have the same entry, also in classes that
 * have symmetries of their own. */
START_TEST(images_have_equal_entries)
{
    struct support_random random = {9};

    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES], word[12];
        unsigned length = support_random_below(&random, 12);
        support_random_word(&random, cube, word, length);
        puzzle_apply_word(cube, NULL, word, length, state);
        unsigned code = support_product_code(&coarse, table_product_index(coarse.product, state));
        for (unsigned h = 0; h < SYMS; h++) {
            sym_apply(group, coarse.product->sym[h].sym, state, image);
            uint64_t index = table_product_index(coarse.product, image);
            SUPPORT_EXPECT(support_product_code(&coarse, index) == code);
        }
    }
}
END_TEST

START_TEST(chunks_may_be_run_in_any_order_by_any_thread)
{
    struct support_product other;

    support_product_init(&other, group, false, TABLE_PRODUCT_FLIP_BITS);
    support_product_fill(&other, &identity, 1, SUPPORT_FILL_SHUFFLED, SUPPORT_FILL_THREADS);
    ck_assert_int_eq(memcmp(coarse.payload, other.payload, coarse.product->bytes), 0);
    ck_assert_mem_eq(coarse.histogram, other.histogram, sizeof other.histogram);
    support_product_deinit(&other);
}
END_TEST

/* ---- the hot pass -----------------------------------------------------------------------------
 */

/* Random entries as what has been reached, in about half of the lines some of it newest; others
 * have all they need. */
static void random_layer(struct table_product_own *own, struct support_random *random)
{
    for (uint64_t line = 0; line < own->product->n_lines; line++) {
        own->has_newest[line] = (uint8_t)support_random_below(random, 2);
        own->is_full[line] = support_random_below(random, 4) == 0;
        for (unsigned w = 0; own->has_newest[line] && w < TABLE_PRODUCT_WORDS; w++)
            own->now[line * TABLE_PRODUCT_WORDS + w] |= (uint64_t)1
                                                        << support_random_below(random, 64);
    }
}

/* Has an entry one move away been reached? Entry by entry, from a state. */
static bool is_reached(const struct table_product_own *own, const uint8_t *state)
{
    for (unsigned m = 0; m < puzzle_move_count(cube); m++) {
        uint8_t moved[PERM_MAX_BYTES];
        perm_compose(shape, state, puzzle_move_at(cube, m)->transform, moved);
        uint64_t index = table_product_index(own->product, moved);
        if (own->now[index / 64] >> index % 64 & 1)
            return true;
    }
    return false;
}

static void check_pulled(const struct table_product_own *own, uint32_t class_index,
                         struct support_random *random)
{
    const struct table_product *product = own->product;
    struct table_product_parts parts;
    table_product_raw_parts(product, product->rep[class_index], &parts);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES];
        uint32_t r = support_random_below(random, LAYERS);
        unsigned x = support_random_below(random, TABLE_PRODUCT_FLIPS);
        uint64_t line = (uint64_t)class_index * LAYERS + r;
        parts.layer = product->layer_slots[r];
        parts.flips = (uint16_t)(x | (unsigned)__builtin_parity(x) << 11);
        support_product_state(product, &parts, state);
        bool pulled = own->next[line * TABLE_PRODUCT_WORDS + x / 64] >> x % 64 & 1;
        SUPPORT_EXPECT(pulled == (!own->is_full[line] && is_reached(own, state)));
    }
}

#if defined(__x86_64__)
/* The same words from the other instruction set. */
static void check_avx2(const struct table_product_own *own, uint32_t class_index)
{
    const size_t words = (size_t)LAYERS * TABLE_PRODUCT_WORDS;
    uint64_t *next = own->next + class_index * words;
    uint64_t *portable = malloc(words * sizeof *portable);
    ck_assert_ptr_nonnull(portable);
    if (cpu_has(cpu_detect(), CPU_AVX2)) {
        memcpy(portable, next, words * sizeof *next);
        memset(next, 0, words * sizeof *next);
        table__product_pull_avx2(own, class_index);
        ck_assert_int_eq(memcmp(portable, next, words * sizeof *next), 0);
    }
    free(portable);
}
#endif

START_TEST(pulling_is_going_one_move_back)
{
    struct support_random random = {10};
    struct table_fill fill = {.strategy = &table__fill_product};
    uint8_t unused;
    struct table_fill_product request = {coarse.product, &identity, 1, TABLE_ENCODING_NONE,
                                         &unused};

    ck_assert_int_eq(table__product_own_new(&request, &fill.own), 0);
    struct table_product_own *own = fill.own;
    random_layer(own, &random);
    for (unsigned round = 0; round < 6; round++) {
        uint32_t class_index = round ? support_random_below(&random, own->product->n_classes) : 0;
        memset(own->next + (uint64_t)class_index * LAYERS * TABLE_PRODUCT_WORDS, 0,
               LAYERS * TABLE_PRODUCT_WORDS * sizeof *own->next);
        table__product_pull_portable(own, class_index);
        check_pulled(own, class_index, &random);
#if defined(__x86_64__)
        check_avx2(own, class_index);
#endif
    }
    table__fill_product.deinit(&fill);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        sizes_of_the_cube,
        raw_parts_go_back_and_forth,
        parts_are_the_slice_and_a_tetrad,
        images_share_a_class,
        entries_of_a_class_are_all_used,
        indices_in_the_register_are_those_of_the_coordinate,
        hidden_flips_are_left_out_of_the_index,
        the_identity_is_distributed_as_known,
        the_histogram_counts_entries,
        minima_are_those_of_their_entries,
        neighbours_are_consistent,
        images_have_equal_entries,
        chunks_may_be_run_in_any_order_by_any_thread,
        pulling_is_going_one_move_back,
    };

    return support_suite_run_shared("table_product", tests, sizeof tests / sizeof tests[0], setup,
                                    teardown, 120);
}
