/*
 * table_grow.c - see the header.
 */
#include "core/table/table_grow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/table/table_fill.h"
#include "core/table/table_store_int.h"

enum { KEEP_BYTES_PER_NS = 4 };

enum grow_pass { GROW_FILL, GROW_MEASURE, GROW_ENCODE };

/* A table of cycle structures: it is small, and filled at once. */
struct table_one_piece {
    const struct table_structure *steps; /* borrowed */
    struct cycle_structure *targets;     /* owned */
    size_t n;
    uint8_t *entries;
    int code; /* of the fill */
    uint64_t histogram[TABLE_HISTOGRAM_SIZE];
};

struct table_growth {
    struct table_store *store; /* borrowed */
    struct table_key key;
    struct table_meta meta;
    enum table_encoding encoding;
    enum grow_pass pass;
    struct table_image *image;
    struct table_fill *fill; /* NULL: of cycle structures, whose table is one piece of work: */
    struct table_one_piece piece;
    uint8_t *source; /* entries in memory of their own; NULL: the file's */
    uint64_t source_bytes;
    uint64_t keep_at_ns; /* when to note again how far it is */
    uint64_t limit;      /* of the encoded payload: what the plan has counted on */
};

/* ---- creating ---------------------------------------------------------------------------- */

uint64_t table_grow_bytes(const struct table_spec *spec)
{
    uint64_t bytes = table_spec_bytes(spec);
    if (spec->steps)
        return bytes;
    if (spec->product)
        bytes += table_product_scratch(spec->product);
    else
        bytes +=
            spec->hash ? table_hash_scratch(spec->hash->size) : table_fill_scratch(spec->coord);
    return table_spec_is_native(spec) ? bytes : bytes + table_spec_source_bytes(spec);
}

static int start_piece(struct table_one_piece *piece, const struct table_spec *spec,
                       uint8_t *entries)
{
    piece->steps = spec->steps;
    piece->entries = entries;
    piece->n = spec->n_structures;
    piece->targets = calloc(spec->n_structures + 1, sizeof *piece->targets);
    if (!piece->targets)
        return BASE_ERR_NOMEM;
    memcpy(piece->targets, spec->structures, spec->n_structures * sizeof *piece->targets);
    return 0;
}

static int start_fill(struct table_growth *growth, const struct table_spec *spec, uint8_t *entries,
                      struct base_diag *diag)
{
    if (spec->steps)
        return start_piece(&growth->piece, spec, entries);
    if (spec->product) {
        const struct table_fill_product request = {
            .product = spec->product,
            .structures = spec->structures,
            .n = spec->n_structures,
            .encoding = table_spec_is_native(spec) ? spec->encoding : TABLE_ENCODING_NONE,
            .payload = entries};
        return table_fill_new_product(&request, &growth->fill);
    }
    if (spec->hash) {
        const struct table_hash_target target = {
            .hash = spec->hash, .structures = spec->structures, .n = spec->n_structures};
        return table_fill_new_hash(&target, entries, &growth->fill, diag);
    }
    int code = table_image_new(spec->coord, spec->structures, spec->n_structures, &growth->image);
    return code == 0 ? table_fill_new(spec->coord, growth->image, entries, &growth->fill) : code;
}

