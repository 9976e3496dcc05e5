/*
 * puzzle_int.h - the definition as the files of this folder see it.
 *
 * A definition is filled by its builder alone and constant once puzzle_builder_finish has returned
 * it; only the reference count changes after that.
 */
#ifndef CORE_PUZZLE_PUZZLE_INT_H
#define CORE_PUZZLE_PUZZLE_INT_H

#include <stdatomic.h>

#include "core/base/base_mem.h"
#include "core/puzzle/puzzle.h"

struct puzzle {
    atomic_uint references;
    struct puzzle *self;     /* where a reader that holds a const pointer counts references */
    struct base_arena arena; /* transforms */
    char name[PUZZLE_NAME_BYTES];

    struct perm_shape shape;
    char orbit_name[PERM_MAX_ORBITS][PUZZLE_NAME_BYTES];
    bool orientation_sum_kept[PERM_MAX_ORBITS];
    uint8_t movable_count[PERM_MAX_ORBITS];
    uint8_t carried_count[PERM_MAX_ORBITS];
    bool movable[PERM_MAX_BYTES]; /* by orbit offset + slot */

    unsigned n_moves;
    unsigned n_families;
    unsigned n_aliases;
    struct puzzle_alias {
        char name[PUZZLE_NAME_BYTES];
        const uint8_t *transform; /* of its move */
        uint8_t move;             /* known when all moves are in order */
    } alias[PUZZLE_MAX_ALIASES];
    struct puzzle_move move[PUZZLE_MAX_MOVES];
    uint64_t digest;
};

/* Frees a definition whatever its reference count; NULL is allowed. */
void puzzle__free(struct puzzle *puzzle);

/* What puzzle_builder_finish derives from the moves: families and amounts (which order the moves),
 * inverses, invariants and the digest. The moves are closed under inverse. */
void puzzle__analyse(struct puzzle *puzzle);

#endif
