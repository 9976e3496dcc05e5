/*
 * table_fill_subset.c - fills a piece-subset table of any number of orientations by pulling, entry
 * by entry, one block of lines (one head) at a time; and what both ways to fill a subset share.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_fill_int.h"

int table__subset_init(const struct table_fill *fill, struct table_subset_moves *moves)
{
    moves->move = calloc(fill->n_moves, sizeof *moves->move);
    moves->tails = table__tails_new(fill->coord);
    if (!moves->move || !moves->tails)
        return BASE_ERR_NOMEM;
    for (unsigned m = 0; m < fill->n_moves; m++)
        table__view_move(fill->coord, m, &moves->move[m]);
    return 0;
}

void table__subset_deinit(struct table_subset_moves *moves)
{
    free(moves->move);
    free(moves->tails);
}

uint32_t table__tail_image(const struct table_coord *coord, const struct table_block *block,
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

static int bytes_init(struct table_fill *fill)
{
    struct table_subset_moves *own = fill->own = calloc(1, sizeof *own);
    return own ? table__subset_init(fill, own) : BASE_ERR_NOMEM;
}

static void bytes_deinit(struct table_fill *fill)
{
    if (!fill->own)
        return;
    table__subset_deinit(fill->own);
    free(fill->own);
}

static unsigned bytes_chunks(const struct table_fill *fill)
{
    return fill->coord->n_heads;
}

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
    const struct table_subset_moves *own = fill->own;
    unsigned count = coord->k - coord->head;
    uint64_t added = 0;
    struct table_block block;
    struct table_shift shift;
    for (unsigned m = 0; m < fill->n_moves; m++) {
        table__block_set(coord, chunk, own->move[m].piece, own->move[m].turn, &block);
        for (uint32_t t = 0; t < coord->n_tails; t++) {
            uint8_t digits[TABLE_MAX_PICK];
            memcpy(digits, block.head_turn, coord->head);
            uint32_t image = table__tail_image(coord, &block, own->tails + (size_t)t * count,
                                               digits + coord->head);
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
    .init = bytes_init,
    .deinit = bytes_deinit,
    .chunks = bytes_chunks,
    .resumable = true,
    .mark = bytes_mark,
    .expand = bytes_expand,
};
