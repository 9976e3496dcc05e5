/*
 * server_route_info.c - what is not about a job: analysis, puzzles, tables, the build.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_request.h"
#include "server/server.h"
#include "server/server_build.h"
#include "server/server_route_list.h"
#include "server/server_routes.h"

void server_route_analyze(struct server_request *request)
{
    struct proto_problem problem = {0};
    char *text;

    if (proto_analyze(base_buf_str(&request->body), request->body.length, &text, &problem))
        server_answer_problem(request, &problem);
    else
        server_answer_json(request, MHD_HTTP_OK, text);
}

/* Begins a page, or answers why not. */
static int begin_page(struct server_page *page, struct server_request *request, const char *scope)
{
    struct proto_problem problem = {0};
    int status = server_page_begin(page, request, scope, &problem);

    if (!status)
        return 0;
    server_answer_problem(request, &problem);
    server_page_deinit(page);
    return status;
}

/* ---- puzzles -------------------------------------------------------------------------- */

void server_route_puzzle_get(struct server_request *request)
{
    const char *text;
    int status = server_puzzles_find(&request->server->puzzles, request->match.capture, &text);

    if (!status)
        server_answer_json(request, MHD_HTTP_OK, strdup(text));
    else if (status == BASE_ERR_UNKNOWN_PUZZLE)
        server_answer_refusal(request, PROTO_PROBLEM_NOT_FOUND, "there is no puzzle %s",
                              request->match.capture);
    else
        server_answer_err(request, status, NULL);
}

void server_route_puzzle_list(struct server_request *request)
{
    struct server_page page;
    int status = 0;

    if (begin_page(&page, request, "puzzles"))
        return;
    for (size_t i = page.position; i < puzzle_builtin_count() && !status; i++) {
        const char *text;

        status = server_puzzles_find(&request->server->puzzles, puzzle_builtin_name(i), &text);
        if (!status)
            status = server_page_add(&page, i + 1, strdup(text));
    }
    server_page_answer(&page, request, "puzzles", status);
}

/* ---- tables --------------------------------------------------------------------------- */

struct table_walk {
    struct server_page *page;
    uint64_t index;
    int status;
};

static void add_table(void *arg, const struct engine_table_info *table)
{
    struct table_walk *walk = arg;

    walk->index++;
    if (walk->index > walk->page->position && !walk->status)
        walk->status = server_page_add(walk->page, walk->index, proto_table_encode(table));
}

void server_route_table_list(struct server_request *request)
{
    struct server_page page;
    struct table_walk walk = {.page = &page};

    if (begin_page(&page, request, "tables"))
        return;
    engine_visit_tables(request->server->engine, add_table, &walk);
    server_page_answer(&page, request, "tables", walk.status);
}

static void answer_table_err(struct server_request *request, int code)
{
    if (code == BASE_ERR_NOT_FOUND)
        server_answer_refusal(request, PROTO_PROBLEM_NOT_FOUND, "there is no table %s",
                              request->match.capture);
    else
        server_answer_err(request, code, NULL);
}

void server_route_table_get(struct server_request *request)
{
    struct engine_table_info table;
    int code = engine_table_get(request->server->engine, request->match.capture, &table);

    if (code)
        answer_table_err(request, code);
    else
        server_answer_json(request, MHD_HTTP_OK, proto_table_encode(&table));
}

void server_route_table_pin(struct server_request *request)
{
    struct proto_problem problem = {0};
    bool pinned;
    int code;

    if (proto_pin_request_decode(base_buf_str(&request->body), request->body.length, &pinned,
                                 &problem)) {
        server_answer_problem(request, &problem);
        return;
    }
    code = engine_table_pin(request->server->engine, request->match.capture, pinned);
    if (code)
        answer_table_err(request, code);
    else
        server_route_table_get(request);
}

void server_route_table_delete(struct server_request *request)
{
    struct base_diag diag = {0};
    int code = engine_table_remove(request->server->engine, request->match.capture, &diag);

    if (!code)
        server_answer_empty(request, MHD_HTTP_NO_CONTENT);
    else if (code == BASE_ERR_BUSY)
        server_answer_refusal(request, PROTO_PROBLEM_CONFLICT, "%s", diag.text);
    else
        answer_table_err(request, code);
}

/* ---- build ---------------------------------------------------------------------------- */

void server_route_version(struct server_request *request)
{
    struct proto_version_view view = {
        .version = server_build_version(),
        .commit = server_build_commit(),
        .compiler = server_build_compiler(),
        .kernels = engine_kernels(request->server->engine),
    };

    server_answer_json(request, MHD_HTTP_OK, proto_version_encode(&view));
}
