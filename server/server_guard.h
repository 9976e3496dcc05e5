/*
 * server_guard.h - what is wrong with the head of a request before anybody looks at its meaning:
 * ambiguous framing (request smuggling), foreign hosts (DNS rebinding) and foreign origins.
 *
 * All functions fill the problem and return a negative code when the request is refused.
 */
#ifndef SERVER_SERVER_GUARD_H
#define SERVER_SERVER_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "proto/proto_problem.h"

/* The fields of a request's head that the guards look at; NULL: not there. */
struct server_head {
    const char *host, *origin;
    const char *content_length, *transfer_encoding, *content_encoding, *content_type;
    const char *authorization;
    unsigned n_host, n_content_length, n_transfer_encoding, n_authorization; /* how often */
    const char *odd_name; /* of a field that is no token as HTTP defines it */
    bool odd_value;       /* there is a control character in a field */
};

/* Takes one field of the head; texts are borrowed. */
void server_guard_take_field(struct server_head *head, const char *name, const char *value);

/* Transfer-Encoding beside Content-Length, unknown encodings, repeated or malformed lengths, folded
 * lines, names of fields that are no tokens and values with control characters: 400. The connection
 * cannot be trusted afterwards. */
int server_guard_framing(const struct server_head *head, struct proto_problem *problem);

/* Host must be a loopback literal (127.0.0.0/8, [::1], localhost; any port), allow-listed, or one
 * that the service was told to listen on (any port, for it may have been 0). */
int server_guard_host(const struct server_head *head, const struct config_list *allowed,
                      const struct config_addresses *listen, struct proto_problem *problem);

/* Origin, if any, must be ours (that of the Host) or allow-listed. */
int server_guard_origin(const struct server_head *head, const struct config_list *allowed,
                        struct proto_problem *problem);

/* A body must be JSON, uncompressed, and at most `max_bytes` as far as Content-Length says. */
int server_guard_body(const struct server_head *head, uint64_t max_bytes,
                      struct proto_problem *problem);

/* Content-Length as a number; 0 if there is none. */
uint64_t server_guard_length(const struct server_head *head);

/* "127.0.0.1:8080", "[::1]", "localhost" ... */
bool server_guard_is_loopback(const char *host);

#endif
