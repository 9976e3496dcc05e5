/*
 * server_route_jobs.c - reading, listing and steering jobs. A job is looked for among the live ones
 * first, then in the store.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_page.h"
#include "proto/proto_prefer.h"
#include "server/server.h"
#include "server/server_route_list.h"
#include "server/server_routes.h"
#include "server/server_run.h"

enum { STEER_MS = 5000, DELETE_MS = 10000 };

static void answer_unknown(struct server_request *request)
{
    server_answer_refusal(request, PROTO_PROBLEM_NOT_FOUND, "there is no job %s",
                          request->match.capture);
}

void server_with_record(struct server_request *request, server_record_answer *answer)
{
    struct base_arena arena = {0};
    struct server_store_job record;
    int status = server_store_load(request->server->store, request->match.capture, &arena, &record);

    if (!status)
        answer(request, &record);
    else if (status == BASE_ERR_NOT_FOUND)
        answer_unknown(request);
    else
        server_answer_err(request, status, "the job store cannot be read");
    base_arena_deinit(&arena);
}

/* ---- GET /v1/jobs/{id} ---------------------------------------------------------------- */

/* Answers 304 if the client has this version. */
static bool is_known(struct server_request *request, const char *id, uint64_t version)
{
    char etag[PROTO_ETAG_BYTES];

    proto_etag_print(id, version, etag);
    if (!proto_etag_matches(server_request_field(request, "If-None-Match"), etag))
        return false;
    server_reply_field(request, "ETag", "%s", etag);
    server_answer_empty(request, MHD_HTTP_NOT_MODIFIED);
    return true;
}

static void answer_ended(struct server_request *request, const struct server_store_job *record)
{
    server_request_wait_seconds(request);
    server_reply_field(request, "Cache-Control", "private, max-age=3600");
    if (!is_known(request, record->id, record->version))
        server_answer_record(request, record, MHD_HTTP_OK);
}

static void answer_live(struct server_request *request, struct server_job *job)
{
    server_job_document(job); /* decides the version */
    server_request_wait_seconds(request);
    server_reply_field(request, "Cache-Control", "no-cache");
    if (is_known(request, job->id, job->version))
        return;
    if (!proto_state_ended(job->state))
        server_reply_field(
            request, "Retry-After", "%u",
            server_scheduler_retry_after(job->server, server_job_queue_position(job)));
    server_answer_job(request, job, MHD_HTTP_OK);
}

void server_route_job_get(struct server_request *request)
{
    struct server_job *job = server_job_find(request->server, request->match.capture);
    int seconds = proto_prefer_wait(server_request_field(request, "Prefer"));

    if (!job)
        server_with_record(request, answer_ended);
    else if (seconds > 0 && !request->server->draining)
        server_wait_start(request, job, SERVER_WAIT_END, (uint64_t)seconds * 1000, answer_live);
    else
        answer_live(request, job);
}

/* ---- GET /v1/jobs --------------------------------------------------------------------- */

struct job_page {
    struct server *server;
    struct server_page page;
};

static int add_job(void *arg, const struct server_store_job *record)
{
    struct job_page *jobs = arg;
    struct server_job *job = server_job_find(jobs->server, record->id);

    return server_page_add(&jobs->page, (uint64_t)record->seq,
                           job ? server_job_brief(job)
                               : server_record_document(jobs->server, record, true));
}

static const char *filter_of(const struct server_request *request, const char *name)
{
    const char *value = server_request_query(request, name);

    return value && *value ? value : NULL;
}

static int read_filter(struct server_request *request, struct server_store_filter *filter,
                       struct proto_problem *problem)
{
    enum engine_state state;

    filter->state = filter_of(request, "state");
    filter->puzzle = filter_of(request, "puzzle");
    filter->label = filter_of(request, "label");
    if (filter->state && proto_state_parse(filter->state, &state))
        return proto_problem_add(problem, PROTO_PROBLEM_INVALID_REQUEST, "/state", NULL,
                                 "'%.40s' is not a state of a job", filter->state);
    return 0;
}

void server_route_list_jobs(struct server_request *request, const char *batch)
{
    struct job_page jobs = {.server = request->server};
    struct server_store_filter filter = {.batch = batch};
    struct proto_problem problem = {0};
    int status = server_page_begin(&jobs.page, request, batch ? batch : "jobs", &problem);

    if (read_filter(request, &filter, &problem) || status) {
        server_answer_problem(request, &problem);
        server_page_deinit(&jobs.page);
        return;
    }
    filter.behind_seq = (int64_t)jobs.page.position;
    filter.limit = jobs.page.size + 1; /* one more tells whether there is a next page */
    status = server_store_visit_jobs(request->server->store, &filter, add_job, &jobs);
    server_page_answer(&jobs.page, request, "jobs", status);
}

void server_route_job_list(struct server_request *request)
{
    server_route_list_jobs(request, NULL);
}

/* ---- GET /v1/jobs/{id}/solutions ------------------------------------------------------ */

static const char *const SOLUTION_TYPES[] = {"application/json", "text/plain"};

