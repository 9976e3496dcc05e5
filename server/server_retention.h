/*
 * server_retention.h - how long what has ended is kept: `keep-days`, and while the store needs no
 * more than `store-mib`. The oldest end goes first; what has just ended is spared, so that whoever
 * waits for it can read it, and so is what lives, which is bounded by `max-queued-jobs`.
 */
#ifndef SERVER_SERVER_RETENTION_H
#define SERVER_SERVER_RETENTION_H

#include <stdbool.h>
#include <stdint.h>

struct server;

struct server_retention {
    bool pending;     /* an op is on its way */
    uint64_t next_ms; /* when to look again */
    uint64_t n_removed, store_bytes;
};

/* Looks whether something has to go, if it is time for that. */
void server_retention_tick(struct server *server);

#endif
