/*
 * test_engine_jobs.c - the life of jobs: cancel, pause, release, limits, and many at once.
 */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "core/base/base_clock.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_random.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

/* A cancel takes at most 0.1 s on a host that has nothing else to do; this one may. Sanitizers are
 * slow. */
#ifdef CYCLOSOLVE_DEBUG
static const double soon = 20;
#else
static const double soon = 1;
#endif

static struct puzzle *cube, *pocket;
static struct cycle_structure superflip, short_one, tiny;
static struct support_engine here;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    pocket = support_builtin("2x2x2");
    superflip = support_cycle(cube, "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+)");
    short_one = support_cycle(cube, "c: (1+, 5+) / e: (1+, 7+)");
    tiny = support_cycle(pocket, "c: (4)");
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(pocket);
    puzzle_release(cube);
}

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

static struct engine_progress progress_of(const struct support_job *job)
{
    static struct engine_snapshot snapshot;
    engine_job_snapshot(job->job, &snapshot);
    return snapshot.progress;
}

/* A job that takes hours. */
static void start_long(struct support_job *job)
{
    struct engine_spec spec = support_spec_one(cube, &superflip);
    support_job_submit(&here, &spec, job);
}

static void wait_for_depth(struct support_job *job, unsigned depth)
{
    while (job->n_depths == 0 || job->depth[job->n_depths - 1].depth < depth)
        support_engine_pump(&here, 1);
}

static void expect_cancelled(struct support_job *job)
{
    uint64_t begin = base_clock_ns();
    engine_job_cancel(job->job);
    const struct engine_result *result = support_job_wait(&here, job);
    ck_assert_int_eq(result->state, ENGINE_CANCELLED);
    ck_assert_int_eq(result->length, -1);
    ck_assert(base_clock_seconds(base_clock_ns() - begin) < soon);
    ck_assert(support_engine_is_idle(&here, soon));
    engine_job_cancel(job->job); /* once more does nothing */
    engine_job_pause(job->job);
    engine_job_resume(job->job);
    support_engine_pump(&here, 0.01);
    ck_assert_int_eq(result->state, ENGINE_CANCELLED);
    support_job_release(job);
    struct engine_stats stats = support_engine_stats(&here);
    ck_assert_uint_eq(stats.jobs_running + stats.jobs_queued, 0);
}

/* ---- cancel ------------------------------------------------------------------------------- */

START_TEST(cancel_running)
{
    struct support_job job;
    start_long(&job);
    wait_for_depth(&job, 6);
    ck_assert_int_eq(job.state, ENGINE_RUNNING);
    expect_cancelled(&job);
}
END_TEST

START_TEST(cancel_at_any_time)
{
    for (unsigned i = 0; i < 40; i++) {
        struct support_job job;
        start_long(&job);
        pause_for(i * 0.001);
        expect_cancelled(&job);
    }
}
END_TEST

START_TEST(cancel_while_filling)
{
    struct support_job job;
    start_long(&job);
    while (job.n_tables == 0)
        support_engine_pump(&here, 1);
    expect_cancelled(&job);
}
END_TEST

/* Words above the optimum come by the hundred thousand: a cancel must not wait for all to be looked
 * through. */
START_TEST(cancel_with_many_solutions)
{
    struct cycle_structure target = support_cycle(pocket, "c: (4)");
    struct engine_spec spec = support_spec_all(pocket, &target);
    struct support_job job;
    spec.slack = 30;
    spec.limits.solutions = 0;
    support_job_submit(&here, &spec, &job);
    support_engine_pump(&here, 1);
    pause_for(1);
    uint64_t begin = base_clock_ns();
    engine_job_cancel(job.job);
    const struct engine_result *result = support_job_wait(&here, &job);
    ck_assert(base_clock_seconds(base_clock_ns() - begin) < soon);
    ck_assert(result->state == ENGINE_CANCELLED && !result->counted);
    ck_assert_int_eq(result->length, 1);
    ck_assert_uint_eq(result->n_solutions, 10000); /* the default cap: what was found is kept */
    support_job_release(&job);
}
END_TEST

START_TEST(cancel_paused)
{
    struct support_job job;
    start_long(&job);
    wait_for_depth(&job, 5);
    engine_job_pause(job.job);
    ck_assert(support_engine_is_idle(&here, 10)); /* a fill goes on to its end */
    expect_cancelled(&job);
}
END_TEST

START_TEST(cancel_one_of_two)
{
    struct support_job a, b;
    start_long(&a);
    start_long(&b);
    wait_for_depth(&a, 6);
    engine_job_cancel(a.job);
    ck_assert_int_eq(support_job_wait(&here, &a)->state, ENGINE_CANCELLED);
    uint64_t nodes = progress_of(&b).nodes;
    while (progress_of(&b).nodes == nodes)
        support_engine_pump(&here, 0.01);
    support_job_release(&a);
    expect_cancelled(&b);
}
END_TEST

