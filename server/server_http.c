/*
 * server_http.c - see server_http.h.
 *
 * libmicrohttpd calls the access handler several times per request:
 *
 *     1. with the head alone      check it; a refusal is queued here only if the client waits for
 *                                 it, because the connection is closed over an unread body and the
 *                                 client may never see the answer
 *     2. with pieces of the body  collect, or count and discard
 *     3. at the end of the body   dispatch; queue the reply, or suspend
 *     4. after a resume           queue the reply
 *
 * Replies are queued here and nowhere else.
 */
#include "server/server_http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "server/server.h"
#include "server/server_head.h"
#include "server/server_routes.h"

enum {
    MEMORY_LIMIT = 64 * 1024, /* per connection; head and write buffer */
    /* Connections beyond the limit: those of health checks, and those that end while the newer
     * ones which displaced them are served already. */
    HEADROOM = 64,
    SWEEP_MS = 1000,
};

/* A refused body is read to its end, so that the refusal arrives; beyond this it is not worth it.
 */
#define MAX_DISCARDED (UINT64_C(64) << 20)

/* What the client's connection waits for from now on. */
static void expect_from(const struct server_request *request, enum server_conn_wait what)
{
    server_conn_expect(&request->server->http.conns, request->conn, server_now_ms(request->server),
                       what);
}

/* ---- the reply ------------------------------------------------------------------------ */

static struct MHD_Response *make_response(struct server_reply *reply)
{
    struct MHD_Response *response = reply->stream;

    reply->stream = NULL;
    if (response)
        return response;
    response = MHD_create_response_from_buffer(reply->length, reply->body, MHD_RESPMEM_MUST_FREE);
    if (response)
        reply->body = NULL;
    return response;
}

static void add_fields(struct server_request *request, struct MHD_Response *response)
{
    const struct server_reply *reply = &request->reply;

    if (reply->content_type)
        MHD_add_response_header(response, "Content-Type", reply->content_type);
    server_auth_add_fields(request);
    for (unsigned i = 0; i < reply->n_headers; i++)
        MHD_add_response_header(response, reply->header[i].name, reply->header[i].value);
    server_head_add_common(request, response);
    if (request->close || request->listener->http->draining)
        MHD_add_response_header(response, "Connection", "close");
}

static enum MHD_Result queue_reply(struct server_request *request)
{
    struct MHD_Response *response = make_response(&request->reply);
    bool streams = request->ended != NULL;
    enum MHD_Result result;

    if (!response)
        return MHD_NO;
    add_fields(request, response);
    request->phase = SERVER_PHASE_QUEUED;
    expect_from(request, streams ? SERVER_CONN_NONE : SERVER_CONN_REPLY);
    server_metrics_count_reply(&request->server->metrics, request->match.route,
                               request->reply.status,
                               base_clock_seconds(base_clock_ns() - request->started_ns));
    result = MHD_queue_response(request->connection, request->reply.status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result queue_or_suspend(struct server_request *request)
{
    if (request->phase == SERVER_PHASE_ANSWERED)
        return queue_reply(request);
    if (!request->kept)
        return MHD_NO;
    request->phase = SERVER_PHASE_SUSPENDED;
    expect_from(request, SERVER_CONN_NONE);
    MHD_suspend_connection(request->connection);
    return MHD_YES;
}

void server_http_resume(struct server_listener *listener, struct MHD_Connection *connection)
{
    MHD_resume_connection(connection);
    server_loop_wake(&listener->loop);
}

/* ---- the request ---------------------------------------------------------------------- */

static bool body_is_coming(const struct server_request *request)
{
    return request->head.transfer_encoding || server_guard_length(&request->head) > 0;
}

/* A refusal is worth a connection if the client waits for our word before it sends the body
 * (Expect: 100-continue), or if the body is not worth reading. */
static bool refuses_early(const struct server_request *request)
{
    const char *expect = server_request_field(request, "Expect");

    if (request->phase != SERVER_PHASE_ANSWERED || !body_is_coming(request))
        return false;
    return request->close || (expect && !strcasecmp(expect, "100-continue")) ||
           server_guard_length(&request->head) > MAX_DISCARDED;
}

static enum MHD_Result take_head(struct server_request *request)
{
    server_head_check(request);
    if (refuses_early(request))
        return queue_reply(request);
    if (request->phase == SERVER_PHASE_HEAD)
        request->phase = SERVER_PHASE_BODY;
    expect_from(request, SERVER_CONN_BODY);
    return MHD_YES;
}

static enum MHD_Result take_piece(struct server_request *request, const char *piece, size_t length)
{
    uint64_t limit = request->server->config->max_body_bytes;

    request->body_seen += length;
    if (request->body_seen > MAX_DISCARDED)
        return MHD_NO;
    if (request->phase != SERVER_PHASE_BODY)
        return MHD_YES;
    if (request->body_seen > limit)
        server_answer_refusal(request, PROTO_PROBLEM_PAYLOAD_TOO_LARGE,
                              "the body has more than %llu bytes", (unsigned long long)limit);
    else
        base_buf_append(&request->body, piece, length);
    return MHD_YES;
}

static enum MHD_Result take_end(struct server_request *request)
{
    if (request->phase == SERVER_PHASE_BODY) {
        expect_from(request, SERVER_CONN_NONE);
        if (request->body.error)
            server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE, "out of memory");
        else
            server_routes_dispatch(request);
    }
    return queue_or_suspend(request);
}

static struct server_request *request_new(struct server_listener *listener,
                                          struct MHD_Connection *connection)
{
    struct server_request *request = calloc(1, sizeof(*request));

