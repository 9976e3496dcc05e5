/*
 * server_http.h - HTTP: listeners, the checks that every request passes, and the way from
 * libmicrohttpd's callbacks to a handler and back.
 */
#ifndef SERVER_SERVER_HTTP_H
#define SERVER_SERVER_HTTP_H

#include "config/config.h"
#include "core/base/base_diag.h"
#include "server/server_conn.h"
#include "server/server_listen.h"
#include "server/server_loop.h"
#include "server/server_request.h"

struct server_http;

/* One listening socket with a daemon of its own. */
struct server_listener {
    struct server_http *http;
    struct server_socket socket;
    struct server_loop loop;
};

struct server_http {
    struct server *server;
    struct server_conns conns;
    struct server_listener *listeners;
    size_t n_listeners;
    size_t n_requests; /* being read, answered or streamed */
    uv_timer_t sweep;
    bool draining; /* every reply closes its connection */
};

/* Binds all addresses and starts serving. server_http_close is due in any case. */
int server_http_open(struct server_http *http, struct server *server, struct base_diag *diag);

/* The address to announce: that of the first TCP listener, else of the first. Borrowed. */
const char *server_http_url(const struct server_http *http);

/* No new connections; replies close theirs. */
void server_http_drain(struct server_http *http);

/* More connections than configured: only health and metrics are answered. */
bool server_http_is_full(const struct server_http *http);

/* Stops the daemons and closes the handles; no request may be suspended any more. Nothing happens
 * to what was never opened. */
void server_http_close(struct server_http *http);

/* Frees the memory, once the loop has run out of handles. */
void server_http_free(struct server_http *http);

void server_http_resume(struct server_listener *listener, struct MHD_Connection *connection);

#endif