/* What was found before stays. */
START_TEST(cancel_after_solutions)
{
    struct support_job job;
    struct engine_spec spec = support_spec_all(pocket, &tiny);
    spec.slack = 30;
    support_job_submit(&here, &spec, &job);
    wait_for_depth(&job, 5);
    engine_job_cancel(job.job);
    const struct engine_result *result = support_job_wait(&here, &job);
    ck_assert_int_eq(result->state, ENGINE_CANCELLED);
    ck_assert(result->length == 1 && result->optimal && !result->counted);
    ck_assert_uint_gt(result->n_solutions, 0);
    support_job_release(&job);
}
END_TEST

/* ---- pause -------------------------------------------------------------------------------- */

START_TEST(pause_and_resume)
{
    struct support_job job;
    start_long(&job);
    wait_for_depth(&job, 6);
    for (unsigned i = 0; i < 3; i++) {
        engine_job_pause(job.job);
        engine_job_pause(job.job);
        ck_assert(support_engine_is_idle(&here, 10));
        uint64_t nodes = progress_of(&job).nodes;
        pause_for(0.03);
        support_engine_pump(&here, 0);
        ck_assert_int_eq(job.state, ENGINE_PAUSED);
        ck_assert_uint_eq(progress_of(&job).nodes, nodes);
        engine_job_resume(job.job);
        engine_job_resume(job.job);
        do
            support_engine_pump(&here, 0.01);
        while (progress_of(&job).nodes == nodes);
        ck_assert_int_eq(job.state, ENGINE_RUNNING);
    }
    ck_assert_uint_eq(job.n_states, 1 + 2 * 3);
    expect_cancelled(&job);
}
END_TEST

/* The answer is the same; a paused job does not hold up others. */
START_TEST(pause_changes_nothing)
{
    struct engine_spec spec = support_spec_all(cube, &short_one);
    struct support_job paused, other;
    support_job_submit(&here, &spec, &paused);
    engine_job_pause(paused.job);
    support_job_run(&here, &spec, &other);
    ck_assert(!paused.done);
    engine_job_resume(paused.job);
    const struct engine_result *result = support_job_wait(&here, &paused);
    ck_assert(result->length == 5 && result->count[0].sequences == 480);
    support_job_release(&paused);
    support_job_release(&other);
}
END_TEST

/* Pausing and resuming at the very moment when jobs begin and end: the rules of events hold. */
START_TEST(pause_at_any_time)
{
    struct cycle_structure solved = support_cycle(pocket, "c:");
    struct engine_spec spec = support_spec_one(pocket, &solved);
    for (unsigned i = 0; i < 1500; i++) {
        struct support_job job;
        support_job_submit(&here, &spec, &job);
        while (!job.done) {
            engine_job_pause(job.job);
            engine_job_resume(job.job);
            support_engine_pump(&here, 0);
        }
        engine_job_pause(job.job);
        support_engine_pump(&here, 0); /* nothing comes */
        static struct engine_snapshot snapshot;
        engine_job_snapshot(job.job, &snapshot);
        ck_assert_int_eq(snapshot.state, ENGINE_SUCCEEDED);
        support_job_release(&job);
    }
}
END_TEST

/* ---- release and close -------------------------------------------------------------------- */

START_TEST(release_live)
{
    struct support_job job[8];
    for (unsigned i = 0; i < 8; i++) {
        start_long(&job[i]);
        pause_for(i * 0.005);
        if (i == 5)
            engine_job_pause(job[i].job);
        support_job_release(&job[i]);
    }
    ck_assert(support_engine_is_idle(&here, 10));
    while (support_engine_stats(&here).jobs_running > 0)
        support_engine_pump(&here, 0.01);
    struct engine_event event;
    while (engine_poll(here.engine, &event)) /* what came before the release was taken away too */
        ck_abort_msg("an event of a released job");
}
END_TEST

START_TEST(close_at_any_time)
{
    for (unsigned i = 0; i < 12; i++) {
        struct support_engine mine;
        struct support_job job[3];
        support_engine_open(&mine, NULL);
        for (unsigned j = 0; j < 3; j++) {
            struct engine_spec spec = support_spec_one(cube, j ? &superflip : &short_one);
            support_job_submit(&mine, &spec, &job[j]);
        }
        pause_for(i * 0.01);
        for (unsigned j = 0; j < 3; j++)
            support_job_release(&job[j]);
        support_engine_close(&mine);
    }
}
END_TEST

