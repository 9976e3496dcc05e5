/*
 * server_tool_fill.c - tables plan and build: what a job would use, and the same filled.
 *
 * The options become the body of POST /v1/tables, so that they mean here what they mean there and
 * are refused in the same words.
 */
#include <jansson.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "proto/proto_job.h"
#include "proto/proto_json.h"
#include "proto/proto_write.h"
#include "server/server_tool.h"

/* ---- the body ------------------------------------------------------------------------- */

/* Moves, divided by blanks and commas that no bracket encloses: "R U2 [r: U]". */
static void write_moves(struct proto_writer *writer, const char *text)
{
    char *copy = strdup(text);
    char *at = copy;

    proto_write_array(writer, "moves");
    while (at && *at) {
        char *end = at += strspn(at, " ,\t\n");
        for (int depth = 0; *end && (depth > 0 || !strchr(" ,\t\n", *end)); end++)
            depth += (*end == '[' || *end == '(') - (*end == ']' || *end == ')');
        char divider = *end;
        *end = '\0';
        if (*at)
            proto_write_text(writer, NULL, at);
        at = divider ? end + 1 : end;
    }
    proto_write_array_end(writer);
    free(copy);
}

/* "auto" may stand without quotes. */
static int write_tables(struct proto_writer *writer, const char *text,
                        struct proto_problem *problem)
{
    json_t *document;

    if (strcmp(text, "auto") == 0) {
        proto_write_text(writer, "tables", text);
        return BASE_OK;
    }
    if (proto_json_parse(text, strlen(text), &document, problem)) {
        problem->set = false;
        return proto_problem_add(problem, PROTO_PROBLEM_INVALID_REQUEST, "/tables", NULL,
                                 "is not JSON: %s", problem->detail);
    }
    json_decref(document);
    proto_write_raw(writer, "tables", text);
    return BASE_OK;
}

static void write_order(struct proto_writer *writer, const char *text)
{
    bool digits = strspn(text, "0123456789") == strlen(text) && strlen(text) < 18;

    if (digits)
        proto_write_uint(writer, "order", strtoull(text, NULL, 10));
    else
        proto_write_text(writer, "order", text);
}

static char *write_body(const struct server_tool_options *options, struct proto_problem *problem)
{
    struct proto_writer writer = {0};
    int code = BASE_OK;

    proto_write_object(&writer, NULL);
    if (options->puzzle)
        proto_write_text(&writer, "puzzle", options->puzzle);
    if (options->n_args)
        proto_write_text(&writer, "cycles", options->arg[0]);
    if (options->like)
        proto_write_text(&writer, "like", options->like);
    if (options->order)
        write_order(&writer, options->order);
    if (options->moves)
        write_moves(&writer, options->moves);
    if (options->tables)
        code = write_tables(&writer, options->tables, problem);
    proto_write_object_end(&writer);
    if (code) {
        proto_writer_deinit(&writer);
        return NULL;
    }
    char *body = proto_writer_take(&writer);
    if (!body)
        proto_problem_set_err(problem, BASE_ERR_NOMEM, NULL);
    return body;
}

/* ---- the engine ----------------------------------------------------------------------- */

struct work {
    const struct server_tool_options *options;
    struct engine *engine;
    sem_t events;
    struct proto_tables_request wanted;
    struct engine_spec spec;
    struct engine_job *job;
    bool one_line; /* progress goes over one line of a terminal */
};

static void notify(void *arg)
{
    sem_post(arg);
}

/* Can it be done? Else the problem is set. */
static int check(struct work *work, const char *body, struct proto_problem *problem)
{
    struct base_diag diag = {0};
    unsigned orbit;
    int code = engine_check_tables(work->engine, &work->spec, &diag, &orbit);

    if (code == BASE_ERR_UNSUPPORTED || code == BASE_ERR_MEMORY_LIMIT) {
        const struct proto_tables_refusal refusal = {orbit, diag.text};
        proto_tables_refuse(body, strlen(body), work->spec.puzzle, &refusal, problem);
    } else if (code) {
        proto_problem_set_err(problem, code, diag.text);
    }
    return code;
}

static void print_layer(const struct work *work, const struct engine_event *event)
{
    FILE *out = work->options->json ? stderr : stdout;

    fprintf(out, "%s%s (%s): layer %u, %.1f %%, %llu entries, %.2f s%s",
            work->one_line ? "\r\033[K" : "", event->u.table.orbits, event->u.table.kind,
            event->u.table.layer, 100 * event->u.table.fraction,
            (unsigned long long)event->u.table.entries, event->u.table.seconds,
            work->one_line ? "" : "\n");
    fflush(out);
}

