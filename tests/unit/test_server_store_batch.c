/*
 * test_server_store_batch.c - batches in the job store over SQLite: all or nothing, one stream,
 * places in line, keys, removal; files of the time before batches.
 */
#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_attr.h"
#include "core/base/base_buf.h"
#include "core/base/base_err.h"
#include "server/server_store.h"
#include "server/server_store_read.h"
#include "tests/support/support_store.h"
#include "tests/support/support_suite.h"

static void enqueue_batch(const char *id, unsigned n)
{
    ck_assert_int_eq(support_store_run(support_store_batch_op(id, n, NULL, NULL)), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
}

static struct server_store_batch load_batch(const char *id)
{
    struct base_arena arena = {0};
    struct server_store_batch batch;

    ck_assert_int_eq(server_store_load_batch(support_store.store, id, &arena, &batch), 0);
    ck_assert_str_eq(batch.id, id);
    base_arena_deinit(&arena);
    return batch;
}

static int print_id(void *arg, const struct server_store_job *job)
{
    return base_buf_printf(arg, "%s ", job->id);
}

static int print_event(void *arg, const struct server_store_batch_event *event)
{
    return base_buf_printf(arg, "%d:%s/%d:%d%s ", (int)event->id, event->job, (int)event->index,
                           (int)event->event.id, event->event.data ? "" : "!");
}

static void check(struct base_buf *found, const char *expected)
{
    ck_assert_str_eq(base_buf_str(found), expected);
    base_buf_deinit(found);
}

static void check_jobs(const struct server_store_filter *filter, const char *expected)
{
    struct base_buf ids = {0};

    ck_assert_int_eq(server_store_visit_jobs(support_store.store, filter, print_id, &ids), 0);
    check(&ids, expected);
}

static void check_events(const char *id, uint64_t after, unsigned limit, const char *expected)
{
    struct base_buf events = {0};

    ck_assert_int_eq(server_store_visit_batch_events(support_store.store, id, after, limit,
                                                     print_event, &events),
                     0);
    check(&events, expected);
}

/* Claims until nothing is queued: the order. */
static void check_line(const char *expected)
{
    struct base_buf ids = {0};

    while (!support_store_claim(NULL) && support_store.finished->job.id)
        base_buf_printf(&ids, "%s ", support_store.finished->job.id);
    check(&ids, expected);
}

START_TEST(an_accepted_batch_is_there_after_a_restart)
{
    struct server_store_batch batch;

    enqueue_batch("b", 3);
    support_store_restart();
    batch = load_batch("b");
    ck_assert_uint_eq(batch.n_jobs, 3);
    ck_assert_uint_eq(batch.n_state[ENGINE_QUEUED], 3);
    ck_assert_uint_eq(batch.last_event_id, 3);
    check_jobs(&(struct server_store_filter){.batch = "b", .limit = 9}, "b0 b1 b2 ");
    check_jobs(&(struct server_store_filter){.batch = "b", .limit = 9, .behind_seq = 1}, "b1 b2 ");
    check_jobs(&(struct server_store_filter){.limit = 9}, "b2 b1 b0 ");
}
END_TEST

START_TEST(a_batch_is_accepted_whole_or_not_at_all)
{
    struct base_arena arena = {0};
    struct server_store_batch batch;
    struct server_store_op *op = support_store_batch_op("b", 4, "key", "digest");

    support_store_enqueue("b2"); /* an id that the third job has too */
    ck_assert_int_eq(support_store_run(op), BASE_ERR_CONFLICT);
    ck_assert_int_eq(server_store_load_batch(support_store.store, "b", &arena, &batch),
                     BASE_ERR_NOT_FOUND);
    check_jobs(&(struct server_store_filter){.limit = 9}, "b2 ");
    ck_assert_int_eq(support_store_run(support_store_batch_op("c", 1, "key", "other digest")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
    base_arena_deinit(&arena);
}
END_TEST

START_TEST(events_of_all_jobs_are_one_sequence)
{
    enqueue_batch("b", 2);
    support_store_enqueue("j_single");
    ck_assert_int_eq(support_store_claim("b1"), 0);
    ck_assert_int_eq(support_store_claim("j_single"), 0);
    ck_assert_int_eq(support_store_event("b1", 1, 5), 0);
    ck_assert_int_eq(support_store_event("j_single", 1, 6), 0);
    ck_assert_int_eq(support_store_event("b1", 1, 5), BASE_ERR_CONFLICT);
    ck_assert_int_eq(support_store_finish("b1", 1, 0, true), 0);
    support_store_restart();
    check_events("b", 0, 9, "1:b0/0:1 2:b1/1:1 3:b1/1:5 4:b1/1:7! ");
    check_events("b", 2, 1, "3:b1/1:5 ");
    ck_assert_uint_eq(load_batch("b").last_event_id, 4);
}
END_TEST

/* A number is not given again, even if the job that had the last one is gone. */
START_TEST(numbers_of_events_are_never_reused)
{
    enqueue_batch("b", 2);
    ck_assert_int_eq(support_store_claim("b1"), 0);
    ck_assert_int_eq(support_store_finish("b1", 1, 0, true), 0);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_REMOVE, "b1", 0)), 0);
    ck_assert_int_eq(support_store_claim("b0"), 0);
    ck_assert_int_eq(support_store_event("b0", 1, 2), 0);
    check_events("b", 0, 9, "1:b0/0:1 4:b0/0:2 ");
}
END_TEST

