/*
 * table_store.c - the store: who has which table, and who must go when room is needed.
 *
 * The truth about what exists is the directory, looked at afresh each time; the list of files here
 * only holds what this process has open, and what it remembers of the others. A handful of tables
 * per job makes both short.
 */
#include "core/table/table_store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/table/table_store_int.h"

/* ---- the list of files ----------------------------------------------------------------- */

struct table_file *table_store__find(struct table_store *store, uint64_t digest)
{
    struct table_file *file = store->files;
    while (file && (file->orphan || file->key.digest != digest))
        file = file->next;
    return file;
}

void table_store__forget(struct table_store *store, struct table_file *file)
{
    struct table_file **link = &store->files;
    BASE_ASSERT(file->references == 0);
    while (*link != file)
        link = &(*link)->next;
    *link = file->next;
    free(file);
}

static struct table_file *remember(struct table_store *store, const struct table_key *key)
{
    struct table_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->store = store;
    file->key = *key;
    file->fd = -1;
    file->next = store->files;
    store->files = file;
    return file;
}

/* ---- removing -------------------------------------------------------------------------- */

/* Under both locks. The memory is freed when the mutex is let go: see unlock_and_free. */
static int remove_file(struct table_store *store, uint64_t digest, enum table_state state)
{
    int fd = table_dir__remove(&store->dir, digest, state, true);
    if (fd < 0)
        return fd;
    if (store->n_doomed < BASE_COUNT(store->doomed))
        store->doomed[store->n_doomed++] = fd;
    else
        close(fd);
    return 0;
}

/* Lets the mutex go, and frees what has been removed under it. */
static void unlock_and_free(struct table_store *store)
{
    int doomed[BASE_COUNT(store->doomed)];
    unsigned count = store->n_doomed;
    memcpy(doomed, store->doomed, sizeof doomed);
    store->n_doomed = 0;
    pthread_mutex_unlock(&store->mutex);
    while (count > 0)
        close(doomed[--count]);
}

/* A twentieth. */
#define KEEP_SHARE 0.05

/* ---- opening and closing --------------------------------------------------------------- */

/* What nobody can use: left growing by a dead process, or with a header we cannot trust. */
static int clean_one(void *arg, const struct table_dir_entry *entry)
{
    struct table_dir *dir = arg;
    bool growing = entry->state == TABLE_STATE_GROWING;
    if (entry->in_use || (!growing && entry->status == 0))
        return 0;
    if (entry->resumable) {
        base_logf(dir->log, BASE_LOG_INFO,
                  "table %016" PRIx64 ": kept: its filler died after %" PRIu32 " layers",
                  entry->digest, entry->header.kept_layers);
        return 0;
    }
    const char *why = growing ? "its filler died" : entry->diag.text;
    int fd = table_dir__remove(dir, entry->digest, entry->state, false);
    base_logf(dir->log, BASE_LOG_WARNING, "table %016" PRIx64 ": %s: %s", entry->digest,
              fd < 0 ? "unusable, could not be removed" : "removed", why);
    if (fd >= 0)
        close(fd);
    return 0;
}

int table_store_open(const struct table_store_config *config, struct table_store **out,
                     struct base_diag *diag)
{
    struct table_store *store = calloc(1, sizeof *store);
    if (!store)
        return base_diag_set(diag, 0, BASE_ERR_NOMEM, "%s", base_err_text(BASE_ERR_NOMEM));
    int err = table_dir__open(&store->dir, config->directory, config->log, diag);
    if (err) {
        free(store);
        return err;
    }
    pthread_mutex_init(&store->mutex, NULL);
    store->budget_bytes = config->budget_bytes;
    store->keep_share = config->keep_share > 0 ? config->keep_share : KEEP_SHARE;
    table_dir__lock(&store->dir);
    err = table_dir__each(&store->dir, clean_one, &store->dir);
    table_dir__unlock(&store->dir);
    if (err) {
        table_store_close(store);
        return base_diag_set(diag, 0, err, "%s cannot be listed", config->directory);
    }
    *out = store;
    return 0;
}

void table_store_close(struct table_store *store)
{
    if (!store)
        return;
    while (store->files)
        table_store__forget(store, store->files);
    table_dir__close(&store->dir);
    pthread_mutex_destroy(&store->mutex);
    free(store);
}

uint64_t table_store_footprint(const struct table_store *store, uint64_t payload_bytes)
{
    struct table_layout layout;
    if (payload_bytes == 0 || payload_bytes > TABLE__MAX_PAYLOAD)
        return UINT64_MAX;
    table_layout__compute(&layout, payload_bytes, store->dir.huge_bytes);
    return layout.footprint;
}

