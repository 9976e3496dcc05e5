/*
 * sym.h - the symmetries of a puzzle and move set, found from the definition.
 *
 * A symmetry relabels slots (and the pieces at home there) and turns their orientation frames so
 * that the move set, weights included, is mapped to itself. In coordinates, with pi, a and b of the
 * slots,
 *
 *     image of state t:  slot pi(i) holds piece pi(p), turned a*o + b(i) - b(p)   (mod)
 *
 * where slot i of t holds piece p turned o. Slots of one orbit may go to another orbit of
 * the same size and mod. On the cube there are 48: 24 rotations and their mirror images.
 */
#ifndef CORE_SYM_SYM_H
#define CORE_SYM_SYM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cycle/cycle.h"
#include "core/puzzle/puzzle.h"

enum { SYM_MAX = 480, SYM_MAX_SLOTS = PERM_MAX_BYTES / 2 };

struct sym {
    uint8_t orbit[PERM_MAX_ORBITS]; /* image of each orbit */
    uint8_t slot[SYM_MAX_SLOTS]; /* pi, numbered within the image orbit; orbits one after another */
    uint8_t turn[SYM_MAX_SLOTS]; /* b, 0 .. mod-1 */
    uint8_t factor[SYM_MAX_SLOTS];  /* a, a unit mod `mod`; the same in a whole orbit */
    uint8_t move[PUZZLE_MAX_MOVES]; /* image of each move */
    uint16_t inverse;               /* index in the group */
};

struct sym_group {
    const struct puzzle *puzzle; /* acquired */
    unsigned count;
    uint16_t first_slot[PERM_MAX_ORBITS]; /* of each orbit in sym.slot */
    struct sym *sym;                      /* [0] is the identity */
};

/* New. All symmetries, or the identity alone if there are more than SYM_MAX or the search for them
 * takes too long (no puzzle of the field comes near). BASE_ERR_NOMEM. */
int sym_group_new(const struct puzzle *puzzle, struct sym_group **out);

/* New: those symmetries that `keep` accepts, which must form a group. */
int sym_group_filter(const struct sym_group *group,
                     bool (*keep)(const struct sym_group *, unsigned sym, void *arg), void *arg,
                     struct sym_group **out);

void sym_group_free(struct sym_group *group);

/* out = image of a state. `out` must not alias `state`. */
void sym_apply(const struct sym_group *group, unsigned sym, const uint8_t *state, uint8_t *out);

/* Does the symmetry map the set of these structures to itself? */
bool sym_keeps_structures(const struct sym_group *group, unsigned sym,
                          const struct cycle_structure *structures, size_t n);

/* Few symmetries that generate all of the group: their numbers, at most SYM_MAX_GENERATORS; returns
 * how many. */
enum { SYM_MAX_GENERATORS = 16 };
unsigned sym_group_generators(const struct sym_group *group, uint16_t *out);

/* Does it map a state to itself? */
bool sym_fixes_state(const struct sym_group *group, unsigned sym, const uint8_t *state);

#endif
