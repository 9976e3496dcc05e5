/*
 * support_rows.h - runs the rows of tests/data/structure_lengths_3x3.tsv through one engine, many
 * at a time, and holds lengths and counts against the file.
 */
#ifndef TESTS_SUPPORT_SUPPORT_ROWS_H
#define TESTS_SUPPORT_SUPPORT_ROWS_H

#include "tests/support/support_engine.h"

/* Rows of `least` to `most` moves, of those every `step`-th beginning with `first`. */
struct support_rows {
    unsigned least, most, first, step;
    uint64_t memory_bytes;       /* of each job; 0: the engine's */
    struct search_wishes tables; /* of each job */
};

/* Finds all of each; returns how many rows there were. */
unsigned support_rows_run(struct support_engine *here, const struct puzzle *cube,
                          const struct support_rows *which);

#endif
