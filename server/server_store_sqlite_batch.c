/*
 * server_store_sqlite_batch.c - batches in the SQLite store: their verbs, on the writer thread, and
 * their reads, on the loop's.
 */
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_job.h"
#include "server/server_store_sqlite_int.h"

enum { PRIORITIES = 10 };

static struct sqlite_link *writer(void *self)
{
    struct sqlite_store *store = self;

    return &store->writer;
}

static struct sqlite_link *reader(void *self)
{
    struct sqlite_store *store = self;

    return &store->reader;
}

/* ---- rows ----------------------------------------------------------------------------- */

/* Texts are borrowed until the next step. */
static void read_batch(sqlite3_stmt *row, struct server_store_batch *out)
{
    *out = (struct server_store_batch){
        .seq = sqlite3_column_int64(row, 0),
        .id = sqlite__text(row, 1),
        .name = sqlite__text(row, 2),
        .created_us = sqlite3_column_int64(row, 3),
        .n_jobs = (uint64_t)sqlite3_column_int64(row, 4),
        .last_event_id = (uint64_t)sqlite3_column_int64(row, 5),
    };
}

/* What the jobs of the batch tell about it. */
static int count_states(struct sqlite_link *link, struct server_store_batch *batch)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_BATCH_STATES_STATEMENT, "i", batch->seq);
    enum engine_state state;
    int status;

    while ((status = sqlite__step(link, row)) == 1) {
        if (proto_state_parse(sqlite__text(row, 0), &state))
            continue;
        batch->n_state[state] = (uint64_t)sqlite3_column_int64(row, 1);
        if (sqlite3_column_int64(row, 2) > batch->ended_us)
            batch->ended_us = sqlite3_column_int64(row, 2);
    }
    sqlite__end(row);
    return status;
}

static bool keep_text(const char **text, struct base_arena *arena)
{
    if (*text)
        *text = base_arena_text(arena, *text, strlen(*text));
    return *text != NULL;
}

static int load_batch(struct sqlite_link *link, const char *id, struct base_arena *arena,
                      struct server_store_batch *out)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_BATCH_LOAD_STATEMENT, "t", id);
    int status = sqlite__step(link, row);

    if (status == 1) {
        bool named;

        read_batch(row, out);
        named = out->name != NULL;
        status = keep_text(&out->id, arena) && keep_text(&out->name, arena) == named
                     ? 0
                     : BASE_ERR_NOMEM;
    } else if (status == 0) {
        status = BASE_ERR_NOT_FOUND;
    }
    sqlite__end(row);
    return status ? status : count_states(link, out);
}

/* ---- enqueue -------------------------------------------------------------------------- */

/* The jobs of one priority take turns one after the other. */
static int take_turns(struct sqlite_link *link, struct server_store_op *op)
{
    int64_t clock[PRIORITIES] = {0};
    int status = 0;

    for (unsigned i = 0; i < PRIORITIES && !status; i++)
        status = sqlite__clock(link, i, &clock[i]);
    for (uint64_t i = 0; i < op->batch.n_jobs; i++)
        op->jobs[i].turn = ++clock[op->jobs[i].priority % PRIORITIES];
    return status;
}

static int add_batch(struct sqlite_link *link, struct server_store_op *op)
{
    struct server_store_batch *batch = &op->batch;
    int changes =
        sqlite__run(link, sqlite__begin(link, SQLITE_BATCH_ADD_STATEMENT, "ttii", batch->id,
                                        batch->name, batch->created_us, (int64_t)batch->n_jobs));
    int status = changes < 0 ? changes : take_turns(link, op);

    batch->seq = sqlite3_last_insert_rowid(link->db);
    for (uint64_t i = 0; i < batch->n_jobs && !status; i++) {
        op->jobs[i].batch = batch->id;
        op->jobs[i].batch_index = i;
        status = sqlite__add_job(link, op, &op->jobs[i], batch->seq);
    }
    return status ? status : sqlite__key_add(link, op, batch->id);
}

static int enqueue_batch(struct sqlite_link *link, struct server_store_op *op)
{
    const char *known;
    int status = sqlite__key_find(link, op, &known);

    if (status)
        return status;
    if (known)
        return op->outcome == SERVER_STORE_REPLAYED
                   ? load_batch(link, known, &op->arena, &op->batch)
                   : 0;
    op->outcome = SERVER_STORE_ACCEPTED;
    return add_batch(link, op);
}

int sqlite__enqueue_batch(void *self, struct server_store_op *op)
{
    return sqlite__atomically(writer(self), op, enqueue_batch);
}

/* ---- cancel and remove ---------------------------------------------------------------- */

