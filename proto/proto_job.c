/*
 * proto_job.c - jobs and their parts as JSON.
 */
#include "proto/proto_job.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_buf.h"
#include "core/base/base_err.h"
#include "proto/proto_move.h"
#include "proto/proto_write.h"

/* ---- names ---------------------------------------------------------------------------- */

static const char *const state_names[] = {
    [ENGINE_QUEUED] = "queued", [ENGINE_RUNNING] = "running",
    [ENGINE_PAUSED] = "paused", [ENGINE_SUCCEEDED] = "succeeded",
    [ENGINE_FAILED] = "failed", [ENGINE_CANCELLED] = "cancelled",
};

static const char *const limit_names[] = {
    [ENGINE_LIMIT_NONE] = NULL,
    [ENGINE_LIMIT_SECONDS] = "seconds",
    [ENGINE_LIMIT_NODES] = "nodes",
    [ENGINE_LIMIT_MEMORY] = "memory",
};

const char *proto_state_name(enum engine_state state)
{
    return state_names[state];
}

const char *proto_limit_name(enum engine_limit limit)
{
    return limit_names[limit];
}

int proto_state_parse(const char *text, enum engine_state *out)
{
    for (unsigned i = 0; i < BASE_COUNT(state_names); i++) {
        if (strcmp(text, state_names[i]) == 0) {
            *out = (enum engine_state)i;
            return BASE_OK;
        }
    }
    return BASE_ERR_RANGE;
}

bool proto_state_ended(enum engine_state state)
{
    return state == ENGINE_SUCCEEDED || state == ENGINE_FAILED || state == ENGINE_CANCELLED;
}

/* ---- plan and progress ---------------------------------------------------------------- */

static void write_table_plan(struct proto_writer *writer, const struct engine_table_plan *table)
{
    proto_write_object(writer, NULL);
    proto_write_text(writer, "orbits", table->orbits);
    proto_write_text(writer, "kind", table->kind);
    if (*table->variant)
        proto_write_text(writer, "variant", table->variant);
    proto_write_text(writer, "encoding", table->encoding);
    proto_write_uint(writer, "bytes", table->bytes);
    proto_write_text(writer, "state", table->state);
    proto_write_text(writer, "why", table->why);
    proto_write_text(writer, "key", *table->key ? table->key : NULL);
    proto_write_real(writer, "fill_seconds", table->fill_seconds, 3);
    proto_write_object_end(writer);
}

char *proto_plan_encode(const struct engine_plan *plan)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_array(&writer, "tables");
    for (unsigned i = 0; i < plan->n_tables; i++)
        write_table_plan(&writer, &plan->table[i]);
    proto_write_array_end(&writer);
    proto_write_uint(&writer, "estimated_length", plan->estimated_length);
    proto_write_real(&writer, "estimated_nodes", plan->estimated_nodes, 0);
    proto_write_real(&writer, "estimated_seconds", plan->estimated_seconds, 3);
    proto_write_uint(&writer, "forecast_length", plan->forecast_length);
    proto_write_real(&writer, "forecast_nodes", plan->forecast_nodes, 0);
    proto_write_real(&writer, "forecast_seconds", plan->forecast_seconds, 3);
    if (plan->ended) {
        proto_write_uint(&writer, "actual_nodes", plan->actual_nodes);
        proto_write_real(&writer, "actual_seconds", plan->actual_seconds, 3);
    } else {
        proto_write_null(&writer, "actual_nodes");
        proto_write_null(&writer, "actual_seconds");
    }
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

/* The upper bound, and the solution that shows it. */
static void write_incumbent(struct proto_writer *writer, unsigned length, const char *moves)
{
    if (moves)
        proto_write_uint(writer, "upper_bound", length);
    else
        proto_write_null(writer, "upper_bound");
    proto_write_text(writer, "incumbent", moves);
}

