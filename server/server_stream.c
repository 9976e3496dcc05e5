/*
 * server_stream.c - see server_stream.h.
 *
 * A suspended connection is watched by nobody, so a client that goes away would be noticed only
 * when a heartbeat fails. A duplicate of its descriptor is polled for the disconnect (the original
 * is in libmicrohttpd's own epoll set); then the connection is resumed and the response ends.
 */
#include "server/server_stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "server/server.h"

enum { BLOCK_BYTES = 16 * 1024 };

#define STREAM_TYPE PROTO_EVENT_MEDIA_TYPE "; charset=utf-8"

struct stream {
    struct server *server;
    struct server_listener *listener;
    struct MHD_Connection *connection;
    struct server_reader *reader;
    bool suspended, gone;
    uv_poll_t watch;
    int watch_fd; /* -1: not watched */
};

static void resume(struct stream *stream)
{
    if (!stream->suspended)
        return;
    stream->suspended = false;
    server_http_resume(stream->listener, stream->connection);
}

static void on_wake(void *arg)
{
    resume(arg);
}

/* ---- the client goes away ------------------------------------------------------------- */

static void on_disconnect(uv_poll_t *watch, int status, int events)
{
    struct stream *stream = watch->data;

    (void)status;
    (void)events;
    uv_poll_stop(watch);
    stream->gone = true;
    resume(stream);
}

static void watch_client(struct stream *stream)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(stream->connection, MHD_CONNECTION_INFO_CONNECTION_FD);

    stream->watch_fd = dup(info->connect_fd);
    if (stream->watch_fd < 0)
        return;
    if (uv_poll_init(&stream->server->uv, &stream->watch, stream->watch_fd)) {
        close(stream->watch_fd);
        stream->watch_fd = -1;
        return;
    }
    stream->watch.data = stream;
    uv_poll_start(&stream->watch, UV_DISCONNECT, on_disconnect);
}

static void on_watch_closed(uv_handle_t *handle)
{
    struct stream *stream = handle->data;

    close(stream->watch_fd);
    free(stream);
}

/* The exchange is over. The stream itself goes with its handle. */
static void on_ended(void *arg)
{
    struct stream *stream = arg;

    server_reader_free(stream->reader);
    stream->reader = NULL;
    if (stream->watch_fd >= 0)
        uv_close((uv_handle_t *)&stream->watch, on_watch_closed);
    else
        free(stream);
}

/* ---- the response --------------------------------------------------------------------- */

static ssize_t on_read(void *arg, uint64_t position, char *out, size_t size)
{
    struct stream *stream = arg;
    ssize_t n;

    (void)position;
    if (stream->gone)
        return MHD_CONTENT_READER_END_OF_STREAM;
    n = server_reader_read(stream->reader, out, size, server_now_ms(stream->server));
    if (n > 0)
        return n;
    if (n == SERVER_READER_END)
        return MHD_CONTENT_READER_END_OF_STREAM;
    stream->suspended = true;
    MHD_suspend_connection(stream->connection);
    return 0;
}

static struct stream *stream_new(struct server_request *request, struct server_channel *channel,
                                 uint64_t after)
{
    struct stream *stream = calloc(1, sizeof(*stream));

    if (!stream)
        return NULL;
    stream->server = request->server;
    stream->listener = request->listener;
    stream->connection = request->connection;
    stream->watch_fd = -1;
    stream->reader = server_reader_new(&stream->server->hub, channel, after,
                                       server_now_ms(stream->server), on_wake, stream);
    if (stream->reader)
        return stream;
    free(stream);
    return NULL;
}

static int push_beginning(struct stream *stream, struct server_frame *first)
{
    int status = server_reader_push(stream->reader, 0, server_frame_new_text(PROTO_EVENT_OPENING));

    if (status || !first) {
        server_frame_release(first);
        return status;
    }
    return server_reader_push(stream->reader, 0, first);
}

/* Proxies that keep replies until they are whole are told not to. */
static void add_fields(struct server_request *request)
{
    server_reply_field(request, "X-Accel-Buffering", "no");
}

void server_stream_answer(struct server_request *request, struct server_channel *channel,
                          uint64_t after, struct server_frame *first)
{
    struct stream *stream = stream_new(request, channel, after);
    struct MHD_Response *response = NULL;

    if (!stream)
        server_frame_release(first);
    else if (!push_beginning(stream, first))
        response =
            MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, on_read, stream, NULL);
    if (!response) {
        if (stream)
            on_ended(stream);
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
        return;
    }
    watch_client(stream);
    add_fields(request);
    server_answer_stream(request, STREAM_TYPE, response, on_ended, stream);
}

void server_stream_answer_head(struct server_request *request)
{
    add_fields(request);
    server_answer_text(request, MHD_HTTP_OK, STREAM_TYPE, strdup(""));
}
