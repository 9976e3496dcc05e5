/*
 * test_table_product_fine.c - the fine product table of the identity (2.5 GB, and as much again
 * while it is filled), held against itself, against the coarse one, and against a fine one with
 * hidden flips, a byte an entry (0.6 GB). Skipped where the host has less than 7 GiB to spare.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu/cpu.h"
#include "core/table/table_product_inl.h"
#include "tests/support/support_cube3.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_product.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { NEEDED_KIB = 7 << 20, ROUNDS = 100000, FAR = 255, FEW = 7 };

static const struct cycle_structure identity;
static struct puzzle *cube;
static struct sym_group *group;
static struct support_product coarse, fine, few;
static bool skipped;

static uint64_t available_kib(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    unsigned long long kib = 0;
    char line[128];
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            break;
    fclose(file);
    return kib;
}

static void setup(void)
{
    uint64_t kib = available_kib();
    skipped = kib < NEEDED_KIB;
    if (skipped) {
        printf("skipped: %llu MiB available, %d needed\n", (unsigned long long)kib >> 10,
               NEEDED_KIB >> 10);
        return;
    }
    cube = support_builtin("3x3x3");
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    support_product_init(&coarse, group, false, TABLE_PRODUCT_FLIP_BITS);
    support_product_init(&fine, group, true, TABLE_PRODUCT_FLIP_BITS);
    support_product_init(&few, group, true, FEW);
    few.form = SUPPORT_NONE;
    support_product_fill(&coarse, &identity, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_IN_ORDER);
    support_product_fill(&fine, &identity, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_THREADS);
    support_product_fill(&few, &identity, 1, SUPPORT_FILL_THREADS, SUPPORT_FILL_THREADS);
}

static void teardown(void)
{
    if (skipped)
        return;
    support_product_deinit(&coarse);
    support_product_deinit(&fine);
    support_product_deinit(&few);
    sym_group_free(group);
    puzzle_release(cube);
}

/* A state after up to `most` random moves. */
static void random_near(struct support_random *random, unsigned most, uint8_t *state)
{
    uint8_t word[SUPPORT_MAX_WORD];
    unsigned length = support_random_below(random, most + 1);
    support_random_word(random, cube, word, length);
    puzzle_apply_word(cube, NULL, word, length, state);
}

/* Every entry is set or far, and the codes are those that the histogram counts. */
START_TEST(entries_are_those_of_the_histogram)
{
    uint64_t code[4] = {0}, total = 0;

    if (skipped)
        return;
    for (uint64_t i = 0; i < fine.product->codes_bytes; i++)
        for (unsigned shift = 0; shift < 8; shift += 2)
            code[fine.payload[i] >> shift & 3]++;
    for (unsigned d = 0; d < fine.layers; d++)
        total += fine.histogram[d];
    ck_assert_uint_eq(fine.total, total);
    ck_assert_uint_eq(fine.layers, support_product_base(&fine) + 2);
    ck_assert_uint_eq(code[1], fine.histogram[fine.layers - 2]);
    ck_assert_uint_eq(code[2], fine.histogram[fine.layers - 1]);
    ck_assert_uint_eq(code[0], total - code[1] - code[2]);
    ck_assert_uint_eq(fine.histogram[0], 1);
}
END_TEST

START_TEST(neighbours_are_consistent)
{
    struct support_random random = {21};

    for (unsigned round = 0; !skipped && round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES];
        random_near(&random, 20, state);
        support_product_check_neighbours(&fine, state);
    }
}
END_TEST

START_TEST(random_walks_are_bounded)
{
    uint8_t solved[PERM_MAX_BYTES];

    if (skipped)
        return;
    perm_identity(puzzle_shape(cube), solved);
    ck_assert_uint_ge(support_product_check_walks(&fine, solved, 3000, 20),
                      support_product_base(&fine) + 1);
}
END_TEST

/* What an entry says: the distance is from *least to *most. */
static void range_of_entry(const struct support_product *filled, uint64_t index, unsigned *least,
                           unsigned *most)
{
    unsigned code = support_product_code(filled, index), base = support_product_base(filled);
    *least = table_product_read(filled->product, filled->payload, index);
    *most = code == 0 ? base - 1 : code == 3 ? FAR : *least;
    SUPPORT_EXPECT(*least <= *most);
}

