/*
 * table_fill.c - the order of passes, and what the strategies share.
 */
#include "core/table/table_fill.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/table/table_fill_int.h"

static const struct table_fill_strategy *choose_strategy(const struct table_coord *coord)
{
    if (coord->kind == TABLE_COORD_EXACT)
        return &table__fill_exact;
    return coord->mod == 2 ? &table__fill_bits : &table__fill_bytes;
}

/* Exact and byte-wise fills need next to nothing; the other one keeps three sets of bits. */
uint64_t table_fill_scratch(const struct table_coord *coord)
{
    uint64_t words = (coord->width + 63) / 64;
    return choose_strategy(coord) == &table__fill_bits
               ? 3 * words * sizeof(uint64_t) * coord->n_lines
               : 0;
}

int table_fill_new(const struct table_coord *coord, const struct table_image *image,
                   uint8_t *entries, struct table_fill **out)
{
    struct table_fill *fill = calloc(1, sizeof *fill);
    *out = fill;
    if (!fill)
        return BASE_ERR_NOMEM;
    fill->coord = coord;
    fill->image = image;
    fill->entries = entries;
    fill->strategy = choose_strategy(coord);
    fill->pass = TABLE_PASS_MARK;
    fill->n_moves = puzzle_move_count(coord->group->puzzle);
    int code = fill->strategy->init(fill);
    if (code != 0) {
        table_fill_free(fill);
        *out = NULL;
    }
    return code;
}

int table_fill_new_product(const struct table_fill_product *request, struct table_fill **out)
{
    *out = NULL;
    if (request->encoding == TABLE_ENCODING_TANS)
        return BASE_ERR_UNSUPPORTED;
    struct table_fill *fill = calloc(1, sizeof *fill);
    if (!fill)
        return BASE_ERR_NOMEM;
    fill->strategy = &table__fill_product;
    fill->pass = TABLE_PASS_MARK;
    int code = table__product_own_new(request, &fill->own);
    if (code != 0) {
        table_fill_free(fill);
        fill = NULL;
    }
    *out = fill;
    return code;
}

void table_fill_free(struct table_fill *fill)
{
    if (!fill)
        return;
    fill->strategy->deinit(fill);
    free(fill);
}

bool table_fill_can_resume(const struct table_fill *fill)
{
    return fill->strategy->resumable;
}

uint64_t table_fill_digest(const struct table_fill *fill)
{
    uint64_t digest = 0;
    for (unsigned chunk = 0; chunk < table__kept_chunks(fill); chunk++)
        digest += table__kept_digest(fill, chunk);
    return digest;
}

void table_fill_resume(struct table_fill *fill, const struct table_kept *kept)
{
    BASE_ASSERT(fill->strategy->resumable && fill->pass == TABLE_PASS_MARK && fill->total == 0);
    fill->pass = TABLE_PASS_WIPE;
    if (kept->layers == 0 || kept->layers > TABLE_FILL_MAX_LAYERS)
        return;
    fill->kept = *kept;
    fill->pass = TABLE_PASS_RECOUNT;
}

bool table_fill_is_resumed(const struct table_fill *fill)
{
    return fill->pass >= TABLE_PASS_MARK && fill->kept.layers > 0;
}

static bool is_about_kept(const struct table_fill *fill)
{
    return fill->pass == TABLE_PASS_RECOUNT || fill->pass == TABLE_PASS_WIPE;
}

unsigned table_fill_chunks(const struct table_fill *fill)
{
    return is_about_kept(fill) ? table__kept_chunks(fill) : fill->strategy->chunks(fill);
}

void table_fill_run(struct table_fill *fill, unsigned chunk)
{
    switch (fill->pass) {
    case TABLE_PASS_RECOUNT:
        table__kept_recount(fill, chunk);
        break;
    case TABLE_PASS_WIPE:
        table__kept_wipe(fill, chunk);
        break;
    case TABLE_PASS_MARK:
        fill->strategy->mark(fill, chunk);
        break;
    case TABLE_PASS_EXPAND:
        fill->strategy->expand(fill, chunk);
        break;
    case TABLE_PASS_CLOSE:
        fill->strategy->close(fill, chunk);
        break;
    }
}

static bool is_layer_empty(const struct table_fill *fill, uint64_t added)
{
    return fill->strategy->is_empty ? fill->strategy->is_empty(fill) : added == 0;
}

/* Books the entries of the layer that has just become complete. False: it is empty, or no byte can
 * hold the next. */
static bool finish_layer(struct table_fill *fill)
{
    uint64_t added = atomic_exchange_explicit(&fill->added, 0, memory_order_relaxed);
    uint64_t hidden = atomic_exchange_explicit(&fill->hidden, 0, memory_order_relaxed);
    unsigned layer = fill->pass == TABLE_PASS_MARK ? 0 : fill->newest + 1;
    if (is_layer_empty(fill, added + hidden))
        return false;
    fill->histogram[layer] = added;
    fill->total += added;
    fill->newest = layer;
    if (fill->strategy->swap)
        fill->strategy->swap(fill);
    if (fill->strategy->is_done && fill->strategy->is_done(fill))
        return false;
    return layer + 1 < TABLE_FILL_MAX_LAYERS;
}

