/*
 * puzzle.h - an immutable puzzle definition: orbits and moves.
 *
 * A job that restricts the moves, or adds an algorithm as a move, searches a definition *derived*
 * from the puzzle (puzzle_derive): the same orbits, other moves. All layers above
 * read moves from the definition alone, so none of them knows of restrictions.
 *
 * Definitions are reference counted and never change after they are built; they may be read
 * from any thread.
 */
#ifndef CORE_PUZZLE_PUZZLE_H
#define CORE_PUZZLE_PUZZLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_diag.h"
#include "core/perm/perm.h"

enum {
    PUZZLE_MAX_MOVES = 128,
    PUZZLE_NAME_BYTES = 128,
    PUZZLE_MAX_WORD = 64,
    PUZZLE_MAX_ALIASES = 64
};

struct puzzle;
struct puzzle_builder;

struct puzzle_move {
    char name[PUZZLE_NAME_BYTES]; /* as printed: "U", "U2", "U'" */
    uint8_t family;               /* moves that are powers of the same move: one "face" */
    uint8_t inverse;              /* index of the inverse move */
    uint8_t weight;               /* of the metric; 1 in half turns */
    uint64_t amount; /* this move = (first move of the family) ^ amount; an algorithm used as a move
                        may have a large order */
    const uint8_t *transform; /* shape bytes, borrowed from the puzzle */
};

/* ---- building ------------------------------------------------------------------------- */

/* New. NULL: out of memory. A name that is not made of letters, digits, '_' and '-' is refused by
 * puzzle_builder_finish. After an error a builder is only good for freeing. */
struct puzzle_builder *puzzle_builder_new(const char *name);
void puzzle_builder_free(struct puzzle_builder *builder);

/* Orbits come before moves. Names are letters, digits, '_' and '-'; unique in any case. */
int puzzle_builder_add_orbit(struct puzzle_builder *builder, const char *name, unsigned size,
                             unsigned mod, struct base_diag *diag);

/* Adds one move. `transform` is copied. A transform equal to a move that is there, or to the
 * identity, is refused (BASE_ERR_CONFLICT). Inverses need not be added by hand: see
 * puzzle_builder_finish. */
int puzzle_builder_add_move(struct puzzle_builder *builder, const char *name,
                            const uint8_t *transform, unsigned weight, struct base_diag *diag);

/* Adds a base move and its powers, named NAME, NAME2, NAME3 ..., the last power of an order-n base
 * NAME' and in general power n-k NAMEk' for k < n/2, all of weight 1. */
int puzzle_builder_add_face(struct puzzle_builder *builder, const char *name,
                            const uint8_t *transform, struct base_diag *diag);

/* Another name for a move that is there already (Rw for r), taken wherever a move is read and never
 * printed. At most PUZZLE_MAX_ALIASES. */
int puzzle_builder_add_alias(struct puzzle_builder *builder, const char *alias, const char *name,
                             struct base_diag *diag);

/* Validates, adds missing inverses (NAME' of NAME and NAME of NAME', with the same weight), orders
 * moves by family as added and by amount within a family, and gives the definition (new, one
 * reference). The builder is consumed whatever happens. */
int puzzle_builder_finish(struct puzzle_builder *builder, struct puzzle **out,
                          struct base_diag *diag);

/* ---- derived -------------------------------------------------------------------------- */

struct puzzle_choice {
    const char *name;         /* of the move as it will be printed */
    const uint8_t *transform; /* shape bytes, borrowed for the call */
    unsigned weight;
};

/* New definition with the orbits of `puzzle` and the chosen moves, closed under inverse; equal
 * transforms are kept once, with the least weight. Moves keep the order of `puzzle` where they come
 * from it, others follow in the order given. There are no aliases: texts are read with the puzzle's
 * own definition. */
int puzzle_derive(const struct puzzle *puzzle, const struct puzzle_choice *choices, size_t n,
                  struct puzzle **out, struct base_diag *diag);

/* ---- reading -------------------------------------------------------------------------- */

struct puzzle *puzzle_acquire(const struct puzzle *puzzle);
void puzzle_release(const struct puzzle *puzzle); /* NULL is allowed */

const char *puzzle_name(const struct puzzle *puzzle);
const struct perm_shape *puzzle_shape(const struct puzzle *puzzle);
const char *puzzle_orbit_name(const struct puzzle *puzzle, unsigned orbit);

/* Index of the orbit called `name` (length bytes) or of the only one that it is a prefix of, in any
 * case; else BASE_ERR_UNKNOWN_ORBIT. */
int puzzle_find_orbit(const struct puzzle *puzzle, const char *name, size_t length);

unsigned puzzle_move_count(const struct puzzle *puzzle);
const struct puzzle_move *puzzle_move_at(const struct puzzle *puzzle, unsigned move);
/* By its name or an alias. BASE_ERR_UNKNOWN_MOVE. */
int puzzle_find_move(const struct puzzle *puzzle, const char *name, size_t length);
int puzzle_find_transform(const struct puzzle *puzzle, const uint8_t *transform);
unsigned puzzle_family_count(const struct puzzle *puzzle);

/* An alias and the move that it is a name of. */
unsigned puzzle_alias_count(const struct puzzle *puzzle);
const char *puzzle_alias_at(const struct puzzle *puzzle, unsigned alias, unsigned *move);

/* Do all moves keep the sum of the orientations of this orbit? */
bool puzzle_orientation_sum_kept(const struct puzzle *puzzle, unsigned orbit);

/* How many slots of this orbit some move changes; and does any move change this slot? */
unsigned puzzle_movable_count(const struct puzzle *puzzle, unsigned orbit);
bool puzzle_slot_movable(const struct puzzle *puzzle, unsigned orbit, unsigned slot);

/* How many slots of this orbit some move fills with a piece of another one. The other movable ones
 * keep their pieces, which only turn there (the corners of a pyraminx). */
unsigned puzzle_carried_count(const struct puzzle *puzzle, unsigned orbit);

/* Are orbits, sizes, orientations and moves (transforms and weights) the same? Names do not count.
 * The digest is a function of just that and stable across versions and machines. */
bool puzzle_equal(const struct puzzle *a, const struct puzzle *b);
uint64_t puzzle_digest(const struct puzzle *puzzle);

/* The state after a word of moves from `start` (NULL: solved), by the reference code. */
void puzzle_apply_word(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *word,
                       unsigned length, uint8_t *out);

/* Names joined by spaces; "" for the empty word. Returns the length without NUL, as snprintf does.
 */
int puzzle_word_print(const struct puzzle *puzzle, const uint8_t *word, unsigned length, char *out,
                      size_t size);

#endif
