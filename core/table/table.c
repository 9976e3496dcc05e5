/*
 * table.c - opening, creating and asking tables.
 */
#include "core/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"

const char *table_kind_name(enum table_kind kind)
{
    static const char *const names[] = {
#define TABLE_KIND_TEXT(name, text) text,
        TABLE_KIND_LIST(TABLE_KIND_TEXT)
#undef TABLE_KIND_TEXT
    };
    return names[kind];
}

int table_kind_parse(const char *name, enum table_kind *out)
{
    for (int kind = 0; kind < TABLE_KIND_COUNT; kind++)
        if (strcmp(name, table_kind_name((enum table_kind)kind)) == 0) {
            *out = (enum table_kind)kind;
            return 0;
        }
    return BASE_ERR_NOT_FOUND;
}

bool table_pair_is_legal(enum table_kind kind, enum table_encoding encoding)
{
    static const bool takes_all[TABLE_KIND_COUNT] = {
        [TABLE_KIND_EXACT] = true, [TABLE_KIND_APPROXIMATE] = true, [TABLE_KIND_PRODUCT] = true};
    return encoding == TABLE_ENCODING_NONE || takes_all[kind];
}

enum table_kind table_spec_kind(const struct table_spec *spec)
{
    if (spec->product)
        return TABLE_KIND_PRODUCT;
    return spec->coord->kind == TABLE_COORD_EXACT ? TABLE_KIND_EXACT : TABLE_KIND_APPROXIMATE;
}

uint64_t table_spec_bytes(const struct table_spec *spec)
{
    return spec->product ? spec->product->bytes : spec->coord->size;
}

static const struct puzzle *spec_puzzle(const struct table_spec *spec)
{
    return spec->product ? spec->product->group->puzzle : spec->coord->group->puzzle;
}

/* ---- keys and descriptions --------------------------------------------------------------- */

static int compare_structures(const void *a, const void *b)
{
    return cycle_compare(a, b);
}

/* The structures, cut down to the orbit of a table of one, sorted, each once. New; NULL: out of
 * memory. */
static struct cycle_structure *projected(const struct table_spec *spec, size_t *count)
{
    struct cycle_structure *list = calloc(spec->n_structures + 1, sizeof *list);
    if (!list)
        return NULL;
    for (size_t i = 0; i < spec->n_structures; i++)
        if (spec->product)
            list[i] = spec->structures[i];
        else
            cycle_project(&spec->structures[i], spec->coord->orbit, &list[i]);
    qsort(list, spec->n_structures, sizeof *list, compare_structures);
    *count = 0;
    for (size_t i = 0; i < spec->n_structures; i++)
        if (i == 0 || !cycle_equal(&list[i], &list[*count - 1]))
            list[(*count)++] = list[i];
    return list;
}

/* The projected target as text, and in short (a digest) where the text has no room. */
static int target_text(const struct table_spec *spec, char *text, size_t size)
{
    size_t count, used = 0;
    struct cycle_structure *list = projected(spec, &count);
    if (!list)
        return BASE_ERR_NOMEM;
    uint64_t digest = 0;
    for (size_t i = 0; i < count; i++) {
        digest = base_hash_mix(digest, cycle_hash(&list[i]));
        if (used < size && i > 0)
            used += (size_t)snprintf(text + used, size - used, " | ");
        if (used < size)
            used += (size_t)cycle_print(spec_puzzle(spec), &list[i], text + used, size - used);
    }
    if (used >= size)
        snprintf(text, size, "%zu structures, digest %016llx", count, (unsigned long long)digest);
    free(list);
    return 0;
}

/* "corners", "corners+edges" */
static void orbits_text(const struct table_spec *spec, char *text, size_t size)
{
    const struct puzzle *puzzle = spec_puzzle(spec);
    if (spec->product)
        snprintf(text, size, "%.30s+%.30s", puzzle_orbit_name(puzzle, TABLE_PRODUCT_COLOURS),
                 puzzle_orbit_name(puzzle, TABLE_PRODUCT_LINES));
    else
        snprintf(text, size, "%.63s", puzzle_orbit_name(puzzle, spec->coord->orbit));
}

/* What else tells tables of a kind apart. The layout's number changes whenever indices or bytes do.
 */
static void layout_text(const struct table_spec *spec, char *text, size_t size)
{
    enum { LAYOUT = 1 };
    char flips[16] = "";
    if (spec->product && spec->product->flip_bits < TABLE_PRODUCT_FLIP_BITS)
        snprintf(flips, sizeof flips, " flips=%u", spec->product->flip_bits);
    if (spec->product)
        snprintf(text, size, "layout=%d blocks=%d%s syms=%u encoding=nxopt", LAYOUT,
                 spec->product->fine, flips, spec->product->group->count);
    else
        snprintf(text, size, "layout=%d slots=%u syms=%u encoding=none", LAYOUT,
                 spec->coord->kind == TABLE_COORD_EXACT ? spec->coord->n : spec->coord->k,
                 spec->coord->group->count);
}

