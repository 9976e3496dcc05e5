/*
 * server_store_backend.h - what a database must do for the store: the only place that is allowed to
 * know its language. Verbs are called on the writer thread between begin and commit; reads on the
 * loop thread. Every function returns 0 or a base_err.
 */
#ifndef SERVER_SERVER_STORE_BACKEND_H
#define SERVER_SERVER_STORE_BACKEND_H

#include "core/base/base_diag.h"
#include "server/server_store.h"
#include "server/server_store_read.h"

struct server_store_backend {
    int (*begin)(void *self);
    int (*commit)(void *self);
    void (*rollback)(void *self);

    /* Inputs and outputs are the members of the op that server_store.h names for the verb. A verb
     * that fails leaves no trace. */
    int (*enqueue)(void *self, struct server_store_op *op);
    int (*claim)(void *self, struct server_store_op *op);
    int (*heartbeat)(void *self, struct server_store_op *op);
    int (*append)(void *self, struct server_store_op *op);
    int (*transition)(void *self, struct server_store_op *op);
    int (*checkpoint)(void *self, struct server_store_op *op);
    int (*finish)(void *self, struct server_store_op *op);
    int (*cancel)(void *self, struct server_store_op *op);
    int (*remove)(void *self, struct server_store_op *op);
    int (*enqueue_batch)(void *self, struct server_store_op *op);
    int (*cancel_batch)(void *self, struct server_store_op *op);
    int (*remove_batch)(void *self, struct server_store_op *op);
    int (*prune)(void *self, struct server_store_op *op);

    /* See server_store_read.h. */
    int (*load)(void *self, const char *id, struct base_arena *arena, struct server_store_job *out);
    int (*visit_live)(void *self, server_store_job_fn *visit, void *arg);
    int (*visit_jobs)(void *self, const struct server_store_filter *filter,
                      server_store_job_fn *visit, void *arg);
    int (*visit_events)(void *self, const char *id, uint64_t after, unsigned limit,
                        server_store_event_fn *visit, void *arg);
    int (*visit_solutions)(void *self, int64_t result_id, uint64_t first, unsigned limit,
                           server_store_solution_fn *visit, void *arg);
    int (*load_batch)(void *self, const char *id, struct base_arena *arena,
                      struct server_store_batch *out);
    int (*pulse_batch)(void *self, const char *id, struct server_store_pulse *out);
    int (*visit_batches)(void *self, int64_t before_seq, unsigned limit,
                         server_store_batch_fn *visit, void *arg);
    int (*visit_batch_events)(void *self, const char *id, uint64_t after, unsigned limit,
                              server_store_batch_event_fn *visit, void *arg);
    void (*close)(void *self);
};

/* SQLite in one file: write-ahead log, synchronous = FULL, one writer and one reader connection.
 * Jobs found running go back to queued: their process is gone. A damaged file is renamed to
 * PATH.damaged-N, told to the log, and a new one begun; a file of a later version is refused
 * (BASE_ERR_VERSION). */
int server_store_sqlite_open(const char *path, const struct base_log *log,
                             const struct server_store_backend **backend, void **self,
                             struct base_diag *diag);

#endif
