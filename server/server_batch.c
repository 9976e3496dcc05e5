/*
 * server_batch.c - see server_batch.h.
 */
#include "server/server_batch.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_batch.h"
#include "server/server.h"
#include "server/server_feed.h"

struct feed {
    struct server_node node;
    struct server *server;
    char id[SERVER_JOB_ID_BYTES];
    struct server_channel *channel; /* whose readers keep the feed */
    struct server_frame *end;       /* NULL: not yet */
    uint64_t end_id;
};

struct wait {
    struct server_node node;
    struct server_request *request;
    char id[SERVER_JOB_ID_BYTES];
    uint64_t deadline_ms;
    server_batch_answer *answer;
};

void server_batches_init(struct server_batches *batches)
{
    server_list_init(&batches->feeds);
    server_list_init(&batches->waits);
}

/* ---- documents ------------------------------------------------------------------------ */

static struct proto_batch_view view_of(const struct server_store_batch *batch)
{
    return (struct proto_batch_view){
        .id = batch->id,
        .name = batch->name,
        .created_us = batch->created_us,
        .ended_us = batch->ended_us,
        .n_jobs = batch->n_jobs,
        .n_state = batch->n_state,
        .last_event_id = batch->last_event_id,
    };
}

char *server_batch_document(const struct server_store_batch *batch)
{
    struct proto_batch_view view = view_of(batch);

    return proto_batch_encode(&view);
}

bool server_batch_ended(const struct server_store_batch *batch)
{
    struct proto_batch_view view = view_of(batch);

    return proto_batch_ended(&view);
}

/* ---- the end of a stream -------------------------------------------------------------- */

uint64_t server_batch_end_id(const struct server_store_pulse *pulse)
{
    return pulse->last_event_id + 1;
}

/* Kept, so that readers which are behind get it even if the batch is removed meanwhile. */
static int make_end(struct feed *feed, const struct server_store_pulse *pulse)
{
    struct base_arena arena = {0};
    struct server_store_batch batch;
    char *document = NULL;

    if (feed->end)
        return 0;
    if (!server_store_load_batch(feed->server->store, feed->id, &arena, &batch))
        document = server_batch_document(&batch);
    feed->end_id = server_batch_end_id(pulse);
    if (document)
        feed->end = server_frame_new(PROTO_EVENT_END, feed->end_id, document);
    free(document);
    base_arena_deinit(&arena);
    return feed->end ? 0 : BASE_ERR_NOMEM;
}

static int push_end(const struct feed *feed, struct server_reader *reader)
{
    if (!feed->end)
        return BASE_ERR_NOT_FOUND;
    return server_reader_push(reader, feed->end_id, server_frame_acquire(feed->end));
}

/* ---- events from the store ------------------------------------------------------------ */

struct fetch {
    struct feed *feed;
    struct server_reader *reader;
    unsigned n;
};

static int push_event(void *arg, const struct server_store_batch_event *event)
{
    struct fetch *fetch = arg;
    enum proto_event kind;
    char *job = NULL, *data;
    int status;

    fetch->n++;
    if (proto_event_parse(event->event.kind, &kind))
        return 0;
    if (!event->event.data)
        job = server_feed_document(fetch->feed->server, event->job);
    data = event->event.data || job
               ? proto_batch_event(event->job, event->index, job ? job : event->event.data)
               : NULL;
    status = server_reader_push(fetch->reader, event->id,
                                data ? server_frame_new(kind, event->id, data) : NULL);
    free(data);
    free(job);
    return status;
}

/* Whether jobs are live is looked at first: if none is, the page that is not full is the last. */
static int fetch_events(void *arg, uint64_t after, struct server_reader *reader)
{
    struct fetch fetch = {arg, reader, 0};
    struct server_store *store = fetch.feed->server->store;
    struct server_store_pulse pulse;
    int status = server_store_pulse_batch(store, fetch.feed->id, &pulse);

    if (status == BASE_ERR_NOT_FOUND)
        return push_end(fetch.feed, reader);
    if (!status)
        status = server_store_visit_batch_events(store, fetch.feed->id, after, SERVER_SSE_PAGE,
                                                 push_event, &fetch);
    if (!status && !pulse.live && fetch.n < SERVER_SSE_PAGE) {
        status = make_end(fetch.feed, &pulse);
        if (!status)
            status = push_end(fetch.feed, reader);
    }
    return status;
}

