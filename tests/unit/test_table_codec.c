/*
 * test_table_codec.c - the encodings: what comes out is what went in, or less where that is
 * allowed; sizes on real tables; an independent decoder agrees; damaged payloads do no harm.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_mem.h"
#include "core/table/table_codec_inl.h"
#include "tests/support/support_codec.h"
#include "tests/support/support_corpus.h"
#include "tests/support/support_decode.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"

enum { VACANT_BOUND = 255, MAX_ENTRIES = 200000, SAMPLE = 13 };

/* ---- what a bound must be ---------------------------------------------------------------- */

/* Compares every step-th bound with its source; returns how many are lower. */
static uint64_t expect_bounds(enum support_form form, const struct support_encoded *encoded,
                              const uint8_t *source_bytes, uint64_t n, unsigned step)
{
    uint64_t lower = 0;
    for (uint64_t i = 0; i < n; i += step) {
        unsigned bound = table_codec_bound(encoded->codec, encoded->payload, i);
        unsigned source = (uint8_t)(source_bytes[i] - 1);
        SUPPORT_EXPECT(bound <= source);
        if (form == SUPPORT_NONE || form == SUPPORT_TANS_LOSSLESS)
            SUPPORT_EXPECT(bound == source);
        if (source == VACANT_BOUND)
            SUPPORT_EXPECT(form == SUPPORT_NXOPT || bound == VACANT_BOUND);
        else
            lower += bound < source;
    }
    return lower;
}

/* A codec that knows nothing but the payload reads the same, and so does the decoder that knows
 * nothing but FORMAT.md. */
static void expect_same_from_outside(enum support_form form, const struct support_encoded *encoded,
                                     uint64_t n)
{
    enum table_encoding encoding = support_form_encoding(form);
    struct table_codec *opened;
    uint8_t *slow = malloc(n);
    ck_assert_ptr_nonnull(slow);
    ck_assert_int_eq(table_codec_open(encoding, encoded->payload, encoded->bytes, n, &opened), 0);
    ck_assert_int_eq(table_codec_encoding(opened), encoding);
    support_decode(table_encoding_name(encoding), encoded->payload, n, slow);
    for (uint64_t i = 0; i < n; i++) {
        unsigned bound = table_codec_bound(encoded->codec, encoded->payload, i);
        SUPPORT_EXPECT(bound == slow[i]);
        if (i % 4 == 0)
            SUPPORT_EXPECT(bound == table_codec_bound(opened, encoded->payload, i));
    }
    table_codec_free(opened);
    free(slow);
}

/* The line to prefetch is one of the payload, whole. */
static void expect_lines_inside(const struct support_encoded *encoded, uint64_t n)
{
    for (uint64_t i = 0; i < n; i += n / 1000 + 1) {
        const uint8_t *line = table_codec_line(encoded->codec, encoded->payload, i);
        SUPPORT_EXPECT(line >= encoded->payload && line < encoded->payload + encoded->bytes);
    }
}

/* Everything that holds for every source, whatever the histogram says. */
static void expect_round_trip(enum support_form form, const uint8_t *source_bytes, uint64_t n,
                              const uint64_t *histogram)
{
    struct support_encoded encoded;
    support_encode(form, source_bytes, n, histogram, SUPPORT_IN_ORDER, &encoded);
    ck_assert_uint_eq(expect_bounds(form, &encoded, source_bytes, n, 1),
                      table_codec_lowered(encoded.codec));
    expect_same_from_outside(form, &encoded, n);
    expect_lines_inside(&encoded, n);
    support_encode_free(&encoded);
}

static void expect_round_trips(const uint8_t *source_bytes, uint64_t n)
{
    uint64_t histogram[64];
    support_histogram(source_bytes, n, histogram);
    for (unsigned form = 0; form < SUPPORT_FORM_COUNT; form++)
        expect_round_trip(form, source_bytes, n, histogram);
}

/* ---- made up sources --------------------------------------------------------------------- */