char *proto_progress_encode(const struct puzzle *puzzle, const struct engine_progress *progress,
                            int64_t queue_position)
{
    struct proto_writer writer = {0};
    unsigned length = progress->incumbent_length;
    char *moves = length ? proto_move_print(puzzle, progress->incumbent, length) : NULL;

    if (length && !moves)
        return NULL;
    proto_write_object(&writer, NULL);
    proto_write_uint(&writer, "depth", progress->depth);
    proto_write_uint(&writer, "lower_bound", progress->lower_bound);
    write_incumbent(&writer, length, moves);
    free(moves);
    proto_write_real(&writer, "fraction", progress->fraction, 4);
    proto_write_uint(&writer, "nodes", progress->nodes);
    proto_write_real(&writer, "nodes_per_second", progress->nodes_per_second, 0);
    proto_write_real(&writer, "elapsed_seconds", progress->elapsed_seconds, 3);
    if (progress->eta_seconds < 0)
        proto_write_null(&writer, "eta_seconds");
    else
        proto_write_real(&writer, "eta_seconds", progress->eta_seconds, 1);
    if (queue_position < 0)
        proto_write_null(&writer, "queue_position");
    else
        proto_write_uint(&writer, "queue_position", (uint64_t)queue_position);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

/* ---- solutions ------------------------------------------------------------------------ */

char *proto_solution_encode(const struct puzzle *puzzle, const struct engine_solution *solution)
{
    struct proto_writer writer = {0};
    char *moves = proto_move_print(puzzle, solution->move, solution->length);

    if (!moves)
        return NULL;
    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "moves", moves);
    proto_write_uint(&writer, "length", solution->length);
    proto_write_real(&writer, "rank", solution->rank, 4);
    proto_write_uint(&writer, "class", solution->class_index);
    proto_write_object_end(&writer);
    free(moves);
    return proto_writer_take(&writer);
}

char *proto_incumbent_encode(const struct puzzle *puzzle, const struct engine_solution *solution)
{
    struct proto_writer writer = {0};
    char *moves = proto_move_print(puzzle, solution->move, solution->length);

    if (!moves)
        return NULL;
    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "moves", moves);
    proto_write_uint(&writer, "length", solution->length);
    proto_write_object_end(&writer);
    free(moves);
    return proto_writer_take(&writer);
}

int proto_solution_moves(const char *json, char **out)
{
    json_t *solution = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    const char *moves = json_string_value(json_object_get(solution, "moves"));

    *out = moves ? strdup(moves) : NULL;
    json_decref(solution);
    if (!moves)
        return BASE_ERR_CORRUPT;
    return *out ? BASE_OK : BASE_ERR_NOMEM;
}

int proto_solutions_text(const char *const *solutions, size_t n, char **out)
{
    struct base_buf buf = {0};
    int code = BASE_OK;

    for (size_t i = 0; i < n && !code; i++) {
        char *moves = NULL;
        code = proto_solution_moves(solutions[i], &moves);
        if (!code) {
            base_buf_text(&buf, moves);
            base_buf_byte(&buf, '\n');
        }
        free(moves);
    }
    if (!code) {
        *out = base_buf_take(&buf, NULL);
        code = *out ? BASE_OK : BASE_ERR_NOMEM;
    }
    base_buf_deinit(&buf);
    return code;
}

/* ---- result --------------------------------------------------------------------------- */

static void write_count(struct proto_writer *writer, const char *key,
                        const struct engine_count *count)
{
    proto_write_object(writer, key);
    proto_write_uint(writer, "sequences", count->sequences);
    proto_write_uint(writer, "canonical", count->canonical);
    proto_write_uint(writer, "classes", count->classes);
    proto_write_object_end(writer);
}

/* `count` is the sum over the lengths of `by_length`. */
static void write_counts(struct proto_writer *writer, const struct engine_result *result)
{
    struct engine_count sum = {0};
    char length[12];

    for (unsigned i = 0; i < result->n_counts; i++) {
        sum.sequences += result->count[i].sequences;
        sum.canonical += result->count[i].canonical;
        sum.classes += result->count[i].classes;
    }
    write_count(writer, "count", &sum);
    proto_write_object(writer, "by_length");
    for (unsigned i = 0; i < result->n_counts; i++) {
        snprintf(length, sizeof(length), "%u", result->count[i].length);
        write_count(writer, length, &result->count[i]);
    }
    proto_write_object_end(writer);
}

static void write_no_counts(struct proto_writer *writer)
{
    proto_write_null(writer, "count");
    proto_write_object(writer, "by_length");
    proto_write_object_end(writer);
}

char *proto_result_encode(const struct puzzle *puzzle, const struct engine_result *result)
{
    struct proto_writer writer = {0};
    bool found = result->length >= 0;
    char *best = found ? proto_move_print(puzzle, result->best.move, result->best.length) : NULL;

    if (found && !best)
        return NULL;
    proto_write_object(&writer, NULL);
    if (found)
        proto_write_uint(&writer, "length", (uint64_t)result->length);
    else
        proto_write_null(&writer, "length");
    proto_write_bool(&writer, "optimal", result->optimal);
    proto_write_uint(&writer, "lower_bound", result->lower_bound);
    proto_write_text(&writer, "best", best);
    if (result->counted)
        write_counts(&writer, result);
    else
        write_no_counts(&writer);
    proto_write_text(&writer, "limit_hit", limit_names[result->limit_hit]);
    proto_write_object_end(&writer);
    free(best);
    return proto_writer_take(&writer);
}

