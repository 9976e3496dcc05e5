/*
 * test_server_store.c - the job store over SQLite: promises, fences, keys, restarts, damage.
 */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_attr.h"
#include "core/base/base_buf.h"
#include "core/base/base_err.h"
#include "server/server_store.h"
#include "server/server_store_backend.h"
#include "server/server_store_read.h"
#include "tests/support/support_store.h"
#include "tests/support/support_suite.h"

static struct server_store_job load(const char *id, struct base_arena *arena)
{
    struct server_store_job job;

    ck_assert_int_eq(server_store_load(support_store.store, id, arena, &job), 0);
    return job;
}

static enum engine_state state_of(const char *id)
{
    struct base_arena arena = {0};
    enum engine_state state = load(id, &arena).state;

    base_arena_deinit(&arena);
    return state;
}

START_TEST(an_accepted_job_is_there_after_a_restart)
{
    struct base_arena arena = {0};
    struct server_store_job job;

    support_store_enqueue("j_1");
    support_store_restart();
    job = load("j_1", &arena);
    ck_assert_int_eq(job.state, ENGINE_QUEUED);
    ck_assert_str_eq(job.label, "a label");
    ck_assert_str_eq(job.principal, "token a");
    ck_assert_str_eq(job.request, "{}");
    ck_assert_uint_eq(job.last_event_id, 1);
    ck_assert_ptr_null(job.result);
    base_arena_deinit(&arena);
}
END_TEST

START_TEST(claims_follow_priority_then_order)
{
    struct server_store_op *urgent = support_store_enqueue_op("j_urgent", NULL, NULL);

    support_store_enqueue("j_1");
    support_store_enqueue("j_2");
    urgent->job.priority = 9;
    ck_assert_int_eq(support_store_run(urgent), 0);
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_str_eq(support_store.finished->job.id, "j_urgent");
    ck_assert_int_eq(support_store_claim("j_2"), 0);
    ck_assert_str_eq(support_store.finished->job.id, "j_2");
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_str_eq(support_store.finished->job.id, "j_1");
    ck_assert_int_eq(support_store.finished->job.state, ENGINE_RUNNING);
    ck_assert_uint_eq(support_store.finished->job.attempt, 1);
}
END_TEST

START_TEST(nothing_to_claim_is_no_error)
{
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_ptr_null(support_store.finished->job.id);
    ck_assert_int_eq(support_store_claim("j_unknown"), BASE_ERR_CONFLICT);
}
END_TEST

START_TEST(a_lapsed_lease_is_claimed_again_and_the_old_owner_is_fenced)
{
    struct server_store_op *late;

    support_store_enqueue("j_1");
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_ptr_null(support_store.finished->job.id); /* the lease still runs */
    late = support_store_op(SERVER_STORE_CLAIM, NULL, 0);
    late->owner = "other";
    late->now_us += 2000;
    ck_assert_int_eq(support_store_run(late), 0);
    ck_assert_str_eq(support_store.finished->job.id, "j_1");
    ck_assert_uint_eq(support_store.finished->job.attempt, 2);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_HEARTBEAT, "j_1", 1)),
                     BASE_ERR_CONFLICT);
    ck_assert_int_eq(support_store_event("j_1", 1, 5), BASE_ERR_CONFLICT);
    ck_assert_int_eq(support_store_finish("j_1", 1, 0, true), BASE_ERR_CONFLICT);
    ck_assert_int_eq(state_of("j_1"), ENGINE_RUNNING);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_HEARTBEAT, "j_1", 2)), 0);
    ck_assert(!support_store.finished->cancel_requested);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_CANCEL, "j_1", 0)), 0);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_HEARTBEAT, "j_1", 2)), 0);
    ck_assert(support_store.finished->cancel_requested);
}
END_TEST

START_TEST(a_restart_requeues_what_was_running)
{
    support_store_enqueue("j_1");
    support_store_enqueue("j_2");
    ck_assert_int_eq(support_store_claim("j_1"), 0);
    support_store_restart();
    ck_assert_int_eq(state_of("j_1"), ENGINE_QUEUED);
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_str_eq(support_store.finished->job.id, "j_1");
    ck_assert_uint_eq(support_store.finished->job.attempt, 2);
}
END_TEST

