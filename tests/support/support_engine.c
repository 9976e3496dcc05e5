/*
 * support_engine.c - see support_engine.h.
 */
#include "tests/support/support_engine.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"

/* Memory: for the small tables of many jobs, not for those that take minutes to fill. */
enum { FEW_SOLUTIONS = 20, MEMORY = 256 << 20 };

/* ---- life --------------------------------------------------------------------------------- */

static void notify(void *arg)
{
    sem_post(arg);
}

void support_engine_open(struct support_engine *here, const struct engine_config *config)
{
    struct engine_config mine = config ? *config : (struct engine_config){.threads = 2};
    if (mine.memory_bytes == 0)
        mine.memory_bytes = MEMORY;
    struct base_diag diag = {0};
    memset(here, 0, sizeof *here);
    ck_assert_int_eq(sem_init(&here->events, 0, 0), 0);
    here->own_directory = !mine.table_dir;
    if (here->own_directory)
        support_directory_make(here->directory);
    else
        snprintf(here->directory, sizeof here->directory, "%s", mine.table_dir);
    mine.table_dir = here->directory;
    mine.notify = notify;
    mine.notify_arg = &here->events;
    int code = engine_open(&mine, &here->engine, &diag);
    ck_assert_msg(code == 0, "engine_open: %s: %s", base_err_name(code), diag.text);
}

void support_engine_close(struct support_engine *here)
{
    engine_close(here->engine);
    sem_destroy(&here->events);
    if (here->own_directory)
        support_directory_remove(here->directory);
}

/* ---- solutions ---------------------------------------------------------------------------- */

static void check_solution(const struct support_job *job, const struct engine_solution *solution)
{
    const struct engine_spec *spec = &job->spec;
    uint8_t state[PERM_MAX_BYTES];
    struct cycle_structure structure;
    bool reached = false;
    puzzle_apply_word(spec->puzzle, spec->start, solution->move, solution->length, state);
    cycle_of_state(spec->puzzle, state, &structure);
    for (size_t i = 0; i < spec->n_targets && !reached; i++)
        reached = cycle_equal(&structure, &spec->targets[i]);
    ck_assert_msg(reached, "a solution of %u moves does not solve", (unsigned)solution->length);
    ck_assert_uint_ge(solution->length, spec->min_length);
    if (spec->max_length_set)
        ck_assert_uint_le(solution->length, spec->max_length);
}

static int compare_words(const struct puzzle *puzzle, const struct engine_solution *a,
                         const struct engine_solution *b)
{
    char x[1024], y[1024];
    puzzle_word_print(puzzle, a->move, a->length, x, sizeof x);
    puzzle_word_print(puzzle, b->move, b->length, y, sizeof y);
    return strcmp(x, y);
}

/* By length, then rank, then text; none twice. */
static void check_order(const struct puzzle *puzzle, const struct engine_solution *a,
                        const struct engine_solution *b)
{
    ck_assert_uint_le(a->length, b->length);
    if (a->length < b->length)
        return;
    ck_assert(a->rank <= b->rank);
    if (a->rank < b->rank)
        return;
    ck_assert_int_lt(compare_words(puzzle, a, b), 0);
}

/* ---- events ------------------------------------------------------------------------------- */

static void see_state(struct support_job *job, enum engine_state state)
{
    ck_assert_msg(state < ENGINE_SUCCEEDED, "an end is told by DONE alone");
    ck_assert_msg(state != job->state, "state %d comes twice", (int)state);
    job->state = state;
    job->n_states++;
}

static void see_depth(struct support_job *job, const struct engine_event *event)
{
    unsigned depth = event->u.depth.depth, bound = event->u.depth.lower_bound;
    ck_assert_uint_lt(job->n_depths, SUPPORT_MAX_DEPTHS);
    ck_assert_uint_le(bound, depth + 1);
    if (job->n_depths > 0) {
        ck_assert_uint_gt(depth, job->depth[job->n_depths - 1].depth);
        ck_assert_uint_ge(bound, job->depth[job->n_depths - 1].lower_bound);
    } else {
        ck_assert_uint_ge(depth, job->spec.min_length);
    }
    if (job->n_solutions > 0)
        ck_assert_uint_le(bound, depth);
    job->depth[job->n_depths].depth = depth;
    job->depth[job->n_depths].lower_bound = bound;
    job->depth[job->n_depths++].nodes = event->u.depth.nodes;
}

static void see_table(struct support_job *job, const struct engine_event *event)
{
    unsigned t = 0;
    while (t < job->n_tables && strcmp(job->table_orbits[t], event->u.table.orbits) != 0)
        t++;
    if (t == job->n_tables) {
        ck_assert_uint_lt(t, ENGINE_MAX_TABLES);
        snprintf(job->table_orbits[t], sizeof job->table_orbits[t], "%s", event->u.table.orbits);
        job->table_fraction[t] = 0;
        job->n_tables++;
    }
    if (event->u.table.layer == 1) /* another table of the same orbits */
        job->table_fraction[t] = 0;
    ck_assert(event->u.table.fraction >= job->table_fraction[t]);
    ck_assert(event->u.table.fraction <= 1);
    ck_assert_str_ne(event->u.table.kind, "");
    job->table_fraction[t] = event->u.table.fraction;
}

