/*
 * engine_job.h - what can be asked of the engine: specs, jobs, and their progress.
 */
#ifndef CORE_ENGINE_ENGINE_JOB_H
#define CORE_ENGINE_ENGINE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_diag.h"
#include "core/cycle/cycle.h"
#include "core/puzzle/puzzle.h"
#include "core/search/search_wish.h"

struct engine;
struct engine_job;

enum { ENGINE_MAX_TABLES = 8, ENGINE_KEY_BYTES = 40 };

enum engine_find { ENGINE_FIND_ONE, ENGINE_FIND_ALL };

struct engine_limits {
    double seconds;        /* from first running; 0: none */
    uint64_t nodes;        /* 0: none */
    uint64_t memory_bytes; /* every table the job reads; 0: the engine's */
    uint64_t solutions;    /* cap of the stored list; 0: 10 000. Counts stay exact */
};

struct engine_spec {
    const struct puzzle *puzzle;           /* with the job's move set; acquired by the engine */
    const struct cycle_structure *targets; /* canonical, feasible, at least one; copied */
    size_t n_targets;
    const uint8_t *start; /* shape bytes, copied; NULL or identity: a cycle job */
    enum engine_find find;
    unsigned slack; /* with ENGINE_FIND_ALL: solutions up to so many moves above optimal */
    unsigned min_length;
    unsigned max_length; /* inclusive; UINT_MAX: none */
    bool max_length_set; /* max_length counts only if set, so that 0 can be asked for */
    unsigned priority;   /* 0 low .. 9 high */
    struct engine_limits limits;
    struct search_wishes tables; /* all zero: the engine chooses */
    uint64_t cookie;             /* of the caller, returned in every event */
    /* To go on from where a job with the same problem was: see engine_job_checkpoint. Borrowed for
     * the call. One that is damaged or does not fit is told to the log, and the job begins from its
     * start. NULL: none. */
    const void *checkpoint;
    size_t checkpoint_bytes;
};

/* Queues the job. It starts at once if fewer than the engine's share of jobs are running. On
 * success *out holds a reference (release it after DONE or when no longer interested; releasing a
 * live job cancels it). BASE_ERR_UNSUPPORTED, BASE_ERR_RANGE, BASE_ERR_NOMEM, BASE_ERR_BUSY
 * (draining). */
int engine_submit(struct engine *engine, const struct engine_spec *spec, struct engine_job **out,
                  struct base_diag *diag);

/* Idempotent; DONE with outcome CANCELLED follows within 100 ms unless the job had ended. */
void engine_job_cancel(struct engine_job *job);
void engine_job_pause(struct engine_job *job);
void engine_job_resume(struct engine_job *job);
void engine_job_release(struct engine_job *job);

/*
 * Asks for a checkpoint of the search, from which a job in another engine (with other threads,
 * tables and limits, too) comes to the same answer; nodes and seconds are counted on. Does not
 * wait: ENGINE_EVENT_CHECKPOINT follows within milliseconds, also of a paused job and, before DONE,
 * of one that is cancelled right after. It does not follow while there is nothing to keep, or
 * nothing yet that rests on verified tables.
 */
void engine_job_checkpoint(struct engine_job *job);
/* The last one: opaque, new (free), *bytes long. NULL: none since the last call. */
void *engine_job_checkpoint_take(struct engine_job *job, size_t *bytes);

enum engine_state {
    ENGINE_QUEUED,
    ENGINE_RUNNING,
    ENGINE_PAUSED,
    ENGINE_SUCCEEDED, /* also when a limit was hit or max_length reached */
    ENGINE_FAILED,
    ENGINE_CANCELLED
};

enum engine_limit {
    ENGINE_LIMIT_NONE,
    ENGINE_LIMIT_SECONDS,
    ENGINE_LIMIT_NODES,
    ENGINE_LIMIT_MEMORY /* of the engine, for the solutions of a job */
};

struct engine_table_plan {
    char orbits[64];  /* "corners", "corners+edges" */
    char kind[24];    /* "exact", "approximate", "cycle_structure", "fixed", "product" */
    char variant[8];  /* of the kind "approximate": "subset", "hash"; else "" */
    char encoding[8]; /* "none", "nxopt", "tans" */
    char state[12];   /* "missing", "growing", "sealed" */
    char why[160];
    uint64_t bytes;
    char key[ENGINE_KEY_BYTES]; /* "" : there is no table */
    double fill_seconds;        /* what a fill on all threads is estimated to take */
};

struct engine_plan {
    unsigned n_tables;
    struct engine_table_plan table[ENGINE_MAX_TABLES];
    unsigned estimated_length; /* before anything was searched */
    double estimated_nodes, estimated_seconds;
    unsigned forecast_length; /* by what the search has shown since */
    double forecast_nodes, forecast_seconds;
    bool ended; /* and then: */
    uint64_t actual_nodes;
    double actual_seconds;
};

struct engine_progress {
    unsigned depth;       /* being searched */
    unsigned lower_bound; /* proven: no solution is shorter */
    double fraction;      /* of this depth's work, 0 .. 1 */
    uint64_t nodes;       /* so far, all depths */
    double nodes_per_second;
    double elapsed_seconds; /* since first running */
    double eta_seconds;     /* until this depth ends; negative: unknown */
    /* The shortest solution known, if the search has not found one itself; length 0: none. */
    uint8_t incumbent_length;
    uint8_t incumbent[PUZZLE_MAX_WORD];
};

struct engine_snapshot {
    enum engine_state state;
    struct engine_plan plan;
    struct engine_progress progress;
};

/* Cheap enough for every request; never waits for a worker. */
void engine_job_snapshot(const struct engine_job *job, struct engine_snapshot *out);

#endif
