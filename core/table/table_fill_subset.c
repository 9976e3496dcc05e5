/*
 * table_fill_subset.c - fills a piece-subset table by pulling, one block of lines (one head) at a
 * time.
 *
 * A line is the set of its entries. For two orientations the entries of a layer are bits of a few
 * words, and translating them by c means exchanging bit e with bit e XOR c: a handful of shifts
 * moves 64 entries at once. A pass reads the neighbours of every line in the newest layer, which is
 * 1/8 of a table's size and mostly in cache.
 *
 * For other orientations the same walk goes entry by entry over the table itself.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_fill_int.h"

struct subset_own {
    struct table_view *move; /* [move] */
    uint8_t *tails;
    unsigned words;    /* of a line, bits only */
    uint64_t *newest;  /* [line * words]: entries of the newest layer */
    uint64_t *next;    /* of the one being made */
    uint64_t *visited; /* of all layers */
};

static int subset_init(struct table_fill *fill)
{
    const struct table_coord *coord = fill->coord;
    struct subset_own *own = fill->own = calloc(1, sizeof *own);
    if (!own)
        return BASE_ERR_NOMEM;
    own->move = calloc(fill->n_moves, sizeof *own->move);
    own->tails = table__tails_new(coord);
    if (!own->move || !own->tails)
        return BASE_ERR_NOMEM;
    for (unsigned m = 0; m < fill->n_moves; m++)
        table__view_move(coord, m, &own->move[m]);
    return 0;
}

static void subset_deinit(struct table_fill *fill)
{
    struct subset_own *own = fill->own;
    if (!own)
        return;
    free(own->move);
    free(own->tails);
    free(own->newest);
    free(own->next);
    free(own->visited);
    free(own);
}

static unsigned subset_chunks(const struct table_fill *fill)
{
    return fill->coord->n_heads;
}

/* Image of a tail under a block's map: its rank; the digits it adds are written behind those of the
 * head. */
static inline uint32_t tail_image(const struct table_coord *coord, const struct table_block *block,
                                  const uint8_t *tail, uint8_t *digits)
{
    unsigned count = coord->k - coord->head, n = coord->n - coord->head;
    uint8_t image[TABLE_MAX_PICK];
    uint32_t rank = 0;
    for (unsigned j = 0; j < count; j++) {
        unsigned value = block->tail_value[tail[j]], digit = value;
        for (unsigned i = 0; i < j; i++)
            digit -= image[i] < value;
        image[j] = (uint8_t)value;
        digits[j] = block->tail_turn[tail[j]];
        rank = rank * (n - j) + digit;
    }
    return rank;
}

/* ---- bits -------------------------------------------------------------------------------- */

static int bits_init(struct table_fill *fill)
{
    int code = subset_init(fill);
    if (code != 0)
        return code;
    struct subset_own *own = fill->own;
    own->words = (fill->coord->width + 63) / 64;
    size_t words = (size_t)fill->coord->n_lines * own->words;
    own->newest = calloc(words, sizeof *own->newest);
    own->next = calloc(words, sizeof *own->next);
    own->visited = calloc(words, sizeof *own->visited);
    return own->newest && own->next && own->visited ? 0 : BASE_ERR_NOMEM;
}

struct bits_target {
    uint64_t *words;
};

static void mark_bit(void *arg, uint32_t entry)
{
    struct bits_target *target = arg;
    target->words[entry >> 6] |= (uint64_t)1 << (entry & 63);
}

/* Sets the entries of the bits to `value` in one line of the table; returns how many there are. */
static unsigned store_bits(uint8_t *line, const uint64_t *bits, unsigned words, unsigned value)
{
    unsigned count = 0;
    for (unsigned w = 0; w < words; w++) {
        count += (unsigned)__builtin_popcountll(bits[w]);
        for (uint64_t rest = bits[w]; rest; rest &= rest - 1)
            table__entry_store(line + 64 * w + (unsigned)__builtin_ctzll(rest), value);
    }
    return count;
}

