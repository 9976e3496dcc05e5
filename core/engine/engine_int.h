/*
 * engine_int.h - the engine's own state.
 *
 *   engine.c         life, numbers
 *   engine_job.c     a job: from its spec to the search's, and back from the search's callbacks
 *   engine_table.c   the resident tables, and those that jobs for tables will make
 *   engine_event.c   the queue of events
 *   engine_result.c  from the outcome of a search to a result
 *
 * Lock order: a search job's mutex or an engine job's, then the pool's or the engine's. The
 * engine's mutex guards the queue and the counters only; nothing is called with it held.
 */
#ifndef CORE_ENGINE_ENGINE_INT_H
#define CORE_ENGINE_ENGINE_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/engine/engine.h"
#include "core/search/search_job.h"

struct engine_event_node {
    struct engine_event event;
    struct engine_job *job; /* a reference */
    struct engine_event_node *next;
};

struct engine {
    struct base_log log;
    void (*notify)(void *arg);
    void *notify_arg;
    uint64_t memory_bytes;
    double fill_factor;
    double incumbent_seconds, incumbent_share;
    uint64_t solution_bytes;
    uint64_t checkpoint_words;
    struct search_shared shared;
    char kernels[64];
    pthread_mutex_t mutex;
    struct engine_event_node *first, *last;
    unsigned queued, running;
    uint64_t nodes;           /* of jobs that have ended */
    struct engine_job *fills; /* jobs for tables that are running */
};

struct engine_job {
    struct engine *engine;
    /* The owner's, the search's until it has ended, and one for each queued event. */
    atomic_uint references;
    atomic_bool released; /* the owner has no more interest */
    pthread_mutex_t
        mutex;        /* makes a change of state and its event one step; guards begun, paused */
    atomic_int state; /* enum engine_state; read without the lock */
    bool begun, paused;
    enum search_purpose purpose;
    bool pin;                     /* of a job for tables */
    struct engine_job *next_fill; /* under the engine's mutex */
    struct search_job *search;
    struct puzzle *puzzle;           /* acquired */
    struct cycle_structure *targets; /* owned */
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec;
    struct engine_result result;      /* valid once ended */
    struct engine_solution *solution; /* owned; result.n_solutions of them */
};

struct engine_job *engine__job_acquire(struct engine_job *job);
void engine__job_release(struct engine_job *job);

/* The jobs for tables that are running, each with a reference to be released: new (free), NULL:
 * none, or no memory. */
struct engine_job **engine__fills(struct engine *engine, size_t *count);

/* Queues an event for the job's owner; `event->cookie` is filled in. Lost only if memory is. */
void engine__post(struct engine_job *job, struct engine_event *event);

/* Drops all queued events; the engine is closing. */
void engine__drop_events(struct engine *engine);

/* Fills result and solutions from the ended search. */
void engine__result_make(struct engine_job *job);

void engine__solution_set(const struct engine_job *job, const struct search_word *word, double rank,
                          struct engine_solution *out);

#endif