/* ---- feeds ---------------------------------------------------------------------------- */

static void feed_free(void *arg)
{
    struct feed *feed = arg;

    server_list_remove(&feed->node);
    server_frame_release(feed->end);
    free(feed);
}

/* Tells the readers how far the store has come. */
static void refresh_feed(struct feed *feed)
{
    struct server_store_pulse pulse;
    int status = server_store_pulse_batch(feed->server->store, feed->id, &pulse);

    if (!status && pulse.live) {
        server_channel_stored(feed->channel, pulse.last_event_id);
    } else if (!status) {
        make_end(feed, &pulse);
        server_channel_stored(feed->channel, server_batch_end_id(&pulse));
    }
    if (status == BASE_ERR_NOT_FOUND || (!status && !pulse.live))
        server_channel_end(feed->channel);
}

static struct server_channel *feed_new(struct server *server, const char *id)
{
    struct feed *feed = calloc(1, sizeof(*feed));

    if (!feed)
        return NULL;
    feed->server = server;
    strncpy(feed->id, id, sizeof(feed->id) - 1);
    feed->channel = server_channel_new(0, fetch_events, feed, feed_free);
    if (!feed->channel) {
        free(feed);
        return NULL;
    }
    server_list_append(&server->batches.feeds, &feed->node);
    refresh_feed(feed);
    return feed->channel;
}

struct server_channel *server_batch_channel(struct server *server, const char *id)
{
    SERVER_LIST_EACH(node, &server->batches.feeds) {
        struct feed *feed = SERVER_LIST_OF(node, struct feed, node);

        if (!strcmp(feed->id, id))
            return server_channel_acquire(feed->channel);
    }
    return feed_new(server, id);
}

void server_batches_drain(struct server *server, struct server_frame *farewell)
{
    SERVER_LIST_EACH(node, &server->batches.feeds)
        server_channel_drain(SERVER_LIST_OF(node, struct feed, node)->channel, farewell);
}

/* ---- waiting -------------------------------------------------------------------------- */

static void end_wait(struct wait *wait)
{
    server_list_remove(&wait->node);
    wait->answer(wait->request, wait->id);
    free(wait);
}

void server_batch_wait(struct server_request *request, const char *id, uint64_t ms,
                       server_batch_answer *answer)
{
    struct server *server = request->server;
    struct wait *wait = calloc(1, sizeof(*wait));

    if (!wait) {
        answer(request, id);
        return;
    }
    wait->request = request;
    strncpy(wait->id, id, sizeof(wait->id) - 1);
    wait->deadline_ms = server_now_ms(server) + ms;
    wait->answer = answer;
    server_list_append(&server->batches.waits, &wait->node);
    server_request_keep(request);
}

/* A store that cannot be read ends the wait too: its answer tells. */
static bool is_over(const struct server *server, const char *id)
{
    struct server_store_pulse pulse;

    return server_store_pulse_batch(server->store, id, &pulse) || !pulse.live;
}

void server_batches_refresh(struct server *server)
{
    SERVER_LIST_EACH(node, &server->batches.feeds)
        refresh_feed(SERVER_LIST_OF(node, struct feed, node));
    SERVER_LIST_EACH(node, &server->batches.waits) {
        struct wait *wait = SERVER_LIST_OF(node, struct wait, node);

        if (is_over(server, wait->id))
            end_wait(wait);
    }
}

void server_batches_expire(struct server *server, bool all)
{
    SERVER_LIST_EACH(node, &server->batches.waits) {
        struct wait *wait = SERVER_LIST_OF(node, struct wait, node);

        if (all || wait->deadline_ms <= server_now_ms(server))
            end_wait(wait);
    }
}
