/*
 * test_table_product_sizes.c - product tables with hidden flips and in every encoding, held against
 * the coarse table of the identity with all flips, a byte an entry, which is filled once before all
 * tests.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table.h"
#include "core/table/table_codec_inl.h"
#include "core/table/table_fill_int.h"
#include "core/table/table_product_fill_int.h"
#include "core/table/table_product_inl.h"
#include "tests/support/support_decode.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_product.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { GROUP = 256, VACANT_BOUND = 255, DISTANCES = 13 };

/* Entries of the coarse table at each distance; by classes, not positions. */
static const uint64_t known[DISTANCES] = {1,      1,       8,        65,       587,     6984, 80397,
                                          917722, 9507369, 62763602, 92316099, 4718709, 136};

static const struct cycle_structure identity;
static struct puzzle *cube;
static struct sym_group *group;
static struct support_product whole;

static void fill(struct support_product *filled, const struct sym_group *of, unsigned flip_bits,
                 enum support_form form)
{
    support_product_init(filled, of, false, flip_bits);
    filled->form = form;
    support_product_fill(filled, &identity, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_THREADS);
}

static void setup(void)
{
    cube = support_builtin("3x3x3");
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    fill(&whole, group, TABLE_PRODUCT_FLIP_BITS, SUPPORT_NONE);
}

