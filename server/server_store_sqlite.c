/*
 * server_store_sqlite.c - the SQLite store: files, schema, statements, transactions.
 *
 * Write-ahead log with synchronous = FULL: a committed transaction survives a power cut, which is
 * what a 202 promises. The file's user_version is the version of the schema; it is raised in the
 * transaction that changes the schema.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "proto/proto_job.h"
#include "server/server_store_sqlite_int.h"

enum { BUSY_MS = 5000 };

/* jobs.seq is never reused (AUTOINCREMENT), so that page cursors stay true; states are the wire
 * names, for whoever looks with a shell. An event without data is `done`. */
static const char JOBS_SCHEMA[] =
    "CREATE TABLE results("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, equal_key TEXT NOT NULL, reusable INTEGER NOT NULL,"
    " complete INTEGER NOT NULL, n_solutions INTEGER NOT NULL, document TEXT NOT NULL) STRICT;"
    "CREATE INDEX results_equal ON results(equal_key) WHERE reusable = 1;"
    "CREATE TABLE solutions("
    " result_id INTEGER NOT NULL, position INTEGER NOT NULL, data TEXT NOT NULL,"
    " PRIMARY KEY(result_id, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE jobs("
    " seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL,"
    " version INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 0, owner TEXT,"
    " lease_until_us INTEGER NOT NULL DEFAULT 0, priority INTEGER NOT NULL,"
    " fresh INTEGER NOT NULL, cached INTEGER NOT NULL DEFAULT 0,"
    " cancel_requested INTEGER NOT NULL DEFAULT 0, created_us INTEGER NOT NULL,"
    " started_us INTEGER, ended_us INTEGER, puzzle TEXT NOT NULL, label TEXT,"
    " equal_key TEXT NOT NULL, solutions_cap INTEGER NOT NULL, request TEXT NOT NULL,"
    " target TEXT NOT NULL, plan TEXT, progress TEXT, error_text TEXT, shared_with TEXT,"
    " result_id INTEGER) STRICT;"
    "CREATE INDEX jobs_queue ON jobs(priority DESC, seq) WHERE state = 'queued';"
    "CREATE INDEX jobs_state ON jobs(state, seq);"
    "CREATE INDEX jobs_label ON jobs(label, seq) WHERE label IS NOT NULL;"
    "CREATE INDEX jobs_result ON jobs(result_id) WHERE result_id IS NOT NULL;"
    "CREATE TABLE events("
    " job_seq INTEGER NOT NULL, id INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT,"
    " PRIMARY KEY(job_seq, id)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE idempotency("
    " key TEXT PRIMARY KEY, body_digest TEXT NOT NULL, job_id TEXT NOT NULL,"
    " created_us INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE INDEX idempotency_age ON idempotency(created_us);"
    "CREATE INDEX idempotency_job ON idempotency(job_id);";

/* Batches. Places in line: a single job takes the turn behind the one that was called last, the
 * jobs of a batch take that and the following ones; so each waits for one job of every batch at
 * most. A trigger numbers the events of a batch's jobs for the batch's stream, in the transaction
 * that makes them durable. idempotency.job_id may name a batch. */
