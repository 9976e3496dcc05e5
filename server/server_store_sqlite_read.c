/*
 * server_store_sqlite_read.c - the reads of the SQLite store, over its own connection: in
 * write-ahead mode a reader neither waits for the writer nor holds it up.
 */
#include <stdio.h>

#include "core/base/base_err.h"
#include "server/server_store_sqlite_int.h"

static struct sqlite_link *reader(void *self)
{
    struct sqlite_store *store = self;

    return &store->reader;
}

int sqlite__load(void *self, const char *id, struct base_arena *arena, struct server_store_job *out)
{
    struct sqlite_link *link = reader(self);
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_JOB_LOAD_STATEMENT, "t", id);
    int status = sqlite__step(link, row);

    if (status == 1) {
        sqlite__read_job(row, out);
        status = sqlite__keep_job(out, arena);
    } else if (status == 0) {
        status = BASE_ERR_NOT_FOUND;
    }
    sqlite__end(row);
    return status;
}

static int visit_rows(struct sqlite_link *link, sqlite3_stmt *row, server_store_job_fn *visit,
                      void *arg)
{
    struct server_store_job job;
    int status;

    while ((status = sqlite__step(link, row)) == 1) {
        sqlite__read_job(row, &job);
        status = visit(arg, &job);
        if (status)
            break;
    }
    sqlite__end(row);
    return status;
}

int sqlite__visit_live(void *self, server_store_job_fn *visit, void *arg)
{
    struct sqlite_link *link = reader(self);

    return visit_rows(link, sqlite__begin(link, SQLITE_JOB_LIVE_STATEMENT, ""), visit, arg);
}

/* A text that the statement does not ask for has no parameter to be bound to. */
static void bind_filter(sqlite3_stmt *statement, int at, const char *text)
{
    if (text)
        sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
}

/* Written out for the filters at hand, so that the index of one of them is used. */
static sqlite3_stmt *list_statement(struct sqlite_link *link,
                                    const struct server_store_filter *filter)
{
    char sql[1280];
    sqlite3_stmt *statement = NULL;
    int64_t start = filter->batch ? 0 : INT64_MAX;

    snprintf(sql, sizeof(sql),
             "SELECT " SQLITE_JOB_COLUMNS "WHERE j.seq %s ?1%s%s%s%s ORDER BY j.seq %s LIMIT ?2",
             filter->batch ? ">" : "<", filter->state ? " AND j.state = ?3" : "",
             filter->puzzle ? " AND j.puzzle = ?4" : "", filter->label ? " AND j.label = ?5" : "",
             filter->batch ? " AND j.batch_seq = (SELECT seq FROM batches WHERE id = ?6)" : "",
             filter->batch ? "ASC" : "DESC");
    if (sqlite__error(link, sqlite3_prepare_v2(link->db, sql, -1, &statement, NULL)))
        return NULL;
    sqlite3_bind_int64(statement, 1, filter->behind_seq ? filter->behind_seq : start);
    sqlite3_bind_int64(statement, 2, filter->limit);
    bind_filter(statement, 3, filter->state);
    bind_filter(statement, 4, filter->puzzle);
    bind_filter(statement, 5, filter->label);
    bind_filter(statement, 6, filter->batch);
    return statement;
}

int sqlite__visit_jobs(void *self, const struct server_store_filter *filter,
                       server_store_job_fn *visit, void *arg)
{
    struct sqlite_link *link = reader(self);
    sqlite3_stmt *statement = list_statement(link, filter);
    int status = visit_rows(link, statement, visit, arg);

    sqlite3_finalize(statement);
    return status;
}

int sqlite__visit_events(void *self, const char *id, uint64_t after, unsigned limit,
                         server_store_event_fn *visit, void *arg)
{
    struct sqlite_link *link = reader(self);
    sqlite3_stmt *row =
        sqlite__begin(link, SQLITE_EVENT_LIST_STATEMENT, "tii", id, (int64_t)after, (int64_t)limit);
    int status;

    while ((status = sqlite__step(link, row)) == 1) {
        struct server_store_event event = {(uint64_t)sqlite3_column_int64(row, 0),
                                           sqlite__text(row, 1), sqlite__text(row, 2)};

        status = visit(arg, &event);
        if (status)
            break;
    }
    sqlite__end(row);
    return status;
}

int sqlite__visit_solutions(void *self, int64_t result_id, uint64_t first, unsigned limit,
                            server_store_solution_fn *visit, void *arg)
{
    struct sqlite_link *link = reader(self);
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_SOLUTION_LIST_STATEMENT, "iii", result_id,
                                      (int64_t)first, (int64_t)limit);
    int status;

    while ((status = sqlite__step(link, row)) == 1) {
        status = visit(arg, sqlite__text(row, 0));
        if (status)
            break;
    }
    sqlite__end(row);
    return status;
}
