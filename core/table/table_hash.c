/*
 * table_hash.c - window classes and the sum over a state's windows.
 *
 * A sum of random numbers, one for each feature, is Zobrist's hash; that it can be made invariant
 * by giving the same number to features that symmetries exchange is the point of this one. Single
 * arcs would do for that too, but their classes tell too little: 24 wings have 24 * 24 / 96 = 6 and
 * a few, against some 160 of windows.
 */
#include "core/table/table_hash.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/table/table_coord_int.h"
#include "core/table/table_hash_int.h"

enum { LARGEST = 34, SEED = 0x68617368, ENTRIES_PER_CLASS = 4 };

static uint64_t window_count(unsigned n, unsigned mod)
{
    return (uint64_t)n * n * mod * n * mod;
}

static bool is_possible(const struct puzzle *puzzle, unsigned orbit)
{
    unsigned n = puzzle_movable_count(puzzle, orbit);
    return n > 0 && n <= TABLE_MAX_VIEW &&
           window_count(n, puzzle_shape(puzzle)->orbit[orbit].mod) <= TABLE_HASH_MAX_WINDOWS;
}

uint64_t table_hash_bytes(const struct puzzle *puzzle, unsigned orbit, unsigned n_syms,
                          uint64_t most)
{
    if (!is_possible(puzzle, orbit))
        return UINT64_MAX;
    const unsigned n = puzzle_movable_count(puzzle, orbit);
    const unsigned mod = puzzle_shape(puzzle)->orbit[orbit].mod;
    double classes = n * log(mod) - log(2.0 * n_syms);
    for (unsigned i = 2; i <= n; i++)
        classes += log(i);
    uint64_t limit = most < UINT64_C(1) << LARGEST ? most : UINT64_C(1) << LARGEST;
    double wanted = exp(classes) * ENTRIES_PER_CLASS + BASE_CACHE_LINE;
    uint64_t bytes = wanted < (double)limit ? (uint64_t)wanted : limit;
    return bytes - bytes % BASE_CACHE_LINE;
}

/* ---- windows ------------------------------------------------------------------------------ */

/* Slot, the piece in it turned, and the piece in the slot that is the first one's home, turned. */
struct window {
    unsigned slot, piece, turn, next_piece, next_turn;
};

static struct window window_at(const struct table_hash *hash, uint64_t number)
{
    const unsigned mod = hash->view.mod;
    unsigned next = (unsigned)(number % hash->n_arcs);
    unsigned arc = (unsigned)(number / hash->n_arcs % hash->n_arcs);
    return (struct window){.slot = (unsigned)(number / hash->n_arcs / hash->n_arcs),
                           .piece = arc / mod,
                           .turn = arc % mod,
                           .next_piece = next / mod,
                           .next_turn = next % mod};
}

static uint64_t window_number(const struct table_hash *hash, const struct window *window)
{
    const unsigned mod = hash->view.mod;
    uint64_t arc = window->piece * mod + window->turn;
    return (window->slot * hash->n_arcs + arc) * hash->n_arcs + window->next_piece * mod +
           window->next_turn;
}

/* The window of the inverse: the same arcs the other way round. */
static struct window window_inverse(const struct table_hash *hash, const struct window *window)
{
    const unsigned mod = hash->view.mod;
    return (struct window){.slot = window->next_piece,
                           .piece = window->piece,
                           .turn = (mod - window->next_turn) % mod,
                           .next_piece = window->slot,
                           .next_turn = (mod - window->turn) % mod};
}

static unsigned image_turn(const struct table_hash *hash, const struct table_view_sym *sym,
                           unsigned slot, unsigned piece, unsigned turn)
{
    const unsigned mod = hash->view.mod;
    return (sym->factor[slot] * turn + sym->turn[slot] + mod - sym->turn[piece]) % mod;
}

static struct window window_image(const struct table_hash *hash, unsigned s,
                                  const struct window *window)
{
    const struct table_view_sym *sym = &hash->view.sym[s];
    return (struct window){
        .slot = sym->slot[window->slot],
        .piece = sym->slot[window->piece],
        .turn = image_turn(hash, sym, window->slot, window->piece, window->turn),
        .next_piece = sym->slot[window->next_piece],
        .next_turn = image_turn(hash, sym, window->piece, window->next_piece, window->next_turn)};
}

