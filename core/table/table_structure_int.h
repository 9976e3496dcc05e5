/*
 * table_structure_int.h - what the files table_structure*.c share.
 *
 * Two engines find the neighbours of a layer of structures, both exactly:
 *
 *     lattice     every move is one short cycle. A cycle of j pieces turns p cycles of a state into
 * q others under one condition on numbers alone, so the layer is taken apart and put together again
 * (table_structure_lattice.c). Reaches large orbits. characters  any moves. Products of conjugacy
 * classes are sums over irreducible characters, which are computed modulo primes
 * (table_structure_characters.c). Limited by the square of the number of classes.
 */
#ifndef CORE_TABLE_TABLE_STRUCTURE_INT_H
#define CORE_TABLE_TABLE_STRUCTURE_INT_H

#include "core/table/table_structure.h"

enum { TABLE__MAX_PIECES = 64 };

/* Of one orbit: how often a cycle of each kind occurs. Unturned pieces are plain cycles of 1, so
 * that the lengths sum to the movable pieces. */
struct table__cycles {
    uint8_t count[2][TABLE__MAX_PIECES + 1]; /* [oriented][length] */
};

/* What a move does to the orbit, up to conjugation: all its cycles but plain ones of 1. */
struct table__move {
    unsigned n;
    uint8_t length[TABLE__MAX_PIECES];
    uint8_t sum[TABLE__MAX_PIECES]; /* of the turns; items ascend by (length, sum) */
};

struct table__orbit {
    unsigned orbit;
    unsigned n;   /* movable pieces */
    unsigned mod; /* orientations */
    bool sum_kept;
    unsigned n_moves;
    struct table__move *move; /* owned; distinct, none does nothing; closed under inverse */
};

/* Can the orbit have these cycles? The lengths sum to its pieces. */
bool table__orbit_allows(const struct table__orbit *orbit, const struct table__cycles *cycles);

/* Calls `visit` with all structures that the orbit allows, by number. False: it returned false. */
bool table__orbit_each(const struct table__orbit *orbit,
                       bool (*visit)(void *arg, uint32_t number,
                                     const struct table__cycles *cycles),
                       void *arg);

/* ---- keys ------------------------------------------------------------------------------- */

struct table__keys {
    struct table_structure_keys open;
    uint32_t n_buckets, n_slots;
    uint32_t *displacement; /* owned, and so on */
    uint32_t *number;
    uint64_t *weight;
};

/* Keys of the `count` structures of the orbit. BASE_ERR_NOMEM. */
int table__keys_init(struct table__keys *keys, const struct table__orbit *orbit, uint32_t count);
void table__keys_deinit(struct table__keys *keys);
uint64_t table__keys_memory(const struct table__keys *keys);
/* The structure must be allowed. */
uint32_t table__keys_number(const struct table__keys *keys, const struct table__cycles *cycles);

/* ---- engines ---------------------------------------------------------------------------- */

struct table__lattice;
struct table__characters;

/* As table_structure_new, with the chosen engines only; tests hold one against the other. */
struct table__engines {
    bool lattice, characters;
};

int table__structure_new(const struct puzzle *puzzle, unsigned orbit, struct table__engines engines,
                         struct table_structure **out);

/* New. BASE_ERR_TOO_LARGE: not for this orbit; BASE_ERR_NOMEM. The orbit is borrowed. */
int table__lattice_new(const struct table__orbit *orbit, uint32_t count,
                       struct table__lattice **out);
void table__lattice_free(struct table__lattice *lattice);
uint64_t table__lattice_memory(const struct table__lattice *lattice);
/* Not, and it is surely too large. */
bool table__characters_fit(const struct table__orbit *orbit);
int table__characters_new(const struct table__orbit *orbit, const struct table__keys *keys,
                          uint32_t count, struct table__characters **out);
void table__characters_free(struct table__characters *characters);
uint64_t table__characters_memory(const struct table__characters *characters);

/* Bytes of working memory, zeroed, that one fill lends to all its calls of _deepen. */
uint64_t table__lattice_work_bytes(const struct table__lattice *lattice);
uint64_t table__characters_work_bytes(const struct table__characters *characters);

/* Sets to `layer` + 1 each vacant entry that has a neighbour whose entry is `layer`; returns how
 * many. */
uint64_t table__lattice_deepen(const struct table__lattice *lattice, void *work, uint8_t *entries,
                               unsigned layer);
uint64_t table__characters_deepen(const struct table__characters *characters, void *work,
                                  uint8_t *entries, unsigned layer);

/* ---- numbers modulo a prime -------------------------------------------------------------- */

/* Primes are below 2^28: 256 products can be added before they are reduced. */
enum { TABLE__PRIME_BITS = 28, TABLE__LAZY_SUMS = 256 };

static inline uint32_t table__multiply(uint32_t a, uint32_t b, uint32_t prime)
{
    return (uint32_t)((uint64_t)a * b % prime);
}

uint32_t table__structure_power(uint32_t base, uint64_t exponent, uint32_t prime);
uint32_t table__inverse(uint32_t a, uint32_t prime); /* a not 0 */

/* The largest prime below the limit that is 1 modulo `mod`; and an element of order `mod`. */
uint32_t table__prime_below(uint32_t limit, unsigned mod);
uint32_t table__root_of_unity(uint32_t prime, unsigned mod);

#endif