int table_spec_key(const struct table_spec *spec, struct table_key *key)
{
    char target[256], orbits[64], layout[96];
    int code = target_text(spec, target, sizeof target);
    if (code != 0)
        return code;
    orbits_text(spec, orbits, sizeof orbits);
    layout_text(spec, layout, sizeof layout);
    return table_key_init(key, "v1 puzzle=%016llx orbits=%s kind=%s %s target=%s",
                          (unsigned long long)puzzle_digest(spec_puzzle(spec)), orbits,
                          table_kind_name(table_spec_kind(spec)), layout, target);
}

static int spec_meta(const struct table_spec *spec, struct table_meta *meta)
{
    memset(meta, 0, sizeof *meta);
    meta->payload_bytes = table_spec_bytes(spec);
    meta->entry_count = spec->product ? spec->product->n_entries
                                      : (uint64_t)spec->coord->n_lines * spec->coord->width;
    snprintf(meta->puzzle, sizeof meta->puzzle, "%.63s", puzzle_name(spec_puzzle(spec)));
    orbits_text(spec, meta->orbits, sizeof meta->orbits);
    snprintf(meta->kind, sizeof meta->kind, "%s", table_kind_name(table_spec_kind(spec)));
    snprintf(meta->encoding, sizeof meta->encoding, "%s", spec->product ? "nxopt" : "none");
    return target_text(spec, meta->target, sizeof meta->target);
}

/* ---- life -------------------------------------------------------------------------------- */

static int table_new(const struct table_spec *spec, struct table **out)
{
    struct table *table = calloc(1, sizeof *table);
    *out = table;
    if (!table)
        return BASE_ERR_NOMEM;
    table->kind = table_spec_kind(spec);
    table->coord = spec->coord;
    table->product = spec->product;
    return table_questions_cube3_new(spec, &table->cube3);
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
    bool foreign =
        code == 0 && table_file_meta(table->file)->payload_bytes != table_spec_bytes(spec);
    if (code != 0 || foreign) {
        table_close(table);
        table = NULL;
        if (foreign) {
            (void)table_store_remove(store, key.digest); /* else it would be in the way for ever */
            code = BASE_ERR_NOT_FOUND;
        }
    } else {
        table->entries = table_file_data(table->file);
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

static int start_fill(struct table *table, const struct table_spec *spec)
{
    uint8_t *entries = table_file_data_writable(table->file);
    table->entries = entries;
    if (spec->product) {
        struct table_fill_product request = {spec->product, spec->structures, spec->n_structures,
                                             TABLE_ENCODING_NXOPT, entries};
        return table_fill_new_product(&request, &table->fill);
    }
    int code = table_image_new(spec->coord, spec->structures, spec->n_structures, &table->image);
    return code == 0 ? table_fill_new(spec->coord, table->image, entries, &table->fill) : code;
}

int table_create(struct table_store *store, const struct table_spec *spec, struct table **out,
                 struct base_diag *diag)
{
    struct table_key key;
    struct table_meta meta;
    struct table *table;
    int code = table_new(spec, &table);
    if (code == 0)
        code = table_spec_key(spec, &key);
    if (code == 0)
        code = spec_meta(spec, &meta);
    if (code == 0)
        code = table_store_create(store, &key, &meta, &table->file, diag);
    if (code == 0)
        code = start_fill(table, spec);
    if (code != 0) {
        table_close(table);
        table = NULL;
    }
    *out = table;
    return code;
}

void table_note_layer(struct table *table)
{
    table_file_set_layer(table->file, (int)table_fill_layers(table->fill),
                         table_fill_histogram(table->fill), TABLE_FILL_MAX_LAYERS);
}

static void end_fill(struct table *table)
{
    table_fill_free(table->fill);
    table_image_free(table->image);
    table->fill = NULL;
    table->image = NULL;
}

int table_seal(struct table *table, uint64_t fill_ns)
{
    end_fill(table);
    return table_file_seal(table->file, fill_ns);
}

void table_close(struct table *table)
{
    if (!table)
        return;
    end_fill(table);
    if (table->file && table_file_state(table->file) == TABLE_STATE_SEALED)
        table_file_release(table->file);
    else if (table->file)
        table_file_discard(table->file);
    table_questions_cube3_free(table->cube3);
    free(table);
}

/* ---- asking ------------------------------------------------------------------------------ */

static unsigned ask(const struct table *table, const struct table_view *view)
{
    return table_entry_bound(table->entries[table_coord_index(table->coord, view)]);
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
    unsigned bound = ask(table, &view);
    if (table->coord->kind == TABLE_COORD_SUBSET && table->coord->partner != 0) {
        table_coord_apply_sym(table->coord, table->coord->partner, &view, &image);
        bound = larger(bound, ask(table, &image));
    }
    return bound;
}

unsigned table_bound(const struct table *table, const uint8_t *state, const uint8_t *inverse)
{
    if (table->kind == TABLE_KIND_PRODUCT)
        return table_product_bound(table->product, NULL, table->entries, state, inverse);
    unsigned bound = ask_with_partner(table, state);
    if (table->coord->kind == TABLE_COORD_SUBSET)
        bound = larger(bound, ask_with_partner(table, inverse));
    return bound;
}
