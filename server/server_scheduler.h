/*
 * server_scheduler.h - the link between the store's queue and the engine: claims what is first in
 * line, starts or shares its search, turns the engine's events into events of jobs, and ends jobs.
 *
 * One claim is under way at a time, except for jobs that can share a running search: those are
 * claimed by id, whatever is before them, because they cost nothing.
 *
 * Batches do not hold up single jobs: those stand in line behind one job of each batch (the store's
 * turns), and the jobs of batches never take all places of running jobs.
 */
#ifndef SERVER_SERVER_SCHEDULER_H
#define SERVER_SERVER_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "server/server_list_inl.h"

struct server;
struct server_job;
struct server_run;

enum {
    SERVER_LEASE_S = 60,
    SERVER_HEARTBEAT_MS = 15000,
    SERVER_POLL_MS = 5000, /* the queue is looked at this often even without a hint */
    SERVER_PROGRESS_MS = 500,
    /* The engine's events wait while so many writes do; below SERVER_JOB_EVENT_ID_GAP. */
    SERVER_MAX_BACKLOG = 32768
};

struct server_scheduler {
    struct server_list runs;
    uint64_t last_cookie;
    unsigned claims; /* under way */
    bool claiming;   /* one of them is for the job that is first in line */
    char owner[96];  /* of leases: host and process */
    uv_timer_t tick;
    uint64_t heartbeat_ms, poll_ms; /* when each was done last */
    double mean_seconds;            /* of finished searches, recent ones weigh more; 0: none yet */
};

/* Readies the tick; nothing is claimed before server_scheduler_recover. */
void server_scheduler_open(struct server *server);

/* Brings back the jobs of the store, before the first request. */
int server_scheduler_recover(struct server *server);

/* Claims while there is room. */
void server_scheduler_kick(struct server *server);

/* A job was accepted. */
void server_scheduler_admit(struct server_job *job);

/* Does what the job wants, if it can be done now; called again when it may have become possible. */
void server_scheduler_settle(struct server_job *job);

/* The engine has events. */
void server_scheduler_take_events(struct server *server);

/* Stops all searches; their jobs go back to the queue. */
void server_scheduler_drain(struct server *server);
bool server_scheduler_is_idle(const struct server *server);

/* Seconds after which it is worth asking again for a job at `position` (negative: it runs). */
unsigned server_scheduler_retry_after(const struct server *server, int64_t position);

void server_scheduler_close(struct server *server);

/* ---- server_finish.c: how jobs end ------------------------------------------------------ */

/* The engine has ended the run: its jobs end one after the other, the first with the result. */
void server_finish_run(struct server_run *run);

/* Ends a job without the end of a search: cancelled (also when it is about to leave its run),
 * failed (with the reason), or answered by a stored result (`result_id` not 0). */
void server_finish_cancelled(struct server_job *job);
void server_finish_failed(struct server_job *job, const char *reason);
void server_finish_cached(struct server_job *job, int64_t result_id);

#endif
