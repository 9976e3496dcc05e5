/*
 * server_store_record.h - what the store keeps: jobs, their events, batches of jobs.
 */
#ifndef SERVER_SERVER_STORE_RECORD_H
#define SERVER_SERVER_STORE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine/engine.h"

/* A job as it is stored. Texts are UTF-8, NULL where there is none, and belong to the arena of the
 * op or read that brought the record. Times are microseconds since 1970, 0: not yet. */
struct server_store_job {
    const char *id;
    enum engine_state state;
    uint64_t version, attempt;
    unsigned priority;
    bool fresh, cached, cancel_requested;
    int64_t created_us, started_us, ended_us;
    const char *puzzle, *label;
    const char *equal_key;   /* jobs with the same key have the same answer */
    uint64_t solutions_cap;  /* length of the stored list at most */
    const char *request;     /* JSON, as understood; enough to run the job again */
    const char *target;      /* JSON */
    const char *plan;        /* JSON, from the end on */
    const char *progress;    /* JSON, from the end on */
    const char *error_text;  /* of a failed job */
    const char *shared_with; /* id of the job whose search it shared */
    int64_t result_id;       /* 0: none */
    const char *result;      /* JSON */
    uint64_t n_solutions;    /* stored */
    uint64_t last_event_id;
    int64_t seq;           /* order of acceptance; the cursor of lists */
    int64_t turn;          /* place in line among those of its priority, the smallest first */
    const char *batch;     /* id; NULL: a single job */
    uint64_t batch_index;  /* place in its batch, from 0 */
    const char *principal; /* key of the one whose job it is (server_principal.h); NULL: nobody's */
};

struct server_store_event {
    uint64_t id;
    const char *kind; /* wire name: "state", "depth", ... */
    const char *data; /* JSON in one line; NULL: `done`, whose data is the job itself */
};

/* An event in the stream of a batch, which has a sequence of ids of its own: strictly increasing
 * in the order in which the events became durable, never reused. */
struct server_store_batch_event {
    uint64_t id; /* in the batch's stream */
    const char *job;
    uint64_t index;                  /* of the job in the batch */
    struct server_store_event event; /* in the job's stream */
};

/* What to remove of that which has ended, oldest end first: a job that is in no batch, or a batch
 * with all its jobs. */
struct server_store_prune {
    int64_t expired_us; /* what ended before this goes */
    int64_t spared_us;  /* nothing that ended at or after this goes, however large the store is */
    uint64_t max_bytes; /* while the store needs more, the oldest goes; 0: however large it is */
    unsigned limit;     /* of removals; each is a job or a batch */
    /* out */
    unsigned n_removed;
    uint64_t bytes; /* that the store needs now; free pages of its file do not count */
    bool more;      /* `limit` ended it */
};

/* Jobs that came together. All that moves is told by the jobs; the counts are of those that have
 * not been removed since. */
struct server_store_batch {
    const char *id, *name;        /* name NULL: none */
    int64_t created_us, ended_us; /* ended_us: of the last end so far */
    uint64_t n_jobs;              /* accepted */
    uint64_t n_state[ENGINE_CANCELLED + 1];
    uint64_t last_event_id;
    int64_t seq;
};

#endif
