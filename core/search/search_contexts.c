/*
 * search_contexts.c - a small cache of contexts; making one takes some 25 ms for the 3x3x3.
 */
#include <pthread.h>
#include <stdlib.h>

#include "core/base/base_err.h"
#include "core/search/search_job.h"

enum { CONTEXTS_KEPT = 16 };

struct search_contexts {
    pthread_mutex_t mutex;
    struct search_context *kept[CONTEXTS_KEPT]; /* most lately used first */
};

int search_contexts_new(struct search_contexts **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return BASE_ERR_NOMEM;
    pthread_mutex_init(&(*out)->mutex, NULL);
    return 0;
}

void search_contexts_free(struct search_contexts *contexts)
{
    if (!contexts)
        return;
    for (unsigned i = 0; i < CONTEXTS_KEPT; i++)
        search_context_release(contexts->kept[i]);
    pthread_mutex_destroy(&contexts->mutex);
    free(contexts);
}

/* Puts `context` first; what is at `from` or falls off the end makes room. */
static void move_to_front(struct search_contexts *contexts, struct search_context *context,
                          unsigned from)
{
    for (unsigned i = from; i > 0; i--)
        contexts->kept[i] = contexts->kept[i - 1];
    contexts->kept[0] = context;
}

int search_contexts_get(struct search_contexts *contexts, const struct puzzle *puzzle,
                        const struct cycle_structure *structures, size_t n,
                        struct search_context **out)
{
    int code = 0;
    unsigned i = 0;
    pthread_mutex_lock(&contexts->mutex);
    while (i < CONTEXTS_KEPT && contexts->kept[i] &&
           !search_context_serves(contexts->kept[i], puzzle, structures, n))
        i++;
    if (i < CONTEXTS_KEPT && contexts->kept[i]) {
        *out = contexts->kept[i];
        move_to_front(contexts, *out, i);
    } else {
        code = search_context_new(puzzle, structures, n, out);
        if (code == 0) {
            if (i == CONTEXTS_KEPT)
                search_context_release(contexts->kept[--i]);
            move_to_front(contexts, *out, i);
        }
    }
    if (code == 0)
        search_context_acquire(*out);
    pthread_mutex_unlock(&contexts->mutex);
    return code;
}
