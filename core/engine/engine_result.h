/*
 * engine_result.h - how a job ended, and the events on the way.
 */
#ifndef CORE_ENGINE_ENGINE_RESULT_H
#define CORE_ENGINE_ENGINE_RESULT_H

#include "core/engine/engine_job.h"

enum { ENGINE_TEXT_BYTES = 256 };

struct engine_solution {
    uint8_t length;
    uint8_t move[PUZZLE_MAX_WORD]; /* move indices of the job's puzzle */
    double rank;                   /* ease of execution, smaller is easier */
    uint32_t class_index;          /* solutions of one class share it; from 0 */
};

/* Counts of one length, search-theory section 6. */
struct engine_count {
    uint8_t length;
    uint64_t sequences;
    uint64_t canonical;
    uint64_t classes;
};

struct engine_result {
    enum engine_state state; /* SUCCEEDED, FAILED or CANCELLED */
    int error;               /* of FAILED: a base_err */
    char error_text[ENGINE_TEXT_BYTES];
    int length; /* optimum found, -1: none */
    bool optimal;
    unsigned lower_bound;
    enum engine_limit limit_hit;
    struct engine_solution best; /* valid if length >= 0 */
    bool counted;                /* FIND_ALL that ended without a limit: counts are exact */
    unsigned n_counts;           /* by length, ascending; the first is that of `length` */
    struct engine_count count[16];
    uint64_t n_solutions; /* stored, sorted by (length, rank, text) */
    uint64_t nodes;
    double seconds; /* running */
};

/* Valid once DONE was delivered. Solutions are borrowed until the job is released. */
const struct engine_result *engine_job_result(const struct engine_job *job);
const struct engine_solution *engine_job_solution(const struct engine_job *job, uint64_t index);

enum engine_event_kind {
    ENGINE_EVENT_STATE,      /* every transition but the last */
    ENGINE_EVENT_PLAN,       /* the plan; read it from the snapshot */
    ENGINE_EVENT_TABLE,      /* a fill's progress */
    ENGINE_EVENT_DEPTH,      /* a depth is complete */
    ENGINE_EVENT_SOLUTION,   /* one per class, verified and new */
    ENGINE_EVENT_INCUMBENT,  /* verified, not proven; shorter than the one before; none follows a
                                SOLUTION */
    ENGINE_EVENT_CHECKPOINT, /* one can be taken: engine_job_checkpoint_take */
    ENGINE_EVENT_DONE        /* last */
};

struct engine_event {
    enum engine_event_kind kind;
    uint64_t cookie;
    union {
        enum engine_state state;
        struct {
            char orbits[64];
            char kind[24];
            unsigned layer;  /* complete */
            double fraction; /* of all entries that are set */
            uint64_t entries;
            double seconds;
        } table;
        struct {
            unsigned depth;
            unsigned lower_bound;
            uint64_t nodes;
            double seconds;
            double nodes_per_second;
        } depth;
        struct engine_solution solution; /* of INCUMBENT, too: class_index means nothing */
    } u;
};

/* Takes the next event; false: none is waiting. Events of one job come in order; none follow its
 * DONE, and none come for a released job. */
bool engine_poll(struct engine *engine, struct engine_event *out);

#endif
