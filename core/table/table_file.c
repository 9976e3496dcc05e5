/*
 * table_file.c - attaching, filling, sealing, verifying and releasing one table.
 */
#include "core/table/table_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/table/table_store_int.h"

/* ---- reading --------------------------------------------------------------------------- */

const uint8_t *table_file_data(const struct table_file *file)
{
    return file->payload;
}

uint8_t *table_file_data_writable(struct table_file *file)
{
    return table_file_state(file) == TABLE_STATE_GROWING ? file->payload : NULL;
}

const struct table_key *table_file_key(const struct table_file *file)
{
    return &file->key;
}

const struct table_meta *table_file_meta(const struct table_file *file)
{
    return &file->meta;
}

enum table_state table_file_state(const struct table_file *file)
{
    return (enum table_state)atomic_load_explicit(&file->state, memory_order_relaxed);
}

int table_file_layers(const struct table_file *file)
{
    return atomic_load_explicit(&file->layers, memory_order_acquire);
}

enum table_trust table_file_trust(const struct table_file *file)
{
    return (enum table_trust)atomic_load_explicit(&file->trust, memory_order_relaxed);
}

void table_file_histogram(const struct table_file *file, uint64_t histogram[TABLE_HISTOGRAM_SIZE])
{
    pthread_mutex_lock(&file->store->mutex);
    memcpy(histogram, file->header->histogram, sizeof file->header->histogram);
    pthread_mutex_unlock(&file->store->mutex);
}

void table_file_count_queries(struct table_file *file, uint64_t queries)
{
    atomic_fetch_add_explicit(&file->queries, queries, memory_order_relaxed);
}

void table_file__info(const struct table_file *file, struct table_info *info)
{
    info->references = file->references;
    info->trust = table_file_trust(file);
    info->pages = file->map.pages;
    info->queries = atomic_load_explicit(&file->queries, memory_order_relaxed);
}

uint64_t table_file_huge_bytes(const struct table_file *file)
{
    return table_map__huge_bytes(&file->map);
}

/* ---- opening and mapping --------------------------------------------------------------- */

/* Points into the map. */
static void place(struct table_file *file, uint64_t payload_offset)
{
    file->header = (void *)file->map.base;
    file->checksums = (const void *)(file->map.base + sizeof *file->header);
    file->payload = file->map.base + payload_offset;
}

static void set_unverified(struct table_file *file)
{
    atomic_store_explicit(&file->trust, TABLE_TRUST_UNVERIFIED, memory_order_relaxed);
    atomic_store_explicit(&file->next_chunk, 0, memory_order_relaxed);
    atomic_store_explicit(&file->passed_chunks, 0, memory_order_relaxed);
}

/* Takes over what a judged header says. The verdict on the payload is kept if it is the same file,
 * which the header's checksum shows: it covers the checksums of all chunks. */
static void adopt(struct table_file *file, const struct table_header *header)
{
    table_header__key(header, &file->key);
    table_header__meta(header, &file->meta);
    atomic_store_explicit(&file->state, TABLE_STATE_SEALED, memory_order_relaxed);
    atomic_store_explicit(&file->layers, (int)header->layers, memory_order_release);
    if (file->identity != header->checksum)
        set_unverified(file);
    file->identity = header->checksum;
}

/* Maps the opened file, whose header is good, and judges the array of checksums. */
static int map_sealed(struct table_file *file, const struct table_header *header,
                      struct base_diag *diag)
{
    struct table_layout layout;
    table_layout__compute(&layout, header->payload_bytes, file->store->dir.huge_bytes);
    int err = table_map__open(&file->map, &file->store->dir, file->fd, &layout);
    if (err)
        return base_diag_set(diag, 0, err, "%s", base_err_text(err));
    place(file, layout.payload_offset);
    if (table_header__chunks_checksum(header, file->checksums) == header->chunks_checksum)
        return 0;
    table_map__close(&file->map);
    return base_diag_set(diag, sizeof *header, BASE_ERR_CORRUPT,
                         "the checksums do not match theirs");
}

/* Locks, judges and maps what has been opened. */
static int attach_opened(struct table_file *file, const struct table_key *key,
                         struct base_diag *diag)
{
    struct table_header header;
    int err = table_dir__lock_shared(file->fd);
    if (!err)
        err = table_header__read(file->fd, &header, diag);
    if (!err)
        err = table_header__check_name(&header, key->digest, TABLE_STATE_SEALED, diag);
    if (!err && strcmp(header.key_text, key->text) != 0)
        err = BASE_ERR_NOT_FOUND; /* two keys with one digest: this is the other's table */
    if (!err)
        err = map_sealed(file, &header, diag);
    if (!err)
        adopt(file, &header);
    return err;
}