START_TEST(open_and_close)
{
    struct support_engine mine;
    struct engine_config config = {.threads = 3};
    support_engine_open(&mine, &config);
    struct engine_stats stats = support_engine_stats(&mine);
    ck_assert_uint_eq(stats.threads, 3);
    ck_assert_uint_eq(stats.table_count, 0);
    ck_assert_str_ne(engine_kernels(mine.engine), "");
    ck_assert(support_engine_is_idle(&mine, soon));
    support_engine_close(&mine);
}
END_TEST

/* ---- limits ------------------------------------------------------------------------------- */

START_TEST(limit_of_seconds)
{
    struct support_job job;
    struct engine_spec spec = support_spec_one(cube, &superflip);
    spec.limits.seconds = 0.4;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_int_eq(result->state, ENGINE_SUCCEEDED);
    ck_assert_int_eq(result->limit_hit, ENGINE_LIMIT_SECONDS);
    ck_assert(result->length == -1 && !result->optimal);
    ck_assert_uint_le(result->lower_bound, 20);
    ck_assert(result->seconds >= 0.4);
    support_job_release(&job);
    ck_assert(support_engine_is_idle(&here, 10));
}
END_TEST

START_TEST(limit_of_nodes)
{
    struct support_job job;
    struct engine_spec spec = support_spec_all(cube, &superflip);
    spec.limits.nodes = 200000;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_int_eq(result->limit_hit, ENGINE_LIMIT_NODES);
    ck_assert(!result->counted);
    ck_assert_uint_ge(result->nodes, 200000);
    ck_assert_uint_lt(result->nodes, 2000000); /* a slice of every thread more */
    support_job_release(&job);
    spec = support_spec_all(cube, &short_one);
    spec.limits.nodes = 1000000000; /* not hit */
    result = support_job_run(&here, &spec, &job);
    ck_assert(result->limit_hit == ENGINE_LIMIT_NONE && result->counted && result->length == 5);
    support_job_release(&job);
}
END_TEST

/* A job that finds more words than it may keep ends with those that it has. */
START_TEST(limit_of_memory_for_solutions)
{
    struct engine_config config = {.threads = 2, .solution_bytes = 1 << 16};
    struct support_engine small;
    struct support_job job;
    struct cycle_structure target = support_cycle(cube, "c: / e: (11)");
    struct engine_spec spec = support_spec_all(cube, &target);
    support_engine_open(&small, &config);
    const struct engine_result *result = support_job_run(&small, &spec, &job);
    ck_assert_int_eq(result->state, ENGINE_SUCCEEDED);
    ck_assert_int_eq(result->limit_hit, ENGINE_LIMIT_MEMORY);
    ck_assert(result->length == 10 && !result->counted);
    ck_assert_uint_gt(result->n_solutions, 0);
    support_job_release(&job);
    spec = support_spec_all(cube, &short_one); /* few words */
    result = support_job_run(&small, &spec, &job);
    ck_assert(result->limit_hit == ENGINE_LIMIT_NONE && result->counted && result->length == 5);
    support_job_release(&job);
    support_engine_close(&small);
}
END_TEST

/* Depths do not depend on limits; an answer within them is the answer. */
START_TEST(limits_keep_what_is_proven)
{
    struct support_job job;
    struct engine_spec spec = support_spec_one(cube, &superflip);
    unsigned last = 0;
    for (uint64_t nodes = 1000; nodes <= 1000000; nodes *= 10) {
        spec.limits.nodes = nodes;
        const struct engine_result *result = support_job_run(&here, &spec, &job);
        ck_assert_uint_ge(result->lower_bound, last);
        last = result->lower_bound;
        if (job.n_depths > 0)
            ck_assert_uint_ge(last, job.depth[job.n_depths - 1].lower_bound);
        support_job_release(&job);
    }
    ck_assert_uint_ge(last, 7);
}
END_TEST

/* ---- many --------------------------------------------------------------------------------- */

START_TEST(fifty_at_once)
{
    enum { JOBS = 50 };
    static struct support_job job[JOBS];
    static struct support_structure row[JOBS];
    FILE *file = support_structures_open();
    for (unsigned i = 0; i < JOBS; i++) {
        for (unsigned skip = 0; skip < 15; skip++)
            ck_assert(support_structures_next(file, cube, &row[i]));
        struct engine_spec spec = support_spec_all(cube, &row[i].structure);
        spec.priority = i % 10;
        spec.limits.memory_bytes = 3 << 20; /* tables that are filled in no time */
        support_job_submit(&here, &spec, &job[i]);
    }
    fclose(file);
    for (unsigned i = 0; i < JOBS; i++) {
        const struct engine_result *result = support_job_wait(&here, &job[i]);
        ck_assert_int_eq(result->length, (int)row[i].min_htm);
        ck_assert_uint_eq(result->count[0].sequences, row[i].words);
        support_job_release(&job[i]);
    }
    struct engine_stats stats = support_engine_stats(&here);
    ck_assert_uint_eq(stats.jobs_running + stats.jobs_queued, 0);
    ck_assert_uint_gt(stats.nodes, 0);
}
END_TEST

