/*
 * table_structure_irreps_int.h - the irreducible characters of the group of all arrangements of an
 * orbit: how they are numbered, and the rule that gives their values cycle by cycle.
 *
 * The group is the wreath product of the cyclic group of `mod` turns with the permutations of n
 * pieces. Its irreducible characters belong to the `mod`-tuples of partitions that have n boxes
 * together. The rule of Murnaghan and Nakayama (for wreath products: Specht): the value at a class
 * with a cycle of length l and sum s is a sum over all ways to remove a rim hook of l boxes from
 * one of the partitions,
 *
 *     value(tuple, class) = sum of (-1)^height * zeta^(colour * s) * value(tuple - hook, class -
 * cycle)
 *
 * where colour is the partition's place in the tuple and zeta a primitive root of unity of order
 * `mod`.
 */
#ifndef CORE_TABLE_TABLE_STRUCTURE_IRREPS_INT_H
#define CORE_TABLE_TABLE_STRUCTURE_IRREPS_INT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TABLE__IRREPS_MAX_PIECES = 31, /* a partition is a set of beads in 64 bits */
    TABLE__IRREPS_MAX_MOD = 127
};

/* One hook of one tuple. */
struct table__hook {
    uint32_t to, from; /* the tuple, and what is left of it */
    uint8_t colour;
    uint8_t odd; /* height */
};

struct table__hooks {
    uint32_t n, room;
    struct table__hook *hook; /* ascending by `to` */
};

struct table__irreps {
    unsigned n, mod;
    uint32_t count[TABLE__IRREPS_MAX_PIECES + 1]; /* [boxes]: tuples, numbered from 0 */
    /* [boxes][length]. Of n boxes only the columns are numbered, in `to`. */
    struct table__hooks hooks[TABLE__IRREPS_MAX_PIECES + 1][TABLE__IRREPS_MAX_PIECES + 1];
    /* Characters that agree, but for the sign, on all even classes that matter and on all odd ones
     * share a column: those of a tuple turned around (if the sum is kept) or transposed. */
    uint32_t n_columns;
    uint32_t *multiplicity; /* [column] */
};

/* Tuples of n boxes, which is also the number of classes; UINT64_MAX: very many. */
uint64_t table__irreps_count(unsigned n, unsigned mod);

/* For n <= TABLE__IRREPS_MAX_PIECES. `sum_kept`: only classes of sum zero matter. Turning a tuple
 * around changes nothing there; transposing its partitions changes the sign at all odd classes.
 * BASE_ERR_NOMEM. */
int table__irreps_init(struct table__irreps *irreps, unsigned n, unsigned mod, bool sum_kept);
void table__irreps_deinit(struct table__irreps *irreps);

#endif
