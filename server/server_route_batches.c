/*
 * server_route_batches.c - reading, listing and steering batches. All of it is read from the store.
 */
#include "server/server_route_batch.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "proto/proto_page.h"
#include "proto/proto_prefer.h"
#include "server/server.h"
#include "server/server_route_list.h"
#include "server/server_routes.h"
#include "server/server_stream.h"

enum { CANCEL_MS = 5000, DELETE_MS = 10000, MILLISECONDS = 1000 };

/* ---- a batch of the store ------------------------------------------------------------- */

typedef void batch_answer(struct server_request *request, const struct server_store_batch *batch);

static void answer_unreadable(struct server_request *request, const char *id, int status)
{
    if (status == BASE_ERR_NOT_FOUND)
        server_answer_refusal(request, PROTO_PROBLEM_NOT_FOUND, "there is no batch %s", id);
    else
        server_answer_err(request, status, "the job store cannot be read");
}

/* Calls `answer` with the record, or answers that there is none. */
static void with_batch(struct server_request *request, const char *id, batch_answer *answer)
{
    struct base_arena arena = {0};
    struct server_store_batch batch;
    int status = server_store_load_batch(request->server->store, id, &arena, &batch);

    if (status)
        answer_unreadable(request, id, status);
    else
        answer(request, &batch);
    base_arena_deinit(&arena);
}

static unsigned retry_after(const struct server *server, const struct server_store_batch *batch)
{
    return server_scheduler_retry_after(server, (int64_t)batch->n_state[ENGINE_QUEUED]);
}

/* The version is what the document says. */
static const char *tag_of(const struct server_store_batch *batch, const char *document, char *out)
{
    return proto_etag_print(batch->id, base_hash(document, strlen(document), 0), out);
}

static void answer_batch(struct server_request *request, const struct server_store_batch *batch,
                         unsigned status)
{
    char *document = server_batch_document(batch);
    char tag[PROTO_ETAG_BYTES];

    if (document)
        server_reply_field(request, "ETag", "%s", tag_of(batch, document, tag));
    if (!server_batch_ended(batch))
        server_reply_field(request, "Retry-After", "%u", retry_after(request->server, batch));
    server_answer_json(request, status, document);
}

/* ---- POST /v1/batches: the reply ------------------------------------------------------ */

static void answer_submitted(struct server_request *request, const struct server_store_batch *batch)
{
    bool waited = server_request_wait_seconds(request) >= 0;
    bool over = waited && server_batch_ended(batch);

    if (!over)
        server_reply_field(request, "Location", "/v1/batches/%s", batch->id);
    answer_batch(request, batch, over ? MHD_HTTP_OK : MHD_HTTP_ACCEPTED);
}

static void answer_accepted(struct server_request *request, const char *id)
{
    with_batch(request, id, answer_submitted);
}

/* Waits only for what has not ended. */
static bool wait_if_live(struct server_request *request, const char *id, uint64_t ms,
                         server_batch_answer *answer)
{
    struct server_store_pulse pulse;

    if (!ms || request->server->draining ||
        server_store_pulse_batch(request->server->store, id, &pulse) || !pulse.live)
        return false;
    server_batch_wait(request, id, ms, answer);
    return true;
}

static uint64_t preferred_ms(const struct server_request *request)
{
    int seconds = proto_prefer_wait(server_request_field(request, "Prefer"));

    return seconds > 0 ? (uint64_t)seconds * MILLISECONDS : 0;
}

void server_route_batch_submitted(struct server_request *request, const char *id)
{
    if (!wait_if_live(request, id, preferred_ms(request), answer_accepted))
        answer_accepted(request, id);
}

/* ---- GET /v1/batches/{id} ------------------------------------------------------------- */

static void answer_known(struct server_request *request, const struct server_store_batch *batch)
{
    char *document = server_batch_document(batch);
    char tag[PROTO_ETAG_BYTES];
    bool known = document && proto_etag_matches(server_request_field(request, "If-None-Match"),
                                                tag_of(batch, document, tag));

    free(document);
    server_request_wait_seconds(request);
    server_reply_field(request, "Cache-Control", "no-cache");
    if (!known) {
        answer_batch(request, batch, MHD_HTTP_OK);
        return;
    }
    server_reply_field(request, "ETag", "%s", tag);
    server_answer_empty(request, MHD_HTTP_NOT_MODIFIED);
}

