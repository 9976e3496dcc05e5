/*
 * search_frontier.c - see the header.
 */
#include "core/search/search_frontier.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"

/* A plain frontier grows until it has so many tasks, or the prefixes so many moves. */
enum { ENOUGH_TASKS = 100, LONGEST_PREFIX = 4 };

static int frontier_reserve(struct search_frontier *frontier, uint32_t count)
{
    uint8_t *prefix = realloc(frontier->prefix, (size_t)count * frontier->prefix_length + 1);
    if (prefix)
        frontier->prefix = prefix;
    uint16_t *canon = realloc(frontier->canon, ((size_t)count + 1) * sizeof *canon);
    if (canon)
        frontier->canon = canon;
    return prefix && canon ? 0 : BASE_ERR_NOMEM;
}

int search_frontier_init_window(struct search_frontier *frontier,
                                const struct search_problem *problem)
{
    const struct sym_window *window = problem->context->window;
    *frontier = (struct search_frontier){.window = window, .prefix_length = window->k};
    int code = frontier_reserve(frontier, window->n_classes);
    if (code != 0)
        return code;
    frontier->count = window->n_classes;
    memcpy(frontier->prefix, window->prefix, (size_t)window->n_classes * window->k);
    for (uint32_t c = 0; c < frontier->count; c++)
        frontier->canon[c] =
            problem->context->canon->after[window->prefix[(size_t)(c + 1) * window->k - 1]];
    return 0;
}

/* Does no symmetry of the job make the prefix smaller? */
static bool is_least(const struct search_problem *problem, const uint8_t *prefix, unsigned length)
{
    for (unsigned s = 1; s < problem->group->count; s++) {
        uint8_t image[LONGEST_PREFIX];
        for (unsigned i = 0; i < length; i++)
            image[i] = problem->group->sym[s].move[prefix[i]];
        canon_normalise(problem->context->canon, image, length);
        if (memcmp(image, prefix, length) < 0)
            return false;
    }
    return true;
}

/* Canonical words of prefix_length moves, in order. */
static int plain_collect(struct search_frontier *frontier, const struct search_problem *problem,
                         uint8_t *word, unsigned at, unsigned state)
{
    const struct canon *canon = problem->context->canon;
    if (at == frontier->prefix_length) {
        bool reduced = problem->group->count > 1;
        if (reduced && !is_least(problem, word, at))
            return 0;
        int code = frontier_reserve(frontier, frontier->count + 1);
        if (code != 0)
            return code;
        memcpy(frontier->prefix + (size_t)frontier->count * at, word, at);
        /* A prefix that stands for its images may be followed in any order: see the window rule's
         * first detail. */
        frontier->canon[frontier->count++] =
            (uint16_t)(reduced && at > 0 ? canon->after[word[at - 1]] : state);
        return 0;
    }
    for (unsigned m = 0; m < problem->n_moves; m++) {
        if (!canon_allows(canon, state, m))
            continue;
        word[at] = (uint8_t)m;
        int code = plain_collect(frontier, problem, word, at + 1, canon_next(canon, state, m));
        if (code != 0)
            return code;
    }
    return 0;
}

int search_frontier_init_plain(struct search_frontier *frontier,
                               const struct search_problem *problem, unsigned length)
{
    uint8_t word[LONGEST_PREFIX];
    unsigned longest = length < LONGEST_PREFIX ? length : LONGEST_PREFIX;
    int code = 0;
    *frontier = (struct search_frontier){0};
    for (unsigned at = 0; code == 0 && at <= longest && frontier->count < ENOUGH_TASKS; at++) {
        frontier->prefix_length = at;
        frontier->count = 0;
        code = plain_collect(frontier, problem, word, 0, CANON_FREE);
        if (frontier->count == 0)
            break; /* no word is so long */
    }
    return code;
}

void search_frontier_deinit(struct search_frontier *frontier)
{
    free(frontier->prefix);
    free(frontier->canon);
    *frontier = (struct search_frontier){0};
}

void search_frontier_root(const struct search_frontier *frontier, uint32_t task, unsigned length,
                          struct search_root *root)
{
    *root =
        (struct search_root){.prefix = frontier->prefix + (size_t)task * frontier->prefix_length,
                             .prefix_length = frontier->prefix_length,
                             .canon = frontier->canon[task],
                             .length = length,
                             .task = task,
                             .window = frontier->window,
                             .least = frontier->window ? task + 1 : 0};
}
