/*
 * server_request.h - one HTTP request from its head to its reply, independent of libmicrohttpd's
 * calling order.
 *
 * A handler either answers at once, or keeps the request (server_request_keep), returns, and
 * answers later from the loop thread; until then the connection is suspended and the request lives.
 * A request is answered exactly once.
 */
#ifndef SERVER_SERVER_REQUEST_H
#define SERVER_SERVER_REQUEST_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_attr.h"
#include "core/base/base_buf.h"
#include "proto/proto_problem.h"
#include "proto/proto_route.h"
#include "server/server_auth.h"
#include "server/server_guard.h"

struct server;
struct server_conn;
struct server_listener;

enum { SERVER_REQUEST_ID_BYTES = 72, SERVER_REPLY_MAX_HEADERS = 12 };

struct server_header {
    const char *name; /* static */
    char *value;      /* owned */
};

struct server_reply {
    unsigned status;
    const char *content_type; /* static; NULL: no body */
    char *body;               /* owned */
    size_t length;
    struct MHD_Response *stream; /* instead of a body; owned */
    struct server_header header[SERVER_REPLY_MAX_HEADERS];
    unsigned n_headers;
};

enum server_phase {
    SERVER_PHASE_HEAD,      /* nothing decided yet */
    SERVER_PHASE_BODY,      /* collecting or discarding the body */
    SERVER_PHASE_SUSPENDED, /* kept by a handler */
    SERVER_PHASE_ANSWERED,  /* the reply is there */
    SERVER_PHASE_QUEUED     /* and handed to libmicrohttpd */
};

struct server_request {
    struct server *server;
    struct server_listener *listener;
    struct server_conn *conn;
    struct MHD_Connection *connection;
    enum server_phase phase;
    bool kept;
    bool close; /* the connection ends with this reply */
    struct server_head head;
    const char *method, *path; /* borrowed from the connection */
    bool trusted_origin;       /* there is one, and it may read the reply */
    int found;                 /* of proto_route_find */
    struct proto_route_match match;
    struct server_principal *principal; /* one reference; NULL: not looked at yet */
    enum server_credentials credentials;
    unsigned scopes;                          /* that they give: bits 1 << enum proto_scope */
    char token_name[SERVER_TOKEN_NAME_BYTES]; /* "": none */
    uint8_t token_digest[SERVER_DIGEST_SIZE];
    bool charged; /* to the principal */
    char id[SERVER_REQUEST_ID_BYTES];
    struct base_buf body;
    uint64_t body_seen; /* bytes, discarded ones included */
    uint64_t started_ns;
    struct server_reply reply;
    void (*ended)(void *arg); /* the exchange is over: tears down a stream; may be NULL */
    void *ended_arg;
};

/* NULL if there is none. Names of fields in any case. */
const char *server_request_field(const struct server_request *request, const char *name);
const char *server_request_query(const struct server_request *request, const char *name);

/* The handler will answer later. */
void server_request_keep(struct server_request *request);

/* ---- answering; each ends the request's wait -------------------------------------------- */

/* `text` is taken; NULL (no memory) becomes a problem. */
void server_answer_json(struct server_request *request, unsigned status, char *text);
void server_answer_text(struct server_request *request, unsigned status, const char *content_type,
                        char *text);
void server_answer_empty(struct server_request *request, unsigned status);

/* The problem is deinitialised. */
void server_answer_problem(struct server_request *request, struct proto_problem *problem);
void server_answer_refusal(struct server_request *request, enum proto_problem_kind kind,
                           const char *format, ...) BASE_PRINTF(3, 4);
void server_answer_err(struct server_request *request, int code, const char *detail);

/* `stream` is taken; `ended` is called with `arg` when the exchange is over. */
void server_answer_stream(struct server_request *request, const char *content_type,
                          struct MHD_Response *stream, void (*ended)(void *), void *arg);

/* Adds a field to the reply; before or after answering, but not after returning to the loop. */
void server_reply_field(struct server_request *request, const char *name, const char *format, ...)
    BASE_PRINTF(3, 4);

void server_reply_deinit(struct server_reply *reply);

#endif
