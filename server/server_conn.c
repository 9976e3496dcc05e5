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

void server_conns_init(struct server_conns *conns)
{
    server_list_init(&conns->list);
    conns->n = 0;
    conns->n_expired = 0;
}

struct server_conn *server_conn_new(struct server_conns *conns, int fd, uint64_t now_ms)
{
    struct server_conn *conn = calloc(1, sizeof(*conn));
    unsigned timeout = USER_TIMEOUT_MS;
    int send_buffer = SEND_BUFFER_BYTES;
    int on = 1;

    if (!conn)
        return NULL;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof(send_buffer));
    /* These fail on a Unix socket, which needs neither. */
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof(timeout));
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    conn->fd = fd;
    server_conn_expect(conn, now_ms, SERVER_CONN_HEADERS_MS);
    server_list_append(&conns->list, &conn->node);
    conns->n++;
    return conn;
}

void server_conn_free(struct server_conns *conns, struct server_conn *conn)
{
    if (!conn)
        return;
    server_list_remove(&conn->node);
    conns->n--;
    free(conn);
}

void server_conn_expect(struct server_conn *conn, uint64_t now_ms, uint64_t in_ms)
{
    conn->deadline_ms = in_ms == SERVER_CONN_NONE ? 0 : now_ms + in_ms;
}

void server_conns_sweep(struct server_conns *conns, uint64_t now_ms)
{
    SERVER_LIST_EACH(node, &conns->list) {
        struct server_conn *conn = SERVER_LIST_OF(node, struct server_conn, node);

        if (!conn->deadline_ms || now_ms < conn->deadline_ms)
            continue;
        shutdown(conn->fd, SHUT_RDWR);
        conn->deadline_ms = 0;
        conns->n_expired++;
    }
}
