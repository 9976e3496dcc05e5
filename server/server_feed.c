/*
 * server_feed.c - see server_feed.h. Does not need the job to be live: a reader that was behind
 * when its job ended still gets everything.
 */
#include "server/server_feed.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "server/server.h"

struct feed {
    struct server *server;
    char id[SERVER_JOB_ID_BYTES];
};

struct fetch {
    const struct feed *feed;
    struct server_reader *reader;
};

char *server_feed_document(struct server *server, const char *id)
{
    struct base_arena arena = {0};
    struct server_store_job record;
    char *document = NULL;

    if (!server_store_load(server->store, id, &arena, &record))
        document = server_record_document(server, &record, false);
    base_arena_deinit(&arena);
    return document;
}

static struct server_frame *done_frame(const struct feed *feed, uint64_t id)
{
    char *document = server_feed_document(feed->server, feed->id);
    struct server_frame *frame = document ? server_frame_new(PROTO_EVENT_DONE, id, document) : NULL;

    free(document);
    return frame;
}

static int push_event(void *arg, const struct server_store_event *event)
{
    const struct fetch *fetch = arg;
    enum proto_event kind;
    struct server_frame *frame;

    if (proto_event_parse(event->kind, &kind))
        return 0;
    frame = event->data ? server_frame_new(kind, event->id, event->data)
                        : done_frame(fetch->feed, event->id);
    return server_reader_push(fetch->reader, event->id, frame);
}

static int fetch_events(void *arg, uint64_t after, struct server_reader *reader)
{
    struct fetch fetch = {arg, reader};

    return server_store_visit_events(fetch.feed->server->store, fetch.feed->id, after,
                                     SERVER_SSE_PAGE, push_event, &fetch);
}

struct server_channel *server_feed_channel(struct server *server, const char *id,
                                           uint64_t trimmed_id)
{
    struct feed *feed = calloc(1, sizeof(*feed));
    struct server_channel *channel;

    if (!feed)
        return NULL;
    feed->server = server;
    strncpy(feed->id, id, sizeof(feed->id) - 1);
    channel = server_channel_new(trimmed_id, fetch_events, feed, free);
    if (!channel)
        free(feed);
    return channel;
}
