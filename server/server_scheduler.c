/*
 * server_scheduler.c - see server_scheduler.h.
 */
#include "server/server_scheduler.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "server/server.h"
#include "server/server_checkpoint.h"
#include "server/server_run.h"

#define MICROSECONDS INT64_C(1000000)

/* ---- claims --------------------------------------------------------------------------- */

/* Searches that take part in the work, and how many of them a batch has started. */
struct active {
    unsigned all, of_batches;
};

static struct active count_active(struct server *server)
{
    struct active n = {0};

    SERVER_LIST_EACH(node, &server->scheduler.runs) {
        struct server_run *run = SERVER_LIST_OF(node, struct server_run, node);
        struct server_node *first = server_list_first(&run->jobs);

        if (run->paused || run->done)
            continue;
        n.all++;
        n.of_batches += first && SERVER_LIST_OF(first, struct server_job, in_run)->batch;
    }
    return n;
}

/* Long jobs of batches leave every fourth place to single jobs, which would otherwise wait for one
 * of them to end. The threads are shared by those that run, so nothing is idle for that. */
static unsigned places_of_batches(const struct server *server)
{
    unsigned places = server->config->max_running_jobs;

    return places < 2 ? places : places - (places + 3) / 4;
}

static void on_claimed(struct server_store_op *op);

static bool claim(struct server *server, const char *id, bool singles_only)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_CLAIM);

    if (!op)
        return false;
    op->id = server_store_op_text(op, id);
    op->singles_only = singles_only;
    op->owner = server->scheduler.owner;
    op->now_us = base_clock_unix_us();
    op->lease_us = SERVER_LEASE_S * MICROSECONDS;
    op->done = on_claimed;
    op->arg = server;
    server->scheduler.claims++;
    server_store_submit(server->store, op);
    return true;
}

void server_scheduler_kick(struct server *server)
{
    struct server_scheduler *scheduler = &server->scheduler;
    size_t waiting = server->jobs.n_state[ENGINE_QUEUED];
    struct active active = count_active(server);
    bool singles_only = active.of_batches >= places_of_batches(server);

    if (singles_only)
        waiting -= server->jobs.n_queued_of_batches;
    if (server->draining || scheduler->claiming || !waiting ||
        active.all >= server->config->max_running_jobs)
        return;
    scheduler->claiming = claim(server, NULL, singles_only);
}

void server_scheduler_admit(struct server_job *job)
{
    struct server *server = job->server;

    if (!server->draining && server_run_find_equal(server, job))
        claim(server, job->id, false);
    else
        server_scheduler_kick(server);
}

static void start_search(struct server_job *job, const struct server_run_checkpoint *checkpoint)
{
    struct server_run *run = server_run_find_equal(job->server, job);
    struct base_diag diag = {0};

    if (run)
        server_run_attach(run, job);
    else if (server_run_start(job, checkpoint, &run, &diag))
        server_finish_failed(job, diag.text);
}

static void requeue(struct server_job *job);

/* Wishes that came while the claim was under way go first; they may leave nothing to start. */
static void start(struct server_job *job, const struct server_store_op *claimed)
{
    const struct server_run_checkpoint checkpoint = {claimed->checkpoint,
                                                     claimed->checkpoint_bytes};

    if (job->server->draining) {
        requeue(job);
        return;
    }
    server_scheduler_settle(job);
    if (job->ending || job->state != ENGINE_RUNNING)
        return;
    if (claimed->result_id)
        server_finish_cached(job, claimed->result_id);
    else
        start_search(job, &checkpoint);
}

/* While a claim was under way nothing could be decided about queued jobs; now it can. */
static void settle_queued(struct server *server)
{
    if (!server->jobs.n_wanting)
        return;
    SERVER_LIST_EACH(node, &server->jobs.live) {
        struct server_job *job = SERVER_LIST_OF(node, struct server_job, in_live);

        if (job->state == ENGINE_QUEUED && job->want != SERVER_WANT_NOTHING)
            server_scheduler_settle(job);
    }
}

/* A claim may bring a job that another process accepted, or one of ours whose lease had lapsed
 * while the host slept: then its search simply goes on. */
static struct server_job *claimed_job(struct server *server, const struct server_store_job *record)
{
    struct server_job *job = server_job_find(server, record->id);