/* ---- acquiring ------------------------------------------------------------------------- */

/* Under the mutex: a table this process has not open. */
static int attach(struct table_store *store, const struct table_key *key, struct table_file **out)
{
    struct table_file *file = table_store__find(store, key->digest);
    if (!file)
        file = remember(store, key);
    if (!file)
        return BASE_ERR_NOMEM;
    table_dir__lock(&store->dir);
    int err = table_file__attach(file, key);
    table_dir__unlock(&store->dir);
    if (err) {
        table_store__forget(store, file);
        return err;
    }
    file->references = 1;
    *out = file;
    return 0;
}

static int acquire(struct table_store *store, const struct table_key *key, struct table_file **out)
{
    struct table_file *file = table_store__find(store, key->digest);
    if (!file || file->references == 0)
        return attach(store, key, out);
    if (table_file_state(file) == TABLE_STATE_GROWING)
        return BASE_ERR_BUSY;
    if (strcmp(file->key.text, key->text) != 0)
        return BASE_ERR_NOT_FOUND;
    file->references++;
    *out = file;
    return 0;
}

int table_store_acquire(struct table_store *store, const struct table_key *key,
                        struct table_file **out)
{
    pthread_mutex_lock(&store->mutex);
    int err = acquire(store, key, out);
    pthread_mutex_unlock(&store->mutex);
    return err;
}

/* ---- making room ----------------------------------------------------------------------- */

struct candidate {
    uint64_t digest;
    enum table_state state;
    int64_t last_used_unix_us;
    uint64_t footprint;
};

/* What a pass over the directory adds up. */
struct survey {
    struct table_store *store;
    uint64_t total;
    uint64_t evictable;
    struct candidate *candidates;
    size_t count, capacity;
};

static int add_candidate(struct survey *survey, const struct table_dir_entry *entry)
{
    if (survey->count == survey->capacity) {
        size_t capacity = survey->capacity ? 2 * survey->capacity : 16;
        void *grown = realloc(survey->candidates, capacity * sizeof *survey->candidates);
        if (!grown)
            return BASE_ERR_NOMEM;
        survey->candidates = grown;
        survey->capacity = capacity;
    }
    survey->candidates[survey->count++] =
        (struct candidate){entry->digest, entry->state, entry->last_used_unix_us, entry->footprint};
    survey->evictable += entry->footprint;
    return 0;
}

static int survey_one(void *arg, const struct table_dir_entry *entry)
{
    struct survey *survey = arg;
    struct table_file *file = table_store__find(survey->store, entry->digest);
    if (file)
        file->listed = true;
    survey->total += entry->footprint;
    if (entry->pinned || entry->in_use) /* who makes a growing file locks it before others look */
        return 0;
    return add_candidate(survey, entry);
}

/* Drops the memory of files that other processes have removed. */
static void forget_unlisted(struct table_store *store)
{
    struct table_file *next;
    for (struct table_file *file = store->files; file; file = next) {
        next = file->next;
        if (!file->listed && file->references == 0)
            table_store__forget(store, file);
        else
            file->listed = false;
    }
}

/* What fillers have left goes first: it is the cheapest to do without. */
static int compare_last_used(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->state != y->state)
        return x->state == TABLE_STATE_GROWING ? -1 : 1;
    return (x->last_used_unix_us > y->last_used_unix_us) -
           (x->last_used_unix_us < y->last_used_unix_us);
}

/* Returns the bytes gained: 0 if somebody has just begun to use it. */
static uint64_t evict(struct table_store *store, const struct candidate *candidate)
{
    uint64_t digest = candidate->digest;
    if (remove_file(store, digest, candidate->state) != 0)
        return 0;
    base_logf(store->dir.log, BASE_LOG_INFO, "table %016" PRIx64 ": evicted to make room", digest);
    struct table_file *file = table_store__find(store, digest);
    if (file && file->references == 0)
        table_store__forget(store, file);
    return candidate->footprint;
}

static int evict_until(struct survey *survey, uint64_t limit, struct base_diag *diag)
{
    if (survey->total - survey->evictable > limit)
        return base_diag_set(diag, 0, BASE_ERR_MEMORY_LIMIT,
                             "other tables, in use or pinned, leave no room within %" PRIu64
                             " bytes",
                             survey->store->budget_bytes);
    if (survey->count)
        qsort(survey->candidates, survey->count, sizeof *survey->candidates, compare_last_used);
    for (size_t i = 0; i < survey->count && survey->total > limit; i++)
        survey->total -= evict(survey->store, &survey->candidates[i]);
    return survey->total > limit ? BASE_ERR_MEMORY_LIMIT : 0;
}

