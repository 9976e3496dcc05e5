/*
 * server_submit.c - POST /v1/jobs.
 *
 *   decode -> within the principal's limits? -> room in the queue? -> tables possible? -> key free?
 * -> store ENQUEUE ... durable: accepted   into the registry, to the scheduler; 202, or wait for
 * the end answered   born succeeded from a stored result replayed   the first job of the key
 *       mismatch   422
 */
#include "server/server_submit.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "proto/proto_prefer.h"
#include "proto/proto_request.h"
#include "server/server.h"
#include "server/server_routes.h"

enum { DEFAULT_SOLUTIONS = 10000, BUSY_RETRY_S = 5, MILLISECONDS = 1000 };

void server_submissions_init(struct server_submissions *submissions)
{
    server_keys_init(&submissions->keys);
    submissions->n_pending = 0;
}

/* ---- replies -------------------------------------------------------------------------- */

static void add_job_fields(struct server_request *request, const char *id, uint64_t version,
                           unsigned retry_after, unsigned status)
{
    char etag[PROTO_ETAG_BYTES];

    server_reply_field(request, "ETag", "%s", proto_etag_print(id, version, etag));
    if (status != MHD_HTTP_ACCEPTED)
        return;
    server_reply_field(request, "Location", "/v1/jobs/%s", id);
    server_reply_field(request, "Retry-After", "%u", retry_after);
}

void server_answer_record(struct server_request *request, const struct server_store_job *record,
                          unsigned status)
{
    add_job_fields(request, record->id, record->version, 0, status);
    server_answer_json(request, status, server_record_document(request->server, record, false));
}

void server_answer_job(struct server_request *request, struct server_job *job, unsigned status)
{
    const char *document = server_job_document(job);
    unsigned retry_after = 0;

    if (!proto_state_ended(job->state))
        retry_after = server_scheduler_retry_after(job->server, server_job_queue_position(job));
    add_job_fields(request, job->id, job->version, retry_after, status);
    server_answer_json(request, status, document ? strdup(document) : NULL);
}

int server_request_wait_seconds(struct server_request *request)
{
    int seconds = proto_prefer_wait(server_request_field(request, "Prefer"));

    if (seconds >= 0)
        server_reply_field(request, "Preference-Applied", "wait=%d", seconds);
    return seconds;
}

static void answer_submitted(struct server_request *request, struct server_job *job)
{
    bool waited = server_request_wait_seconds(request) >= 0;

    server_answer_job(request, job,
                      waited && proto_state_ended(job->state) ? MHD_HTTP_OK : MHD_HTTP_ACCEPTED);
}

/* ---- stored --------------------------------------------------------------------------- */

struct submission {
    struct server_request *request;
    struct server_key *key;
};

static void wait_or_answer(struct server_request *request, struct server_job *job)
{
    int seconds = proto_prefer_wait(server_request_field(request, "Prefer"));

    if (seconds > 0 && !request->server->draining)
        server_wait_start(request, job, SERVER_WAIT_END, (uint64_t)seconds * MILLISECONDS,
                          answer_submitted);
    else
        answer_submitted(request, job);
}

static void answer_ended(struct server_request *request, const struct server_store_job *record)
{
    bool waited = server_request_wait_seconds(request) >= 0;

    server_answer_record(request, record, waited ? MHD_HTTP_OK : MHD_HTTP_ACCEPTED);
}

void server_submit_answer_trouble(struct server_request *request, int status)
{
    server_reply_field(request, "Retry-After", "%d", BUSY_RETRY_S);
    server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE, "nothing could be stored: %s",
                          base_err_text(status));
}

void server_submit_answer_mismatch(struct server_request *request)
{
    server_answer_refusal(request, PROTO_PROBLEM_IDEMPOTENCY_MISMATCH,
                          "this Idempotency-Key came with another body before");
}