    return job ? job : server_job_new(server, record);
}

static void on_claimed(struct server_store_op *op)
{
    struct server *server = op->arg;
    struct server_job *job = NULL;

    server->scheduler.claims--;
    if (!op->id)
        server->scheduler.claiming = false;
    if (!op->status && op->job.id)
        job = claimed_job(server, &op->job);
    if (job) {
        job->attempt = op->job.attempt;
        job->started_us = op->job.started_us;
    }
    if (job && !job->run) {
        server_job_set_state(job, ENGINE_RUNNING);
        server_job_emit_state(job, ENGINE_RUNNING);
        start(job, op);
    }
    if (!server->scheduler.claims)
        settle_queued(server);
    if (job)
        server_scheduler_kick(server);
    server_store_op_free(op);
}

/* ---- transitions ---------------------------------------------------------------------- */

static void on_transitioned(struct server_store_op *op)
{
    const struct server *server = op->arg;

    if (op->status)
        base_logf(&server->log, BASE_LOG_WARNING, "job %s: its state could not be stored: %s",
                  op->id, base_err_text(op->status));
    server_store_op_free(op);
}

/* Shows at once, is stored behind it. */
static void transit(struct server_job *job, enum engine_state state)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_TRANSITION);

    server_job_set_state(job, state);
    server_job_want(job, SERVER_WANT_NOTHING);
    if (op) {
        op->id = server_store_op_text(op, job->id);
        op->attempt = job->attempt;
        op->state = state;
        op->version = job->version;
        op->done = on_transitioned;
        op->arg = job->server;
        server_store_submit(job->server->store, op);
    }
    server_job_emit_state(job, state);
    server_wait_fire(job, SERVER_WAIT_CHANGE);
}

static void requeue(struct server_job *job)
{
    transit(job, ENGINE_QUEUED);
}

/* ---- what clients want ---------------------------------------------------------------- */

static bool is_sole(const struct server_job *job)
{
    return job->run && job->run->n_jobs == 1;
}

static void cancel(struct server_job *job)
{
    if (is_sole(job)) {
        job->run->closing = true;
        engine_job_cancel(job->run->search);
    } else {
        server_finish_cancelled(job);
        server_run_detach(job);
    }
}

/* A job that shares its search leaves it; when resumed it is queued, and joins again or finds the
 * answer. */
static void pause_job(struct server_job *job)
{
    if (is_sole(job)) {
        job->run->paused = true; /* from now on nobody may join */
        engine_job_pause(job->run->search);
        server_checkpoint_ask(job->run);
    } else {
        server_run_detach(job);
        transit(job, ENGINE_PAUSED);
    }
}

static void resume_job(struct server_job *job)
{
    if (job->run) {
        job->run->paused = false;
        engine_job_resume(job->run->search);
    } else {
        requeue(job);
        server_scheduler_admit(job);
    }
}

/* The wish is fulfilled, or has become void. */
static void forget_wish(struct server_job *job)
{
    server_job_want(job, SERVER_WANT_NOTHING);
    server_wait_fire(job, SERVER_WAIT_CHANGE);
}

void server_scheduler_settle(struct server_job *job)
{
    bool claimable = job->state == ENGINE_QUEUED && job->server->scheduler.claims;

    if (job->ending || claimable || (job->run && job->run->closing))
        return;
    switch (job->want) {
    case SERVER_WANT_CANCEL:
        cancel(job);
        break;
    case SERVER_WANT_PAUSE:
        if (job->state == ENGINE_PAUSED)
            forget_wish(job);
        else
            pause_job(job);
        break;
    case SERVER_WANT_RESUME:
        if (job->state == ENGINE_PAUSED || job->run)
            resume_job(job);
        if (job->state != ENGINE_PAUSED)
            forget_wish(job);
        break;
    case SERVER_WANT_NOTHING:
        break;
    }
}

/* ---- the engine's events -------------------------------------------------------------- */

static void take_state(struct server_run *run, enum engine_state state)
{
    if (state != ENGINE_RUNNING && state != ENGINE_PAUSED)
        return;
    run->paused = state == ENGINE_PAUSED;
    SERVER_LIST_EACH(node, &run->jobs) {
        struct server_job *job = SERVER_LIST_OF(node, struct server_job, in_run);

        if (job->state != state)
            transit(job, state);
    }
    server_scheduler_kick(run->server);
}

