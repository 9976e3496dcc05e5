/*
 * server_submit.h - accepting jobs: from a decoded request to a record that a crash cannot undo.
 */
#ifndef SERVER_SERVER_SUBMIT_H
#define SERVER_SERVER_SUBMIT_H

#include "server/server_keys.h"

struct server;
struct server_job;
struct server_request;
struct server_store_job;

struct server_submissions {
    struct server_keys keys;
    size_t n_pending; /* on the way to the store */
};

void server_submissions_init(struct server_submissions *submissions);

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
