/*
 * support_hash.h - fills a hash table in plain memory, without a store.
 */
#ifndef TESTS_SUPPORT_SUPPORT_HASH_H
#define TESTS_SUPPORT_SUPPORT_HASH_H

#include "core/table/table_hash.h"
#include "tests/support/support_fill.h"

/* What fails, fails the running test. New. */
struct sym_group *support_hash_group(const struct puzzle *puzzle);
struct table_hash *support_hash_new(const struct sym_group *group, unsigned orbit, uint64_t size);

struct support_hashed {
    const struct table_hash *hash; /* borrowed */
    uint8_t *entries;              /* owned: hash->size */
    unsigned layers;
    uint64_t total;
    uint64_t histogram[TABLE_FILL_MAX_LAYERS];
};

/* Fills a table to the end; what fails, fails the running test. */
void support_hash_fill(const struct table_hash_target *target, enum support_fill_how how,
                       struct support_hashed *out);
void support_hash_free(struct support_hashed *hashed);

uint64_t support_hash_vacant(const struct support_hashed *hashed);

/* What the table says of a state. */
unsigned support_hash_bound(const struct support_hashed *hashed, const uint8_t *state);

#endif
