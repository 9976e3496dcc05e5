/*
 * cycle.c - cycle structures as values: canonical form, order, comparison.
 */
#include "core/cycle/cycle.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"

_Static_assert(sizeof(struct cycle_item) == 3, "items are hashed as bytes: no padding");

/* ---- items ---------------------------------------------------------------------------- */

static void append(struct cycle_structure *structure, struct cycle_item item)
{
    structure->item[structure->n_items++] = item;
}

int cycle_add(const struct puzzle *puzzle, struct cycle_structure *structure, unsigned orbit,
              unsigned length, bool oriented)
{
    if (orbit >= puzzle_shape(puzzle)->n_orbits || length < 1 || length > UINT8_MAX ||
        structure->n_items == CYCLE_MAX_ITEMS)
        return BASE_ERR_RANGE;
    append(structure, (struct cycle_item){(uint8_t)orbit, (uint8_t)length, oriented});
    return BASE_OK;
}

static int compare_items(const struct cycle_item *a, const struct cycle_item *b)
{
    if (a->orbit != b->orbit)
        return a->orbit < b->orbit ? -1 : 1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return (a->oriented > b->oriented) - (a->oriented < b->oriented);
}

static int compare_untyped(const void *a, const void *b)
{
    return compare_items(a, b);
}

void cycle_canonicalise(struct cycle_structure *structure)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < structure->n_items; i++) {
        const struct cycle_item item = structure->item[i];
        if (item.length != 1 || item.oriented)
            structure->item[kept++] = item;
    }
    structure->n_items = (uint16_t)kept;
    qsort(structure->item, kept, sizeof structure->item[0], compare_untyped);
}

/* ---- of a state ----------------------------------------------------------------------- */

static void add_cycles(const struct perm_orbit *orbit, unsigned number, const uint8_t *state,
                       struct cycle_structure *out)
{
    bool seen[UINT8_MAX] = {false};

    for (unsigned i = 0; i < orbit->size; i++) {
        unsigned turn;

        if (seen[i])
            continue;
        unsigned length = perm_walk_cycle(orbit, state, i, seen, &turn);
        append(out, (struct cycle_item){(uint8_t)number, (uint8_t)length, turn != 0});
    }
}

/* A cycle has a piece at least, and a structure has room for one item a piece. */
void cycle_of_state(const struct puzzle *puzzle, const uint8_t *state, struct cycle_structure *out)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);

    out->n_items = 0;
    for (unsigned k = 0; k < shape->n_orbits; k++)
        add_cycles(&shape->orbit[k], k, state, out);
    cycle_canonicalise(out);
}

/* ---- comparing ------------------------------------------------------------------------ */

/* Lexicographic; a structure comes before its continuations. */
int cycle_compare(const struct cycle_structure *a, const struct cycle_structure *b)
{
    for (unsigned i = 0; i < a->n_items && i < b->n_items; i++) {
        int order = compare_items(&a->item[i], &b->item[i]);
        if (order)
            return order;
    }
    return (a->n_items > b->n_items) - (a->n_items < b->n_items);
}

bool cycle_equal(const struct cycle_structure *a, const struct cycle_structure *b)
{
    return cycle_compare(a, b) == 0;
}

uint64_t cycle_hash(const struct cycle_structure *structure)
{
    return base_hash(structure->item, structure->n_items * sizeof structure->item[0], 0);
}

/* ---- figures -------------------------------------------------------------------------- */

void cycle_project(const struct cycle_structure *structure, unsigned orbit,
                   struct cycle_structure *out)
{
    out->n_items = 0;
    for (unsigned i = 0; i < structure->n_items; i++) {
        if (structure->item[i].orbit == orbit)
            append(out, structure->item[i]);
    }
}

uint64_t cycle_order(const struct puzzle *puzzle, const struct cycle_structure *structure)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    uint64_t order = 1;

    for (unsigned i = 0; i < structure->n_items; i++) {
        const struct cycle_item *item = &structure->item[i];
        BASE_ASSERT(item->orbit < shape->n_orbits);
        unsigned mod = shape->orbit[item->orbit].mod;
        order = perm_lcm(order, item->oriented ? item->length * mod : item->length);
    }
    return order;
}

/* A cycle of length n is a product of n - 1 exchanges, which is odd or even as n + 1 is. */
unsigned cycle_parity(const struct cycle_structure *structure, unsigned orbit)
{
    unsigned exchanges = 0;

    for (unsigned i = 0; i < structure->n_items; i++) {
        if (structure->item[i].orbit == orbit)
            exchanges += structure->item[i].length + 1u;
    }
    return exchanges % 2;
}
