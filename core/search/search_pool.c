/*
 * search_pool.c - a fair-share scheduler over plain threads.
 *
 * One lock guards the list of works; it is taken twice a slice (some thousand times a second), so
 * nothing cleverer is needed. Which piece of a work is taken, and splitting, are the work's own
 * business.
 */
#include "core/search/search_pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/base_attr.h"
#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/cpu/cpu_place.h"

struct search_pool {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct search_work *first;
    unsigned ending; /* works whose `ended` is running */
    bool stopping;
    bool pin;
    unsigned n_threads, started;
    atomic_uint idle; /* a hint for readers without the lock, hence relaxed */
    pthread_t *thread;
    atomic_uint next_number;
};

/* Of the ready works, the one with the least used share. */
static struct search_work *pick(struct search_pool *pool)
{
    struct search_work *best = NULL;
    for (struct search_work *work = pool->first; work; work = work->next)
        if (!work->paused && !work->finished && (!best || work->used < best->used) &&
            work->ops->ready(work))
            best = work;
    return best;
}

static void unlink_work(struct search_pool *pool, struct search_work *work)
{
    struct search_work **at = &pool->first;
    while (*at && *at != work)
        at = &(*at)->next;
    if (*at)
        *at = work->next;
}

/* Removes a finished work nobody is in; the caller then calls `ended` without the lock. */
static bool retire(struct search_pool *pool, struct search_work *work)
{
    if (!work->finished || work->active > 0)
        return false;
    unlink_work(pool, work);
    pool->ending++;
    return true;
}

/* The other half of retiring, without the lock on entry and exit. */
static void end_work(struct search_pool *pool, struct search_work *work)
{
    work->ops->ended(work);
    pthread_mutex_lock(&pool->mutex);
    pool->ending--;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

static void run_slice(struct search_pool *pool, struct search_work *work, unsigned number)
{
    work->active++;
    pthread_mutex_unlock(&pool->mutex);
    uint64_t begin = base_clock_ns();
    work->ops->slice(work, number);
    uint64_t spent = base_clock_ns() - begin;
    pthread_mutex_lock(&pool->mutex);
    work->used += spent / work->weight;
    work->active--;
    if (retire(pool, work)) {
        pthread_mutex_unlock(&pool->mutex);
        end_work(pool, work);
        pthread_mutex_lock(&pool->mutex);
    }
}

static void *thread_main(void *arg)
{
    struct search_pool *pool = arg;
    unsigned number = atomic_fetch_add_explicit(&pool->next_number, 1, memory_order_relaxed);
    if (pool->pin)
        (void)cpu_place_pin(number); /* a host that does not let us places threads itself */
    pthread_mutex_lock(&pool->mutex);
    while (!pool->stopping) {
        struct search_work *work = pick(pool);
        if (work) {
            run_slice(pool, work, number);
            continue;
        }
        atomic_fetch_add_explicit(&pool->idle, 1, memory_order_relaxed);
        pthread_cond_wait(&pool->changed, &pool->mutex);
        atomic_fetch_sub_explicit(&pool->idle, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

int search_pool_new(unsigned threads, bool pin, struct search_pool **out)
{
    struct search_pool *pool = calloc(1, sizeof *pool);
    *out = NULL;
    if (!pool)
        return BASE_ERR_NOMEM;
    pool->thread = calloc(threads, sizeof *pool->thread);
    if (!pool->thread) {
        free(pool);
        return BASE_ERR_NOMEM;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->n_threads = threads;
    pool->pin = pin;
    while (pool->started < threads &&
           pthread_create(&pool->thread[pool->started], NULL, thread_main, pool) == 0)
        pool->started++;
    if (pool->started < threads) {
        search_pool_free(pool);
        return BASE_ERR_IO;
    }
    *out = pool;
    return 0;
}

void search_pool_drain(struct search_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->first || pool->ending)
        pthread_cond_wait(&pool->changed, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void search_pool_free(struct search_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->started; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->thread);
    free(pool);
}

/* A new work starts level with the one that has had least, so that it neither waits nor takes over.
 */
void search_pool_add(struct search_pool *pool, struct search_work *work)
{
    pthread_mutex_lock(&pool->mutex);
    work->used = 0;
    for (struct search_work *other = pool->first; other; other = other->next)
        if (other == pool->first || other->used < work->used)
            work->used = other->used;
    work->active = 0;
    work->paused = work->finished = false;
    work->next = pool->first;
    pool->first = work;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

void search_pool_weigh(struct search_pool *pool, struct search_work *work, unsigned weight)
{
    pthread_mutex_lock(&pool->mutex);
    work->weight = weight;
    pthread_mutex_unlock(&pool->mutex);
}

void search_pool_wake(struct search_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

void search_pool_pause(struct search_pool *pool, struct search_work *work, bool paused)
{
    pthread_mutex_lock(&pool->mutex);
    work->paused = paused;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

void search_pool_finish(struct search_pool *pool, struct search_work *work)
{
    pthread_mutex_lock(&pool->mutex);
    work->finished = true;
    bool retired = retire(pool, work);
    pthread_mutex_unlock(&pool->mutex);
    if (retired)
        end_work(pool, work);
}

unsigned search_pool_threads(const struct search_pool *pool)
{
    return pool->n_threads;
}

unsigned search_pool_idle(const struct search_pool *pool)
{
    return atomic_load_explicit(&pool->idle, memory_order_relaxed);
}