/* Under both locks: evicts until `need` more bytes keep the budget. */
static int make_room(struct table_store *store, uint64_t need, struct base_diag *diag)
{
    struct survey survey = {.store = store};
    if (store->budget_bytes && need > store->budget_bytes)
        return base_diag_set(diag, 0, BASE_ERR_MEMORY_LIMIT,
                             "the table takes %" PRIu64 " bytes, all tables may take %" PRIu64,
                             need, store->budget_bytes);
    int err = table_dir__each(&store->dir, survey_one, &survey);
    if (!err) {
        forget_unlisted(store);
        if (store->budget_bytes)
            err = evict_until(&survey, store->budget_bytes - need, diag);
    }
    free(survey.candidates);
    return err;
}

/* ---- creating -------------------------------------------------------------------------- */

/* Under both locks: whether a sealed file already has the name. */
static int check_absent(struct table_store *store, const struct table_key *key,
                        struct base_diag *diag)
{
    struct table_dir_entry entry;
    int err = table_dir__look(&store->dir, key->digest, TABLE_STATE_SEALED, &entry);
    if (err)
        return err == BASE_ERR_NOT_FOUND ? 0 : err;
    if (entry.status == 0 && strcmp(entry.header.key_text, key->text) == 0)
        return base_diag_set(diag, 0, BASE_ERR_BUSY, "the table has just been sealed");
    return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "the name %016" PRIx64 " is taken: %s",
                         key->digest, entry.status ? entry.diag.text : entry.header.key_text);
}

/* What is asked of a new growing table. */
struct wish {
    const struct table_key *key;
    const struct table_meta *meta;
    struct table_layout layout;
};

/* Under both locks: the file that another filler has left, or BASE_ERR_NOT_FOUND. */
static int resume_file(struct table_store *store, const struct wish *wish,
                       struct table_header *header, struct base_diag *diag)
{
    if (!wish->meta->resumable)
        return BASE_ERR_NOT_FOUND;
    int fd = table_dir__adopt(&store->dir, wish->key, wish->meta->payload_bytes, header);
    if (fd == BASE_ERR_BUSY)
        return base_diag_set(diag, 0, fd, "the table is being filled by another process");
    if (fd < 0)
        return fd;
    int err = make_room(store, 0, diag); /* it has been counted as one that exists */
    if (err) {
        close(fd);
        return err;
    }
    base_logf(store->dir.log, BASE_LOG_INFO,
              "table %016" PRIx64 ": its fill goes on after %" PRIu32 " layers", wish->key->digest,
              header->kept_layers);
    return fd;
}

/* Under both locks: an empty file of the right size that counts against the budget. */
static int make_file(struct table_store *store, const struct table_key *key,
                     const struct table_layout *layout, struct base_diag *diag)
{
    int fd = table_dir__create(&store->dir, key->digest, diag);
    if (fd < 0)
        return fd;
    int err = make_room(store, layout->footprint, diag);
    if (!err)
        err = table_map__set_size(fd, layout);
    if (!err)
        return fd;
    table_dir__remove_opened(&store->dir, key->digest, TABLE_STATE_GROWING, fd);
    close(fd);
    return err;
}

/* Under the mutex: from here on the table is this process's to fill. */
static int claim(struct table_store *store, const struct wish *wish, struct table_file **out,
                 struct base_diag *diag)
{
    const struct table_key *key = wish->key;
    struct table_header header = {.kept_layers = 0};
    struct table_file *file = table_store__find(store, key->digest);
    if (file && file->references > 0)
        return base_diag_set(diag, 0, BASE_ERR_BUSY, "the table is in use in this process");
    if (file) /* a memory of a file that was removed */
        table_store__forget(store, file);
    table_dir__lock(&store->dir);
    int fd = check_absent(store, key, diag);
    if (fd == 0)
        fd = resume_file(store, wish, &header, diag);
    if (fd == BASE_ERR_NOT_FOUND)
        fd = make_file(store, key, &wish->layout, diag);
    table_dir__unlock(&store->dir);
    if (fd < 0)
        return fd;
    file = remember(store, key);
    if (!file) {
        close(fd); /* the file is left to the next who creates it, or opens the directory */
        return BASE_ERR_NOMEM;
    }
    file->fd = fd;
    file->meta = *wish->meta;
    file->kept.layers = header.kept_layers;
    file->kept.digest = header.kept_digest;
    memcpy(file->kept.histogram, header.histogram, header.kept_layers * sizeof *header.histogram);
    file->references = 1;
    atomic_store_explicit(&file->state, TABLE_STATE_GROWING, memory_order_relaxed);
    *out = file;
    return 0;
}

