/*
 * server_store_sqlite_write.c - the verbs of the SQLite store, run by the writer thread inside the
 * group's transaction. A verb of several statements runs in a savepoint, so that its refusal does
 * not undo its neighbours.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_job.h"
#include "server/server_store_sqlite_int.h"

enum { KEY_LIFE_S = 24 * 3600 };

#define MICROSECONDS INT64_C(1000000)

static struct sqlite_link *writer(void *self)
{
    struct sqlite_store *store = self;

    return &store->writer;
}

/* 0 if a row was changed; nobody: the fence. */
static int fenced(int changes)
{
    return changes < 0 ? changes : changes == 0 ? BASE_ERR_CONFLICT : 0;
}

static int ignore_count(int changes)
{
    return changes < 0 ? changes : 0;
}

int sqlite__atomically(struct sqlite_link *link, struct server_store_op *op,
                       int (*verb)(struct sqlite_link *, struct server_store_op *))
{
    int status = ignore_count(sqlite__run(link, sqlite__begin(link, SQLITE_SAVE_STATEMENT, "")));

    if (status)
        return status;
    status = verb(link, op);
    if (sqlite3_get_autocommit(link->db))
        return status; /* the database gave up the whole transaction: a full disk, say */
    if (status)
        sqlite__run(link, sqlite__begin(link, SQLITE_UNDO_STATEMENT, ""));
    sqlite__run(link, sqlite__begin(link, SQLITE_RELEASE_STATEMENT, ""));
    return status;
}

static int add_events(struct sqlite_link *link, const char *id, uint64_t attempt,
                      const struct server_store_event *event, unsigned n)
{
    int status = 0;

    for (unsigned i = 0; i < n && !status; i++)
        status = fenced(sqlite__run(link, sqlite__begin(link, SQLITE_EVENT_ADD_STATEMENT, "ittti",
                                                        (int64_t)event[i].id, event[i].kind,
                                                        event[i].data, id, (int64_t)attempt)));
    return status;
}

static int load_job(struct sqlite_link *link, struct server_store_op *op, const char *id)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_JOB_LOAD_STATEMENT, "t", id);
    int status = sqlite__step(link, row);

    if (status == 1) {
        sqlite__read_job(row, &op->job);
        status = sqlite__keep_job(&op->job, &op->arena);
    } else if (status == 0) {
        status = BASE_ERR_NOT_FOUND;
    }
    sqlite__end(row);
    return status;
}

/* 0: none. */
static int find_equal(struct sqlite_link *link, const struct server_store_job *job, int64_t *out)
{
    sqlite3_stmt *row;
    int status;

    *out = 0;
    if (job->fresh)
        return 0;
    row = sqlite__begin(link, SQLITE_RESULT_EQUAL_STATEMENT, "ti", job->equal_key,
                        (int64_t)job->solutions_cap);
    status = sqlite__step(link, row);
    if (status == 1)
        *out = sqlite3_column_int64(row, 0);
    sqlite__end(row);
    return status < 0 ? status : 0;
}

/* ---- enqueue -------------------------------------------------------------------------- */

int sqlite__key_find(struct sqlite_link *link, struct server_store_op *op, const char **id)
{
    sqlite3_stmt *row;
    int status;

    *id = NULL;
    if (!op->key)
        return 0;
    status = ignore_count(sqlite__run(link, sqlite__begin(link, SQLITE_KEY_EXPIRE_STATEMENT, "i",
                                                          op->now_us - KEY_LIFE_S * MICROSECONDS)));
    if (status)
        return status;
    row = sqlite__begin(link, SQLITE_KEY_FIND_STATEMENT, "t", op->key);
    status = sqlite__step(link, row);
    if (status == 1) {
        bool same = strcmp(sqlite__text(row, 0), op->body_digest) == 0;

        op->outcome = same ? SERVER_STORE_REPLAYED : SERVER_STORE_MISMATCH;
        *id = server_store_op_text(op, sqlite__text(row, 1));
        status = *id ? 0 : BASE_ERR_NOMEM;
    }
    sqlite__end(row);
    return status;
}