static const char BATCHES_SCHEMA[] =
    "CREATE TABLE batches("
    " seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT,"
    " created_us INTEGER NOT NULL, n_jobs INTEGER NOT NULL,"
    " last_event_id INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE TABLE batch_events("
    " batch_seq INTEGER NOT NULL, id INTEGER NOT NULL, job_seq INTEGER NOT NULL,"
    " event_id INTEGER NOT NULL, PRIMARY KEY(batch_seq, id)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE queue("
    " priority INTEGER PRIMARY KEY, clock INTEGER NOT NULL DEFAULT 0) STRICT;"
    "INSERT INTO queue(priority) VALUES(0),(1),(2),(3),(4),(5),(6),(7),(8),(9);"
    "ALTER TABLE jobs ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE jobs ADD COLUMN batch_seq INTEGER;"
    "ALTER TABLE jobs ADD COLUMN batch_index INTEGER NOT NULL DEFAULT 0;"
    "DROP INDEX jobs_queue;"
    "CREATE INDEX jobs_queue ON jobs(priority DESC, turn, seq) WHERE state = 'queued';"
    "CREATE INDEX jobs_queue_singles ON jobs(priority DESC, turn, seq)"
    " WHERE state = 'queued' AND batch_seq IS NULL;"
    "CREATE INDEX jobs_batch ON jobs(batch_seq, seq) WHERE batch_seq IS NOT NULL;"
    "CREATE INDEX jobs_batch_state ON jobs(batch_seq, state, ended_us)"
    " WHERE batch_seq IS NOT NULL;"
    "CREATE TRIGGER batch_numbers AFTER INSERT ON events"
    " WHEN (SELECT batch_seq FROM jobs WHERE seq = NEW.job_seq) IS NOT NULL BEGIN"
    " UPDATE batches SET last_event_id = last_event_id + 1"
    "  WHERE seq = (SELECT batch_seq FROM jobs WHERE seq = NEW.job_seq);"
    " INSERT INTO batch_events(batch_seq, id, job_seq, event_id)"
    "  SELECT b.seq, b.last_event_id, NEW.job_seq, NEW.id"
    "  FROM jobs j JOIN batches b ON b.seq = j.batch_seq WHERE j.seq = NEW.job_seq;"
    "END;";

static const char PRINCIPALS_SCHEMA[] = "ALTER TABLE jobs ADD COLUMN principal TEXT;";

/* Where the searches of live jobs are: opaque to the store. */
static const char CHECKPOINTS_SCHEMA[] =
    "CREATE TABLE checkpoints(job_seq INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;";

/* For the oldest end, which goes first when room or time is over. */
static const char ENDS_SCHEMA[] = "CREATE INDEX jobs_ended ON jobs(ended_us)"
                                  " WHERE batch_seq IS NULL AND ended_us IS NOT NULL;";

/* Schema n + 1 is schema n after step n; an empty file is schema 0. */
static const char *const SCHEMA_STEP[] = {JOBS_SCHEMA, BATCHES_SCHEMA, PRINCIPALS_SCHEMA,
                                          CHECKPOINTS_SCHEMA, ENDS_SCHEMA};
enum { SCHEMA_VERSION = BASE_COUNT(SCHEMA_STEP) };

static const char *const STATEMENT[SQLITE_STATEMENT_COUNT] = {
#define SQLITE_STATEMENT_TEXT(name, sql) sql,
    SQLITE_STATEMENT_LIST(SQLITE_STATEMENT_TEXT)
#undef SQLITE_STATEMENT_TEXT
};

/* ---- statements ----------------------------------------------------------------------- */

static int error_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return 0;
    case SQLITE_NOMEM:
        return BASE_ERR_NOMEM;
    case SQLITE_FULL:
        return BASE_ERR_NO_SPACE;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return BASE_ERR_BUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return BASE_ERR_CORRUPT;
    case SQLITE_CONSTRAINT:
        return BASE_ERR_CONFLICT;
    default:
        return BASE_ERR_IO;
    }
}

int sqlite__error(struct sqlite_link *link, int code)
{
    int error = error_of(code);

    if (error && error != BASE_ERR_CONFLICT)
        base_logf(link->log, BASE_LOG_ERROR, "job store: %s (%s)", sqlite3_errmsg(link->db),
                  sqlite3_errstr(code));
    return error;
}