int table_file__attach(struct table_file *file, const struct table_key *key)
{
    struct base_diag diag = {0};
    struct table_dir *dir = &file->store->dir;
    file->fd = table_dir__open_file(dir, key->digest, TABLE_STATE_SEALED, O_RDONLY);
    if (file->fd < 0)
        return file->fd;
    int err = attach_opened(file, key, &diag);
    if (!err) {
        table_dir__touch(file->fd);
        return 0;
    }
    if (err == BASE_ERR_CORRUPT || err == BASE_ERR_VERSION) {
        base_logf(dir->log, BASE_LOG_ERROR, "table %016" PRIx64 ": removed: %s", key->digest,
                  diag.text);
        table_dir__remove_opened(dir, key->digest, TABLE_STATE_SEALED, file->fd);
        err = BASE_ERR_NOT_FOUND;
    }
    close(file->fd);
    return err;
}

void table_file_retain(struct table_file *file)
{
    pthread_mutex_lock(&file->store->mutex);
    BASE_ASSERT(file->references > 0);
    file->references++;
    pthread_mutex_unlock(&file->store->mutex);
}

/* The file's lock goes with its descriptor, after the mapping: who then evicts it frees memory. */
void table_file_release(struct table_file *file)
{
    struct table_map map = {0};
    int fd = -1;
    if (!file)
        return;
    struct table_store *store = file->store;
    pthread_mutex_lock(&store->mutex);
    BASE_ASSERT(file->references > 0 && table_file_state(file) == TABLE_STATE_SEALED);
    if (--file->references == 0) {
        map = file->map;
        fd = file->fd;
        file->map = (struct table_map){0};
        if (file->orphan)
            table_store__forget(store, file);
    }
    pthread_mutex_unlock(&store->mutex);
    if (fd >= 0) {
        table_map__close(&map);
        table_dir__touch(fd);
        close(fd);
    }
}

/* ---- filling --------------------------------------------------------------------------- */

void table_file__begin(struct table_file *file, const struct table_map *map,
                       const struct table_layout *layout)
{
    file->map = *map;
    place(file, layout->payload_offset);
    if (file->kept.layers)
        table_header__resume(file->header);
    else
        table_header__init(file->header, &file->key, &file->meta);
}

const struct table_kept *table_file_kept(const struct table_file *file)
{
    return &file->kept;
}

void table_file_keep(struct table_file *file, uint64_t digest)
{
    struct table_header *header = file->header;
    BASE_ASSERT(table_file_state(file) == TABLE_STATE_GROWING);
    pthread_mutex_lock(&file->store->mutex);
    header->kept_layers = header->layers;
    header->kept_digest = digest;
    table_header__stamp(header);
    pthread_mutex_unlock(&file->store->mutex);
}

void table_file_set_layer(struct table_file *file, int layers, const uint64_t *histogram, int count)
{
    BASE_ASSERT(table_file_state(file) == TABLE_STATE_GROWING && layers >= 0 && count >= 0 &&
                count <= TABLE_HISTOGRAM_SIZE);
    struct table_header *header = file->header;
    pthread_mutex_lock(&file->store->mutex);
    header->layers = (uint32_t)layers;
    memset(header->histogram, 0, sizeof header->histogram);
    memcpy(header->histogram, histogram, (size_t)count * sizeof *histogram);
    table_header__stamp(header);
    pthread_mutex_unlock(&file->store->mutex);
    atomic_store_explicit(&file->layers, layers, memory_order_release);
}

/* The number of a chunk is part of its checksum: two chunks that change places are noticed. */
static uint64_t chunk_checksum(const struct table_file *file, uint32_t chunk)
{
    const uint8_t *from = file->payload + (size_t)chunk * TABLE_CHUNK_BYTES;
    return base_hash(from, table_header__chunk_length(file->header, chunk), chunk);
}

static void write_checksums(struct table_file *file)
{
    uint64_t *checksums = (void *)(file->map.base + sizeof *file->header);
    for (uint32_t i = 0; i < file->header->chunk_count; i++)
        checksums[i] = chunk_checksum(file, i);
}

/* Renames the file under both locks, its header already that of a sealed one. */
static int publish(struct table_file *file)
{
    struct table_dir *dir = &file->store->dir;
    table_dir__lock(dir);
    int err = table_dir__publish(dir, file->key.digest, file->fd);
    table_dir__unlock(dir);
    return err;
}

