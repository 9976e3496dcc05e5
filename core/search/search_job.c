/*
 * search_job.c - the job as the pool and the outside see it.
 */
#include "core/search/search_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/search/search_resume_int.h"

/* Nodes between two looks at the clock and at `stop`: well under a millisecond for every kernel. */
enum { CHUNK_NODES = 4096 };

void search__job_refresh(struct search_job *job)
{
    bool takeable = false;
    /* A thread may still be in the beam when the depth it came from has ended. */
    if (job->phase == SEARCH_PHASE_PREPARE || job->phase == SEARCH_PHASE_FILLED)
        takeable = job->running == 0;
    if (job->phase == SEARCH_PHASE_WAIT)
        takeable = search__offer_is_due(job);
    if (job->phase == SEARCH_PHASE_PROVEN)
        takeable = job->unverified == 0 && job->running == 0;
    if (job->phase == SEARCH_PHASE_DEPTH)
        takeable = atomic_load(&job->interrupted) || search__checkpoint_is_due(job)
                       ? job->running == 0
                       : job->ready || search_depth_has_more(&job->depth);
    if (job->phase != SEARCH_PHASE_STEP && atomic_load(&job->stop) != SEARCH_STOP_NONE)
        takeable = job->running == 0;
    if (job->phase == SEARCH_PHASE_ENDED)
        takeable = false;
    /* Relaxed: the pool reads it under its own lock, which search_pool_wake takes after this. */
    atomic_store_explicit(&job->takeable, takeable, memory_order_relaxed);
}

void search__job_publish(struct search_job *job)
{
    if (job->unverified == 0 && !job->distrust)
        job->proven_bound = job->lower_bound;
    job->view = (struct search_view){.depth = job->resume ? job->resume->length : job->depth.length,
                                     .lower_bound = job->proven_bound,
                                     .spent_ns = job->spent_ns,
                                     .began_ns = job->began_ns,
                                     .depth_spent_ns = job->depth.spent_ns,
                                     .depth_began_ns = job->depth.began_ns,
                                     .depth_began_nodes = job->depth.began_nodes};
}

/* Tells about the classes that are new in the set. */
static void tell_solutions(struct search_job *job)
{
    for (; job->classes_told < search_set_classes(job->set); job->classes_told++) {
        struct search_word word;
        double rank;
        search_set_best(job->set, job->classes_told, &word, &rank);
        job->spec.events.solution(job->spec.events.arg, &word, rank);
    }
}

void search__job_tell_held(struct search_job *job)
{
    for (unsigned i = 0; i < job->n_held; i++) {
        const struct search_held_depth *depth = &job->held[i];
        if (job->found_length >= 0 && (int)depth->length >= job->found_length)
            tell_solutions(job);
        job->spec.events.depth(job->spec.events.arg, depth->length, depth->lower_bound,
                               depth->nodes, depth->seconds);
    }
    job->n_held = 0;
    tell_solutions(job);
    job->view.lower_bound = job->proven_bound = job->lower_bound;
}

/* A depth that is searched again, with more tables, is told once: the last time. */
void search__job_tell_depth(struct search_job *job, const struct search_held_depth *depth)
{
    if (job->n_held < BASE_COUNT(job->held))
        job->held[job->n_held++] = *depth;
    if (job->unverified == 0 && !job->distrust)
        search__job_tell_held(job);
}

void search__job_stop(struct search_job *job, enum search_stop stop)
{
    int none = SEARCH_STOP_NONE;
    atomic_compare_exchange_strong(&job->stop, &none, (int)stop);
}

uint64_t search__job_spent_ns(const struct search_job *job)
{
    return job->spent_ns + (job->began_ns ? base_clock_ns() - job->began_ns : 0);
}

void search__job_check_seconds(struct search_job *job)
{
    if (job->spec.seconds > 0 && base_clock_seconds(search__job_spent_ns(job)) >= job->spec.seconds)
        search__job_stop(job, SEARCH_STOP_SECONDS);
}

void search__job_fail(struct search_job *job, int error, const char *text)
{
    if (atomic_load(&job->stop) == SEARCH_STOP_NONE) {
        job->outcome.error = error;
        snprintf(job->outcome.text, sizeof job->outcome.text, "%s", text);
    }
    search__job_stop(job, SEARCH_STOP_ERROR);
}

