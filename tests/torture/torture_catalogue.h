/*
 * torture_catalogue.h - the tables and jobs of the torture, and what is right about them.
 *
 * Targets are rows of tests/data/structure_lengths_3x3.tsv, whose lengths and counts are known. For
 * each there are tables of the corners and edges of several kinds and sizes. What a table must hold
 * is found by filling it in private memory, without a store, before the torture begins.
 */
#ifndef TESTS_TORTURE_TORTURE_CATALOGUE_H
#define TESTS_TORTURE_TORTURE_CATALOGUE_H

#include "core/search/search_context.h"
#include "core/table/table.h"
#include "tests/support/support_structures.h"

enum { TORTURE_SAMPLES = 64, TORTURE_MAX_TARGETS = 32, TORTURE_MAX_ITEMS = 128 };

/* How much: "small" for a minute, "large" for longer. */
struct torture_profile {
    const char *name;
    uint64_t budget_bytes;
    unsigned n_targets;
    unsigned n_wide; /* of them, those with a table of six edges, 41 MiB */
};

/* NULL: there is none of that name. */
const struct torture_profile *torture_profile_find(const char *name);

/* What is right about a table. */
struct torture_golden {
    uint64_t digest;
    uint64_t bytes;
    uint64_t hash; /* of the payload */
    uint64_t layers;
    uint8_t bound[TORTURE_SAMPLES];
};

struct torture_item {
    struct table_spec spec;
    struct table_key key;
    struct torture_golden golden;
};

struct torture_sample {
    uint8_t state[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
};

struct torture_catalogue {
    const struct torture_profile *profile;
    struct puzzle *cube;
    unsigned n_targets, n_items;
    struct support_structure target[TORTURE_MAX_TARGETS];
    struct search_context *context; /* serves all of them */
    struct torture_item item[TORTURE_MAX_ITEMS];
    struct torture_sample sample[TORTURE_SAMPLES];
};

/* Without golden values. New; what fails, here and below, fails the running test. */
struct torture_catalogue *torture_catalogue_new(const char *profile);
void torture_catalogue_free(struct torture_catalogue *catalogue);

/* Finds the golden values and writes them; reads them. */
void torture_catalogue_make(struct torture_catalogue *catalogue, const char *path);
void torture_catalogue_load(struct torture_catalogue *catalogue, const char *path);

/* The digest's item, or NULL. */
const struct torture_item *torture_catalogue_find(const struct torture_catalogue *catalogue,
                                                  uint64_t digest);

#endif
