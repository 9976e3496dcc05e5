/*
 * server_run.h - one search of the engine and the jobs that share it. The first job of the list
 * started it; equal requests that came while it ran were attached. It goes on as long as one job
 * is left.
 */
#ifndef SERVER_SERVER_RUN_H
#define SERVER_SERVER_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/engine/engine.h"
#include "proto/proto_request.h"
#include "server/server_job.h"
#include "server/server_list_inl.h"

struct server_run {
    struct server_node node;
    struct server *server;
    uint64_t cookie;
    struct proto_job_request request;
    char *key; /* owned */
    struct engine_job *search;
    struct server_list jobs;
    unsigned n_jobs;
    char *plan;       /* JSON, owned; NULL: not known yet */
    char *incumbent;  /* JSON, owned; NULL: none */
    char **solutions; /* JSON each, in the order found; owned */
    size_t n_solutions, capacity;
    uint64_t checkpoint_ms; /* when it began, or was asked for a checkpoint last */
    bool paused;            /* or about to be; nobody may join */
    bool closing;           /* cancelled or done: nobody may join */
    bool done;              /* the engine has ended it */
    int64_t result_id;      /* stored; 0: not yet */
};

/* The checkpoint of a search that was interrupted, borrowed; all-zero: none. */
struct server_run_checkpoint {
    const void *bytes;
    size_t length;
};

/* Decodes the job's request and submits it, to go on from the checkpoint; the job is attached. On
 * failure the reason is in `diag`. */
int server_run_start(struct server_job *job, const struct server_run_checkpoint *checkpoint,
                     struct server_run **out, struct base_diag *diag);

/* The run that `job` could share; NULL: none. */
struct server_run *server_run_find_equal(struct server *server, const struct server_job *job);
struct server_run *server_run_find(struct server *server, uint64_t cookie);

/* Attaching brings a late job the plan, the incumbent and the solutions found so far, as events. */
void server_run_attach(struct server_run *run, struct server_job *job);
void server_run_detach(struct server_job *job);

/* Frees the run; no job may be attached. */
void server_run_free(struct server_run *run);

/* Takes an event of the engine: keeps what later readers need, and emits it to all jobs. */
void server_run_take_event(struct server_run *run, const struct engine_event *event);

/* New text (free), NULL: out of memory. */
char *server_run_progress(const struct server_run *run);

/* Sends the present progress to the readers of its jobs. */
void server_run_publish_progress(struct server_run *run);

#endif
