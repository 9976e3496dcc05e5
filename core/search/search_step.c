/*
 * search_step.c - what one thread does between the depths of a job.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/search/search_resume_int.h"
#include "core/search/search_supply_int.h"

/* ---- ending ------------------------------------------------------------------------------ */

static int shortest_found(const struct search_job *job)
{
    for (unsigned length = 0; job->set && length <= SEARCH_MAX_LENGTH; length++)
        if (search_set_size(job->set, length) > 0)
            return (int)length;
    return -1;
}

/* The easiest class of the shortest length. */
static uint32_t best_class(const struct search_job *job, int length)
{
    uint32_t best = UINT32_MAX;
    struct search_word best_word = {0};
    double best_rank = 0;
    for (uint32_t c = 0; c < search_set_classes(job->set); c++) {
        struct search_word word;
        double rank;
        search_set_best(job->set, c, &word, &rank);
        if ((int)word.length != length)
            continue;
        if (best == UINT32_MAX || rank < best_rank ||
            (rank <= best_rank && search_word_compare_text(job->problem.puzzle, word.move,
                                                           best_word.move, word.length) < 0)) {
            best = c;
            best_word = word;
            best_rank = rank;
        }
    }
    return best;
}

void search__step_end(struct search_job *job)
{
    struct search_job_outcome *outcome = &job->outcome;
    search__offer_wait(job, false);
    outcome->stop = (enum search_stop)atomic_load(&job->stop);
    outcome->length = shortest_found(job);
    outcome->lower_bound = job->proven_bound;
    /* The answer to "up to max_length" is that there is none, even where more is known. */
    if (outcome->length < 0 && outcome->stop == SEARCH_STOP_NONE &&
        outcome->lower_bound > job->spec.max_length)
        outcome->lower_bound = job->spec.max_length + 1;
    outcome->optimal = outcome->length >= 0 && (unsigned)outcome->length == job->proven_bound;
    if (outcome->length >= 0)
        outcome->best_class = best_class(job, outcome->length);
    outcome->nodes = atomic_load_explicit(&job->nodes, memory_order_relaxed);
    outcome->seconds = base_clock_seconds(search__job_spent_ns(job));
    outcome->set = job->set;
    pthread_mutex_lock(&job->mutex);
    job->plan.ended = true;
    job->plan.actual_nodes = outcome->nodes;
    job->plan.actual_seconds = outcome->seconds;
    search__job_publish(job);
    job->phase = SEARCH_PHASE_ENDED;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_finish(job->shared.pool, &job->work);
}

static void end_with_error(struct search_job *job, int error, const char *text)
{
    pthread_mutex_lock(&job->mutex);
    search__job_fail(job, error, text);
    pthread_mutex_unlock(&job->mutex);
    search__step_end(job);
}

/* ---- depths ------------------------------------------------------------------------------ */

/* Nodes of a depth, from those of the depth before: canonical words grow by about three quarters of
 * the moves at each length; or from a checkpoint, so that what the depth has been worth is filled
 * before it is gone on with. 0 where there is nothing to go by. */
static double expected_nodes(const struct search_job *job, unsigned length)
{
    double growth = 0.75 * job->problem.n_moves;
    if (job->resume && job->resume->length == length)
        return job->resume->expected;
    if (!job->depth.began_ns || job->depth.length + 1 != length || job->depth.other_tables)
        return 0;
    return growth * (double)(atomic_load_explicit(&job->nodes, memory_order_relaxed) -
                             job->depth.began_nodes);
}

/* Only the optimal length, reached by proving every shorter one empty, may be searched by the
 * window rule. */
static bool may_use_window(const struct search_job *job, unsigned length)
{
    return job->problem.is_cycle_job && length == job->lower_bound && job->found_length < 0 &&
           length >= job->context->window->k;
}

int search__step_frontier(struct search_job *job, unsigned length)
{
    if (may_use_window(job, length)) {
        if (!job->window_frontier.prefix) {
            int code = search_frontier_init_window(&job->window_frontier, &job->problem);
            if (code != 0)
                return code;
        }
        job->depth.frontier = &job->window_frontier;
        return 0;
    }
    job->depth.frontier = &job->plain_frontier;
    search_frontier_deinit(&job->plain_frontier);
    return search_frontier_init_plain(&job->plain_frontier, &job->problem, length);
}

/* Sorts those that have not been taken: heaviest first, by number where equal. An insertion into a
 * heap would do, but they are a few hundred. */
static void sort_tasks(struct search_depth *depth)
{
    const double *weight = depth->task_weight;
    uint32_t *order = depth->order + depth->taken;
    uint32_t count = depth->frontier->count - depth->taken;
    for (uint32_t gap = count / 2; gap > 0; gap /= 2)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t task = order[i], at = i;
            while (at >= gap &&
                   (weight[order[at - gap]] < weight[task] ||
                    (weight[order[at - gap]] <= weight[task] && order[at - gap] > task))) {
                order[at] = order[at - gap];
                at -= gap;
            }
            order[at] = task;
        }
}

