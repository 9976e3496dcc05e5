/*
 * test_server_store_checkpoint.c - checkpoints in the job store: kept with live jobs alone, given
 * to who claims one, and never at the expense of anything else.
 */
#include <check.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "tests/support/support_store.h"
#include "tests/support/support_suite.h"

enum { LARGE = 4 << 20, ROOM = 1 << 20 };

static struct server_store_op *checkpoint_op(const char *id, uint64_t attempt, const void *bytes,
                                             size_t length)
{
    struct server_store_op *op = support_store_op(SERVER_STORE_CHECKPOINT, id, attempt);

    ck_assert(server_store_op_bytes(op, bytes, length));
    return op;
}

static int put(const char *id, uint64_t attempt, const char *text)
{
    return support_store_run(checkpoint_op(id, attempt, text, strlen(text) + 1));
}

/* Claims the job, which must have this checkpoint; NULL: none. */
static void check_claim(const char *id, const char *text)
{
    ck_assert_int_eq(support_store_claim(id), 0);
    if (!text) {
        ck_assert_ptr_null(support_store.finished->checkpoint);
        return;
    }
    ck_assert_uint_eq(support_store.finished->checkpoint_bytes, strlen(text) + 1);
    ck_assert_mem_eq(support_store.finished->checkpoint, text, strlen(text) + 1);
}

static int count_checkpoints(void)
{
    return support_store_count("SELECT count(*) FROM checkpoints");
}

START_TEST(the_last_one_comes_with_the_next_claim)
{
    support_store_enqueue("j_1");
    support_store_enqueue("j_2");
    check_claim("j_1", NULL);
    ck_assert_int_eq(put("j_1", 1, "first"), 0);
    ck_assert_int_eq(put("j_1", 1, "second, and longer"), 0);
    ck_assert_int_eq(count_checkpoints(), 1);
    support_store_restart();
    check_claim("j_2", NULL);
    check_claim("j_1", "second, and longer");
    support_store_restart();
    check_claim("j_1", "second, and longer");
}
END_TEST

START_TEST(bytes_of_any_kind)
{
    uint8_t bytes[70000];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * i >> 3);
    support_store_enqueue("j_1");
    check_claim("j_1", NULL);
    ck_assert_int_eq(support_store_run(checkpoint_op("j_1", 1, bytes, sizeof(bytes))), 0);
    support_store_restart();
    ck_assert_int_eq(support_store_claim("j_1"), 0);
    ck_assert_uint_eq(support_store.finished->checkpoint_bytes, sizeof(bytes));
    ck_assert_mem_eq(support_store.finished->checkpoint, bytes, sizeof(bytes));
}
END_TEST

START_TEST(former_owners_are_fenced)
{
    support_store_enqueue("j_1");
    check_claim("j_1", NULL);
    support_store_restart();
    check_claim("j_1", NULL);
    ck_assert_int_eq(put("j_1", 2, "of the owner"), 0);
    ck_assert_int_eq(put("j_1", 1, "of the former one"), BASE_ERR_CONFLICT);
    ck_assert_int_eq(put("j_unknown", 1, "of nobody"), BASE_ERR_CONFLICT);
    support_store_restart();
    check_claim("j_1", "of the owner");
}
END_TEST

START_TEST(ended_and_removed_jobs_have_none)
{
    support_store_enqueue("j_1");
    support_store_enqueue("j_2");
    check_claim("j_1", NULL);
    check_claim("j_2", NULL);
    ck_assert_int_eq(put("j_1", 1, "one"), 0);
    ck_assert_int_eq(put("j_2", 1, "two"), 0);
    ck_assert_int_eq(support_store_finish("j_1", 1, 0, true), 0);
    ck_assert_int_eq(count_checkpoints(), 1);
    ck_assert_int_eq(put("j_1", 1, "late"), BASE_ERR_CONFLICT);
    ck_assert_int_eq(support_store_run(support_store_op(SERVER_STORE_REMOVE, "j_2", 0)), 0);
    ck_assert_int_eq(count_checkpoints(), 0);
}
END_TEST

/* The step from the third version to the fourth adds the table and nothing else. */
START_TEST(a_file_of_the_third_version_is_raised)
{
    static const char back[] = "DROP INDEX jobs_ended; DROP TABLE checkpoints; "
                               "PRAGMA user_version = 3";

    support_store_enqueue("j_1");
    support_store_change(back);
    ck_assert_int_ge(support_store_count("PRAGMA user_version"), 4);
    check_claim("j_1", NULL);
    ck_assert_int_eq(put("j_1", 1, "new"), 0);
    support_store_restart();
    check_claim("j_1", "new");
}
END_TEST

static void count_done(struct server_store_op *op)
{
    int *counts = op->arg;

    counts[op->status == 0]++;
    server_store_op_free(op);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit = {bytes, RLIM_INFINITY};

    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Events and a checkpoint that has no room, over and over, so that they meet in a group: the events
 * are stored, and the store is not in trouble. */
START_TEST(one_that_does_not_fit_fails_alone)
{
    enum { N = 20 };
    int events[2] = {0, 0}, checkpoints[2] = {0, 0};
    void *bytes = calloc(1, LARGE);

    signal(SIGXFSZ, SIG_IGN);
    support_store_enqueue("j_1");
    check_claim("j_1", NULL);
    ck_assert_int_eq(put("j_1", 1, "one that fits"), 0);
    limit_files(ROOM);
    for (unsigned i = 0; i < N; i++) {
        struct server_store_op *op[2] = {support_store_op(SERVER_STORE_APPEND, "j_1", 1),
                                         checkpoint_op("j_1", 1, bytes, LARGE)};

        op[0]->event[0] = (struct server_store_event){i + 10, "state", "{}"};
        op[0]->n_events = 1;
        for (unsigned k = 0; k < 2; k++) {
            op[k]->done = count_done;
            op[k]->arg = k ? checkpoints : events;
            server_store_submit(support_store.store, op[k]);
        }
    }
    while (server_store_backlog(support_store.store)) {
        usleep(200);
        server_store_poll(support_store.store);
    }
    ck_assert_int_eq(events[1], N);
    ck_assert_int_eq(checkpoints[0], N);
    ck_assert_int_eq(server_store_health(support_store.store), 0);
    limit_files(RLIM_INFINITY);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM events WHERE id >= 10"), N);
    support_store_restart();
    check_claim("j_1", "one that fits");
    ck_assert_int_eq(support_store_run(checkpoint_op("j_1", 2, bytes, LARGE)), 0);
    free(bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {the_last_one_comes_with_the_next_claim,
                                  bytes_of_any_kind,
                                  former_owners_are_fenced,
                                  ended_and_removed_jobs_have_none,
                                  a_file_of_the_third_version_is_raised,
                                  one_that_does_not_fit_fails_alone};

    return support_suite_run("server_store_checkpoint", tests, sizeof(tests) / sizeof(tests[0]),
                             support_store_set_up, support_store_tear_down, 30);
}
