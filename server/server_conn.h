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

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "proto/proto_route.h"
#include "server/server_list_inl.h"
#include "server/server_secret.h"

enum server_conn_wait {
    SERVER_CONN_HEADERS,
    SERVER_CONN_BODY,
    SERVER_CONN_REPLY,
    SERVER_CONN_IDLE,
    SERVER_CONN_NONE, /* for us, not for the client: no deadline */
    SERVER_CONN_WAITS
};

/* What allowed the last request of a connection. */
struct server_grant {
    bool given; /* false: nothing was needed */
    enum proto_scope scope;
    uint8_t digest[SERVER_DIGEST_SIZE]; /* of the token */
};

struct server_conn {
    struct server_node node, in_owing;
    int fd;
    uint64_t deadline_ms; /* 0: none */
    bool ended;           /* shut down; libmicrohttpd has not noticed yet */
    struct server_grant grant;
};

struct server_conns {
    struct server_list list;
    struct server_list owing; /* wait for bytes of their client, those that do longest first */
    uint64_t patience_ms[SERVER_CONN_WAITS];
    size_t max; /* that are wanted at once */
    size_t n, n_ended;
    uint64_t n_expired;   /* ever: by a deadline */
    uint64_t n_displaced; /* ever: by a newer one */
};

void server_conns_init(struct server_conns *conns);

/* The limit and the deadlines of waits that begin from now on are those of the configuration. */
void server_conns_tune(struct server_conns *conns, const struct config *config);

/* New, waiting for HEADERS. If that is one too many, the one that has waited longest for its client
 * makes room: whoever opens connections and sends nothing takes the place of his own kind. NULL:
 * out of memory. */
struct server_conn *server_conn_new(struct server_conns *conns, int fd, uint64_t now_ms);
void server_conn_free(struct server_conns *conns, struct server_conn *conn);

/* What the connection waits for from now on. */
void server_conn_expect(struct server_conns *conns, struct server_conn *conn, uint64_t now_ms,
                        enum server_conn_wait what);

/* Shuts it down; libmicrohttpd then sees the end of the stream. */
void server_conn_end(struct server_conns *conns, struct server_conn *conn);

/* Are there more than wanted, all of them busy? */
bool server_conns_is_full(const struct server_conns *conns);

/* Ends what is overdue. */
void server_conns_sweep(struct server_conns *conns, uint64_t now_ms);

#endif
