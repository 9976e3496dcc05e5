/*
 * server_tables.c - see server_tables.h.
 *
 *   decode -> wishes possible? -> engine_tables_make ... PLAN: 202, or 200 if all are there
 *                                                    ... DONE: logged, forgotten
 */
#include "server/server_tables.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_job.h"
#include "server/server.h"
#include "server/server_routes.h"

enum { MAX_FILLS = 64, BUSY_RETRY_S = 5, LONGEST_RETRY_S = 30 };

struct fill {
    struct server_node node;
    struct server *server;
    uint64_t cookie;
    struct engine_job *job;
    struct proto_tables_request wanted;
    struct server_request *request; /* that waits for the plan; NULL: answered */
};

void server_tables_init(struct server_tables *tables)
{
    server_list_init(&tables->fills);
    tables->n_fills = 0;
}

static void fill_free(struct fill *fill)
{
    server_list_remove(&fill->node);
    fill->server->tables.n_fills--;
    if (fill->job)
        engine_job_release(fill->job);
    proto_tables_request_deinit(&fill->wanted);
    free(fill);
}

/* ---- wishes --------------------------------------------------------------------------- */

int server_tables_judge(struct engine *engine, const char *body, size_t length,
                        const struct proto_job_request *decoded, struct proto_problem *problem)
{
    struct base_diag diag = {0};
    struct engine_spec spec;
    unsigned orbit;
    int code;

    proto_job_request_spec(decoded, &spec);
    code = engine_check_tables(engine, &spec, &diag, &orbit);
    if (code == BASE_ERR_UNSUPPORTED || code == BASE_ERR_MEMORY_LIMIT) {
        const struct proto_tables_refusal refusal = {orbit, diag.text};
        return proto_tables_refuse(body, length, decoded->puzzle, &refusal, problem);
    }
    return code ? proto_problem_set_err(problem, code, diag.text) : 0;
}

bool server_tables_check(struct server_request *request, const struct proto_job_request *decoded)
{
    struct proto_problem problem = {0};

    if (!server_tables_judge(request->server->engine, base_buf_str(&request->body),
                             request->body.length, decoded, &problem))
        return true;
    server_answer_problem(request, &problem);
    return false;
}

/* ---- the reply ------------------------------------------------------------------------ */

/* What the reply is made of. */
struct listing {
    char *item[ENGINE_MAX_TABLES]; /* JSON, owned */
    size_t n;
    double seconds;              /* that fills are estimated to take */
    char next[ENGINE_KEY_BYTES]; /* first table that is not there yet; "": all are */
};

static void add_table(struct listing *listing, struct engine *engine,
                      const struct engine_table_plan *plan)
{
    struct engine_table_info info;
    char *item;

    if (!*plan->key || engine_table_get(engine, plan->key, &info))
        return;
    if (strcmp(info.state, "sealed") != 0) {
        listing->seconds += plan->fill_seconds;
        if (!*listing->next)
            memcpy(listing->next, plan->key, sizeof(listing->next));
    }
    item = proto_table_encode(&info);
    if (item)
        listing->item[listing->n++] = item;
}

static void answer_plan(struct fill *fill)
{
    struct server_request *request = fill->request;
    struct engine_snapshot snapshot;
    struct listing listing = {.n = 0};
    char *plan;

    fill->request = NULL;
    engine_job_snapshot(fill->job, &snapshot);
    for (unsigned t = 0; t < snapshot.plan.n_tables; t++)
        add_table(&listing, fill->server->engine, &snapshot.plan.table[t]);
    if (*listing.next) {
        double seconds = listing.seconds < LONGEST_RETRY_S ? listing.seconds : LONGEST_RETRY_S;
        server_reply_field(request, "Location", "/v1/tables/%s", listing.next);
        server_reply_field(request, "Retry-After", "%u", 1 + (unsigned)seconds);
    }
    plan = proto_plan_encode(&snapshot.plan);
    server_answer_json(
        request, *listing.next ? MHD_HTTP_ACCEPTED : MHD_HTTP_OK,
        plan ? proto_tables_encode((const char *const *)listing.item, listing.n, plan) : NULL);
    free(plan);
    for (size_t i = 0; i < listing.n; i++)
        free(listing.item[i]);
}

