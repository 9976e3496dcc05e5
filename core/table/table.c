/*
 * table.c - opening, closing and asking tables.
 */
#include "core/table/table.h"

#include <stdlib.h>

#include "core/base/base_err.h"
#include "core/table/table_codec_inl.h"
#include "core/table/table_grow.h"

/* ---- life -------------------------------------------------------------------------------- */

int table_new(const struct table_spec *spec, struct table **out)
{
    struct table *table = calloc(1, sizeof *table);
    *out = table;
    if (!table)
        return BASE_ERR_NOMEM;
    table->kind = table_spec_kind(spec);
    table->coord = spec->coord;
    table->hash = spec->hash;
    table->product = spec->product;
    table->steps = spec->steps;
    return table_questions_cube3_new(spec, &table->cube3);
}

/* Bytes of one orbit and a product's own encoding are read without a codec. */
int table_open_payload(struct table *table, const struct table_spec *spec)
{
    uint64_t bytes = table_file_meta(table->file)->payload_bytes;
    bool by_codec = spec->product ? spec->encoding != TABLE_ENCODING_NXOPT
                                  : spec->encoding != TABLE_ENCODING_NONE;
    table->entries = table_file_data(table->file);
    if (table_spec_is_native(spec) && bytes != table_spec_source_bytes(spec))
        return BASE_ERR_CORRUPT;
    return by_codec ? table_codec_open(spec->encoding, table->entries, bytes,
                                       table_spec_source_bytes(spec), &table->codec)
                    : 0;
}

int table_open(struct table_store *store, const struct table_spec *spec, struct table **out)
{
    struct table_key key;
    struct table *table;
    int code = table_new(spec, &table);
    if (code == 0)
        code = table_spec_key(spec, &key);
    if (code == 0)
        code = table_store_acquire(store, &key, &table->file);
    if (code == 0)
        code = table_open_payload(table, spec);
    if (code != 0) {
        table_close(table);
        table = NULL;
    }
    if (code == BASE_ERR_CORRUPT) {
        (void)table_store_remove(store, key.digest); /* else it would be in the way for ever */
        code = BASE_ERR_NOT_FOUND;
    }
    *out = table;
    return code;
}

int table_verify(struct table *table)
{
    int code;
    do
        code = table_file_verify_step(table->file);
    while (code == 0);
    return table_file_trust(table->file) == TABLE_TRUST_FAILED ? BASE_ERR_CORRUPT : 0;
}

void table_close(struct table *table)
{
    if (!table)
        return;
    table_growth_free(table->growth);
    if (table->file && table_file_state(table->file) == TABLE_STATE_SEALED)
        table_file_release(table->file);
    else if (table->file)
        table_file_discard(table->file);
    table_codec_free(table->codec);
    table_questions_cube3_free(table->cube3);
    free(table);
}

/* ---- asking ------------------------------------------------------------------------------ */

static unsigned ask(const struct table *table, uint64_t index)
{
    return table->codec ? table_codec_bound(table->codec, table->entries, index)
                        : table_entry_bound(table->entries[index]);
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* The state and, if the kind is lossy, its image under the partner symmetry. */
static unsigned ask_with_partner(const struct table *table, const uint8_t *state)
{
    struct table_view view, image;
    table_coord_view(table->coord, state, &view);
    unsigned bound = ask(table, table_coord_index(table->coord, &view));
    if (table->coord->kind == TABLE_COORD_SUBSET && table->coord->partner != 0) {
        table_coord_apply_sym(table->coord, table->coord->partner, &view, &image);
        bound = larger(bound, ask(table, table_coord_index(table->coord, &image)));
    }
    return bound;
}

unsigned table_bound(const struct table *table, const uint8_t *state, const uint8_t *inverse)
{
    if (table->kind == TABLE_KIND_CYCLE_STRUCTURE)
        return table_entry_bound(table->entries[table_structure_index(table->steps, state)]);
    if (table->kind == TABLE_KIND_PRODUCT)
        return table_product_bound(table->product, table->codec, table->entries, state, inverse);
    if (table->hash)
        return ask(table, table_hash_index(table->hash, state));
    unsigned bound = ask_with_partner(table, state);
    if (table->coord->kind == TABLE_COORD_SUBSET)
        bound = larger(bound, ask_with_partner(table, inverse));
    return bound;
}
