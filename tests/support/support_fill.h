/*
 * support_fill.h - fills a table in plain memory, without a store.
 */
#ifndef TESTS_SUPPORT_SUPPORT_FILL_H
#define TESTS_SUPPORT_SUPPORT_FILL_H

#include "core/table/table.h"
#include "core/table/table_fill.h"
#include "tests/support/support_random.h"

enum support_fill_how {
    SUPPORT_FILL_IN_ORDER,
    SUPPORT_FILL_SHUFFLED, /* the chunks of every pass in random order */
    SUPPORT_FILL_THREADS   /* four threads take chunks from a shared counter */
};

/* Runs all chunks of the current pass. */
void support_fill_pass(struct table_fill *fill, enum support_fill_how how,
                       struct support_random *random);

struct support_filled {
    uint8_t *entries; /* of coord->size bytes */
    unsigned layers;
    uint64_t total;
    uint64_t histogram[TABLE_FILL_MAX_LAYERS];
};

/* Fills the table of a target to the end; what fails, fails the running test. */
void support_fill(const struct table_coord *coord, const struct cycle_structure *structures,
                  size_t n, enum support_fill_how how, struct support_filled *out);
void support_fill_free(struct support_filled *filled);

/* The table that table_bound and the search's kernels ask; borrows both. */
void support_fill_table_init(struct table *table, const struct table_coord *coord,
                             const struct support_filled *filled);
void support_fill_table_deinit(struct table *table);

#endif