static void teardown(void)
{
    support_product_deinit(&whole);
    sym_group_free(group);
    puzzle_release(cube);
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static void check_sizes(bool fine, uint64_t n_lines)
{
    for (unsigned bits = TABLE_PRODUCT_MIN_FLIP_BITS; bits <= TABLE_PRODUCT_FLIP_BITS; bits++) {
        struct table_product *product;
        ck_assert_int_eq(table_product_new(group, fine, bits, &product), 0);
        uint64_t n = n_lines << bits, codes = n / 4 + (n + 511) / 512 + TABLE_PRODUCT_TAIL_BYTES;
        ck_assert_uint_eq(product->n_lines, n_lines);
        ck_assert_uint_eq(product->n_entries, n);
        ck_assert_uint_eq(product->bytes, codes);
        ck_assert(fine || bits > 4 ? (double)codes * 8 <= 2.05 * (double)n : true);
        for (unsigned other = 2; other <= 11; other += 3) { /* any coordinate knows all sizes */
            ck_assert_uint_eq(table_product_bytes(product, other, TABLE_ENCODING_NONE),
                              n_lines << other);
            ck_assert_uint_eq(table_product_bytes(product, other, TABLE_ENCODING_TANS),
                              n_lines << other);
        }
        ck_assert_uint_eq(table_product_bytes(product, bits, TABLE_ENCODING_NXOPT), codes);
        /* Two sets of bits, and a byte three times for a line, whatever is kept. */
        ck_assert_uint_eq(table_product_scratch(product), n_lines * (2 * 256 + 3));
        table_product_free(product);
    }
}

START_TEST(sizes)
{
    struct table_product *product;

    check_sizes(false, 168 * 495);
    check_sizes(true, 9996 * 495);
    ck_assert_int_eq(table_product_new(group, true, 1, &product), BASE_ERR_RANGE);
    ck_assert_ptr_null(product);
    ck_assert_int_eq(table_product_new(group, true, 12, &product), BASE_ERR_RANGE);
    ck_assert_ptr_null(product);
}
END_TEST

static struct table_key key_of(bool fine, unsigned flip_bits)
{
    struct table_product *product;
    struct table_spec spec = {.structures = &identity, .n_structures = 1};
    struct table_key key;
    ck_assert_int_eq(table_product_new(group, fine, flip_bits, &product), 0);
    spec.product = product;
    ck_assert_int_eq(table_spec_key(&spec, &key), 0);
    table_product_free(product);
    return key;
}

/* Tables of all flips keep the keys that they have always had. */
START_TEST(keys)
{
    struct table_key fine = key_of(true, 11), coarse = key_of(false, 11), few = key_of(true, 7);

    ck_assert_ptr_nonnull(strstr(fine.text, "blocks=1 syms=48"));
    ck_assert_ptr_nonnull(strstr(coarse.text, "blocks=0 syms=48"));
    ck_assert_ptr_nonnull(strstr(few.text, "blocks=1 flips=7 syms=48"));
    ck_assert_str_ne(few.text, key_of(true, 8).text);
    ck_assert_str_ne(few.text, key_of(false, 7).text);
}
END_TEST

START_TEST(who_is_not_filled)
{
    uint8_t unused;
    struct table_fill_product request = {whole.product, &identity, 1, TABLE_ENCODING_TANS, &unused};
    struct table_fill *filling;

    ck_assert_int_eq(table_fill_new_product(&request, &filling), BASE_ERR_UNSUPPORTED);
    ck_assert_ptr_null(filling);
}
END_TEST

/* ---- entries -------------------------------------------------------------------------------- */

START_TEST(the_identity_is_distributed_as_known)
{
    uint64_t count[64];

    ck_assert_uint_eq(whole.layers, DISTANCES);
    for (unsigned d = 0; d < DISTANCES; d++)
        ck_assert_uint_eq(whole.histogram[d], known[d]);
    support_histogram(whole.payload, whole.product->n_entries, count);
    ck_assert_mem_eq(count, whole.histogram, sizeof count);
}
END_TEST

/* The least over hidden flips, as source bytes. New. */
static uint8_t *least_over_hidden(const struct table_product *product)
{
    uint8_t *least = malloc(product->n_entries);
    uint16_t seen[TABLE_PRODUCT_FLIPS];
    ck_assert_ptr_nonnull(least);
    memset(least, UINT8_MAX, product->n_entries);
    for (unsigned x = 0; x < TABLE_PRODUCT_FLIPS; x++)
        seen[x] = (uint16_t)support_product_hidden(product, x);
    for (uint64_t line = 0; line < product->n_lines; line++) {
        const uint8_t *from = whole.payload + line * TABLE_PRODUCT_FLIPS;
        uint8_t *to = least + (line << product->flip_bits);
        for (unsigned x = 0; x < TABLE_PRODUCT_FLIPS; x++)
            if (from[x] < to[seen[x]])
                to[seen[x]] = from[x];
    }
    return least;
}

/* Codes say of every entry what they can, to the decoder that knows nothing but FORMAT.md, and the
 * reader reads the same. `source` are the entries as bytes. */
static void expect_codes(const struct support_product *filled, const uint8_t *source)
{
    const uint64_t n = filled->product->n_entries;
    const unsigned base = support_product_base(filled);
    uint8_t *bound = malloc(n), least = VACANT_BOUND;
    ck_assert_ptr_nonnull(bound);
    support_decode_product(filled->payload, n, bound);
    for (uint64_t i = 0; i < n; i++) {
        if (i % GROUP == 0) {
            least = VACANT_BOUND;
            for (uint64_t j = i; j < n && j < i + GROUP; j++)
                least = (uint8_t)(source[j] - 1) < least ? (uint8_t)(source[j] - 1) : least;
        }
        unsigned distance = (uint8_t)(source[i] - 1);
        unsigned most = distance < base + 2 ? distance : base + 2;
        SUPPORT_EXPECT(bound[i] == (distance < base ? least : most));
        SUPPORT_EXPECT(bound[i] == table_product_read(filled->product, filled->payload, i));
    }
    free(bound);
}

/* What is lost of the average entry is little. */
static void expect_good_base(const struct support_product *filled, const uint8_t *source)
{
    const uint64_t n = filled->product->n_entries;
    uint64_t lost = 0;
    for (uint64_t i = 0; i < n; i++)
        lost += (uint8_t)(source[i] - 1) - table_product_read(filled->product, filled->payload, i);
    ck_assert_msg((double)lost < 0.2 * (double)n, "base %u loses %g", support_product_base(filled),
                  (double)lost / (double)n);
}

static void check_hidden(unsigned flip_bits)
{
    struct support_product bytes, codes;
    uint64_t count[64];
    fill(&bytes, group, flip_bits, SUPPORT_NONE);
    uint8_t *least = least_over_hidden(bytes.product);
    ck_assert_int_eq(memcmp(bytes.payload, least, bytes.product->n_entries), 0);
    support_histogram(bytes.payload, bytes.product->n_entries, count);
    ck_assert_mem_eq(count, bytes.histogram, sizeof count);
    ck_assert_uint_eq(bytes.total, bytes.product->n_entries);
    fill(&codes, group, flip_bits, SUPPORT_NXOPT);
    expect_codes(&codes, least);
    expect_good_base(&codes, least);
    for (unsigned d = 0; d < codes.layers; d++)
        ck_assert_uint_eq(codes.histogram[d], bytes.histogram[d]);
    free(least);
    support_product_deinit(&bytes);
    support_product_deinit(&codes);
}

START_TEST(entries_are_the_least_over_hidden_flips)
{
    static const unsigned bits[] = {2, 5, 7};

    for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
        check_hidden(bits[i]);
}
END_TEST

START_TEST(codes_of_all_flips)
{
    struct support_product codes;

    fill(&codes, group, TABLE_PRODUCT_FLIP_BITS, SUPPORT_NXOPT);
    expect_codes(&codes, whole.payload);
    expect_good_base(&codes, whole.payload);
    support_product_deinit(&codes);
}
END_TEST

/* Classes share bytes of minima, and below seven flips groups. */
START_TEST(chunks_may_be_run_in_any_order_by_any_thread)
{
    static const unsigned bits[] = {3, 8};

    for (unsigned i = 0; i < 2; i++) {
        struct support_product one, other;
        support_product_init(&one, group, false, bits[i]);
        support_product_init(&other, group, false, bits[i]);
        support_product_fill(&one, &identity, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_IN_ORDER);
        support_product_fill(&other, &identity, 1, SUPPORT_FILL_SHUFFLED, SUPPORT_FILL_THREADS);
        ck_assert_int_eq(memcmp(one.payload, other.payload, one.bytes), 0);
        ck_assert_mem_eq(one.histogram, other.histogram, sizeof one.histogram);
        support_product_deinit(&one);
        support_product_deinit(&other);
    }
}
END_TEST

/* ---- tans ----------------------------------------------------------------------------------- */

static void check_tans(enum support_form form, unsigned flip_bits, const uint8_t *least)
{
    struct support_product filled;
    uint64_t count[64] = {0}, lower = 0;
    fill(&filled, group, flip_bits, SUPPORT_NONE);
    uint64_t n = filled.product->n_entries;
    uint8_t *bound = malloc(n);
    ck_assert_ptr_nonnull(bound);
    support_product_encode(&filled, form);
    support_decode("tans", filled.payload, n, bound);
    for (uint64_t i = 0; i < n; i++) {
        unsigned distance = least[i] - 1u;
        SUPPORT_EXPECT(bound[i] == table_codec_bound(filled.codec, filled.payload, i));
        SUPPORT_EXPECT(bound[i] <= distance);
        lower += bound[i] < distance;
        count[bound[i]]++;
    }
    ck_assert_uint_lt(filled.bytes, n / 4); /* less than two bits an entry */
    if (form == SUPPORT_TANS_LOSSLESS)
        ck_assert_mem_eq(count, filled.histogram, sizeof count);
    ck_assert_uint_eq(lower, table_codec_lowered(filled.codec));
    ck_assert_uint_le(lower * 200, n);
    free(bound);
    support_product_deinit(&filled);
}

/* The histogram of what comes out is that of what went in. */
START_TEST(tans_tells_the_same)
{
    struct table_product *product;

    ck_assert_int_eq(table_product_new(group, false, 6, &product), 0);
    uint8_t *least = least_over_hidden(product);
    check_tans(SUPPORT_TANS_LOSSLESS, 6, least);
    check_tans(SUPPORT_TANS, 6, least);
    free(least);
    table_product_free(product);
}
END_TEST

/* ---- bounds --------------------------------------------------------------------------------- */

/* After so many random moves from the target no bound is larger, and along a word that leads to it
 * none is larger than what is left. */
static void check_bounds(const struct support_product *filled, const char *text)
{
    uint8_t word[SUPPORT_MAX_WORD], member[PERM_MAX_BYTES];
    unsigned length = support_word_parse(cube, text, word);
    puzzle_apply_word(cube, NULL, word, length, member);
    support_product_check_word(filled, word, length);
    ck_assert_uint_ge(support_product_check_walks(filled, member, 100, 12), 2);
}

/* In every form; what one tells is not more than what bytes tell. */
static void check_forms(const char *text, unsigned flip_bits)
{
    struct cycle_structure structure;
    struct support_product bytes, codes;
    struct support_random random = {flip_bits};
    uint8_t member[PERM_MAX_BYTES];
    support_word_state(cube, text, member);
    cycle_of_state(cube, member, &structure);
    support_product_init(&bytes, group, false, flip_bits);
    support_product_init(&codes, group, false, flip_bits);
    bytes.form = SUPPORT_NONE;
    support_product_fill(&bytes, &structure, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_IN_ORDER);
    support_product_fill(&codes, &structure, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_IN_ORDER);
    expect_codes(&codes, bytes.payload);
    check_bounds(&bytes, text);
    check_bounds(&codes, text);
    for (unsigned round = 0; round < 1000; round++) {
        uint8_t state[PERM_MAX_BYTES];
        support_random_state(&random, cube, state);
        SUPPORT_EXPECT(support_product_bound(&codes, state) <=
                       support_product_bound(&bytes, state));
    }
    support_product_encode(&bytes, SUPPORT_TANS);
    check_bounds(&bytes, text);
    support_product_deinit(&bytes);
    support_product_deinit(&codes);
}

START_TEST(no_form_says_too_much)
{
    check_forms("", 5);
    check_forms("U R F", 8);
}
END_TEST

/* ---- the base ------------------------------------------------------------------------------- */

/* Fills as usual, but with a base that is set after three layers. */
static void fill_from_low_base(struct support_product *filled)
{
    struct table_fill_product request = {filled->product, &identity, 1, TABLE_ENCODING_NXOPT,
                                         filled->payload};
    struct support_random random = {1};
    struct table_fill *filling;
    memset(filled->payload, 0, filled->bytes);
    ck_assert_int_eq(table_fill_new_product(&request, &filling), 0);
    struct table_product_own *own = filling->own;
    do {
        if (table_fill_layers(filling) == 3)
            own->base = 3;
        support_fill_pass(filling, SUPPORT_FILL_THREADS, &random);
    } while (table_fill_next(filling));
    ck_assert_uint_eq(own->base, filled->payload[filled->bytes - TABLE_PRODUCT_TAIL_BYTES]);
    table_fill_free(filling);
}

/* A base that begins too low is raised to where it belongs, and all codes with it. */
START_TEST(the_base_may_be_raised)
{
    static const unsigned bits[] = {5, 7};

    for (unsigned i = 0; i < 2; i++) {
        struct support_product filled;
        fill(&filled, group, bits[i], SUPPORT_NXOPT);
        uint8_t *usual = malloc(filled.bytes);
        ck_assert_ptr_nonnull(usual);
        memcpy(usual, filled.payload, filled.bytes);
        fill_from_low_base(&filled);
        ck_assert_int_eq(memcmp(usual, filled.payload, filled.bytes), 0);
        free(usual);
        support_product_deinit(&filled);
    }
}
END_TEST

/* Layers that grow slowly, or end before the table is half full. Takes the puzzle. */
static unsigned base_with_moves(struct puzzle *puzzle, unsigned flip_bits)
{
    struct sym_group *of;
    struct support_product bytes, codes;
    ck_assert_int_eq(sym_group_new(puzzle, &of), 0);
    fill(&bytes, of, flip_bits, SUPPORT_NONE);
    fill(&codes, of, flip_bits, SUPPORT_NXOPT);
    expect_codes(&codes, bytes.payload);
    unsigned base = support_product_base(&codes);
    const uint64_t *count = bytes.histogram;
    ck_assert_uint_ge(count[base] + count[base + 1], count[base + 1] + count[base + 2]);
    ck_assert_uint_ge(count[base] + count[base + 1], count[base] + count[base - 1]);
    support_product_deinit(&bytes);
    support_product_deinit(&codes);
    sym_group_free(of);
    puzzle_release(puzzle);
    return base;
}

START_TEST(the_base_follows_the_moves)
{
    ck_assert_uint_eq(base_with_moves(support_puzzle_only(cube, "U R F D L B"), 8), 9);
    ck_assert_uint_eq(base_with_moves(support_puzzle_only(cube, "R L U2 D2 F B"), 7), 9);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        sizes,
        keys,
        who_is_not_filled,
        the_identity_is_distributed_as_known,
        entries_are_the_least_over_hidden_flips,
        codes_of_all_flips,
        chunks_may_be_run_in_any_order_by_any_thread,
        tans_tells_the_same,
        no_form_says_too_much,
        the_base_may_be_raised,
        the_base_follows_the_moves,
    };

    return support_suite_run_shared("table_product_sizes", tests, sizeof tests / sizeof tests[0],
                                    setup, teardown, 600);
}
