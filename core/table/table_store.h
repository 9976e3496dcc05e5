/*
 * table_store.h - pruning tables as files in shared memory.
 *
 * The store knows bytes, keys and states; nothing of puzzles, kinds or how a table is filled. A
 * table is one file of a directory (on tmpfs by default), named by the digest of its key and laid
 * out as FORMAT.md says. It lives as long as nobody evicts it: longer than a job and than the
 * process, and every process of the host that acquires it reads the same pages.
 *
 *             create               seal (checksums, then rename)
 *   (absent) --------> growing ------------------------------> sealed --acquire/release--> ...
 *                 ^   |                                           |  evicted, removed, damaged
 *          create |   | leave, or death of the filler             v
 *                 |   v                                        (absent)
 *                 left behind, if another can go on with it; else, and by discard: (absent)
 *
 * The directory is the registry; the process keeps only what it uses. A table is mapped exactly
 * while it is referenced, so eviction by another process frees memory at once, and never pulls a
 * table from under a reader: a reference holds a shared lock on the file, the filler and the
 * evictor an exclusive one (open file description locks, which die with their process).
 *
 * All functions may be called from any thread. Lock order, each optional: the store's mutex, then
 * the lock of the directory, then the lock of one table file (never waited for). The mutex is not
 * held while memory is reserved, checksums are computed, or a callback runs.
 */
#ifndef CORE_TABLE_TABLE_STORE_H
#define CORE_TABLE_TABLE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_attr.h"
#include "core/base/base_diag.h"
#include "core/base/base_log.h"
#include "core/table/table_key.h"

enum { TABLE_HISTOGRAM_SIZE = 64 }; /* entries by value; the last counts all from 63 up */

/* What a table's creator says about it; the texts are for people and lists only. NUL-terminated;
 * what is too long has been cut by whoever filled it in. */
struct table_meta {
    uint64_t payload_bytes; /* > 0 */
    uint64_t entry_count;
    bool resumable; /* a fill can go on with the payload and the complete layers of another */
    char puzzle[64];
    char orbits[64]; /* "corners", "corners+edges" */
    char kind[32];
    char encoding[32];
    char target[512];
};

enum table_state { TABLE_STATE_GROWING = 1, TABLE_STATE_SEALED = 2 };

/* Whether the payload has been found equal to its checksums in this process. */
enum table_trust { TABLE_TRUST_UNVERIFIED, TABLE_TRUST_PASSED, TABLE_TRUST_FAILED };

/* Which pages the mapping asked for; transparent ones the kernel may or may not have given. */
enum table_pages {
    TABLE_PAGES_UNMAPPED,
    TABLE_PAGES_SMALL,
    TABLE_PAGES_TRANSPARENT,
    TABLE_PAGES_EXPLICIT
};

/* A snapshot of one table, for lists. */
struct table_info {
    struct table_key key;
    struct table_meta meta;
    enum table_state state;
    int layers; /* complete ones: every distance < layers is final */
    uint64_t histogram[TABLE_HISTOGRAM_SIZE];
    uint64_t fill_ns;
    int64_t created_unix_us;   /* when its fill began */
    uint64_t stored_bytes;     /* charged to the budget: table_store_footprint */
    int64_t last_used_unix_us; /* order of eviction */
    bool pinned;
    bool in_use; /* referenced or being filled, by any process */
    /* In this process; zero for a table it does not have. */
    int references;
    enum table_trust trust;
    enum table_pages pages;
    uint64_t queries;
};

struct table_store_config {
    const char *directory; /* made, with its parents, if missing; must not be writable by all */
    uint64_t budget_bytes; /* of all files of the directory; 0: no limit but the file system's */
    const struct base_log *log; /* borrowed; may be NULL */
    double keep_share; /* of its time that a fill may spend on noting with what another could go on
                          if it is killed; 0: a twentieth */
};

struct table_store;
struct table_file;

/*
 * Opens a directory: removes what a dead process left growing, unless a fill can go on with it, and
 * what has a damaged header or a foreign version and is not in use; all of it is logged. Reads no
 * payload.
 * BASE_ERR_IO with `diag` (may be NULL), BASE_ERR_NOMEM. *out: new.
 */
int table_store_open(const struct table_store_config *config, struct table_store **out,
                     struct base_diag *diag) BASE_MUST_USE;

/* Every file must have been released or discarded. The tables stay in the directory. */
void table_store_close(struct table_store *store);

/* Bytes a table with that payload takes from the budget (and of memory on tmpfs, but for one
 * mounted with huge=always, which rounds up by as much as 4 MiB). */
uint64_t table_store_footprint(const struct table_store *store, uint64_t payload_bytes);

/*
 * A sealed table, mapped read-only; give it back with table_file_release.
 * BASE_ERR_NOT_FOUND: absent, or found damaged (then logged and removed); BASE_ERR_BUSY: being
 * filled by this process; BASE_ERR_NOMEM, BASE_ERR_IO.
 */
int table_store_acquire(struct table_store *store, const struct table_key *key,
                        struct table_file **out) BASE_MUST_USE;

/*
 * A growing table, all its memory reserved; end with table_file_seal, table_file_discard or
 * table_file_leave. It is new, its payload zeroed; or, only if it is resumable, what another filler
 * has left: see table_file_kept_layers. To keep the budget, unpinned tables nobody uses are
 * evicted: first what fillers have left, then the others, least recently used first. BASE_ERR_BUSY:
 * somebody (of this or another process) is filling it or has just sealed it: acquire again;
 * BASE_ERR_MEMORY_LIMIT: over the budget with all that can be evicted gone (then nothing has been
 * evicted); BASE_ERR_NO_SPACE: the file system is full; BASE_ERR_CONFLICT: the name is taken by a
 * table with another key; BASE_ERR_RANGE: payload_bytes is 0 or absurd; BASE_ERR_NOMEM,
 * BASE_ERR_IO. `diag` (may be NULL) says more.
 */
int table_store_create(struct table_store *store, const struct table_key *key,
                       const struct table_meta *meta, struct table_file **out,
                       struct base_diag *diag) BASE_MUST_USE;

/* Calls `visit` for every table of the directory, in no order, until it returns non-zero; returns
 * that, or BASE_ERR_IO. `visit` may call the store. */
int table_store_visit(struct table_store *store,
                      int (*visit)(void *arg, const struct table_info *info), void *arg);

/* BASE_ERR_NOT_FOUND. */
int table_store_info(struct table_store *store, uint64_t digest, struct table_info *out);

/* Removes a table. BASE_ERR_NOT_FOUND; BASE_ERR_BUSY while it is pinned, or used or being filled by
 * any process. */
int table_store_remove(struct table_store *store, uint64_t digest);

/* A pinned table is never evicted; it stays so over restarts. BASE_ERR_NOT_FOUND, BASE_ERR_IO. */
int table_store_pin(struct table_store *store, uint64_t digest, bool pinned);

#endif