/* The job is durable. Even without memory for it here it is not lost: the next claim finds it. */
static void admit(struct server_request *request, const struct server_store_job *record)
{
    struct server_job *job = server_job_new(request->server, record);

    if (!job) {
        server_submit_answer_trouble(request, BASE_ERR_NOMEM);
        return;
    }
    request->server->metrics.jobs_accepted++;
    base_logf(&request->server->log, BASE_LOG_INFO, "job %s: accepted, request %s of %s", job->id,
              request->id, request->principal->key);
    server_news_tell(request->server, job->id, NULL, ENGINE_QUEUED);
    wait_or_answer(request, job);
    server_scheduler_admit(job);
}

static void replay(struct server_request *request, const struct server_store_job *record)
{
    struct server_job *job = server_job_find(request->server, record->id);

    if (job)
        wait_or_answer(request, job);
    else
        answer_ended(request, record);
}

static void on_stored(struct server_store_op *op)
{
    struct submission *submission = op->arg;
    struct server_request *request = submission->request;

    server_submit_unpend(request, 1);
    server_keys_end(submission->key);
    free(submission);
    if (op->status) {
        server_submit_answer_trouble(request, op->status);
    } else if (op->outcome == SERVER_STORE_ACCEPTED) {
        admit(request, &op->job);
    } else if (op->outcome == SERVER_STORE_ANSWERED) {
        request->server->metrics.jobs_answered++;
        server_news_tell(request->server, op->job.id, NULL, ENGINE_SUCCEEDED);
        answer_ended(request, &op->job);
    } else if (op->outcome == SERVER_STORE_REPLAYED) {
        replay(request, &op->job);
    } else {
        server_submit_answer_mismatch(request);
    }
    server_store_op_free(op);
}

/* ---- on the way ----------------------------------------------------------------------- */

struct server_store_job server_submit_record(struct server_store_op *op,
                                             const struct server_request *request,
                                             const struct proto_job_request *decoded)
{
    char id[SERVER_JOB_ID_BYTES];

    server_job_new_id('j', id);
    return (struct server_store_job){
        .id = server_store_op_text(op, id),
        .version = 1,
        .priority = decoded->priority,
        .fresh = decoded->fresh,
        .created_us = base_clock_unix_us(),
        .puzzle = server_store_op_text(op, puzzle_name(decoded->puzzle)),
        .label = server_store_op_text(op, decoded->label),
        .equal_key = server_store_op_text(op, decoded->key),
        .solutions_cap = decoded->limits.solutions ? decoded->limits.solutions : DEFAULT_SOLUTIONS,
        .request = server_store_op_text(op, decoded->echo),
        .target = server_store_op_text(op, decoded->target),
        .principal = server_store_op_text(op, request->principal->key),
    };
}

static struct server_store_event state_event(struct server_store_op *op, enum engine_state state)
{
    char *data = proto_event_state(state);
    struct server_store_event event = {1, proto_event_name(PROTO_EVENT_STATE),
                                       server_store_op_text(op, data)};

    free(data);
    return event;
}

void server_submit_fill(struct server_store_op *op, const struct server_request *request,
                        const struct server_key *key)
{
    char digest[SERVER_DIGEST_BYTES];

    op->now_us = base_clock_unix_us();
    op->event[0] = state_event(op, ENGINE_QUEUED);
    op->n_events = 1;
    op->answered_event[0] = state_event(op, ENGINE_SUCCEEDED);
    op->answered_event[1] =
        (struct server_store_event){2, proto_event_name(PROTO_EVENT_DONE), NULL};
    if (!key)
        return;
    server_key_digest(base_buf_str(&request->body), request->body.length, digest);
    op->key = server_store_op_text(op, key->text);
    op->body_digest = server_store_op_text(op, digest);
}

static struct server_store_op *enqueue_op(const struct server_request *request,
                                          const struct proto_job_request *decoded,
                                          const struct server_key *key)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_ENQUEUE);

    if (!op)
        return NULL;
    op->job = server_submit_record(op, request, decoded);
    server_submit_fill(op, request, key);
    op->done = on_stored;
    return op;
}

static void submit(struct server_request *request, const struct proto_job_request *decoded,
                   struct server_key *key)
{
    struct submission *submission = calloc(1, sizeof(*submission));
    struct server_store_op *op = submission ? enqueue_op(request, decoded, key) : NULL;