static void see_solution(struct support_job *job, const struct engine_event *event)
{
    check_solution(job, &event->u.solution);
    ck_assert_msg(event->u.solution.class_index == job->n_solutions,
                  "one event per class, in order: class %u comes as number %u",
                  (unsigned)event->u.solution.class_index, job->n_solutions);
    job->n_solutions++;
    if (job->spec.find == ENGINE_FIND_ONE)
        ck_assert_uint_eq(job->n_solutions, 1);
}

/* Valid, shorter than the one before, and not below what has been proven. */
static void see_incumbent(struct support_job *job, const struct engine_event *event)
{
    const struct engine_solution *incumbent = &event->u.solution;
    check_solution(job, incumbent);
    ck_assert_uint_eq(job->n_solutions, 0);
    if (job->n_incumbents > 0)
        ck_assert_uint_lt(incumbent->length, job->incumbent.length);
    if (job->n_depths > 0)
        ck_assert_uint_ge(incumbent->length, job->depth[job->n_depths - 1].lower_bound);
    job->incumbent = *incumbent;
    job->n_incumbents++;
}

static void see_checkpoint(struct support_job *job)
{
    size_t bytes;
    void *checkpoint = engine_job_checkpoint_take(job->job, &bytes);
    if (!checkpoint)
        return; /* two were told of, and the first event has brought the second */
    free(job->checkpoint);
    job->checkpoint = checkpoint;
    job->checkpoint_bytes = bytes;
    job->n_checkpoints++;
}

static void check_result(const struct support_job *job);

static void see_event(const struct engine_event *event)
{
    struct support_job *job = (struct support_job *)(uintptr_t)event->cookie;
    ck_assert_msg(!job->done, "event %d comes after DONE", (int)event->kind);
    if (event->kind != ENGINE_EVENT_STATE && event->kind != ENGINE_EVENT_DONE)
        ck_assert_msg(job->n_states > 0, "event %d comes before the job runs", (int)event->kind);
    switch (event->kind) {
    case ENGINE_EVENT_STATE:
        see_state(job, event->u.state);
        break;
    case ENGINE_EVENT_PLAN:
        job->planned = true;
        break;
    case ENGINE_EVENT_TABLE:
        see_table(job, event);
        break;
    case ENGINE_EVENT_DEPTH:
        ck_assert_msg(job->planned, "a depth ends before the plan is told");
        see_depth(job, event);
        break;
    case ENGINE_EVENT_SOLUTION:
        see_solution(job, event);
        break;
    case ENGINE_EVENT_INCUMBENT:
        see_incumbent(job, event);
        break;
    case ENGINE_EVENT_CHECKPOINT:
        see_checkpoint(job);
        break;
    case ENGINE_EVENT_DONE:
        job->done = true;
        check_result(job);
        break;
    }
}

void support_engine_pump(struct support_engine *here, double seconds)
{
    struct engine_event event;
    bool any = false;
    while (engine_poll(here->engine, &event)) {
        see_event(&event);
        any = true;
    }
    if (any)
        return;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    uint64_t ns = (uint64_t)end.tv_nsec + (uint64_t)(seconds * 1e9);
    end.tv_sec += (time_t)(ns / 1000000000);
    end.tv_nsec = (long)(ns % 1000000000);
    while (sem_timedwait(&here->events, &end) != 0 && errno == EINTR)
        ;
}

/* ---- results ------------------------------------------------------------------------------ */

static void check_counts(const struct support_job *job, const struct engine_result *result)
{
    uint64_t sequences = 0, classes = 0;
    for (unsigned i = 0; i < result->n_counts; i++) {
        const struct engine_count *count = &result->count[i];
        ck_assert_uint_ge(count->sequences, count->canonical);
        ck_assert_uint_ge(count->canonical, count->classes);
        ck_assert_uint_ge(count->classes, 1);
        ck_assert(i == 0 || count->length > result->count[i - 1].length);
        sequences += count->sequences;
        classes += count->classes;
    }
    uint64_t cap = job->spec.limits.solutions ? job->spec.limits.solutions : 10000;
    ck_assert_uint_eq(result->n_solutions, sequences < cap ? sequences : cap);
    ck_assert_uint_eq(job->n_solutions, classes);
    ck_assert_uint_eq(result->count[0].length, (unsigned)result->length);
}

