/*
 * table_file.h - one table of the store, as its filler and its readers see it.
 *
 * A `struct table_file` is a counted reference's object: it comes from table_store_acquire (sealed)
 * or table_store_create (growing) and is valid until released or discarded.
 */
#ifndef CORE_TABLE_TABLE_FILE_H
#define CORE_TABLE_TABLE_FILE_H

#include "core/table/table_kept.h"
#include "core/table/table_store.h"

/* The payload, meta.payload_bytes long, aligned to 4096, and to 2 MiB if at least that long. The
 * address stays the same from creation over sealing to the release. */
const uint8_t *table_file_data(const struct table_file *file);

/* The same for the filler of a growing table: NULL once it is sealed. Threads may fill different
 * bytes; the store never reads them before table_file_seal. */
uint8_t *table_file_data_writable(struct table_file *file);

/* Constant for the life of the file. Borrowed. */
const struct table_key *table_file_key(const struct table_file *file);
const struct table_meta *table_file_meta(const struct table_file *file);

enum table_state table_file_state(const struct table_file *file);

/* Complete layers and the histogram (TABLE_HISTOGRAM_SIZE numbers), as last set. */
int table_file_layers(const struct table_file *file);
void table_file_histogram(const struct table_file *file, uint64_t histogram[TABLE_HISTOGRAM_SIZE]);

/* Of a growing table, by its filler (one thread at a time): a layer is complete. `histogram` has
 * `count` <= TABLE_HISTOGRAM_SIZE numbers; the others are 0. */
void table_file_set_layer(struct table_file *file, int layers, const uint64_t *histogram,
                          int count);

/* Of a growing and resumable table, by its filler: should it end now, another can go on with the
 * layers that are complete, whose entries have this digest. */
void table_file_keep(struct table_file *file, uint64_t digest);

/*
 * Of a growing table just created: what its last filler has left, as it has last said by
 * table_file_keep. No layers: the payload is zero. Otherwise it holds those layers and parts of
 * further ones, and it is to be proved that all is as it was: table_fill_resume. table_file_layers
 * is 0 until the new filler sets a layer. Borrowed.
 */
const struct table_kept *table_file_kept(const struct table_file *file);

/*
 * Turns a growing table, all of whose writers are done, into a sealed one and publishes it under
 * its final name: from now on others can acquire it, the payload is read-only, and the caller's
 * reference is that of a reader, to be released. Reads the payload once.
 * On failure (BASE_ERR_IO) the table is still growing and may be discarded.
 */
int table_file_seal(struct table_file *file, uint64_t fill_ns) BASE_MUST_USE;

/* Gives up a growing table and its memory. */
void table_file_discard(struct table_file *file);

/* Ends filling for now: a resumable table that has kept layers is left to the next who creates
 * it, or to be evicted; any other is discarded. */
void table_file_leave(struct table_file *file);

/* One more reference to a sealed table. */
void table_file_retain(struct table_file *file);

/* One reference less to a sealed table; the last one unmaps it. NULL: nothing. */
void table_file_release(struct table_file *file);

/*
 * The checksum pass, cut in pieces of TABLE_CHUNK_BYTES for a pool: each call checks a chunk no one
 * has taken yet. 0: done one, call again; 1: none left to take (others may still be at theirs: see
 * table_file_trust); BASE_ERR_CORRUPT: the table is damaged: its trust is FAILED, it has been
 * logged and removed from the directory, and nobody acquires it any more, while those who have
 * it keep their mapping until they release it.
 * A table sealed by this process counts as PASSED, and so does one that passed before in this
 * process and is the same file.
 */
enum { TABLE_CHUNK_BYTES = 1 << 20 };
int table_file_verify_step(struct table_file *file);
enum table_trust table_file_trust(const struct table_file *file);

/* Share of the chunks checked, 0 to 1. */
double table_file_verified_fraction(const struct table_file *file);

/* Bytes of the mapping that huge pages hold at this moment, as the kernel says: what is asked for
 * (table_info.pages) is not always given, and what this process has not touched yet is not mapped.
 * Slow: reads a list of all mappings. */
uint64_t table_file_huge_bytes(const struct table_file *file);

/* Adds to the number of lookups shown in lists; call it now and then, not at each lookup. */
void table_file_count_queries(struct table_file *file, uint64_t queries);

#endif
