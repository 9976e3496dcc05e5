/*
 * table_exact.c - the coordinate of exact tables: classes of permutations times orientations.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_bits.h"
#include "core/base/base_err.h"
#include "core/table/table_coord_int.h"

enum { UNSEEN = UINT32_MAX, LINE_ALIGN = 8 };

static unsigned entry_digits(const struct puzzle *puzzle, unsigned orbit, unsigned n)
{
    return n - (puzzle_orientation_sum_kept(puzzle, orbit) && n > 0);
}

uint64_t table_coord_exact_bytes(const struct puzzle *puzzle, unsigned orbit, unsigned n_syms)
{
    unsigned n = puzzle_movable_count(puzzle, orbit);
    if (n == 0 || n > TABLE_EXACT_MAX_SLOTS)
        return UINT64_MAX;
    uint64_t width =
        table__power(puzzle_shape(puzzle)->orbit[orbit].mod, entry_digits(puzzle, orbit, n));
    if (width > UINT16_MAX)
        return UINT64_MAX;
    /* A few classes have fewer members than there are symmetries: 984, not 840, on the cube. */
    return table__arrangements(n, n) / n_syms * (width + LINE_ALIGN) * 5 / 4;
}

uint32_t table__image_rank(const struct table_coord *coord, unsigned sym, const uint8_t *piece)
{
    const uint8_t *slot = coord->sym[sym].slot;
    uint8_t image[TABLE_EXACT_MAX_SLOTS];
    for (unsigned i = 0; i < coord->n; i++)
        image[slot[i]] = slot[piece[i]];
    return table_rank(image, coord->n, coord->n);
}

/* Numbers the classes by their least permutation and notes, for every permutation, the symmetry
 * that takes it there. */
static int classify(struct table_coord *coord)
{
    uint32_t n_perms = (uint32_t)table__arrangements(coord->n, coord->n);
    coord->line_of_perm = malloc(n_perms * sizeof *coord->line_of_perm);
    coord->rep = malloc(n_perms * sizeof *coord->rep);
    if (!coord->line_of_perm || !coord->rep)
        return BASE_ERR_NOMEM;
    memset(coord->line_of_perm, 0xff, n_perms * sizeof *coord->line_of_perm);
    for (uint32_t rank = 0; rank < n_perms; rank++) {
        if (coord->line_of_perm[rank] != UNSEEN)
            continue;
        uint8_t piece[TABLE_EXACT_MAX_SLOTS];
        table_unrank(rank, coord->n, coord->n, piece);
        coord->rep[coord->n_lines] = rank;
        for (unsigned s = 0; s < coord->n_syms; s++) {
            uint32_t *image = &coord->line_of_perm[table__image_rank(coord, s, piece)];
            /* s takes the representative to the image; what takes it back is the inverse, found
             * below. */
            if (*image == UNSEEN)
                *image = coord->n_lines << TABLE_SYM_BITS | s;
        }
        coord->n_lines++;
    }
    return 0;
}

/* Symmetry of the view that undoes `sym` (as far as this orbit can tell). */
static unsigned inverse_sym(const struct table_coord *coord, unsigned sym)
{
    const struct table_view_sym *a = &coord->sym[sym];
    for (unsigned s = 0; s < coord->n_syms; s++) {
        const struct table_view_sym *b = &coord->sym[s];
        bool undoes = true;
        for (unsigned i = 0; undoes && i < coord->n; i++)
            undoes = b->slot[a->slot[i]] == i &&
                     b->factor[a->slot[i]] * a->factor[i] % coord->mod == 1 % coord->mod;
        if (undoes)
            return s;
    }
    return 0; /* not reached: the symmetries are a group */
}

static void point_to_representative(struct table_coord *coord)
{
    uint32_t n_perms = (uint32_t)table__arrangements(coord->n, coord->n);
    unsigned inverse[SYM_MAX];
    for (unsigned s = 0; s < coord->n_syms; s++)
        inverse[s] = inverse_sym(coord, s);
    const uint32_t mask = (1u << TABLE_SYM_BITS) - 1;
    for (uint32_t rank = 0; rank < n_perms; rank++) {
        uint32_t found = coord->line_of_perm[rank];
        coord->line_of_perm[rank] = (found & ~mask) | inverse[found & mask];
    }
}

/* The digits of all slots; the last one follows from the others if the sum is kept. */
static void entry_turns(const struct table_coord *coord, uint32_t entry, uint8_t *turn)
{
    unsigned sum = 0;
    for (unsigned j = 0; j < coord->n_digits; j++) {
        turn[j] = (uint8_t)(entry % coord->mod);
        sum += turn[j];
        entry /= coord->mod;
    }
    if (coord->n_digits < coord->n)
        turn[coord->n - 1] = (uint8_t)((coord->mod - sum % coord->mod) % coord->mod);
}

static int linear_init(struct table_coord *coord)
{
    coord->linear = malloc((size_t)coord->n_syms * coord->width * sizeof *coord->linear);
    if (!coord->linear)
        return BASE_ERR_NOMEM;
    for (unsigned s = 0; s < coord->n_syms; s++)
        for (uint32_t e = 0; e < coord->width; e++) {
            const struct table_view_sym *sym = &coord->sym[s];
            uint8_t turn[TABLE_EXACT_MAX_SLOTS], image[TABLE_EXACT_MAX_SLOTS];
            entry_turns(coord, e, turn);
            for (unsigned i = 0; i < coord->n; i++)
                image[sym->slot[i]] = (uint8_t)(sym->factor[i] * turn[i] % coord->mod);
            coord->linear[(size_t)s * coord->width + e] = (uint16_t)table__entry(coord, image);
        }
    return 0;
}

int table_coord_new_exact(const struct sym_group *group, unsigned orbit, uint64_t bytes,
                          struct table_coord **out)
{
    struct table_coord *coord = calloc(1, sizeof *coord);
    *out = NULL;
    if (!coord)
        return BASE_ERR_NOMEM;
    coord->kind = TABLE_COORD_EXACT;
    int code = table__coord_init(coord, group, orbit);
    if (code == 0) {
        coord->n_digits = entry_digits(group->puzzle, orbit, coord->n);
        uint64_t most = table_coord_exact_bytes(group->puzzle, orbit, coord->n_syms);
        code = most == UINT64_MAX ? BASE_ERR_RANGE : classify(coord);
    }
    if (code == 0) {
        point_to_representative(coord);
        coord->width = (uint32_t)table__power(coord->mod, coord->n_digits);
        coord->stride = (uint32_t)base_bits_align_up(coord->width, LINE_ALIGN);
        coord->size = (uint64_t)coord->n_lines * coord->stride;
        code = coord->size > bytes ? BASE_ERR_MEMORY_LIMIT : linear_init(coord);
    }
    if (code != 0) {
        table_coord_free(coord);
        return code;
    }
    *out = coord;
    return 0;
}
