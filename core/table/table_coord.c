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

/* A shift of all frames by the same turn is seen by no state: two symmetries that differ by it are
 * one. */
static void view_sym_normalise(const struct table_coord *coord, struct table_view_sym *sym)
{
    unsigned shift = coord->mod - sym->turn[0];
    for (unsigned i = 0; i < coord->n; i++)
        sym->turn[i] = (uint8_t)((sym->turn[i] + shift) % coord->mod);
}

/* Adds a symmetry of the view if it is new. False: there are too many. */
static bool view_syms_add(struct table_coord *coord, struct table_view_sym *sym)
{
    view_sym_normalise(coord, sym);
    for (unsigned s = 0; s < coord->n_syms; s++)
        if (memcmp(&coord->sym[s], sym, sizeof *sym) == 0)
            return true;
    if (coord->n_syms == SYM_MAX)
        return false;
    coord->sym[coord->n_syms++] = *sym;
    return true;
}

/* First a, then b. */
static void view_sym_compose(const struct table_coord *coord, const struct table_view_sym *a,
                             const struct table_view_sym *b, struct table_view_sym *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < coord->n; i++) {
        unsigned at = a->slot[i];
        out->slot[i] = b->slot[at];
        out->factor[i] = (uint8_t)(a->factor[i] * b->factor[at] % coord->mod);
        out->turn[i] = (uint8_t)((b->factor[at] * a->turn[i] + b->turn[at]) % coord->mod);
    }
}

/* The group stands for each map of moves by one relabelling out of several, so products of those in
 * it may be others: they are added. */
static bool view_syms_close(struct table_coord *coord)
{
    for (unsigned a = 0; a < coord->n_syms; a++)
        for (unsigned b = 0; b <= a; b++) {
            struct table_view_sym product;
            view_sym_compose(coord, &coord->sym[a], &coord->sym[b], &product);
            if (!view_syms_add(coord, &product))
                return false;
            view_sym_compose(coord, &coord->sym[b], &coord->sym[a], &product);
            if (!view_syms_add(coord, &product))
                return false;
        }
    return true;
}

static int view_syms_init(struct table_coord *coord)
{
    const struct sym_group *group = coord->group;
    coord->sym = calloc(SYM_MAX, sizeof *coord->sym);
    if (!coord->sym)
        return BASE_ERR_NOMEM;
    for (unsigned s = 0; s < group->count; s++) {
        const struct sym *sym = &group->sym[s];
        struct table_view_sym view;
        if (sym->orbit[coord->orbit] != coord->orbit)
            continue;
        memset(&view, 0, sizeof view);
        for (unsigned i = 0; i < coord->n; i++) {
            unsigned at = group->first_slot[coord->orbit] + coord->slot_of[i];
            view.slot[i] = coord->view_of[sym->slot[at]];
            view.turn[i] = sym->turn[at];
            view.factor[i] = (uint8_t)(sym->factor[at] % coord->mod);
        }
        view_syms_add(coord, &view);
    }
    if (!view_syms_close(coord))
        coord->n_syms = 1;
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

bool table_coord_covers(const struct puzzle *puzzle, unsigned orbit, const uint8_t *start)
{
    const struct perm_orbit *shape = &puzzle_shape(puzzle)->orbit[orbit];
    for (unsigned i = 0; i < shape->size; i++)
        if (!puzzle_slot_movable(puzzle, orbit, i) &&
            (perm_pieces(shape, start)[i] != i || perm_orientations(shape, start)[i] != 0))
            return false;
    return !puzzle_orientation_sum_kept(puzzle, orbit) || perm_orientation_sum(shape, start) == 0;
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
