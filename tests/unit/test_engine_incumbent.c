/*
 * test_engine_incumbent.c - solutions that are offered before the answer is known: they are valid
 * and fall (support_engine.c sees to that for every event of every test), they come early, and the
 * search does not know of them.
 */
#include <check.h>
#include <stdlib.h>

#include "tests/support/support_cases.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;
static struct cycle_structure solved;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    solved = support_cycle(cube, "c: / e:");
}

static void teardown(void)
{
    puzzle_release(cube);
}

static void open_engine(struct support_engine *here, unsigned threads, double after)
{
    const struct engine_config config = {.threads = threads,
                                         .memory_bytes = 8 << 20,
                                         .incumbent_seconds = after,
                                         .incumbent_share = 1,
                                         .fill_factor = -1};
    support_engine_open(here, &config);
}

/* Jobs that take some tenths of a second with so little memory. */
static const struct {
    const char *target, *start;
    enum engine_find find;
    unsigned min_length;
} jobs[] = {
    {"c: / e: (1+, 1+, 1+, 1+)", "", ENGINE_FIND_ONE, 0},
    {"c: (1+, 3, 4+) / e: (1+, 2, 2, 2+, 2+, 2+)", "", ENGINE_FIND_ONE, 0},
    {"c: (1+, 5+) / e: (1+, 1+)", "", ENGINE_FIND_ONE, 0},
    {"c: (3) / e:", "", ENGINE_FIND_ONE, 10},
    {"c: / e:", "R2 L2 F2 B2 U F2 B2 U2 F2 B2", ENGINE_FIND_ALL, 0},
    {"c: / e:", "F D' F' R D F' R' D R D L' F", ENGINE_FIND_ONE, 0},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

/* What a job's answer and its way there are, as far as they must not depend on incumbents. */
struct answer {
    struct engine_result result;
    struct support_job job;
    struct engine_solution best;
};

static void run(struct support_engine *here, unsigned j, struct answer *out)
{
    struct cycle_structure target = support_cycle(cube, jobs[j].target);
    struct engine_spec spec = support_spec_one(cube, &target);
    uint8_t start[PERM_MAX_BYTES];
    support_word_state(cube, jobs[j].start, start);
    spec.start = start;
    spec.find = jobs[j].find;
    spec.min_length = jobs[j].min_length;
    out->result = *support_job_run(here, &spec, &out->job);
    out->best = out->result.best;
    if (out->job.n_incumbents > 0) {
        ck_assert_uint_ge(out->job.incumbent.length, (unsigned)out->result.length);
        ck_assert_uint_ge(out->job.incumbent.length, spec.min_length);
    }
    support_job_release(&out->job);
}

static void check_same(const struct answer *a, const struct answer *b)
{
    ck_assert_int_eq(a->result.length, b->result.length);
    ck_assert_uint_eq(a->result.nodes, b->result.nodes);
    ck_assert_uint_eq(a->result.lower_bound, b->result.lower_bound);
    ck_assert_uint_eq(a->result.n_counts, b->result.n_counts);
    ck_assert_mem_eq(a->result.count, b->result.count, sizeof a->result.count);
    ck_assert_mem_eq(a->best.move, b->best.move, a->best.length);
    ck_assert_uint_eq(a->job.n_depths, b->job.n_depths);
    ck_assert_mem_eq(a->job.depth, b->job.depth, a->job.n_depths * sizeof *a->job.depth);
    ck_assert_uint_eq(a->job.n_solutions, b->job.n_solutions);
}

/* With one thread every depth takes the same nodes with incumbents as without. */
START_TEST(the_answer_is_the_same)
{
    struct support_engine with, without;
    unsigned incumbents = 0;
    open_engine(&with, 1, 1e-9);
    open_engine(&without, 1, -1);
    for (unsigned j = 0; j < JOBS; j++) {
        struct answer a, b;
        run(&with, j, &a);
        incumbents += a.job.n_incumbents;
        run(&with, j, &a); /* its tables are there now, as they are below */
        run(&without, j, &b);
        run(&without, j, &b);
        ck_assert_uint_eq(b.job.n_incumbents, 0);
        check_same(&a, &b);
        incumbents += a.job.n_incumbents;
    }
    ck_assert_uint_ge(incumbents, 3);
    support_engine_close(&with);
    support_engine_close(&without);
}
END_TEST

/* By default a job that ends within a second has none. */
START_TEST(short_jobs_have_none)
{
    struct support_engine here;
    struct answer a;
    open_engine(&here, 2, 0);
    for (unsigned j = 2; j < JOBS; j++) {
        run(&here, j, &a);
        ck_assert(a.job.n_incumbents == 0 || a.result.seconds > 1);
    }
    support_engine_close(&here);
}
END_TEST

/* ---- long jobs --------------------------------------------------------------------------- */

static void wait_for_incumbent(struct support_engine *here, const struct support_job *job,
                               unsigned n)
{
    while (job->n_incumbents < n && !job->done)
        support_engine_pump(here, 0.05);
    ck_assert_uint_ge(job->n_incumbents, n);
}

/* What the job shows is the last one told. */
static void check_shown(const struct support_job *job)
{
    struct engine_snapshot *snapshot = malloc(sizeof *snapshot);
    ck_assert_ptr_nonnull(snapshot);
    engine_job_snapshot(job->job, snapshot);
    ck_assert_uint_eq(snapshot->progress.incumbent_length, job->incumbent.length);
    ck_assert_mem_eq(snapshot->progress.incumbent, job->incumbent.move, job->incumbent.length);
    free(snapshot);
}

/* Far scrambles, superflip and a structure of few states, each paused and cancelled with incumbents
 * on the way. They are far better than nothing: the diameter is 20. */
START_TEST(long_jobs_pause_and_end)
{
    static const char *const far[][2] = {
        {"c: / e:", "D2 B' L U B' U' R' L2 B' L' F2 R2 F2 R' F2 L2 F2 B2 D L2 D2 R2 D2 L' B2"},
        {"e: (1+) x12", ""},
        {"c: (1+) x6", ""},
    };
    struct support_engine here;
    open_engine(&here, 2, 1e-9);
    for (unsigned i = 0; i < sizeof far / sizeof *far; i++) {
        struct cycle_structure target = support_cycle(cube, far[i][0]);
        struct engine_spec spec = support_spec_one(cube, &target);
        struct support_job job;
        uint8_t start[PERM_MAX_BYTES];
        support_word_state(cube, far[i][1], start);
        spec.start = start;
        support_job_submit(&here, &spec, &job);
        wait_for_incumbent(&here, &job, 1);
        engine_job_pause(job.job);
        ck_assert(support_engine_is_idle(&here, 20));
        support_engine_pump(&here, 0);
        unsigned told = job.n_incumbents;
        support_engine_pump(&here, 0.05);
        ck_assert_uint_eq(job.n_incumbents, told);
        check_shown(&job);
        engine_job_resume(job.job);
        while (job.incumbent.length > 24)
            wait_for_incumbent(&here, &job, job.n_incumbents + 1);
        engine_job_cancel(job.job);
        ck_assert_int_eq(support_job_wait(&here, &job)->state, ENGINE_CANCELLED);
        check_shown(&job);
        support_job_release(&job);
    }
    support_engine_close(&here);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {the_answer_is_the_same, short_jobs_have_none,
                                  long_jobs_pause_and_end};
    return support_suite_run("engine_incumbent", tests, sizeof tests / sizeof *tests, setup,
                             teardown, 120);
}
