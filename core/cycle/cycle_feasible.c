/*
 * cycle_feasible.c - the figures on which feasibility rests, and feasibility without reasons.
 */
#include "core/base/base_assert.h"
#include "core/cycle/cycle_int.h"

struct cycle_tally cycle__tally(const struct cycle_structure *structure, unsigned orbit)
{
    struct cycle_tally tally = {0};

    for (unsigned i = 0; i < structure->n_items; i++) {
        const struct cycle_item *item = &structure->item[i];
        if (item->orbit != orbit)
            continue;
        tally.oriented += item->oriented;
        if (item->length > 1 || item->oriented)
            tally.pieces += item->length;
        if (item->length > 1)
            tally.carried += item->length;
    }
    return tally;
}

/* One non-zero sum never is zero. Two cancel as +s and -s. A third needs a sum that splits into two
 * non-zero ones, 1 = 2 + (-1), which there is for every mod but 2, where all sums are 1. */
bool cycle__sums_cancel(unsigned mod, unsigned oriented)
{
    if (mod == 2)
        return oriented % 2 == 0;
    return oriented != 1;
}

/* ---- parities ------------------------------------------------------------------------- */

uint32_t cycle__span_rest(const struct cycle_span *span, uint32_t vector)
{
    for (unsigned i = 0; i < span->rank; i++) {
        if (vector & span->pivot[i])
            vector ^= span->row[i];
    }
    return vector;
}

static void span_add(struct cycle_span *span, uint32_t vector)
{
    uint32_t rest = cycle__span_rest(span, vector);

    if (rest == 0)
        return;
    uint32_t pivot = rest & (~rest + 1);
    for (unsigned i = 0; i < span->rank; i++) {
        if (span->row[i] & pivot)
            span->row[i] ^= rest;
    }
    span->row[span->rank] = rest;
    span->pivot[span->rank++] = pivot;
}

void cycle__span_init(struct cycle_span *span, const struct puzzle *puzzle)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);

    span->rank = 0;
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        uint32_t vector = 0;
        for (unsigned k = 0; k < shape->n_orbits; k++)
            vector |= perm_parity(&shape->orbit[k], puzzle_move_at(puzzle, m)->transform) << k;
        span_add(span, vector);
    }
}

uint32_t cycle__parities(const struct puzzle *puzzle, const struct cycle_structure *structure)
{
    uint32_t vector = 0;

    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++)
        vector |= cycle_parity(structure, k) << k;
    return vector;
}

/* ---- together ------------------------------------------------------------------------- */

/* A cycle longer than its orbit is more pieces than can move, and an oriented cycle in an orbit
 * with one orientation is met by `oriented`; so two rules need no line of their own but for length
 * 0. */
static bool fits_orbit(const struct puzzle *puzzle, unsigned k, struct cycle_tally tally)
{
    unsigned mod = puzzle_shape(puzzle)->orbit[k].mod;

    if (tally.pieces > puzzle_movable_count(puzzle, k) ||
        tally.carried > puzzle_carried_count(puzzle, k) || (mod == 1 && tally.oriented > 0))
        return false;
    return !puzzle_orientation_sum_kept(puzzle, k) || cycle__sums_cancel(mod, tally.oriented);
}

bool cycle__feasible(const struct puzzle *puzzle, const struct cycle_laws *laws,
                     const struct cycle_structure *structure)
{
    for (unsigned i = 0; i < structure->n_items; i++) {
        if (structure->item[i].length == 0)
            return false;
    }
    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++) {
        if (!fits_orbit(puzzle, k, cycle__tally(structure, k)))
            return false;
    }
    return cycle__span_rest(&laws->span, cycle__parities(puzzle, structure)) == 0 &&
           (!laws->any_linked || cycle__links_hold(laws, structure, 0));
}
