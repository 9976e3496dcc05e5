/*
 * table_fill_exact.c - fills an exact table by pushing from the newest layer.
 *
 * Under move m the representative permutation p of a line becomes q = m*p, in the line
 * that symmetry s takes q to. Entries go e -> linear_s(e + c): a translation by what m and s add,
 * then the linear part of s. Every entry is pushed once, so a fill costs (moves x entries) steps in
 * all.
 */
#include <stdlib.h>

#include "core/base/base_err.h"
#include "core/table/table_coord_int.h"
#include "core/table/table_fill_int.h"

enum { LINES_PER_CHUNK = 16, BATCH = 1024 };

/* A symmetry that maps the representative permutation of a line to itself. */
struct line_stabiliser {
    uint32_t line;
    uint32_t sym;
};

struct exact_own {
    struct table_view *move; /* [move] */
    struct line_stabiliser *stabiliser;
    uint32_t n_stabilisers;
    uint32_t *first; /* [line + 1]: into stabiliser */
};

/* digits added by symmetry `sym` to an arrangement with these pieces, before its linear part: (b(i)
 * - b(p)) / a */
static void sym_digits(const struct table_coord *coord, unsigned sym, const uint8_t *piece,
                       uint8_t *digits)
{
    const struct table_view_sym *s = &coord->sym[sym];
    for (unsigned i = 0; i < coord->n; i++) {
        unsigned difference = s->turn[i] + coord->mod - s->turn[piece[i]];
        unsigned inverse = 1;
        while (inverse * s->factor[i] % coord->mod != 1 % coord->mod)
            inverse++;
        digits[i] = (uint8_t)(difference * inverse % coord->mod);
    }
}

/* Lists, or with a NULL list counts, the stabilisers of all lines. */
static uint32_t list_stabilisers(const struct table_coord *coord, struct line_stabiliser *list,
                                 uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t line = 0; line < coord->n_lines; line++) {
        struct table_view view;
        table_coord_line(coord, line, &view);
        first[line] = count;
        for (unsigned s = 1; s < coord->n_syms; s++) {
            if (table__image_rank(coord, s, view.piece) != coord->rep[line])
                continue;
            if (list)
                list[count] = (struct line_stabiliser){.line = line, .sym = s};
            count++;
        }
    }
    first[coord->n_lines] = count;
    return count;
}

static int exact_init(struct table_fill *fill)
{
    const struct table_coord *coord = fill->coord;
    struct exact_own *own = fill->own = calloc(1, sizeof *own);
    if (!own)
        return BASE_ERR_NOMEM;
    own->move = calloc(fill->n_moves, sizeof *own->move);
    own->first = malloc((coord->n_lines + 1) * sizeof *own->first);
    if (!own->move || !own->first)
        return BASE_ERR_NOMEM;
    for (unsigned m = 0; m < fill->n_moves; m++)
        table__view_move(coord, m, &own->move[m]);
    own->n_stabilisers = list_stabilisers(coord, NULL, own->first);
    own->stabiliser = malloc((own->n_stabilisers + 1) * sizeof *own->stabiliser);
    if (!own->stabiliser)
        return BASE_ERR_NOMEM;
    list_stabilisers(coord, own->stabiliser, own->first);
    return 0;
}

static void exact_deinit(struct table_fill *fill)
{
    struct exact_own *own = fill->own;
    if (!own)
        return;
    free(own->move);
    free(own->stabiliser);
    free(own->first);
    free(own);
}

static unsigned exact_chunks(const struct table_fill *fill)
{
    return (fill->coord->n_lines + LINES_PER_CHUNK - 1) / LINES_PER_CHUNK;
}

static uint32_t chunk_end(const struct table_fill *fill, unsigned chunk)
{
    uint32_t end = (chunk + 1) * LINES_PER_CHUNK;
    return end < fill->coord->n_lines ? end : fill->coord->n_lines;
}

struct mark_target {
    uint8_t *line;
    uint64_t count;
};

static void mark_entry(void *arg, uint32_t entry)
{
    struct mark_target *target = arg;
    table__entry_store(target->line + entry, 1);
    target->count++;
}

static void exact_mark(struct table_fill *fill, unsigned chunk)
{
    struct mark_target target = {0};
    for (uint32_t line = chunk * LINES_PER_CHUNK; line < chunk_end(fill, chunk); line++) {
        target.line = fill->entries + (uint64_t)line * fill->coord->stride;
        table_image_mark(fill->image, line, mark_entry, &target);
    }
    atomic_fetch_add_explicit(&fill->added, target.count, memory_order_relaxed);
}

/* The image of a line's entries: line, linear part and translation. */
struct line_map {
    uint8_t *line;
    const uint16_t *linear;
    struct table_shift shift;
};