static uint8_t entries[MAX_ENTRIES];

/* n entries of `values` different bytes; `skew` makes a few of them frequent: 0 none, 60 very. */
static void fill_random(struct support_random *random, uint64_t n, unsigned values, unsigned skew)
{
    uint8_t byte[64];
    unsigned order[64];
    for (unsigned i = 0; i < 64; i++)
        order[i] = i;
    support_random_shuffle(random, order, 64);
    for (unsigned i = 0; i < 64; i++)
        byte[i] = (uint8_t)order[i];
    for (uint64_t i = 0; i < n; i++) {
        unsigned pick = support_random_below(random, values);
        for (unsigned turn = 0; turn < skew / 10; turn++)
            pick = support_random_below(random, pick + 1);
        entries[i] = byte[pick];
    }
}

START_TEST(random_tables_come_back)
{
    static const unsigned values[] = {2, 3, 7, 15, 64};
    struct support_random random = {11};
    for (unsigned i = 0; i < 5; i++)
        for (unsigned skew = 0; skew <= 60; skew += 20) {
            uint64_t n = 1 + support_random_below(&random, 40000);
            fill_random(&random, n, values[i], skew);
            expect_round_trips(entries, n);
        }
}
END_TEST

START_TEST(tables_of_any_length_come_back)
{
    static const uint64_t lengths[] = {1,   2,   3,    13,   63,   64,   65,   253,
                                       254, 255, 1000, 4095, 4096, 4097, 50000};
    struct support_random random = {12};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        fill_random(&random, lengths[i], 9, 30);
        expect_round_trips(entries, lengths[i]);
    }
}
END_TEST

START_TEST(degenerate_tables_come_back)
{
    static const uint64_t lengths[] = {1, 100, 100000};
    static const uint8_t bytes[] = {0, 1, 2, 30, 63};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 5; k++) {
            memset(entries, bytes[k], lengths[i]);
            expect_round_trips(entries, lengths[i]);
            entries[lengths[i] / 2] = bytes[(k + 1) % 5]; /* and one that is different */
            expect_round_trips(entries, lengths[i]);
            entries[lengths[i] / 2] = bytes[(k + 4) % 5];
            expect_round_trips(entries, lengths[i]);
        }
}
END_TEST

/* Neighbours alike, as in real tables, and more so: long runs. */
START_TEST(tables_of_runs_come_back)
{
    struct support_random random = {13};
    for (unsigned longest = 10; longest <= 100000; longest *= 10) {
        for (unsigned i = 0; i < MAX_ENTRIES;) {
            unsigned run = 1 + support_random_below(&random, longest);
            uint8_t byte = (uint8_t)support_random_below(&random, 12);
            for (; run > 0 && i < MAX_ENTRIES; run--)
                entries[i++] = byte;
        }
        expect_round_trips(entries, MAX_ENTRIES);
    }
}
END_TEST

/* A histogram of other entries makes a bad encoding, not a wrong one. */
START_TEST(a_wrong_histogram_does_no_harm)
{
    struct support_random random = {14};
    const uint64_t n = 20000;
    uint64_t histogram[64];
    for (unsigned round = 0; round < 8; round++) {
        fill_random(&random, n, 2 + 8 * round, 10 * (round % 7));
        support_histogram(entries, n, histogram);
        fill_random(&random, n, 64 - 8 * round, 10 * (round % 5));
        for (unsigned form = 0; form < SUPPORT_FORM_COUNT; form++)
            expect_round_trip(form, entries, n, histogram);
    }
}
END_TEST

