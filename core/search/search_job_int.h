/*
 * search_job_int.h - the state of a job, shared by the driver's files.
 *
 *   search_job.c    life, the pool's callbacks, walks: what many threads do at once
 *   search_job_plan.c   what the plan says of the job's cost
 *   search_step.c   preparing, tables, from one depth to the next: what one thread does alone
 * (phase STEP)
 *   search_supply.c tables: claims, and what comes of them
 *   search_resume.c checkpoints: from the job, and back into it
 *   search_tables.c the steps of jobs that search nothing
 *
 * Lock order: the job's mutex, then the bank's or the pool's. Bank calls that may wait for
 * callbacks (claim, drop) are made without the job's mutex, because those callbacks take it.
 */
#ifndef CORE_SEARCH_SEARCH_JOB_INT_H
#define CORE_SEARCH_SEARCH_JOB_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/search/search_depth_int.h"
#include "core/search/search_job.h"
#include "core/search/search_offer_int.h"

enum search_phase {
    SEARCH_PHASE_PREPARE, /* a thread must take the first step */
    SEARCH_PHASE_WAIT,    /* for tables that are being filled */
    SEARCH_PHASE_FILLED,  /* they are: a thread must take the next step */
    SEARCH_PHASE_DEPTH,   /* walks to be run */
    SEARCH_PHASE_PROVEN,  /* the answer is found; it waits for checksums */
    SEARCH_PHASE_STEP,    /* one thread is changing the job */
    SEARCH_PHASE_ENDED
};

struct search_job {
    struct search_work work; /* first, so that a work is its job */
    struct search_shared shared;
    struct search_job_spec spec;
    pthread_mutex_t mutex;
    atomic_bool takeable;    /* for the pool, see job_refresh */
    atomic_int stop;         /* enum search_stop; set once, read by walks without the lock */
    _Atomic uint64_t nodes;  /* of finished pieces; relaxed, a counter */
    atomic_bool interrupted; /* the depth is to be begun again with more tables; set under the lock,
                                a hint to walks */
    atomic_uint best_task; /* FIND_ONE: least task with a solution, UINT32_MAX: none. A hint; `best`
                              decides */
    enum search_phase phase;
    struct search_view view;
    unsigned running; /* threads in a walk or in the beam */
    struct search_context *context;
    struct sym_group *start_group; /* owned; NULL: the context's */
    struct search_problem problem;
    struct search_plan plan;
    struct search_claim claim[SEARCH_PLAN_MAX];
    bool claimed[SEARCH_PLAN_MAX];
    bool denied[SEARCH_PLAN_MAX]; /* it could not be had: plan.table[].why says why */
    int table_state[SEARCH_PLAN_MAX];
    uint64_t digest[SEARCH_PLAN_MAX]; /* of the keys; 0: no table */
    bool pin[SEARCH_PLAN_MAX];        /* of a job for tables */
    unsigned pending;                 /* claims being filled */
    /* Tables whose checksums are still being verified may be asked, but what follows from them is
     * kept back: the proven bound is published and depths are told when all have passed. */
    unsigned unverified;
    bool distrust; /* a table has failed: the search is to begin again from `proven_bound` */
    bool failed[SEARCH_PLAN_MAX];
    bool unreachable;      /* the tables say that there is no solution */
    unsigned proven_bound; /* lower_bound, as far as it rests on verified tables */
    unsigned n_held;
    struct search_held_depth held[SEARCH_MAX_LENGTH + 1];
    struct search_frontier window_frontier, plain_frontier;
    struct search_depth depth;
    struct search_walk *ready; /* walks to go on with */
    struct search_walk *spare;
    bool has_best;
    uint8_t best_word[PUZZLE_MAX_WORD];
    uint32_t best_word_task;
    struct search_set *set;
    unsigned lower_bound; /* no solution is shorter */
    bool searching;       /* the first depth has been chosen */
    unsigned next_length; /* the depth to begin once tables are filled */
    bool skipped;         /* lengths below min_length were not searched */
    int found_length;
    uint64_t began_ns;                /* 0: not yet */
    uint64_t spent_ns;                /* before, by who wrote the checkpoint */
    struct search_checkpoint *resume; /* owned; what of it has not been taken over yet, or NULL */
    bool checkpoint_wanted;
    double next_nodes;   /* of the depth to begin, as far as it can be foreseen */
    uint8_t *checkpoint; /* the last one written and not taken; owned */
    size_t checkpoint_bytes;
    uint32_t classes_told;
    struct search_offer offer;
    struct search_job_outcome outcome;
};

/* Recomputes `takeable`; with the lock held, after any change of what there is to do. */
void search__job_refresh(struct search_job *job);

/* Shows the outside where the job stands; with the lock held. */
void search__job_publish(struct search_job *job);

/* Tells a complete depth, and publishes its bound, unless that has to wait for checksums. With the
 * lock held. */
void search__job_tell_depth(struct search_job *job, const struct search_held_depth *depth);
/* All tables have been verified: tells what was held back. With the lock held. */
void search__job_tell_held(struct search_job *job);

/* Makes the job stop for a reason, unless it stops already. With the lock held. */
void search__job_stop(struct search_job *job, enum search_stop stop);
/* How long it has been running, that before a restart included. */
uint64_t search__job_spent_ns(const struct search_job *job);
/* Stops the job if its time is up. With the lock held. */
void search__job_check_seconds(struct search_job *job);
void search__job_fail(struct search_job *job, int error, const char *text);

/* The steps. Without the lock, in phase STEP; each leaves the job in another phase. */
void search__step_prepare(struct search_job *job);
void search__step_filled(struct search_job *job);
void search__step_depth(struct search_job *job);
void search__step_interrupted(struct search_job *job);
void search__step_proven(struct search_job *job);
void search__step_distrust(struct search_job *job);
void search__step_end(struct search_job *job);

/* Writes down what the job will cost when lengths from `from` on are searched: before anything is,
 * and (forecast) after a depth that was worth the trouble. */
void search__step_estimate(struct search_job *job, unsigned from);
void search__step_forecast(struct search_job *job, unsigned from);

/* A word that the search found: verifies it and takes it in. Returns true if the walk is to end. */
bool search__job_leaf(void *arg, const struct search_walk *walk);

#endif