static void bits_mark(struct table_fill *fill, unsigned chunk)
{
    const struct table_coord *coord = fill->coord;
    struct subset_own *own = fill->own;
    uint64_t added = 0;
    for (uint32_t t = 0; t < coord->n_tails; t++) {
        uint32_t line = chunk * coord->n_tails + t;
        size_t at = (size_t)line * own->words;
        struct bits_target target = {.words = own->next + at};
        table_image_mark(fill->image, line, mark_bit, &target);
        memcpy(own->visited + at, own->next + at, own->words * sizeof *own->next);
        added += store_bits(fill->entries + (uint64_t)line * coord->stride, own->next + at,
                            own->words, 1);
    }
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

/* Bit e of the result is bit e XOR c of the word, c < 64. */
static inline uint64_t word_exchange(uint64_t x, unsigned c)
{
    if (c & 1)
        x = (x & 0x5555555555555555u) << 1 | (x >> 1 & 0x5555555555555555u);
    if (c & 2)
        x = (x & 0x3333333333333333u) << 2 | (x >> 2 & 0x3333333333333333u);
    if (c & 4)
        x = (x & 0x0f0f0f0f0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0fu);
    if (c & 8)
        x = (x & 0x00ff00ff00ff00ffu) << 8 | (x >> 8 & 0x00ff00ff00ff00ffu);
    if (c & 16)
        x = (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
    if (c & 32)
        x = x << 32 | x >> 32;
    return x;
}

/* Adds to `reached` the newest entries that move to this line: those of the image line, moved back.
 * XOR undoes itself. */
static inline void pull_bits(const uint64_t *from, unsigned words, unsigned c, uint64_t *reached)
{
    for (unsigned w = 0; w < words; w++)
        reached[w] |= word_exchange(from[w ^ c >> 6], c & 63);
}

static inline unsigned bits_of_digits(const uint8_t *digits, unsigned count)
{
    unsigned bits = 0;
    for (unsigned j = 0; j < count; j++)
        bits |= (unsigned)digits[j] << j;
    return bits;
}

/* Pulls along one move into all lines of the block. */
static void bits_pull_move(const struct table_fill *fill, unsigned chunk, unsigned move)
{
    const struct table_coord *coord = fill->coord;
    const struct subset_own *own = fill->own;
    unsigned count = coord->k - coord->head;
    struct table_block block;
    table__block_set(coord, chunk, own->move[move].piece, own->move[move].turn, &block);
    unsigned head_bits = bits_of_digits(block.head_turn, coord->head);
    const uint64_t *from = own->newest + (size_t)block.head * coord->n_tails * own->words;
    uint64_t *to = own->next + (size_t)chunk * coord->n_tails * own->words;
    const uint8_t *tail = own->tails;
    for (uint32_t t = 0; t < coord->n_tails; t++, tail += count, to += own->words) {
        uint8_t digits[TABLE_MAX_PICK];
        uint32_t image = tail_image(coord, &block, tail, digits);
        unsigned c = head_bits | bits_of_digits(digits, count) << coord->head;
        pull_bits(from + (size_t)image * own->words, own->words, c, to);
    }
}

static void bits_expand(struct table_fill *fill, unsigned chunk)
{
    const struct table_coord *coord = fill->coord;
    struct subset_own *own = fill->own;
    size_t first = (size_t)chunk * coord->n_tails;
    memset(own->next + first * own->words, 0, coord->n_tails * own->words * sizeof *own->next);
    for (unsigned m = 0; m < fill->n_moves; m++)
        bits_pull_move(fill, chunk, m);
    uint64_t added = 0;
    for (size_t line = first; line < first + coord->n_tails; line++) {
        uint64_t *next = own->next + line * own->words, *visited = own->visited + line * own->words;
        for (unsigned w = 0; w < own->words; w++) {
            next[w] &= ~visited[w];
            visited[w] |= next[w];
        }
        added +=
            store_bits(fill->entries + line * coord->stride, next, own->words, fill->newest + 2);
    }
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

static void bits_swap(struct table_fill *fill)
{
    struct subset_own *own = fill->own;
    uint64_t *newest = own->newest;
    own->newest = own->next;
    own->next = newest;
}

const struct table_fill_strategy table__fill_bits = {
    .init = bits_init,
    .deinit = subset_deinit,
    .chunks = subset_chunks,
    .mark = bits_mark,
    .expand = bits_expand,
    .swap = bits_swap,
};

/* ---- bytes ------------------------------------------------------------------------------- */

struct bytes_target {
    uint8_t *line;
    uint64_t count;
};

static void mark_byte(void *arg, uint32_t entry)
{
    struct bytes_target *target = arg;
    table__entry_store(target->line + entry, 1);
    target->count++;
}

static void bytes_mark(struct table_fill *fill, unsigned chunk)
{
    const struct table_coord *coord = fill->coord;
    struct bytes_target target = {0};
    for (uint32_t t = 0; t < coord->n_tails; t++) {
        uint32_t line = chunk * coord->n_tails + t;
        target.line = fill->entries + (uint64_t)line * coord->stride;
        table_image_mark(fill->image, line, mark_byte, &target);
    }
    atomic_fetch_add_explicit(&fill->added, target.count, memory_order_relaxed);
}

/* Sets the vacant entries of `to` whose image in `from` is of the newest layer. */
static uint64_t pull_bytes(const struct table_fill *fill, const uint8_t *from,
                           const struct table_shift *shift, uint8_t *to)
{
    uint64_t added = 0;
    for (uint32_t e = 0, low = 0, high = 0; e < fill->coord->width; e++) {
        if (table__entry_load(to + e) == TABLE_VACANT &&
            table__entry_load(from + shift->low[low] + shift->high[high]) == fill->newest + 1) {
            table__entry_store(to + e, fill->newest + 2);
            added++;
        }
        if (++low == shift->low_size) {
            low = 0;
            high++;
        }
    }
    return added;
}

static void bytes_expand(struct table_fill *fill, unsigned chunk)
{
    const struct table_coord *coord = fill->coord;
    const struct subset_own *own = fill->own;
    unsigned count = coord->k - coord->head;
    uint64_t added = 0;
    struct table_block block;
    struct table_shift shift;
    for (unsigned m = 0; m < fill->n_moves; m++) {
        table__block_set(coord, chunk, own->move[m].piece, own->move[m].turn, &block);
        for (uint32_t t = 0; t < coord->n_tails; t++) {
            uint8_t digits[TABLE_MAX_PICK];
            memcpy(digits, block.head_turn, coord->head);
            uint32_t image =
                tail_image(coord, &block, own->tails + (size_t)t * count, digits + coord->head);
            table__shift_set(coord, digits, &shift);
            uint64_t from = (uint64_t)block.head * coord->n_tails + image;
            uint64_t to = (uint64_t)chunk * coord->n_tails + t;
            added += pull_bytes(fill, fill->entries + from * coord->stride, &shift,
                                fill->entries + to * coord->stride);
        }
    }
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

const struct table_fill_strategy table__fill_bytes = {
    .init = subset_init,
    .deinit = subset_deinit,
    .chunks = subset_chunks,
    .mark = bytes_mark,
    .expand = bytes_expand,
};
