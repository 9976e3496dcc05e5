/*
 * server_news.h - GET /v1/events: one stream of the changes of state of all jobs, for a view of the
 * queue. It begins with, or is resumed too late by, a `snapshot` of how many jobs are in which
 * state; whoever wants to know which ones asks GET /v1/jobs after that, and nothing is missed.
 *
 * Nothing of it is stored. Ids strictly increase, over restarts too, as far as the host's clock
 * does: they go on from the time at which the process began.
 */
#ifndef SERVER_SERVER_NEWS_H
#define SERVER_SERVER_NEWS_H

#include "core/engine/engine.h"
#include "server/server_sse.h"

struct server;

struct server_news {
    struct server_channel *channel; /* NULL: not open */
};

/* BASE_ERR_NOMEM. */
int server_news_open(struct server *server);
void server_news_close(struct server *server);

/* A job has come into `state`; `batch_id` NULL: a single job. */
void server_news_tell(struct server *server, const char *job_id, const char *batch_id,
                      enum engine_state state);

/* How things are now, as the event that the id of the last change stands for. NULL: no memory. */
struct server_frame *server_news_snapshot(struct server *server);

#endif
