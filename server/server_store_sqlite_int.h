/*
 * server_store_sqlite_int.h - shared by the files of the SQLite store: two connections, prepared
 * statements by name, and helpers that bind and step.
 */
#ifndef SERVER_SERVER_STORE_SQLITE_INT_H
#define SERVER_SERVER_STORE_SQLITE_INT_H

#include <sqlite3.h>

#include "core/base/base_attr.h"
#include "server/server_store_backend.h"
#include "server/server_store_sqlite_sql_int.h"

enum sqlite_statement {
#define SQLITE_STATEMENT_ENUM(name, sql) SQLITE_##name##_STATEMENT,
    SQLITE_STATEMENT_LIST(SQLITE_STATEMENT_ENUM)
#undef SQLITE_STATEMENT_ENUM
        SQLITE_STATEMENT_COUNT
};

/* One connection; used by one thread. */
struct sqlite_link {
    sqlite3 *db;
    sqlite3_stmt *statement[SQLITE_STATEMENT_COUNT]; /* prepared on first use */
    const struct base_log *log;
};

struct sqlite_store {
    struct sqlite_link writer, reader;
    struct base_log log;
};

/* base_err of an SQLite code; logs what is not an answer. */
int sqlite__error(struct sqlite_link *link, int code);

/* Readies a statement. `format` has one letter per parameter: t text (NULL allowed), i int64_t,
 * b blob (pointer, then size_t), n nothing (SQL NULL). NULL: it could not be prepared or bound.
 * Ends with sqlite__end.
 */
sqlite3_stmt *sqlite__begin(struct sqlite_link *link, enum sqlite_statement which,
                            const char *format, ...);

/* 1: a row is there, 0: no more rows, negative: a base_err. NULL gives BASE_ERR_IO. */
int sqlite__step(struct sqlite_link *link, sqlite3_stmt *statement);
void sqlite__end(sqlite3_stmt *statement);

/* Steps a statement without rows to its end; the number of changed rows or a base_err. */
int sqlite__run(struct sqlite_link *link, sqlite3_stmt *statement);

/* The text of a column, NULL for SQL NULL; borrowed until the next step. */
const char *sqlite__text(sqlite3_stmt *statement, int column);

/* A row of SQLITE_JOB_COLUMNS; texts are borrowed until the next step. */
void sqlite__read_job(sqlite3_stmt *row, struct server_store_job *out);

/* Moves the texts of a record into an arena. */
int sqlite__keep_job(struct server_store_job *job, struct base_arena *arena);

/* ---- for verbs, on the writer thread (server_store_sqlite_write.c) ---------------------- */

/* Runs `verb` so that its failure leaves no trace. */
int sqlite__atomically(struct sqlite_link *link, struct server_store_op *op,
                       int (*verb)(struct sqlite_link *, struct server_store_op *));

/* Has the op's key been used? Then the outcome is set and *id is what was accepted with it, in the
 * op's arena; else *id is NULL. */
int sqlite__key_find(struct sqlite_link *link, struct server_store_op *op, const char **id);
int sqlite__key_add(struct sqlite_link *link, const struct server_store_op *op, const char *id);

/* The turn that was called last in the queue of this priority. */
int sqlite__clock(struct sqlite_link *link, unsigned priority, int64_t *out);

/* Adds a job, queued or answered by an equal result, with the op's events for either; sets its
 * `seq`, `state` and `cached`. `batch_seq` 0: of no batch. */
int sqlite__add_job(struct sqlite_link *link, const struct server_store_op *op,
                    struct server_store_job *job, int64_t batch_seq);

/* The record, its events and keys, and its result if nobody else has it. */
int sqlite__remove_job(struct sqlite_link *link, const char *id);

/* The jobs, their common record with its events and key. */
int sqlite__remove_whole_batch(struct sqlite_link *link, struct server_store_op *op,
                               const char *id);

/* ---- the functions of the backend that live in the other files -------------------------- */

int sqlite__enqueue(void *self, struct server_store_op *op);
int sqlite__claim(void *self, struct server_store_op *op);
int sqlite__heartbeat(void *self, struct server_store_op *op);
int sqlite__append(void *self, struct server_store_op *op);
int sqlite__transition(void *self, struct server_store_op *op);
int sqlite__checkpoint(void *self, struct server_store_op *op);
int sqlite__finish(void *self, struct server_store_op *op);
int sqlite__cancel(void *self, struct server_store_op *op);
int sqlite__remove(void *self, struct server_store_op *op);
int sqlite__load(void *self, const char *id, struct base_arena *arena,
                 struct server_store_job *out);
int sqlite__visit_live(void *self, server_store_job_fn *visit, void *arg);
int sqlite__visit_jobs(void *self, const struct server_store_filter *filter,
                       server_store_job_fn *visit, void *arg);
int sqlite__visit_events(void *self, const char *id, uint64_t after, unsigned limit,
                         server_store_event_fn *visit, void *arg);
int sqlite__visit_solutions(void *self, int64_t result_id, uint64_t first, unsigned limit,
                            server_store_solution_fn *visit, void *arg);
int sqlite__enqueue_batch(void *self, struct server_store_op *op);
int sqlite__cancel_batch(void *self, struct server_store_op *op);
int sqlite__remove_batch(void *self, struct server_store_op *op);
int sqlite__prune(void *self, struct server_store_op *op);
int sqlite__load_batch(void *self, const char *id, struct base_arena *arena,
                       struct server_store_batch *out);
int sqlite__pulse_batch(void *self, const char *id, struct server_store_pulse *out);
int sqlite__visit_batches(void *self, int64_t before_seq, unsigned limit,
                          server_store_batch_fn *visit, void *arg);
int sqlite__visit_batch_events(void *self, const char *id, uint64_t after, unsigned limit,
                               server_store_batch_event_fn *visit, void *arg);

#endif