/* Gives the class of a window its number, which is that of its least window, hashed: the same on
 * every machine. */
static void number_class(struct table_hash *hash, uint64_t least)
{
    const uint64_t number = base_hash_mix(SEED, least) | 1; /* never 0, which is "not yet" */
    const struct window window = window_at(hash, least), inverse = window_inverse(hash, &window);
    for (unsigned s = 0; s < hash->view.n_syms; s++) {
        struct window image = window_image(hash, s, &window);
        hash->window[window_number(hash, &image)] = number;
        image = window_image(hash, s, &inverse);
        hash->window[window_number(hash, &image)] = number;
    }
}

/* ---- life --------------------------------------------------------------------------------- */

/* Lists the symmetries by the image of each slot. */
static int list_syms(struct table_hash *hash)
{
    const unsigned n = hash->view.n;
    uint32_t count = 0;
    hash->first_sym = malloc((n * n + 1) * sizeof *hash->first_sym);
    hash->sym_at = malloc(n * hash->view.n_syms * sizeof *hash->sym_at);
    if (!hash->first_sym || !hash->sym_at)
        return BASE_ERR_NOMEM;
    for (unsigned pair = 0; pair < n * n; pair++) {
        hash->first_sym[pair] = count;
        for (unsigned s = 0; s < hash->view.n_syms; s++)
            if (hash->view.sym[s].slot[pair / n] == pair % n)
                hash->sym_at[count++] = (uint16_t)s;
    }
    hash->first_sym[n * n] = count;
    return 0;
}

static int hash_init(struct table_hash *hash, const struct sym_group *group, unsigned orbit)
{
    int code = table__coord_init(&hash->view, group, orbit);
    if (code != 0)
        return code;
    const uint64_t n_windows = window_count(hash->view.n, hash->view.mod);
    hash->n_arcs = hash->view.n * hash->view.mod;
    hash->window = calloc(n_windows, sizeof *hash->window);
    hash->piece_of = malloc(hash->n_arcs);
    if (!hash->window || !hash->piece_of)
        return BASE_ERR_NOMEM;
    for (unsigned arc = 0; arc < hash->n_arcs; arc++)
        hash->piece_of[arc] = (uint8_t)(arc / hash->view.mod);
    for (uint64_t w = 0; w < n_windows; w++)
        if (hash->window[w] == 0)
            number_class(hash, w);
    hash->digest = base_hash(hash->window, n_windows * sizeof *hash->window, 0);
    return list_syms(hash);
}

int table_hash_new(const struct sym_group *group, unsigned orbit, uint64_t bytes,
                   struct table_hash **out)
{
    *out = NULL;
    if (!is_possible(group->puzzle, orbit) || bytes == 0 || bytes > UINT64_C(1) << LARGEST)
        return BASE_ERR_RANGE;
    struct table_hash *hash = calloc(1, sizeof *hash);
    if (!hash)
        return BASE_ERR_NOMEM;
    hash->size = bytes;
    int code = hash_init(hash, group, orbit);
    if (code != 0) {
        table_hash_free(hash);
        return code;
    }
    *out = hash;
    return 0;
}

void table_hash_free(struct table_hash *hash)
{
    if (!hash)
        return;
    free(hash->view.sym);
    free(hash->window);
    free(hash->piece_of);
    free(hash->first_sym);
    free(hash->sym_at);
    free(hash);
}

/* ---- hashing ------------------------------------------------------------------------------ */

uint64_t table_hash_index(const struct table_hash *hash, const uint8_t *state)
{
    const struct table_coord *view = &hash->view;
    const struct perm_orbit *orbit = &puzzle_shape(view->group->puzzle)->orbit[view->orbit];
    const uint8_t *pieces = perm_pieces(orbit, state), *turns = perm_orientations(orbit, state);
    struct table_hash_state arcs;
    for (unsigned i = 0; i < view->n; i++) {
        unsigned slot = view->slot_of[i];
        arcs.piece[i] = view->view_of[pieces[slot]];
        arcs.arc[i] = (uint16_t)(arcs.piece[i] * view->mod + turns[slot]);
    }
    return table__hash_entry(hash, table__hash_sum(hash, &arcs));
}
