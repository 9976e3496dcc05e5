/*
 * bench_checkpoint.c - what a checkpoint costs: its size, the time in which it is written, and how
 * long the search's threads may have to wait for each other before that.
 *
 *     bench_checkpoint [SECONDS [MIB]]
 *
 * The superflip's search, for so many seconds (30) with so many MiB of tables (256), is asked for
 * five a second, a hundred times as often as the daemon does; every second one while it is paused,
 * when asking for it is writing it. `share`: of the time between two at 20 seconds, if all threads
 * stood still from the question to the answer, which they do not: each ends its slice meanwhile.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_word.h"

static const double interval = 20;
static double limit = 30;
static uint64_t mib = 256;

struct sum {
    unsigned count;
    double sum, most;
};

static void add(struct sum *sum, double value)
{
    sum->count++;
    sum->sum += value;
    sum->most = value > sum->most ? value : sum->most;
}

static void print(const char *name, const struct sum *sum, double unit, const char *text)
{
    double mean = sum->count ? sum->sum / sum->count : 0;
    printf("%-28s %4u times, mean %9.3f, most %9.3f %s\n", name, sum->count, mean * unit,
           sum->most * unit, text);
}

static void nap(double seconds)
{
    const struct timespec time = {0, (long)(seconds * 1e9)};
    nanosleep(&time, NULL);
}

/* From the question to the answer. */
static double ask_one(struct support_engine *here, struct support_job *job)
{
    unsigned before = job->n_checkpoints;
    uint64_t began_ns = base_clock_ns();
    engine_job_checkpoint(job->job);
    while (!job->done && job->n_checkpoints == before)
        support_engine_pump(here, 0.01);
    return support_bench_since(began_ns);
}

/* Of a job that does not run: the call writes it. */
static double write_one(struct support_engine *here, struct support_job *job)
{
    engine_job_pause(job->job);
    nap(0.03);
    support_engine_pump(here, 0.001);
    uint64_t began_ns = base_clock_ns();
    engine_job_checkpoint(job->job);
    double seconds = support_bench_since(began_ns);
    engine_job_resume(job->job);
    return seconds;
}

static void body(void)
{
    const struct engine_config config = {.threads = 2, .memory_bytes = mib << 20};
    struct puzzle *cube = support_builtin("3x3x3");
    struct cycle_structure target = support_cycle(cube, "e: (1+) x12");
    struct engine_spec spec = support_spec_one(cube, &target);
    struct support_engine here;
    struct support_job job;
    struct sum latency = {0}, writing = {0}, bytes = {0};
    spec.limits.seconds = limit;
    support_engine_open(&here, &config);
    support_job_submit(&here, &spec, &job);
    for (unsigned i = 0; !job.done; i++) {
        nap(0.2);
        support_engine_pump(&here, 0.001);
        if (job.done || job.n_depths == 0)
            continue;
        if (i & 1)
            add(&writing, write_one(&here, &job));
        else
            add(&latency, ask_one(&here, &job));
        add(&bytes, (double)job.checkpoint_bytes);
    }
    printf("superflip, %llu MiB, 2 threads, %g s: %u moves excluded\n", (unsigned long long)mib,
           limit, engine_job_result(job.job)->lower_bound - 1);
    print("from question to answer", &latency, 1e3, "ms");
    print("written", &writing, 1e3, "ms");
    print("size", &bytes, 1e-3, "kB");
    printf("share at %g s: below %.4f %%\n", interval,
           latency.count ? 100 * latency.sum / latency.count / interval : 0);
    support_job_release(&job);
    support_engine_close(&here);
    puzzle_release(cube);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        limit = strtod(argv[1], NULL);
    if (argc > 2)
        mib = strtoull(argv[2], NULL, 10);
    return support_bench_main(body);
}