/* Weighs the tasks by their nodes at the depth before (if they were the same tasks) and makes room
 * for this depth's. */
static int weigh_tasks(struct search_job *job, bool same_tasks)
{
    struct search_depth *depth = &job->depth;
    uint32_t count = depth->frontier->count;
    double total = 0;
    if (!same_tasks) {
        free(depth->order);
        free(depth->task_nodes);
        free(depth->task_weight);
        depth->order = malloc((count + 1) * sizeof *depth->order);
        depth->task_nodes = calloc(count + 1, sizeof *depth->task_nodes);
        depth->task_weight = malloc((count + 1) * sizeof *depth->task_weight);
        if (!depth->order || !depth->task_nodes || !depth->task_weight)
            return BASE_ERR_NOMEM;
    }
    for (uint32_t task = 0; task < count; task++) {
        depth->order[task] = task;
        depth->task_weight[task] = 1.0 + (double)depth->task_nodes[task];
        total += depth->task_weight[task];
        depth->task_nodes[task] = 0;
    }
    for (uint32_t task = 0; task < count; task++)
        depth->task_weight[task] /= total;
    return 0;
}

/* Sets the job up for words of `length` moves. */
static int depth_init(struct search_job *job, unsigned length)
{
    struct search_depth *depth = &job->depth;
    const struct search_frontier *before = depth->frontier;
    int code = search__step_frontier(job, length);
    if (code == 0)
        code = weigh_tasks(job, before == depth->frontier && before == &job->window_frontier);
    if (code != 0)
        return code;
    free(depth->branch);
    depth->branch = NULL;
    depth->n_branches = depth->branches_taken = 0;
    depth->length = length;
    depth->taken = 0;
    depth->open = depth->frontier->count;
    depth->began_ns = base_clock_ns();
    depth->began_nodes = atomic_load_explicit(&job->nodes, memory_order_relaxed);
    depth->spent_ns = 0;
    depth->worth_nodes = search__supply_worth(job);
    depth->other_tables = false;
    search__resume_depth(job);
    sort_tasks(depth);
    return 0;
}

/* Books a depth that is complete. True: the job has its answer. */
static bool depth_finish(struct search_job *job)
{
    unsigned length = job->depth.length;
    if (job->has_best && job->found_length < 0) {
        int code = search_set_add(job->set, job->best_word, length, false);
        if (code != 0) {
            search__job_fail(job, code, "the solution could not be taken in");
            return true;
        }
    }
    if (job->found_length < 0 && search_set_size(job->set, length) > 0)
        job->found_length = (int)length;
    if (job->found_length < 0 && length == job->lower_bound)
        job->lower_bound = length + 1;
    search__supply_note_queries(job);
    uint64_t nodes = atomic_load_explicit(&job->nodes, memory_order_relaxed);
    search__job_tell_depth(job,
                           &(struct search_held_depth){
                               .length = length,
                               .lower_bound = job->lower_bound,
                               .nodes = nodes - job->depth.began_nodes,
                               .seconds = base_clock_seconds(job->depth.spent_ns + base_clock_ns() -
                                                             job->depth.began_ns)});
    if (job->found_length < 0)
        return false;
    return !job->spec.find_all || length >= (unsigned)job->found_length + job->spec.slack;
}

/* Claims the tables that a depth with so many nodes is worth. True: the job waits for them, and
 * goes on by itself. */
static bool wait_for_tables(struct search_job *job, unsigned length, double nodes)
{
    search__supply_claim(job, nodes);
    pthread_mutex_lock(&job->mutex);
    bool wait = job->pending > 0;
    job->next_length = length;
    job->next_nodes = nodes;
    if (wait) {
        job->phase = SEARCH_PHASE_WAIT;
        search__offer_wait(job, true);
        search__job_publish(job);
        search__checkpoint_write(job);
        search__job_refresh(job);
    }
    pthread_mutex_unlock(&job->mutex);
    if (wait)
        search_pool_wake(job->shared.pool); /* a cancel may have come meanwhile */
    else
        search__supply_use(job);
    return wait;
}

/* The search has come to its end, which is the job's once all tables are verified. */
static void conclude(struct search_job *job)
{
    pthread_mutex_lock(&job->mutex);
    bool wait = job->unverified > 0 || job->distrust;
    if (wait) {
        job->phase = SEARCH_PHASE_PROVEN;
        search__job_refresh(job);
    } else {
        search__job_publish(job);
    }
    pthread_mutex_unlock(&job->mutex);
    if (wait)
        search_pool_wake(job->shared.pool);
    else
        search__step_proven(job);
}