/* All rare entries in the same blocks, far more than fit: the worst that can happen to them. */
START_TEST(blocks_full_of_rare_entries_come_back)
{
    struct support_random random = {15};
    uint64_t histogram[64];
    struct support_encoded encoded;
    fill_random(&random, MAX_ENTRIES, 12, 60);
    support_histogram(entries, MAX_ENTRIES, histogram);
    support_encode(SUPPORT_TANS, entries, MAX_ENTRIES, histogram, SUPPORT_IN_ORDER, &encoded);
    uint64_t n_blocks = encoded.codec->tans.n_blocks;
    support_encode_free(&encoded);
    for (uint64_t i = 0; i < MAX_ENTRIES; i++)
        if (i % n_blocks < 3)
            entries[i] = (uint8_t)(i % n_blocks == 0 ? i % 64 : i % n_blocks == 1 ? 0 : 1);
    for (unsigned form = 0; form < SUPPORT_FORM_COUNT; form++)
        expect_round_trip(form, entries, MAX_ENTRIES, histogram);
}
END_TEST

/* ---- nxopt ------------------------------------------------------------------------------- */

static uint64_t total_loss(unsigned base, uint64_t n)
{
    uint64_t loss = 0;
    for (uint64_t first = 0; first < n; first += 254) {
        unsigned end = n - first < 254 ? (unsigned)(n - first) : 254, least = 255;
        for (unsigned i = 0; i < end; i++)
            if (entries[first + i] != 0 && entries[first + i] - 1u < least)
                least = entries[first + i] - 1u;
        for (unsigned i = 0; i < end; i++) {
            unsigned v = (uint8_t)(entries[first + i] - 1);
            if (v == VACANT_BOUND)
                continue;
            loss += v < base ? v - least : v > base + 2 ? v - base - 2 : 0;
        }
    }
    return loss;
}

/* On random tables the chosen base is the best or as good, up to chance. */
START_TEST(the_base_loses_least)
{
    struct support_random random = {16};
    const uint64_t n = 100000;
    for (unsigned round = 0; round < 12; round++) {
        struct support_encoded encoded;
        uint64_t histogram[64], best = UINT64_MAX;
        unsigned middle = 1 + 4 * round;
        for (uint64_t i = 0; i < n; i++)
            entries[i] = (uint8_t)(1 + middle + support_random_below(&random, 4) +
                                   support_random_below(&random, 4) -
                                   support_random_below(&random, middle % 5 + 1));
        support_histogram(entries, n, histogram);
        support_encode(SUPPORT_NXOPT, entries, n, histogram, SUPPORT_IN_ORDER, &encoded);
        for (unsigned base = 0; base <= 60; base++)
            best = total_loss(base, n) < best ? total_loss(base, n) : best;
        ck_assert_uint_le(total_loss(encoded.codec->nxopt.base, n), best + best / 50);
        support_encode_free(&encoded);
    }
}
END_TEST

/* Minima far below the base: as good as four bits can say, never too high. */
START_TEST(deep_tables_keep_their_minima)
{
    struct support_random random = {17};
    uint64_t histogram[64], n = 254 * 100;
    struct support_encoded encoded;
    for (uint64_t i = 0; i < n; i++)
        entries[i] = (uint8_t)(41 + support_random_below(&random, 3));
    for (unsigned line = 0; line < 100; line++)
        entries[254 * line + support_random_below(&random, 254)] = (uint8_t)(1 + line % 41);
    support_histogram(entries, n, histogram);
    support_encode(SUPPORT_NXOPT, entries, n, histogram, SUPPORT_IN_ORDER, &encoded);
    ck_assert_uint_eq(encoded.codec->nxopt.base, 40);
    expect_bounds(SUPPORT_NXOPT, &encoded, entries, n, 1);
    for (uint64_t i = 0; i < n; i++) {
        unsigned v = entries[i] - 1u, bound = table_codec_bound(encoded.codec, encoded.payload, i);
        SUPPORT_EXPECT(bound == (v > 24 ? v : 0));
    }
    support_encode_free(&encoded);
}
END_TEST

/* ---- real tables ------------------------------------------------------------------------- */