    if (!op) {
        free(submission);
        server_keys_end(key);
        server_submit_answer_trouble(request, BASE_ERR_NOMEM);
        return;
    }
    *submission = (struct submission){request, key};
    op->arg = submission;
    server_submit_pend(request, 1);
    server_request_keep(request);
    server_store_submit(request->server->store, op);
}

int server_submit_begin_key(struct server_request *request, struct server_key **out)
{
    const char *field = server_request_field(request, "Idempotency-Key");
    char text[SERVER_KEY_BYTES], scoped[SERVER_SCOPED_KEY_BYTES];
    int status;

    *out = NULL;
    if (!field)
        return 0;
    if (server_key_parse(field, text)) {
        server_answer_refusal(request, PROTO_PROBLEM_BAD_REQUEST,
                              "Idempotency-Key must be a string of 1 to 255 printable characters");
        return BASE_ERR_SYNTAX;
    }
    server_key_scope(request->token_name, text, scoped);
    status = server_keys_begin(&request->server->submissions.keys, scoped, out);
    if (status == BASE_ERR_BUSY) {
        server_reply_field(request, "Retry-After", "1");
        server_answer_refusal(
            request, PROTO_PROBLEM_CONFLICT,
            "the first request with this Idempotency-Key is still being accepted");
    } else if (status) {
        server_submit_answer_trouble(request, status);
    }
    return status;
}

void server_submit_pend(struct server_request *request, size_t n)
{
    request->server->submissions.n_pending += n;
    server_principal_add_jobs(request->principal, n);
}

void server_submit_unpend(struct server_request *request, size_t n)
{
    request->server->submissions.n_pending -= n;
    server_principal_remove_jobs(request->principal, n);
}

struct engine_limits server_submit_most(const struct server_request *request)
{
    const struct server_limits *limits = &request->principal->limits;

    return (struct engine_limits){.seconds = (double)limits->seconds, .nodes = limits->nodes};
}

/* Is there room among the jobs of the principal? */
static bool has_share(struct server_request *request, size_t n)
{
    const struct server_principal *principal = request->principal;

    if (!principal->limits.jobs || principal->n_jobs + n <= principal->limits.jobs)
        return true;
    request->server->metrics.jobs_refused++;
    server_reply_field(request, "Retry-After", "%u",
                       server_scheduler_retry_after(request->server, (int64_t)principal->n_jobs));
    server_answer_refusal(request, PROTO_PROBLEM_TOO_MANY_REQUESTS,
                          "%s has %llu jobs that have not ended, and may have %llu (option "
                          "max-jobs-each); wait for some, or cancel them",
                          principal->key, (unsigned long long)principal->n_jobs,
                          (unsigned long long)principal->limits.jobs);
    return false;
}

bool server_submit_has_room(struct server_request *request, size_t n)
{
    struct server *server = request->server;
    size_t waiting = server->jobs.n_state[ENGINE_QUEUED] + server->submissions.n_pending;

    if (server->draining) {
        server_reply_field(request, "Retry-After", "%d", BUSY_RETRY_S);
        server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE, "the service is going down");
        return false;
    }
    if (waiting + n <= server->config->max_queued_jobs)
        return has_share(request, n);
    server->metrics.jobs_refused++;
    server_reply_field(request, "Retry-After", "%u",
                       server_scheduler_retry_after(server, (int64_t)waiting));
    server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE,
                          "the queue is full: %zu jobs are waiting, %u may", waiting,
                          server->config->max_queued_jobs);
    return false;
}

void server_route_job_submit(struct server_request *request)
{
    struct engine_limits most = server_submit_most(request);
    struct proto_job_request decoded;
    struct proto_problem problem = {0};
    struct server_key *key;

    if (proto_job_request_decode(base_buf_str(&request->body), request->body.length, &decoded,
                                 &problem)) {
        server_answer_problem(request, &problem);
        return;
    }
    if (proto_job_request_cap(&decoded, &most, &problem))
        server_answer_problem(request, &problem);
    else if (server_submit_has_room(request, 1) && server_tables_check(request, &decoded) &&
             !server_submit_begin_key(request, &key))
        submit(request, &decoded, key);
    proto_job_request_deinit(&decoded);
}
