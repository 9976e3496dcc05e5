/*
 * search_pool.h - the threads, and which work they do next.
 *
 * A *work* (a job's search, a table's fill) hands out pieces a few milliseconds long. Idle threads
 * take a piece of whatever work is ready, the one that has had least of its share first, so a
 * ten-hour search cannot hold up a ten-millisecond one, and a work with several pieces is spread
 * over all threads.
 *
 * Lock order: a work's own lock, then the pool's. `ready` is called with the pool's lock held and
 * may take none.
 */
#ifndef CORE_SEARCH_SEARCH_POOL_H
#define CORE_SEARCH_SEARCH_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct search_pool;
struct search_work;

/* How long a slice should take: short enough that a pause or a cancel is prompt, long enough not to
 * matter. */
enum { SEARCH_SLICE_NS = 2000000 };

struct search_work_ops {
    bool (*ready)(const struct search_work *work); /* is there a piece to take? lock-free */
    void (*slice)(struct search_work *work, unsigned thread);
    void (*ended)(
        struct search_work *work); /* after search_pool_finish and the last slice; last call */
};

struct search_work {
    const struct search_work_ops *ops;
    unsigned weight; /* of its share, >= 1; search_pool_weigh changes it */
    /* the pool's */
    struct search_work *next;
    uint64_t used; /* nanoseconds of thread time / weight, from a common origin */
    unsigned active;
    bool paused, finished;
};

/* New. Starts the threads; `pin`: each on a processor of its own, as far as there are so many.
 * BASE_ERR_NOMEM, BASE_ERR_IO. */
int search_pool_new(unsigned threads, bool pin, struct search_pool **out);

/* Waits until every work has ended; they must have been told to. */
void search_pool_drain(struct search_pool *pool);

/* Joins the threads. All works must have ended. */
void search_pool_free(struct search_pool *pool);

void search_pool_add(struct search_pool *pool, struct search_work *work);

/* Its share changes from now on. */
void search_pool_weigh(struct search_pool *pool, struct search_work *work, unsigned weight);

/* Something has become ready. */
void search_pool_wake(struct search_pool *pool);

void search_pool_pause(struct search_pool *pool, struct search_work *work, bool paused);

/* No slice starts any more; `ended` follows when the running ones are over (maybe before this
 * returns). */
void search_pool_finish(struct search_pool *pool, struct search_work *work);

unsigned search_pool_threads(const struct search_pool *pool);

/* Threads that found nothing to do: a hint to split work. */
unsigned search_pool_idle(const struct search_pool *pool);

#endif
