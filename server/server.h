/*
 * server.h - the parts of the daemon and how they hang together. Everything here lives on the loop
 * thread; two parts have threads of their own (the store's writer, the engine's workers) and reach
 * the loop through uv_async alone.
 *
 *   HTTP request -> server_head, server_auth (checks) -> server_routes -> handler
 *                                                              |
 *        server_submit -> store ENQUEUE -> server_job (live) --+-> server_scheduler -> engine
 *                                               |                        |
 *        server_stream <- server_sse channel <--+--- events, results <---+
 *                                               +-> store APPEND, FINISH
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <stdbool.h>
#include <uv.h>

#include "config/config.h"
#include "core/base/base_log.h"
#include "core/engine/engine.h"
#include "server/server_auth.h"
#include "server/server_batch.h"
#include "server/server_http.h"
#include "server/server_job.h"
#include "server/server_metrics.h"
#include "server/server_news.h"
#include "server/server_puzzles.h"
#include "server/server_retention.h"
#include "server/server_scheduler.h"
#include "server/server_sse.h"
#include "server/server_store.h"
#include "server/server_submit.h"
#include "server/server_tables.h"
#include "server/server_wait.h"

struct server {
    const struct config *config;
    uv_loop_t uv;
    struct base_log log;
    struct server_store *store;
    struct engine *engine;
    struct server_http http;
    struct server_auth auth;
    struct server_hub hub;
    struct server_jobs jobs;
    struct server_batches batches;
    struct server_news news;
    struct server_waits waits;
    struct server_submissions submissions;
    struct server_scheduler scheduler;
    struct server_tables tables;
    struct server_puzzles puzzles;
    struct server_retention retention;
    struct server_metrics metrics;
    char *openapi; /* the document, owned; NULL: nobody has asked for it yet */
    bool draining;
    uint64_t heartbeat_ms; /* when the loop's tick last ran */
};

/* The loop's clock: milliseconds of this turn. */
static inline uint64_t server_now_ms(const struct server *server)
{
    return uv_now(&server->uv);
}

#endif