/* The search was stopped because the service goes down: its jobs run again after the restart. */
static void give_back(struct server_run *run)
{
    SERVER_LIST_EACH(node, &run->jobs) {
        struct server_job *job = SERVER_LIST_OF(node, struct server_job, in_run);

        if (job->want == SERVER_WANT_CANCEL)
            server_finish_cancelled(job);
        else if (job->state == ENGINE_RUNNING)
            requeue(job);
        server_run_detach(job);
    }
    server_run_free(run);
}

static void take_event(struct server *server, const struct engine_event *event)
{
    struct server_run *run = server_run_find(server, event->cookie);

    if (!run) {
        server_tables_take_event(server, event);
        return;
    }
    if (event->kind == ENGINE_EVENT_STATE)
        take_state(run, event->u.state);
    else if (event->kind == ENGINE_EVENT_CHECKPOINT)
        server_checkpoint_take(run);
    else if (event->kind != ENGINE_EVENT_DONE)
        server_run_take_event(run, event);
    else if (server->draining && engine_job_result(run->search)->state == ENGINE_CANCELLED)
        give_back(run);
    else
        server_finish_run(run);
}

void server_scheduler_take_events(struct server *server)
{
    struct engine_event event;

    while (server_store_backlog(server->store) < SERVER_MAX_BACKLOG &&
           engine_poll(server->engine, &event))
        take_event(server, &event);
}

/* ---- the tick ------------------------------------------------------------------------- */

/* Another process has the job now: what this one still does for it is void. */
static void lose(struct server_job *job)
{
    base_logf(&job->server->log, BASE_LOG_WARNING, "job %s: the lease was lost", job->id);
    if (is_sole(job)) {
        struct server_run *run = job->run;

        server_run_detach(job);
        server_run_free(run);
    }
    server_run_detach(job);
    server_channel_end(job->channel);
    server_wait_fire(job, SERVER_WAIT_END);
    server_job_free(job);
}

static void on_heartbeat(struct server_store_op *op)
{
    struct server_job *job = server_job_find(op->arg, op->id);

    if (job && !job->ending && job->attempt == op->attempt && op->status == BASE_ERR_CONFLICT) {
        lose(job);
    } else if (job && op->cancel_requested && job->want != SERVER_WANT_CANCEL) {
        server_job_want(job, SERVER_WANT_CANCEL);
        server_scheduler_settle(job);
    }
    server_store_op_free(op);
}

static void send_heartbeat(struct server *server, const char *id, uint64_t attempt)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_HEARTBEAT);

    if (!op)
        return;
    op->id = server_store_op_text(op, id);
    op->attempt = attempt;
    op->now_us = base_clock_unix_us();
    op->lease_us = SERVER_LEASE_S * MICROSECONDS;
    op->done = on_heartbeat;
    op->arg = server;
    server_store_submit(server->store, op);
}

static void send_heartbeats(struct server *server)
{
    SERVER_LIST_EACH(node, &server->scheduler.runs) {
        struct server_run *run = SERVER_LIST_OF(node, struct server_run, node);

        SERVER_LIST_EACH(member, &run->jobs) {
            const struct server_job *job = SERVER_LIST_OF(member, struct server_job, in_run);

            send_heartbeat(server, job->id, job->attempt);
        }
    }
}

/* The store's health is that of its last transaction. One for nobody finds out whether a store in
 * trouble has recovered, even if no client comes by because the service is not ready. */
static void probe_store(struct server *server)
{
    if (server_store_health(server->store))
        send_heartbeat(server, "", 0);
}

/* What the store refused for reasons of its own, such as a full disk, is tried again. A job that
 * should have ended without a search goes back to the queue for that. */
static void retry_ends(struct server *server)
{
    SERVER_LIST_EACH(node, &server->scheduler.runs) {
        struct server_run *run = SERVER_LIST_OF(node, struct server_run, node);

        if (run->done)
            server_finish_run(run);
    }
    SERVER_LIST_EACH(node, &server->jobs.live) {
        struct server_job *job = SERVER_LIST_OF(node, struct server_job, in_live);

        if (job->ending || job->run)
            continue;
        if (job->want != SERVER_WANT_NOTHING)
            server_scheduler_settle(job);
        else if (job->state == ENGINE_RUNNING)
            requeue(job);
    }
}

