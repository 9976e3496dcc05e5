/*
 * table_hash.h - the coordinate of hash tables: all of an orbit's state, hashed into a table of any
 * size. For orbits whose states cannot be numbered (24 wings have 24! of them) and targets whose
 * image there can be listed (table_listing.h), the solved state above all.
 *
 * The hash is the same for a state, its inverse and their images under all symmetries, for which
 * the distance is the same too. A *window* of a state is two arcs, one behind the other: slot i,
 * the piece p in it and its turn, the piece q in slot p and its turn. Symmetries and inversion map
 * windows to windows; each class of windows gets a random number, and
 *
 *     hash = sum over the slots of the number of the window that starts there's class
 *
 * So one question is as good as asking for all images, and a layer takes up to 96 times fewer
 * entries than it has states, which on the cube's symmetries is one layer and a half. States in
 * other classes can share a hash: by chance, and if they consist of the same cycles placed
 * differently to one another. An entry is the least distance among all that share it.
 *
 * The fill goes forward from the listed target (table_hash_fill.c); as it must keep the states of
 * two layers, it ends when its scratch memory is used up, and what has not been reached by then
 * gets the value "at least all complete layers". A sealed table therefore reads like any other:
 * entry - 1 is a lower bound, and only where the whole orbit has been searched are there vacant
 * entries, which no state can have from which the target is reached.
 */
#ifndef CORE_TABLE_TABLE_HASH_H
#define CORE_TABLE_TABLE_HASH_H

#include "core/table/table_coord.h"
#include "core/table/table_fill.h"

enum {
    TABLE_HASH_MAX_WINDOWS = 1 << 20, /* 8 MiB; 64 pieces of 2 orientations, 20 of 10 */
    TABLE_HASH_LEAST = 4096,          /* entries that are worth a file, which takes no less */
    TABLE_HASH_MAX_BOUND = 62         /* what an entry can say at most, in every encoding */
};

struct table_hash {
    struct table_coord view; /* slots, orientations and symmetries of the orbit; no lines */
    unsigned n_arcs;         /* of a slot: piece * mod + turn */
    uint8_t *piece_of;       /* [arc] */
    uint32_t *first_sym; /* [slot * n + image]: into sym_at, the symmetries that take it there */
    uint16_t *sym_at;
    uint64_t *window; /* [(slot * n_arcs + its arc) * n_arcs + arc of the slot of its piece] */
    uint64_t digest;  /* of the windows: equal ones hash alike */
    uint64_t size;    /* entries, and bytes */
};

/* Bytes for a table of the orbit, at most `most`: no more than its classes of states are worth.
 * UINT64_MAX: impossible (no movable slot, or too many windows). */
uint64_t table_hash_bytes(const struct puzzle *puzzle, unsigned orbit, unsigned n_syms,
                          uint64_t most);

/* New, for a table of `bytes` entries, 1 .. 2^34. BASE_ERR_RANGE: impossible, or too many entries;
 * BASE_ERR_NOMEM. */
int table_hash_new(const struct sym_group *group, unsigned orbit, uint64_t bytes,
                   struct table_hash **out);
void table_hash_free(struct table_hash *hash);

/* Entry of a state of the puzzle; it need not be asked for the inverse or for images. */
uint64_t table_hash_index(const struct table_hash *hash, const uint8_t *state);

/* ---- filling ------------------------------------------------------------------------------ */

struct table_hash_target {
    const struct table_hash *hash;            /* borrowed by the fill */
    const struct cycle_structure *structures; /* the target; only the orbit's items count */
    size_t n;
    uint64_t scratch; /* bytes that the fill may take besides the table; 0: table_hash_scratch */
};

/* Scratch memory that suits a table of `size` entries: with less the fill ends layers earlier, with
 * much more the table is full before the memory is used up. */
uint64_t table_hash_scratch(uint64_t size);

/* A fill as of table_fill.h; `entries` holds hash->size zero bytes, and is borrowed. What it says
 * of layers holds while it runs. After the last pass, which sets what is vacant, the histogram
 * holds those entries too: publish it then. BASE_ERR_TOO_LARGE: the image is too large to be
 * listed, see `diag`. BASE_ERR_NOMEM. */
int table_fill_new_hash(const struct table_hash_target *target, uint8_t *entries,
                        struct table_fill **out, struct base_diag *diag);

#endif