void search__step_proven(struct search_job *job)
{
    if (job->distrust)
        search__step_distrust(job);
    else if (job->unreachable)
        end_with_error(job, BASE_ERR_INFEASIBLE,
                       "no word of these moves leads from the start to the target");
    else
        search__step_end(job);
}

/* Starts the depth `length`, or the first one behind it that has tasks; or waits for tables; or
 * ends the job. */
static void go_to_depth(struct search_job *job, unsigned length)
{
    for (;; length++) {
        if (length > job->spec.max_length) {
            conclude(job);
            return;
        }
        double nodes = expected_nodes(job, length);
        job->next_nodes = nodes;
        if (nodes > search__supply_worth(job) && wait_for_tables(job, length, nodes))
            return;
        int code = depth_init(job, length);
        if (code != 0) {
            end_with_error(job, code, base_err_text(code));
            return;
        }
        if (job->depth.open > 0)
            break;
        pthread_mutex_lock(&job->mutex);
        bool answered = depth_finish(job);
        pthread_mutex_unlock(&job->mutex);
        if (answered) {
            conclude(job);
            return;
        }
    }
    pthread_mutex_lock(&job->mutex);
    search__job_publish(job);
    job->phase = SEARCH_PHASE_DEPTH;
    atomic_store(&job->interrupted, job->distrust);
    search__checkpoint_write(job);
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

static void put_walks_away(struct search_job *job)
{
    while (job->ready) {
        struct search_walk *walk = job->ready;
        job->ready = walk->next;
        walk->next = job->spare;
        job->spare = walk;
    }
    atomic_store(&job->interrupted, false);
}

/* The depth has come to the nodes that a table is worth: fills it and begins the depth again. What
 * has been found stays. */
void search__step_interrupted(struct search_job *job)
{
    double nodes =
        (double)(atomic_load_explicit(&job->nodes, memory_order_relaxed) - job->depth.began_nodes);
    put_walks_away(job);
    if (!wait_for_tables(job, job->depth.length, nodes))
        go_to_depth(job, job->next_length);
}

/* Takes the failed tables off the job's list; with the lock held. */
static void take_failed(struct search_job *job, bool failed[SEARCH_PLAN_MAX])
{
    for (unsigned t = 0; t < job->plan.n; t++) {
        failed[t] = job->failed[t];
        if (failed[t])
            job->table_state[t] = SEARCH_TABLE_MISSING;
        job->failed[t] = false;
    }
    job->distrust = job->unreachable = false;
}

/* Forgets all that rests on tables that are damaged, and the tables. Words that were found are
 * right, but perhaps not the shortest. */
static int forget(struct search_job *job)
{
    bool failed[SEARCH_PLAN_MAX];
    put_walks_away(job);
    search__resume_drop(job);
    search__supply_note_queries(job);
    job->problem.n_tables = 0; /* some of them go away below */
    pthread_mutex_lock(&job->mutex);
    take_failed(job, failed);
    job->lower_bound = job->proven_bound;
    job->n_held = 0;
    job->found_length = -1;
    job->has_best = false;
    atomic_store(&job->best_task, UINT32_MAX);
    job->classes_told = 0;
    search_set_free(job->set);
    int code = search_set_new(&job->problem, job->spec.solution_memory, &job->set);
    pthread_mutex_unlock(&job->mutex);
    for (unsigned t = 0; t < job->plan.n; t++)
        if (failed[t]) {
            search_bank_drop(job->shared.bank, &job->claim[t]);
            job->claimed[t] = false;
        }
    search__supply_use(job);
    return code;
}

void search__step_distrust(struct search_job *job)
{
    int code = forget(job);
    if (code != 0) {
        end_with_error(job, code, base_err_text(code));
        return;
    }
    unsigned length = job->lower_bound;
    if (job->skipped && job->spec.min_length > length)
        length = job->spec.min_length;
    if (!wait_for_tables(job, length, 0))
        go_to_depth(job, job->next_length);
}

void search__step_depth(struct search_job *job)
{
    pthread_mutex_lock(&job->mutex);
    bool answered = depth_finish(job);
    pthread_mutex_unlock(&job->mutex);
    if (answered) {
        conclude(job);
    } else {
        search__step_forecast(job, job->depth.length + 1);
        go_to_depth(job, job->depth.length + 1);
    }
}

/* ---- beginning --------------------------------------------------------------------------- */

static bool keeps_start(const struct sym_group *group, unsigned sym, void *arg)
{
    return sym_fixes_state(group, sym, arg);
}

static int problem_init(struct search_job *job)
{
    struct search_problem *problem = &job->problem;
    const struct search_job_spec *spec = &job->spec;
    problem->context = job->context;
    problem->puzzle = spec->puzzle;
    problem->shape = puzzle_shape(spec->puzzle);
    problem->n_moves = puzzle_move_count(spec->puzzle);
    problem->is_cycle_job = perm_is_identity(problem->shape, spec->start);
    problem->targets = spec->targets;
    problem->n_targets = spec->n_targets;
    problem->start = spec->start;
    problem->group = job->context->group;
    int code = 0;
    if (!problem->is_cycle_job) {
        uint8_t start[PERM_MAX_BYTES];
        memcpy(start, spec->start, problem->shape->bytes);
        code = sym_group_filter(job->context->group, keeps_start, start, &job->start_group);
        problem->group = job->start_group;
    }
    if (code == 0)
        code = search_problem_init(problem, job->shared.features);
    if (code == 0)
        code = search_set_new(problem, spec->solution_memory, &job->set);
    return code;
}

void search__step_prepare(struct search_job *job)
{
    const struct search_job_spec *spec = &job->spec;
    job->began_ns = base_clock_ns();
    spec->events.running(spec->events.arg);
    int code = search_contexts_get(job->shared.contexts, spec->puzzle, spec->targets,
                                   spec->n_targets, &job->context);
    if (code == 0)
        code = problem_init(job);
    if (code != 0) {
        end_with_error(job, code, base_err_text(code));
        return;
    }
    job->lower_bound = search_problem_is_target(&job->problem, spec->start) ? 0 : 1;
    search__resume_check(job);
    struct search_plan plan;
    const struct search_plan_limits limits = {.memory = spec->memory,
                                              .host = spec->host_memory,
                                              .fill_factor = spec->fill_factor,
                                              .store = job->shared.store};
    const struct search_plan_target target = {.start = spec->start,
                                              .structures = spec->targets,
                                              .n = spec->n_targets,
                                              .is_cycle_job = job->problem.is_cycle_job,
                                              .wishes = spec->wishes};
    struct base_diag diag = {0};
    code = search_plan_make(job->context, &target, &limits, &plan, &diag);
    if (code != 0) {
        end_with_error(job, code, diag.text);
        return;
    }
    pthread_mutex_lock(&job->mutex);
    job->plan = plan;
    pthread_mutex_unlock(&job->mutex);
    search__tables_name(job);
    search__step_estimate(job, job->lower_bound);
    if (spec->purpose != SEARCH_FOR_SOLUTIONS) {
        search__tables_begin(job);
        return;
    }
    search__supply_claim(job, 0);
    pthread_mutex_lock(&job->mutex);
    bool wait = job->pending > 0;
    search__job_publish(job);
    job->phase = wait ? SEARCH_PHASE_WAIT : SEARCH_PHASE_FILLED;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

/* The tables at hand say how far the start is at least. */
static void raise_bound(struct search_job *job, unsigned bound)
{
    pthread_mutex_lock(&job->mutex);
    if (bound > job->lower_bound)
        job->lower_bound = bound;
    pthread_mutex_unlock(&job->mutex);
}

/* What has been found, or a length that was left out, has the last word. */
static bool may_raise_bound(const struct search_job *job)
{
    return job->found_length < 0 && !job->has_best && !job->skipped &&
           search_set_classes(job->set) == 0;
}

/* Where a checkpoint says, unless the tables know more. */
static void choose_resumed(struct search_job *job, unsigned bound)
{
    job->next_length = job->resume->length;
    if (may_raise_bound(job)) {
        raise_bound(job, bound);
        job->next_length = job->lower_bound;
    }
    search__resume_tell(job);
}

static void choose_first(struct search_job *job, unsigned bound)
{
    raise_bound(job, bound);
    job->skipped = job->spec.min_length > job->lower_bound;
    job->next_length = job->skipped ? job->spec.min_length : job->lower_bound;
}

static void begin_search(struct search_job *job, unsigned bound)
{
    search__offer_begin(job);
    job->searching = true;
    if (job->resume)
        choose_resumed(job, bound);
    else
        choose_first(job, bound);
    search__step_estimate(job, job->next_length);
    go_to_depth(job, job->next_length);
}

void search__step_filled(struct search_job *job)
{
    search__offer_wait(job, false);
    job->spec.events.planned(job->spec.events.arg);
    if (job->spec.purpose != SEARCH_FOR_SOLUTIONS) {
        search__tables_next(job);
        return;
    }
    search__supply_use(job);
    if (job->distrust) {
        search__step_distrust(job);
        return;
    }
    unsigned bound = search_problem_bound(&job->problem, job->spec.start);
    if (bound == TABLE_UNREACHABLE) {
        job->unreachable = true;
        conclude(job);
        return;
    }
    if (!job->searching) {
        begin_search(job, bound);
        return;
    }
    /* New tables may know at once what the next depths would have shown. */
    if (bound > job->lower_bound && may_raise_bound(job)) {
        raise_bound(job, bound);
        job->next_length = bound;
    }
    go_to_depth(job, job->next_length);
}