/* ---- leaves ------------------------------------------------------------------------------ */

static void take_all(struct search_job *job, const struct search_walk *walk)
{
    /* Above the optimum every canonical word is searched for itself: nothing is replaced. */
    int code = search_set_add(job->set, walk->word, walk->length, walk->window != NULL);
    if (code == BASE_ERR_MEMORY_LIMIT)
        search__job_stop(job, SEARCH_STOP_MEMORY);
    else if (code != 0)
        search__job_fail(job, code, "a solution could not be taken in");
    else if (job->unverified == 0 && !job->distrust)
        tell_solutions(job);
}

static void take_best(struct search_job *job, const struct search_walk *walk)
{
    bool better =
        !job->has_best || walk->task < job->best_word_task ||
        (walk->task == job->best_word_task && memcmp(walk->word, job->best_word, walk->length) < 0);
    if (!better)
        return;
    job->has_best = true;
    job->best_word_task = walk->task;
    memcpy(job->best_word, walk->word, walk->length);
    atomic_store_explicit(&job->best_task, walk->task, memory_order_relaxed);
}

bool search__job_leaf(void *arg, const struct search_walk *walk)
{
    struct search_job *job = arg;
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(job->problem.puzzle, job->problem.start, walk->word, walk->length, state);
    if (!search_problem_is_target(&job->problem, state))
        return false;
    pthread_mutex_lock(&job->mutex);
    if (job->spec.find_all)
        take_all(job, walk);
    else
        take_best(job, walk);
    pthread_mutex_unlock(&job->mutex);
    return !job->spec.find_all;
}

/* ---- walks ------------------------------------------------------------------------------- */

static struct search_walk *walk_get(struct search_job *job)
{
    struct search_walk *walk = job->spare;
    if (walk) {
        job->spare = walk->next;
    } else {
        walk = search_walk_new(&job->problem);
        if (walk)
            walk->leaf = (struct search_leaf){.visit = search__job_leaf, .arg = job};
    }
    return walk;
}

static void walk_put(struct search_walk **list, struct search_walk *walk)
{
    walk->next = *list;
    *list = walk;
}

/* FIND_ONE: can nothing that this walk may still find win? With the lock held. */
static bool walk_is_beaten(const struct search_job *job, const struct search_walk *walk)
{
    if (!job->has_best || walk->task < job->best_word_task)
        return false;
    return walk->task > job->best_word_task || search_walk_is_behind(walk, job->best_word);
}

/* Books what a walk has done since the last time. With the lock held. */
static void walk_book(struct search_job *job, struct search_walk *walk)
{
    job->depth.task_nodes[walk->task] += walk->nodes;
    uint64_t nodes =
        atomic_fetch_add_explicit(&job->nodes, walk->nodes, memory_order_relaxed) + walk->nodes;
    walk->nodes = 0;
    for (unsigned t = 0; t < job->problem.n_tables; t++) {
        job->depth.asked[t] += walk->asked[t];
        walk->asked[t] = 0;
    }
    if ((double)(nodes - job->depth.began_nodes) > job->depth.worth_nodes)
        atomic_store(&job->interrupted, true);
    if (job->spec.nodes && nodes >= job->spec.nodes)
        search__job_stop(job, SEARCH_STOP_NODES);
    search__job_check_seconds(job);
}

static void walk_split(struct search_job *job, struct search_walk *walk)
{
    pthread_mutex_lock(&job->mutex);
    struct search_walk *other = NULL;
    if (!atomic_load(&job->interrupted) && !search__checkpoint_is_due(job) && !job->ready &&
        !search_depth_has_more(&job->depth))
        other = walk_get(job);
    if (other && search_walk_split(walk, other)) {
        job->depth.open++;
        walk_put(&job->ready, other);
        search__job_refresh(job);
    } else if (other) {
        walk_put(&job->spare, other);
        other = NULL;
    }
    pthread_mutex_unlock(&job->mutex);
    if (other)
        search_pool_wake(job->shared.pool);
}