/* The job has ended before there was a plan. */
static void answer_end(struct fill *fill, const struct engine_result *result)
{
    struct server_request *request = fill->request;

    fill->request = NULL;
    if (result->state == ENGINE_FAILED) {
        server_answer_err(request, result->error, result->error_text);
    } else {
        server_reply_field(request, "Retry-After", "%d", BUSY_RETRY_S);
        server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE, "the service is going down");
    }
}

/* ---- events --------------------------------------------------------------------------- */

static void log_end(const struct fill *fill)
{
    struct engine_snapshot snapshot;

    engine_job_snapshot(fill->job, &snapshot);
    for (unsigned t = 0; t < snapshot.plan.n_tables; t++) {
        const struct engine_table_plan *table = &snapshot.plan.table[t];
        if (*table->key && strcmp(table->state, "sealed") != 0)
            base_logf(&fill->server->log, BASE_LOG_WARNING, "table %s (%s, %s): not made: %s",
                      table->key, table->orbits, table->kind, table->why);
    }
}

void server_tables_take_event(struct server *server, const struct engine_event *event)
{
    SERVER_LIST_EACH(node, &server->tables.fills) {
        struct fill *fill = SERVER_LIST_OF(node, struct fill, node);

        if (fill->cookie != event->cookie)
            continue;
        if (event->kind == ENGINE_EVENT_PLAN && fill->request)
            answer_plan(fill);
        if (event->kind != ENGINE_EVENT_DONE)
            return;
        if (fill->request)
            answer_end(fill, engine_job_result(fill->job));
        log_end(fill);
        fill_free(fill);
        return;
    }
}

void server_tables_drain(struct server *server)
{
    SERVER_LIST_EACH(node, &server->tables.fills)
        engine_job_cancel(SERVER_LIST_OF(node, struct fill, node)->job);
}

bool server_tables_is_idle(const struct server *server)
{
    return server_list_is_empty(&server->tables.fills);
}

void server_tables_close(struct server *server)
{
    SERVER_LIST_EACH(node, &server->tables.fills)
        fill_free(SERVER_LIST_OF(node, struct fill, node));
}

/* ---- the request ---------------------------------------------------------------------- */

/* Answers the request if nothing is filled now. */
static bool has_room(struct server_request *request)
{
    const struct server *server = request->server;

    if (!server->draining && server->tables.n_fills < MAX_FILLS)
        return true;
    server_reply_field(request, "Retry-After", "%d", BUSY_RETRY_S);
    server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE,
                          server->draining ? "the service is going down"
                                           : "too many requests for tables are under way");
    return false;
}

/* The decoded request is taken. */
static void start(struct server_request *request, const struct proto_tables_request *wanted)
{
    struct server *server = request->server;
    struct fill *fill = calloc(1, sizeof(*fill));
    struct base_diag diag = {0};
    struct engine_spec spec;
    int code;

    if (!fill) {
        server_answer_err(request, BASE_ERR_NOMEM, NULL);
        return;
    }
    *fill = (struct fill){.server = server,
                          .cookie = ++server->scheduler.last_cookie,
                          .wanted = *wanted,
                          .request = request};
    server_list_append(&server->tables.fills, &fill->node);
    server->tables.n_fills++;
    proto_job_request_spec(&fill->wanted.job, &spec);
    spec.cookie = fill->cookie;
    code = engine_tables_make(server->engine, &spec, fill->wanted.pin, &fill->job, &diag);
    if (code) {
        fill_free(fill);
        server_answer_err(request, code, diag.text);
        return;
    }
    server_request_keep(request);
}

void server_route_table_make(struct server_request *request)
{
    struct proto_tables_request wanted;
    struct proto_problem problem = {0};

    if (proto_tables_request_decode(base_buf_str(&request->body), request->body.length, &wanted,
                                    &problem)) {
        server_answer_problem(request, &problem);
        return;
    }
    if (has_room(request) && server_tables_check(request, &wanted.job))
        start(request, &wanted);
    else
        proto_tables_request_deinit(&wanted);
}
