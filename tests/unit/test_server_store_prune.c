/*
 * test_server_store_prune.c - what the job store removes of its own accord: by age, by size, oldest
 * end first, never what lives or has just ended.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "server/server_store.h"
#include "server/server_store_read.h"
#include "tests/support/support_store.h"
#include "tests/support/support_suite.h"

enum { LONG_AGO = 1000, ANY = 100 };

static bool has(const char *id)
{
    struct base_arena arena = {0};
    struct server_store_job job;
    int status = server_store_load(support_store.store, id, &arena, &job);

    ck_assert(status == 0 || status == BASE_ERR_NOT_FOUND);
    base_arena_deinit(&arena);
    return status == 0;
}

static bool has_batch(const char *id)
{
    struct base_arena arena = {0};
    struct server_store_batch batch;
    int status = server_store_load_batch(support_store.store, id, &arena, &batch);

    base_arena_deinit(&arena);
    return status == 0;
}

/* Ends a job at a time of choice. */
static void end_at(const char *id, int64_t ended_us, uint64_t n_solutions)
{
    struct server_store_op *op;

    ck_assert_int_eq(support_store_claim(id), 0);
    op = support_store_finish_op(id, 1, n_solutions, true);
    op->now_us = ended_us;
    ck_assert_int_eq(support_store_run(op), 0);
}

/* With a key of its own, so that no answer of another job serves it. */
static void add(const char *id)
{
    struct server_store_op *op = support_store_enqueue_op(id, NULL, NULL);

    op->job.equal_key = id;
    ck_assert_int_eq(support_store_run(op), 0);
    ck_assert_int_eq(support_store.finished->outcome, SERVER_STORE_ACCEPTED);
}

static void add_ended(const char *id, int64_t ended_us)
{
    add(id);
    end_at(id, ended_us, 1);
}

static void add_batch(const char *id, unsigned n)
{
    struct server_store_op *op = support_store_batch_op(id, n, NULL, NULL);

    ck_assert_int_eq(support_store_run(op), 0);
}

static struct server_store_prune prune(struct server_store_prune bounds)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_PRUNE);

    op->prune = bounds;
    ck_assert_int_eq(support_store_run(op), 0);
    return support_store.finished->prune;
}

START_TEST(age_removes_what_ended_before)
{
    struct server_store_prune done;

    add("j_live");
    add_ended("j_old", 10);
    add_ended("j_edge", 20);
    add_ended("j_new", 30);
    done = prune((struct server_store_prune){.expired_us = 20, .spared_us = 25, .limit = ANY});
    ck_assert_uint_eq(done.n_removed, 1);
    ck_assert(!done.more);
    ck_assert(!has("j_old"));
    ck_assert(has("j_edge") && has("j_new") && has("j_live"));
}
END_TEST

START_TEST(what_has_just_ended_is_spared)
{
    add_ended("j_1", 50);
    add_ended("j_2", 40);
    ck_assert_uint_eq(prune((struct server_store_prune){
                                .expired_us = 100, .spared_us = 45, .max_bytes = 1, .limit = ANY})
                          .n_removed,
                      1);
    ck_assert(has("j_1"));
    ck_assert(!has("j_2"));
}
END_TEST

START_TEST(nothing_goes_without_bounds)
{
    struct server_store_prune done;

    add_ended("j_1", 10);
    done = prune(
        (struct server_store_prune){.expired_us = INT64_MIN, .spared_us = LONG_AGO, .limit = ANY});
    ck_assert_uint_eq(done.n_removed, 0);
    ck_assert_uint_gt(done.bytes, 4096);
    ck_assert(has("j_1"));
}
END_TEST

