/*
 * server_route_events.c - GET /v1/jobs/{id}/events, GET /v1/batches/{id}/events, GET
 * /v1/events.
 *
 *   no id given, or one that was never given out   snapshot, then what follows it
 *   an id                                          what follows it
 *   an id, and nothing can follow any more         204, which tells EventSource to stop
 *
 * The document of a batch does not hold what its jobs have found, so its snapshot, which has no id,
 * is followed by every event from the first on.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_prefer.h"
#include "server/server.h"
#include "server/server_feed.h"
#include "server/server_routes.h"
#include "server/server_stream.h"

/* The id of Last-Event-ID, else of ?after=. false: none that can be read. */
static bool read_after(struct server_request *request, uint64_t *after)
{
    const char *text = server_request_field(request, "Last-Event-ID");

    if (!text)
        text = server_request_query(request, "after");
    return text && !proto_event_parse_id(text, after);
}

static bool accepts_events(struct server_request *request)
{
    static const char *const OFFERED[] = {PROTO_EVENT_MEDIA_TYPE};

    return proto_accept_choose(server_request_field(request, "Accept"), OFFERED, 1) == 0;
}

static bool is_head(const struct server_request *request)
{
    return !strcmp(request->method, "HEAD");
}

/* ---- a live job ----------------------------------------------------------------------- */

static void stream_live(struct server_request *request, struct server_job *job)
{
    struct server_frame *snapshot;
    uint64_t after;

    if (read_after(request, &after) && after <= server_channel_last_id(job->channel)) {
        server_stream_answer(request, job->channel, after, NULL);
        return;
    }
    snapshot = server_job_snapshot(job);
    if (snapshot)
        server_stream_answer(request, job->channel, job->document_event_id,
                             server_frame_acquire(snapshot));
    else
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
}

/* ---- an ended job --------------------------------------------------------------------- */

static void stream_record(struct server_request *request, struct server_channel *channel,
                          uint64_t after, const struct server_store_job *record)
{
    char *document = server_record_document(request->server, record, false);
    struct server_frame *snapshot =
        document ? server_frame_new(PROTO_EVENT_SNAPSHOT, after, document) : NULL;

    free(document);
    if (snapshot)
        server_stream_answer(request, channel, after, snapshot);
    else
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
}

/* The last event of an ended job is `done`: a new client gets the snapshot and that. */
static void stream_ended(struct server_request *request, const struct server_store_job *record)
{
    uint64_t last_id = record->last_event_id, after = 0;
    bool resumes = read_after(request, &after) && after <= last_id;
    struct server_channel *channel;

    if (resumes && after == last_id) {
        server_answer_empty(request, MHD_HTTP_NO_CONTENT);
        return;
    }
    channel = server_feed_channel(request->server, record->id, last_id);
    if (!channel) {
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
        return;
    }
    server_channel_end(channel);
    if (resumes)
        server_stream_answer(request, channel, after, NULL);
    else
        stream_record(request, channel, last_id - 1, record);
    server_channel_release(channel);
}

/* Answers a request that does not take what this path gives. */
static bool wants_events(struct server_request *request)
{
    if (accepts_events(request))
        return true;
    server_answer_refusal(request, PROTO_PROBLEM_NOT_ACCEPTABLE,
                          "this path answers " PROTO_EVENT_MEDIA_TYPE " only");
    return false;
}

void server_route_job_events(struct server_request *request)
{
    struct server_job *job = server_job_find(request->server, request->match.capture);

    if (!wants_events(request))
        return;
    if (is_head(request) && job) {
        server_stream_answer_head(request);
    } else if (job) {
        stream_live(request, job);
    } else {
        server_with_record(request, stream_ended);
    }
}

/* ---- a batch -------------------------------------------------------------------------- */

static struct server_frame *batch_snapshot(struct server *server, const char *id)
{
    struct base_arena arena = {0};
    struct server_store_batch batch;
    struct server_frame *frame = NULL;

    if (!server_store_load_batch(server->store, id, &arena, &batch)) {
        char *document = server_batch_document(&batch);

        if (document)
            frame = server_frame_new(PROTO_EVENT_SNAPSHOT, 0, document);
        free(document);
    }
    base_arena_deinit(&arena);
    return frame;
}

/* `resumes`: from `after` on; else from the first event on, behind a snapshot. */
static void stream_batch(struct server_request *request, bool resumes, uint64_t after)
{
    const char *id = request->match.capture;
    struct server_channel *channel = server_batch_channel(request->server, id);
    struct server_frame *first = resumes ? NULL : batch_snapshot(request->server, id);

    if (channel && (first || resumes)) {
        server_stream_answer(request, channel, resumes ? after : 0, first);
    } else {
        server_frame_release(first);
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
    }
    if (channel)
        server_channel_release(channel);
}

static void answer_batch_events(struct server_request *request,
                                const struct server_store_pulse *pulse)
{
    uint64_t last_id = pulse->live ? pulse->last_event_id : server_batch_end_id(pulse), after = 0;
    bool resumes = read_after(request, &after) && after <= last_id;

    if (is_head(request))
        server_stream_answer_head(request);
    else if (resumes && !pulse->live && after == last_id)
        server_answer_empty(request, MHD_HTTP_NO_CONTENT);
    else
        stream_batch(request, resumes, after);
}

void server_route_batch_events(struct server_request *request)
{
    const char *id = request->match.capture;
    struct server_store_pulse pulse;
    int status;

    if (!wants_events(request))
        return;
    status = server_store_pulse_batch(request->server->store, id, &pulse);
    if (!status)
        answer_batch_events(request, &pulse);
    else if (status == BASE_ERR_NOT_FOUND)
        server_answer_refusal(request, PROTO_PROBLEM_NOT_FOUND, "there is no batch %s", id);
    else
        server_answer_err(request, status, "the job store cannot be read");
}

/* ---- all jobs ------------------------------------------------------------------------- */

/* An id of another time is either before the ring, whose readers get a snapshot, or was never given
 * out. */
void server_route_events(struct server_request *request)
{
    struct server_channel *channel = request->server->news.channel;
    uint64_t last_id = server_channel_last_id(channel), after = 0;
    struct server_frame *first = NULL;
    bool resumes = read_after(request, &after) && after <= last_id;

    if (!wants_events(request))
        return;
    if (is_head(request)) {
        server_stream_answer_head(request);
        return;
    }
    if (!resumes)
        first = server_news_snapshot(request->server);
    if (first || resumes)
        server_stream_answer(request, channel, resumes ? after : last_id, first);
    else
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
}
