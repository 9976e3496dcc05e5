/*
 * table_kind.h - kinds of pruning tables: how a state becomes an index, and what an entry means.
 */
#ifndef CORE_TABLE_TABLE_KIND_H
#define CORE_TABLE_TABLE_KIND_H

#include <stdbool.h>

#include "core/table/table_codec.h"

/* X(NAME, "wire name") */
#define TABLE_KIND_LIST(X)                                                                         \
    X(FIXED, "fixed")                                                                              \
    X(EXACT, "exact")                                                                              \
    X(APPROXIMATE, "approximate")                                                                  \
    X(CYCLE_STRUCTURE, "cycle_structure")                                                          \
    X(PRODUCT, "product")

enum table_kind {
#define TABLE_KIND_ENUM(name, text) TABLE_KIND_##name,
    TABLE_KIND_LIST(TABLE_KIND_ENUM)
#undef TABLE_KIND_ENUM
        TABLE_KIND_COUNT
};

const char *table_kind_name(enum table_kind kind);
/* BASE_ERR_NOT_FOUND: no kind has this name. */
int table_kind_parse(const char *name, enum table_kind *out);

/* Which of the two lossy indices a table of the kind `approximate` has: where some of the pieces
 * are, or a hash of the whole orbit. */
enum table_variant { TABLE_VARIANT_NONE, TABLE_VARIANT_SUBSET, TABLE_VARIANT_HASH };

/* "subset", "hash"; "" for NONE, which is for tables of other kinds. */
const char *table_variant_name(enum table_variant variant);

/* Do tables of this kind come in this encoding? */
bool table_pair_is_legal(enum table_kind kind, enum table_encoding encoding);

#endif