static void answer_solutions(struct server_request *request, struct server_page *page, int status)
{
    int choice = proto_accept_choose(server_request_field(request, "Accept"), SOLUTION_TYPES,
                                     BASE_COUNT(SOLUTION_TYPES));

    if (choice == 1)
        server_page_answer_text(page, request, status);
    else
        server_page_answer(page, request, "solutions", status);
}

static int add_solution(void *arg, const char *json)
{
    struct server_page *page = arg;

    return server_page_add(page, page->position + page->n + 1, strdup(json));
}

static void list_stored(struct server_request *request, const struct server_store_job *record)
{
    struct proto_problem problem = {0};
    struct server_page page;
    int status = server_page_begin(&page, request, request->path, &problem);

    if (status) {
        server_answer_problem(request, &problem);
        server_page_deinit(&page);
        return;
    }
    if (record->result_id)
        status = server_store_visit_solutions(request->server->store, record->result_id,
                                              page.position, page.size + 1, add_solution, &page);
    answer_solutions(request, &page, status);
}

/* While the job runs: what was found so far, in that order. */
static void list_found(struct server_request *request, const struct server_job *job)
{
    struct proto_problem problem = {0};
    struct server_page page;
    int status = server_page_begin(&page, request, request->path, &problem);

    if (status) {
        server_answer_problem(request, &problem);
        server_page_deinit(&page);
        return;
    }
    for (size_t i = page.position; job->run && i < job->run->n_solutions && !status; i++)
        status = add_solution(&page, job->run->solutions[i]);
    answer_solutions(request, &page, status);
}

void server_route_job_solutions(struct server_request *request)
{
    struct server_job *job = server_job_find(request->server, request->match.capture);

    if (job)
        list_found(request, job);
    else
        server_with_record(request, list_stored);
}

/* ---- cancel, pause, resume, delete ---------------------------------------------------- */

static void answer_steered(struct server_request *request, struct server_job *job)
{
    server_answer_job(request, job, MHD_HTTP_OK);
}

static void answer_as_is(struct server_request *request, const struct server_store_job *record)
{
    server_answer_record(request, record, MHD_HTTP_OK);
}

static void remember_cancel(struct server_job *job)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_CANCEL);

    if (!op)
        return;
    op->id = server_store_op_text(op, job->id);
    op->done = server_store_op_free;
    server_store_submit(job->server->store, op);
}

/* A cancel that was asked for stands: neither pause nor resume takes it back. */
static void steer(struct server_request *request, enum server_want want, enum server_wait_kind kind,
                  enum engine_state goal)
{
    struct server_job *job = server_job_find(request->server, request->match.capture);

    if (!job) {
        server_with_record(request, answer_as_is);
        return;
    }
    if (job->state == goal || (want == SERVER_WANT_RESUME && job->state != ENGINE_PAUSED &&
                               job->want != SERVER_WANT_PAUSE)) {
        server_answer_job(request, job, MHD_HTTP_OK);
        return;
    }
    server_wait_start(request, job, kind, STEER_MS, answer_steered);
    if (job->want != SERVER_WANT_CANCEL) {
        server_job_want(job, want);
        if (want == SERVER_WANT_CANCEL)
            remember_cancel(job);
    }
    server_scheduler_settle(job);
}

void server_route_job_cancel(struct server_request *request)
{
    steer(request, SERVER_WANT_CANCEL, SERVER_WAIT_END, ENGINE_CANCELLED);
}

void server_route_job_pause(struct server_request *request)
{
    steer(request, SERVER_WANT_PAUSE, SERVER_WAIT_CHANGE, ENGINE_PAUSED);
}

void server_route_job_resume(struct server_request *request)
{
    steer(request, SERVER_WANT_RESUME, SERVER_WAIT_CHANGE, ENGINE_RUNNING);
}

static void on_removed(struct server_store_op *op)
{
    struct server_request *request = op->arg;

    if (!op->status)
        server_answer_empty(request, MHD_HTTP_NO_CONTENT);
    else if (op->status == BASE_ERR_NOT_FOUND)
        answer_unknown(request);
    else
        server_answer_err(request, op->status, "the job could not be removed");
    server_store_op_free(op);
}

static void remove_record(struct server_request *request)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_REMOVE);

    if (!op) {
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
        return;
    }
    op->id = server_store_op_text(op, request->match.capture);
    op->done = on_removed;
    op->arg = request;
    server_request_keep(request);
    server_store_submit(request->server->store, op);
}

static void remove_ended(struct server_request *request, struct server_job *job)
{
    if (proto_state_ended(job->state)) {
        remove_record(request);
        return;
    }
    server_reply_field(request, "Retry-After", "1");
    server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE,
                          "the job has not stopped yet; try again");
}

void server_route_job_delete(struct server_request *request)
{
    struct server_job *job = server_job_find(request->server, request->match.capture);

    if (!job) {
        remove_record(request);
        return;
    }
    server_wait_start(request, job, SERVER_WAIT_END, DELETE_MS, remove_ended);
    server_job_want(job, SERVER_WANT_CANCEL);
    server_scheduler_settle(job);
}
