/*
 * engine_job.c - jobs between their owner and the search.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/engine/engine_int.h"
#include "core/search/search_rank.h"

struct engine_job *engine__job_acquire(struct engine_job *job)
{
    /* Relaxed: whoever acquires holds a reference. */
    atomic_fetch_add_explicit(&job->references, 1, memory_order_relaxed);
    return job;
}

void engine__job_release(struct engine_job *job)
{
    /* Acquire-release: the last one must see what was done under the others. */
    if (atomic_fetch_sub_explicit(&job->references, 1, memory_order_acq_rel) > 1)
        return;
    search_job_free(job->search);
    pthread_mutex_destroy(&job->mutex);
    puzzle_release(job->puzzle);
    free(job->targets);
    free(job->solution);
    free(job);
}

/* ---- the search's callbacks: on pool threads ---------------------------------------------- */

/* Jobs that search nothing are not counted. */
static void count_job(const struct engine_job *job, int queued, int running)
{
    struct engine *engine = job->engine;
    if (job->purpose != SEARCH_FOR_SOLUTIONS)
        return;
    pthread_mutex_lock(&engine->mutex);
    engine->queued += (unsigned)queued;
    engine->running += (unsigned)running;
    pthread_mutex_unlock(&engine->mutex);
}

/* From its running on a job for tables is found by those who ask about tables. */
static void list_fill(struct engine_job *job)
{
    struct engine *engine = job->engine;
    if (job->purpose != SEARCH_FOR_TABLES)
        return;
    pthread_mutex_lock(&engine->mutex);
    job->next_fill = engine->fills;
    engine->fills = job;
    pthread_mutex_unlock(&engine->mutex);
}

static void unlist_fill(struct engine_job *job)
{
    struct engine *engine = job->engine;
    pthread_mutex_lock(&engine->mutex);
    struct engine_job **at = &engine->fills;
    while (*at && *at != job)
        at = &(*at)->next_fill;
    if (*at)
        *at = job->next_fill;
    pthread_mutex_unlock(&engine->mutex);
}

struct engine_job **engine__fills(struct engine *engine, size_t *count)
{
    size_t n = 0;
    pthread_mutex_lock(&engine->mutex);
    for (const struct engine_job *job = engine->fills; job; job = job->next_fill)
        n++;
    struct engine_job **jobs = n > 0 ? calloc(n, sizeof *jobs) : NULL;
    *count = jobs ? n : 0;
    n = 0;
    for (struct engine_job *job = engine->fills; jobs && job; job = job->next_fill)
        jobs[n++] = engine__job_acquire(job);
    pthread_mutex_unlock(&engine->mutex);
    return jobs;
}

static void post_state(struct engine_job *job, enum engine_state state)
{
    struct engine_event event = {.kind = ENGINE_EVENT_STATE, .u.state = state};
    atomic_store(&job->state, (int)state);
    engine__post(job, &event);
}

static void on_running(void *arg)
{
    struct engine_job *job = arg;
    count_job(job, -1, 1);
    list_fill(job);
    pthread_mutex_lock(&job->mutex);
    job->begun = true;
    if (!job->paused)
        post_state(job, ENGINE_RUNNING);
    pthread_mutex_unlock(&job->mutex);
}

static void on_planned(void *arg)
{
    struct engine_event event = {.kind = ENGINE_EVENT_PLAN};
    engine__post(arg, &event);
}

/* "corners", "corners+edges" */
static void plan_orbits(const struct engine_job *job, const struct search_plan_table *table,
                        char *out, size_t size)
{
    if (table->kind == TABLE_KIND_PRODUCT)
        snprintf(out, size, "%.30s+%.30s", puzzle_orbit_name(job->puzzle, TABLE_PRODUCT_COLOURS),
                 puzzle_orbit_name(job->puzzle, TABLE_PRODUCT_LINES));
    else
        snprintf(out, size, "%.63s", puzzle_orbit_name(job->puzzle, table->orbit));
}

static void on_layer(void *arg, const struct search_plan_table *table,
                     const struct search_fill_report *report)
{
    struct engine_job *job = arg;
    struct engine_event event = {.kind = ENGINE_EVENT_TABLE};
    plan_orbits(job, table, event.u.table.orbits, sizeof event.u.table.orbits);
    snprintf(event.u.table.kind, sizeof event.u.table.kind, "%s", table_kind_name(table->kind));
    event.u.table.layer = report->layers;
    event.u.table.fraction = report->fraction;
    event.u.table.entries = report->entries;
    event.u.table.seconds = report->seconds;
    engine__post(job, &event);
}

