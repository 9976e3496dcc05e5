/*
 * puzzle_analyse.c - what follows from the moves of a definition: families, inverses, invariants,
 * digest.
 *
 * A family is what people call a face: the moves that are powers of one of them, its root. The
 * root is the move of the highest order whose powers include the move in question, the first added
 * among equals. Families are numbered by their first member as added, and the moves of a family
 * follow each other by amount, so that the faces of a cube read U U2 U' whatever order they came
 * in.
 */
#include <stdlib.h>

#include "core/base/base_hash.h"
#include "core/puzzle/puzzle_int.h"

/* ---- families ------------------------------------------------------------------------- */

#define FAMILY_NONE UINT8_MAX

_Static_assert(PUZZLE_MAX_MOVES < FAMILY_NONE, "no family has the number that means none");

static const uint8_t *transform_of(const struct puzzle *puzzle, unsigned move)
{
    return puzzle->move[move].transform;
}

/* A move that has a family need not be asked: all powers of it are in that family. */
static unsigned find_root(const struct puzzle *puzzle, unsigned move)
{
    unsigned root = move;
    uint64_t order = perm_order(&puzzle->shape, transform_of(puzzle, move));

    for (unsigned i = 0; i < puzzle->n_moves; i++) {
        if (puzzle->move[i].family != FAMILY_NONE)
            continue;
        uint64_t candidate = perm_order(&puzzle->shape, transform_of(puzzle, i));
        bool better = candidate > order || (candidate == order && i < root);
        if (better &&
            perm_log(&puzzle->shape, transform_of(puzzle, i), transform_of(puzzle, move), NULL)) {
            root = i;
            order = candidate;
        }
    }
    return root;
}

static void found_family(struct puzzle *puzzle, unsigned root)
{
    for (unsigned i = 0; i < puzzle->n_moves; i++) {
        struct puzzle_move *move = &puzzle->move[i];
        if (move->family == FAMILY_NONE &&
            perm_log(&puzzle->shape, transform_of(puzzle, root), move->transform, &move->amount))
            move->family = (uint8_t)puzzle->n_families;
    }
    puzzle->n_families++;
}

static int compare_moves(const void *left, const void *right)
{
    const struct puzzle_move *a = left;
    const struct puzzle_move *b = right;

    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    return (a->amount > b->amount) - (a->amount < b->amount);
}

static void find_families(struct puzzle *puzzle)
{
    for (unsigned i = 0; i < puzzle->n_moves; i++)
        puzzle->move[i].family = FAMILY_NONE;
    for (unsigned i = 0; i < puzzle->n_moves; i++) {
        if (puzzle->move[i].family == FAMILY_NONE)
            found_family(puzzle, find_root(puzzle, i));
    }
    qsort(puzzle->move, puzzle->n_moves, sizeof puzzle->move[0], compare_moves);
}

static void find_inverses(struct puzzle *puzzle)
{
    uint8_t inverse[PERM_MAX_BYTES];

    for (unsigned i = 0; i < puzzle->n_moves; i++) {
        perm_invert(&puzzle->shape, transform_of(puzzle, i), inverse);
        puzzle->move[i].inverse = (uint8_t)puzzle_find_transform(puzzle, inverse);
    }
}

static void resolve_aliases(struct puzzle *puzzle)
{
    for (unsigned i = 0; i < puzzle->n_aliases; i++)
        puzzle->alias[i].move = (uint8_t)puzzle_find_transform(puzzle, puzzle->alias[i].transform);
}

/* ---- invariants ----------------------------------------------------------------------- */

static void find_invariants(struct puzzle *puzzle, unsigned k)
{
    const struct perm_orbit *orbit = &puzzle->shape.orbit[k];
    bool carried[UINT8_MAX] = {false};

    puzzle->orientation_sum_kept[k] = true;
    for (unsigned m = 0; m < puzzle->n_moves; m++) {
        const uint8_t *piece = perm_pieces(orbit, transform_of(puzzle, m));
        const uint8_t *orientation = perm_orientations(orbit, transform_of(puzzle, m));

        if (perm_orientation_sum(orbit, transform_of(puzzle, m)) != 0)
            puzzle->orientation_sum_kept[k] = false;
        for (unsigned i = 0; i < orbit->size; i++) {
            carried[i] |= piece[i] != i;
            puzzle->movable[orbit->offset + i] |= piece[i] != i || orientation[i] != 0;
        }
    }
    for (unsigned i = 0; i < orbit->size; i++) {
        puzzle->movable_count[k] += puzzle->movable[orbit->offset + i];
        puzzle->carried_count[k] += carried[i];
    }
}

/* ---- digest --------------------------------------------------------------------------- */

/* Orbits (size, mod), then moves in the order of the definition (weight, transform). The order of
 * the moves counts: tasks of a search and the words it finds depend on it. */
static uint64_t make_digest(const struct puzzle *puzzle)
{
    uint64_t digest = base_hash_mix(0, puzzle->shape.n_orbits);

    for (unsigned k = 0; k < puzzle->shape.n_orbits; k++) {
        digest = base_hash_mix(digest, puzzle->shape.orbit[k].size);
        digest = base_hash_mix(digest, puzzle->shape.orbit[k].mod);
    }
    for (unsigned i = 0; i < puzzle->n_moves; i++) {
        digest = base_hash_mix(digest, puzzle->move[i].weight);
        digest = base_hash(transform_of(puzzle, i), puzzle->shape.bytes, digest);
    }
    return digest;
}

void puzzle__analyse(struct puzzle *puzzle)
{
    find_families(puzzle);
    find_inverses(puzzle);
    resolve_aliases(puzzle);
    for (unsigned k = 0; k < puzzle->shape.n_orbits; k++)
        find_invariants(puzzle, k);
    puzzle->digest = make_digest(puzzle);
}