/* Runs the walk for a slice. */
static enum search_walk_result walk_slice(struct search_job *job, struct search_walk *walk)
{
    uint64_t end = base_clock_ns() + SEARCH_SLICE_NS;
    enum search_walk_result result;
    do {
        result = search_walk_run(walk, CHUNK_NODES);
        /* Relaxed: a walk that sees these late does a little more, nothing else. */
        if (atomic_load_explicit(&job->stop, memory_order_relaxed) != SEARCH_STOP_NONE ||
            atomic_load_explicit(&job->interrupted, memory_order_relaxed) ||
            atomic_load_explicit(&job->best_task, memory_order_relaxed) <= walk->task)
            break;
        if (result == SEARCH_WALK_PAUSED && search_pool_idle(job->shared.pool) > 0)
            walk_split(job, walk);
    } while (result == SEARCH_WALK_PAUSED && base_clock_ns() < end);
    return result;
}

/* What a thread is to run for a slice. */
struct piece {
    struct search_walk *walk;           /* NULL: there is nothing to take */
    bool is_new;                        /* it is to be started: on the branch, or on the task */
    const struct search_branch *branch; /* NULL: none */
    uint32_t task;
};

/* Starts the walk of a new piece. */
static enum search_walk_result piece_start(struct search_job *job, const struct piece *piece)
{
    struct search_walk *walk = piece->walk;
    struct search_root root;
    bool ended;
    walk->task = piece->task;
    if (atomic_load_explicit(&job->best_task, memory_order_relaxed) < piece->task)
        return SEARCH_WALK_DONE;
    search_frontier_root(job->depth.frontier, piece->task, job->depth.length, &root);
    if (piece->branch) {
        search_walk_resume(walk, &root, piece->branch);
        return SEARCH_WALK_PAUSED;
    }
    return search_walk_start(walk, &root, &ended) ? SEARCH_WALK_PAUSED : SEARCH_WALK_DONE;
}

/* Takes a walk to go on with, or one to be started on a branch or a task. With the lock held. */
static struct piece piece_take(struct search_job *job)
{
    struct search_depth *depth = &job->depth;
    struct piece piece = {.walk = job->ready};
    if (piece.walk) {
        job->ready = piece.walk->next;
        return piece;
    }
    if (!search_depth_has_more(depth))
        return piece;
    piece.walk = walk_get(job);
    piece.is_new = true;
    if (!piece.walk) {
        search__job_fail(job, BASE_ERR_NOMEM, base_err_text(BASE_ERR_NOMEM));
    } else if (depth->branches_taken < depth->n_branches) {
        piece.branch = &depth->branch[depth->branches_taken++];
        piece.task = piece.branch->task;
    } else {
        piece.task = depth->order[depth->taken++];
    }
    return piece;
}

/* Takes back a walk after a slice. With the lock held; true: that was the last one of the depth. */
static bool walk_return(struct search_job *job, struct search_walk *walk,
                        enum search_walk_result result)
{
    walk_book(job, walk);
    if (result == SEARCH_WALK_PAUSED && !walk_is_beaten(job, walk)) {
        walk_put(&job->ready, walk);
        return false;
    }
    walk_put(&job->spare, walk);
    return --job->depth.open == 0;
}

/* ---- the pool's callbacks ---------------------------------------------------------------- */

static bool job_ready(const struct search_work *work)
{
    const struct search_job *job = (const struct search_job *)work;
    return atomic_load_explicit(&job->takeable, memory_order_relaxed);
}

/* Leaves the lock in phase STEP. */
static void begin_step(struct search_job *job)
{
    job->phase = SEARCH_PHASE_STEP;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
}

