/*
 * table_structure_lattice_int.h - the lattice of all multisets of cycles: how its nodes are
 * numbered, and the rule that moves of one cycle obey.
 *
 * Let a cycle of j pieces meet p cycles of a state, so that q cycles arise from them; both have the
 * same number of pieces, m. That is possible for given lengths iff
 *
 *     m >= j,  p + q <= j + 1,  p + q = j + 1 (mod 2),
 *     and, where p + q = j + 1:  m >= j * g,  g the greatest common divisor of all the lengths
 *
 * (Boccara 1982; for p + q = j + 1 these are Zannier's weighted trees). All sums of turns can arise
 * whose total is that of the p cycles and the move's. Tests hold this against character theory.
 *
 * So what matters of the p cycles is, but for g, how many they are and the kind of their total. A
 * node is a multiset of cycles with n pieces at most, as a pair of partitions, of the plain and of
 * the oriented lengths; the structures are the nodes with n pieces. Nodes with the same plain
 * lengths and as many oriented pieces are a *row*: they follow each other.
 */
#ifndef CORE_TABLE_TABLE_STRUCTURE_LATTICE_INT_H
#define CORE_TABLE_TABLE_STRUCTURE_LATTICE_INT_H

#include "core/table/table_structure_int.h"

enum {
    TABLE__LATTICE_MAX_LENGTH = 7, /* of a move: numbers of cycles are bits of a byte */
    TABLE__LATTICE_MAX_KINDS = 3
};

struct table__lattice {
    const struct table__orbit *orbit;
    uint32_t n_structures;
    unsigned n;
    unsigned most_oriented;                       /* pieces: n, or 0 if there is one orientation */
    unsigned n_kinds;                             /* of totals, see table__lattice_kind_of */
    bool moves[TABLE__LATTICE_MAX_LENGTH + 1][2]; /* [length][turned]: cycles that moves are */
    /* Partitions of each number of pieces are numbered from 0, by their largest part, then by the
     * rest. */
    uint32_t up_to[TABLE__MAX_PIECES + 1][TABLE__MAX_PIECES + 1]; /* [pieces][part]: none larger */
    /* [pieces][length]: where in `longer` the partitions of so many pieces stand; there, each with
     * one part more of that length. */
    uint32_t first_longer[TABLE__MAX_PIECES + 1][TABLE__MAX_PIECES + 1];
    uint32_t *longer;
    uint32_t n_longer;
    uint32_t block[TABLE__MAX_PIECES + 1]
                  [TABLE__MAX_PIECES + 1];                      /* [plain][oriented pieces]: node */
    uint32_t row[TABLE__MAX_PIECES + 1][TABLE__MAX_PIECES + 1]; /* and row, the first of them */
    uint32_t n_nodes, n_rows;
    uint32_t *node; /* [structure] */
};

static inline uint32_t table__lattice_partitions(const struct table__lattice *lattice,
                                                 unsigned pieces)
{
    return lattice->up_to[pieces][pieces];
}

/* Node of at most n pieces. */
uint32_t table__lattice_node_of(const struct table__lattice *lattice,
                                const struct table__cycles *cycles);

/* ---- the rule --------------------------------------------------------------------------- */

/* The kind of the total of the sums of cycles, by the number of the oriented ones; and with one
 * oriented cycle more. */
unsigned table__lattice_kind_of(const struct table__lattice *lattice, unsigned oriented);
unsigned table__lattice_next_kind(const struct table__lattice *lattice, unsigned kind);

/* Can a total of the first kind and a move's sum make one of the second? */
bool table__lattice_kinds_fit(const struct table__lattice *lattice, unsigned before, unsigned after,
                              bool turned);

/* What p cycles can become: bits SURE << q, or PERHAPS << q where the divisor decides (PERHAPS is
 * set with SURE too). */
enum { TABLE__LATTICE_SURE = 1, TABLE__LATTICE_PERHAPS = 1 << 8 };
uint16_t table__lattice_answer(unsigned j, unsigned m, unsigned p);

#endif