/* Under the mutex. */
static int seal_locked(struct table_file *file, uint64_t fill_ns)
{
    struct table_header *header = file->header;
    header->state = TABLE_STATE_SEALED;
    header->fill_ns = fill_ns;
    header->chunks_checksum = table_header__chunks_checksum(header, file->checksums);
    table_header__stamp(header);
    int err = publish(file);
    if (err) {
        header->state = TABLE_STATE_GROWING;
        table_header__stamp(header);
        return err;
    }
    file->identity = header->checksum;
    atomic_store_explicit(&file->trust, TABLE_TRUST_PASSED, memory_order_relaxed);
    atomic_store_explicit(&file->state, TABLE_STATE_SEALED, memory_order_relaxed);
    table_map__protect(&file->map);
    return 0;
}

int table_file_seal(struct table_file *file, uint64_t fill_ns)
{
    BASE_ASSERT(table_file_state(file) == TABLE_STATE_GROWING);
    write_checksums(file);
    pthread_mutex_lock(&file->store->mutex);
    int err = seal_locked(file, fill_ns);
    pthread_mutex_unlock(&file->store->mutex);
    return err;
}

/* Closes a growing table, and removes its file unless it is to stay. */
static void end_growing(struct table_file *file, bool stays)
{
    struct table_store *store = file->store;
    BASE_ASSERT(table_file_state(file) == TABLE_STATE_GROWING);
    pthread_mutex_lock(&store->mutex);
    if (!stays) {
        table_dir__lock(&store->dir);
        table_dir__remove_opened(&store->dir, file->key.digest, TABLE_STATE_GROWING, file->fd);
        table_dir__unlock(&store->dir);
    }
    struct table_map map = file->map;
    int fd = file->fd;
    file->references = 0;
    table_store__forget(store, file);
    pthread_mutex_unlock(&store->mutex);
    table_map__close(&map);
    close(fd);
}

void table_file_discard(struct table_file *file)
{
    end_growing(file, false);
}

void table_file_leave(struct table_file *file)
{
    end_growing(file, file->meta.resumable && file->header->kept_layers > 0);
}

/* ---- verifying ------------------------------------------------------------------------- */

/* The first to find out removes the file, lest somebody else attach it. */
static int fail(struct table_file *file, uint32_t chunk)
{
    struct table_store *store = file->store;
    if (atomic_exchange(&file->trust, TABLE_TRUST_FAILED) == TABLE_TRUST_FAILED)
        return BASE_ERR_CORRUPT;
    base_logf(store->dir.log, BASE_LOG_ERROR,
              "table %016" PRIx64 " (%s, %s): removed: chunk %" PRIu32 " is damaged",
              file->key.digest, file->meta.puzzle, file->meta.orbits, chunk);
    pthread_mutex_lock(&store->mutex);
    table_dir__lock(&store->dir);
    table_dir__remove_opened(&store->dir, file->key.digest, TABLE_STATE_SEALED, file->fd);
    table_dir__unlock(&store->dir);
    file->orphan = true;
    pthread_mutex_unlock(&store->mutex);
    return BASE_ERR_CORRUPT;
}

/* A chunk has passed. The last one settles it, unless another has failed meanwhile. */
static void pass(struct table_file *file)
{
    int unverified = TABLE_TRUST_UNVERIFIED;
    uint32_t passed = atomic_fetch_add_explicit(&file->passed_chunks, 1, memory_order_relaxed) + 1;
    if (passed == file->header->chunk_count)
        atomic_compare_exchange_strong(&file->trust, &unverified, TABLE_TRUST_PASSED);
}

int table_file_verify_step(struct table_file *file)
{
    BASE_ASSERT(table_file_state(file) == TABLE_STATE_SEALED);
    enum table_trust trust = table_file_trust(file);
    uint32_t count = file->header->chunk_count;
    if (trust != TABLE_TRUST_UNVERIFIED)
        return trust == TABLE_TRUST_FAILED ? BASE_ERR_CORRUPT : 1;
    if (atomic_load_explicit(&file->next_chunk, memory_order_relaxed) >= count)
        return 1;
    uint32_t chunk = atomic_fetch_add_explicit(&file->next_chunk, 1, memory_order_relaxed);
    if (chunk >= count)
        return 1;
    if (chunk_checksum(file, chunk) != file->checksums[chunk])
        return fail(file, chunk);
    pass(file);
    return 0;
}

double table_file_verified_fraction(const struct table_file *file)
{
    uint32_t passed = atomic_load_explicit(&file->passed_chunks, memory_order_relaxed);
    if (table_file_trust(file) == TABLE_TRUST_PASSED)
        return 1.0;
    return (double)passed / file->header->chunk_count;
}