static void on_depth(void *arg, unsigned depth, unsigned lower_bound, uint64_t nodes,
                     double seconds)
{
    struct engine_event event = {.kind = ENGINE_EVENT_DEPTH};
    event.u.depth.depth = depth;
    event.u.depth.lower_bound = lower_bound;
    event.u.depth.nodes = nodes;
    event.u.depth.seconds = seconds;
    event.u.depth.nodes_per_second = seconds > 0 ? (double)nodes / seconds : 0;
    engine__post(arg, &event);
}

static void on_solution(void *arg, const struct search_word *word, double rank)
{
    struct engine_event event = {.kind = ENGINE_EVENT_SOLUTION};
    engine__solution_set(arg, word, rank, &event.u.solution);
    engine__post(arg, &event);
}

static void on_incumbent(void *arg, const struct search_beam_word *found)
{
    const struct engine_job *job = arg;
    const struct search_word word = {.move = found->move, .length = found->length};
    struct engine_event event = {.kind = ENGINE_EVENT_INCUMBENT};
    engine__solution_set(job, &word, search_rank(job->puzzle, word.move, word.length),
                         &event.u.solution);
    engine__post(arg, &event);
}

static void on_checkpoint(void *arg)
{
    struct engine_event event = {.kind = ENGINE_EVENT_CHECKPOINT};
    engine__post(arg, &event);
}

static void on_refused(void *arg, const char *reason)
{
    const struct engine_job *job = arg;
    base_logf(&job->engine->log, BASE_LOG_WARNING,
              "a checkpoint is not used, the search begins from its start: %s", reason);
}

static void on_ended(void *arg)
{
    struct engine_job *job = arg;
    struct engine *engine = job->engine;
    struct engine_event event = {.kind = ENGINE_EVENT_DONE};
    if (job->begun)
        on_planned(job); /* with what it has really cost */
    engine__result_make(job);
    unlist_fill(job);
    pthread_mutex_lock(&job->mutex);
    atomic_store(&job->state, (int)job->result.state);
    count_job(job, job->begun ? 0 : -1, job->begun ? -1 : 0);
    pthread_mutex_lock(&engine->mutex);
    engine->nodes += job->result.nodes - search_job_outcome_get(job->search)->nodes_before;
    pthread_mutex_unlock(&engine->mutex);
    engine__post(job, &event);
    pthread_mutex_unlock(&job->mutex);
    engine__job_release(job);
}

/* ---- submitting --------------------------------------------------------------------------- */

static int check_spec(const struct engine_spec *spec, struct base_diag *diag)
{
    if (spec->n_targets == 0 || puzzle_move_count(spec->puzzle) == 0)
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "a job needs a target and at least one move");
    if (spec->slack && spec->find != ENGINE_FIND_ALL)
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "slack needs find all");
    if (spec->max_length_set && spec->max_length < spec->min_length)
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "max_length is below min_length");
    if (spec->min_length > SEARCH_MAX_LENGTH)
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "no solution can have more than %d moves",
                             (int)SEARCH_MAX_LENGTH);
    for (unsigned m = 0; m < puzzle_move_count(spec->puzzle); m++)
        if (puzzle_move_at(spec->puzzle, m)->weight != 1)
            return base_diag_set(diag, 0, BASE_ERR_UNSUPPORTED,
                                 "moves of different weights are not supported yet");
    return 0;
}

/* Copies what the spec borrows. */
static int copy_spec(struct engine_job *job, const struct engine_spec *spec)
{
    const struct perm_shape *shape = puzzle_shape(spec->puzzle);
    job->spec = *spec;
    job->spec.checkpoint = NULL; /* borrowed for less long than the job lives */
    job->puzzle = puzzle_acquire(spec->puzzle);
    job->targets = malloc(spec->n_targets * sizeof *job->targets);
    if (!job->targets)
        return BASE_ERR_NOMEM;
    memcpy(job->targets, spec->targets, spec->n_targets * sizeof *job->targets);
    if (spec->start)
        memcpy(job->start, spec->start, shape->bytes);
    else
        perm_identity(shape, job->start);
    return 0;
}

