/*
 * search_step.c - what one thread does between the depths of a job.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/search/search_job_int.h"

/* ---- tables ------------------------------------------------------------------------------ */

/* From the bank, without its lock. */
static void table_filled(void *arg, struct search_claim *claim, int code)
{
    struct search_job *job = arg;
    unsigned t = (unsigned)(claim - job->claim);
    pthread_mutex_lock(&job->mutex);
    job->pending--;
    job->table_state[t] = code == 0 ? SEARCH_TABLE_SEALED : SEARCH_TABLE_MISSING;
    if (code != 0) {
        job->denied[t] = true;
        snprintf(job->plan.table[t].why, sizeof job->plan.table[t].why, "not used: %s",
                 base_err_text(code));
    }
    if (job->pending == 0 && job->phase == SEARCH_PHASE_WAIT)
        job->phase = SEARCH_PHASE_FILLED;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

static void table_layer(void *arg, struct search_claim *claim,
                        const struct search_fill_report *report)
{
    struct search_job *job = arg;
    pthread_mutex_lock(&job->mutex);
    if (job->phase != SEARCH_PHASE_ENDED) {
        job->spec.events.layer(job->spec.events.arg, &job->plan.table[claim - job->claim], report);
        search__job_check_seconds(job);
        search__job_refresh(job);
    }
    pthread_mutex_unlock(&job->mutex);
}

/* Claims one table of the plan; `fill`: even if it has to be filled. */
static void claim_table(struct search_job *job, unsigned t, bool fill)
{
    struct search_plan_table *plan = &job->plan.table[t];
    struct base_diag diag = {0};
    struct search_claim_spec spec = {.context = job->context,
                                     .kind = plan->kind,
                                     .encoding = plan->encoding,
                                     .orbit = plan->orbit,
                                     .k = plan->k,
                                     .structures = job->spec.targets,
                                     .n = job->spec.n_targets,
                                     .resident_only = !fill};
    job->claim[t] = (struct search_claim){.filled = table_filled, .layer = table_layer, .arg = job};
    pthread_mutex_lock(&job->mutex);
    job->pending++; /* `filled` may come before the claim returns */
    job->table_state[t] = SEARCH_TABLE_GROWING;
    pthread_mutex_unlock(&job->mutex);
    int code = search_bank_claim(job->shared.bank, &spec, &job->claim[t], &diag);
    job->claimed[t] = code >= 0;
    if (code == 1)
        return;
    pthread_mutex_lock(&job->mutex);
    job->pending--;
    job->table_state[t] = code == 0 ? SEARCH_TABLE_SEALED : SEARCH_TABLE_MISSING;
    if (code < 0 && code != BASE_ERR_NOT_FOUND) {
        job->denied[t] = true;
        snprintf(plan->why, sizeof plan->why, "not used: %.140s", diag.text);
    }
    pthread_mutex_unlock(&job->mutex);
}

static bool is_wanted(const struct search_job *job, unsigned t)
{
    return !job->claimed[t] && !job->denied[t] && job->plan.table[t].kind != TABLE_KIND_FIXED;
}

/* The wanted table that is worth its fill first; -1: none. Large ones come one at a time, because
 * each changes what the next one would save. */
static int next_table(const struct search_job *job)
{
    int next = -1;
    for (unsigned t = 0; t < job->plan.n; t++)
        if (is_wanted(job, t) &&
            (next < 0 || job->plan.table[t].worth_nodes < job->plan.table[next].worth_nodes))
            next = (int)t;
    return next;
}

/* Nodes at which it is. A depth that comes to them is begun again with the table: what is spent in
 * vain is at most what the fill costs, so a bad guess costs a factor of two at worst. */
static double next_worth(const struct search_job *job)
{
    int next = next_table(job);
    return next < 0 ? INFINITY : job->plan.table[next].worth_nodes;
}

/* Claims what is resident, small or wished; and, to be filled, the next table if a depth with so
 * many nodes is worth it. */
static void claim_tables(struct search_job *job, double nodes)
{
    int next = nodes > next_worth(job) ? next_table(job) : -1;
    bool any = false;
    for (unsigned t = 0; t < job->plan.n; t++)
        if (is_wanted(job, t)) {
            claim_table(job, t, (int)t == next || search_plan_fills_at_once(&job->plan.table[t]));
            any = true;
        }
    if (any)
        job->spec.events.planned(job->spec.events.arg);
}

/* Adds the questions of this job to what lists show of its tables. */
static void note_queries(struct search_job *job)
{
    for (unsigned t = 0; t < job->problem.n_tables; t++) {
        table_file_count_queries(job->problem.table[t]->file, job->depth.asked[t]);
        job->depth.asked[t] = 0;
    }
}

/* Exact tables come first: they cost one question and lie in the cache. Then the largest, which
 * leaves least for the others: with the fine product first, the twenty moves of superflip take a
 * third of the time that they take with it last. */
static bool is_asked_before(const struct search_plan_table *a, const struct search_plan_table *b)
{
    if ((a->kind == TABLE_KIND_EXACT) != (b->kind == TABLE_KIND_EXACT))
        return a->kind == TABLE_KIND_EXACT;
    return a->bytes > b->bytes;
}

static void use_tables(struct search_job *job)
{
    struct search_problem *problem = &job->problem;
    unsigned order[SEARCH_PLAN_MAX];
    note_queries(job);
    problem->n_tables = 0;
    job->depth.other_tables = true;
    for (unsigned t = 0; t < job->plan.n; t++) {
        if (!job->claimed[t] || job->table_state[t] != SEARCH_TABLE_SEALED)
            continue;
        unsigned at = problem->n_tables++;
        for (; at > 0 && is_asked_before(&job->plan.table[t], &job->plan.table[order[at - 1]]);
             at--)
            order[at] = order[at - 1];
        order[at] = t;
    }
    for (unsigned i = 0; i < problem->n_tables; i++)
        problem->table[i] = search_claim_table(&job->claim[order[i]]);
}

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
    outcome->stop = (enum search_stop)atomic_load(&job->stop);
    outcome->length = shortest_found(job);
    outcome->lower_bound = job->lower_bound;
    /* The answer to "up to max_length" is that there is none, even where more is known. */
    if (outcome->length < 0 && outcome->stop == SEARCH_STOP_NONE &&
        outcome->lower_bound > job->spec.max_length)
        outcome->lower_bound = job->spec.max_length + 1;
    outcome->optimal = outcome->length >= 0 && (unsigned)outcome->length == job->lower_bound;
    if (outcome->length >= 0)
        outcome->best_class = best_class(job, outcome->length);
    outcome->nodes = atomic_load_explicit(&job->nodes, memory_order_relaxed);
    outcome->seconds = job->began_ns ? base_clock_seconds(base_clock_ns() - job->began_ns) : 0;
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
 * the moves at each length. 0 where there is nothing to go by. */
static double expected_nodes(const struct search_job *job, unsigned length)
{
    double growth = 0.75 * job->problem.n_moves;
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

static int choose_frontier(struct search_job *job, unsigned length)
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

static const double *sort_weight(const struct search_job *job)
{
    return job->depth.task_weight;
}

/* Heaviest first, by number where equal: an insertion into a heap would do, but n is a few hundred.
 */
static void sort_tasks(struct search_job *job, uint32_t count)
{
    const double *weight = sort_weight(job);
    uint32_t *order = job->depth.order;
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

/* Orders the tasks by their nodes at the depth before (if they were the same tasks) and makes room
 * for this depth's. */
static int order_tasks(struct search_job *job, bool same_tasks)
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
    if (same_tasks)
        sort_tasks(job, count);
    return 0;
}

/* Sets the job up for words of `length` moves. */
static int depth_init(struct search_job *job, unsigned length)
{
    struct search_depth *depth = &job->depth;
    const struct search_frontier *before = depth->frontier;
    int code = choose_frontier(job, length);
    if (code == 0)
        code = order_tasks(job, before == depth->frontier && before == &job->window_frontier);
    if (code != 0)
        return code;
    depth->length = length;
    depth->taken = 0;
    depth->open = depth->frontier->count;
    depth->began_ns = base_clock_ns();
    depth->began_nodes = atomic_load_explicit(&job->nodes, memory_order_relaxed);
    depth->worth_nodes = next_worth(job);
    depth->other_tables = false;
    return 0;
}

/* Books a depth that is complete. True: the job has its answer. */
static bool depth_finish(struct search_job *job)
{
    unsigned length = job->depth.length;
    const struct search_job_events *events = &job->spec.events;
    if (job->has_best && job->found_length < 0) {
        int code = search_set_add(job->set, job->best_word, length, false);
        struct search_word word;
        double rank;
        if (code != 0) {
            search__job_fail(job, code, "the solution could not be taken in");
            return true;
        }
        search_set_best(job->set, 0, &word, &rank);
        events->solution(events->arg, &word, rank);
    }
    if (job->found_length < 0 && search_set_size(job->set, length) > 0)
        job->found_length = (int)length;
    if (job->found_length < 0 && length == job->lower_bound)
        job->lower_bound = length + 1;
    note_queries(job);
    uint64_t nodes = atomic_load_explicit(&job->nodes, memory_order_relaxed);
    events->depth(events->arg, length, job->lower_bound, nodes - job->depth.began_nodes,
                  base_clock_seconds(base_clock_ns() - job->depth.began_ns));
    if (job->found_length < 0)
        return false;
    return !job->spec.find_all || length >= (unsigned)job->found_length + job->spec.slack;
}

/* Claims the tables that a depth with so many nodes is worth. True: the job waits for them, and
 * goes on by itself. */
static bool wait_for_tables(struct search_job *job, unsigned length, double nodes)
{
    claim_tables(job, nodes);
    pthread_mutex_lock(&job->mutex);
    bool wait = job->pending > 0;
    job->next_length = length;
    if (wait) {
        job->phase = SEARCH_PHASE_WAIT;
        search__job_publish(job);
        search__job_refresh(job);
    }
    pthread_mutex_unlock(&job->mutex);
    if (wait)
        search_pool_wake(job->shared.pool); /* a cancel may have come meanwhile */
    else
        use_tables(job);
    return wait;
}

/* Starts the depth `length`, or the first one behind it that has tasks; or waits for tables; or
 * ends the job. */
static void go_to_depth(struct search_job *job, unsigned length)
{
    for (;; length++) {
        if (length > job->spec.max_length) {
            search__step_end(job);
            return;
        }
        double nodes = expected_nodes(job, length);
        if (nodes > next_worth(job) && wait_for_tables(job, length, nodes))
            return;
        int code = depth_init(job, length);
        if (code != 0) {
            end_with_error(job, code, base_err_text(code));
            return;
        }
        if (job->depth.frontier->count > 0)
            break;
        pthread_mutex_lock(&job->mutex);
        bool answered = depth_finish(job);
        pthread_mutex_unlock(&job->mutex);
        if (answered) {
            search__step_end(job);
            return;
        }
    }
    pthread_mutex_lock(&job->mutex);
    search__job_publish(job);
    job->phase = SEARCH_PHASE_DEPTH;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

/* The depth has come to the nodes that a table is worth: fills it and begins the depth again. What
 * has been found stays. */
void search__step_interrupted(struct search_job *job)
{
    double nodes =
        (double)(atomic_load_explicit(&job->nodes, memory_order_relaxed) - job->depth.began_nodes);
    while (job->ready) {
        struct search_walk *walk = job->ready;
        job->ready = walk->next;
        walk->next = job->spare;
        job->spare = walk;
    }
    atomic_store(&job->interrupted, false);
    if (!wait_for_tables(job, job->depth.length, nodes))
        go_to_depth(job, job->next_length);
}

void search__step_depth(struct search_job *job)
{
    pthread_mutex_lock(&job->mutex);
    bool answered = depth_finish(job);
    pthread_mutex_unlock(&job->mutex);
    if (answered) {
        search__step_end(job);
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
        code = search_set_new(problem, &job->set);
    return code;
}

static uint64_t store_footprint(const void *store, uint64_t bytes)
{
    return table_store_footprint(store, bytes);
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
    struct search_plan plan;
    const struct search_plan_limits limits = {.memory = spec->memory,
                                              .host = spec->host_memory,
                                              .fill_factor = spec->fill_factor,
                                              .footprint = store_footprint,
                                              .arg = job->shared.store};
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
    search__step_estimate(job, job->lower_bound);
    claim_tables(job, 0);
    pthread_mutex_lock(&job->mutex);
    bool wait = job->pending > 0;
    search__job_publish(job);
    job->phase = wait ? SEARCH_PHASE_WAIT : SEARCH_PHASE_FILLED;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

/* The first depth, once the tables at hand say how far the start is at least. */
static void begin_search(struct search_job *job, unsigned bound)
{
    job->searching = true;
    if (bound > job->lower_bound)
        job->lower_bound = bound;
    job->skipped = job->spec.min_length > job->lower_bound;
    job->next_length = job->skipped ? job->spec.min_length : job->lower_bound;
    search__step_estimate(job, job->next_length);
    go_to_depth(job, job->next_length);
}

void search__step_filled(struct search_job *job)
{
    job->spec.events.planned(job->spec.events.arg);
    use_tables(job);
    unsigned bound = search_problem_bound(&job->problem, job->spec.start);
    if (bound == TABLE_UNREACHABLE) {
        end_with_error(job, BASE_ERR_INFEASIBLE,
                       "no word of these moves leads from the start to the target");
        return;
    }
    if (!job->searching) {
        begin_search(job, bound);
        return;
    }
    /* New tables may know at once what the next depths would have shown. */
    if (bound > job->lower_bound && job->found_length < 0 && !job->skipped)
        job->lower_bound = job->next_length = bound;
    go_to_depth(job, job->next_length);
}
