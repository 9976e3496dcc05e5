/*
 * server_queue.c - see server_queue.h.
 *
 * In order by key, and as a heap by weight: the tree has the shape that inserting in the order of
 * the weights would give, which is that of a random tree.
 */
#include "server/server_queue.h"

#include "core/base/base_assert.h"
#include "core/base/base_hash.h"

static bool goes_before(const struct server_place *a, const struct server_place *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->turn != b->turn ? a->turn < b->turn : a->seq < b->seq;
}

static uint64_t weight_of(const struct server_place *place)
{
    return base_hash(&place->seq, sizeof(place->seq), 0);
}

static size_t count_of(const struct server_place *place)
{
    return place ? place->n : 0;
}

static void recount(struct server_place *place)
{
    place->n = count_of(place->left) + 1 + count_of(place->right);
}

/* What goes before the key is hung under *before, the rest under *behind. */
static void split(struct server_place *at, const struct server_place *key,
                  struct server_place **before, struct server_place **behind)
{
    if (!at) {
        *before = *behind = NULL;
        return;
    }
    if (goes_before(at, key)) {
        *before = at;
        split(at->right, key, &at->right, behind);
    } else {
        *behind = at;
        split(at->left, key, before, &at->left);
    }
    recount(at);
}

/* All of `a` goes before all of `b`. */
static struct server_place *join(struct server_place *a, struct server_place *b)
{
    if (!a || !b)
        return a ? a : b;
    if (weight_of(a) > weight_of(b)) {
        a->right = join(a->right, b);
        recount(a);
        return a;
    }
    b->left = join(a, b->left);
    recount(b);
    return b;
}

void server_queue_add(struct server_queue *queue, struct server_place *place)
{
    struct server_place **at = &queue->root;
    uint64_t weight = weight_of(place);

    BASE_ASSERT(!place->n);
    while (*at && weight_of(*at) > weight) {
        (*at)->n++;
        at = goes_before(*at, place) ? &(*at)->right : &(*at)->left;
    }
    split(*at, place, &place->left, &place->right);
    recount(place);
    *at = place;
}

void server_queue_remove(struct server_queue *queue, struct server_place *place)
{
    struct server_place **at = &queue->root;

    if (!place->n)
        return;
    while (*at != place) {
        BASE_ASSERT(*at);
        (*at)->n--;
        at = goes_before(*at, place) ? &(*at)->right : &(*at)->left;
    }
    *at = join(place->left, place->right);
    place->left = place->right = NULL;
    place->n = 0;
}

size_t server_queue_before(const struct server_queue *queue, const struct server_place *place)
{
    const struct server_place *at = queue->root;
    size_t n = 0;

    while (at != place) {
        BASE_ASSERT(at);
        if (goes_before(at, place)) {
            n += count_of(at->left) + 1;
            at = at->right;
        } else {
            at = at->left;
        }
    }
    return n + count_of(at->left);
}