/* Ends come in another order than acceptances; the result of 500 solutions goes last. */
START_TEST(size_removes_the_oldest_ends_until_it_fits)
{
    struct server_store_prune bounds = {
        .expired_us = INT64_MIN, .spared_us = LONG_AGO, .max_bytes = UINT64_MAX, .limit = ANY};
    uint64_t empty = prune(bounds).bytes, full;

    add("j_1");
    add("j_2");
    add("j_3");
    end_at("j_1", 30, 500);
    end_at("j_2", 10, 2000);
    end_at("j_3", 20, 500);
    full = prune(bounds).bytes;
    ck_assert_uint_gt(full, empty);
    bounds.max_bytes = full - 4096;
    ck_assert_uint_eq(prune(bounds).n_removed, 1);
    ck_assert(!has("j_2") && has("j_3") && has("j_1"));
    bounds.max_bytes = 1;
    ck_assert_uint_eq(prune(bounds).n_removed, 2);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM solutions"), 0);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM results"), 0);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM events"), 0);
}
END_TEST

START_TEST(a_limit_leaves_the_rest_for_the_next_time)
{
    struct server_store_prune bounds = {.expired_us = 100, .spared_us = 100, .limit = 2};
    struct server_store_prune done;

    add_ended("j_1", 1);
    add_ended("j_2", 2);
    add_ended("j_3", 3);
    done = prune(bounds);
    ck_assert_uint_eq(done.n_removed, 2);
    ck_assert(done.more);
    ck_assert(has("j_3"));
    done = prune(bounds);
    ck_assert_uint_eq(done.n_removed, 1);
    ck_assert(!done.more);
}
END_TEST

START_TEST(batches_go_whole_once_all_has_ended)
{
    struct server_store_prune bounds = {.expired_us = 100, .spared_us = 100, .limit = ANY};

    add_batch("b_1", 2);
    add_batch("b_2", 2);
    end_at("b_10", 5, 1);
    end_at("b_20", 6, 1);
    end_at("b_21", 7, 1);
    ck_assert_uint_eq(prune(bounds).n_removed, 1); /* b_1 has a job that lives */
    ck_assert(has_batch("b_1") && has("b_10"));
    ck_assert(!has_batch("b_2") && !has("b_20") && !has("b_21"));
    end_at("b_11", 200, 1);
    ck_assert_uint_eq(prune(bounds).n_removed, 0);
    bounds.expired_us = bounds.spared_us = 300;
    ck_assert_uint_eq(prune(bounds).n_removed, 1);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM batch_events"), 0);
    ck_assert_int_eq(support_store_count("SELECT count(*) FROM jobs"), 0);
}
END_TEST

START_TEST(jobs_and_batches_go_in_the_order_of_their_ends)
{
    struct server_store_prune bounds = {.expired_us = 100, .spared_us = 100, .limit = 1};

    add_batch("b_1", 1);
    add_ended("j_1", 10);
    end_at("b_10", 5, 1);
    prune(bounds);
    ck_assert(!has_batch("b_1") && has("j_1"));
}
END_TEST

START_TEST(a_file_of_the_fourth_version_is_raised)
{
    add("j_1");
    end_at("j_1", 10, 1);
    support_store_change("DROP INDEX jobs_ended; PRAGMA user_version = 4");
    ck_assert_int_eq(support_store_count("PRAGMA user_version"), 5);
    ck_assert_uint_eq(
        prune((struct server_store_prune){.expired_us = 20, .spared_us = 20, .limit = ANY})
            .n_removed,
        1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {age_removes_what_ended_before,
                                  what_has_just_ended_is_spared,
                                  nothing_goes_without_bounds,
                                  size_removes_the_oldest_ends_until_it_fits,
                                  a_limit_leaves_the_rest_for_the_next_time,
                                  batches_go_whole_once_all_has_ended,
                                  jobs_and_batches_go_in_the_order_of_their_ends,
                                  a_file_of_the_fourth_version_is_raised};

    return support_suite_run("server_store_prune", tests, sizeof(tests) / sizeof(tests[0]),
                             support_store_set_up, support_store_tear_down, 30);
}