static void line_map_set(const struct table_fill *fill, const struct table_view *rep,
                         const struct table_view *move, struct line_map *map)
{
    const struct table_coord *coord = fill->coord;
    uint8_t image[TABLE_MAX_VIEW], digits[TABLE_MAX_VIEW];
    for (unsigned i = 0; i < coord->n; i++)
        image[i] = move->piece[rep->piece[i]];
    uint32_t found = coord->line_of_perm[table_rank(image, coord->n, coord->n)];
    unsigned sym = found & ((1u << TABLE_SYM_BITS) - 1);
    sym_digits(coord, sym, image, digits);
    for (unsigned i = 0; i < coord->n; i++)
        digits[i] = (uint8_t)((digits[i] + move->turn[rep->piece[i]]) % coord->mod);
    map->line = fill->entries + (uint64_t)(found >> TABLE_SYM_BITS) * coord->stride;
    map->linear = coord->linear + (size_t)sym * coord->width;
    table__shift_set(coord, digits, &map->shift);
}

/* Entries of a line with one value, from `*at` on, split into halves; at most BATCH of them. */
struct entry_batch {
    unsigned count;
    uint16_t low[BATCH], high[BATCH];
};

static bool batch_fill(const uint8_t *line, uint32_t width, uint32_t low_size, unsigned value,
                       uint32_t *at, struct entry_batch *batch)
{
    batch->count = 0;
    while (*at < width && batch->count < BATCH) {
        if (table__entry_load(line + *at) == value) {
            batch->low[batch->count] = (uint16_t)(*at % low_size);
            batch->high[batch->count++] = (uint16_t)(*at / low_size);
        }
        ++*at;
    }
    return batch->count > 0;
}

static void push_batch(const struct line_map *map, const struct entry_batch *batch, unsigned value)
{
    for (unsigned i = 0; i < batch->count; i++) {
        uint32_t moved = map->shift.low[batch->low[i]] + map->shift.high[batch->high[i]];
        uint8_t *entry = map->line + map->linear[moved];
        if (table__entry_load(entry) == TABLE_VACANT)
            table__entry_store(entry, value);
    }
}

static void exact_expand(struct table_fill *fill, unsigned chunk)
{
    const struct table_coord *coord = fill->coord;
    const struct exact_own *own = fill->own;
    uint32_t low_size, high_size;
    table__shift_sizes(coord, &low_size, &high_size);
    for (uint32_t line = chunk * LINES_PER_CHUNK; line < chunk_end(fill, chunk); line++) {
        const uint8_t *entries = fill->entries + (uint64_t)line * coord->stride;
        struct table_view rep;
        struct entry_batch batch;
        struct line_map map;
        uint32_t at = 0;
        table_coord_line(coord, line, &rep);
        while (batch_fill(entries, coord->width, low_size, fill->newest + 1, &at, &batch)) {
            for (unsigned m = 0; m < fill->n_moves; m++) {
                line_map_set(fill, &rep, &own->move[m], &map);
                push_batch(&map, &batch, fill->newest + 2);
            }
        }
    }
}

static void close_line(struct table_fill *fill, const struct line_stabiliser *stabiliser)
{
    const struct table_coord *coord = fill->coord;
    uint8_t digits[TABLE_MAX_VIEW];
    uint32_t low_size, high_size, at = 0;
    struct table_view rep;
    struct line_map map;
    struct entry_batch batch;
    table_coord_line(coord, stabiliser->line, &rep);
    sym_digits(coord, stabiliser->sym, rep.piece, digits);
    map.line = fill->entries + (uint64_t)stabiliser->line * coord->stride;
    map.linear = coord->linear + (size_t)stabiliser->sym * coord->width;
    table__shift_set(coord, digits, &map.shift);
    table__shift_sizes(coord, &low_size, &high_size);
    while (batch_fill(map.line, coord->width, low_size, fill->newest + 2, &at, &batch))
        push_batch(&map, &batch, fill->newest + 2);
}

static void exact_close(struct table_fill *fill, unsigned chunk)
{
    const struct table_coord *coord = fill->coord;
    const struct exact_own *own = fill->own;
    uint64_t added = 0;
    for (uint32_t line = chunk * LINES_PER_CHUNK; line < chunk_end(fill, chunk); line++) {
        for (uint32_t s = own->first[line]; s < own->first[line + 1]; s++)
            close_line(fill, &own->stabiliser[s]);
        const uint8_t *entries = fill->entries + (uint64_t)line * coord->stride;
        for (uint32_t e = 0; e < coord->width; e++)
            added += table__entry_load(entries + e) == fill->newest + 2;
    }
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

const struct table_fill_strategy table__fill_exact = {
    .init = exact_init,
    .deinit = exact_deinit,
    .chunks = exact_chunks,
    .mark = exact_mark,
    .expand = exact_expand,
    .close = exact_close,
    .resumable = true,
};
