/*
 * server_store_sqlite_int.h - shared by the files of the SQLite store: two connections, prepared
 * statements by name, and helpers that bind and step.
 */
#ifndef SERVER_SERVER_STORE_SQLITE_INT_H
#define SERVER_SERVER_STORE_SQLITE_INT_H

#include <sqlite3.h>

#include "core/base/base_attr.h"
#include "server/server_store_backend.h"

/* Columns of a job record, in the order that sqlite__read_job expects. */
#define SQLITE_JOB_COLUMNS                                                                         \
    "j.id, j.state, j.version, j.attempt, j.priority, j.fresh, j.cached, j.cancel_requested, "     \
    "j.created_us, j.started_us, j.ended_us, j.puzzle, j.label, j.equal_key, j.solutions_cap, "    \
    "j.request, j.target, j.plan, j.progress, j.error_text, j.shared_with, j.result_id, "          \
    "r.document, r.n_solutions, "                                                                  \
    "(SELECT max(e.id) FROM events e WHERE e.job_seq = j.seq), j.seq "                             \
    "FROM jobs j LEFT JOIN results r ON r.id = j.result_id "

/* X(NAME, "SQL") */
#define SQLITE_STATEMENT_LIST(X)                                                                   \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(SAVE, "SAVEPOINT op")                                                                        \
    X(RELEASE, "RELEASE op")                                                                       \
    X(UNDO, "ROLLBACK TO op")                                                                      \
    X(KEY_EXPIRE, "DELETE FROM idempotency WHERE created_us < ?")                                  \
    X(KEY_FIND, "SELECT body_digest, job_id FROM idempotency WHERE key = ?")                       \
    X(KEY_ADD, "INSERT INTO idempotency(key, body_digest, job_id, created_us) VALUES(?,?,?,?)")    \
    X(KEY_REMOVE, "DELETE FROM idempotency WHERE job_id = ?")                                      \
    X(JOB_ADD, "INSERT INTO jobs(state, id, version, priority, fresh, created_us, puzzle, label, " \
               "equal_key, solutions_cap, request, target) "                                       \
               "VALUES('queued', ?,?,?,?,?,?,?,?,?,?,?)")                                          \
    X(JOB_ANSWER, "UPDATE jobs SET state = 'succeeded', cached = 1, result_id = ?, "               \
                  "started_us = created_us, ended_us = created_us WHERE id = ?")                   \
    X(JOB_LOAD, "SELECT " SQLITE_JOB_COLUMNS "WHERE j.id = ?")                                     \
    X(JOB_LIVE, "SELECT " SQLITE_JOB_COLUMNS                                                       \
                "WHERE j.state IN ('queued', 'running', 'paused') ORDER BY j.seq")                 \
    X(JOB_NEXT, "SELECT id FROM jobs INDEXED BY jobs_queue WHERE state = 'queued' "                \
                "ORDER BY priority DESC, seq LIMIT 1")                                             \
    X(JOB_LAPSED, "SELECT id FROM jobs WHERE state = 'running' AND lease_until_us < ? "            \
                  "ORDER BY priority DESC, seq LIMIT 1")                                           \
    X(JOB_CLAIM, "UPDATE jobs SET state = 'running', attempt = attempt + 1, owner = ?, "           \
                 "lease_until_us = ?, version = version + 1, "                                     \
                 "started_us = coalesce(started_us, ?) WHERE id = ? "                              \
                 "AND (state = 'queued' OR (state = 'running' AND lease_until_us < ?3))")          \
    X(JOB_HEARTBEAT, "UPDATE jobs SET lease_until_us = ? WHERE id = ? AND attempt = ? "            \
                     "AND state IN ('running', 'paused') RETURNING cancel_requested")              \
    X(JOB_TRANSITION, "UPDATE jobs SET state = ?, version = max(version, ?) WHERE id = ? "         \
                      "AND attempt = ? AND state IN ('queued', 'running', 'paused')")              \
    X(JOB_FINISH, "UPDATE jobs SET state = ?, version = max(version, ?), ended_us = ?, plan = ?, " \
                  "progress = ?, error_text = ?, shared_with = ?, result_id = ?, cached = ?, "     \
                  "owner = NULL WHERE id = ? AND attempt = ? "                                     \
                  "AND state IN ('queued', 'running', 'paused')")                                  \
    X(JOB_CANCEL, "UPDATE jobs SET cancel_requested = 1 WHERE id = ?")                             \
    X(JOB_REMOVE, "DELETE FROM jobs WHERE id = ? RETURNING seq, result_id")                        \
    X(EVENT_ADD, "INSERT INTO events(job_seq, id, kind, data) "                                    \
                 "SELECT seq, ?, ?, ? FROM jobs WHERE id = ? AND attempt = ?")                     \
    X(EVENT_LIST, "SELECT e.id, e.kind, e.data FROM events e JOIN jobs j ON j.seq = e.job_seq "    \
                  "WHERE j.id = ? AND e.id > ? ORDER BY e.id LIMIT ?")                             \
    X(EVENT_REMOVE, "DELETE FROM events WHERE job_seq = ?")                                        \
    X(RESULT_EQUAL, "SELECT id FROM results WHERE equal_key = ?1 AND reusable = 1 "                \
                    "AND (n_solutions = ?2 OR (complete = 1 AND n_solutions < ?2)) "               \
                    "ORDER BY id DESC LIMIT 1")                                                    \
    X(RESULT_ADD, "INSERT INTO results(equal_key, reusable, complete, n_solutions, document) "     \
                  "SELECT equal_key, ?, ?, ?, ? FROM jobs WHERE id = ?")                           \
    X(RESULT_REMOVE, "DELETE FROM results WHERE id = ?1 "                                          \
                     "AND NOT EXISTS (SELECT 1 FROM jobs WHERE result_id = ?1)")                   \
    X(SOLUTION_ADD, "INSERT INTO solutions(result_id, position, data) VALUES(?,?,?)")              \
    X(SOLUTION_LIST, "SELECT data FROM solutions WHERE result_id = ? AND position >= ? "           \
                     "ORDER BY position LIMIT ?")                                                  \
    X(SOLUTION_REMOVE, "DELETE FROM solutions WHERE result_id = ?")

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
 * d double, n nothing (SQL NULL). NULL: it could not be prepared or bound. Ends with sqlite__end.
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

/* The functions of the backend that live in the other two files. */
int sqlite__enqueue(void *self, struct server_store_op *op);
int sqlite__claim(void *self, struct server_store_op *op);
int sqlite__heartbeat(void *self, struct server_store_op *op);
int sqlite__append(void *self, struct server_store_op *op);
int sqlite__transition(void *self, struct server_store_op *op);
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

#endif
