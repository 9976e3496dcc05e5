/*
 * table_fill.h - fills a table, one layer of distances at a time, in pieces that a pool of threads
 * can share.
 *
 *     new -> [run every chunk of the pass, in any order, on any threads] -> next -> [...] -> next:
 * false
 *
 * The first pass marks the target's image; each further one adds the states one move farther away.
 * Between passes the table is consistent: every entry that is set is final, and every vacant one is
 * worth at least layers + 1... see table_fill_layers.
 *
 * An entry is one byte: distance + 1, and 0 for *vacant*, so that fresh memory is an empty table.
 * Entries that are vacant when the fill is complete belong to states from which no target state can
 * be reached.
 */
#ifndef CORE_TABLE_TABLE_FILL_H
#define CORE_TABLE_TABLE_FILL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/table/table_coord.h"
#include "core/table/table_image.h"
#include "core/table/table_kept.h"
#include "core/table/table_product.h"

enum { TABLE_FILL_MAX_LAYERS = 64, TABLE_VACANT = 0 };

struct table_fill;

/* New. `entries` holds coord->size zero bytes; it and both pointers are borrowed. BASE_ERR_NOMEM.
 */
int table_fill_new(const struct table_coord *coord, const struct table_image *image,
                   uint8_t *entries, struct table_fill **out);
/* Memory that it takes besides the entries. */
uint64_t table_fill_scratch(const struct table_coord *coord);

/* A product table to be filled, all borrowed. `payload` holds table_product_bytes zero bytes of the
 * encoding: `none` goes on to the last layer and has the histogram complete; `nxopt` ends when all
 * that its codes tell apart is there. */
struct table_fill_product {
    const struct table_product *product;
    const struct cycle_structure *structures;
    size_t n;
    enum table_encoding encoding;
    uint8_t *payload;
};

/* New. BASE_ERR_UNSUPPORTED: `tans`, which is made from `none` by table_codec.h; BASE_ERR_NOMEM. */
int table_fill_new_product(const struct table_fill_product *request, struct table_fill **out);
void table_fill_free(struct table_fill *fill);

/* Can the fill go on with the entries of another that was broken off? Product tables cannot: what
 * they have in the table is not all they know. */
bool table_fill_can_resume(const struct table_fill *fill);

/* Digest of the entries, all of which it reads; when a layer is complete. One thread. */
uint64_t table_fill_digest(const struct table_fill *fill);

/*
 * `entries` are not zero but what a broken-off fill of the same table has left: the entries of
 * `kept` layers, and some of further ones. To be called before any pass, and only if the fill can.
 * The first pass then recounts: entries of further layers become vacant, and if the others have the
 * digest and are as many as they should be, the fill goes on behind those layers; if not, one more
 * pass zeroes them, and it starts afresh. The final bytes are the same either way. Until the
 * recount is over, table_fill_layers is 0.
 */
void table_fill_resume(struct table_fill *fill, const struct table_kept *kept);

/* After the recount: did it go on, or start afresh? */
bool table_fill_is_resumed(const struct table_fill *fill);

/* Chunks of the current pass; each is to be run once. */
unsigned table_fill_chunks(const struct table_fill *fill);
void table_fill_run(struct table_fill *fill, unsigned chunk);

/* When all chunks have been run: goes to the next pass. False: the table is complete. One thread.
 */
bool table_fill_next(struct table_fill *fill);

/* Layers complete: the distances 0 .. layers-1 are all set, and a vacant entry is worth at least
 * `layers`. */
unsigned table_fill_layers(const struct table_fill *fill);

/* Entries of each distance, TABLE_FILL_MAX_LAYERS numbers, and of all so far. Where flips are
 * hidden, a layer between others may have none. */
const uint64_t *table_fill_histogram(const struct table_fill *fill);
uint64_t table_fill_entries(const struct table_fill *fill);

#endif