static int bind_one(sqlite3_stmt *statement, int at, char kind, va_list *values)
{
    const char *text;
    const void *bytes;

    switch (kind) {
    case 'b':
        bytes = va_arg(*values, const void *);
        return sqlite3_bind_blob64(statement, at, bytes, va_arg(*values, size_t), SQLITE_STATIC);
    case 't':
        text = va_arg(*values, const char *);
        return text ? sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT)
                    : sqlite3_bind_null(statement, at);
    case 'i':
        return sqlite3_bind_int64(statement, at, va_arg(*values, int64_t));
    default:
        return sqlite3_bind_null(statement, at);
    }
}

sqlite3_stmt *sqlite__begin(struct sqlite_link *link, enum sqlite_statement which,
                            const char *format, ...)
{
    sqlite3_stmt **slot = &link->statement[which];
    int code = SQLITE_OK;
    va_list values;

    if (!*slot)
        code = sqlite3_prepare_v3(link->db, STATEMENT[which], -1, SQLITE_PREPARE_PERSISTENT, slot,
                                  NULL);
    va_start(values, format);
    for (int at = 1; code == SQLITE_OK && format[at - 1]; at++)
        code = bind_one(*slot, at, format[at - 1], &values);
    va_end(values);
    if (sqlite__error(link, code)) {
        sqlite__end(*slot);
        return NULL;
    }
    return *slot;
}

int sqlite__step(struct sqlite_link *link, sqlite3_stmt *statement)
{
    int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;

    if (!statement)
        return BASE_ERR_IO;
    return code == SQLITE_ROW ? 1 : sqlite__error(link, code);
}

void sqlite__end(sqlite3_stmt *statement)
{
    if (!statement)
        return;
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
}

int sqlite__run(struct sqlite_link *link, sqlite3_stmt *statement)
{
    int status = sqlite__step(link, statement);
    int changes = sqlite3_changes(link->db);

    sqlite__end(statement);
    return status < 0 ? status : changes;
}

const char *sqlite__text(sqlite3_stmt *statement, int column)
{
    return (const char *)sqlite3_column_text(statement, column);
}

void sqlite__read_job(sqlite3_stmt *row, struct server_store_job *out)
{
    int at = 0;

    out->id = sqlite__text(row, at++);
    if (proto_state_parse(sqlite__text(row, at++), &out->state))
        out->state = ENGINE_FAILED;
    out->version = (uint64_t)sqlite3_column_int64(row, at++);
    out->attempt = (uint64_t)sqlite3_column_int64(row, at++);
    out->priority = (unsigned)sqlite3_column_int(row, at++);
    out->fresh = sqlite3_column_int(row, at++) != 0;
    out->cached = sqlite3_column_int(row, at++) != 0;
    out->cancel_requested = sqlite3_column_int(row, at++) != 0;
    out->created_us = sqlite3_column_int64(row, at++);
    out->started_us = sqlite3_column_int64(row, at++);
    out->ended_us = sqlite3_column_int64(row, at++);
    out->puzzle = sqlite__text(row, at++);
    out->label = sqlite__text(row, at++);
    out->equal_key = sqlite__text(row, at++);
    out->solutions_cap = (uint64_t)sqlite3_column_int64(row, at++);
    out->request = sqlite__text(row, at++);
    out->target = sqlite__text(row, at++);
    out->plan = sqlite__text(row, at++);
    out->progress = sqlite__text(row, at++);
    out->error_text = sqlite__text(row, at++);
    out->shared_with = sqlite__text(row, at++);
    out->result_id = sqlite3_column_int64(row, at++);
    out->result = sqlite__text(row, at++);
    out->n_solutions = (uint64_t)sqlite3_column_int64(row, at++);
    out->last_event_id = (uint64_t)sqlite3_column_int64(row, at++);
    out->seq = sqlite3_column_int64(row, at++);
    out->turn = sqlite3_column_int64(row, at++);
    out->batch = sqlite__text(row, at++);
    out->batch_index = (uint64_t)sqlite3_column_int64(row, at++);
    out->principal = sqlite__text(row, at++);
}