static void expect_size(enum support_form form, const struct support_corpus *corpus,
                        const struct support_encoded *encoded)
{
    double bits = 8 * (double)encoded->bytes / (double)corpus->n_entries;
    double entropy = support_corpus_entropy(corpus->histogram, corpus->n_entries);
    if (form == SUPPORT_NXOPT)
        ck_assert_double_le(bits, 2.05);
    if (form == SUPPORT_TANS || form == SUPPORT_TANS_LOSSLESS)
        ck_assert_double_le(bits, 1.15 * entropy);
    double expected = (double)table_codec_expected_bytes(encoded->codec);
    ck_assert_double_le(fabs(expected / (double)encoded->bytes - 1), 0.02);
}

/* Few bounds are lower than the entries. */
static void expect_lowered(enum support_form form, uint64_t lowered, uint64_t n)
{
    double share = (double)lowered / (double)n;
    if (form == SUPPORT_TANS)
        ck_assert_double_lt(share, 0.005);
    else if (form == SUPPORT_NXOPT)
        ck_assert_double_lt(share, 0.08);
    else
        ck_assert_uint_eq(lowered, 0);
}

/* Small tables are read whole, of the others every 13th entry. */
static void check_real(unsigned i)
{
    struct support_corpus corpus;
    ck_assert_int_eq(support_corpus_init(i, &corpus), 0);
    for (unsigned form = 0; form < SUPPORT_FORM_COUNT; form++) {
        struct support_encoded encoded;
        support_encode(form, corpus.entries, corpus.n_entries, corpus.histogram, SUPPORT_IN_ORDER,
                       &encoded);
        expect_size(form, &corpus, &encoded);
        uint64_t lowered = table_codec_lowered(encoded.codec);
        expect_lowered(form, lowered, corpus.n_entries);
        unsigned step = i < SUPPORT_CORPUS_SMALL ? 1 : SAMPLE;
        uint64_t seen = expect_bounds(form, &encoded, corpus.entries, corpus.n_entries, step);
        if (step == 1) {
            ck_assert_uint_eq(seen, lowered);
            expect_same_from_outside(form, &encoded, corpus.n_entries);
        }
        support_encode_free(&encoded);
    }
    support_corpus_deinit(&corpus);
}

START_TEST(small_real_tables_are_small_enough)
{
    for (unsigned i = 0; i < SUPPORT_CORPUS_SMALL; i++)
        check_real(i);
}
END_TEST

START_TEST(six_edges_of_the_identity_are_small_enough)
{
    check_real(SUPPORT_CORPUS_SMALL);
}
END_TEST

START_TEST(six_edges_of_two_flips_are_small_enough)
{
    check_real(SUPPORT_CORPUS_SMALL + 1);
}
END_TEST

START_TEST(chunks_in_any_order_make_the_same_payload)
{
    struct support_corpus corpus;
    ck_assert_int_eq(support_corpus_init(0, &corpus), 0);
    for (unsigned form = 0; form < SUPPORT_FORM_COUNT; form++) {
        struct support_encoded first, other;
        support_encode(form, corpus.entries, corpus.n_entries, corpus.histogram, SUPPORT_IN_ORDER,
                       &first);
        ck_assert_uint_gt(table_codec_chunks(first.codec), 1);
        for (unsigned order = SUPPORT_SHUFFLED; order <= SUPPORT_ON_THREADS; order++) {
            support_encode(form, corpus.entries, corpus.n_entries, corpus.histogram, order, &other);
            ck_assert_uint_eq(first.bytes, other.bytes);
            ck_assert_int_eq(memcmp(first.payload, other.payload, first.bytes), 0);
            support_encode_free(&other);
        }
        support_encode_free(&first);
    }
    support_corpus_deinit(&corpus);
}
END_TEST

/* ---- what is refused --------------------------------------------------------------------- */