int sqlite__cancel_batch(void *self, struct server_store_op *op)
{
    int changes = sqlite__run(
        writer(self), sqlite__begin(writer(self), SQLITE_BATCH_CANCEL_STATEMENT, "t", op->id));

    return changes < 0 ? changes : 0;
}

static int pulse(struct sqlite_link *link, const char *id, struct server_store_pulse *out)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_BATCH_PULSE_STATEMENT, "t", id);
    int status = sqlite__step(link, row);

    if (status == 1) {
        out->last_event_id = (uint64_t)sqlite3_column_int64(row, 0);
        out->live = sqlite3_column_int(row, 1) != 0;
    }
    sqlite__end(row);
    return status < 0 ? status : status == 0 ? BASE_ERR_NOT_FOUND : 0;
}

/* 1: there was one, 0: there is none left. */
static int remove_member(struct sqlite_link *link, struct server_store_op *op, const char *batch)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_BATCH_MEMBER_STATEMENT, "t", batch);
    int status = sqlite__step(link, row);
    const char *id = status == 1 ? server_store_op_text(op, sqlite__text(row, 0)) : NULL;

    sqlite__end(row);
    if (status <= 0)
        return status;
    status = id ? sqlite__remove_job(link, id) : BASE_ERR_NOMEM;
    return status ? status : 1;
}

/* The record, with which its events lose their numbers, and its key. */
static int remove_record(struct sqlite_link *link, const char *id)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_BATCH_REMOVE_STATEMENT, "t", id);
    int status = sqlite__step(link, row);
    int64_t seq = status == 1 ? sqlite3_column_int64(row, 0) : 0;

    sqlite__end(row);
    if (status >= 0)
        status =
            sqlite__run(link, sqlite__begin(link, SQLITE_BATCH_EVENT_REMOVE_STATEMENT, "i", seq));
    if (status >= 0)
        status = sqlite__run(link, sqlite__begin(link, SQLITE_KEY_REMOVE_STATEMENT, "t", id));
    return status < 0 ? status : 0;
}

int sqlite__remove_whole_batch(struct sqlite_link *link, struct server_store_op *op, const char *id)
{
    int status;

    do
        status = remove_member(link, op, id);
    while (status == 1);
    return status ? status : remove_record(link, id);
}

static int remove_batch(struct sqlite_link *link, struct server_store_op *op)
{
    struct server_store_pulse now;
    int status = pulse(link, op->id, &now);

    if (!status && now.live)
        status = BASE_ERR_CONFLICT;
    return status ? status : sqlite__remove_whole_batch(link, op, op->id);
}

int sqlite__remove_batch(void *self, struct server_store_op *op)
{
    return sqlite__atomically(writer(self), op, remove_batch);
}

/* ---- reads ---------------------------------------------------------------------------- */

int sqlite__load_batch(void *self, const char *id, struct base_arena *arena,
                       struct server_store_batch *out)
{
    return load_batch(reader(self), id, arena, out);
}

int sqlite__pulse_batch(void *self, const char *id, struct server_store_pulse *out)
{
    return pulse(reader(self), id, out);
}

int sqlite__visit_batches(void *self, int64_t before_seq, unsigned limit,
                          server_store_batch_fn *visit, void *arg)
{
    struct sqlite_link *link = reader(self);
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_BATCH_LIST_STATEMENT, "ii",
                                      before_seq ? before_seq : INT64_MAX, (int64_t)limit);
    struct server_store_batch batch;
    int status;

    while ((status = sqlite__step(link, row)) == 1) {
        read_batch(row, &batch);
        status = count_states(link, &batch);
        if (!status)
            status = visit(arg, &batch);
        if (status)
            break;
    }
    sqlite__end(row);
    return status;
}

int sqlite__visit_batch_events(void *self, const char *id, uint64_t after, unsigned limit,
                               server_store_batch_event_fn *visit, void *arg)
{
    struct sqlite_link *link = reader(self);
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_BATCH_EVENT_LIST_STATEMENT, "tii", id,
                                      (int64_t)after, (int64_t)limit);
    int status;

    while ((status = sqlite__step(link, row)) == 1) {
        struct server_store_batch_event event = {
            .id = (uint64_t)sqlite3_column_int64(row, 0),
            .job = sqlite__text(row, 1),
            .index = (uint64_t)sqlite3_column_int64(row, 2),
            .event = {(uint64_t)sqlite3_column_int64(row, 3), sqlite__text(row, 4),
                      sqlite__text(row, 5)},
        };

        status = visit(arg, &event);
        if (status)
            break;
    }
    sqlite__end(row);
    return status;
}