int sqlite__key_add(struct sqlite_link *link, const struct server_store_op *op, const char *id)
{
    if (!op->key)
        return 0;
    return ignore_count(sqlite__run(link, sqlite__begin(link, SQLITE_KEY_ADD_STATEMENT, "ttti",
                                                        op->key, op->body_digest, id, op->now_us)));
}

int sqlite__clock(struct sqlite_link *link, unsigned priority, int64_t *out)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_QUEUE_CLOCK_STATEMENT, "i", (int64_t)priority);
    int status = sqlite__step(link, row);

    *out = status == 1 ? sqlite3_column_int64(row, 0) : 0;
    sqlite__end(row);
    return status < 0 ? status : 0;
}

static int insert_job(struct sqlite_link *link, struct server_store_job *job, int64_t batch_seq)
{
    int status = ignore_count(sqlite__run(
        link, sqlite__begin(link, SQLITE_JOB_ADD_STATEMENT, "tiiiitttittiiit", job->id,
                            (int64_t)job->version, (int64_t)job->priority, (int64_t)job->fresh,
                            job->created_us, job->puzzle, job->label, job->equal_key,
                            (int64_t)job->solutions_cap, job->request, job->target, job->turn,
                            batch_seq, (int64_t)job->batch_index, job->principal)));

    job->seq = sqlite3_last_insert_rowid(link->db);
    return status;
}

static int answer_job(struct sqlite_link *link, const struct server_store_op *op,
                      struct server_store_job *job, int64_t result)
{
    int status = ignore_count(
        sqlite__run(link, sqlite__begin(link, SQLITE_JOB_ANSWER_STATEMENT, "it", result, job->id)));

    job->state = ENGINE_SUCCEEDED;
    job->cached = true;
    job->last_event_id = op->answered_event[BASE_COUNT(op->answered_event) - 1].id;
    return status
               ? status
               : add_events(link, job->id, 0, op->answered_event, BASE_COUNT(op->answered_event));
}

int sqlite__add_job(struct sqlite_link *link, const struct server_store_op *op,
                    struct server_store_job *job, int64_t batch_seq)
{
    int64_t result;
    int status = insert_job(link, job, batch_seq);

    if (!status)
        status = find_equal(link, job, &result);
    if (status)
        return status;
    job->state = ENGINE_QUEUED;
    job->last_event_id = op->n_events ? op->event[op->n_events - 1].id : 0;
    return result ? answer_job(link, op, job, result)
                  : add_events(link, job->id, 0, op->event, op->n_events);
}

static int enqueue(struct sqlite_link *link, struct server_store_op *op)
{
    const char *known;
    int status = sqlite__key_find(link, op, &known);

    if (status)
        return status;
    if (known)
        return op->outcome == SERVER_STORE_REPLAYED ? load_job(link, op, known) : 0;
    status = sqlite__clock(link, op->job.priority, &op->job.turn);
    op->job.turn++;
    if (!status)
        status = sqlite__add_job(link, op, &op->job, 0);
    if (!status)
        status = sqlite__key_add(link, op, op->job.id);
    op->outcome = op->job.cached ? SERVER_STORE_ANSWERED : SERVER_STORE_ACCEPTED;
    return status ? status : load_job(link, op, op->job.id);
}

int sqlite__enqueue(void *self, struct server_store_op *op)
{
    return sqlite__atomically(writer(self), op, enqueue);
}

/* ---- claim and lease ------------------------------------------------------------------ */

/* The queued job that is first in line, else one whose owner let its lease lapse. NULL: none.
 * Calling it moves the clock of the queue to its turn. */
