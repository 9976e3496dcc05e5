/*
 * table_structure.h - the table kind `cycle_structure`: how many moves at least lead from one cycle
 * structure of an orbit to another.
 *
 *     index   the cycle structure that the state has in the orbit: one of the structures that the
 *             orbit alone allows (140 of the cube's corners, 588 of its edges), numbered in the
 *             order of cycle_compare, the identity first
 *     entry   one byte, distance + 1; 0 (TABLE_VACANT): no target can be reached
 *
 * The distance is that of a graph whose nodes are the structures. Two are neighbours if some state
 * of the one, some state of the other and some conjugate of a move differ by just that conjugate;
 * conjugates are taken in the group of all arrangements of the orbit. A path of moves is a path of
 * this graph, so the distance is a lower bound of moves. The neighbours are exact, see
 * table_structure_int.h for how they are found; where a flag stands for several sums of turns
 * (three orientations and more), they are the union over these.
 *
 * Structures count the movable slots of the orbit and obey the kept sum of turns; parities, which
 * bind orbits together, are not looked at.
 */
#ifndef CORE_TABLE_TABLE_STRUCTURE_H
#define CORE_TABLE_TABLE_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cube3/cube3_structure.h"
#include "core/cycle/cycle.h"

/* More structures than this are refused. 30 pieces of two orientations have 294 652. */
enum { TABLE_STRUCTURE_MAX_COUNT = 1 << 20 };

/* The structures of one orbit and the steps between them. Never changes; any thread may read it. */
struct table_structure;

/*
 * New. What the moves do to the orbit decides how far it goes, counting the pieces that move:
 *
 *     every move is one cycle of 7 pieces at most   30 pieces (41 of one orientation)
 *     any moves                                     28 of one orientation, 16 of two, 12 of three,
 *                                                   9 of four, 8 of five
 *
 * BASE_ERR_TOO_LARGE beyond, and soon; BASE_ERR_NOMEM. It takes up to a second, and
 * holds up to 64 MB, at the ends of these ranges; 10 ms and less than 1 MB for the 3x3x3's edges.
 * The definition is only read during the call.
 */
int table_structure_new(const struct puzzle *puzzle, unsigned orbit, struct table_structure **out);
void table_structure_free(struct table_structure *structure); /* NULL is allowed */

/* Structures, which is bytes of a table. */
uint32_t table_structure_count(const struct table_structure *structure);

/* Bytes that the object holds itself. */
uint64_t table_structure_memory(const struct table_structure *structure);

/*
 * Number of the structure of a whole state of the puzzle. The state must have one: it moves and
 * turns no slot that no move moves, and keeps the sums that all moves keep (table_coord_covers).
 * For another state the number says nothing, but is below the count.
 */
uint32_t table_structure_index(const struct table_structure *structure, const uint8_t *state);

/* Number of a structure of the puzzle, of which only the orbit's items count; it must be canonical.
 * BASE_ERR_INFEASIBLE: the orbit has no such structure. */
int table_structure_find(const struct table_structure *structure,
                         const struct cycle_structure *wanted, uint32_t *out);

/*
 * Fills a table: `entries` has table_structure_count bytes, whatever is in them, and histogram (64
 * numbers) counts the entries of each distance. Targets that the orbit does not allow are left out.
 * BASE_ERR_NOMEM.
 */
int table_structure_fill(const struct table_structure *structure,
                         const struct cycle_structure *targets, size_t n, uint8_t *entries,
                         uint64_t *histogram);

/* ---- for table_structure_inl.h ------------------------------------------------------------- */

/*
 * A key names a structure: each cycle adds a weight of its length and flag, so the order in which
 * cycles are met does not matter. A perfect hash takes keys to numbers: the key's bucket tells by
 * what to displace its slot.
 */
struct table_structure_keys {
    uint64_t multiplier;
    unsigned bucket_shift, slot_shift; /* of key * multiplier */
    uint32_t slot_mask;
    const uint32_t *displacement; /* [bucket] */
    const uint32_t *number;       /* [slot] */
    const uint64_t *weight;       /* [2 * length + oriented]: of a cycle; lengths to 255 */
    /* Reads an orbit of a 3x3x3 in a register, with the numbers of this table; NULL: it is none. */
    const struct cube3_orbit_structures *cube3;
};

/* Borrowed. */
const struct table_structure_keys *table_structure_keys(const struct table_structure *structure);

#endif