START_TEST(the_pulse_ends_with_the_last_job)
{
    struct server_store_pulse pulse;

    enqueue_batch("b", 2);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(server_store_pulse_batch(support_store.store, "b", &pulse), 0);
        ck_assert(pulse.live);
        ck_assert_int_eq(support_store_claim(i ? "b1" : "b0"), 0);
        ck_assert_int_eq(support_store_finish(i ? "b1" : "b0", 1, 0, true), 0);
    }
    ck_assert_int_eq(server_store_pulse_batch(support_store.store, "b", &pulse), 0);
    ck_assert(!pulse.live);
    ck_assert_uint_eq(pulse.last_event_id, 4);
    ck_assert_uint_eq(load_batch("b").n_state[ENGINE_SUCCEEDED], 2);
    ck_assert_int_gt(load_batch("b").ended_us, 1);
    ck_assert_int_eq(server_store_pulse_batch(support_store.store, "none", &pulse),
                     BASE_ERR_NOT_FOUND);
}
END_TEST

START_TEST(known_answers_are_given_at_once)
{
    struct server_store_op *op = support_store_batch_op("b", 3, NULL, NULL);

    support_store_enqueue("j_1"); /* with the key K */
    ck_assert_int_eq(support_store_claim("j_1"), 0);
    ck_assert_int_eq(support_store_finish("j_1", 1, 3, true), 0);
    op->jobs[1].equal_key = "K";
    ck_assert_int_eq(support_store_run(op), 0);
    op = support_store.finished;
    ck_assert_int_eq(op->jobs[0].state, ENGINE_QUEUED);
    ck_assert_int_eq(op->jobs[1].state, ENGINE_SUCCEEDED);
    ck_assert(op->jobs[1].cached);
    ck_assert_int_eq(op->jobs[2].state, ENGINE_QUEUED);
    ck_assert_uint_eq(load_batch("b").n_state[ENGINE_SUCCEEDED], 1);
    check_events("b", 0, 9, "1:b0/0:1 2:b1/1:1 3:b1/1:2! 4:b2/2:1 ");
}
END_TEST

/* A single job waits for one job of each batch, batches alternate, and nobody is passed by more
 * than that. */
START_TEST(batches_and_single_jobs_take_turns)
{
    enqueue_batch("a", 4);
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_str_eq(support_store.finished->job.id, "a0");
    enqueue_batch("b", 3);
    support_store_enqueue("j_1");
    support_store_enqueue("j_2");
    check_line("a1 b0 j_1 j_2 a2 b1 a3 b2 ");
}
END_TEST

START_TEST(priority_goes_before_turns)
{
    struct server_store_op *op = support_store_batch_op("a", 4, NULL, NULL);

    op->jobs[2].priority = 9;
    op->jobs[3].priority = 1;
    ck_assert_int_eq(support_store_run(op), 0);
    support_store_enqueue("j_1");
    check_line("a2 a0 j_1 a1 a3 ");
}
END_TEST

START_TEST(a_claim_of_singles_passes_batches_by)
{
    struct server_store_op *op;

    enqueue_batch("a", 2);
    support_store_enqueue("j_1");
    for (int i = 0; i < 2; i++) {
        op = support_store_op(SERVER_STORE_CLAIM, NULL, 0);
        op->owner = "test";
        op->singles_only = true;
        ck_assert_int_eq(support_store_run(op), 0);
        ck_assert(i ? !support_store.finished->job.id
                    : !strcmp(support_store.finished->job.id, "j_1"));
    }
    check_line("a0 a1 ");
}
END_TEST

START_TEST(keys_are_shared_with_single_jobs)
{
    ck_assert_int_eq(support_store_run(support_store_batch_op("b", 2, "key", "digest")), 0);
    ck_assert_int_eq(support_store_run(support_store_batch_op("c", 2, "key", "digest")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_REPLAYED);
    ck_assert_str_eq(support_store.finished->batch.id, "b");
    ck_assert_int_eq(support_store_run(support_store_batch_op("d", 2, "key", "other")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_MISMATCH);
    ck_assert_int_eq(support_store_run(support_store_enqueue_op("j_1", "key", "other")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_MISMATCH);
    check_jobs(&(struct server_store_filter){.limit = 9}, "b1 b0 ");
}
END_TEST

START_TEST(cancelling_is_remembered_for_all_that_live)
{
    enqueue_batch("b", 2);
    support_store_enqueue("j_1");
    ck_assert_int_eq(support_store_claim("b1"), 0);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_CANCEL_BATCH, "b", 0)), 0);
    support_store_restart();
    ck_assert_int_eq(support_store_claim("b0"), 0);
    ck_assert(support_store.finished->job.cancel_requested);
    ck_assert_int_eq(support_store_claim("b1"), 0);
    ck_assert(support_store.finished->job.cancel_requested);
    ck_assert_int_eq(support_store_claim("j_1"), 0);
    ck_assert(!support_store.finished->job.cancel_requested);
}
END_TEST

