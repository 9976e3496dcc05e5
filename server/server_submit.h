/*
 * server_submit.h - accepting jobs: from a decoded request to a record that a crash cannot undo.
 */
#ifndef SERVER_SERVER_SUBMIT_H
#define SERVER_SERVER_SUBMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/engine/engine.h"
#include "server/server_keys.h"

struct server;
struct server_job;
struct server_request;
struct server_store_job;
struct server_store_op;
struct proto_job_request;

struct server_submissions {
    struct server_keys keys;
    size_t n_pending; /* on the way to the store */
};

void server_submissions_init(struct server_submissions *submissions);

/* ---- accepting, shared by single jobs and batches --------------------------------------- */

/* Is there room for `n` jobs, in the queue and among those of the principal? Else the request is
 * answered. */
bool server_submit_has_room(struct server_request *request, size_t n);

/* `n` jobs are on the way to the store, or no longer. */
void server_submit_pend(struct server_request *request, size_t n);
void server_submit_unpend(struct server_request *request, size_t n);

/* The limits of the principal that hold for each job. */
struct engine_limits server_submit_most(const struct server_request *request);

/* Enters the request's Idempotency-Key, NULL in *out if it has none. A negative code: it is
 * malformed or in use, and the request is answered. */
int server_submit_begin_key(struct server_request *request, struct server_key **out);

/* The record of a decoded job of the request's principal, with a new id; texts go into the op's
 * arena. */
struct server_store_job server_submit_record(struct server_store_op *op,
                                             const struct server_request *request,
                                             const struct proto_job_request *decoded);

/* The events that accepted and answered jobs begin with, and the key with the body's digest. */
void server_submit_fill(struct server_store_op *op, const struct server_request *request,
                        const struct server_key *key);

/* Answers what is no acceptance: trouble of the store, and a key that came with another body. */
void server_submit_answer_trouble(struct server_request *request, int status);
void server_submit_answer_mismatch(struct server_request *request);

/* ---- replies about a job, shared by the routes ------------------------------------------ */

/* Of an ended job by its record; of a live one. `status` 200 or 202; the latter says where the job
 * is and when to ask again. */
void server_answer_record(struct server_request *request, const struct server_store_job *record,
                          unsigned status);
void server_answer_job(struct server_request *request, struct server_job *job, unsigned status);

/* Calls `answer` with the stored record of the job that the request's path names, or answers that
 * there is none. */
typedef void server_record_answer(struct server_request *request,
                                  const struct server_store_job *record);
void server_with_record(struct server_request *request, server_record_answer *answer);

/* Reads the request's wait preference and, if there is one, says that it was applied. Negative:
 * none. */
int server_request_wait_seconds(struct server_request *request);

#endif