START_TEST(encodings_have_names)
{
    enum table_encoding encoding;
    for (int i = 0; i < TABLE_ENCODING_COUNT; i++) {
        ck_assert_int_eq(table_encoding_parse(table_encoding_name(i), &encoding), 0);
        ck_assert_int_eq(encoding, i);
    }
    ck_assert_str_eq(table_encoding_name(TABLE_ENCODING_NONE), "none");
    ck_assert_str_eq(table_encoding_name(TABLE_ENCODING_NXOPT), "nxopt");
    ck_assert_str_eq(table_encoding_name(TABLE_ENCODING_TANS), "tans");
    ck_assert_int_eq(table_encoding_parse("", &encoding), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(table_encoding_parse("tan", &encoding), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(table_encoding_parse("NONE", &encoding), BASE_ERR_NOT_FOUND);
}
END_TEST

static void expect_new(int encoding, const uint64_t *histogram, uint64_t n, int code)
{
    struct table_codec *codec;
    ck_assert_int_eq(table_codec_new(encoding, histogram, n, NULL, &codec), code);
    ck_assert_int_eq(codec == NULL, code != 0);
    table_codec_free(codec);
}

START_TEST(impossible_histograms_are_refused)
{
    const uint64_t most = (uint64_t)1 << TABLE_CODEC_MAX_LOG;
    for (int encoding = 0; encoding < TABLE_ENCODING_COUNT; encoding++) {
        uint64_t histogram[64] = {0};
        expect_new(encoding, histogram, 0, BASE_ERR_RANGE);
        expect_new(encoding, histogram, most + 1, BASE_ERR_RANGE);
        expect_new(encoding, histogram, 1, 0);
        expect_new(encoding, histogram, most, 0);
        histogram[4] = 60;
        histogram[62] = 40;
        expect_new(encoding, histogram, 100, 0);
        expect_new(encoding, histogram, 99, BASE_ERR_RANGE);
        histogram[5] = UINT64_MAX - 99;
        expect_new(encoding, histogram, 100, BASE_ERR_RANGE);
        histogram[5] = 0;
        histogram[63] = 1;
        expect_new(encoding, histogram, 1000, BASE_ERR_RANGE);
    }
}
END_TEST

static int try_open(enum support_form form, const uint8_t *payload, uint64_t bytes, uint64_t n)
{
    struct table_codec *codec;
    int code = table_codec_open(support_form_encoding(form), payload, bytes, n, &codec);
    ck_assert_int_eq(codec == NULL, code != 0);
    table_codec_free(codec);
    return code;
}

START_TEST(payloads_of_other_sizes_are_refused)
{
    struct support_random random = {18};
    const uint64_t n = 30000;
    uint64_t histogram[64];
    fill_random(&random, n, 9, 30);
    support_histogram(entries, n, histogram);
    for (unsigned form = 0; form < SUPPORT_FORM_COUNT; form++) {
        struct support_encoded encoded;
        support_encode(form, entries, n, histogram, SUPPORT_IN_ORDER, &encoded);
        const uint8_t *payload = encoded.payload;
        ck_assert_int_eq(try_open(form, payload, encoded.bytes, n), 0);
        for (uint64_t bytes = 0; bytes < encoded.bytes; bytes += bytes / 7 + 1)
            ck_assert_int_eq(try_open(form, payload, bytes, n), BASE_ERR_CORRUPT);
        ck_assert_int_eq(try_open(form, payload, encoded.bytes - 1, n), BASE_ERR_CORRUPT);
        ck_assert_int_eq(try_open(form, payload, encoded.bytes, 0), BASE_ERR_CORRUPT);
        ck_assert_int_eq(try_open(form, payload, encoded.bytes, 2 * n), BASE_ERR_CORRUPT);
        ck_assert_int_eq(try_open(form, payload, encoded.bytes, UINT64_MAX), BASE_ERR_CORRUPT);
        support_encode_free(&encoded);
    }
}
END_TEST

/* Reads all of a payload that may be damaged: no access outside, and bounds that exist. */
static bool survives(enum support_form form, const uint8_t *payload, uint64_t bytes, uint64_t n)
{
    struct table_codec *codec;
    if (table_codec_open(support_form_encoding(form), payload, bytes, n, &codec) != 0)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        unsigned bound = table_codec_bound(codec, payload, i);
        SUPPORT_EXPECT(bound < TABLE_CODEC_VALUES - 1 || bound == VACANT_BOUND);
    }
    table_codec_free(codec);
    return true;
}

/* Damages a few bytes; every second time in the head. */
static void damage(struct support_random *random, uint8_t *payload, uint64_t bytes)
{
    unsigned count = 1 + support_random_below(random, 4);
    unsigned limit = support_random_below(random, 2) ? (unsigned)bytes : 64;
    for (; count > 0; count--) {
        uint8_t *at = &payload[support_random_below(random, limit)];
        *at = support_random_below(random, 2)
                  ? (uint8_t)support_random_below(random, 256)
                  : (uint8_t)(*at ^ 1u << support_random_below(random, 8));
    }
}

START_TEST(damaged_payloads_do_no_harm)
{
    struct support_random random = {19};
    const uint64_t n = 1500;
    uint64_t histogram[64];
    fill_random(&random, n, 11, 30);
    support_histogram(entries, n, histogram);
    for (unsigned form = SUPPORT_NXOPT; form < SUPPORT_FORM_COUNT; form++) {
        struct support_encoded encoded;
        unsigned survived = 0;
        support_encode(form, entries, n, histogram, SUPPORT_IN_ORDER, &encoded);
        uint8_t *copy = base_mem_new(encoded.bytes, TABLE_CODEC_ALIGN);
        ck_assert_ptr_nonnull(copy);
        for (unsigned round = 0; round < 1000; round++) {
            memcpy(copy, encoded.payload, encoded.bytes);
            damage(&random, copy, encoded.bytes);
            survived += survives(form, copy, encoded.bytes, n);
        }
        /* Both happen: damage is noticed, and damage is read. */
        ck_assert_uint_gt(survived, 100);
        ck_assert_uint_lt(survived, 900);
        base_mem_free(copy);
        support_encode_free(&encoded);
    }
}
END_TEST

/* Blocks, groups and patches of noise behind a sound head. */
START_TEST(noise_behind_a_head_does_no_harm)
{
    struct support_random random = {20};
    const uint64_t n = 20000;
    uint64_t histogram[64];
    fill_random(&random, n, 9, 40);
    support_histogram(entries, n, histogram);
    for (unsigned form = SUPPORT_NXOPT; form < SUPPORT_FORM_COUNT; form++) {
        struct support_encoded encoded;
        support_encode(form, entries, n, histogram, SUPPORT_IN_ORDER, &encoded);
        uint64_t head = form == SUPPORT_NXOPT ? 64 : encoded.codec->tans.blocks_at;
        for (unsigned round = 0; round < 20; round++) {
            unsigned ones = 1 + support_random_below(&random, 256);
            for (uint64_t i = head; i < encoded.bytes; i++)
                encoded.payload[i] = (uint8_t)(support_random_below(&random, ones) | (256 - ones));
            ck_assert(survives(form, encoded.payload, encoded.bytes, n));
        }
        support_encode_free(&encoded);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        random_tables_come_back,
        tables_of_any_length_come_back,
        degenerate_tables_come_back,
        tables_of_runs_come_back,
        a_wrong_histogram_does_no_harm,
        blocks_full_of_rare_entries_come_back,
        the_base_loses_least,
        deep_tables_keep_their_minima,
        small_real_tables_are_small_enough,
        six_edges_of_the_identity_are_small_enough,
        six_edges_of_two_flips_are_small_enough,
        chunks_in_any_order_make_the_same_payload,
        encodings_have_names,
        impossible_histograms_are_refused,
        payloads_of_other_sizes_are_refused,
        damaged_payloads_do_no_harm,
        noise_behind_a_head_does_no_harm,
    };

    return support_suite_run("table_codec", tests, sizeof tests / sizeof tests[0], NULL, NULL, 120);
}