static void search_spec(const struct engine_job *job, struct search_job_spec *out)
{
    const struct engine_spec *spec = &job->spec;
    const struct search_job_events events = {.running = on_running,
                                             .planned = on_planned,
                                             .layer = on_layer,
                                             .depth = on_depth,
                                             .solution = on_solution,
                                             .incumbent = on_incumbent,
                                             .checkpoint = on_checkpoint,
                                             .refused = on_refused,
                                             .ended = on_ended};
    uint64_t memory = job->engine->memory_bytes;
    if (spec->limits.memory_bytes && spec->limits.memory_bytes < memory)
        memory = spec->limits.memory_bytes;
    *out = (struct search_job_spec){
        .purpose = job->purpose,
        .pin = job->pin,
        .puzzle = job->puzzle,
        .targets = job->targets,
        .n_targets = spec->n_targets,
        .start = job->start,
        .find_all = spec->find == ENGINE_FIND_ALL,
        .slack = spec->slack,
        .min_length = spec->min_length,
        .max_length = SEARCH_MAX_LENGTH,
        .weight = job->purpose == SEARCH_FOR_SOLUTIONS ? 1 + spec->priority : 1,
        .seconds = spec->limits.seconds,
        .nodes = spec->limits.nodes,
        .memory = memory,
        .host_memory = job->engine->memory_bytes,
        .fill_factor = job->engine->fill_factor,
        .incumbent_seconds = job->engine->incumbent_seconds,
        .incumbent_share = job->engine->incumbent_share,
        .solution_memory = job->engine->solution_bytes,
        .checkpoint_words = job->engine->checkpoint_words,
        .wishes = spec->tables,
        .events = events};
    if (spec->max_length_set && spec->max_length < SEARCH_MAX_LENGTH)
        out->max_length = spec->max_length;
}

/* What a job is for, beside its spec. */
struct purpose {
    enum search_purpose purpose;
    bool pin;
};

static int submit(struct engine *engine, const struct engine_spec *spec,
                  const struct purpose *purpose, struct engine_job **out, struct base_diag *diag)
{
    *out = NULL;
    int code = check_spec(spec, diag);
    if (code != 0)
        return code;
    struct engine_job *job = calloc(1, sizeof *job);
    if (!job)
        return base_diag_set(diag, 0, BASE_ERR_NOMEM, "%s", base_err_text(BASE_ERR_NOMEM));
    job->engine = engine;
    job->purpose = purpose->purpose;
    job->pin = purpose->pin;
    pthread_mutex_init(&job->mutex, NULL);
    atomic_init(&job->references, 2); /* the owner's and the search's */
    code = copy_spec(job, spec);
    if (code == 0) {
        struct search_job_spec search;
        search_spec(job, &search);
        search.events.arg = job;
        search.checkpoint = spec->checkpoint;
        search.checkpoint_bytes = spec->checkpoint_bytes;
        count_job(job, 1, 0);
        code = search_job_start(&engine->shared, &search, &job->search);
        if (code != 0)
            count_job(job, -1, 0);
    }
    if (code != 0) {
        atomic_init(&job->references, 1);
        engine__job_release(job);
        return base_diag_set(diag, 0, code, "%s", base_err_text(code));
    }
    *out = job;
    return 0;
}

int engine_submit(struct engine *engine, const struct engine_spec *spec, struct engine_job **out,
                  struct base_diag *diag)
{
    const struct purpose purpose = {SEARCH_FOR_SOLUTIONS, false};
    return submit(engine, spec, &purpose, out, diag);
}

int engine_tables_make(struct engine *engine, const struct engine_spec *spec, bool pin,
                       struct engine_job **out, struct base_diag *diag)
{
    const struct purpose purpose = {SEARCH_FOR_TABLES, pin};
    return submit(engine, spec, &purpose, out, diag);
}

int engine_tables_plan(struct engine *engine, const struct engine_spec *spec,
                       struct engine_job **out, struct base_diag *diag)
{
    const struct purpose purpose = {SEARCH_FOR_PLAN, false};
    return submit(engine, spec, &purpose, out, diag);
}

/* ---- what the owner does ------------------------------------------------------------------ */

static bool has_ended(const struct engine_job *job)
{
    return atomic_load(&job->state) >= ENGINE_SUCCEEDED;
}

void engine_job_cancel(struct engine_job *job)
{
    search_job_cancel(job->search);
}

void engine_job_pause(struct engine_job *job)
{
    pthread_mutex_lock(&job->mutex);
    if (!has_ended(job) && !job->paused) {
        job->paused = true;
        post_state(job, ENGINE_PAUSED);
        search_job_pause(job->search, true);
    }
    pthread_mutex_unlock(&job->mutex);
}

