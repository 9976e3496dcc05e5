/*
 * engine.h - the facade that the server sees: create, submit, poll, pause, cancel, drain.
 *
 * An engine owns a pool of worker threads and a set of pruning tables. Jobs are submitted with a
 * spec and answered by events. Events are queued inside the engine; `notify` tells the owner that
 * the queue is no longer empty (from a worker thread: it must only wake the owner, as uv_async_send
 * does), and the owner takes them with engine_poll until it returns false. All functions may be
 * called from any thread; engine_poll from one thread at a time.
 *
 * The engine keeps no process-wide state: several may live in one process.
 */
#ifndef CORE_ENGINE_ENGINE_H
#define CORE_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_diag.h"
#include "core/base/base_log.h"
#include "core/engine/engine_job.h"
#include "core/engine/engine_result.h"

struct engine;

/* All-zero is the default of everything but table_dir. */
struct engine_config {
    unsigned threads;          /* 0: one per usable processor */
    bool pin_threads;          /* each to a processor of its own */
    uint64_t memory_bytes;     /* for all tables together; 0: three quarters of what the host or the
                                  cgroup allows */
    double fill_factor;        /* a large table is filled once a depth has come to so many times the
                                  nodes that it is worth; 0: 1; negative: never */
    double incumbent_seconds;  /* a job that has run for so long offers solutions that need not be
                                  the shortest; 0: 1; negative: none does */
    double incumbent_share;    /* of its thread time, that it may spend on them; 0: 0.02 */
    uint64_t solution_bytes;   /* memory for all the words that one job may find; one that finds
                                  more ends with that limit; 0: 256 MiB */
    uint64_t checkpoint_words; /* solutions that a checkpoint may hold, so that it is quickly gone
                                  on from; 0: 100 000. Of a job that has found more, less of the
                                  work is kept, and nothing is lost */
    const char *table_dir;     /* made if missing; NULL: /dev/shm/cyclosolve */
    const char *kernels; /* comma list of CPU features to leave out ("avx2"), NULL: use all that are
                            there */
    struct base_log log;
    void (*notify)(void *arg);
    void *notify_arg;
};

/* New. BASE_ERR_IO, BASE_ERR_NO_SPACE, BASE_ERR_RANGE with the reason in diag. Attaches the tables
 * that are in the directory; of what a crash left growing, fills go on with what can be resumed,
 * and the rest is discarded. */
int engine_open(const struct engine_config *config, struct engine **out, struct base_diag *diag);

/* Stops the workers (searches are abandoned at once) and frees all; jobs must have been released
 * before. */
void engine_close(struct engine *engine);

struct engine_table_info {
    char key[ENGINE_KEY_BYTES];
    char puzzle[PUZZLE_NAME_BYTES];
    char orbits[64];
    char target[CYCLE_TEXT_BYTES]; /* projected, as text */
    char kind[24];
    char variant[8]; /* of the kind "approximate": "subset", "hash"; else "" */
    char encoding[8];
    char state[12]; /* "growing" (with no layer yet: it may be waiting for its turn) or "sealed" */
    uint64_t bytes;
    unsigned layers;
    uint64_t entries; /* that are set, as of the last complete layer */
    double fraction;  /* of all entries; 1 if sealed */
    double seconds;   /* that its fill took, or has been taking; 0: its turn has not come */
    uint64_t queries; /* by finished depths of all jobs of this process */
    bool pinned;
    bool attached; /* true: found on disk, false: filled by this process */
};

/* Calls `visit` for every table that is resident or to be filled in advance, in the order of their
 * keys. Not to be called from `visit`. */
void engine_visit_tables(struct engine *engine,
                         void (*visit)(void *, const struct engine_table_info *), void *arg);

/* Can the spec's wishes for tables be met? BASE_ERR_MEMORY_LIMIT or BASE_ERR_UNSUPPORTED if not,
 * with a text in diag that says what would fit; *orbit: whose wish it is, PERM_MAX_ORBITS: that for
 * a product. May make the coordinates of tables, which takes some milliseconds. */
int engine_check_tables(struct engine *engine, const struct engine_spec *spec,
                        struct base_diag *diag, unsigned *orbit);

struct engine_stats {
    unsigned threads;
    unsigned busy_threads; /* working right now */
    unsigned jobs_queued, jobs_running;
    uint64_t nodes; /* since start, finished slices */
    uint64_t table_bytes, table_count, tables_filled, tables_attached;
    double table_fill_seconds;
    uint64_t memory_bytes; /* the limit in force */
};

void engine_stats_get(struct engine *engine, struct engine_stats *out);

/* Names of the kernels in use, for /version: "cube3: avx2" . Static. */
const char *engine_kernels(const struct engine *engine);

/* One table by its key, as it is listed. BASE_ERR_NOT_FOUND, BASE_ERR_IO, of all three. */
int engine_table_get(struct engine *engine, const char *key, struct engine_table_info *out);

/* A pinned table is never evicted or removed, and stays pinned over restarts. Also of a table that
 * is being filled, or will be. */
int engine_table_pin(struct engine *engine, const char *key, bool pinned);

/* Gives the table's memory back. One that is only being filled in advance is given up, and goes
 * away once the threads at it have noticed. BASE_ERR_BUSY, with the reason in diag (may be NULL):
 * it is being filled for a job, pinned, or in use by a job or another process. */
int engine_table_remove(struct engine *engine, const char *key, struct base_diag *diag);

/* Starts a job that fills the tables which a job with this spec would use, one after the other and
 * with the least share of the threads, and searches nothing; `pin`: they are pinned. Its events are
 * STATE, PLAN, TABLE and DONE; when DONE comes the plan in the snapshot says which tables are there
 * and why others are not. Otherwise like engine_submit. */
int engine_tables_make(struct engine *engine, const struct engine_spec *spec, bool pin,
                       struct engine_job **out, struct base_diag *diag);

/* The same without filling anything: for the plan. */
int engine_tables_plan(struct engine *engine, const struct engine_spec *spec,
                       struct engine_job **out, struct base_diag *diag);

#endif