/* Without the mutex, for this takes long: the memory of a claimed file. */
static int furnish(struct table_file *file, const struct table_layout *layout,
                   struct base_diag *diag)
{
    struct table_map map = {0};
    int err = table_map__create(&map, &file->store->dir, file->fd, layout);
    if (err)
        return base_diag_set(diag, 0, err, "%" PRIu64 " bytes cannot be had: %s", layout->footprint,
                             base_err_text(err));
    pthread_mutex_lock(&file->store->mutex);
    table_file__begin(file, &map, layout);
    pthread_mutex_unlock(&file->store->mutex);
    return 0;
}

int table_store_create(struct table_store *store, const struct table_key *key,
                       const struct table_meta *meta, struct table_file **out,
                       struct base_diag *diag)
{
    struct wish wish = {.key = key, .meta = meta};
    struct table_file *file = NULL;
    if (meta->payload_bytes == 0 || meta->payload_bytes > TABLE__MAX_PAYLOAD)
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "a table of %" PRIu64 " bytes",
                             meta->payload_bytes);
    table_layout__compute(&wish.layout, meta->payload_bytes, store->dir.huge_bytes);
    pthread_mutex_lock(&store->mutex);
    int err = claim(store, &wish, &file, diag);
    unlock_and_free(store);
    if (err)
        return err;
    err = furnish(file, &wish.layout, diag);
    if (err) {
        table_file_discard(file);
        return err;
    }
    *out = file;
    return 0;
}

/* ---- looking and changing -------------------------------------------------------------- */

/* False: nothing certain can be said, for its header is being written. The header of a table of
 * this process is read in its map, under the mutex, and so is never met half written. */
static bool fill_info(struct table_store *store, const struct table_dir_entry *entry,
                      struct table_info *info)
{
    memset(info, 0, sizeof *info);
    info->stored_bytes = entry->footprint;
    info->last_used_unix_us = entry->last_used_unix_us;
    info->pinned = entry->pinned;
    info->in_use = entry->in_use;
    pthread_mutex_lock(&store->mutex);
    const struct table_file *file = table_store__find(store, entry->digest);
    bool ours = file && file->map.base;
    if (ours)
        table_header__info(file->header, info);
    else if (entry->status == 0)
        table_header__info(&entry->header, info);
    if (file)
        table_file__info(file, info);
    pthread_mutex_unlock(&store->mutex);
    return ours || entry->status == 0;
}

struct visitor {
    struct table_store *store;
    int (*visit)(void *arg, const struct table_info *info);
    void *arg;
};

static int visit_one(void *arg, const struct table_dir_entry *entry)
{
    const struct visitor *visitor = arg;
    struct table_info info;
    return fill_info(visitor->store, entry, &info) ? visitor->visit(visitor->arg, &info) : 0;
}

int table_store_visit(struct table_store *store,
                      int (*visit)(void *arg, const struct table_info *info), void *arg)
{
    struct visitor visitor = {store, visit, arg};
    return table_dir__each(&store->dir, visit_one, &visitor);
}

int table_store_info(struct table_store *store, uint64_t digest, struct table_info *out)
{
    struct table_dir_entry entry;
    int err = table_dir__look_any(&store->dir, digest, &entry);
    if (err)
        return err;
    return fill_info(store, &entry, out) ? 0 : BASE_ERR_NOT_FOUND;
}

/* Under both locks. */
static int remove_table(struct table_store *store, uint64_t digest)
{
    struct table_file *file = table_store__find(store, digest);
    if (file && file->references > 0)
        return BASE_ERR_BUSY;
    int err = remove_file(store, digest, TABLE_STATE_SEALED);
    if (err == BASE_ERR_NOT_FOUND)
        err = remove_file(store, digest, TABLE_STATE_GROWING);
    if (!err && file)
        table_store__forget(store, file);
    return err;
}

int table_store_remove(struct table_store *store, uint64_t digest)
{
    pthread_mutex_lock(&store->mutex);
    table_dir__lock(&store->dir);
    int err = remove_table(store, digest);
    table_dir__unlock(&store->dir);
    unlock_and_free(store);
    return err;
}

/* The mode belongs to the file, whatever its name becomes meanwhile. */
int table_store_pin(struct table_store *store, uint64_t digest, bool pinned)
{
    struct stat status;
    int fd = table_dir__open_any(&store->dir, digest);
    if (fd < 0)
        return fd;
    int err = fstat(fd, &status) == 0 ? 0 : BASE_ERR_IO;
    if (!err) {
        mode_t kept = status.st_mode & 07777 & ~(mode_t)S_ISVTX;
        err = fchmod(fd, pinned ? kept | S_ISVTX : kept) == 0 ? 0 : BASE_ERR_IO;
    }
    close(fd);
    return err;
}