int sqlite__keep_job(struct server_store_job *job, struct base_arena *arena)
{
    const char **texts[] = {&job->principal, &job->id,         &job->puzzle,      &job->label,
                            &job->equal_key, &job->request,    &job->target,      &job->plan,
                            &job->progress,  &job->error_text, &job->shared_with, &job->result,
                            &job->batch};

    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        if (!*texts[i])
            continue;
        *texts[i] = base_arena_text(arena, *texts[i], strlen(*texts[i]));
        if (!*texts[i])
            return BASE_ERR_NOMEM;
    }
    return 0;
}

/* ---- transactions --------------------------------------------------------------------- */

static int run_plain(struct sqlite_link *link, enum sqlite_statement which)
{
    int status = sqlite__run(link, sqlite__begin(link, which, ""));

    return status < 0 ? status : 0;
}

static int begin(void *self)
{
    struct sqlite_store *store = self;

    return run_plain(&store->writer, SQLITE_BEGIN_STATEMENT);
}

static int commit(void *self)
{
    struct sqlite_store *store = self;

    return run_plain(&store->writer, SQLITE_COMMIT_STATEMENT);
}

/* SQLite has rolled back by itself after some errors; then there is nothing to do. */
static void rollback(void *self)
{
    struct sqlite_store *store = self;

    if (!sqlite3_get_autocommit(store->writer.db))
        run_plain(&store->writer, SQLITE_ROLLBACK_STATEMENT);
}

/* ---- open and close ------------------------------------------------------------------- */

static void link_close(struct sqlite_link *link)
{
    for (size_t i = 0; i < SQLITE_STATEMENT_COUNT; i++)
        sqlite3_finalize(link->statement[i]);
    sqlite3_close(link->db);
    memset(link, 0, sizeof(*link));
}

static void store_close(void *self)
{
    struct sqlite_store *store = self;

    link_close(&store->reader);
    link_close(&store->writer);
    free(store);
}

static int execute(struct sqlite_link *link, const char *sql)
{
    return sqlite__error(link, sqlite3_exec(link->db, sql, NULL, NULL, NULL));
}

