/*
 * table_grow.h - makes a table, in pieces that a pool of threads can share.
 *
 *     create -> [run every chunk of the pass, in any order, on any threads] -> next -> ... -> seal
 *
 * A table that is kept as it is filled grows in its file. Any other is filled in memory of its own,
 * measured, and encoded into a file that is created once its size is known:
 *
 *     native     FILL (a pass or two a layer) ...                        -> seal
 *     encoded    FILL ...             -> MEASURE -> create the file -> ENCODE -> seal
 */
#ifndef CORE_TABLE_TABLE_GROW_H
#define CORE_TABLE_TABLE_GROW_H

#include "core/table/table.h"

/* New and growing; table_close gives it up. The store's errors (table_store_create), with diag. */
int table_create(struct table_store *store, const struct table_spec *spec, struct table **out,
                 struct base_diag *diag);

/* Memory that making the table takes, the table included. */
uint64_t table_grow_bytes(const struct table_spec *spec);

/* Chunks of the current pass; each is to be run once. */
unsigned table_grow_chunks(const struct table *table);
void table_grow_run(struct table *table, unsigned chunk);

/* When all chunks have been run, by one thread: 1: there is another pass; 0: the table can be
 * sealed; negative: the store has no room for it (its errors, with diag), which may be tried again.
 */
int table_grow_next(struct table *table, struct base_diag *diag);

struct table_grow_report {
    unsigned layers; /* complete */
    uint64_t entries;
    double fraction; /* of the table's entries */
};
void table_grow_report_get(const struct table *table, struct table_grow_report *out);

/* Publishes a table that is complete; from now on it can be asked. */
int table_seal(struct table *table, uint64_t fill_ns);

/* Gives up what is not needed once a table is sealed or not wanted. NULL is allowed. */
void table_growth_free(struct table_growth *growth);

#endif
