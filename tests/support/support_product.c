/*
 * support_product.c - see support_product.h.
 */
#include "tests/support/support_product.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_mem.h"
#include "core/table/table_codec_inl.h"
#include "core/table/table_product_inl.h"
#include "tests/support/support_expect.h"

static const struct puzzle *puzzle_of(const struct support_product *filled)
{
    return filled->product->group->puzzle;
}

void support_product_init(struct support_product *filled, const struct sym_group *group, bool fine,
                          unsigned flip_bits)
{
    memset(filled, 0, sizeof *filled);
    filled->form = SUPPORT_NXOPT;
    ck_assert_int_eq(table_product_new(group, fine, flip_bits, &filled->product), 0);
}

void support_product_deinit(struct support_product *filled)
{
    base_mem_free(filled->payload);
    table_codec_free(filled->codec);
    table_product_free(filled->product);
    memset(filled, 0, sizeof *filled);
}

void support_product_encode(struct support_product *filled, enum support_form form)
{
    struct support_encoded encoded;
    ck_assert(filled->form == SUPPORT_NONE && form != SUPPORT_NXOPT);
    support_encode(form, filled->payload, filled->product->n_entries, filled->histogram,
                   SUPPORT_IN_ORDER, &encoded);
    base_mem_free(filled->payload);
    table_codec_free(filled->codec);
    filled->form = form;
    filled->payload = encoded.payload;
    filled->bytes = encoded.bytes;
    filled->codec = encoded.codec;
}

void support_product_fill(struct support_product *filled, const struct cycle_structure *structures,
                          size_t n, enum support_fill_how even, enum support_fill_how odd)
{
    struct support_random random = {321};
    struct table_fill *fill = NULL;
    bool more = true;

    enum table_encoding encoding =
        filled->form == SUPPORT_NXOPT ? TABLE_ENCODING_NXOPT : TABLE_ENCODING_NONE;
    filled->bytes = table_product_bytes(filled->product, filled->product->flip_bits, encoding);
    filled->payload = base_mem_new(filled->bytes, TABLE_CODEC_ALIGN);
    ck_assert_ptr_nonnull(filled->payload);
    struct table_fill_product request = {filled->product, structures, n, encoding, filled->payload};
    ck_assert_int_eq(table_fill_new_product(&request, &fill), 0);
    for (unsigned pass = 0; more; pass++) {
        support_fill_pass(fill, pass % 2 == 0 ? even : odd, &random);
        more = table_fill_next(fill);
        filled->layers = table_fill_layers(fill);
        filled->total = table_fill_entries(fill);
        memcpy(filled->histogram, table_fill_histogram(fill), sizeof filled->histogram);
        if (filled->each)
            filled->each(filled->arg, filled);
    }
    table_fill_free(fill);
    if (filled->form == SUPPORT_NONE)
        ck_assert_int_eq(table_codec_open(encoding, filled->payload, filled->bytes,
                                          filled->product->n_entries, &filled->codec),
                         0);
}

void support_product_table_init(struct table *table, const struct support_product *filled)
{
    struct table_spec spec = {.product = filled->product};

    *table = (struct table){
        .kind = TABLE_KIND_PRODUCT, .product = filled->product, .entries = filled->payload};
    ck_assert_int_eq(table_questions_cube3_new(&spec, &table->cube3), 0);
}

/* ---- states ------------------------------------------------------------------------------ */

/* Pieces of the set to the slots of the other, the rest to the rest, each in ascending order. */
static void place_pieces(uint8_t *piece, unsigned n, unsigned pieces, unsigned slots)
{
    unsigned next[2] = {0, 0};
    for (unsigned i = 0; i < n; i++) {
        unsigned in = slots >> i & 1;
        while ((pieces >> next[in] & 1) != in)
            next[in]++;
        piece[i] = (uint8_t)next[in]++;
    }
}

void support_product_state(const struct table_product *product,
                           const struct table_product_parts *parts, uint8_t *state)
{
    const struct perm_shape *shape = puzzle_shape(product->group->puzzle);
    uint8_t *colours = state + shape->orbit[0].offset, *lines = state + shape->orbit[1].offset;
    unsigned held = 0;
    for (unsigned i = 0; i < 8; i++) {
        held |= (unsigned)parts->colour[i] << i;
        colours[8 + i] = parts->turn[i];
    }
    place_pieces(colours, 8, product->fine ? product->block : 0, held);
    place_pieces(lines, 12, product->layer, parts->layer);
    for (unsigned i = 0; i < 12; i++)
        lines[12 + i] = parts->flips >> i & 1;
}

