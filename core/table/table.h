/*
 * table.h - a pruning table that a job uses: coordinate, bytes in the store, and how to ask it.
 *
 *     table_open      the sealed table, if the store has it
 *     table_create    a growing one (table_grow.h)
 *
 * The bound for a state is the largest over the *questions* asked of the table: the state, for
 * lossy kinds also its inverse, and both under the partner symmetry. Every question's answer is a
 * lower bound for the state (search notes, section 2). A hash is the same for all of these, so it
 * is asked once.
 */
#ifndef CORE_TABLE_TABLE_H
#define CORE_TABLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/cube3/cube3.h"
#include "core/table/table_codec.h"
#include "core/table/table_coord.h"
#include "core/table/table_file.h"
#include "core/table/table_hash.h"
#include "core/table/table_kind.h"
#include "core/table/table_product.h"
#include "core/table/table_store.h"
#include "core/table/table_structure.h"

enum { TABLE_UNREACHABLE = 255 };

/* What a table is for: one of the coordinates is set. */
struct table_spec {
    const struct table_coord *coord;     /* borrowed: outlives the table */
    const struct table_hash *hash;       /* likewise */
    const struct table_product *product; /* likewise */
    const struct table_structure *steps; /* likewise, and with it: */
    const struct puzzle *puzzle;         /* borrowed */
    unsigned orbit;
    enum table_encoding encoding;
    const struct cycle_structure *structures; /* the target; only the orbit's items count */
    size_t n_structures;
};

struct table_questions_cube3;

struct table {
    enum table_kind kind;
    const struct table_coord *coord;     /* of exact tables, and approximate ones by subset */
    const struct table_hash *hash;       /* of approximate ones by hash */
    const struct table_product *product; /* of product tables */
    const struct table_structure *steps; /* of cycle structure tables */
    struct table_file *file;             /* NULL: growing, and not known yet how large */
    const uint8_t *entries;              /* the payload */
    struct table_codec *codec; /* how to read it; NULL: by bytes, or a product's own nxopt */
    struct table_questions_cube3 *cube3; /* NULL unless the register has a fast form of them */
    struct table_growth *growth;         /* while growing */
};

/* The key of the table: puzzle, moves, orbit, kind, encoding and projected target. */
int table_spec_key(const struct table_spec *spec, struct table_key *key);

/* Of the table that has this key. */
enum table_variant table_key_variant(const struct table_key *key);

/* What the store will say about the table. BASE_ERR_NOMEM. */
int table_spec_meta(const struct table_spec *spec, struct table_meta *meta);

enum table_kind table_spec_kind(const struct table_spec *spec);

/* Bytes of the payload; of a tans table, what it takes at most. */
uint64_t table_spec_bytes(const struct table_spec *spec);
/* What entries that are `source` bytes as they are filled take in this encoding, likewise. */
uint64_t table_encoded_bytes(enum table_encoding encoding, uint64_t source);

/* Bytes of the entries as they are filled; and is that how they are kept? */
uint64_t table_spec_source_bytes(const struct table_spec *spec);
bool table_spec_is_native(const struct table_spec *spec);

/* New: a table without a file. BASE_ERR_NOMEM; also then it is to be closed. */
int table_new(const struct table_spec *spec, struct table **out);

/* Prepares for reading the payload of the table's file. BASE_ERR_CORRUPT: this spec's tables have
 * other ones. */
int table_open_payload(struct table *table, const struct table_spec *spec);

/* New, acquired from the store. BASE_ERR_NOT_FOUND and the store's errors. */
int table_open(struct table_store *store, const struct table_spec *spec, struct table **out);

/* Compares a table with its checksums, unless that has been done in this process: about 20 GB/s.
 * BASE_ERR_CORRUPT: the store has removed it; close it and create another. */
int table_verify(struct table *table);

/* Releases a sealed table, discards a growing one. NULL is allowed. */
void table_close(struct table *table);

/* Lower bound of moves from the state to the target, by the reference code; TABLE_UNREACHABLE if no
 * target state can be reached. `inverse` is the state's inverse. Sealed tables only. */
unsigned table_bound(const struct table *table, const uint8_t *state, const uint8_t *inverse);

/* An entry's worth: distance, or TABLE_UNREACHABLE for a vacant entry of a sealed table. */
static inline unsigned table_entry_bound(uint8_t entry)
{
    return (uint8_t)(entry - 1);
}

/* ---- for the 3x3x3 in a register ---------------------------------------------------------- */

struct table_questions_cube3 {
    enum table_kind kind;
    unsigned n_questions; /* for the state; lossy kinds are asked as many for its inverse */
    struct cube3_exact exact;
    struct cube3_subset subset[2];
    struct cube3_product product;
    const struct table_structure_keys *keys; /* borrowed; with the orbit */
    unsigned orbit;
    uint16_t *head; /* owned, shared by the subsets */
    uint64_t *relative;
    uint16_t *tail;
};

/* Is a table of this orbit, exact (k = 0) or of k pieces, one that the puzzle's fastest kernel has
 * a fast form for? Always, unless the puzzle fits the register, whose kernel knows exact corners
 * and edge subsets, and asks all others by the reference code. */
bool table_is_askable(const struct puzzle *puzzle, unsigned orbit, unsigned k);

/* New; *out is NULL with code 0 if this table cannot be asked that way. BASE_ERR_NOMEM. */
int table_questions_cube3_new(const struct table_spec *spec, struct table_questions_cube3 **out);
void table_questions_cube3_free(struct table_questions_cube3 *questions);

#endif
