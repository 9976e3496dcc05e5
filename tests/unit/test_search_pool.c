/*
 * test_search_pool.c - the threads: every piece is run, shares are kept, works end once.
 */
#include <check.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/base_clock.h"
#include "core/search/search_pool.h"
#include "tests/support/support_suite.h"

static struct search_pool *pool;

static void setup(void)
{
    ck_assert_int_eq(search_pool_new(3, false, &pool), 0);
}

static void teardown(void)
{
    search_pool_drain(pool);
    search_pool_free(pool);
}

/* So many pieces, each some time of a thread. */
struct task {
    struct search_work work; /* first */
    atomic_uint left, done, ended, inside, most_inside;
    atomic_uint threads; /* bit of every thread that was here */
    unsigned spin_us;
    bool endless;
};

static bool task_ready(const struct search_work *work)
{
    const struct task *task = (const struct task *)work;
    return task->endless || atomic_load(&task->left) > 0;
}

static bool take(struct task *task)
{
    unsigned left = atomic_load(&task->left);
    while (left > 0)
        if (atomic_compare_exchange_weak(&task->left, &left, left - 1))
            return true;
    return task->endless;
}

static void task_slice(struct search_work *work, unsigned thread)
{
    struct task *task = (struct task *)work;
    unsigned inside = atomic_fetch_add(&task->inside, 1) + 1;
    unsigned most = atomic_load(&task->most_inside);
    while (inside > most && !atomic_compare_exchange_weak(&task->most_inside, &most, inside))
        ;
    atomic_fetch_or(&task->threads, 1u << thread);
    if (take(task)) {
        uint64_t end = base_clock_ns() + task->spin_us * 1000u;
        while (base_clock_ns() < end)
            ;
        atomic_fetch_add(&task->done, 1);
    }
    atomic_fetch_sub(&task->inside, 1);
}

static void task_ended(struct search_work *work)
{
    struct task *task = (struct task *)work;
    atomic_fetch_add(&task->ended, 1);
}

static const struct search_work_ops task_ops = {
    .ready = task_ready, .slice = task_slice, .ended = task_ended};

/* Works must live until they have ended. */
static struct task one, other;

/* Hands out pieces as long as `left` says, or without end. */
static void task_start(struct task *task, bool endless, unsigned weight, unsigned spin_us)
{
    *task = (struct task){
        .work = {.ops = &task_ops, .weight = weight}, .spin_us = spin_us, .endless = endless};
    search_pool_add(pool, &task->work);
}

static void sleep_ms(unsigned ms)
{
    struct timespec time = {0, (long)ms * 1000000};
    nanosleep(&time, NULL);
}

static void task_finish(struct task *task)
{
    search_pool_finish(pool, &task->work);
}

START_TEST(spread_over_threads)
{
    task_start(&one, true, 1, 200);
    while (atomic_load(&one.threads) != 7)
        sleep_ms(1);
    ck_assert_uint_eq(search_pool_threads(pool), 3);
    task_finish(&one);
    search_pool_drain(pool);
    ck_assert_uint_eq(atomic_load(&one.ended), 1);
    ck_assert_uint_eq(atomic_load(&one.inside), 0);
    ck_assert_uint_ge(atomic_load(&one.most_inside), 2);
}
END_TEST

START_TEST(nothing_after_the_end)
{
    static struct task task[20];
    for (unsigned i = 0; i < 20; i++)
        task_start(&task[i], true, 1, 10);
    while (atomic_load(&task[0].done) == 0)
        sleep_ms(1);
    for (unsigned i = 0; i < 20; i++)
        task_finish(&task[i]);
    search_pool_drain(pool);
    for (unsigned i = 0; i < 20; i++) {
        unsigned done = atomic_load(&task[i].done);
        ck_assert_uint_eq(atomic_load(&task[i].ended), 1);
        sleep_ms(1);
        ck_assert_uint_eq(atomic_load(&task[i].done), done);
    }
}
END_TEST

static void expect_idle(unsigned threads)
{
    for (unsigned tries = 0; search_pool_idle(pool) != threads && tries < 5000; tries++)
        sleep_ms(1);
    ck_assert_uint_eq(search_pool_idle(pool), threads);
}

START_TEST(paused_work_leaves_threads_idle)
{
    expect_idle(3);
    task_start(&one, true, 1, 500);
    expect_idle(0);
    search_pool_pause(pool, &one.work, true);
    expect_idle(3);
    unsigned done = atomic_load(&one.done);
    sleep_ms(5);
    ck_assert_uint_eq(atomic_load(&one.done), done);
    search_pool_pause(pool, &one.work, false);
    while (atomic_load(&one.done) == done)
        sleep_ms(1);
    search_pool_pause(pool, &one.work, true);
    task_finish(&one); /* a paused work ends all the same */
    search_pool_drain(pool);
    ck_assert_uint_eq(atomic_load(&one.ended), 1);
}
END_TEST

/* A work that becomes ready is taken by threads that sleep. */
START_TEST(woken)
{
    task_start(&one, false, 1, 10);
    for (unsigned i = 1; i <= 500; i++) {
        atomic_store(&one.left, 1);
        search_pool_wake(pool);
        for (unsigned tries = 0; atomic_load(&one.done) < i && tries < 5000; tries++)
            if (tries > 100)
                sleep_ms(1);
        ck_assert_uint_eq(atomic_load(&one.done), i);
    }
    task_finish(&one);
}
END_TEST

START_TEST(shares)
{
    task_start(&one, true, 1, 50);
    task_start(&other, true, 8, 50);
    while (atomic_load(&one.done) < 1000)
        sleep_ms(1);
    double ratio = (double)atomic_load(&other.done) / atomic_load(&one.done);
    task_finish(&one);
    task_finish(&other);
    ck_assert_msg(ratio > 1.5 && ratio < 40, "%.1f", ratio);
}
END_TEST

/* From the change on: the new weight is in force for what is counted here. */
START_TEST(shares_that_change)
{
    task_start(&one, true, 1, 50);
    task_start(&other, true, 1, 50);
    while (atomic_load(&one.done) < 100)
        sleep_ms(1);
    search_pool_weigh(pool, &other.work, 8);
    unsigned one_before = atomic_load(&one.done), other_before = atomic_load(&other.done);
    while (atomic_load(&one.done) - one_before < 1000)
        sleep_ms(1);
    double ratio =
        (double)(atomic_load(&other.done) - other_before) / (atomic_load(&one.done) - one_before);
    task_finish(&one);
    task_finish(&other);
    ck_assert_msg(ratio > 1.5 && ratio < 40, "%.1f", ratio);
}
END_TEST

/* A new work is level with the one that has had least: it neither waits nor takes over. */
START_TEST(newcomer)
{
    task_start(&one, true, 1, 50);
    while (atomic_load(&one.done) < 500)
        sleep_ms(1);
    unsigned before = atomic_load(&one.done);
    task_start(&other, true, 1, 50);
    while (atomic_load(&other.done) < 4000) /* long enough for slices in which a thread lost its
                                               processor not to matter */
        sleep_ms(1);
    unsigned meanwhile = atomic_load(&one.done) - before;
    task_finish(&one);
    task_finish(&other);
    ck_assert_msg(meanwhile > 400 && meanwhile < 40000, "%u", meanwhile);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {spread_over_threads,
                                  nothing_after_the_end,
                                  paused_work_leaves_threads_idle,
                                  woken,
                                  shares,
                                  shares_that_change,
                                  newcomer};
    return support_suite_run("search_pool", tests, sizeof tests / sizeof *tests, setup, teardown,
                             30);
}
