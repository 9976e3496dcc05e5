/*
 * server_route_events.c - GET /v1/jobs/{id}/events.
 *
 *   no id given, or one that was never given out   snapshot, then what follows it
 *   an id                                          what follows it
 *   an id, and nothing can follow any more         204, which tells EventSource to stop
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

void server_route_job_events(struct server_request *request)
{
    struct server_job *job = server_job_find(request->server, request->match.capture);

    if (!accepts_events(request)) {
        server_answer_refusal(request, PROTO_PROBLEM_NOT_ACCEPTABLE,
                              "this path answers " PROTO_EVENT_MEDIA_TYPE " only");
    } else if (is_head(request) && job) {
        server_answer_text(request, MHD_HTTP_OK, PROTO_EVENT_MEDIA_TYPE, strdup(""));
    } else if (job) {
        stream_live(request, job);
    } else {
        server_with_record(request, stream_ended);
    }
}