/* Takes over the layers that the recount has confirmed, or starts afresh. */
static void finish_kept(struct table_fill *fill)
{
    struct table_kept *kept = &fill->kept;
    if (fill->pass == TABLE_PASS_WIPE) {
        fill->pass = TABLE_PASS_MARK;
        return;
    }
    if (!table__kept_is_sound(fill)) {
        kept->layers = 0;
        fill->pass = TABLE_PASS_WIPE;
        return;
    }
    for (unsigned d = 0; d < kept->layers; d++)
        fill->total += fill->histogram[d] = kept->histogram[d];
    fill->newest = kept->layers - 1;
    fill->pass = TABLE_PASS_EXPAND;
}

bool table_fill_next(struct table_fill *fill)
{
    if (is_about_kept(fill)) {
        finish_kept(fill);
        return fill->newest + 1 < TABLE_FILL_MAX_LAYERS;
    }
    if (fill->pass == TABLE_PASS_EXPAND && fill->strategy->close) {
        fill->pass = TABLE_PASS_CLOSE;
        return true;
    }
    bool more = finish_layer(fill);
    if (!more && fill->strategy->finish)
        fill->strategy->finish(fill);
    fill->pass = TABLE_PASS_EXPAND;
    return more;
}

unsigned table_fill_layers(const struct table_fill *fill)
{
    return fill->total ? fill->newest + 1 : 0;
}

const uint64_t *table_fill_histogram(const struct table_fill *fill)
{
    return fill->histogram;
}

uint64_t table_fill_entries(const struct table_fill *fill)
{
    return fill->total;
}

/* ---- translations ------------------------------------------------------------------------ */

void table__shift_sizes(const struct table_coord *coord, uint32_t *low, uint32_t *high)
{
    *low = 1;
    for (unsigned j = 0; j < coord->n_digits / 2; j++)
        *low *= coord->mod;
    *high = coord->width / *low;
}

/* sums[e] = e + digits, for the numbers of `count` digits. */
static void shift_half(unsigned mod, const uint8_t *digits, unsigned count, uint32_t *sums)
{
    uint32_t size = 1;
    sums[0] = 0;
    for (unsigned j = 0; j < count; j++) {
        /* Digit value 0 becomes digits[j]; fill the copies from the back, so that none is
         * overwritten. */
        for (unsigned value = mod; value-- > 0;)
            for (uint32_t e = 0; e < size; e++)
                sums[value * size + e] = sums[e] + (value + digits[j]) % mod * size;
        size *= mod;
    }
}

void table__shift_set(const struct table_coord *coord, const uint8_t *digits,
                      struct table_shift *shift)
{
    unsigned low_digits = coord->n_digits / 2;
    uint32_t high_size;
    table__shift_sizes(coord, &shift->low_size, &high_size);
    shift_half(coord->mod, digits, low_digits, shift->low);
    shift_half(coord->mod, digits + low_digits, coord->n_digits - low_digits, shift->high);
    for (uint32_t e = 0; e < high_size; e++)
        shift->high[e] *= shift->low_size;
}

/* ---- moves on lines ---------------------------------------------------------------------- */

void table__view_move(const struct table_coord *coord, unsigned move, struct table_view *view)
{
    table_coord_view(coord, puzzle_move_at(coord->group->puzzle, move)->transform, view);
}

/* relative[v]: v counted among the values that the head leaves; unused[r]: back again. */
static void relative_values(const uint8_t *head, unsigned count, unsigned n, uint8_t *relative,
                            uint8_t *unused)
{
    bool used[TABLE_MAX_VIEW] = {false};
    unsigned next = 0;
    for (unsigned j = 0; j < count; j++)
        used[head[j]] = true;
    for (unsigned v = 0; v < n; v++)
        if (!used[v]) {
            relative[v] = (uint8_t)next;
            unused[next++] = (uint8_t)v;
        }
}

void table__block_set(const struct table_coord *coord, uint32_t head, const uint8_t *move_piece,
                      const uint8_t *move_turn, struct table_block *block)
{
    uint8_t value[TABLE_MAX_PICK], image[TABLE_MAX_PICK];
    uint8_t relative[TABLE_MAX_VIEW], unused[TABLE_MAX_VIEW], spare[TABLE_MAX_VIEW];
    table_unrank(head, coord->head, coord->n, value);
    for (unsigned j = 0; j < coord->head; j++) {
        image[j] = move_piece[value[j]];
        block->head_turn[j] = move_turn[value[j]];
    }
    block->head = table_rank(image, coord->head, coord->n);
    relative_values(value, coord->head, coord->n, relative, unused);
    relative_values(image, coord->head, coord->n, relative, spare);
    for (unsigned r = 0; r < coord->n - coord->head; r++) {
        block->tail_value[r] = relative[move_piece[unused[r]]];
        block->tail_turn[r] = move_turn[unused[r]];
    }
}

uint8_t *table__tails_new(const struct table_coord *coord)
{
    unsigned count = coord->k - coord->head;
    uint8_t *tails = malloc((size_t)coord->n_tails * count + 1);
    for (uint32_t t = 0; tails && t < coord->n_tails; t++)
        table_unrank(t, count, coord->n - coord->head, tails + (size_t)t * count);
    return tails;
}
