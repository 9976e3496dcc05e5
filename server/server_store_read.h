/*
 * server_store_read.h - reads from the store, on the loop thread: short indexed queries over a
 * connection of their own that never waits for the writer. What was submitted but is not durable
 * yet is not seen.
 */
#ifndef SERVER_SERVER_STORE_READ_H
#define SERVER_SERVER_STORE_READ_H

#include "server/server_store.h"

/* Visitors return 0 to go on; another value ends the walk and is returned. Texts are borrowed for
 * the call. */
typedef int server_store_job_fn(void *arg, const struct server_store_job *job);
typedef int server_store_event_fn(void *arg, const struct server_store_event *event);
typedef int server_store_solution_fn(void *arg, const char *solution); /* JSON */

typedef int server_store_batch_fn(void *arg, const struct server_store_batch *batch);
typedef int server_store_batch_event_fn(void *arg, const struct server_store_batch_event *event);

struct server_store_filter {
    const char *state, *puzzle, *label; /* NULL: any */
    const char *batch;                  /* NULL: newest first; else its jobs, in their order */
    int64_t behind_seq;                 /* of the job that the list goes on behind; 0: none */
    unsigned limit;
};

/* BASE_ERR_NOT_FOUND. The texts of *out go into `arena`. */
int server_store_load(struct server_store *store, const char *id, struct base_arena *arena,
                      struct server_store_job *out);

/* Jobs that have not ended, in order of acceptance. */
int server_store_visit_live(struct server_store *store, server_store_job_fn *visit, void *arg);

int server_store_visit_jobs(struct server_store *store, const struct server_store_filter *filter,
                            server_store_job_fn *visit, void *arg);

/* Events of a job with an id above `after`, ascending. */
int server_store_visit_events(struct server_store *store, const char *id, uint64_t after,
                              unsigned limit, server_store_event_fn *visit, void *arg);

/* Stored solutions from position `first`, in their order. */
int server_store_visit_solutions(struct server_store *store, int64_t result_id, uint64_t first,
                                 unsigned limit, server_store_solution_fn *visit, void *arg);

/* ---- batches -------------------------------------------------------------------------- */

/* BASE_ERR_NOT_FOUND. The texts of *out go into `arena`. */
int server_store_load_batch(struct server_store *store, const char *id, struct base_arena *arena,
                            struct server_store_batch *out);

/* What of a batch tells whether there is news; cheaper than all of it. Once it is not live no event
 * follows `last_event_id`. */
struct server_store_pulse {
    uint64_t last_event_id;
    bool live; /* a job of it has not ended */
};

int server_store_pulse_batch(struct server_store *store, const char *id,
                             struct server_store_pulse *out);

/* Newest first, those before `before_seq` (0: all). */
int server_store_visit_batches(struct server_store *store, int64_t before_seq, unsigned limit,
                               server_store_batch_fn *visit, void *arg);

/* Events of its jobs with an id in its stream above `after`, ascending. */
int server_store_visit_batch_events(struct server_store *store, const char *id, uint64_t after,
                                    unsigned limit, server_store_batch_event_fn *visit, void *arg);

#endif
