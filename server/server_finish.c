/*
 * server_finish.c - how jobs end. The end is stored first, with its last two events, and told
 * afterwards: to readers, to whoever waits, to the metrics.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "server/server.h"
#include "server/server_run.h"
#include "server/server_scheduler.h"

/* ---- told ----------------------------------------------------------------------------- */

static void publish(struct server_job *job, uint64_t id, enum proto_event event, const char *data)
{
    struct server_frame *frame = data ? server_frame_new(event, id, data) : NULL;

    if (!frame || server_channel_publish(job->channel, id, frame))
        job->server->metrics.events_lost++;
    else
        job->server->metrics.events[event]++;
}

static void tell(struct server_job *job, const struct server_store_op *op)
{
    char *document = server_record_document(job->server, &op->job, false);

    publish(job, op->event[0].id, PROTO_EVENT_STATE, op->event[0].data);
    publish(job, op->event[1].id, PROTO_EVENT_DONE, document);
    server_channel_durable(job->channel, op->event[1].id);
    server_channel_end(job->channel);
    server_news_tell(job->server, job->id, job->batch, op->state);
    server_job_set_state(job, op->state);
    job->version = op->job.version;
    job->document = document;
    job->document_ms = server_now_ms(job->server);
    server_wait_fire(job, SERVER_WAIT_END);
}

static void on_finished(struct server_store_op *op);

/* After the first job of a run the others end with the stored result; after the last one the run
 * has served its purpose. */
static void leave_run(struct server_job *job, int64_t result_id)
{
    struct server_run *run = job->run;

    if (!run)
        return;
    server_run_detach(job);
    run->result_id = result_id;
    if (run->n_jobs)
        server_finish_run(run);
    else
        server_run_free(run);
}

static void on_finished(struct server_store_op *op)
{
    struct server *server = op->arg;
    struct server_job *job = server_job_find(server, op->id);

    if (job && !op->status) {
        server_metrics_count_end(&server->metrics, op->state);
        base_logf(&server->log, BASE_LOG_INFO, "job %s: %s", op->id, proto_state_name(op->state));
        tell(job, op);
        leave_run(job, op->result_id);
        server_job_free(job);
    } else if (job) {
        base_logf(&server->log, BASE_LOG_ERROR, "job %s: its end could not be stored: %s", op->id,
                  base_err_text(op->status));
        job->ending = false; /* tried again by the scheduler's tick */
    }
    server_store_op_free(op);
    server_scheduler_kick(server);
}

/* ---- stored --------------------------------------------------------------------------- */

static const char *take(struct server_store_op *op, char *text)
{
    const char *kept = server_store_op_text(op, text);

    free(text);
    return kept;
}

/* New op that ends the job in `state`; NULL: out of memory, the tick tries again. */
static struct server_store_op *end_op(struct server_job *job, enum engine_state state)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_FINISH);
    uint64_t last_id = server_channel_last_id(job->channel);

    if (!op)
        return NULL;
    op->id = server_store_op_text(op, job->id);
    op->attempt = job->attempt;
    op->now_us = base_clock_unix_us();
    op->state = state;
    op->version = job->version + 1;
    op->shared_with = server_store_op_text(op, job->shared_with);
    op->event[0] = (struct server_store_event){last_id + 1, proto_event_name(PROTO_EVENT_STATE),
                                               take(op, proto_event_state(state))};
    op->event[1] =
        (struct server_store_event){last_id + 2, proto_event_name(PROTO_EVENT_DONE), NULL};
    op->n_events = 2;
    op->done = on_finished;
    op->arg = job->server;
    return op;
}

static void submit(struct server_job *job, struct server_store_op *op)
{
    job->ending = true;
    server_store_submit(job->server->store, op);
}

/* What is known of a search that the job leaves: the proven bound, nothing found. */
static void describe_leaving(struct server_store_op *op, const struct server_run *run,
                             struct engine_result *result)
{
    struct engine_snapshot snapshot;

    engine_job_snapshot(run->search, &snapshot);
    result->lower_bound = snapshot.progress.lower_bound;
    op->plan = server_store_op_text(op, run->plan);
    op->progress = take(op, server_run_progress(run));
}

static void finish_without_search(struct server_job *job, enum engine_state state,
                                  const char *reason)
{
    struct engine_result result = {.state = state, .length = -1};
    struct server_store_op *op = end_op(job, state);

    if (!op)
        return;
    if (job->run)
        describe_leaving(op, job->run, &result);
    op->result = take(op, proto_result_encode(NULL, &result));
    op->error_text = server_store_op_text(op, reason);
    submit(job, op);
}

void server_finish_cancelled(struct server_job *job)
{
    finish_without_search(job, ENGINE_CANCELLED, NULL);
}

void server_finish_failed(struct server_job *job, const char *reason)
{
    finish_without_search(job, ENGINE_FAILED, reason);
}

void server_finish_cached(struct server_job *job, int64_t result_id)
{
    struct server_store_op *op = end_op(job, ENGINE_SUCCEEDED);

    if (!op)
        return;
    op->result_id = result_id;
    op->cached = true;
    submit(job, op);
}

/* ---- the end of a search -------------------------------------------------------------- */

/* On the writer thread: reads what no longer changes. */
static char *solution_at(void *arg, uint64_t index)
{
    const struct server_run *run = arg;

    return proto_solution_encode(run->request.puzzle, engine_job_solution(run->search, index));
}

static void describe_result(struct server_store_op *op, struct server_run *run,
                            const struct server_job *job)
{
    const struct engine_result *result = engine_job_result(run->search);

    op->plan = server_store_op_text(op, run->plan);
    op->progress = take(op, server_run_progress(run));
    if (result->state == ENGINE_FAILED)
        op->error_text = server_store_op_text(op, result->error_text);
    op->result_id = run->result_id;
    if (op->result_id)
        return;
    op->result = take(op, proto_result_encode(run->request.puzzle, result));
    op->reusable = result->state == ENGINE_SUCCEEDED && result->limit_hit == ENGINE_LIMIT_NONE;
    op->complete = result->n_solutions < job->solutions_cap;
    op->n_solutions = result->n_solutions;
    op->solution_at = solution_at;
    op->solutions = run;
}

static void note_duration(struct server_run *run)
{
    struct server_scheduler *scheduler = &run->server->scheduler;
    double seconds = engine_job_result(run->search)->seconds;

    scheduler->mean_seconds =
        scheduler->mean_seconds == 0 ? seconds : 0.8 * scheduler->mean_seconds + 0.2 * seconds;
    server_metrics_count_search(&run->server->metrics, engine_job_result(run->search));
}

void server_finish_run(struct server_run *run)
{
    struct server_job *job =
        SERVER_LIST_OF(server_list_first(&run->jobs), struct server_job, in_run);
    struct server_store_op *op;

    if (!run->done)
        note_duration(run);
    run->done = run->closing = true;
    if (job->ending)
        return;
    op = end_op(job, engine_job_result(run->search)->state);
    if (!op)
        return;
    describe_result(op, run, job);
    submit(job, op);
}