START_TEST(a_paused_job_stays_paused_over_a_restart)
{
    struct server_store_op *op;

    support_store_enqueue("j_1");
    op = support_store_op(SERVER_STORE_TRANSITION, "j_1", 0);
    op->state = ENGINE_PAUSED;
    op->version = 4;
    op->event[0] = (struct server_store_event){2, "state", "{\"state\":\"paused\"}"};
    op->n_events = 1;
    ck_assert_int_eq(support_store_run(op), 0);
    support_store_restart();
    ck_assert_int_eq(state_of("j_1"), ENGINE_PAUSED);
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_ptr_null(support_store.finished->job.id);
}
END_TEST

static int count_solution(void *arg, const char *json)
{
    char expected[32];
    int *n = arg;

    snprintf(expected, sizeof(expected), "{\"moves\":\"%d\"}", *n);
    ck_assert_str_eq(json, expected);
    (*n)++;
    return 0;
}

START_TEST(the_end_stores_result_and_solutions_once)
{
    struct base_arena arena = {0};
    struct server_store_job job;
    int n = 0;

    support_store_enqueue("j_1");
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_int_eq(support_store_finish("j_1", 1, 7, true), 0);
    ck_assert_int_eq(support_store_finish("j_1", 1, 7, true), BASE_ERR_CONFLICT);
    support_store_restart();
    job = load("j_1", &arena);
    ck_assert_int_eq(job.state, ENGINE_SUCCEEDED);
    ck_assert_str_eq(job.result, "{\"length\":5}");
    ck_assert_uint_eq(job.n_solutions, 7);
    ck_assert_uint_eq(job.version, 9);
    ck_assert_int_eq(server_store_visit_solutions(support_store.store, job.result_id, 0, 100,
                                                  count_solution, &n),
                     0);
    ck_assert_int_eq(n, 7);
    n = 5;
    ck_assert_int_eq(
        server_store_visit_solutions(support_store.store, job.result_id, 5, 1, count_solution, &n),
        0);
    ck_assert_int_eq(n, 6);
    base_arena_deinit(&arena);
}
END_TEST

