/*
 * server_news.c - see server_news.h. The ring of the channel is the only memory of what was; a
 * reader that falls behind it gets a snapshot instead.
 */
#include "server/server_news.h"

#include <stdlib.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "server/server.h"

struct server_frame *server_news_snapshot(struct server *server)
{
    const size_t *n = server->jobs.n_state;
    char *data = proto_event_counts(n[ENGINE_QUEUED], n[ENGINE_RUNNING], n[ENGINE_PAUSED]);
    struct server_frame *frame = NULL;

    if (data)
        frame = server_frame_new(PROTO_EVENT_SNAPSHOT, server_channel_last_id(server->news.channel),
                                 data);
    free(data);
    return frame;
}

/* What the ring has lost is lost: a snapshot stands for all of it up to now. */
static int fetch(void *arg, uint64_t after, struct server_reader *reader)
{
    struct server *server = arg;

    (void)after;
    return server_reader_push(reader, server_channel_last_id(server->news.channel),
                              server_news_snapshot(server));
}

static void keep_server(void *arg)
{
    (void)arg;
}

/* Microseconds give more ids than there can be events. */
int server_news_open(struct server *server)
{
    server->news.channel =
        server_channel_new((uint64_t)base_clock_unix_us(), fetch, server, keep_server);
    return server->news.channel ? BASE_OK : BASE_ERR_NOMEM;
}

void server_news_close(struct server *server)
{
    if (server->news.channel)
        server_channel_release(server->news.channel);
    server->news.channel = NULL;
}

void server_news_tell(struct server *server, const char *job_id, const char *batch_id,
                      enum engine_state state)
{
    struct server_channel *channel = server->news.channel;
    uint64_t id = server_channel_last_id(channel) + 1;
    char *data = proto_event_job_state(job_id, batch_id, state);
    struct server_frame *frame = data ? server_frame_new(PROTO_EVENT_STATE, id, data) : NULL;

    free(data);
    if (!frame || server_channel_publish(channel, id, frame))
        server->metrics.events_lost++;
    server_channel_durable(channel, id); /* never to be stored, so never to be waited for */
}