/* The number in the first column of the first row; negative: a base_err. */
static int64_t ask_number(struct sqlite_link *link, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int64_t answer = 0;
    int code = sqlite3_prepare_v2(link->db, sql, -1, &statement, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        answer = sqlite3_column_int64(statement, 0);
    else
        answer = sqlite__error(link, code);
    sqlite3_finalize(statement);
    return answer;
}

static int check_whole(struct sqlite_link *link)
{
    int64_t bad = ask_number(link, "SELECT count(*) FROM pragma_quick_check(1) "
                                   "WHERE quick_check <> 'ok'");

    return bad > 0 ? BASE_ERR_CORRUPT : (int)bad;
}

static int link_open(struct sqlite_link *link, const struct base_log *log, const char *path,
                     bool writes)
{
    int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    int code;

    link->log = log;
    code = sqlite3_open_v2(path, &link->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK)
        return sqlite__error(link, code);
    sqlite3_busy_timeout(link->db, BUSY_MS);
    return 0;
}

static int schema_raise(struct sqlite_link *link, int64_t version)
{
    char set_version[64];
    int status = execute(link, "BEGIN IMMEDIATE");

    snprintf(set_version, sizeof(set_version), "PRAGMA user_version = %d", SCHEMA_VERSION);
    for (; !status && version < SCHEMA_VERSION; version++)
        status = execute(link, SCHEMA_STEP[version]);
    if (!status)
        status = execute(link, set_version);
    return status ? status : execute(link, "COMMIT");
}

static int schema_check(struct sqlite_link *link, const char *path, struct base_diag *diag)
{
    int64_t version = ask_number(link, "PRAGMA user_version");
    int status;

    if (version < 0)
        return (int)version;
    if (version > SCHEMA_VERSION)
        return base_diag_set(diag, 0, BASE_ERR_VERSION,
                             "%s was written by a later version (schema %d, this one knows %d)",
                             path, (int)version, SCHEMA_VERSION);
    status = version ? check_whole(link) : 0;
    return status || version == SCHEMA_VERSION ? status : schema_raise(link, version);
}

/* What the last process left running is queued again. */
static int requeue(struct sqlite_link *link)
{
    return execute(link, "UPDATE jobs SET state = 'queued', version = version + 1, owner = NULL "
                         "WHERE state = 'running'");
}

static int writer_open(struct sqlite_store *store, const char *path, struct base_diag *diag)
{
    int status = link_open(&store->writer, &store->log, path, true);

    if (!status)
        status = execute(&store->writer, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    if (!status)
        status = schema_check(&store->writer, path, diag);
    if (!status)
        status = requeue(&store->writer);
    if (status)
        link_close(&store->writer);
    return status;
}

/* Renames PATH, PATH-wal and PATH-shm, the latter two so that they are not taken for the log of the
 * new file. */
static int set_aside(const char *path, const struct base_log *log)
{
    static const char *const SUFFIX[] = {"", "-wal", "-shm"};
    long long stamp = (long long)(base_clock_unix_us() / 1000000);
    char from[4096], to[4096];

    for (size_t i = 0; i < BASE_COUNT(SUFFIX); i++) {
        snprintf(from, sizeof(from), "%s%s", path, SUFFIX[i]);
        snprintf(to, sizeof(to), "%s.damaged-%lld%s", path, stamp, SUFFIX[i]);
        if (rename(from, to) && errno != ENOENT)
            return BASE_ERR_IO;
    }
    base_logf(log, BASE_LOG_ERROR,
              "job store: %s is damaged; it was renamed to %s.damaged-%lld and a new one is begun",
              path, path, stamp);
    return 0;
}

static int open_links(struct sqlite_store *store, const char *path, struct base_diag *diag)
{
    int status = writer_open(store, path, diag);

    if (status == BASE_ERR_CORRUPT) {
        status = set_aside(path, &store->log);
        if (!status)
            status = writer_open(store, path, diag);
    }
    return status ? status : link_open(&store->reader, &store->log, path, false);
}

static const struct server_store_backend BACKEND = {
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .enqueue = sqlite__enqueue,
    .claim = sqlite__claim,
    .heartbeat = sqlite__heartbeat,
    .append = sqlite__append,
    .transition = sqlite__transition,
    .checkpoint = sqlite__checkpoint,
    .finish = sqlite__finish,
    .cancel = sqlite__cancel,
    .remove = sqlite__remove,
    .enqueue_batch = sqlite__enqueue_batch,
    .cancel_batch = sqlite__cancel_batch,
    .remove_batch = sqlite__remove_batch,
    .prune = sqlite__prune,
    .load = sqlite__load,
    .visit_live = sqlite__visit_live,
    .visit_jobs = sqlite__visit_jobs,
    .visit_events = sqlite__visit_events,
    .visit_solutions = sqlite__visit_solutions,
    .load_batch = sqlite__load_batch,
    .pulse_batch = sqlite__pulse_batch,
    .visit_batches = sqlite__visit_batches,
    .visit_batch_events = sqlite__visit_batch_events,
    .close = store_close,
};

int server_store_sqlite_open(const char *path, const struct base_log *log,
                             const struct server_store_backend **backend, void **self,
                             struct base_diag *diag)
{
    struct sqlite_store *store = calloc(1, sizeof(*store));
    int status;

    if (!store)
        return base_diag_set(diag, 0, BASE_ERR_NOMEM, "out of memory");
    if (log)
        store->log = *log;
    base_diag_set(diag, 0, 0, "the job store %s cannot be opened", path);
    status = open_links(store, path, diag);
    if (status) {
        store_close(store);
        return status;
    }
    *backend = &BACKEND;
    *self = store;
    return 0;
}