void engine_job_resume(struct engine_job *job)
{
    pthread_mutex_lock(&job->mutex);
    if (!has_ended(job) && job->paused) {
        job->paused = false;
        post_state(job, job->begun ? ENGINE_RUNNING : ENGINE_QUEUED);
        search_job_pause(job->search, false);
    }
    pthread_mutex_unlock(&job->mutex);
}

void engine_job_release(struct engine_job *job)
{
    atomic_store(&job->released, true);
    if (!has_ended(job))
        search_job_cancel(job->search);
    engine__job_release(job);
}

void engine_job_checkpoint(struct engine_job *job)
{
    search_job_checkpoint(job->search);
}

void *engine_job_checkpoint_take(struct engine_job *job, size_t *bytes)
{
    return search_job_checkpoint_take(job->search, bytes);
}

/* By the bytes that one thread filled in a second when that was measured (see README). */
static double fill_seconds(const struct engine_job *job, const struct search_plan_table *plan)
{
    static const double rates[TABLE_KIND_COUNT] = {
        [TABLE_KIND_EXACT] = 25e6, [TABLE_KIND_APPROXIMATE] = 45e6, [TABLE_KIND_PRODUCT] = 38e6};
    static const double hash_rate = 9e6;
    bool is_hash = search_plan_variant(plan) == TABLE_VARIANT_HASH;
    double rate =
        (is_hash ? hash_rate : rates[plan->kind]) * search_pool_threads(job->engine->shared.pool);
    return rate > 0 ? (double)plan->bytes / rate : 0;
}

static void table_plan(const struct engine_job *job, const struct search_table_status *status,
                       struct engine_table_plan *out)
{
    static const char *const states[] = {"missing", "growing", "sealed"};
    plan_orbits(job, &status->plan, out->orbits, sizeof out->orbits);
    snprintf(out->kind, sizeof out->kind, "%s", table_kind_name(status->plan.kind));
    snprintf(out->variant, sizeof out->variant, "%s",
             table_variant_name(search_plan_variant(&status->plan)));
    snprintf(out->encoding, sizeof out->encoding, "%s", table_encoding_name(status->plan.encoding));
    snprintf(out->state, sizeof out->state, "%s", states[status->state]);
    snprintf(out->why, sizeof out->why, "%s", status->plan.why);
    out->bytes = status->plan.bytes;
    if (status->digest != 0)
        table_digest_format(status->digest, out->key);
    out->fill_seconds = fill_seconds(job, &status->plan);
}

static void snapshot_plan(struct engine_job *job, struct engine_plan *out)
{
    struct search_plan plan;
    struct search_table_status status[SEARCH_PLAN_MAX];
    out->n_tables = search_job_plan_get(job->search, &plan, status);
    for (unsigned t = 0; t < out->n_tables; t++)
        table_plan(job, &status[t], &out->table[t]);
    out->estimated_length = plan.estimated_length;
    out->estimated_nodes = plan.estimated_nodes;
    out->estimated_seconds = plan.estimated_seconds;
    out->forecast_length = plan.forecast_length;
    out->forecast_nodes = plan.forecast_nodes;
    out->forecast_seconds = plan.forecast_seconds;
    out->ended = plan.ended;
    out->actual_nodes = plan.actual_nodes;
    out->actual_seconds = plan.actual_seconds;
}

void engine_job_snapshot(const struct engine_job *job, struct engine_snapshot *out)
{
    struct search_job_progress progress;
    memset(out, 0, sizeof *out);
    out->state = (enum engine_state)atomic_load(&job->state);
    snapshot_plan((struct engine_job *)(uintptr_t)job, &out->plan);
    search_job_progress_get(job->search, &progress);
    out->progress.depth = progress.depth;
    out->progress.lower_bound = progress.lower_bound;
    out->progress.fraction = progress.fraction;
    out->progress.nodes = progress.nodes;
    out->progress.elapsed_seconds = progress.elapsed_seconds;
    out->progress.incumbent_length = progress.incumbent.length;
    memcpy(out->progress.incumbent, progress.incumbent.move, progress.incumbent.length);
    if (progress.depth_seconds > 0)
        out->progress.nodes_per_second = (double)progress.depth_nodes / progress.depth_seconds;
    out->progress.eta_seconds =
        progress.fraction > 0.01
            ? progress.depth_seconds * (1 - progress.fraction) / progress.fraction
            : -1;
}