START_TEST(removing_a_batch_leaves_nothing_of_it)
{
    enqueue_batch("a", 1);
    ck_assert_int_eq(support_store_run(support_store_batch_op("b", 2, "key", "digest")), 0);
    ck_assert_int_eq(support_store_claim("b0"), 0);
    ck_assert_int_eq(support_store_finish("b0", 1, 3, true), 0);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_REMOVE_BATCH, "b", 0)),
                     BASE_ERR_CONFLICT); /* b1 lives */
    check_jobs(&(struct server_store_filter){.batch = "b", .limit = 9}, "b0 b1 ");
    ck_assert_int_eq(support_store_claim("b1"), 0);
    ck_assert_int_eq(support_store_finish("b1", 1, 3, true), 0);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_REMOVE_BATCH, "b", 0)), 0);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_REMOVE_BATCH, "b", 0)),
                     BASE_ERR_NOT_FOUND);
    check_jobs(&(struct server_store_filter){.limit = 9}, "a0 ");
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM batches"), 1);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM batch_events"), 1);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM events"), 1);
    ck_assert_int_eq(
        support_store_count("SELECT (SELECT count(*) FROM results) + (SELECT count(*) FROM "
                            "solutions) + (SELECT count(*) FROM idempotency)"),
        0);
}
END_TEST

static int print_batch(void *arg, const struct server_store_batch *batch)
{
    return base_buf_printf(arg, "%s ", batch->id);
}

START_TEST(batches_are_listed_newest_first)
{
    struct base_buf ids = {0};

    enqueue_batch("a", 1);
    enqueue_batch("b", 1);
    enqueue_batch("c", 1);
    ck_assert_int_eq(server_store_visit_batches(support_store.store, 0, 2, print_batch, &ids), 0);
    check(&ids, "c b ");
    ck_assert_int_eq(server_store_visit_batches(support_store.store, 2, 2, print_batch, &ids), 0);
    check(&ids, "a ");
}
END_TEST

/* ---- the file of the first version ---------------------------------------------------- */

static const char FIRST_SCHEMA[] =
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

static const char FIRST_JOBS[] =
    "INSERT INTO jobs(id, state, version, priority, fresh, created_us, puzzle, label, equal_key,"
    " solutions_cap, request, target) VALUES"
    " ('j_1', 'queued', 1, 5, 0, 1, '3x3x3', 'a label', 'K1', 10, '{}', '{}'),"
    " ('j_2', 'queued', 1, 5, 0, 1, '3x3x3', 'a label', 'K2', 10, '{}', '{}');"
    "INSERT INTO events(job_seq, id, kind, data) VALUES(1, 1, 'state', '{}');"
    "PRAGMA user_version = 1";

START_TEST(a_file_of_the_first_version_is_raised)
{
    struct base_arena arena = {0};
    struct server_store_job job;
    sqlite3 *db;

    server_store_free(support_store.store);
    unlink(support_store.path);
    ck_assert_int_eq(sqlite3_open(support_store.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, FIRST_SCHEMA, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, FIRST_JOBS, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    support_store_open();
    ck_assert_int_eq(server_store_load(support_store.store, "j_1", &arena, &job), 0);
    ck_assert_str_eq(job.label, "a label");
    ck_assert_uint_eq(job.last_event_id, 1);
    ck_assert_ptr_null(job.batch);
    ck_assert_ptr_null(job.principal);
    enqueue_batch("b", 2);
    support_store_restart();
    check_line("j_1 j_2 b0 b1 ");
    ck_assert_int_ge(support_store_count("PRAGMA user_version"), 4);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM checkpoints"), 0);
    base_arena_deinit(&arena);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_accepted_batch_is_there_after_a_restart,
        a_batch_is_accepted_whole_or_not_at_all,
        events_of_all_jobs_are_one_sequence,
        numbers_of_events_are_never_reused,
        the_pulse_ends_with_the_last_job,
        known_answers_are_given_at_once,
        batches_and_single_jobs_take_turns,
        priority_goes_before_turns,
        a_claim_of_singles_passes_batches_by,
        keys_are_shared_with_single_jobs,
        cancelling_is_remembered_for_all_that_live,
        removing_a_batch_leaves_nothing_of_it,
        batches_are_listed_newest_first,
        a_file_of_the_first_version_is_raised,
    };

    return support_suite_run("server_store_batch", tests, BASE_COUNT(tests), support_store_set_up,
                             support_store_tear_down, 10);
}
