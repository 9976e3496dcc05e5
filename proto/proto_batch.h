/*
 * proto_batch.h - batches of jobs: the body of POST /v1/batches, the document of a batch, and its
 * events.
 */
#ifndef PROTO_PROTO_BATCH_H
#define PROTO_PROTO_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/proto_event.h"
#include "proto/proto_request.h"

enum { PROTO_BATCH_MAX_NAME = 200 }; /* characters */

/* ---- the body ------------------------------------------------------------------------- */

struct proto_batch_request {
    char *name;                     /* NULL: none */
    struct proto_job_request *jobs; /* in the order of the body, at least one */
    size_t n_jobs;
};

/* What else is done with a decoded job: returns 0, or fills the problem with pointers into the job.
 * All zero: nothing. */
struct proto_batch_check {
    int (*judge)(void *arg, struct proto_job_request *job, struct proto_problem *problem);
    void *arg;
};

/* Decodes the body: `jobs`, a list of bodies of POST /v1/jobs, or `scrambles`, a list of starts to
 * be solved as texts: algorithms, or the 54 letters of facelets; at most `max_jobs`. What a job
 * does not say is taken from `defaults`, member by member.
 *
 * All or nothing: pointers tell the member of the body that an error is about, "/jobs/17/cycles" or
 * "/defaults/find". On success free with proto_batch_request_deinit; on failure the problem is set
 * and there is nothing to free. Takes up to some 50 ms a job (where an order is the target); may
 * run on any thread. */
int proto_batch_request_decode(const char *body, size_t length, size_t max_jobs,
                               const struct proto_batch_check *check,
                               struct proto_batch_request *out, struct proto_problem *problem);
void proto_batch_request_deinit(struct proto_batch_request *request);

/* ---- the document --------------------------------------------------------------------- */

/* Of a batch: queued as long as nothing has begun, then running until everything has ended. */
enum proto_batch_state { PROTO_BATCH_QUEUED, PROTO_BATCH_RUNNING, PROTO_BATCH_ENDED };

const char *proto_batch_state_name(enum proto_batch_state state); /* wire name, static */

/* Everything is borrowed for the call. */
struct proto_batch_view {
    const char *id, *name;        /* name NULL: none */
    int64_t created_us, ended_us; /* ended_us: of the last end so far, 0: none */
    uint64_t n_jobs;              /* accepted */
    const uint64_t *n_state;      /* by enum engine_state, up to CANCELLED */
    uint64_t last_event_id;
};

/* Has every job of it ended? */
bool proto_batch_ended(const struct proto_batch_view *view);

/* New text (free), NULL: out of memory. */
char *proto_batch_encode(const struct proto_batch_view *view);

/* The payload of a job's event in the stream of its batch: `data`, which is an object, with two
 * more members in front, `job` and `index`. New text (free), NULL: out of memory. */
char *proto_batch_event(const char *job_id, uint64_t index, const char *data);

#endif
