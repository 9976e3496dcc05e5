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

/* The data of `done`, which is stored without: the job as it is in the store. New text (free),
 * NULL: out of memory, or the job is gone. */
char *server_feed_document(struct server *server, const char *id);

#endif