static void answer_now(struct server_request *request, const char *id)
{
    with_batch(request, id, answer_known);
}

void server_route_batch_get(struct server_request *request)
{
    const char *id = request->match.capture;

    if (!wait_if_live(request, id, preferred_ms(request), answer_now))
        answer_now(request, id);
}

/* ---- lists ---------------------------------------------------------------------------- */

static int add_batch(void *arg, const struct server_store_batch *batch)
{
    return server_page_add(arg, (uint64_t)batch->seq, server_batch_document(batch));
}

void server_route_batch_list(struct server_request *request)
{
    struct proto_problem problem = {0};
    struct server_page page;
    int status = server_page_begin(&page, request, "batches", &problem);

    if (status) {
        server_answer_problem(request, &problem);
        server_page_deinit(&page);
        return;
    }
    status = server_store_visit_batches(request->server->store, (int64_t)page.position,
                                        page.size + 1, add_batch, &page);
    server_page_answer(&page, request, "batches", status);
}

static void list_jobs(struct server_request *request, const struct server_store_batch *batch)
{
    server_route_list_jobs(request, batch->id);
}

void server_route_batch_jobs(struct server_request *request)
{
    with_batch(request, request->match.capture, list_jobs);
}

/* ---- cancel --------------------------------------------------------------------------- */

static void answer_as_is(struct server_request *request, const struct server_store_batch *batch)
{
    answer_batch(request, batch, MHD_HTTP_OK);
}

static void answer_cancelled(struct server_request *request, const char *id)
{
    with_batch(request, id, answer_as_is);
}

static void remember_cancel(struct server *server, const char *id)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_CANCEL_BATCH);

    if (!op)
        return;
    op->id = server_store_op_text(op, id);
    op->done = server_store_op_free;
    server_store_submit(server->store, op);
}

static void cancel_jobs(struct server *server, const char *id)
{
    remember_cancel(server, id);
    SERVER_LIST_EACH(node, &server->jobs.live) {
        struct server_job *job = SERVER_LIST_OF(node, struct server_job, in_live);

        if (!job->batch || strcmp(job->batch, id) != 0)
            continue;
        server_job_want(job, SERVER_WANT_CANCEL);
        server_scheduler_settle(job);
    }
}

void server_route_batch_cancel(struct server_request *request)
{
    const char *id = request->match.capture;

    if (wait_if_live(request, id, CANCEL_MS, answer_cancelled))
        cancel_jobs(request->server, id);
    else
        answer_cancelled(request, id);
}

/* ---- delete --------------------------------------------------------------------------- */

static void on_removed(struct server_store_op *op)
{
    struct server_request *request = op->arg;

    if (!op->status)
        server_answer_empty(request, MHD_HTTP_NO_CONTENT);
    else if (op->status == BASE_ERR_NOT_FOUND)
        answer_unreadable(request, op->id, op->status);
    else
        server_answer_err(request, op->status, "the batch could not be removed");
    server_store_op_free(op);
}

static void remove_batch(struct server_request *request, const char *id)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_REMOVE_BATCH);

    if (!op) {
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
        return;
    }
    op->id = server_store_op_text(op, id);
    op->done = on_removed;
    op->arg = request;
    server_request_keep(request);
    server_store_submit(request->server->store, op);
}

static void remove_ended(struct server_request *request, const char *id)
{
    struct server_store_pulse pulse;

    if (server_store_pulse_batch(request->server->store, id, &pulse) || !pulse.live) {
        remove_batch(request, id);
        return;
    }
    server_reply_field(request, "Retry-After", "1");
    server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE,
                          "jobs of the batch have not stopped yet; try again");
}

void server_route_batch_delete(struct server_request *request)
{
    const char *id = request->match.capture;

    if (wait_if_live(request, id, DELETE_MS, remove_ended))
        cancel_jobs(request->server, id);
    else
        remove_ended(request, id);
}
