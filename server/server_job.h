/*
 * server_job.h - the registry of live jobs: those that have not ended. An ended job is in the store
 * alone and is served from there.
 *
 *   queued --claim--> running --finish--> (succeeded, failed, cancelled: in the store)
 *     |  ^              |  ^
 *   pause resume      pause resume
 *     v  |              v  |
 *     paused            paused
 *
 * Acceptance, claims and ends are told only once they are stored: nobody hears of an end that a
 * crash could undo. Pausing and resuming show at once and are stored behind it. What a client asked
 * for is kept in `want` until the scheduler can do it.
 */
#ifndef SERVER_SERVER_JOB_H
#define SERVER_SERVER_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "core/engine/engine.h"
#include "proto/proto_event.h"
#include "proto/proto_job.h"
#include "server/server_list_inl.h"
#include "server/server_queue.h"
#include "server/server_sse.h"
#include "server/server_store_read.h"

struct server;
struct server_principal;
struct server_run;

enum {
    SERVER_JOB_ID_BYTES = 17, /* "j_" and 14 characters; of batches "b_" */
    SERVER_JOB_REFRESH_MS = 500,
    /* A restart goes on so far above the last stored event id: more than may be under way to the
     * store at once (see server_scheduler.c), so that no id is ever given twice. */
    SERVER_JOB_EVENT_ID_GAP = 65536
};

enum server_want { SERVER_WANT_NOTHING, SERVER_WANT_PAUSE, SERVER_WANT_RESUME, SERVER_WANT_CANCEL };

struct server_job {
    struct server_node in_live, in_bucket, in_run, in_documents;
    struct server *server;
    char id[SERVER_JOB_ID_BYTES];
    enum engine_state state;
    uint64_t version, attempt;
    struct server_place place; /* its priority, turn and seq; in the queue while it is queued */
    bool fresh;
    int64_t created_us, started_us;
    char *texts; /* owned: what the next ones point into, label and batch NULL if there is none */
    const char *label, *puzzle, *key, *request, *target, *batch;
    uint64_t batch_index;
    uint64_t solutions_cap;

    struct server_principal *principal; /* whose job it counts as; NULL: nobody's */
    struct server_run *run;             /* NULL: nothing searches for it */
    enum server_want want;              /* set by server_job_want */
    bool ending;       /* its end is on the way to the store; no event may follow */
    char *shared_with; /* id of the job that started the run; owned; NULL: it did itself */
    struct server_list waits;
    struct server_channel *channel;

    /* The document served, built on demand. */
    char *document;                /* owned; NULL: to be built */
    uint64_t document_event_id;    /* it knows of the events up to this one */
    uint64_t document_ms;          /* when it was built */
    struct server_frame *snapshot; /* the document as an event; NULL: to be built */
};

struct server_jobs {
    struct server_list live;      /* in order of acceptance */
    struct server_list documents; /* jobs whose document will be stale, in the order of that */
    struct server_queue queue;
    struct server_list *bucket; /* by id; as many as there are jobs, at least */
    size_t n_buckets, n_live, n_wanting;
    size_t n_state[ENGINE_CANCELLED + 1];
    size_t n_queued_of_batches;
};

void server_jobs_init(struct server_jobs *jobs);
void server_jobs_deinit(struct server_jobs *jobs);

/* Writes a new random id: "j_..." for a job, "b_..." for a batch. */
void server_job_new_id(char kind, char *out);

/* New live job of a record that has not ended; in the registry. NULL: out of memory. */
struct server_job *server_job_new(struct server *server, const struct server_store_job *record);
void server_job_free(struct server_job *job);

/* NULL: no live job has this id. */
struct server_job *server_job_find(struct server *server, const char *id);

void server_job_set_state(struct server_job *job, enum engine_state state);

/* Keeps what a client asked for, until it is done or void (SERVER_WANT_NOTHING). */
void server_job_want(struct server_job *job, enum server_want want);

/* How many queued jobs are before it; negative: it is not queued. */
int64_t server_job_queue_position(const struct server_job *job);

/* Gives the event the next id, sends it to the readers and to the store. */
void server_job_emit(struct server_job *job, enum proto_event event, const char *data);
void server_job_emit_state(struct server_job *job, enum engine_state state);

/* ---- documents (server_document.c) ------------------------------------------------------ */

/* The job as JSON: at most SERVER_JOB_REFRESH_MS old. Borrowed until the loop's next turn; NULL:
 * out of memory. */
const char *server_job_document(struct server_job *job);

/* The document as an event, borrowed; NULL: out of memory. */
struct server_frame *server_job_snapshot(struct server_job *job);

/* The state changed: the next document is a new one. */
void server_job_touch(struct server_job *job);

/* Frees the documents that are stale: a long queue is looked at once, when it is submitted. */
void server_jobs_drop_stale(struct server *server);

/* In a list: new text (free). */
char *server_job_brief(struct server_job *job);

/* The job of a stored record as JSON: new text (free), NULL: out of memory. */
char *server_record_document(struct server *server, const struct server_store_job *record,
                             bool brief);

#endif