static int pick(struct sqlite_link *link, struct server_store_op *op, const char **id)
{
    sqlite3_stmt *row = sqlite__begin(
        link, op->singles_only ? SQLITE_JOB_NEXT_SINGLE_STATEMENT : SQLITE_JOB_NEXT_STATEMENT, "");
    int status = sqlite__step(link, row);
    int64_t priority = 0, turn = 0;

    if (status == 0) {
        sqlite__end(row);
        row = sqlite__begin(link, SQLITE_JOB_LAPSED_STATEMENT, "i", op->now_us);
        status = sqlite__step(link, row);
    }
    *id = status == 1 ? server_store_op_text(op, sqlite__text(row, 0)) : NULL;
    if (status == 1) {
        priority = sqlite3_column_int64(row, 1);
        turn = sqlite3_column_int64(row, 2);
    }
    sqlite__end(row);
    if (status <= 0)
        return status;
    return ignore_count(sqlite__run(
        link, sqlite__begin(link, SQLITE_QUEUE_ADVANCE_STATEMENT, "ii", turn, priority)));
}

/* Where the search of the claimed job was, if it was interrupted. */
static int get_checkpoint(struct sqlite_link *link, struct server_store_op *op)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_CHECKPOINT_GET_STATEMENT, "i", op->job.seq);
    int status = sqlite__step(link, row);

    if (status == 1)
        status = server_store_op_bytes(op, sqlite3_column_blob(row, 0),
                                       (size_t)sqlite3_column_bytes(row, 0))
                     ? 0
                     : BASE_ERR_NOMEM;
    sqlite__end(row);
    return status;
}

static int claim(struct sqlite_link *link, struct server_store_op *op)
{
    const char *id = op->id;
    int status = id ? 0 : pick(link, op, &id);

    if (status || !id)
        return status;
    status =
        fenced(sqlite__run(link, sqlite__begin(link, SQLITE_JOB_CLAIM_STATEMENT, "tiit", op->owner,
                                               op->now_us + op->lease_us, op->now_us, id)));
    if (!status)
        status = load_job(link, op, id);
    if (!status)
        status = get_checkpoint(link, op);
    return status ? status : find_equal(link, &op->job, &op->result_id);
}

int sqlite__claim(void *self, struct server_store_op *op)
{
    return sqlite__atomically(writer(self), op, claim);
}

int sqlite__heartbeat(void *self, struct server_store_op *op)
{
    struct sqlite_link *link = writer(self);
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_JOB_HEARTBEAT_STATEMENT, "iti",
                                      op->now_us + op->lease_us, op->id, (int64_t)op->attempt);
    int status = sqlite__step(link, row);

    if (status == 1)
        op->cancel_requested = sqlite3_column_int(row, 0) != 0;
    sqlite__end(row);
    return fenced(status);
}

/* ---- the life of a job ---------------------------------------------------------------- */

int sqlite__append(void *self, struct server_store_op *op)
{
    return add_events(writer(self), op->id, op->attempt, op->event, op->n_events);
}

static int transition(struct sqlite_link *link, struct server_store_op *op)
{
    int status =
        fenced(sqlite__run(link, sqlite__begin(link, SQLITE_JOB_TRANSITION_STATEMENT, "titi",
                                               proto_state_name(op->state), (int64_t)op->version,
                                               op->id, (int64_t)op->attempt)));

    return status ? status : add_events(link, op->id, op->attempt, op->event, op->n_events);
}

int sqlite__transition(void *self, struct server_store_op *op)
{
    return sqlite__atomically(writer(self), op, transition);
}

int sqlite__checkpoint(void *self, struct server_store_op *op)
{
    struct sqlite_link *link = writer(self);

    return fenced(sqlite__run(link, sqlite__begin(link, SQLITE_CHECKPOINT_PUT_STATEMENT, "bti",
                                                  op->checkpoint, op->checkpoint_bytes, op->id,
                                                  (int64_t)op->attempt)));
}

static int remove_checkpoint(struct sqlite_link *link, int64_t job_seq)
{
    return ignore_count(
        sqlite__run(link, sqlite__begin(link, SQLITE_CHECKPOINT_REMOVE_STATEMENT, "i", job_seq)));
}

