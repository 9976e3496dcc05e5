/*
 * server_run.c - see server_run.h.
 */
#include "server/server_run.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "server/server.h"

/* ---- start and end -------------------------------------------------------------------- */

static bool same_limits(const struct engine_limits *a, const struct engine_limits *b)
{
    return a->seconds == b->seconds && a->nodes == b->nodes && a->memory_bytes == b->memory_bytes &&
           a->solutions == b->solutions;
}

static int decode(const struct server_job *job, struct proto_job_request *out,
                  struct base_diag *diag)
{
    struct proto_problem problem = {0};
    int status = proto_job_request_decode(job->request, strlen(job->request), out, &problem);

    if (status) {
        base_diag_set(diag, 0, status, "the stored request is not understood: %.120s",
                      problem.detail);
        memset(out, 0, sizeof(*out));
    }
    proto_problem_deinit(&problem);
    return status;
}

static int submit(struct server_run *run, const struct server_job *job,
                  const struct server_run_checkpoint *checkpoint, struct base_diag *diag)
{
    struct engine_spec spec;

    proto_job_request_spec(&run->request, &spec);
    spec.cookie = run->cookie;
    spec.limits.solutions = job->solutions_cap;
    spec.checkpoint = checkpoint->bytes;
    spec.checkpoint_bytes = checkpoint->length;
    return engine_submit(run->server->engine, &spec, &run->search, diag);
}

int server_run_start(struct server_job *job, const struct server_run_checkpoint *checkpoint,
                     struct server_run **out, struct base_diag *diag)
{
    struct server *server = job->server;
    struct server_run *run = calloc(1, sizeof(*run));
    int status;

    if (!run)
        return base_diag_set(diag, 0, BASE_ERR_NOMEM, "out of memory");
    run->server = server;
    run->checkpoint_ms = server_now_ms(server);
    run->cookie = ++server->scheduler.last_cookie;
    server_list_init(&run->jobs);
    server_list_append(&server->scheduler.runs, &run->node);
    run->key = strdup(job->key);
    status = run->key ? decode(job, &run->request, diag)
                      : base_diag_set(diag, 0, BASE_ERR_NOMEM, "out of memory");
    if (!status)
        status = submit(run, job, checkpoint, diag);
    if (status) {
        server_run_free(run);
        return status;
    }
    server_run_attach(run, job);
    *out = run;
    return 0;
}

void server_run_free(struct server_run *run)
{
    server_list_remove(&run->node);
    if (run->search)
        engine_job_release(run->search);
    proto_job_request_deinit(&run->request);
    for (size_t i = 0; i < run->n_solutions; i++)
        free(run->solutions[i]);
    free(run->solutions);
    free(run->plan);
    free(run->incumbent);
    free(run->key);
    free(run);
}

/* ---- sharing -------------------------------------------------------------------------- */

struct server_run *server_run_find(struct server *server, uint64_t cookie)
{
    SERVER_LIST_EACH(node, &server->scheduler.runs) {
        struct server_run *run = SERVER_LIST_OF(node, struct server_run, node);

        if (run->cookie == cookie)
            return run;
    }
    return NULL;
}

/* Limits are part of what is shared: a job must not end by the limit of another. */
static bool limits_agree(const struct server_run *run, const struct server_job *job)
{
    struct proto_job_request request;
    bool agree;

    if (decode(job, &request, NULL))
        return false;
    agree = same_limits(&request.limits, &run->request.limits);
    proto_job_request_deinit(&request);
    return agree;
}

struct server_run *server_run_find_equal(struct server *server, const struct server_job *job)
{
    if (job->fresh)
        return NULL;
    SERVER_LIST_EACH(node, &server->scheduler.runs) {
        struct server_run *run = SERVER_LIST_OF(node, struct server_run, node);

        if (!run->closing && !run->paused && !strcmp(run->key, job->key) && limits_agree(run, job))
            return run;
    }
    return NULL;
}

void server_run_attach(struct server_run *run, struct server_job *job)
{
    struct server_node *first = server_list_first(&run->jobs);

    if (first) {
        free(job->shared_with);
        job->shared_with = strdup(SERVER_LIST_OF(first, struct server_job, in_run)->id);
    }
    server_list_append(&run->jobs, &job->in_run);
    run->n_jobs++;
    job->run = run;
    if (run->plan)
        server_job_emit(job, PROTO_EVENT_PLAN, run->plan);
    if (run->incumbent)
        server_job_emit(job, PROTO_EVENT_INCUMBENT, run->incumbent);
    for (size_t i = 0; i < run->n_solutions; i++)
        server_job_emit(job, PROTO_EVENT_SOLUTION, run->solutions[i]);
}