static void check_result(const struct support_job *job)
{
    const struct engine_result *result = engine_job_result(job->job);
    ck_assert(result->state >= ENGINE_SUCCEEDED);
    struct engine_snapshot *snapshot = malloc(sizeof *snapshot);
    engine_job_snapshot(job->job, snapshot);
    ck_assert_int_eq(snapshot->state, result->state);
    ck_assert_uint_eq(snapshot->progress.nodes, result->nodes);
    ck_assert_uint_eq(snapshot->progress.incumbent_length, job->incumbent.length);
    if (job->n_incumbents > 0 && result->optimal)
        ck_assert_uint_ge(job->incumbent.length, (unsigned)result->length);
    free(snapshot);
    ck_assert((result->state == ENGINE_FAILED) == (result->error != 0));
    if (result->length < 0) {
        ck_assert(!result->optimal && result->n_solutions == 0 && job->n_solutions == 0);
        return;
    }
    check_solution(job, &result->best);
    ck_assert_int_eq(result->best.length, result->length);
    ck_assert(result->optimal == ((unsigned)result->length == result->lower_bound));
    ck_assert_uint_le(result->lower_bound, (unsigned)result->length);
    for (uint64_t i = 0; i < result->n_solutions; i++) {
        check_solution(job, engine_job_solution(job->job, i));
        if (i > 0)
            check_order(job->spec.puzzle, engine_job_solution(job->job, i - 1),
                        engine_job_solution(job->job, i));
    }
    ck_assert_ptr_null(engine_job_solution(job->job, result->n_solutions));
    /* A cancelled job has had no time to look for the easiest ones. */
    if (result->n_solutions > 0 && result->state != ENGINE_CANCELLED)
        ck_assert_int_eq(
            compare_words(job->spec.puzzle, &result->best, engine_job_solution(job->job, 0)), 0);
    if (result->counted)
        check_counts(job, result);
    ck_assert(result->counted == (job->spec.find == ENGINE_FIND_ALL && !result->limit_hit &&
                                  result->state == ENGINE_SUCCEEDED));
}

struct engine_count support_count(const struct engine_result *result, unsigned length)
{
    for (unsigned i = 0; i < result->n_counts; i++)
        if (result->count[i].length == length)
            return result->count[i];
    return (struct engine_count){0};
}

/* ---- jobs --------------------------------------------------------------------------------- */

void support_job_submit(struct support_engine *here, const struct engine_spec *spec,
                        struct support_job *job)
{
    struct base_diag diag = {0};
    memset(job, 0, sizeof *job);
    job->spec = *spec;
    job->spec.cookie = (uintptr_t)job;
    job->state = ENGINE_QUEUED;
    int code = engine_submit(here->engine, &job->spec, &job->job, &diag);
    ck_assert_msg(code == 0, "engine_submit: %s: %s", base_err_name(code), diag.text);
}

const struct engine_result *support_job_wait(struct support_engine *here, struct support_job *job)
{
    while (!job->done)
        support_engine_pump(here, 1);
    return engine_job_result(job->job);
}

const struct engine_result *support_job_run(struct support_engine *here,
                                            const struct engine_spec *spec, struct support_job *job)
{
    support_job_submit(here, spec, job);
    return support_job_wait(here, job);
}

void support_job_release(struct support_job *job)
{
    engine_job_release(job->job);
    job->job = NULL;
    free(job->checkpoint);
    job->checkpoint = NULL;
}

struct engine_stats support_engine_stats(struct support_engine *here)
{
    struct engine_stats stats;
    engine_stats_get(here->engine, &stats);
    return stats;
}

bool support_engine_is_idle(struct support_engine *here, double seconds)
{
    uint64_t end = base_clock_ns() + (uint64_t)(seconds * 1e9);
    while (support_engine_stats(here).busy_threads > 0) {
        if (base_clock_ns() > end)
            return false;
        support_engine_pump(here, 0.002);
    }
    return true;
}

/* ---- specs -------------------------------------------------------------------------------- */

struct cycle_structure support_cycle(const struct puzzle *puzzle, const char *text)
{
    struct cycle_structure structure;
    struct base_diag diag = {0};
    int code = cycle_parse(puzzle, text, strlen(text), &structure, &diag);
    ck_assert_msg(code == 0, "'%s': %s", text, diag.text);
    cycle_canonicalise(&structure);
    ck_assert_uint_eq(cycle_check(puzzle, &structure, NULL), 0);
    return structure;
}

struct engine_spec support_spec_one(const struct puzzle *puzzle,
                                    const struct cycle_structure *target)
{
    return (struct engine_spec){
        .puzzle = puzzle, .targets = target, .n_targets = 1, .find = ENGINE_FIND_ONE};
}

struct engine_spec support_spec_all(const struct puzzle *puzzle,
                                    const struct cycle_structure *target)
{
    struct engine_spec spec = support_spec_one(puzzle, target);
    spec.find = ENGINE_FIND_ALL;
    spec.limits.solutions = FEW_SOLUTIONS;
    return spec;
}