    if (!request)
        return NULL;
    request->server = listener->http->server;
    request->listener = listener;
    request->connection = connection;
    request->conn =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    request->started_ns = base_clock_ns();
    listener->http->n_requests++;
    return request;
}

static enum MHD_Result on_access(void *arg, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *piece,
                                 size_t *length, void **context)
{
    struct server_request *request = *context;
    enum MHD_Result result;

    if (!request) {
        request = request_new(arg, connection);
        *context = request;
        if (!request || !request->conn)
            return MHD_NO;
        server_head_read(request, method, url, version);
        return take_head(request);
    }
    if (*length == 0)
        return take_end(request);
    result = take_piece(request, piece, *length);
    *length = 0;
    return result;
}

static void on_completed(void *arg, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode why)
{
    struct server_request *request = *context;

    (void)arg;
    (void)connection;
    (void)why;
    if (!request)
        return;
    if (request->ended)
        request->ended(request->ended_arg);
    if (request->conn)
        expect_from(request, SERVER_CONN_IDLE);
    server_principal_release(request->principal);
    server_reply_deinit(&request->reply);
    base_buf_deinit(&request->body);
    request->server->http.n_requests--;
    free(request);
    *context = NULL;
}

static void on_connection(void *arg, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct server_listener *listener = arg;
    struct server_http *http = listener->http;

    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

        *context = server_conn_new(&http->conns, fd, server_now_ms(http->server));
    } else {
        server_conn_free(&http->conns, *context);
        *context = NULL;
    }
}

/* ---- start and stop ------------------------------------------------------------------- */

static void on_log(void *arg, const char *format, va_list values) BASE_PRINTF(2, 0);

/* What libmicrohttpd has to say is mostly about clients. */
static void on_log(void *arg, const char *format, va_list values)
{
    const struct base_log *log = arg;
    char line[512];

    vsnprintf(line, sizeof(line), format, values);
    line[strcspn(line, "\n")] = '\0';
    base_logf(log, BASE_LOG_INFO, "http: %s", line);
}

/* Not strict about the Host field: server_guard is, and answers like we do. */
static struct MHD_Daemon *start_daemon(struct server_listener *listener)
{
    struct server *server = listener->http->server;

    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_access,
        listener, MHD_OPTION_EXTERNAL_LOGGER, on_log, &server->log, MHD_OPTION_LISTEN_SOCKET,
        listener->socket.fd, MHD_OPTION_NOTIFY_CONNECTION, on_connection, listener,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, listener, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY_LIMIT, MHD_OPTION_CONNECTION_LIMIT,
        server->config->max_connections + HEADROOM, MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

static int listener_open(struct server_http *http, struct server_listener *listener,
                         const struct config_address *address, struct base_diag *diag)
{
    bool public = server_listen_is_public(http->server->config);
    int status = server_listen_open(address, public, &listener->socket, diag);
    struct MHD_Daemon *daemon;

    if (status)
        return status;
    listener->http = http;
    daemon = start_daemon(listener);
    if (!daemon) {
        server_listen_forget(&listener->socket);
        close(listener->socket.fd);
        return base_diag_set(diag, 0, BASE_ERR_IO, "cannot serve on %s", address->text);
    }
    return server_loop_attach(&listener->loop, &http->server->uv, daemon);
}

static void on_sweep(uv_timer_t *timer)
{
    struct server_http *http = timer->data;

    server_conns_sweep(&http->conns, server_now_ms(http->server));
}

int server_http_open(struct server_http *http, struct server *server, struct base_diag *diag)
{
    const struct config_addresses *addresses = &server->config->listen;
    int status = 0;

    memset(http, 0, sizeof(*http));
    http->server = server;
    server_conns_init(&http->conns);
    server_conns_tune(&http->conns, server->config);
    uv_timer_init(&server->uv, &http->sweep);
    http->sweep.data = http;
    uv_timer_start(&http->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
    http->listeners = calloc(addresses->n, sizeof(*http->listeners));
    if (!http->listeners)
        status = base_diag_set(diag, 0, BASE_ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < addresses->n && !status; i++) {
        status = listener_open(http, &http->listeners[i], &addresses->item[i], diag);
        if (!status)
            http->n_listeners++;
    }
    return status;
}

const char *server_http_url(const struct server_http *http)
{
    for (size_t i = 0; i < http->n_listeners; i++)
        if (!http->listeners[i].socket.path)
            return http->listeners[i].socket.url;
    return http->listeners[0].socket.url;
}

void server_http_drain(struct server_http *http)
{
    http->draining = true;
}

bool server_http_is_full(const struct server_http *http)
{
    return server_conns_is_full(&http->conns);
}

void server_http_close(struct server_http *http)
{
    if (!http->server)
        return;
    for (size_t i = 0; i < http->n_listeners; i++) {
        struct server_listener *listener = &http->listeners[i];

        server_loop_run(&listener->loop); /* connections just resumed must not count as suspended */
        server_loop_detach(&listener->loop);
        MHD_stop_daemon(listener->loop.daemon);
        server_listen_forget(&listener->socket);
    }
    uv_close((uv_handle_t *)&http->sweep, NULL);
}

void server_http_free(struct server_http *http)
{
    free(http->listeners);
    http->listeners = NULL;
}