uint32_t *support_product_members(const struct table_product *product)
{
    uint32_t *members = calloc(product->n_classes, sizeof *members);
    ck_assert_ptr_nonnull(members);
    for (uint32_t raw = 0; raw < product->n_raw; raw++)
        members[product->class_of[raw] >> TABLE_PRODUCT_SYM_BITS]++;
    return members;
}

/* ---- entries ----------------------------------------------------------------------------- */

unsigned support_product_bound(const struct support_product *filled, const uint8_t *state)
{
    uint8_t inverse[PERM_MAX_BYTES];
    perm_invert(puzzle_shape(puzzle_of(filled)), state, inverse);
    return table_product_bound(filled->product, filled->codec, filled->payload, state, inverse);
}

unsigned support_product_entry(const struct support_product *filled, uint64_t index)
{
    return filled->codec ? table_codec_bound(filled->codec, filled->payload, index)
                         : table_product_read(filled->product, filled->payload, index);
}

uint64_t support_product_hidden(const struct table_product *product, uint64_t index)
{
    uint64_t line = index / TABLE_PRODUCT_FLIPS, flips = index % TABLE_PRODUCT_FLIPS;
    uint64_t count = (uint64_t)1 << product->flip_bits;
    /* The high flips of few, the low ones of many. */
    uint64_t seen = product->flip_bits <= 6 ? flips / (TABLE_PRODUCT_FLIPS / count) : flips % count;
    return line * count + seen;
}

unsigned support_product_code(const struct support_product *filled, uint64_t index)
{
    return filled->payload[index / 4] >> index % 4 * 2 & 3;
}

unsigned support_product_base(const struct support_product *filled)
{
    return filled->payload[filled->bytes - TABLE_PRODUCT_TAIL_BYTES];
}

static unsigned code_of(const struct support_product *filled, const uint8_t *state)
{
    uint64_t index = table_product_index(filled->product, state);
    SUPPORT_EXPECT(index < filled->product->n_entries);
    return support_product_code(filled, index);
}

void support_product_check_neighbours(const struct support_product *filled, const uint8_t *state)
{
    const struct puzzle *puzzle = puzzle_of(filled);
    unsigned code = code_of(filled, state), least = 3;
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        uint8_t moved[PERM_MAX_BYTES];
        perm_compose(puzzle_shape(puzzle), state, puzzle_move_at(puzzle, m)->transform, moved);
        unsigned other = code_of(filled, moved);
        SUPPORT_EXPECT(other <= code + 1 && code <= other + 1);
        least = other < least ? other : least;
    }
    SUPPORT_EXPECT(code == 0 || code == 3 || least == code - 1);
}

/* g^-1 s g for an arrangement g, which need not be reachable. */
static void conjugate(const struct perm_shape *shape, struct support_random *random,
                      const uint8_t *state, uint8_t *out)
{
    uint8_t g[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES], product[PERM_MAX_BYTES];
    support_random_arrangement(random, shape, g);
    perm_invert(shape, g, inverse);
    perm_compose(shape, inverse, state, product);
    perm_compose(shape, product, g, out);
}

unsigned support_product_check_walks(const struct support_product *filled, const uint8_t *member,
                                     unsigned rounds, unsigned length)
{
    const struct puzzle *puzzle = puzzle_of(filled);
    const struct perm_shape *shape = puzzle_shape(puzzle);
    struct support_random random = {length + 5};
    unsigned largest = 0;
    for (unsigned round = 0; round < rounds; round++) {
        uint8_t state[PERM_MAX_BYTES], moved[PERM_MAX_BYTES];
        conjugate(shape, &random, member, state);
        for (unsigned at = 0;; at++) {
            unsigned bound = support_product_bound(filled, state);
            if (bound > at)
                ck_abort_msg("bound %u after %u moves from the target", bound, at);
            largest = bound > largest ? bound : largest;
            if (at == length)
                break;
            unsigned move = support_random_below(&random, puzzle_move_count(puzzle));
            perm_compose(shape, state, puzzle_move_at(puzzle, move)->transform, moved);
            memcpy(state, moved, shape->bytes);
        }
    }
    return largest;
}

void support_product_check_word(const struct support_product *filled, const uint8_t *word,
                                unsigned length)
{
    const struct puzzle *puzzle = puzzle_of(filled);
    for (unsigned at = 0; at <= length; at++) {
        uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
        puzzle_apply_word(puzzle, NULL, word, at, state);
        for (unsigned s = 0; s < filled->product->group->count; s++) {
            sym_apply(filled->product->group, s, state, image);
            unsigned bound = support_product_bound(filled, image);
            if (bound > length - at)
                ck_abort_msg("bound %u with %u of %u moves left", bound, length - at, length);
        }
    }
}