static void run(struct work *work)
{
    struct engine_event event = {.kind = ENGINE_EVENT_STATE};

    while (event.kind != ENGINE_EVENT_DONE) {
        if (!engine_poll(work->engine, &event))
            sem_wait(&work->events); /* also ends early when a signal comes */
        else if (event.kind == ENGINE_EVENT_TABLE)
            print_layer(work, &event);
    }
    if (work->one_line)
        fputs("\r\033[K", stdout);
}

/* ---- the plan ------------------------------------------------------------------------- */

static bool is_sealed(const struct engine_table_plan *table)
{
    return strcmp(table->state, "sealed") == 0;
}

static void print_plan(const struct work *work, const struct engine_plan *plan)
{
    char size[SERVER_TOOL_SIZE_BYTES];
    struct engine_stats stats;
    uint64_t bytes = 0;
    double seconds = 0;

    printf("%-16s  %-13s  %-15s  %-8s  %10s  %9s  %-7s  %s\n", "KEY", "ORBITS", "KIND", "ENCODING",
           "SIZE", "FILL", "STATE", "WHY");
    for (unsigned t = 0; t < plan->n_tables; t++) {
        const struct engine_table_plan *table = &plan->table[t];
        printf("%-16s  %-13s  %-15s  %-8s  %10s  %7.2f s  %-7s  %s\n",
               *table->key ? table->key : "-", table->orbits, table->kind, table->encoding,
               server_tool_size(table->bytes, size), table->fill_seconds,
               *table->key ? table->state : "-", table->why);
        bytes += table->bytes;
        seconds += *table->key && !is_sealed(table) ? table->fill_seconds : 0;
    }
    engine_stats_get(work->engine, &stats);
    printf("together %s; to be filled in about %.1f s by %u threads\n",
           server_tool_size(bytes, size), seconds, stats.threads);
    printf("estimated length %u; %.3g nodes without tables\n", plan->estimated_length,
           plan->estimated_nodes);
}

static int print_outcome(const struct work *work, bool built)
{
    const struct engine_result *result = engine_job_result(work->job);
    struct engine_snapshot snapshot;
    struct proto_writer writer = {0};
    int status = SERVER_TOOL_OK;
    char *plan;

    if (result->state == ENGINE_FAILED) {
        server_tool_complain("%s", result->error_text);
        return SERVER_TOOL_FAILED;
    }
    engine_job_snapshot(work->job, &snapshot);
    for (unsigned t = 0; t < snapshot.plan.n_tables && built; t++) {
        if (*snapshot.plan.table[t].key && !is_sealed(&snapshot.plan.table[t]))
            status = SERVER_TOOL_FAILED;
    }
    if (!work->options->json) {
        print_plan(work, &snapshot.plan);
        return server_tool_finish(status);
    }
    plan = proto_plan_encode(&snapshot.plan);
    proto_write_object(&writer, NULL);
    proto_write_raw(&writer, "target", work->wanted.job.target);
    proto_write_raw(&writer, "plan", plan);
    proto_write_object_end(&writer);
    free(plan);
    return server_tool_print_json(proto_writer_take(&writer), status);
}

/* ---- the commands --------------------------------------------------------------------- */

/* The request has been read and the engine is open. */
static int work_on(struct work *work, const char *body, bool build)
{
    struct proto_problem problem = {0};
    struct base_diag diag = {0};
    int code, status;

    proto_job_request_spec(&work->wanted.job, &work->spec);
    if (check(work, body, &problem))
        return server_tool_refuse(work->options, &problem);
    code =
        build ? engine_tables_make(work->engine, &work->spec, work->options->pin, &work->job, &diag)
              : engine_tables_plan(work->engine, &work->spec, &work->job, &diag);
    if (code) {
        proto_problem_set_err(&problem, code, diag.text);
        return server_tool_refuse(work->options, &problem);
    }
    run(work);
    status = print_outcome(work, build);
    engine_job_release(work->job);
    return status;
}

static int fill(const struct server_tool_options *options, bool build)
{
    struct work work = {.options = options};
    struct proto_problem problem = {0};
    char *body = write_body(options, &problem);
    int status = SERVER_TOOL_FAILED;

    if (!body || proto_tables_request_decode(body, strlen(body), &work.wanted, &problem)) {
        free(body);
        return server_tool_refuse(options, &problem);
    }
    work.one_line = !options->json && isatty(STDOUT_FILENO);
    sem_init(&work.events, 0, 0);
    work.engine = server_tool_open_engine(options, true, notify, &work.events);
    if (work.engine)
        status = work_on(&work, body, build);
    engine_close(work.engine);
    sem_destroy(&work.events);
    proto_tables_request_deinit(&work.wanted);
    free(body);
    return status;
}

int server_tool_tables_plan(const struct server_tool_options *options)
{
    return fill(options, false);
}

int server_tool_tables_build(const struct server_tool_options *options)
{
    return fill(options, true);
}