static int add_solutions(struct sqlite_link *link, struct server_store_op *op)
{
    int status = 0;

    for (uint64_t i = 0; i < op->n_solutions && status >= 0; i++) {
        char *solution = op->solution_at(op->solutions, i);

        status = solution
                     ? sqlite__run(link, sqlite__begin(link, SQLITE_SOLUTION_ADD_STATEMENT, "iit",
                                                       op->result_id, (int64_t)i, solution))
                     : BASE_ERR_NOMEM;
        free(solution);
    }
    return ignore_count(status);
}

static int add_result(struct sqlite_link *link, struct server_store_op *op)
{
    int status = fenced(sqlite__run(
        link, sqlite__begin(link, SQLITE_RESULT_ADD_STATEMENT, "iiitt", (int64_t)op->reusable,
                            (int64_t)op->complete, (int64_t)op->n_solutions, op->result, op->id)));

    if (status)
        return status;
    op->result_id = sqlite3_last_insert_rowid(link->db);
    return add_solutions(link, op);
}

static int finish(struct sqlite_link *link, struct server_store_op *op)
{
    int status = op->result && !op->result_id ? add_result(link, op) : 0;

    if (!status)
        status = fenced(sqlite__run(
            link, sqlite__begin(link, SQLITE_JOB_FINISH_STATEMENT, "tiittttiiti",
                                proto_state_name(op->state), (int64_t)op->version, op->now_us,
                                op->plan, op->progress, op->error_text, op->shared_with,
                                op->result_id, (int64_t)op->cached, op->id, (int64_t)op->attempt)));
    if (!status)
        status = add_events(link, op->id, op->attempt, op->event, op->n_events);
    if (!status)
        status = load_job(link, op, op->id);
    return status ? status : remove_checkpoint(link, op->job.seq);
}

int sqlite__finish(void *self, struct server_store_op *op)
{
    return sqlite__atomically(writer(self), op, finish);
}

int sqlite__cancel(void *self, struct server_store_op *op)
{
    return fenced(sqlite__run(
        writer(self), sqlite__begin(writer(self), SQLITE_JOB_CANCEL_STATEMENT, "t", op->id)));
}

/* ---- remove --------------------------------------------------------------------------- */

/* A result lives as long as a job refers to it. */
static int remove_result(struct sqlite_link *link, int64_t result)
{
    int removed =
        sqlite__run(link, sqlite__begin(link, SQLITE_RESULT_REMOVE_STATEMENT, "i", result));

    if (removed <= 0)
        return removed;
    return ignore_count(
        sqlite__run(link, sqlite__begin(link, SQLITE_SOLUTION_REMOVE_STATEMENT, "i", result)));
}

int sqlite__remove_job(struct sqlite_link *link, const char *id)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_JOB_REMOVE_STATEMENT, "t", id);
    int status = sqlite__step(link, row);
    int64_t seq = status == 1 ? sqlite3_column_int64(row, 0) : 0;
    int64_t result = status == 1 ? sqlite3_column_int64(row, 1) : 0;

    sqlite__end(row);
    if (status <= 0)
        return status ? status : BASE_ERR_NOT_FOUND;
    status = ignore_count(
        sqlite__run(link, sqlite__begin(link, SQLITE_EVENT_REMOVE_STATEMENT, "i", seq)));
    if (!status)
        status = remove_checkpoint(link, seq);
    if (!status)
        status = ignore_count(
            sqlite__run(link, sqlite__begin(link, SQLITE_KEY_REMOVE_STATEMENT, "t", id)));
    return status || !result ? status : remove_result(link, result);
}

static int remove_job(struct sqlite_link *link, struct server_store_op *op)
{
    return sqlite__remove_job(link, op->id);
}

int sqlite__remove(void *self, struct server_store_op *op)
{
    return sqlite__atomically(writer(self), op, remove_job);
}
