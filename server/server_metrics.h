/*
 * server_metrics.h - counters of the process and their Prometheus text. Loop thread only. No label
 * holds an id, an algorithm or an address.
 */
#ifndef SERVER_SERVER_METRICS_H
#define SERVER_SERVER_METRICS_H

#include <stdint.h>

#include "core/engine/engine.h"
#include "proto/proto_event.h"
#include "proto/proto_route.h"

struct server;

enum { SERVER_METRICS_BUCKETS = 12 };

struct server_histogram {
    uint64_t bucket[SERVER_METRICS_BUCKETS + 1]; /* the last one is +Inf; not cumulative */
    double sum;
};

struct server_metrics {
    uint64_t replies[PROTO_ROUTE_COUNT + 1][6]; /* by route (the last: none) and status class */
    struct server_histogram reply_seconds;
    struct server_histogram search_seconds;
    uint64_t jobs_accepted, jobs_answered, jobs_refused;
    uint64_t requests_refused, requests_denied;
    uint64_t jobs_ended[ENGINE_CANCELLED + 1];
    uint64_t limits_hit[ENGINE_LIMIT_MEMORY + 1];
    uint64_t events[PROTO_EVENT_COUNT];
    uint64_t events_lost;
    uint64_t checkpoints, checkpoint_bytes, checkpoints_failed; /* stored, and not */
};

void server_metrics_count_reply(struct server_metrics *metrics, const struct proto_route *route,
                                unsigned status, double seconds);
void server_metrics_count_search(struct server_metrics *metrics,
                                 const struct engine_result *result);
void server_metrics_count_end(struct server_metrics *metrics, enum engine_state state);

/* New text (free), NULL: out of memory. */
char *server_metrics_print(struct server *server);

#endif
