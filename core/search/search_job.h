/*
 * search_job.h - PMIDA*: the driver of one job, from the plan of its tables to its last depth.
 *
 *     PREPARE -> [WAIT for tables] -> (DEPTH -> STEP)* -> END
 *
 * A depth is cut into tasks (search_frontier.h) that the pool's threads take; a walk that is not
 * done after a slice goes back to the job, and is split when threads are idle. The thread that ends
 * the last walk of a depth takes the step to the next. The barrier between depths is the job's own,
 * so other jobs' work fills its gaps.
 *
 * The answer of FIND_ONE does not depend on threads, tables or luck: tasks and words are ordered,
 * and the least (task, word) wins.
 */
#ifndef CORE_SEARCH_SEARCH_JOB_H
#define CORE_SEARCH_SEARCH_JOB_H

#include "core/search/search_bank.h"
#include "core/search/search_beam.h"
#include "core/search/search_plan.h"
#include "core/search/search_set.h"

struct search_job;
struct search_phases;

/* What all jobs of an engine share. */
struct search_shared {
    struct search_pool *pool;
    struct search_bank *bank;
    struct search_contexts *contexts;
    struct search_phases *phases; /* NULL: jobs do without */
    struct table_store *store;
    struct cpu_features features;
};

int search_contexts_new(struct search_contexts **out);
void search_contexts_free(struct search_contexts *contexts);
/* The context for these targets, made if need be (one at a time); released by the caller. */
int search_contexts_get(struct search_contexts *contexts, const struct puzzle *puzzle,
                        const struct cycle_structure *structures, size_t n,
                        struct search_context **out);

enum search_stop {
    SEARCH_STOP_NONE, /* it ran to its end */
    SEARCH_STOP_CANCEL,
    SEARCH_STOP_SECONDS,
    SEARCH_STOP_NODES,
    SEARCH_STOP_MEMORY, /* for the words found */
    SEARCH_STOP_ERROR
};

struct search_table_status {
    enum { SEARCH_TABLE_MISSING, SEARCH_TABLE_GROWING, SEARCH_TABLE_SEALED } state;
    struct search_plan_table plan;
    uint64_t digest; /* of its key; 0: there is no table */
};

struct search_job_progress {
    unsigned depth, lower_bound;
    double fraction;
    uint64_t nodes;
    double elapsed_seconds, depth_seconds;
    uint64_t depth_nodes;
    struct search_beam_word incumbent; /* valid, perhaps not the shortest; length 0: none */
};

/* Called from pool threads, some with the job's lock held: they must return soon and not call the
 * job. Never two of one kind at a time, and in the order in which things happened. */
struct search_job_events {
    void (*running)(void *arg);
    void (*planned)(void *arg); /* the plan or a table's state has changed */
    void (*layer)(void *arg, const struct search_plan_table *table,
                  const struct search_fill_report *report);
    void (*depth)(void *arg, unsigned depth, unsigned lower_bound, uint64_t nodes, double seconds);
    void (*solution)(void *arg, const struct search_word *word, double rank);
    /* Perhaps not the shortest; each is shorter than the last, none comes after a solution. */
    void (*incumbent)(void *arg, const struct search_beam_word *word);
    /* A new checkpoint can be taken. */
    void (*checkpoint)(void *arg);
    /* The checkpoint given is of no use, for this reason: the job begins from its start. */
    void (*refused)(void *arg, const char *reason);
    void (*ended)(void *arg); /* last call; without the lock; the job may be freed from now on */
    void *arg;
};

enum search_purpose {
    SEARCH_FOR_SOLUTIONS,
    SEARCH_FOR_PLAN,  /* makes the plan, finds what of it is there, and ends */
    SEARCH_FOR_TABLES /* fills the tables of the plan, and ends */
};

struct search_job_spec {
    enum search_purpose purpose;
    bool pin;                              /* for tables: they are pinned */
    const struct puzzle *puzzle;           /* borrowed until the job is freed, like the next two */
    const struct cycle_structure *targets; /* canonical and feasible */
    const uint8_t *start;                  /* never NULL */
    size_t n_targets;
    bool find_all;
    unsigned slack;
    unsigned min_length, max_length;           /* max_length <= SEARCH_MAX_LENGTH */
    unsigned weight;                           /* share of the pool, >= 1 */
    double seconds;                            /* 0: no limit */
    uint64_t nodes;                            /* 0: no limit */
    uint64_t solution_memory;                  /* bytes, for all words found; 0: no limit */
    uint64_t memory;                           /* for tables, bytes */
    uint64_t host_memory;                      /* for tables and their fills, bytes */
    double fill_factor;                        /* as in search_plan_limits */
    double incumbent_seconds, incumbent_share; /* as in engine.h, like the next one */
    uint64_t checkpoint_words;
    struct search_wishes wishes;
    const uint8_t *checkpoint; /* to go on from, borrowed for the call; NULL: none */
    size_t checkpoint_bytes;
    struct search_job_events events;
};

/* New, and on the pool at once. BASE_ERR_NOMEM. */
int search_job_start(const struct search_shared *shared, const struct search_job_spec *spec,
                     struct search_job **out);
void search_job_cancel(struct search_job *job);
void search_job_pause(struct search_job *job, bool paused);
void search_job_free(struct search_job *job); /* after `ended` */

/* Asks for a checkpoint (search_checkpoint.h): written once no thread is in a walk of the job,
 * within milliseconds unless what it knows rests on tables that are still being verified; of a
 * paused job, too, and of one that is about to be cancelled. `checkpoint` tells. */
void search_job_checkpoint(struct search_job *job);
/* Hands over the last one written: new (free), *bytes long; NULL: none since the last call. */
uint8_t *search_job_checkpoint_take(struct search_job *job, size_t *bytes);

void search_job_progress_get(struct search_job *job, struct search_job_progress *out);
/* Copies the plan; returns its number of tables. */
unsigned search_job_plan_get(struct search_job *job, struct search_plan *plan,
                             struct search_table_status *status);

/* After `ended`. */
struct search_job_outcome {
    enum search_stop stop;
    int error; /* of SEARCH_STOP_ERROR */
    char text[160];
    int length; /* of the shortest solution, -1: none */
    bool optimal;
    unsigned lower_bound;
    uint32_t best_class;          /* of `set`, if length >= 0 */
    uint64_t nodes, nodes_before; /* in all; of these, what the job's checkpoint had counted */
    double seconds;
    const struct search_set *set; /* borrowed; NULL: nothing was found */
};
const struct search_job_outcome *search_job_outcome_get(const struct search_job *job);

#endif