START_TEST(an_equal_request_is_answered_unless_fresh)
{
    struct server_store_op *fresh;

    support_store_enqueue("j_1");
    support_store_enqueue("j_waiting");
    ck_assert_int_eq(support_store_claim("j_1"), 0);
    ck_assert_int_eq(support_store_finish("j_1", 1, 3, true), 0);
    ck_assert_int_eq(support_store_run(support_store_enqueue_op("j_2", NULL, NULL)), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ANSWERED);
    ck_assert_int_eq(support_store.finished->job.state, ENGINE_SUCCEEDED);
    ck_assert(support_store.finished->job.cached);
    ck_assert_str_eq(support_store.finished->job.result, "{\"length\":5}");
    ck_assert_uint_eq(support_store.finished->job.last_event_id, 2);
    ck_assert_int_eq(support_store_claim("j_waiting"),
                     0); /* was queued before the answer was known */
    ck_assert_int_gt(support_store.finished->result_id, 0);
    fresh = support_store_enqueue_op("j_3", NULL, NULL);
    fresh->job.fresh = true;
    ck_assert_int_eq(support_store_run(fresh), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
    ck_assert_int_eq(support_store_claim("j_3"), 0);
    ck_assert_int_eq(support_store.finished->result_id, 0);
}
END_TEST

START_TEST(a_cut_list_answers_only_the_same_cap)
{
    struct server_store_op *more = support_store_enqueue_op("j_more", NULL, NULL);
    struct server_store_op *same = support_store_enqueue_op("j_same", NULL, NULL);

    support_store_enqueue("j_1");
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_int_eq(support_store_finish("j_1", 1, 10, false), 0);
    more->job.solutions_cap = 11;
    ck_assert_int_eq(support_store_run(more), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
    ck_assert_int_eq(support_store_run(same), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ANSWERED);
}
END_TEST

START_TEST(a_key_replays_refuses_and_expires)
{
    struct server_store_op *late = support_store_enqueue_op("j_5", "key", "digest b");

    ck_assert_int_eq(support_store_run(support_store_enqueue_op("j_1", "key", "digest a")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
    ck_assert_int_eq(support_store_run(support_store_enqueue_op("j_2", "key", "digest a")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_REPLAYED);
    ck_assert_str_eq(support_store.finished->job.id, "j_1");
    support_store_restart();
    ck_assert_int_eq(support_store_run(support_store_enqueue_op("j_3", "key", "digest b")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_MISMATCH);
    ck_assert_int_eq(support_store_run(support_store_enqueue_op("j_4", "other", "digest b")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
    late->now_us += 25 * SUPPORT_STORE_HOUR_US;
    ck_assert_int_eq(support_store_run(late), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
}
END_TEST

START_TEST(removing_a_job_frees_its_key_and_its_result)
{
    struct base_arena arena = {0};
    struct server_store_job job;

    ck_assert_int_eq(support_store_run(support_store_enqueue_op("j_1", "key", "digest")), 0);
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_int_eq(support_store_finish("j_1", 1, 3, true), 0);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_REMOVE, "j_1", 0)), 0);
    ck_assert_int_eq(server_store_load(support_store.store, "j_1", &arena, &job),
                     BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_REMOVE, "j_1", 0)),
                     BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(support_store_run(support_store_enqueue_op("j_2", "key", "other digest")), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
    base_arena_deinit(&arena);
}
END_TEST

struct seen {
    unsigned n;
    uint64_t last;
    bool done;
};

static int see_event(void *arg, const struct server_store_event *event)
{
    struct seen *seen = arg;

    ck_assert_uint_gt(event->id, seen->last);
    seen->last = event->id;
    seen->n++;
    seen->done = event->data == NULL;
    return 0;
}

START_TEST(events_are_read_after_an_id_in_order)
{
    struct seen all = {0}, rest = {.last = 1}, page = {0};

    support_store_enqueue("j_1");
    ck_assert_int_eq(support_store_claim(NULL), 0);
    ck_assert_int_eq(support_store_event("j_1", 1, 2), 0);
    ck_assert_int_eq(support_store_event("j_1", 1, 5), 0);
    ck_assert_int_eq(support_store_event("j_1", 1, 5), BASE_ERR_CONFLICT);
    ck_assert_int_eq(support_store_finish("j_1", 1, 0, true), 0);
    support_store_restart();
    ck_assert_int_eq(server_store_visit_events(support_store.store, "j_1", 0, 100, see_event, &all),
                     0);
    ck_assert_uint_eq(all.n, 4);
    ck_assert(all.done);
    ck_assert_int_eq(
        server_store_visit_events(support_store.store, "j_1", 1, 100, see_event, &rest), 0);
    ck_assert_uint_eq(rest.n, 3);
    ck_assert_int_eq(server_store_visit_events(support_store.store, "j_1", 0, 2, see_event, &page),
                     0);
    ck_assert_uint_eq(page.last, 2);
}
END_TEST

static int collect_ids(void *arg, const struct server_store_job *job)
{
    struct base_buf *ids = arg;

    return base_buf_printf(ids, "%s ", job->id);
}

static void check_ids(struct base_buf *ids, const char *expected)
{
    ck_assert_str_eq(base_buf_str(ids), expected);
    base_buf_deinit(ids);
}

START_TEST(lists_are_filtered_and_newest_first)
{
    struct base_buf ids = {0};
    struct server_store_filter filter = {.limit = 2};

    support_store_enqueue("j_1");
    support_store_enqueue("j_2");
    support_store_enqueue("j_3");
    ck_assert_int_eq(support_store_claim("j_2"), 0);
    ck_assert_int_eq(server_store_visit_jobs(support_store.store, &filter, collect_ids, &ids), 0);
    check_ids(&ids, "j_3 j_2 ");
    filter.behind_seq = 2;
    ck_assert_int_eq(server_store_visit_jobs(support_store.store, &filter, collect_ids, &ids), 0);
    check_ids(&ids, "j_1 ");
    filter = (struct server_store_filter){.state = "queued", .label = "a label", .limit = 10};
    ck_assert_int_eq(server_store_visit_jobs(support_store.store, &filter, collect_ids, &ids), 0);
    check_ids(&ids, "j_3 j_1 ");
    ck_assert_int_eq(server_store_visit_live(support_store.store, collect_ids, &ids), 0);
    check_ids(&ids, "j_1 j_2 j_3 ");
}
END_TEST

static void count_done(struct server_store_op *op)
{
    int *counts = op->arg;

    counts[op->status == 0 ? 0 : 1]++;
    server_store_op_free(op);
}

/* A refused op must not undo the others of its group. */
START_TEST(a_group_survives_a_refused_member)
{
    enum { N = 200 };
    static char ids[N][16];
    int counts[2] = {0, 0};

    for (int i = 0; i < N; i++) {
        struct server_store_op *op;

        snprintf(ids[i], sizeof(ids[i]), "j_%d", i - i % 2); /* every second one is a duplicate */
        op = support_store_enqueue_op(ids[i], NULL, NULL);
        op->done = count_done;
        op->arg = counts;
        server_store_submit(support_store.store, op);
    }
    while (server_store_backlog(support_store.store)) {
        usleep(200);
        server_store_poll(support_store.store);
    }
    ck_assert_int_eq(counts[0], N / 2);
    ck_assert_int_eq(counts[1], N / 2);
    ck_assert_int_eq(server_store_health(support_store.store), 0);
}
END_TEST

static void scribble(const char *file)
{
    char noise[8192];
    int fd = open(file, O_WRONLY);

    memset(noise, 0x5a, sizeof(noise));
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pwrite(fd, noise, sizeof(noise), 0), sizeof(noise));
    close(fd);
}

static int count_files(const char *prefix)
{
    DIR *dir = opendir(support_store.folder);
    struct dirent *entry;
    int n = 0;

    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)) != NULL)
        n += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(dir);
    return n;
}

START_TEST(a_damaged_file_is_set_aside)
{
    struct base_arena arena = {0};
    struct server_store_job job;

    support_store_enqueue("j_1");
    server_store_free(support_store.store);
    scribble(support_store.path);
    support_store_open();
    ck_assert_int_eq(server_store_load(support_store.store, "j_1", &arena, &job),
                     BASE_ERR_NOT_FOUND);
    support_store_enqueue("j_2");
    ck_assert_int_eq(count_files("jobs.db.damaged-"), 1);
    base_arena_deinit(&arena);
}
END_TEST

START_TEST(a_file_of_a_later_version_is_refused)
{
    const struct server_store_backend *backend;
    struct base_diag diag;
    sqlite3 *db;
    void *self;

    server_store_free(support_store.store);
    ck_assert_int_eq(sqlite3_open(support_store.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    ck_assert_int_eq(server_store_sqlite_open(support_store.path, NULL, &backend, &self, &diag),
                     BASE_ERR_VERSION);
    ck_assert_ptr_nonnull(strstr(diag.text, "later version"));
    unlink(support_store.path);
    support_store_open();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {an_accepted_job_is_there_after_a_restart,
                                  claims_follow_priority_then_order,
                                  nothing_to_claim_is_no_error,
                                  a_lapsed_lease_is_claimed_again_and_the_old_owner_is_fenced,
                                  a_restart_requeues_what_was_running,
                                  a_paused_job_stays_paused_over_a_restart,
                                  the_end_stores_result_and_solutions_once,
                                  an_equal_request_is_answered_unless_fresh,
                                  a_cut_list_answers_only_the_same_cap,
                                  a_key_replays_refuses_and_expires,
                                  removing_a_job_frees_its_key_and_its_result,
                                  events_are_read_after_an_id_in_order,
                                  lists_are_filtered_and_newest_first,
                                  a_group_survives_a_refused_member,
                                  a_damaged_file_is_set_aside,
                                  a_file_of_a_later_version_is_refused};

    return support_suite_run("server_store", tests, BASE_COUNT(tests), support_store_set_up,
                             support_store_tear_down, 10);
}