void server_run_detach(struct server_job *job)
{
    if (!job->run)
        return;
    server_list_remove(&job->in_run);
    job->run->n_jobs--;
    job->run = NULL;
}

/* ---- events --------------------------------------------------------------------------- */

static void emit_all(struct server_run *run, enum proto_event event, const char *data)
{
    SERVER_LIST_EACH(node, &run->jobs)
        server_job_emit(SERVER_LIST_OF(node, struct server_job, in_run), event, data);
}

static void emit_taken(struct server_run *run, enum proto_event event, char *data)
{
    emit_all(run, event, data);
    free(data);
}

static void take_plan(struct server_run *run)
{
    struct engine_snapshot snapshot;
    char *plan;

    engine_job_snapshot(run->search, &snapshot);
    plan = proto_plan_encode(&snapshot.plan);
    if (!plan)
        return;
    free(run->plan);
    run->plan = plan;
    emit_all(run, PROTO_EVENT_PLAN, plan);
}

static bool reserve(struct server_run *run)
{
    size_t capacity = run->capacity ? 2 * run->capacity : 16;
    char **grown;

    if (run->n_solutions < run->capacity)
        return true;
    grown = realloc(run->solutions, capacity * sizeof(*grown));
    if (!grown)
        return false;
    run->solutions = grown;
    run->capacity = capacity;
    return true;
}

static void take_solution(struct server_run *run, const struct engine_solution *solution)
{
    char *data = proto_solution_encode(run->request.puzzle, solution);

    emit_all(run, PROTO_EVENT_SOLUTION, data);
    if (data && reserve(run))
        run->solutions[run->n_solutions++] = data;
    else
        free(data);
}

static void take_incumbent(struct server_run *run, const struct engine_solution *solution)
{
    char *data = proto_incumbent_encode(run->request.puzzle, solution);

    if (!data)
        return;
    free(run->incumbent);
    run->incumbent = data;
    emit_all(run, PROTO_EVENT_INCUMBENT, data);
}

void server_run_take_event(struct server_run *run, const struct engine_event *event)
{
    switch (event->kind) {
    case ENGINE_EVENT_PLAN:
        take_plan(run);
        break;
    case ENGINE_EVENT_TABLE:
        emit_taken(run, PROTO_EVENT_TABLE, proto_event_table(event));
        break;
    case ENGINE_EVENT_DEPTH:
        emit_taken(run, PROTO_EVENT_DEPTH, proto_event_depth(event));
        break;
    case ENGINE_EVENT_SOLUTION:
        take_solution(run, &event->u.solution);
        break;
    case ENGINE_EVENT_INCUMBENT:
        take_incumbent(run, &event->u.solution);
        break;
    case ENGINE_EVENT_STATE: /* the scheduler's */
    case ENGINE_EVENT_CHECKPOINT:
    case ENGINE_EVENT_DONE:
        break;
    }
}

char *server_run_progress(const struct server_run *run)
{
    struct engine_snapshot snapshot;

    engine_job_snapshot(run->search, &snapshot);
    return proto_progress_encode(run->request.puzzle, &snapshot.progress, -1);
}

static bool has_readers(struct server_run *run)
{
    SERVER_LIST_EACH(node, &run->jobs)
        if (server_channel_reader_count(SERVER_LIST_OF(node, struct server_job, in_run)->channel))
            return true;
    return false;
}

void server_run_publish_progress(struct server_run *run)
{
    struct server_frame *frame;
    char *data;

    if (run->closing || run->paused || !has_readers(run))
        return;
    data = server_run_progress(run);
    frame = data ? server_frame_new(PROTO_EVENT_PROGRESS, 0, data) : NULL;
    free(data);
    if (!frame)
        return;
    SERVER_LIST_EACH(node, &run->jobs)
        server_channel_progress(SERVER_LIST_OF(node, struct server_job, in_run)->channel,
                                server_frame_acquire(frame));
    server_frame_release(frame);
}
