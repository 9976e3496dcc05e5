/*
 * support_hash.c - see support_hash.h.
 */
#include "tests/support/support_hash.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct sym_group *support_hash_group(const struct puzzle *puzzle)
{
    struct sym_group *group = NULL;
    ck_assert_int_eq(sym_group_new(puzzle, &group), 0);
    return group;
}

struct table_hash *support_hash_new(const struct sym_group *group, unsigned orbit, uint64_t size)
{
    struct table_hash *hash = NULL;
    ck_assert_int_eq(table_hash_new(group, orbit, size, &hash), 0);
    return hash;
}

void support_hash_fill(const struct table_hash_target *target, enum support_fill_how how,
                       struct support_hashed *out)
{
    struct support_random random = {12345};
    struct table_fill *fill = NULL;

    out->hash = target->hash;
    out->entries = calloc(target->hash->size, 1);
    ck_assert_ptr_nonnull(out->entries);
    ck_assert_int_eq(table_fill_new_hash(target, out->entries, &fill, NULL), 0);
    do
        support_fill_pass(fill, how, &random);
    while (table_fill_next(fill));
    out->layers = table_fill_layers(fill);
    out->total = table_fill_entries(fill);
    memcpy(out->histogram, table_fill_histogram(fill), sizeof out->histogram);
    table_fill_free(fill);
}

void support_hash_free(struct support_hashed *hashed)
{
    free(hashed->entries);
    hashed->entries = NULL;
}

uint64_t support_hash_vacant(const struct support_hashed *hashed)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < hashed->hash->size; i++)
        count += hashed->entries[i] == TABLE_VACANT;
    return count;
}

unsigned support_hash_bound(const struct support_hashed *hashed, const uint8_t *state)
{
    return table_entry_bound(hashed->entries[table_hash_index(hashed->hash, state)]);
}
