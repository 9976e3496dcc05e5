/*
 * engine_result.c - counts, order and cap of a job's solutions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/engine/engine_int.h"
#include "core/search/search_rank.h"

enum { DEFAULT_SOLUTIONS = 10000 };

void engine__solution_set(const struct engine_job *job, const struct search_word *word, double rank,
                          struct engine_solution *out)
{
    (void)job;
    memset(out, 0, sizeof *out);
    out->length = (uint8_t)word->length;
    memcpy(out->move, word->move, word->length);
    out->rank = rank;
    out->class_index = word->class_index;
}

static int compare_solutions(const void *a, const void *b, void *puzzle)
{
    const struct engine_solution *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    if (x->rank < y->rank || x->rank > y->rank)
        return x->rank < y->rank ? -1 : 1;
    return search_word_compare_text(puzzle, x->move, y->move, x->length);
}

/* Classes were numbered as they were found, which depends on threads: number them as they come in
 * the sorted list. */
static int renumber_classes(struct engine_solution *solutions, uint64_t count, uint32_t n_classes)
{
    uint32_t *number = malloc((n_classes + 1) * sizeof *number), next = 0;
    if (!number)
        return BASE_ERR_NOMEM;
    memset(number, 0xff, (n_classes + 1) * sizeof *number);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t *to = &number[solutions[i].class_index];
        if (*to == UINT32_MAX)
            *to = next++;
        solutions[i].class_index = *to;
    }
    free(number);
    return 0;
}

/* The best solutions so far, at most `capacity` of them: a heap with the worst on top, so that
 * memory is bounded by what is kept and not by what was found. */
struct best_solutions {
    struct engine_solution *heap;
    uint64_t count, capacity;
    struct puzzle *puzzle;
};

static void best_sink(struct best_solutions *best, uint64_t at)
{
    for (;;) {
        uint64_t worst = at;
        for (uint64_t child = 2 * at + 1; child <= 2 * at + 2 && child < best->count; child++)
            if (compare_solutions(&best->heap[child], &best->heap[worst], best->puzzle) > 0)
                worst = child;
        if (worst == at)
            return;
        struct engine_solution solution = best->heap[at];
        best->heap[at] = best->heap[worst];
        best->heap[worst] = solution;
        at = worst;
    }
}

static void best_add(struct best_solutions *best, const struct engine_solution *solution)
{
    if (best->count < best->capacity) {
        best->heap[best->count++] = *solution;
        if (best->count == best->capacity)
            for (uint64_t at = best->count / 2; at-- > 0;)
                best_sink(best, at);
    } else if (compare_solutions(solution, &best->heap[0], best->puzzle) < 0) {
        best->heap[0] = *solution;
        best_sink(best, 0);
    }
}

/* The best words of the lengths asked for, sorted. A cancelled job has no time to look through all:
 * it keeps the first. */
static int collect_all(struct engine_job *job, const struct search_set *set, unsigned from,
                       unsigned to)
{
    uint64_t cap = job->spec.limits.solutions ? job->spec.limits.solutions : DEFAULT_SOLUTIONS;
    uint64_t count = 0;
    for (unsigned length = from; length <= to; length++)
        count += search_set_size(set, length);
    struct best_solutions best = {.capacity = count < cap ? count : cap, .puzzle = job->puzzle};
    best.heap = calloc(best.capacity + 1, sizeof *best.heap);
    if (!best.heap)
        return BASE_ERR_NOMEM;
    bool hurried = job->result.state == ENGINE_CANCELLED;
    for (unsigned length = from; length <= to; length++)
        for (uint64_t i = 0; i < search_set_size(set, length); i++) {
            struct search_word word;
            struct engine_solution solution;
            if (hurried && best.count == best.capacity)
                break;
            search_set_word(set, length, i, &word);
            engine__solution_set(job, &word, search_rank(job->puzzle, word.move, word.length),
                                 &solution);
            best_add(&best, &solution);
        }
    qsort_r(best.heap, best.count, sizeof *best.heap, compare_solutions, job->puzzle);
    job->solution = best.heap;
    job->result.n_solutions = best.count;
    return renumber_classes(best.heap, best.count, search_set_classes(set));
}

static int collect_best(struct engine_job *job)
{
    job->solution = malloc(sizeof *job->solution);
    if (!job->solution)
        return BASE_ERR_NOMEM;
    job->solution[0] = job->result.best;
    job->solution[0].class_index = 0;
    job->result.n_solutions = 1;
    return 0;
}

static void set_counts(struct engine_result *result, const struct search_set *set, unsigned from,
                       unsigned to)
{
    for (unsigned length = from; length <= to; length++) {
        struct search_set_counts counts;
        search_set_counts(set, length, &counts);
        if (result->n_counts == sizeof result->count / sizeof result->count[0] ||
            (counts.sequences == 0 && length != from))
            continue;
        result->count[result->n_counts++] = (struct engine_count){.length = (uint8_t)length,
                                                                  .sequences = counts.sequences,
                                                                  .canonical = counts.canonical,
                                                                  .classes = counts.classes};
    }
}

static int solutions_make(struct engine_job *job, const struct search_job_outcome *outcome)
{
    struct engine_result *result = &job->result;
    struct search_word word;
    double rank;
    unsigned from = (unsigned)outcome->length, to = from + job->spec.slack;
    if (to > SEARCH_MAX_LENGTH)
        to = SEARCH_MAX_LENGTH;
    search_set_best(outcome->set, outcome->best_class, &word, &rank);
    engine__solution_set(job, &word, rank, &result->best);
    if (job->spec.find == ENGINE_FIND_ONE)
        return collect_best(job);
    set_counts(result, outcome->set, from, to);
    return collect_all(job, outcome->set, from, to);
}

static void fail(struct engine_result *result, int code, const char *text)
{
    result->state = ENGINE_FAILED;
    result->error = code;
    snprintf(result->error_text, sizeof result->error_text, "%s", text);
}

void engine__result_make(struct engine_job *job)
{
    const struct search_job_outcome *outcome = search_job_outcome_get(job->search);
    struct engine_result *result = &job->result;
    result->state = ENGINE_SUCCEEDED;
    result->length = outcome->length;
    result->optimal = outcome->optimal;
    result->lower_bound = outcome->lower_bound;
    result->nodes = outcome->nodes;
    result->seconds = outcome->seconds;
    if (outcome->stop == SEARCH_STOP_CANCEL)
        result->state = ENGINE_CANCELLED;
    if (outcome->stop == SEARCH_STOP_SECONDS)
        result->limit_hit = ENGINE_LIMIT_SECONDS;
    if (outcome->stop == SEARCH_STOP_NODES)
        result->limit_hit = ENGINE_LIMIT_NODES;
    if (outcome->stop == SEARCH_STOP_MEMORY)
        result->limit_hit = ENGINE_LIMIT_MEMORY;
    if (outcome->stop == SEARCH_STOP_ERROR)
        fail(result, outcome->error, outcome->text);
    result->counted = job->spec.find == ENGINE_FIND_ALL && outcome->stop == SEARCH_STOP_NONE;
    if (outcome->length >= 0) {
        int code = solutions_make(job, outcome);
        if (code != 0)
            fail(result, code, base_err_text(code));
    }
}

const struct engine_result *engine_job_result(const struct engine_job *job)
{
    return &job->result;
}

const struct engine_solution *engine_job_solution(const struct engine_job *job, uint64_t index)
{
    return index < job->result.n_solutions ? &job->solution[index] : NULL;
}
