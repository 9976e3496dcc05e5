/*
 * support_store.c - see support_store.h.
 */
#include "tests/support/support_store.h"

#include <check.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/server_store_backend.h"

struct support_store support_store;

static void nothing(void *arg)
{
    (void)arg;
}

void support_store_open(void)
{
    const struct server_store_backend *backend;
    void *self;

    ck_assert_int_eq(server_store_sqlite_open(support_store.path, NULL, &backend, &self, NULL), 0);
    ck_assert_int_eq(server_store_new(backend, self, nothing, NULL, &support_store.store), 0);
}

void support_store_set_up(void)
{
    snprintf(support_store.folder, sizeof(support_store.folder), "/tmp/test_store_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(support_store.folder));
    snprintf(support_store.path, sizeof(support_store.path), "%s/jobs.db", support_store.folder);
    support_store_open();
}

static void remove_folder(void)
{
    DIR *dir = opendir(support_store.folder);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL)
        unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    rmdir(support_store.folder);
}

void support_store_tear_down(void)
{
    server_store_op_free(support_store.finished);
    support_store.finished = NULL;
    server_store_free(support_store.store);
    remove_folder();
}

void support_store_restart(void)
{
    server_store_free(support_store.store);
    support_store_open();
}

/* ---- ops ------------------------------------------------------------------------------ */

static void keep(struct server_store_op *op)
{
    support_store.finished = op;
}

int support_store_run(struct server_store_op *op)
{
    server_store_op_free(support_store.finished);
    support_store.finished = NULL;
    op->done = keep;
    server_store_submit(support_store.store, op);
    while (!support_store.finished) {
        usleep(200);
        server_store_poll(support_store.store);
    }
    return support_store.finished->status;
}

struct server_store_job support_store_record(const char *id)
{
    return (struct server_store_job){.id = id,
                                     .version = 1,
                                     .priority = 5,
                                     .created_us = 1,
                                     .puzzle = "3x3x3",
                                     .label = "a label",
                                     .principal = "token a",
                                     .equal_key = "K",
                                     .solutions_cap = 10,
                                     .request = "{}",
                                     .target = "{}"};
}

void support_store_first_events(struct server_store_op *op)
{
    op->now_us = 100 * SUPPORT_STORE_HOUR_US;
    op->event[0] = (struct server_store_event){1, "state", "{\"state\":\"queued\"}"};
    op->n_events = 1;
    op->answered_event[0] = (struct server_store_event){1, "state", "{\"state\":\"succeeded\"}"};
    op->answered_event[1] = (struct server_store_event){2, "done", NULL};
}

struct server_store_op *support_store_enqueue_op(const char *id, const char *key,
                                                 const char *digest)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_ENQUEUE);

    op->job = support_store_record(id);
    op->key = key;
    op->body_digest = digest;
    support_store_first_events(op);
    return op;
}

struct server_store_op *support_store_batch_op(const char *id, unsigned n, const char *key,
                                               const char *digest)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_ENQUEUE_BATCH);
    char text[32];

    op->batch =
        (struct server_store_batch){.id = id, .name = "a name", .created_us = 1, .n_jobs = n};
    op->jobs = base_arena_alloc(&op->arena, n * sizeof(*op->jobs));
    for (unsigned i = 0; i < n; i++) {
        snprintf(text, sizeof(text), "%s%u", id, i);
        op->jobs[i] = support_store_record(server_store_op_text(op, text));
        op->jobs[i].equal_key = op->jobs[i].id;
    }
    op->key = key;
    op->body_digest = digest;
    support_store_first_events(op);
    return op;
}

void support_store_enqueue(const char *id)
{
    ck_assert_int_eq(support_store_run(support_store_enqueue_op(id, NULL, NULL)), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
}

struct server_store_op *support_store_op(enum server_store_verb verb, const char *id,
                                         uint64_t attempt)
{
    struct server_store_op *op = server_store_op_new(verb);

    op->id = id;
    op->attempt = attempt;
    op->now_us = 200 * SUPPORT_STORE_HOUR_US;
    op->lease_us = 1000;
    return op;
}

int support_store_claim(const char *id)
{
    struct server_store_op *op = support_store_op(SERVER_STORE_CLAIM, id, 0);

    op->owner = "test";
    return support_store_run(op);
}

static char *solution_at(void *arg, uint64_t index)
{
    char *text = NULL;

    (void)arg;
    ck_assert_int_gt(asprintf(&text, "{\"moves\":\"%d\"}", (int)index), 0);
    return text;
}

struct server_store_op *support_store_finish_op(const char *id, uint64_t attempt,
                                                uint64_t n_solutions, bool complete)
{
    struct server_store_op *op = support_store_op(SERVER_STORE_FINISH, id, attempt);

    op->state = ENGINE_SUCCEEDED;
    op->version = 9;
    op->result = "{\"length\":5}";
    op->reusable = true;
    op->complete = complete;
    op->n_solutions = n_solutions;
    op->solution_at = solution_at;
    op->event[0] = (struct server_store_event){7, "done", NULL};
    op->n_events = 1;
    return op;
}

int support_store_finish(const char *id, uint64_t attempt, uint64_t n_solutions, bool complete)
{
    return support_store_run(support_store_finish_op(id, attempt, n_solutions, complete));
}

int support_store_event(const char *id, uint64_t attempt, uint64_t event_id)
{
    struct server_store_op *op = support_store_op(SERVER_STORE_APPEND, id, attempt);

    op->event[0] = (struct server_store_event){event_id, "depth", "{}"};
    op->n_events = 1;
    return support_store_run(op);
}

void support_store_change(const char *sql)
{
    sqlite3 *db;

    server_store_free(support_store.store);
    ck_assert_int_eq(sqlite3_open(support_store.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    support_store_open();
}

int support_store_count(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    int n;

    ck_assert_int_eq(sqlite3_open(support_store.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    n = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return n;
}
