/*
 * table_coord.c - what both kinds share: the view of an orbit, ranks, symmetries in view numbers.
 */
#include "core/table/table_coord.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_coord_int.h"

uint32_t table_rank(const uint8_t *values, unsigned count, unsigned n)
{
    uint32_t rank = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned digit = values[i];
        for (unsigned j = 0; j < i; j++)
            digit -= values[j] < values[i];
        rank = rank * (n - i) + digit;
    }
    return rank;
}

void table_unrank(uint32_t rank, unsigned count, unsigned n, uint8_t *values)
{
    for (unsigned i = count; i-- > 0;) {
        values[i] = (uint8_t)(rank % (n - i));
        rank /= n - i;
    }
    /* Digit i counts values below values[i] that are not used before: undo from the back. */
    for (unsigned i = count; i-- > 0;)
        for (unsigned j = i + 1; j < count; j++)
            values[j] = (uint8_t)(values[j] + (values[j] >= values[i]));
}

uint64_t table__power(unsigned base, unsigned exponent)
{
    uint64_t result = 1;
    while (exponent-- > 0) {
        if (result > UINT64_MAX / base)
            return UINT64_MAX;
        result *= base;
    }
    return result;
}

uint64_t table__arrangements(unsigned n, unsigned k)
{
    uint64_t result = 1;
    for (unsigned i = 0; i < k; i++) {
        if (result > UINT64_MAX / (n - i))
            return UINT64_MAX;
        result *= n - i;
    }
    return result;
}

static int view_syms_init(struct table_coord *coord)
{
    const struct sym_group *group = coord->group;
    coord->sym = calloc(group->count, sizeof *coord->sym);
    if (!coord->sym)
        return BASE_ERR_NOMEM;
    for (unsigned s = 0; s < group->count; s++) {
        const struct sym *sym = &group->sym[s];
        if (sym->orbit[coord->orbit] != coord->orbit)
            continue;
        struct table_view_sym *view = &coord->sym[coord->n_syms++];
        for (unsigned i = 0; i < coord->n; i++) {
            unsigned at = group->first_slot[coord->orbit] + coord->slot_of[i];
            view->slot[i] = coord->view_of[sym->slot[at]];
            view->turn[i] = sym->turn[at];
            view->factor[i] = sym->factor[at];
        }
    }
    return 0;
}

int table__coord_init(struct table_coord *coord, const struct sym_group *group, unsigned orbit)
{
    const struct perm_orbit *shape = &puzzle_shape(group->puzzle)->orbit[orbit];
    coord->group = group;
    coord->orbit = orbit;
    coord->mod = shape->mod;
    for (unsigned slot = 0; slot < shape->size; slot++) {
        if (!puzzle_slot_movable(group->puzzle, orbit, slot))
            continue;
        if (coord->n == TABLE_MAX_VIEW)
            return BASE_ERR_RANGE;
        coord->view_of[slot] = (uint8_t)coord->n;
        coord->slot_of[coord->n++] = (uint8_t)slot;
    }
    return coord->n ? view_syms_init(coord) : BASE_ERR_RANGE;
}

void table_coord_free(struct table_coord *coord)
{
    if (!coord)
        return;
    free(coord->sym);
    free(coord->line_of_perm);
    free(coord->rep);
    free(coord->linear);
    free(coord);
}

void table_coord_view(const struct table_coord *coord, const uint8_t *state,
                      struct table_view *view)
{
    const struct perm_orbit *orbit = &puzzle_shape(coord->group->puzzle)->orbit[coord->orbit];
    for (unsigned i = 0; i < coord->n; i++) {
        view->piece[i] = coord->view_of[perm_pieces(orbit, state)[coord->slot_of[i]]];
        view->turn[i] = perm_orientations(orbit, state)[coord->slot_of[i]];
    }
}

void table_coord_apply_sym(const struct table_coord *coord, unsigned sym,
                           const struct table_view *in, struct table_view *out)
{
    const struct table_view_sym *s = &coord->sym[sym];
    for (unsigned i = 0; i < coord->n; i++) {
        unsigned p = in->piece[i];
        unsigned turned = s->factor[i] * in->turn[i] + s->turn[i] + coord->mod - s->turn[p];
        out->piece[s->slot[i]] = s->slot[p];
        out->turn[s->slot[i]] = (uint8_t)(turned % coord->mod);
    }
}

uint32_t table__entry(const struct table_coord *coord, const uint8_t *digits)
{
    uint32_t entry = 0;
    for (unsigned j = coord->n_digits; j-- > 0;)
        entry = entry * coord->mod + digits[j];
    return entry;
}

static uint64_t exact_index(const struct table_coord *coord, const struct table_view *view)
{
    uint32_t found = coord->line_of_perm[table_rank(view->piece, coord->n, coord->n)];
    struct table_view image;
    table_coord_apply_sym(coord, found & ((1u << TABLE_SYM_BITS) - 1), view, &image);
    return (uint64_t)(found >> TABLE_SYM_BITS) * coord->stride + table__entry(coord, image.turn);
}

static uint64_t subset_index(const struct table_coord *coord, const struct table_view *view)
{
    uint8_t pieces[TABLE_MAX_PICK], turns[TABLE_MAX_PICK];
    for (unsigned j = 0; j < coord->k; j++) {
        pieces[j] = view->piece[coord->pick[j]];
        turns[j] = view->turn[coord->pick[j]];
    }
    return (uint64_t)table_rank(pieces, coord->k, coord->n) * coord->stride +
           table__entry(coord, turns);
}

uint64_t table_coord_index(const struct table_coord *coord, const struct table_view *view)
{
    return coord->kind == TABLE_COORD_EXACT ? exact_index(coord, view) : subset_index(coord, view);
}

void table_coord_line(const struct table_coord *coord, uint32_t line, struct table_view *view)
{
    memset(view->turn, 0, sizeof view->turn);
    if (coord->kind == TABLE_COORD_EXACT)
        table_unrank(coord->rep[line], coord->n, coord->n, view->piece);
    else
        table_unrank(line, coord->k, coord->n, view->piece);
}
