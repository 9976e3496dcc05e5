/*
 * search_resume.c - from a job to its checkpoint and back.
 */
#include "core/search/search_resume_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"

/* ---- digests ------------------------------------------------------------------------------ */

/* What is searched for. Limits, tables and priority do not change the answer. */
static uint64_t problem_digest(const struct search_job_spec *spec)
{
    uint64_t digest = puzzle_digest(spec->puzzle);
    digest = base_hash(spec->start, puzzle_shape(spec->puzzle)->bytes, digest);
    for (size_t i = 0; i < spec->n_targets; i++)
        digest = base_hash_mix(digest, cycle_hash(&spec->targets[i]));
    digest = base_hash_mix(digest, spec->n_targets);
    digest = base_hash_mix(digest, (uint64_t)spec->slack << 1 | spec->find_all);
    return base_hash_mix(digest, (uint64_t)spec->min_length << 32 | spec->max_length);
}

/* What numbers the tasks and says which words there are: prefixes, machine, ranks. */
static uint64_t frontier_digest(const struct search_job *job,
                                const struct search_frontier *frontier)
{
    const struct canon *canon = job->context->canon;
    const struct sym_window *window = frontier->window;
    uint64_t digest =
        base_hash(frontier->prefix, (size_t)frontier->count * frontier->prefix_length, 0);
    digest = base_hash(frontier->canon, frontier->count * sizeof *frontier->canon, digest);
    digest = base_hash(canon->allowed, canon->n_states * sizeof *canon->allowed, digest);
    digest = base_hash(canon->next, (size_t)canon->n_states * canon->n_moves * sizeof *canon->next,
                       digest);
    return window ? base_hash(window->rank, window->n_words * sizeof *window->rank, digest)
                  : digest;
}

static uint64_t tables_digest(const struct search_job *job)
{
    uint64_t digest = 0;
    for (unsigned t = 0; t < job->plan.n; t++)
        if (job->claimed[t] && job->table_state[t] == SEARCH_TABLE_SEALED)
            digest = base_hash_mix(digest, job->digest[t]);
    return digest;
}

/* ---- out ---------------------------------------------------------------------------------- */

/* The easiest word of each class of fewer than `length` moves. False: so much has been found that
 * making it again would take too long, or there is no memory. */
static bool write_words(const struct search_job *job, unsigned length, struct search_checkpoint *to)
{
    uint64_t all = 0;
    uint32_t n = search_set_classes(job->set);
    for (unsigned l = 0; l < length; l++)
        all += search_set_size(job->set, l);
    to->word = all > job->spec.checkpoint_words ? NULL : calloc(n + 1, sizeof *to->word);
    to->n_words = 0;
    for (uint32_t c = 0; to->word && c < n; c++) {
        struct search_word word;
        double rank;
        search_set_best(job->set, c, &word, &rank);
        if (word.length >= length)
            break; /* shorter words are found before longer ones */
        struct search_beam_word *copy = &to->word[to->n_words++];
        copy->length = (uint8_t)word.length;
        memcpy(copy->move, word.move, word.length);
    }
    return to->word != NULL;
}

static void forget_words(struct search_checkpoint *to)
{
    free(to->word);
    to->word = NULL;
    to->n_words = 0;
}

struct collector {
    const struct search_job *job;
    struct search_checkpoint *to;
    bool failed;
};

static bool is_beaten(const struct search_job *job, const struct search_branch *branch)
{
    if (!job->has_best || branch->task < job->best_word_task)
        return false;
    return branch->task > job->best_word_task ||
           memcmp(branch->word, job->best_word, branch->at) > 0;
}

static void collect(void *arg, const struct search_branch *branch)
{
    struct collector *collector = arg;
    struct search_checkpoint *to = collector->to;
    if (is_beaten(collector->job, branch))
        return;
    if (to->n_branches == to->branch_capacity) {
        uint32_t capacity = 2 * to->branch_capacity + 64;
        struct search_branch *grown = realloc(to->branch, capacity * sizeof *grown);
        collector->failed |= !grown;
        if (!grown)
            return;
        to->branch = grown;
        to->branch_capacity = capacity;
    }
    to->branch[to->n_branches++] = *branch;
}

