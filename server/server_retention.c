/*
 * server_retention.c - see server_retention.h.
 *
 * One op at a time, of few removals each, so that a submission never waits long behind it; while
 * more has to go the next one follows at once.
 */
#include "server/server_retention.h"

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "server/server.h"

enum { INTERVAL_MS = 10000, REMOVALS_AT_ONCE = 64, SPARED_S = 60 };

static const int64_t SECOND_US = 1000000;
static const int64_t DAY_US = INT64_C(86400) * 1000000;

static void on_pruned(struct server_store_op *op)
{
    struct server *server = op->arg;
    struct server_retention *retention = &server->retention;

    retention->pending = false;
    if (op->status) {
        base_logf(&server->log, BASE_LOG_WARNING, "retention: old jobs could not be removed: %s",
                  base_err_text(op->status));
    } else {
        retention->n_removed += op->prune.n_removed;
        retention->store_bytes = op->prune.bytes;
        if (op->prune.n_removed)
            base_logf(&server->log, BASE_LOG_INFO,
                      "retention: removed %u old jobs and batches; the store needs %llu bytes",
                      op->prune.n_removed, (unsigned long long)op->prune.bytes);
        if (op->prune.more)
            retention->next_ms = 0;
    }
    server_store_op_free(op);
}

static struct server_store_prune bounds(const struct config *config)
{
    int64_t now_us = base_clock_unix_us();

    return (struct server_store_prune){
        .expired_us = config->keep_days ? now_us - (int64_t)config->keep_days * DAY_US : INT64_MIN,
        .spared_us = now_us - SPARED_S * SECOND_US,
        .max_bytes = config->store_bytes,
        .limit = REMOVALS_AT_ONCE,
    };
}

void server_retention_tick(struct server *server)
{
    struct server_retention *retention = &server->retention;
    struct server_store_op *op;

    if (retention->pending || server->draining || server_now_ms(server) < retention->next_ms)
        return;
    op = server_store_op_new(SERVER_STORE_PRUNE);
    if (!op)
        return;
    retention->next_ms = server_now_ms(server) + INTERVAL_MS;
    retention->pending = true;
    op->prune = bounds(server->config);
    op->done = on_pruned;
    op->arg = server;
    server_store_submit(server->store, op);
}