/* Of one thread, the job of priority 9 has ten times the share of that of priority 0. */
START_TEST(priority)
{
    struct engine_config config = {.threads = 1};
    struct support_engine mine;
    struct support_job low, high;
    struct engine_spec spec = support_spec_one(cube, &superflip);
    support_engine_open(&mine, &config);
    spec.limits.memory_bytes = 4 << 20;
    spec.priority = 9;
    support_job_submit(&mine, &spec, &high);
    spec.priority = 0;
    support_job_submit(&mine, &spec, &low);
    while (high.n_depths == 0 || progress_of(&low).nodes < 100000)
        support_engine_pump(&mine, 0.02);
    uint64_t high_before = progress_of(&high).nodes, low_before = progress_of(&low).nodes;
    while (progress_of(&low).nodes < low_before + 1000000)
        support_engine_pump(&mine, 0.02);
    double ratio = (double)(progress_of(&high).nodes - high_before) /
                   (double)(progress_of(&low).nodes - low_before);
    ck_assert_msg(ratio > 1.5, "%.1f", ratio); /* a loaded host blurs it */
    support_job_release(&low);
    support_job_release(&high);
    support_engine_close(&mine);
}
END_TEST

/* A long job does not hold up a short one. */
START_TEST(short_beside_long)
{
    struct support_job job, other;
    start_long(&job);
    wait_for_depth(&job, 8);
    uint64_t begin = base_clock_ns();
    struct engine_spec spec = support_spec_all(cube, &short_one);
    ck_assert_uint_eq(support_job_run(&here, &spec, &other)->count[0].sequences, 480);
    ck_assert(base_clock_seconds(base_clock_ns() - begin) < 3 * soon);
    ck_assert(!job.done);
    support_job_release(&other);
    expect_cancelled(&job);
}
END_TEST

/* ---- looking in --------------------------------------------------------------------------- */

struct watcher {
    const struct engine_job *job;
    struct engine *engine;
    atomic_bool stop;
    unsigned looks;
};

static void ignore_table(void *arg, const struct engine_table_info *info)
{
    (void)arg, (void)info;
}

/* What a server does from other threads, all the time. */
static void *watch(void *arg)
{
    struct watcher *watcher = arg;
    struct engine_snapshot snapshot;
    struct engine_stats stats;
    unsigned bound = 0;
    while (!atomic_load(&watcher->stop)) {
        engine_job_snapshot(watcher->job, &snapshot);
        engine_stats_get(watcher->engine, &stats);
        engine_visit_tables(watcher->engine, ignore_table, NULL);
        ck_assert_uint_ge(snapshot.progress.lower_bound, bound);
        ck_assert(snapshot.progress.fraction >= 0 && snapshot.progress.fraction <= 1);
        ck_assert_uint_le(snapshot.plan.n_tables, ENGINE_MAX_TABLES);
        ck_assert_uint_le(stats.busy_threads, stats.threads);
        bound = snapshot.progress.lower_bound;
        watcher->looks++;
    }
    return NULL;
}

START_TEST(snapshots)
{
    struct support_job job;
    struct cycle_structure target = support_cycle(cube, "c: (3) / e:");
    struct engine_spec spec = support_spec_all(cube, &target);
    support_job_submit(&here, &spec, &job);
    struct watcher watcher = {.job = job.job, .engine = here.engine};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, watch, &watcher), 0);
    ck_assert_uint_eq(support_job_wait(&here, &job)->count[0].sequences, 864);
    atomic_store(&watcher.stop, true);
    pthread_join(thread, NULL);
    ck_assert_uint_gt(watcher.looks, 3);
    support_job_release(&job);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        cancel_running,
        cancel_at_any_time,
        cancel_while_filling,
        cancel_with_many_solutions,
        cancel_paused,
        cancel_one_of_two,
        cancel_after_solutions,
        pause_and_resume,
        pause_changes_nothing,
        pause_at_any_time,
        release_live,
        close_at_any_time,
        open_and_close,
        limit_of_seconds,
        limit_of_nodes,
        limit_of_memory_for_solutions,
        limits_keep_what_is_proven,
        fifty_at_once,
        priority,
        short_beside_long,
        snapshots,
    };
    return support_suite_run("engine_jobs", tests, sizeof tests / sizeof *tests, setup, teardown,
                             60);
}