static void on_tick(uv_timer_t *timer)
{
    struct server *server = timer->data;
    struct server_scheduler *scheduler = &server->scheduler;
    uint64_t now_ms = server_now_ms(server);

    server->heartbeat_ms = now_ms;
    SERVER_LIST_EACH(node, &scheduler->runs)
        server_run_publish_progress(SERVER_LIST_OF(node, struct server_run, node));
    server_jobs_drop_stale(server);
    server_checkpoint_tick(server);
    server_hub_tick(&server->hub, now_ms);
    server_batches_expire(server, false);
    server_retention_tick(server);
    if (now_ms - scheduler->heartbeat_ms >= SERVER_HEARTBEAT_MS) {
        scheduler->heartbeat_ms = now_ms;
        send_heartbeats(server);
    }
    if (now_ms - scheduler->poll_ms >= SERVER_POLL_MS) {
        scheduler->poll_ms = now_ms;
        probe_store(server);
        retry_ends(server);
        server_scheduler_kick(server);
    }
}

/* ---- start and stop ------------------------------------------------------------------- */

void server_scheduler_open(struct server *server)
{
    struct server_scheduler *scheduler = &server->scheduler;
    char host[64] = "localhost";

    server_list_init(&scheduler->runs);
    gethostname(host, sizeof(host) - 1);
    snprintf(scheduler->owner, sizeof(scheduler->owner), "%s:%ld", host, (long)getpid());
    uv_timer_init(&server->uv, &scheduler->tick);
    scheduler->tick.data = server;
    scheduler->heartbeat_ms = scheduler->poll_ms = server_now_ms(server);
    uv_timer_start(&scheduler->tick, on_tick, SERVER_PROGRESS_MS, SERVER_PROGRESS_MS);
}

static int recover_job(void *arg, const struct server_store_job *record)
{
    struct server *server = arg;
    struct server_job *job = server_job_new(server, record);

    if (!job)
        return BASE_ERR_NOMEM;
    server_channel_skip(job->channel, SERVER_JOB_EVENT_ID_GAP);
    if (job->state == ENGINE_QUEUED && job->attempt)
        server_job_emit_state(job, ENGINE_QUEUED);
    if (record->cancel_requested)
        server_job_want(job, SERVER_WANT_CANCEL);
    return 0;
}

int server_scheduler_recover(struct server *server)
{
    int status = server_store_visit_live(server->store, recover_job, server);

    if (status)
        return status;
    SERVER_LIST_EACH(node, &server->jobs.live)
        server_scheduler_settle(SERVER_LIST_OF(node, struct server_job, in_live));
    server_scheduler_kick(server);
    return 0;
}

void server_scheduler_drain(struct server *server)
{
    SERVER_LIST_EACH(node, &server->scheduler.runs) {
        struct server_run *run = SERVER_LIST_OF(node, struct server_run, node);

        run->closing = true;
        server_checkpoint_ask(run);
        if (!run->done)
            engine_job_cancel(run->search);
    }
}

bool server_scheduler_is_idle(const struct server *server)
{
    return server_list_is_empty(&server->scheduler.runs) && !server->scheduler.claims;
}

unsigned server_scheduler_retry_after(const struct server *server, int64_t position)
{
    double mean = server->scheduler.mean_seconds;
    double seconds = position < 0 ? mean : mean * (double)(position + 1);

    seconds /= position < 0 ? 1 : server->config->max_running_jobs;
    return seconds < 1 ? 1 : seconds > 30 ? 30 : (unsigned)seconds;
}

void server_scheduler_close(struct server *server)
{
    uv_close((uv_handle_t *)&server->scheduler.tick, NULL);
    SERVER_LIST_EACH(node, &server->scheduler.runs) {
        struct server_run *run = SERVER_LIST_OF(node, struct server_run, node);

        SERVER_LIST_EACH(member, &run->jobs)
            server_run_detach(SERVER_LIST_OF(member, struct server_job, in_run));
        server_run_free(run);
    }
}
