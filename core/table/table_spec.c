/*
 * table_spec.c - what a table is: its kind, its size, its key and its description.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/table/table.h"

/* ---- kind and size ----------------------------------------------------------------------- */

enum table_kind table_spec_kind(const struct table_spec *spec)
{
    if (spec->product)
        return TABLE_KIND_PRODUCT;
    if (spec->steps)
        return TABLE_KIND_CYCLE_STRUCTURE;
    if (spec->hash)
        return TABLE_KIND_APPROXIMATE;
    return spec->coord->kind == TABLE_COORD_EXACT ? TABLE_KIND_EXACT : TABLE_KIND_APPROXIMATE;
}

uint64_t table_spec_source_bytes(const struct table_spec *spec)
{
    const struct table_product *product = spec->product;
    if (spec->steps)
        return table_structure_count(spec->steps);
    if (!product)
        return spec->hash ? spec->hash->size : spec->coord->size;
    return spec->encoding == TABLE_ENCODING_NXOPT ? product->bytes : product->n_entries;
}

/* The distribution is not known yet: that of a tans table is taken as one of 2^3 equal values. */
uint64_t table_encoded_bytes(enum table_encoding encoding, uint64_t source)
{
    enum { TANS_BITS = 3, TANS_HEAD = 1 << 14 };
    static const uint64_t none_yet[TABLE_CODEC_VALUES];
    uint64_t bytes = UINT64_MAX;
    struct table_codec *codec;
    if (source == UINT64_MAX || encoding == TABLE_ENCODING_NONE)
        return source;
    if (encoding == TABLE_ENCODING_TANS)
        return source / 8 * TANS_BITS + TANS_HEAD;
    if (table_codec_new(encoding, none_yet, source, NULL, &codec) == 0) {
        bytes = table_codec_expected_bytes(codec);
        table_codec_free(codec);
    }
    return bytes;
}

uint64_t table_spec_bytes(const struct table_spec *spec)
{
    uint64_t source = table_spec_source_bytes(spec);
    return table_spec_is_native(spec) ? source : table_encoded_bytes(spec->encoding, source);
}

bool table_spec_is_native(const struct table_spec *spec)
{
    return spec->encoding == TABLE_ENCODING_NONE ||
           (spec->product && spec->encoding == TABLE_ENCODING_NXOPT);
}

/* Slots and symmetries of an orbit whose states are told apart. */
static const struct table_coord *spec_view(const struct table_spec *spec)
{
    return spec->hash ? &spec->hash->view : spec->coord;
}

static const struct puzzle *spec_puzzle(const struct table_spec *spec)
{
    if (spec->steps)
        return spec->puzzle;
    return spec->product ? spec->product->group->puzzle : spec_view(spec)->group->puzzle;
}

/* Of tables of one orbit. */
static unsigned spec_orbit(const struct table_spec *spec)
{
    return spec->steps ? spec->orbit : spec_view(spec)->orbit;
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
            cycle_project(&spec->structures[i], spec_orbit(spec), &list[i]);
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
        snprintf(text, size, "%.63s", puzzle_orbit_name(puzzle, spec_orbit(spec)));
}

/* What only the keys of hash tables have. */
static const char hash_mark[] = " hash=";

enum table_variant table_key_variant(const struct table_key *key)
{
    char kind[64];
    snprintf(kind, sizeof kind, " kind=%s ", table_kind_name(TABLE_KIND_APPROXIMATE));
    if (!strstr(key->text, kind))
        return TABLE_VARIANT_NONE;
    return strstr(key->text, hash_mark) ? TABLE_VARIANT_HASH : TABLE_VARIANT_SUBSET;
}

/* What else tells tables of a kind apart. The layout's number changes whenever indices or bytes do.
 * How far a hash table's fill gets follows from its size.
 */
static void layout_text(const struct table_spec *spec, char *text, size_t size)
{
    enum { LAYOUT = 1 };
    char flips[16] = "";
    if (spec->product && spec->product->flip_bits < TABLE_PRODUCT_FLIP_BITS)
        snprintf(flips, sizeof flips, " flips=%u", spec->product->flip_bits);
    if (spec->product)
        snprintf(text, size, "layout=%d blocks=%d%s syms=%u encoding=%s", LAYOUT,
                 spec->product->fine, flips, spec->product->group->count,
                 table_encoding_name(spec->encoding));
    else if (spec->steps)
        snprintf(text, size, "layout=%d structures=%u encoding=none", LAYOUT,
                 table_structure_count(spec->steps));
    else if (spec->hash)
        snprintf(text, size, "layout=%d%s%016llx bytes=%llu syms=%u encoding=%s", LAYOUT, hash_mark,
                 (unsigned long long)spec->hash->digest, (unsigned long long)spec->hash->size,
                 spec->hash->view.n_syms, table_encoding_name(spec->encoding));
    else
        snprintf(text, size, "layout=%d slots=%u syms=%u encoding=%s", LAYOUT,
                 spec->coord->kind == TABLE_COORD_EXACT ? spec->coord->n : spec->coord->k,
                 spec->coord->group->count, table_encoding_name(spec->encoding));
}

int table_spec_key(const struct table_spec *spec, struct table_key *key)
{
    char target[256], orbits[64], layout[128];
    int code = target_text(spec, target, sizeof target);
    if (code != 0)
        return code;
    orbits_text(spec, orbits, sizeof orbits);
    layout_text(spec, layout, sizeof layout);
    return table_key_init(key, "v1 puzzle=%016llx orbits=%s kind=%s %s target=%s",
                          (unsigned long long)puzzle_digest(spec_puzzle(spec)), orbits,
                          table_kind_name(table_spec_kind(spec)), layout, target);
}

static uint64_t entry_count(const struct table_spec *spec)
{
    if (spec->steps)
        return table_structure_count(spec->steps);
    if (spec->hash)
        return spec->hash->size;
    return spec->product ? spec->product->n_entries
                         : (uint64_t)spec->coord->n_lines * spec->coord->width;
}

int table_spec_meta(const struct table_spec *spec, struct table_meta *meta)
{
    memset(meta, 0, sizeof *meta);
    meta->payload_bytes = table_spec_source_bytes(spec);
    meta->resumable = spec->coord && table_spec_is_native(spec);
    meta->entry_count = entry_count(spec);
    snprintf(meta->puzzle, sizeof meta->puzzle, "%.63s", puzzle_name(spec_puzzle(spec)));
    orbits_text(spec, meta->orbits, sizeof meta->orbits);
    snprintf(meta->kind, sizeof meta->kind, "%s", table_kind_name(table_spec_kind(spec)));
    snprintf(meta->encoding, sizeof meta->encoding, "%s", table_encoding_name(spec->encoding));
    return target_text(spec, meta->target, sizeof meta->target);
}