/* What is left of the walks, and of the branches that none has taken. */
static bool write_branches(const struct search_job *job, struct search_checkpoint *to)
{
    const struct search_depth *depth = &job->depth;
    struct collector collector = {.job = job, .to = to};
    const struct search_branch_visitor visitor = {.visit = collect, .arg = &collector};
    for (const struct search_walk *walk = job->ready; walk; walk = walk->next)
        search_walk_visit_branches(walk, &visitor);
    for (uint32_t i = depth->branches_taken; i < depth->n_branches; i++)
        collect(&collector, &depth->branch[i]);
    return !collector.failed;
}

static bool write_depth(const struct search_job *job, struct search_checkpoint *to)
{
    const struct search_depth *depth = &job->depth;
    to->count = depth->frontier->count;
    to->task = calloc(to->count + 1, sizeof *to->task);
    if (!to->task || !write_branches(job, to))
        return false;
    for (uint32_t t = 0; t < to->count; t++) {
        to->task[t].nodes = depth->task_nodes[t];
        to->task[t].weight = depth->task_weight[t];
    }
    for (uint32_t i = 0; i < depth->taken; i++)
        to->task[depth->order[i]].finished = true;
    for (uint32_t i = 0; i < to->n_branches; i++)
        to->task[to->branch[i].task].finished = false;
    to->frontier = frontier_digest(job, depth->frontier);
    to->tables = tables_digest(job);
    to->other_tables = depth->other_tables;
    to->depth_nodes = to->nodes - depth->began_nodes;
    to->depth_ns = depth->spent_ns + base_clock_ns() - depth->began_ns;
    to->has_best = job->has_best;
    to->best_task = job->has_best ? job->best_word_task : 0;
    to->best.length = (uint8_t)(job->has_best ? depth->length : 0);
    memcpy(to->best.move, job->best_word, to->best.length);
    return true;
}

static void write_state(const struct search_job *job, struct search_checkpoint *to)
{
    to->problem = problem_digest(&job->spec);
    to->nodes = atomic_load_explicit(&job->nodes, memory_order_relaxed);
    to->spent_ns = search__job_spent_ns(job);
    to->n_moves = job->problem.n_moves;
    to->lower_bound = job->lower_bound;
    to->skipped = job->skipped;
    to->found_length = job->found_length;
    to->expected = job->next_nodes;
    to->incumbent = job->offer.incumbent;
}

/* A depth that is under way, with all that it has found. False: that is too much. */
static bool write_under_way(const struct search_job *job, struct search_checkpoint *to)
{
    to->length = job->depth.length;
    bool written = write_words(job, to->length + 1, to) && write_depth(job, to);
    if (written && (double)to->depth_nodes > to->expected)
        to->expected = (double)to->depth_nodes;
    if (!written) {
        forget_words(to);
        free(to->task);
        free(to->branch);
        to->task = NULL;
        to->branch = NULL;
        to->count = to->n_branches = to->branch_capacity = 0;
    }
    return written;
}

/* A depth that has not begun, or of which too much has been found: it is to begin from its start.
 * If that is too much, too, the search is to begin again where the first solutions are. */
static void write_beginning(const struct search_job *job, unsigned length,
                            struct search_checkpoint *to)
{
    to->length = length;
    if (job->found_length < 0 || write_words(job, length, to))
        return;
    forget_words(to);
    to->length = (unsigned)job->found_length;
    to->found_length = -1;
}

static bool is_trusted(const struct search_job *job)
{
    return job->unverified == 0 && !job->distrust;
}

/* A search that waits for tables to begin a depth, or to begin it again. As long as what another
 * checkpoint said is not taken over, that one holds. */
static bool is_between_depths(const struct search_job *job)
{
    return (job->phase == SEARCH_PHASE_WAIT || job->phase == SEARCH_PHASE_FILLED) &&
           job->searching && !job->resume;
}

bool search__checkpoint_is_due(const struct search_job *job)
{
    return job->checkpoint_wanted && is_trusted(job) &&
           (job->phase == SEARCH_PHASE_DEPTH || is_between_depths(job));
}

