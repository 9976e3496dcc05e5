/*
 * table_subset.c - the coordinate of approximate tables: what is in k chosen slots.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_coord_int.h"
#include "core/table/table_fill_int.h"

/* Subsets tried before the best so far is taken. */
enum { MOST_SUBSETS = 20000 };

uint64_t table_coord_subset_bytes(const struct puzzle *puzzle, unsigned orbit, unsigned k)
{
    unsigned n = puzzle_movable_count(puzzle, orbit);
    if (n == 0 || n > TABLE_MAX_VIEW || k == 0 || k > n || k > TABLE_MAX_PICK)
        return UINT64_MAX;
    uint64_t lines = table__arrangements(n, k);
    unsigned mod = puzzle_shape(puzzle)->orbit[orbit].mod;
    uint64_t width = table__power(mod, k);
    if (lines >= UINT32_MAX || width >= UINT32_MAX || lines > UINT64_MAX / width ||
        table__power(mod, k - k / 2) > TABLE_HALF_MAX)
        return UINT64_MAX;
    return lines * width;
}

/* How many picked slots does the symmetry move to slots that are not picked? */
static unsigned new_slots(const struct table_coord *coord, unsigned sym, uint64_t picked)
{
    unsigned count = 0;
    for (unsigned j = 0; j < coord->k; j++)
        count += !(picked >> coord->sym[sym].slot[coord->pick[j]] & 1);
    return count;
}

/* The symmetry that adds most slots; *added says how many. */
static unsigned best_partner(const struct table_coord *coord, unsigned *added)
{
    uint64_t picked = 0;
    unsigned best = 0;
    for (unsigned j = 0; j < coord->k; j++)
        picked |= (uint64_t)1 << coord->pick[j];
    *added = 0;
    for (unsigned s = 1; s < coord->n_syms; s++) {
        unsigned count = new_slots(coord, s, picked);
        if (count > *added) {
            *added = count;
            best = s;
        }
    }
    return best;
}

/* Next subset in lexicographic order; false after the last. */
static bool next_subset(uint8_t *pick, unsigned k, unsigned n)
{
    unsigned i = k;
    while (i > 0 && pick[i - 1] == n - k + i - 1)
        i--;
    if (i == 0)
        return false;
    pick[i - 1]++;
    for (; i < k; i++)
        pick[i] = (uint8_t)(pick[i - 1] + 1);
    return true;
}

/* Picks the slots so that one table, asked for a state and for its image under one symmetry, sees
 * as many slots as can be: on the cube's edges, six slots whose image is the other six. */
static void choose_slots(struct table_coord *coord)
{
    uint8_t best[TABLE_MAX_PICK];
    unsigned best_added = 0, most = coord->n - coord->k < coord->k ? coord->n - coord->k : coord->k;
    for (unsigned j = 0; j < coord->k; j++)
        best[j] = coord->pick[j] = (uint8_t)j;
    for (unsigned tried = 0; tried < MOST_SUBSETS && best_added < most; tried++) {
        unsigned added, partner = best_partner(coord, &added);
        if (added > best_added) {
            best_added = added;
            coord->partner = partner;
            memcpy(best, coord->pick, coord->k);
        }
        if (!next_subset(coord->pick, coord->k, coord->n))
            break;
    }
    memcpy(coord->pick, best, coord->k);
}

int table_coord_new_subset(const struct sym_group *group, unsigned orbit, unsigned k,
                           uint64_t bytes, struct table_coord **out)
{
    *out = NULL;
    uint64_t size = table_coord_subset_bytes(group->puzzle, orbit, k);
    if (size == UINT64_MAX)
        return BASE_ERR_RANGE;
    if (size > bytes)
        return BASE_ERR_MEMORY_LIMIT;
    struct table_coord *coord = calloc(1, sizeof *coord);
    if (!coord)
        return BASE_ERR_NOMEM;
    coord->kind = TABLE_COORD_SUBSET;
    int code = table__coord_init(coord, group, orbit);
    if (code != 0) {
        table_coord_free(coord);
        return code;
    }
    coord->k = coord->n_digits = k;
    coord->head = (k + 1) / 2;
    coord->n_heads = (uint32_t)table__arrangements(coord->n, coord->head);
    coord->n_tails = (uint32_t)table__arrangements(coord->n - coord->head, k - coord->head);
    coord->n_lines = coord->n_heads * coord->n_tails;
    coord->width = coord->stride = (uint32_t)table__power(coord->mod, k);
    coord->size = size;
    choose_slots(coord);
    *out = coord;
    return 0;
}
