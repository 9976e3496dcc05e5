/*
 * server_principal.h - those whose use is limited: a token by its name or, without one, an address
 * (of IPv6 its first 64 bits, which is what one host is given; all Unix sockets are one).
 *
 * A principal is remembered while something refers to it, and then for as long as there is room:
 * the one that was used longest ago goes first. Whoever commands thousands of addresses can so get
 * a full bucket again; against that only tokens help.
 */
#ifndef SERVER_SERVER_PRINCIPAL_H
#define SERVER_SERVER_PRINCIPAL_H

#include <sys/socket.h>

#include "server/server_limit.h"
#include "server/server_list_inl.h"

enum {
    SERVER_PRINCIPAL_KEY_BYTES = 64,
    SERVER_PRINCIPALS_IDLE = 4096, /* remembered although nothing refers to them */
    SERVER_PRINCIPAL_BUCKETS = 1024
};

struct server_principal {
    struct server_node in_bucket, in_use_order;
    struct server_principals *all;
    char key[SERVER_PRINCIPAL_KEY_BYTES]; /* "token alice", "address 192.0.2.1" */
    unsigned references;
    struct server_limits limits; /* in force; those of its last request */
    struct server_bucket bucket;
    uint64_t n_jobs; /* that have not ended, or are on the way to the store */
};

struct server_principals {
    struct server_list bucket[SERVER_PRINCIPAL_BUCKETS];
    struct server_list idle; /* without references, used longest ago first */
    size_t n, n_idle;
};

void server_principals_init(struct server_principals *principals);
void server_principals_deinit(struct server_principals *principals); /* of those that are idle */

/* The principal with the key, a new one if there is none; one reference more. NULL: no memory. */
struct server_principal *server_principal_acquire(struct server_principals *principals,
                                                  const char *key);
void server_principal_release(struct server_principal *principal); /* NULL is allowed */

/* Each job keeps a reference until it ends. */
struct server_principal *server_principal_add_jobs(struct server_principal *principal, size_t n);
void server_principal_remove_jobs(struct server_principal *principal, size_t n);

/* Keys; `out` holds SERVER_PRINCIPAL_KEY_BYTES. The address of a client may be NULL. Is it one of
 * this host's loopback (or a Unix socket)? */
void server_principal_key_of_token(const char *name, char *out);
bool server_principal_key_of_address(const struct sockaddr *address, char *out);

#endif