/* Zeroed, in huge pages where the kernel gives them. */
static uint8_t *map_source(uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

/* What reading all entries once may take, in nanoseconds: before it has been done. */
static uint64_t keep_cost(const struct table_growth *growth)
{
    return growth->meta.payload_bytes / KEEP_BYTES_PER_NS;
}

/* Until the fill has gone on for so long that what keeping costs is its share. */
static void put_keeping_off(struct table_growth *growth, uint64_t cost_ns)
{
    double pause = (double)cost_ns / growth->store->keep_share;
    growth->keep_at_ns = base_clock_ns() + (uint64_t)pause;
}

/* Notes, once in a while, what another can go on with. Its layers are complete. */
static void keep_layers(struct table *table)
{
    struct table_growth *growth = table->growth;
    uint64_t began = base_clock_ns();
    if (!growth->meta.resumable || growth->source || began < growth->keep_at_ns)
        return;
    table_file_keep(table->file, table_fill_digest(growth->fill));
    put_keeping_off(growth, base_clock_ns() - began);
}

static int create_native(struct table *table, const struct table_spec *spec, struct base_diag *diag)
{
    struct table_growth *growth = table->growth;
    int code = table_store_create(growth->store, &growth->key, &growth->meta, &table->file, diag);
    if (code != 0)
        return code;
    uint8_t *entries = table_file_data_writable(table->file);
    const struct table_kept *kept = table_file_kept(table->file);
    code = table_open_payload(table, spec);
    if (code == 0)
        code = start_fill(growth, spec, entries, diag);
    if (code == 0 && kept->layers > 0)
        table_fill_resume(growth->fill, kept);
    put_keeping_off(growth, keep_cost(growth));
    return code;
}

static int create_source(struct table *table, const struct table_spec *spec, struct base_diag *diag)
{
    struct table_growth *growth = table->growth;
    growth->source_bytes = table_spec_source_bytes(spec);
    growth->limit = table_spec_bytes(spec);
    growth->source = map_source(growth->source_bytes);
    return growth->source ? start_fill(growth, spec, growth->source, diag) : BASE_ERR_NOMEM;
}

static int growth_new(struct table_store *store, const struct table_spec *spec,
                      struct table_growth **out)
{
    struct table_growth *growth = calloc(1, sizeof *growth);
    *out = growth;
    if (!growth)
        return BASE_ERR_NOMEM;
    growth->store = store;
    growth->encoding = spec->encoding;
    int code = table_spec_key(spec, &growth->key);
    return code == 0 ? table_spec_meta(spec, &growth->meta) : code;
}

int table_create(struct table_store *store, const struct table_spec *spec, struct table **out,
                 struct base_diag *diag)
{
    struct table *table;
    int code = table_new(spec, &table);
    if (code == 0)
        code = growth_new(store, spec, &table->growth);
    if (code == 0)
        code = table_spec_is_native(spec) ? create_native(table, spec, diag)
                                          : create_source(table, spec, diag);
    if (code != 0) {
        table_close(table);
        table = NULL;
    }
    *out = table;
    return code;
}

void table_growth_free(struct table_growth *growth)
{
    if (!growth)
        return;
    if (growth->fill)
        table_fill_free(growth->fill);
    free(growth->piece.targets);
    table_image_free(growth->image);
    if (growth->source)
        munmap(growth->source, growth->source_bytes);
    free(growth);
}

/* ---- passes ------------------------------------------------------------------------------ */

unsigned table_grow_chunks(const struct table *table)
{
    const struct table_growth *growth = table->growth;
    if (!growth->fill)
        return 1;
    return growth->pass == GROW_FILL ? table_fill_chunks(growth->fill)
                                     : table_codec_chunks(table->codec);
}

static void run_piece(struct table_one_piece *piece)
{
    piece->code = table_structure_fill(piece->steps, piece->targets, piece->n, piece->entries,
                                       piece->histogram);
}

void table_grow_run(struct table *table, unsigned chunk)
{
    struct table_growth *growth = table->growth;
    if (!growth->fill) {
        run_piece(&growth->piece);
        return;
    }
    switch (growth->pass) {
    case GROW_FILL:
        table_fill_run(growth->fill, chunk);
        break;
    case GROW_MEASURE:
        table_codec_measure(table->codec, growth->source, chunk);
        break;
    case GROW_ENCODE:
        table_codec_encode(table->codec, growth->source, table_file_data_writable(table->file),
                           chunk);
        break;
    }
}

/* Distances that occur: the histogram has no gaps. */
static unsigned piece_layers(const struct table_one_piece *piece)
{
    unsigned layers = 0;
    while (layers < TABLE_HISTOGRAM_SIZE && piece->histogram[layers] > 0)
        layers++;
    return layers;
}

static int end_piece(struct table *table)
{
    const struct table_one_piece *piece = &table->growth->piece;
    if (piece->code == 0)
        table_file_set_layer(table->file, (int)piece_layers(piece), piece->histogram,
                             TABLE_HISTOGRAM_SIZE);
    return piece->code;
}

static void note_layer(struct table *table)
{
    const struct table_fill *fill = table->growth->fill;
    if (table->file)
        table_file_set_layer(table->file, (int)table_fill_layers(fill), table_fill_histogram(fill),
                             TABLE_FILL_MAX_LAYERS);
}

/* The fill is complete: its entries say how they are best encoded. */
static int begin_measure(struct table *table)
{
    struct table_growth *growth = table->growth;
    const struct table_codec_options options = {.lossless = true};
    growth->pass = GROW_MEASURE;
    return table_codec_new(growth->encoding, table_fill_histogram(growth->fill),
                           growth->source_bytes, &options, &table->codec);
}

static int begin_encode(struct table *table, struct base_diag *diag)
{
    struct table_growth *growth = table->growth;
    growth->meta.payload_bytes = table_codec_bytes(table->codec);
    if (growth->meta.payload_bytes > growth->limit)
        return base_diag_set(diag, 0, BASE_ERR_MEMORY_LIMIT,
                             "encoded, the table is larger than was planned");
    int code = table_store_create(growth->store, &growth->key, &growth->meta, &table->file, diag);
    if (code != 0)
        return code;
    growth->pass = GROW_ENCODE;
    table->entries = table_file_data(table->file);
    note_layer(table);
    return 0;
}

int table_grow_next(struct table *table, struct base_diag *diag)
{
    struct table_growth *growth = table->growth;
    int code;
    if (!growth->fill)
        return end_piece(table);
    unsigned before = table_fill_layers(growth->fill);
    switch (growth->pass) {
    case GROW_FILL:
        if (table_fill_next(growth->fill)) {
            note_layer(table);
            if (table_fill_layers(growth->fill) > before)
                keep_layers(table);
            return 1;
        }
        note_layer(table);
        if (!growth->source)
            return 0;
        code = begin_measure(table);
        break;
    case GROW_MEASURE:
        code = begin_encode(table, diag);
        break;
    default:
        return 0;
    }
    return code == 0 ? 1 : code;
}

void table_grow_report_get(const struct table *table, struct table_grow_report *out)
{
    const struct table_growth *growth = table->growth;
    *out = (struct table_grow_report){0};
    if (!growth->fill)
        return;
    out->layers = table_fill_layers(growth->fill);
    out->entries = table_fill_entries(growth->fill);
    out->fraction = (double)out->entries / (double)growth->meta.entry_count;
}

int table_seal(struct table *table, uint64_t fill_ns)
{
    table_growth_free(table->growth);
    table->growth = NULL;
    return table_file_seal(table->file, fill_ns);
}
