/*
 * server_conn.h - deadlines of connections. libmicrohttpd's own time-out starts again with every
 * byte, so that a client that sends one byte every few seconds holds a connection for ever; these
 * do not.
 *
 *   accepted --HEADERS--> request head read --BODY--> body read --none--> reply queued --REPLY-->
 *   done --IDLE--> next request ...                                    (a stream: none)
 */
#ifndef SERVER_SERVER_CONN_H
#define SERVER_SERVER_CONN_H

#include <stdint.h>

#include "server/server_list_inl.h"

enum {
    SERVER_CONN_HEADERS_MS = 10000,
    SERVER_CONN_BODY_MS = 30000,
    SERVER_CONN_REPLY_MS = 120000,
    SERVER_CONN_IDLE_MS = 30000,
    SERVER_CONN_NONE = 0
};

struct server_conn {
    struct server_node node;
    int fd;
    uint64_t deadline_ms; /* 0: none */
};

struct server_conns {
    struct server_list list;
    size_t n;
    uint64_t n_expired; /* ever */
};

void server_conns_init(struct server_conns *conns);

/* New, with HEADERS_MS to go. NULL: out of memory. */
struct server_conn *server_conn_new(struct server_conns *conns, int fd, uint64_t now_ms);
void server_conn_free(struct server_conns *conns, struct server_conn *conn);

/* `in_ms` from now, or SERVER_CONN_NONE. */
void server_conn_expect(struct server_conn *conn, uint64_t now_ms, uint64_t in_ms);

/* Shuts down what is overdue; libmicrohttpd then sees the end of the stream. */
void server_conns_sweep(struct server_conns *conns, uint64_t now_ms);

#endif
