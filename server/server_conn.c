/*
 * server_conn.c - see server_conn.h.
 */
#include "server/server_conn.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>

/* How long sent bytes, or a window that stays shut, may wait for the peer. This is what ends a
 * stream whose reader reads nothing. */
enum { USER_TIMEOUT_MS = 120000 };

/* What the kernel may hold for a peer that does not read. Left to itself it grows to megabytes for
 * each, most of it progress that is no longer true. */
enum { SEND_BUFFER_BYTES = 128 * 1024 };

enum { SECOND_MS = 1000 };

void server_conns_init(struct server_conns *conns)
{
    *conns = (struct server_conns){0};
    server_list_init(&conns->list);
    server_list_init(&conns->owing);
}

void server_conns_tune(struct server_conns *conns, const struct config *config)
{
    conns->patience_ms[SERVER_CONN_HEADERS] = config->header_seconds * (uint64_t)SECOND_MS;
    conns->patience_ms[SERVER_CONN_BODY] = config->body_seconds * (uint64_t)SECOND_MS;
    conns->patience_ms[SERVER_CONN_REPLY] = config->reply_seconds * (uint64_t)SECOND_MS;
    conns->patience_ms[SERVER_CONN_IDLE] = config->idle_seconds * (uint64_t)SECOND_MS;
    conns->max = config->max_connections;
}

/* ---- one connection ------------------------------------------------------------------- */

static void set_options(int fd)
{
    unsigned timeout = USER_TIMEOUT_MS;
    int send_buffer = SEND_BUFFER_BYTES;
    int on = 1;

    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof(send_buffer));
    /* These fail on a Unix socket, which needs neither. */
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof(timeout));
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
}

/* In the order of the list, which is that in which the waits began. */
static void displace_one(struct server_conns *conns)
{
    struct server_node *first = server_list_first(&conns->owing);

    if (!first)
        return;
    conns->n_displaced++;
    server_conn_end(conns, SERVER_LIST_OF(first, struct server_conn, in_owing));
}

struct server_conn *server_conn_new(struct server_conns *conns, int fd, uint64_t now_ms)
{
    struct server_conn *conn = calloc(1, sizeof(*conn));

    if (!conn)
        return NULL;
    set_options(fd);
    conn->fd = fd;
    server_list_append(&conns->list, &conn->node);
    conns->n++;
    if (server_conns_is_full(conns))
        displace_one(conns);
    server_conn_expect(conns, conn, now_ms, SERVER_CONN_HEADERS);
    return conn;
}

void server_conn_free(struct server_conns *conns, struct server_conn *conn)
{
    if (!conn)
        return;
    server_list_remove(&conn->node);
    server_list_remove(&conn->in_owing);
    conns->n--;
    conns->n_ended -= conn->ended;
    free(conn);
}

void server_conn_expect(struct server_conns *conns, struct server_conn *conn, uint64_t now_ms,
                        enum server_conn_wait what)
{
    uint64_t patience_ms = conns->patience_ms[what];

    if (conn->ended)
        return;
    conn->deadline_ms = patience_ms ? now_ms + patience_ms : 0;
    server_list_remove(&conn->in_owing);
    if (what != SERVER_CONN_REPLY && what != SERVER_CONN_NONE)
        server_list_append(&conns->owing, &conn->in_owing);
}

void server_conn_end(struct server_conns *conns, struct server_conn *conn)
{
    if (conn->ended)
        return;
    shutdown(conn->fd, SHUT_RDWR);
    server_list_remove(&conn->in_owing);
    conn->ended = true;
    conn->deadline_ms = 0;
    conns->n_ended++;
}

/* ---- all of them ---------------------------------------------------------------------- */

bool server_conns_is_full(const struct server_conns *conns)
{
    return conns->n - conns->n_ended > conns->max;
}

void server_conns_sweep(struct server_conns *conns, uint64_t now_ms)
{
    SERVER_LIST_EACH(node, &conns->list) {
        struct server_conn *conn = SERVER_LIST_OF(node, struct server_conn, node);

        if (!conn->deadline_ms || now_ms < conn->deadline_ms)
            continue;
        server_conn_end(conns, conn);
        conns->n_expired++;
    }
}