void search__checkpoint_write(struct search_job *job)
{
    bool under_way = job->phase == SEARCH_PHASE_DEPTH;
    if (!search__checkpoint_is_due(job) || (under_way && job->running > 0))
        return;
    job->checkpoint_wanted = false;
    struct search_checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (!checkpoint)
        return;
    write_state(job, checkpoint);
    if (!under_way)
        write_beginning(job, job->next_length, checkpoint);
    else if (!write_under_way(job, checkpoint))
        write_beginning(job, job->depth.length, checkpoint);
    size_t bytes = 0;
    uint8_t *written = search_checkpoint_encode(checkpoint, &bytes);
    search_checkpoint_free(checkpoint);
    if (!written)
        return;
    free(job->checkpoint);
    job->checkpoint = written;
    job->checkpoint_bytes = bytes;
    job->spec.events.checkpoint(job->spec.events.arg);
}

/* ---- in ----------------------------------------------------------------------------------- */

static void refuse(struct search_job *job, const char *reason)
{
    search__resume_drop(job);
    job->spec.events.refused(job->spec.events.arg, reason);
}

void search__resume_drop(struct search_job *job)
{
    search_checkpoint_free(job->resume);
    job->resume = NULL;
}

void search__resume_read(struct search_job *job, const uint8_t *bytes, size_t length)
{
    int code = search_checkpoint_decode(bytes, length, &job->resume);
    if (code != 0) {
        refuse(job, base_err_text(code));
        return;
    }
    const struct search_checkpoint *resume = job->resume;
    if (resume->problem != problem_digest(&job->spec) ||
        resume->n_moves != puzzle_move_count(job->spec.puzzle)) {
        refuse(job, "it is of another job");
        return;
    }
    atomic_store_explicit(&job->nodes, resume->nodes, memory_order_relaxed);
    job->outcome.nodes_before = resume->nodes;
    job->spent_ns = resume->spent_ns;
    job->lower_bound = job->proven_bound = resume->lower_bound;
    search__job_publish(job);
}

/* Is it a state that a search for this can be in? */
static bool is_possible(const struct search_job *job, const struct search_checkpoint *from)
{
    const struct search_job_spec *spec = &job->spec;
    bool any = from->found_length >= 0;
    unsigned found = any ? (unsigned)from->found_length : from->length;
    if (from->length < spec->min_length || from->length > spec->max_length ||
        from->lower_bound < job->lower_bound || found < from->lower_bound)
        return false;
    if (from->skipped ? from->lower_bound >= spec->min_length : found != from->lower_bound)
        return false;
    if (any && (!spec->find_all || found >= from->length || found < spec->min_length ||
                from->length > found + spec->slack))
        return false;
    if (from->n_words > 0 && !spec->find_all)
        return false;
    return !from->has_best || !spec->find_all;
}

/* Adds the words, which are verified, with their classes. */
static bool take_words(struct search_job *job, const struct search_checkpoint *from)
{
    unsigned least = from->found_length >= 0 ? (unsigned)from->found_length : from->length;
    for (uint32_t i = 0; i < from->n_words; i++) {
        const struct search_beam_word *word = &from->word[i];
        if (atomic_load(&job->stop) != SEARCH_STOP_NONE)
            return true; /* somebody waits for the end, which comes before any search */
        if (word->length < least || word->length + (unsigned)(from->count == 0) > from->length)
            return false;
        /* Its class is all: those that replacement leads to are written down themselves. */
        if (search_set_add(job->set, word->move, word->length, false) != 0 ||
            search_set_classes(job->set) != i + 1)
            return false;
    }
    return from->found_length < 0 || search_set_size(job->set, least) > 0;
}

static bool is_solution(const struct search_job *job, const struct search_beam_word *word)
{
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(job->problem.puzzle, job->problem.start, word->move, word->length, state);
    return search_problem_is_target(&job->problem, state);
}

/* Are these the tasks, and what is left of them words of theirs? */
static bool is_depth(struct search_job *job, const struct search_checkpoint *from)
{
    struct search_root root;
    if (search__step_frontier(job, from->length) != 0)
        return false;
    const struct search_frontier *frontier = job->depth.frontier;
    if (frontier->count != from->count || frontier_digest(job, frontier) != from->frontier)
        return false;
    for (uint32_t i = 0; i < from->n_branches; i++) {
        search_frontier_root(frontier, from->branch[i].task, from->length, &root);
        if (!search_branch_is_valid(&job->problem, &root, &from->branch[i]))
            return false;
    }
    if (!from->has_best)
        return true;
    search_frontier_root(frontier, from->best_task, from->length, &root);
    return search_branch_is_solution(&job->problem, &root, from->best.move);
}