/* NULL names no limit. */
static int parse_limit(const char *name, enum engine_limit *out)
{
    for (unsigned i = 0; i < BASE_COUNT(limit_names); i++) {
        if (name == limit_names[i] ||
            (name && limit_names[i] && strcmp(name, limit_names[i]) == 0)) {
            *out = (enum engine_limit)i;
            return BASE_OK;
        }
    }
    return BASE_ERR_CORRUPT;
}

int proto_result_decode(const char *json, struct proto_result_summary *out)
{
    json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    json_t *length = json_object_get(root, "length");
    json_t *optimal = json_object_get(root, "optimal");
    json_t *bound = json_object_get(root, "lower_bound");
    json_t *limit = json_object_get(root, "limit_hit");
    int code = BASE_ERR_CORRUPT;

    if ((json_is_integer(length) || json_is_null(length)) && json_is_boolean(optimal) &&
        json_is_integer(bound) && (json_is_string(limit) || json_is_null(limit))) {
        out->length = json_is_integer(length) ? (int)json_integer_value(length) : -1;
        out->optimal = json_is_true(optimal);
        out->lower_bound = (unsigned)json_integer_value(bound);
        code = parse_limit(json_string_value(limit), &out->limit_hit);
    }
    json_decref(root);
    return code;
}

/* ---- the job -------------------------------------------------------------------------- */

static void write_link(struct proto_writer *writer, const char *name, const char *id,
                       const char *tail)
{
    char path[160];

    snprintf(path, sizeof(path), "/v1/jobs/%s%s", id, tail);
    proto_write_text(writer, name, path);
}

static void write_links(struct proto_writer *writer, const char *id)
{
    proto_write_object(writer, "links");
    write_link(writer, "self", id, "");
    write_link(writer, "events", id, "/events");
    write_link(writer, "solutions", id, "/solutions");
    write_link(writer, "cancel", id, "/cancel");
    proto_write_object_end(writer);
}

static void write_head(struct proto_writer *writer, const struct proto_job_view *view)
{
    proto_write_text(writer, "id", view->id);
    proto_write_text(writer, "state", proto_state_name(view->state));
    proto_write_uint(writer, "version", view->version);
    proto_write_time(writer, "created", view->created_us);
    proto_write_time(writer, "started", view->started_us);
    proto_write_time(writer, "ended", view->ended_us);
    proto_write_text(writer, "label", view->label);
    proto_write_bool(writer, "cached", view->cached);
    if (view->shared_with)
        proto_write_text(writer, "shared_with", view->shared_with);
    if (!view->batch)
        return;
    proto_write_object(writer, "batch");
    proto_write_text(writer, "id", view->batch);
    proto_write_uint(writer, "index", view->batch_index);
    proto_write_object_end(writer);
}

static void write_solutions(struct proto_writer *writer, const struct proto_job_view *view)
{
    size_t n = view->n_solutions;

    if (n > PROTO_JOB_MAX_SOLUTIONS)
        n = PROTO_JOB_MAX_SOLUTIONS;
    proto_write_array(writer, "solutions");
    for (size_t i = 0; i < n; i++)
        proto_write_raw(writer, NULL, view->solutions[i]);
    proto_write_array_end(writer);
}

char *proto_job_encode(const struct proto_job_view *view)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    write_head(&writer, view);
    proto_write_raw(&writer, "request", view->request);
    proto_write_raw(&writer, "target", view->target);
    if (!view->brief)
        proto_write_raw(&writer, "plan", view->plan);
    proto_write_raw(&writer, "progress", view->progress);
    proto_write_raw(&writer, "result", view->result);
    if (view->error_text)
        proto_write_text(&writer, "error", view->error_text);
    if (!view->brief)
        write_solutions(&writer, view);
    write_links(&writer, view->id);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

char *proto_list_encode(const char *name, const char *const *items, size_t n,
                        const char *next_page_token)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_array(&writer, name);
    for (size_t i = 0; i < n; i++)
        proto_write_raw(&writer, NULL, items[i]);
    proto_write_array_end(&writer);
    proto_write_text(&writer, "next_page_token", next_page_token);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}
