/*
 * server_feed.h - the channel of a job whose older events come from the store.
 */
#ifndef SERVER_SERVER_FEED_H
#define SERVER_SERVER_FEED_H

#include "server/server_sse.h"

struct server;

/* New, one reference; `trimmed_id` as for server_channel_new. NULL: out of memory. */
struct server_channel *server_feed_channel(struct server *server, const char *id,
                                           uint64_t trimmed_id);

#endif