static void range_of(const struct support_product *filled, const uint8_t *state, unsigned *least,
                     unsigned *most)
{
    range_of_entry(filled, table_product_index(filled->product, state), least, most);
}

/* The coarse part is a part of the fine one, so it is never farther. */
START_TEST(the_coarse_table_is_a_projection)
{
    struct support_random random = {22};
    unsigned compared = 0;

    for (unsigned round = 0; !skipped && round < 4 * ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES];
        unsigned least[2], most[2];
        random_near(&random, 20, state);
        range_of(&coarse, state, &least[0], &most[0]);
        range_of(&fine, state, &least[1], &most[1]);
        SUPPORT_EXPECT(least[0] <= most[1]);
        compared += least[0] == most[0] && least[1] == most[1];
    }
    ck_assert(skipped || compared > ROUNDS / 10);
}
END_TEST

/* The entries of a line that hides flips, from what the codes of all flips leave open. Returns how
 * many they tell exactly. */
static unsigned compare_line(uint64_t line)
{
    unsigned least[1 << FEW], most[1 << FEW], exact = 0;
    for (unsigned x = 0; x < 1 << FEW; x++)
        least[x] = most[x] = FAR;
    for (unsigned x = 0; x < TABLE_PRODUCT_FLIPS; x++) {
        unsigned from, to, seen = (unsigned)support_product_hidden(few.product, x);
        range_of_entry(&fine, line * TABLE_PRODUCT_FLIPS + x, &from, &to);
        least[seen] = from < least[seen] ? from : least[seen];
        most[seen] = to < most[seen] ? to : most[seen];
    }
    for (unsigned x = 0; x < 1 << FEW; x++) {
        unsigned distance = few.payload[(line << FEW) + x] - 1u;
        SUPPORT_EXPECT(least[x] <= distance && distance <= most[x]);
        exact += least[x] == most[x];
    }
    return exact;
}

START_TEST(hidden_flips_give_the_least)
{
    struct support_random random = {24};
    uint64_t total = 0, exact = 0;

    if (skipped)
        return;
    for (unsigned d = 0; d < few.layers; d++)
        total += few.histogram[d];
    ck_assert_uint_eq(total, few.product->n_entries);
    for (unsigned round = 0; round < ROUNDS; round++)
        exact += compare_line(support_random_below(&random, (unsigned)fine.product->n_lines));
    ck_assert_uint_gt(exact, (uint64_t)ROUNDS << (FEW - 1));
}
END_TEST

START_TEST(hidden_flips_are_bounded)
{
    uint8_t solved[PERM_MAX_BYTES];

    if (skipped)
        return;
    perm_identity(puzzle_shape(cube), solved);
    ck_assert_uint_ge(support_product_check_walks(&few, solved, 3000, 20), 10);
}
END_TEST

/* One search's questions: the register's index finds the entry that the reference asks. */
START_TEST(the_register_reads_the_same_entries)
{
    struct support_random random = {23};
    const struct support_cube3 *set = &support_cube3_portable;
    struct table table;

    if (skipped)
        return;
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2))
        set = &support_cube3_avx2;
#endif
    support_product_table_init(&table, &fine);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
        unsigned bound = 0;
        support_random_state(&random, cube, state);
        perm_invert(puzzle_shape(cube), state, inverse);
        for (unsigned q = 0; q < 2 * table.cube3->n_questions; q++) {
            struct cube3 packed;
            cube3_from_state(puzzle_shape(cube), q & 1 ? inverse : state, &packed);
            uint64_t index = set->product_index(&table.cube3->product, q / 2, &packed);
            unsigned answer = table_product_read(fine.product, fine.payload, index);
            bound = answer > bound ? answer : bound;
        }
        SUPPORT_EXPECT(bound == support_product_bound(&fine, state));
    }
    support_fill_table_deinit(&table);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        entries_are_those_of_the_histogram,  neighbours_are_consistent,   random_walks_are_bounded,
        the_coarse_table_is_a_projection,    hidden_flips_give_the_least, hidden_flips_are_bounded,
        the_register_reads_the_same_entries,
    };

    return support_suite_run_shared("table_product_fine", tests, sizeof tests / sizeof tests[0],
                                    setup, teardown, 600);
}