/* With the lock held, which it releases. */
static void run_offer(struct search_job *job)
{
    search__offer_run(job);
    search__checkpoint_write(job);
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

/* Runs one piece of the current depth, and the step to the next if it was the last. With the lock
 * held, which it releases. */
static void run_piece(struct search_job *job)
{
    if (search__offer_is_due(job)) {
        run_offer(job);
        return;
    }
    struct piece piece = piece_take(job);
    if (!piece.walk) {
        search__job_refresh(job);
        pthread_mutex_unlock(&job->mutex);
        return;
    }
    job->running++;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    enum search_walk_result result = SEARCH_WALK_PAUSED;
    uint64_t began_ns = base_clock_ns();
    if (piece.is_new)
        result = piece_start(job, &piece);
    if (result == SEARCH_WALK_PAUSED)
        result = walk_slice(job, piece.walk);
    pthread_mutex_lock(&job->mutex);
    job->running--;
    job->offer.searched_ns += base_clock_ns() - began_ns;
    if (walk_return(job, piece.walk, result) && atomic_load(&job->stop) == SEARCH_STOP_NONE) {
        begin_step(job);
        search__step_depth(job);
        return;
    }
    search__checkpoint_write(job);
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

/* With the lock held, which it releases. A checkpoint that is due goes first; if a thread is still
 * in a walk, the last one that comes out of it writes it. */
static void run_depth(struct search_job *job)
{
    search__checkpoint_write(job);
    if (search__checkpoint_is_due(job))
        pthread_mutex_unlock(&job->mutex);
    else
        run_piece(job);
}

static void job_slice(struct search_work *work, unsigned thread)
{
    struct search_job *job = (struct search_job *)work;
    (void)thread;
    pthread_mutex_lock(&job->mutex);
    enum search_phase phase = job->phase;
    if (phase == SEARCH_PHASE_STEP || phase == SEARCH_PHASE_ENDED) {
        pthread_mutex_unlock(&job->mutex);
    } else if (atomic_load(&job->stop) != SEARCH_STOP_NONE) {
        if (job->running > 0) {
            pthread_mutex_unlock(&job->mutex);
            return;
        }
        search__checkpoint_write(job);
        begin_step(job);
        search__step_end(job);
    } else if (phase != SEARCH_PHASE_DEPTH && job->running > 0) {
        pthread_mutex_unlock(&job->mutex);
    } else if (phase == SEARCH_PHASE_PREPARE) {
        begin_step(job);
        search__step_prepare(job);
    } else if (phase == SEARCH_PHASE_FILLED) {
        begin_step(job);
        search__step_filled(job);
    } else if (phase == SEARCH_PHASE_PROVEN) {
        begin_step(job);
        search__step_proven(job);
    } else if (phase == SEARCH_PHASE_DEPTH && atomic_load(&job->interrupted)) {
        if (job->running > 0) {
            pthread_mutex_unlock(&job->mutex);
            return;
        }
        begin_step(job);
        if (job->distrust)
            search__step_distrust(job);
        else
            search__step_interrupted(job);
    } else if (phase == SEARCH_PHASE_DEPTH) {
        run_depth(job);
    } else if (phase == SEARCH_PHASE_WAIT && search__offer_is_due(job)) {
        run_offer(job);
    } else {
        search__job_refresh(job);
        pthread_mutex_unlock(&job->mutex);
    }
}

static void job_ended(struct search_work *work)
{
    struct search_job *job = (struct search_job *)work;
    for (unsigned t = 0; t < job->plan.n; t++)
        if (job->claimed[t])
            search_bank_drop(job->shared.bank, &job->claim[t]);
    job->spec.events.ended(job->spec.events.arg);
}

static const struct search_work_ops job_ops = {
    .ready = job_ready, .slice = job_slice, .ended = job_ended};

/* ---- life -------------------------------------------------------------------------------- */

int search_job_start(const struct search_shared *shared, const struct search_job_spec *spec,
                     struct search_job **out)
{
    struct search_job *job = calloc(1, sizeof *job);
    *out = job;
    if (!job)
        return BASE_ERR_NOMEM;
    job->shared = *shared;
    job->spec = *spec;
    job->found_length = -1;
    pthread_mutex_init(&job->mutex, NULL);
    atomic_init(&job->best_task, UINT32_MAX);
    job->phase = SEARCH_PHASE_PREPARE;
    job->work.ops = &job_ops;
    job->work.weight = spec->weight;
    if (spec->checkpoint)
        search__resume_read(job, spec->checkpoint, spec->checkpoint_bytes);
    job->spec.checkpoint = NULL;
    search__job_refresh(job);
    search_pool_add(shared->pool, &job->work);
    return 0;
}

void search_job_cancel(struct search_job *job)
{
    pthread_mutex_lock(&job->mutex);
    search__job_stop(job, SEARCH_STOP_CANCEL);
    search__job_refresh(job);
    bool ended = job->phase == SEARCH_PHASE_ENDED;
    pthread_mutex_unlock(&job->mutex);
    if (!ended)
        search_pool_pause(job->shared.pool, &job->work, false);
}

void search_job_pause(struct search_job *job, bool paused)
{
    search_pool_pause(job->shared.pool, &job->work, paused);
}

void search_job_checkpoint(struct search_job *job)
{
    pthread_mutex_lock(&job->mutex);
    job->checkpoint_wanted = true;
    search__checkpoint_write(job); /* nobody may come by: the job is paused, or waits */
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
}

uint8_t *search_job_checkpoint_take(struct search_job *job, size_t *bytes)
{
    pthread_mutex_lock(&job->mutex);
    uint8_t *checkpoint = job->checkpoint;
    *bytes = job->checkpoint_bytes;
    job->checkpoint = NULL;
    pthread_mutex_unlock(&job->mutex);
    return checkpoint;
}

static void free_walks(struct search_walk *walk)
{
    while (walk) {
        struct search_walk *next = walk->next;
        search_walk_free(walk);
        walk = next;
    }
}

void search_job_free(struct search_job *job)
{
    if (!job)
        return;
    free_walks(job->ready);
    free_walks(job->spare);
    search_frontier_deinit(&job->window_frontier);
    search_frontier_deinit(&job->plain_frontier);
    free(job->depth.order);
    free(job->depth.task_nodes);
    free(job->depth.task_weight);
    free(job->depth.branch);
    search__resume_drop(job);
    free(job->checkpoint);
    search_beam_free(job->offer.beam);
    search_set_free(job->set);
    search_problem_deinit(&job->problem);
    sym_group_free(job->start_group);
    search_context_release(job->context);
    pthread_mutex_destroy(&job->mutex);
    free(job);
}

/* ---- looking in -------------------------------------------------------------------------- */

/* Of the depth's work. Tasks that are open count half. */
static double depth_fraction(const struct search_job *job)
{
    const struct search_depth *depth = &job->depth;
    double fraction = 0;
    for (uint32_t i = 0; i < depth->taken; i++)
        fraction += depth->task_weight[depth->order[i]];
    for (const struct search_walk *walk = job->ready; walk; walk = walk->next)
        fraction -= depth->task_weight[walk->task] / 2;
    for (uint32_t i = depth->branches_taken; i < depth->n_branches; i++)
        if (i == 0 || depth->branch[i].task != depth->branch[i - 1].task)
            fraction -= depth->task_weight[depth->branch[i].task] / 2;
    return fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
}

void search_job_progress_get(struct search_job *job, struct search_job_progress *out)
{
    memset(out, 0, sizeof *out);
    pthread_mutex_lock(&job->mutex);
    const struct search_view *view = &job->view;
    out->incumbent = job->offer.incumbent;
    uint64_t now = base_clock_ns();
    out->depth = view->depth;
    out->lower_bound = view->lower_bound;
    out->nodes = atomic_load_explicit(&job->nodes, memory_order_relaxed);
    if (job->phase == SEARCH_PHASE_ENDED)
        out->elapsed_seconds = job->outcome.seconds;
    else
        out->elapsed_seconds =
            base_clock_seconds(view->spent_ns + (view->began_ns ? now - view->began_ns : 0));
    if (job->phase == SEARCH_PHASE_DEPTH) {
        out->depth_seconds = base_clock_seconds(view->depth_spent_ns + now - view->depth_began_ns);
        out->depth_nodes = out->nodes - view->depth_began_nodes;
        out->fraction = depth_fraction(job);
    }
    bool is_due = job->phase == SEARCH_PHASE_WAIT && search__offer_is_due(job);
    if (is_due)
        search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    if (is_due)
        search_pool_wake(job->shared.pool);
}

unsigned search_job_plan_get(struct search_job *job, struct search_plan *plan,
                             struct search_table_status *status)
{
    pthread_mutex_lock(&job->mutex);
    *plan = job->plan;
    for (unsigned t = 0; t < plan->n; t++) {
        status[t].plan = plan->table[t];
        status[t].state = job->table_state[t];
        status[t].digest = job->digest[t];
    }
    pthread_mutex_unlock(&job->mutex);
    return plan->n;
}

const struct search_job_outcome *search_job_outcome_get(const struct search_job *job)
{
    return &job->outcome;
}
