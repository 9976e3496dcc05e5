/*
 * server_store.h - durable jobs, results, events and idempotency keys.
 *
 *   loop thread                         writer thread
 *   server_store_submit(op) --queue-->  begin; every waiting op; commit   (group commit)
 *   server_store_poll()    <--queue---  status in op->status, notify()
 *
 * The loop never waits for a write: it submits an op and is called back, from server_store_poll,
 * once the op is durable or refused. Reads (server_store_read.h) are done on the loop thread over a
 * connection of their own. What happens in a transaction is behind a table of functions
 * (server_store_backend.h): SQLite is the first implementation, one for several hosts the second.
 *
 * Fencing: every claim raises the job's `attempt`. Whoever writes for a job names its attempt and
 * is refused with BASE_ERR_CONFLICT if it is no longer the job's: an owner that lost its lease
 * cannot overwrite the next one.
 */
#ifndef SERVER_SERVER_STORE_H
#define SERVER_SERVER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_log.h"
#include "core/base/base_mem.h"
#include "server/server_store_record.h"

struct server_store;

/* ---- ops ------------------------------------------------------------------------------ */

enum server_store_verb {
    SERVER_STORE_ENQUEUE,       /* accept a job, or answer it from an equal result, or replay */
    SERVER_STORE_CLAIM,         /* queued -> running: the best job, or a certain one */
    SERVER_STORE_HEARTBEAT,     /* keep the lease of a running job */
    SERVER_STORE_APPEND,        /* one event */
    SERVER_STORE_TRANSITION,    /* queued, running <-> paused; back to queued */
    SERVER_STORE_CHECKPOINT,    /* where the search of a live job is, instead of the last one */
    SERVER_STORE_FINISH,        /* the end of a job, its result and its last events */
    SERVER_STORE_CANCEL,        /* remember that cancelling was asked for */
    SERVER_STORE_REMOVE,        /* the record, its events, keys, and a result nobody else has */
    SERVER_STORE_ENQUEUE_BATCH, /* accept all jobs of a batch or none, each as ENQUEUE does */
    SERVER_STORE_CANCEL_BATCH,  /* CANCEL for all its jobs that have not ended */
    SERVER_STORE_REMOVE_BATCH,  /* the batch and its jobs; BASE_ERR_CONFLICT while one is live */
    SERVER_STORE_PRUNE          /* what ended longest ago, as far as the op's bounds ask for it */
};

enum server_store_outcome {
    SERVER_STORE_ACCEPTED,
    SERVER_STORE_ANSWERED, /* born succeeded, from an equal result */
    SERVER_STORE_REPLAYED, /* the key is known with this body: `job` (`batch`) is the first one */
    SERVER_STORE_MISMATCH  /* the key is known with another body */
};

struct server_store_op {
    enum server_store_verb verb;
    int status;                  /* out: 0 or BASE_ERR_CONFLICT, _NOT_FOUND, _IO, _NO_SPACE, ... */
    struct base_arena arena;     /* texts of inputs and outputs */
    struct server_store_job job; /* in for ENQUEUE; out for ENQUEUE and CLAIM (id NULL: none) */
    const char *id;              /* of the job or batch; CLAIM: NULL for any */
    bool singles_only;           /* CLAIM of any: none of a batch */
    uint64_t attempt;
    int64_t now_us, lease_us; /* lease: how long from now */
    const char *owner;
    const void *checkpoint; /* CHECKPOINT in; CLAIM out, NULL: there is none */
    size_t checkpoint_bytes;
    /* ENQUEUE */
    const char *key, *body_digest;               /* key NULL: not idempotent */
    struct server_store_event answered_event[2]; /* for a job that is born succeeded */
    enum server_store_outcome outcome;
    /* ENQUEUE_BATCH: in with the jobs in their order, which are in the arena; out with `seq` and,
     * for the jobs, what the store decides (ACCEPTED alone). Events as for ENQUEUE, of each job. */
    struct server_store_batch batch;
    struct server_store_job *jobs;
    /* ENQUEUE, APPEND, TRANSITION, FINISH: events stored with it */
    struct server_store_event event[2];
    unsigned n_events;
    /* TRANSITION, FINISH */
    enum engine_state state;
    uint64_t version;
    /* FINISH */
    const char *plan, *progress, *error_text, *shared_with;
    bool cached;
    int64_t result_id;       /* in, if not 0, and out; CLAIM: out, an equal result or 0 */
    const char *result;      /* a new result, JSON, if result_id is 0 */
    bool reusable, complete; /* complete: the stored list holds every solution */
    uint64_t n_solutions;
    /* JSON of a solution: new text (free). Called on the writer thread. */
    char *(*solution_at)(void *solutions, uint64_t index);
    void *solutions;
    /* HEARTBEAT out */
    bool cancel_requested;
    struct server_store_prune prune; /* PRUNE in and out */
    /* Called on the loop by server_store_poll; owns the op from then on. */
    void (*done)(struct server_store_op *op);
    void *arg;
    struct server_store_op *next;
};

/* New, zeroed but for the verb. NULL: out of memory. */
struct server_store_op *server_store_op_new(enum server_store_verb verb);
void server_store_op_free(struct server_store_op *op);

/* Copy into the op's arena; NULL stays NULL. */
const char *server_store_op_text(struct server_store_op *op, const char *text);

/* Copies the checkpoint into the op's arena. False: out of memory. */
bool server_store_op_bytes(struct server_store_op *op, const void *bytes, size_t length);

/* ---- the store ------------------------------------------------------------------------ */

struct server_store_backend;

/* Starts the writer thread over an open backend (taken whatever happens). `notify` is called on the
 * writer thread when finished ops wait for server_store_poll. */
int server_store_new(const struct server_store_backend *backend, void *self, void (*notify)(void *),
                     void *notify_arg, struct server_store **out);

/* Finishes what was submitted, delivers it, stops the thread, closes the backend. */
void server_store_free(struct server_store *store);

void server_store_submit(struct server_store *store, struct server_store_op *op); /* op is taken */
void server_store_poll(struct server_store *store);

/* Ops submitted and not delivered yet. */
size_t server_store_backlog(const struct server_store *store);

/* 0, or the error of the last transaction: readiness. Any thread. */
int server_store_health(struct server_store *store);

#endif
