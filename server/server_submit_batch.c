/*
 * server_submit_batch.c - POST /v1/batches.
 *
 *   key free? -> decode all jobs, on a thread of libuv's pool: a thousand may take seconds
 *             -> room in the queue for all? -> store ENQUEUE_BATCH ... durable:
 *       accepted   each queued job into the registry and to the scheduler; 202, or wait for the end
 *       replayed   the first batch of the key
 *       mismatch   422
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "proto/proto_batch.h"
#include "server/server.h"
#include "server/server_route_batch.h"
#include "server/server_routes.h"

struct submission {
    uv_work_t work;
    struct server_request *request;
    struct server_key *key;
    struct engine *engine;
    struct engine_limits most; /* of each job */
    size_t max_jobs;
    struct proto_batch_request decoded;
    struct proto_problem problem;
    int code;
};

static void submission_free(struct submission *submission)
{
    server_keys_end(submission->key);
    if (!submission->code)
        proto_batch_request_deinit(&submission->decoded);
    free(submission);
}

/* ---- stored --------------------------------------------------------------------------- */

static void admit_all(struct server_request *request, const struct server_store_op *op)
{
    struct server *server = request->server;
    uint64_t n_queued = 0;

    for (uint64_t i = 0; i < op->batch.n_jobs; i++) {
        const struct server_store_job *record = &op->jobs[i];
        struct server_job *job = NULL;

        /* Without memory for a job here, a later claim finds it. */
        if (record->state == ENGINE_QUEUED)
            job = server_job_new(server, record);
        n_queued += job != NULL;
        server_news_tell(server, record->id, op->batch.id, record->state);
    }
    server->metrics.jobs_accepted += n_queued;
    server->metrics.jobs_answered += op->batch.n_jobs - n_queued;
    base_logf(&server->log, BASE_LOG_INFO,
              "batch %s: %llu jobs accepted, %llu of them queued, request %s of %s", op->batch.id,
              (unsigned long long)op->batch.n_jobs, (unsigned long long)n_queued, request->id,
              request->principal->key);
}

static void start_all(struct server *server, const struct server_store_op *op)
{
    for (uint64_t i = 0; i < op->batch.n_jobs; i++) {
        struct server_job *job = server_job_find(server, op->jobs[i].id);

        if (job)
            server_scheduler_admit(job);
    }
}

static void on_stored(struct server_store_op *op)
{
    struct submission *submission = op->arg;
    struct server_request *request = submission->request;

    server_submit_unpend(request, submission->decoded.n_jobs);
    submission_free(submission);
    if (op->status) {
        server_submit_answer_trouble(request, op->status);
    } else if (op->outcome == SERVER_STORE_ACCEPTED) {
        admit_all(request, op);
        server_route_batch_submitted(request, op->batch.id);
        start_all(request->server, op);
    } else if (op->outcome == SERVER_STORE_REPLAYED) {
        server_route_batch_submitted(request, op->batch.id);
    } else {
        server_submit_answer_mismatch(request);
    }
    server_store_op_free(op);
}

/* ---- decoded -------------------------------------------------------------------------- */

static bool fill_jobs(struct server_store_op *op, const struct submission *submission)
{
    const struct proto_batch_request *decoded = &submission->decoded;

    op->jobs = base_arena_alloc(&op->arena, decoded->n_jobs * sizeof(*op->jobs));
    for (size_t i = 0; op->jobs && i < decoded->n_jobs; i++)
        op->jobs[i] = server_submit_record(op, submission->request, &decoded->jobs[i]);
    return op->jobs;
}

static struct server_store_op *enqueue_op(const struct submission *submission)
{
    const struct proto_batch_request *decoded = &submission->decoded;
    struct server_store_op *op = server_store_op_new(SERVER_STORE_ENQUEUE_BATCH);
    char id[SERVER_JOB_ID_BYTES];

    if (!op || !fill_jobs(op, submission)) {
        server_store_op_free(op);
        return NULL;
    }
    server_job_new_id('b', id);
    op->batch = (struct server_store_batch){
        .id = server_store_op_text(op, id),
        .name = server_store_op_text(op, decoded->name),
        .created_us = base_clock_unix_us(),
        .n_jobs = decoded->n_jobs,
    };
    server_submit_fill(op, submission->request, submission->key);
    op->done = on_stored;
    return op;
}

static void store(struct submission *submission)
{
    struct server *server = submission->request->server;
    struct server_store_op *op = enqueue_op(submission);

    if (!op) {
        server_submit_answer_trouble(submission->request, BASE_ERR_NOMEM);
        submission_free(submission);
        return;
    }
    op->arg = submission;
    server_submit_pend(submission->request, submission->decoded.n_jobs);
    server_store_submit(server->store, op);
}

static void on_decoded(uv_work_t *work, int status)
{
    struct submission *submission = work->data;
    struct server_request *request = submission->request;

    (void)status; /* nobody cancels */
    server_submit_unpend(request, 1);
    if (submission->code) {
        server_answer_problem(request, &submission->problem);
        submission_free(submission);
    } else if (!server_submit_has_room(request, submission->decoded.n_jobs)) {
        submission_free(submission);
    } else {
        store(submission);
    }
}

/* ---- on the pool ---------------------------------------------------------------------- */

static int judge(void *arg, struct proto_job_request *job, struct proto_problem *problem)
{
    const struct submission *submission = arg;

    if (proto_job_request_cap(job, &submission->most, problem))
        return proto_problem_code(problem);
    return server_tables_judge(submission->engine, job->echo, strlen(job->echo), job, problem);
}

static void decode(uv_work_t *work)
{
    struct submission *submission = work->data;
    const struct proto_batch_check check = {judge, submission};
    const struct base_buf *body = &submission->request->body;

    submission->code =
        proto_batch_request_decode(base_buf_str(body), body->length, submission->max_jobs, &check,
                                   &submission->decoded, &submission->problem);
}

/* A list that could never find room is too long, whatever waits now. */
static size_t max_jobs(const struct server_request *request)
{
    const struct config *config = request->server->config;
    uint64_t share = request->principal->limits.jobs;
    size_t max = config->max_batch_jobs < config->max_queued_jobs ? config->max_batch_jobs
                                                                  : config->max_queued_jobs;

    return share && share < max ? (size_t)share : max;
}

void server_route_batch_submit(struct server_request *request)
{
    struct server *server = request->server;
    struct submission *submission;
    struct server_key *key;

    if (!server_submit_has_room(request, 1) || server_submit_begin_key(request, &key))
        return;
    submission = calloc(1, sizeof(*submission));
    if (!submission) {
        server_keys_end(key);
        server_submit_answer_trouble(request, BASE_ERR_NOMEM);
        return;
    }
    submission->work.data = submission;
    submission->request = request;
    submission->key = key;
    submission->engine = server->engine;
    submission->most = server_submit_most(request);
    submission->max_jobs = max_jobs(request);
    server_submit_pend(request, 1);
    server_request_keep(request);
    uv_queue_work(&server->uv, &submission->work, decode, on_decoded);
}