/* Where the search is; the frontier depends on it. */
static void set_state(struct search_job *job, unsigned lower_bound, bool skipped, int found_length)
{
    pthread_mutex_lock(&job->mutex);
    job->lower_bound = lower_bound;
    job->skipped = skipped;
    job->found_length = found_length;
    pthread_mutex_unlock(&job->mutex);
}

/* The checkpoint is of no use after all: nothing of it stays. */
static void undo(struct search_job *job, unsigned lower_bound)
{
    set_state(job, lower_bound, false, -1);
    search_set_free(job->set);
    if (search_set_new(&job->problem, job->spec.solution_memory, &job->set) != 0)
        search__job_fail(job, BASE_ERR_NOMEM, base_err_text(BASE_ERR_NOMEM));
    pthread_mutex_lock(&job->mutex);
    atomic_store_explicit(&job->nodes, 0, memory_order_relaxed);
    job->outcome.nodes_before = 0;
    job->spent_ns = 0;
    job->proven_bound = 0;
    pthread_mutex_unlock(&job->mutex);
    refuse(job, "it does not fit the job");
}

void search__resume_check(struct search_job *job)
{
    const struct search_checkpoint *from = job->resume;
    unsigned lower_bound = job->lower_bound;
    if (!from)
        return;
    bool fits = is_possible(job, from);
    if (fits) {
        set_state(job, from->lower_bound, from->skipped, from->found_length);
        fits = take_words(job, from) && (from->count == 0 || is_depth(job, from)) &&
               (from->incumbent.length == 0 || is_solution(job, &from->incumbent));
    }
    job->depth.frontier = NULL; /* no depth has begun */
    if (!fits) {
        undo(job, lower_bound);
        return;
    }
    pthread_mutex_lock(&job->mutex);
    job->offer.incumbent = from->incumbent;
    job->has_best = from->has_best;
    job->best_word_task = from->best_task;
    memcpy(job->best_word, from->best.move, from->best.length);
    if (from->has_best)
        atomic_store_explicit(&job->best_task, from->best_task, memory_order_relaxed);
    pthread_mutex_unlock(&job->mutex);
}

void search__resume_tell(struct search_job *job)
{
    pthread_mutex_lock(&job->mutex);
    if (job->offer.incumbent.length > 0)
        job->spec.events.incumbent(job->spec.events.arg, &job->offer.incumbent);
    if (is_trusted(job))
        search__job_tell_held(job);
    pthread_mutex_unlock(&job->mutex);
}

/* Tasks that are not to be begun come first in the order. */
static void take_tasks(struct search_depth *depth, struct search_checkpoint *from)
{
    uint32_t n_begun = 0, at = depth->frontier->count;
    for (uint32_t i = 0; i < from->n_branches; i++)
        from->task[from->branch[i].task].finished = true;
    for (uint32_t t = 0; t < from->count; t++) {
        depth->task_nodes[t] = from->task[t].nodes;
        depth->task_weight[t] = from->task[t].weight;
        if (from->task[t].finished)
            depth->order[n_begun++] = t;
    }
    for (uint32_t t = from->count; t-- > 0;)
        if (!from->task[t].finished)
            depth->order[--at] = t;
    depth->taken = n_begun;
}

void search__resume_depth(struct search_job *job)
{
    struct search_checkpoint *from = job->resume;
    struct search_depth *depth = &job->depth;
    if (from && from->length == depth->length && from->count > 0) {
        take_tasks(depth, from);
        depth->branch = from->branch;
        depth->n_branches = from->n_branches;
        from->branch = NULL;
        depth->open = from->count - depth->taken + depth->n_branches;
        depth->began_nodes -= from->depth_nodes;
        depth->spent_ns = from->depth_ns;
        depth->other_tables = from->other_tables || from->tables != tables_digest(job);
    }
    search__resume_drop(job);
}
