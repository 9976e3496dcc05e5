/*
 * search_context.c - see the header.
 */
#include "core/search/search_context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/base/base_err.h"
#include "core/base/base_mem.h"

struct search_context_own {
    atomic_uint references;
    unsigned
        n_all_syms; /* of the move set, before those that do not keep the targets were left out */
    pthread_mutex_t mutex; /* guards what follows */
    struct table_structure *steps[PERM_MAX_ORBITS];
    struct table_coord *coord[PERM_MAX_ORBITS][TABLE_MAX_PICK + 1];
    struct table_product *product[TABLE_PRODUCT_FLIP_BITS + 1]; /* [0: coarse, else fine, flips] */
    struct context_hash *hashes; /* newest first; plans choose from few sizes */
};

struct context_hash {
    struct table_hash *hash;
    struct context_hash *next;
};

struct kept_structures {
    const struct cycle_structure *structures;
    size_t n;
};

static bool keeps(const struct sym_group *group, unsigned sym, void *arg)
{
    const struct kept_structures *kept = arg;
    return sym_keeps_structures(group, sym, kept->structures, kept->n);
}

/* Symmetries that keep the structures; *all says how many there are in all. */
static int group_for(const struct puzzle *puzzle, struct kept_structures *kept,
                     struct sym_group **out, unsigned *all)
{
    struct sym_group *group;
    int code = sym_group_new(puzzle, &group);
    if (code != 0)
        return code;
    *all = group->count;
    code = sym_group_filter(group, keeps, kept, out);
    sym_group_free(group);
    return code;
}

static int structures_init(struct search_context *context)
{
    if (!cube3_has_structures(context->puzzle))
        return 0;
    context->structures = base_mem_new(sizeof *context->structures, 64);
    if (!context->structures)
        return BASE_ERR_NOMEM;
    cube3_structures_init(context->structures);
    return 0;
}

int search_context_new(const struct puzzle *puzzle, const struct cycle_structure *structures,
                       size_t n, struct search_context **out)
{
    struct search_context *context = calloc(1, sizeof *context);
    *out = NULL;
    if (!context)
        return BASE_ERR_NOMEM;
    context->own = calloc(1, sizeof *context->own);
    if (!context->own) {
        free(context);
        return BASE_ERR_NOMEM;
    }
    atomic_init(&context->own->references, 1);
    pthread_mutex_init(&context->own->mutex, NULL);
    context->puzzle = puzzle_acquire(puzzle);
    struct kept_structures kept = {structures, n};
    int code = canon_new(puzzle, &context->canon);
    if (code == 0)
        code = group_for(puzzle, &kept, &context->group, &context->own->n_all_syms);
    if (code == 0)
        code = sym_window_new(context->group, &context->window);
    if (code == 0)
        code = structures_init(context);
    if (code != 0) {
        search_context_release(context);
        return code;
    }
    *out = context;
    return 0;
}

struct search_context *search_context_acquire(struct search_context *context)
{
    /* Relaxed: whoever acquires already has a reference. */
    atomic_fetch_add_explicit(&context->own->references, 1, memory_order_relaxed);
    return context;
}

static void free_hashes(struct context_hash *hashes)
{
    while (hashes) {
        struct context_hash *next = hashes->next;
        table_hash_free(hashes->hash);
        free(hashes);
        hashes = next;
    }
}

void search_context_release(struct search_context *context)
{
    /* Acquire-release: the last release must see all that was done under the others. */
    if (!context ||
        atomic_fetch_sub_explicit(&context->own->references, 1, memory_order_acq_rel) > 1)
        return;
    for (unsigned o = 0; o < PERM_MAX_ORBITS; o++) {
        table_structure_free(context->own->steps[o]);
        for (unsigned k = 0; k <= TABLE_MAX_PICK; k++)
            table_coord_free(context->own->coord[o][k]);
    }
    for (unsigned k = 0; k <= TABLE_PRODUCT_FLIP_BITS; k++)
        table_product_free(context->own->product[k]);
    free_hashes(context->own->hashes);
    base_mem_free(context->structures);
    sym_window_free(context->window);
    sym_group_free(context->group);
    canon_free(context->canon);
    puzzle_release(context->puzzle);
    pthread_mutex_destroy(&context->own->mutex);
    free(context->own);
    free(context);
}

bool search_context_serves(const struct search_context *context, const struct puzzle *puzzle,
                           const struct cycle_structure *structures, size_t n)
{
    if (!puzzle_equal(context->puzzle, puzzle) || context->group->count != context->own->n_all_syms)
        return false;
    for (unsigned s = 0; s < context->group->count; s++)
        if (!sym_keeps_structures(context->group, s, structures, n))
            return false;
    return true;
}

int search_context_coord(struct search_context *context, unsigned orbit, unsigned k,
                         const struct table_coord **out)
{
    struct search_context_own *own = context->own;
    int code = 0;
    pthread_mutex_lock(&own->mutex);
    struct table_coord **coord = &own->coord[orbit][k];
    if (!*coord)
        code = k == 0 ? table_coord_new_exact(context->group, orbit, UINT64_MAX, coord)
                      : table_coord_new_subset(context->group, orbit, k, UINT64_MAX, coord);
    *out = *coord;
    pthread_mutex_unlock(&own->mutex);
    return code;
}

int search_context_steps(struct search_context *context, unsigned orbit,
                         const struct table_structure **out)
{
    struct search_context_own *own = context->own;
    int code = 0;
    pthread_mutex_lock(&own->mutex);
    if (!own->steps[orbit])
        code = table_structure_new(context->puzzle, orbit, &own->steps[orbit]);
    *out = own->steps[orbit];
    pthread_mutex_unlock(&own->mutex);
    return code;
}

/* With the lock held. */
static int add_hash(struct search_context *context, unsigned orbit, uint64_t entries)
{
    struct context_hash *added = calloc(1, sizeof *added);
    if (!added)
        return BASE_ERR_NOMEM;
    int code = table_hash_new(context->group, orbit, entries, &added->hash);
    if (code != 0) {
        free(added);
        return code;
    }
    added->next = context->own->hashes;
    context->own->hashes = added;
    return 0;
}

static struct table_hash *find_hash(const struct search_context_own *own, unsigned orbit,
                                    uint64_t entries)
{
    const struct context_hash *at = own->hashes;
    while (at && (at->hash->view.orbit != orbit || at->hash->size != entries))
        at = at->next;
    return at ? at->hash : NULL;
}

int search_context_hash(struct search_context *context, unsigned orbit, uint64_t entries,
                        const struct table_hash **out)
{
    struct search_context_own *own = context->own;
    int code = 0;
    pthread_mutex_lock(&own->mutex);
    *out = find_hash(own, orbit, entries);
    if (!*out) {
        code = add_hash(context, orbit, entries);
        *out = find_hash(own, orbit, entries);
    }
    pthread_mutex_unlock(&own->mutex);
    return code;
}

int search_context_product(struct search_context *context, unsigned k,
                           const struct table_product **out)
{
    struct search_context_own *own = context->own;
    int code = 0;
    *out = NULL;
    if (k > TABLE_PRODUCT_FLIP_BITS)
        return BASE_ERR_RANGE;
    pthread_mutex_lock(&own->mutex);
    if (!own->product[k])
        code = table_product_new(context->group, k > 0, k > 0 ? k : TABLE_PRODUCT_FLIP_BITS,
                                 &own->product[k]);
    *out = own->product[k];
    pthread_mutex_unlock(&own->mutex);
    return code;
}
