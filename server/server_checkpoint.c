/*
 * server_checkpoint.c - see server_checkpoint.h.
 */
#include "server/server_checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "server/server.h"
#include "server/server_run.h"

static uint64_t interval_ms(const struct server *server)
{
    return 1000 * (uint64_t)server->config->checkpoint_seconds;
}

void server_checkpoint_ask(struct server_run *run)
{
    run->checkpoint_ms = server_now_ms(run->server);
    if (interval_ms(run->server) > 0 && !run->done)
        engine_job_checkpoint(run->search);
}

/* A paused run has been asked when it was paused. */
void server_checkpoint_tick(struct server *server)
{
    uint64_t now_ms = server_now_ms(server);

    SERVER_LIST_EACH(node, &server->scheduler.runs) {
        struct server_run *run = SERVER_LIST_OF(node, struct server_run, node);

        if (!run->closing && !run->paused && now_ms - run->checkpoint_ms >= interval_ms(server))
            server_checkpoint_ask(run);
    }
}

/* A job that has ended meanwhile, or is another process's now, is a conflict: nothing is amiss. */
static void on_stored(struct server_store_op *op)
{
    struct server *server = op->arg;

    if (!op->status) {
        server->metrics.checkpoints++;
        server->metrics.checkpoint_bytes += op->checkpoint_bytes;
    } else if (op->status != BASE_ERR_CONFLICT) {
        server->metrics.checkpoints_failed++;
        base_logf(&server->log, BASE_LOG_WARNING, "job %s: its checkpoint could not be stored: %s",
                  op->id, base_err_text(op->status));
    }
    server_store_op_free(op);
}

static void store(const struct server_job *job, const void *bytes, size_t length)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_CHECKPOINT);

    if (!op)
        return;
    op->id = server_store_op_text(op, job->id);
    op->attempt = job->attempt;
    op->done = on_stored;
    op->arg = job->server;
    if (server_store_op_bytes(op, bytes, length))
        server_store_submit(job->server->store, op);
    else
        server_store_op_free(op);
}

void server_checkpoint_take(struct server_run *run)
{
    struct server_node *first = server_list_first(&run->jobs);
    size_t length;
    void *bytes = engine_job_checkpoint_take(run->search, &length);

    if (bytes && first)
        store(SERVER_LIST_OF(first, struct server_job, in_run), bytes, length);
    free(bytes);
}
