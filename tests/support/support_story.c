/*
 * support_story.c - see support_story.h.
 */
#include "tests/support/support_story.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/base_hash.h"
#include "core/search/search_checkpoint.h"
#include "tests/support/support_random.h"

enum {
    MOST_ROUNDS = 4,
    MOST_TRIES = 20,
    /* Children that are judged again after a restart: those of the open frames of some walks. */
    NODES_AGAIN = 1000
};

static unsigned warnings;
static unsigned least_bound; /* that the checkpoint knows of: from the first moment on */

static void count_warning(void *arg, enum base_log_level level, const char *line)
{
    (void)arg;
    (void)line;
    warnings += level >= BASE_LOG_WARNING;
}

/* ---- answers ------------------------------------------------------------------------------ */

struct answer {
    int length;
    bool optimal;
    unsigned lower_bound, n_counts;
    struct engine_count count[16];
    uint64_t n_solutions, solutions; /* digest of what is stored, in its order */
    enum engine_limit limit;
    uint64_t nodes;
};

static void read_answer(const struct support_job *job, struct answer *out)
{
    const struct engine_result *result = engine_job_result(job->job);
    *out = (struct answer){.length = result->length,
                           .optimal = result->optimal,
                           .lower_bound = result->lower_bound,
                           .n_counts = result->n_counts,
                           .n_solutions = result->n_solutions,
                           .limit = result->limit_hit,
                           .nodes = result->nodes};
    ck_assert_int_eq(result->state, ENGINE_SUCCEEDED);
    memcpy(out->count, result->count, sizeof out->count);
    for (uint64_t i = 0; i < result->n_solutions; i++) {
        const struct engine_solution *solution = engine_job_solution(job->job, i);
        out->solutions = base_hash(solution->move, solution->length, out->solutions);
        out->solutions = base_hash_mix(out->solutions, solution->class_index);
    }
}

static void expect_same(const struct answer *a, const struct answer *b)
{
    ck_assert_int_eq(a->length, b->length);
    ck_assert_int_eq(a->optimal, b->optimal);
    ck_assert_uint_eq(a->lower_bound, b->lower_bound);
    ck_assert_uint_eq(a->n_counts, b->n_counts);
    for (unsigned i = 0; i < a->n_counts; i++) {
        ck_assert_uint_eq(a->count[i].length, b->count[i].length);
        ck_assert_uint_eq(a->count[i].sequences, b->count[i].sequences);
        ck_assert_uint_eq(a->count[i].canonical, b->count[i].canonical);
        ck_assert_uint_eq(a->count[i].classes, b->count[i].classes);
    }
    ck_assert_uint_eq(a->n_solutions, b->n_solutions);
    ck_assert_uint_eq(a->solutions, b->solutions);
    ck_assert_int_eq(a->limit, b->limit);
}

static void run_alone(const struct engine_spec *spec, const struct engine_config *config,
                      struct answer *out)
{
    struct support_engine here;
    struct support_job job;
    support_engine_open(&here, config);
    support_job_run(&here, spec, &job);
    read_answer(&job, out);
    support_job_release(&job);
    support_engine_close(&here);
}

/* ---- interruptions ------------------------------------------------------------------------ */

/* How it comes to its checkpoint. */
enum way {
    ASK_AND_CANCEL,   /* as when the service goes down in order */
    ASK_AT_ONCE,      /* before it has taken up all that was left */
    ASK_AND_CRASH,    /* it has gone on for a while since */
    PAUSE_AND_CANCEL, /* asked while nothing runs */
    WAYS
};

/* A search in pieces. */
struct story {
    const struct engine_spec *spec;
    struct engine_config config; /* of the engine to come */
    struct support_random random;
    void *checkpoint; /* owned; NULL: none yet */
    size_t bytes;
    uint64_t nodes; /* that it has counted */
    unsigned rounds, resumed;
    unsigned step; /* a piece ends after so many nodes at most */
    bool ended;
    struct answer answer;
};

static struct engine_progress progress_of(const struct support_job *job)
{
    static struct engine_snapshot snapshot;
    engine_job_snapshot(job->job, &snapshot);
    return snapshot.progress;
}

static void nap(void)
{
    const struct timespec time = {0, 300000};
    nanosleep(&time, NULL);
}

static bool has_visited(const struct support_job *job, uint64_t nodes)
{
    struct engine_progress progress = progress_of(job);
    ck_assert_uint_ge(progress.lower_bound, least_bound);
    ck_assert_uint_ge(progress.depth, least_bound);
    return progress.nodes >= nodes;
}

void support_story_wait(struct support_engine *here, struct support_job *job, uint64_t nodes)
{
    while (!job->done && !has_visited(job, nodes)) {
        support_engine_pump(here, 0.0003);
        nap();
    }
}

static void wait_for_checkpoint(struct support_engine *here, struct support_job *job)
{
    unsigned before = job->n_checkpoints;
    engine_job_checkpoint(job->job);
    while (!job->done && job->n_checkpoints == before)
        support_engine_pump(here, 0.01);
}

static void read_checkpoint(struct story *story)
{
    struct search_checkpoint *checkpoint;
    ck_assert_int_eq(search_checkpoint_decode(story->checkpoint, story->bytes, &checkpoint), 0);
    story->nodes = checkpoint->nodes;
    least_bound = checkpoint->lower_bound;
    search_checkpoint_free(checkpoint);
}

static void take_checkpoint(struct story *story, struct support_job *job)
{
    if (!job->checkpoint)
        return;
    free(story->checkpoint);
    story->checkpoint = job->checkpoint;
    story->bytes = job->checkpoint_bytes;
    job->checkpoint = NULL;
    read_checkpoint(story);
}

static void interrupt(struct support_engine *here, struct support_job *job, struct story *story,
                      enum way way)
{
    if (way == ASK_AT_ONCE) {
        wait_for_checkpoint(here, job);
        engine_job_cancel(job->job);
        return;
    }
    support_story_wait(here, job,
                       story->nodes + 1 + support_random_below(&story->random, story->step));
    if (way == PAUSE_AND_CANCEL)
        engine_job_pause(job->job);
    if (way == ASK_AND_CANCEL)
        engine_job_checkpoint(job->job);
    else
        wait_for_checkpoint(here, job);
    if (way == ASK_AND_CRASH) {
        uint64_t more = support_random_below(&story->random, story->step / 4 + 1);
        support_story_wait(here, job, progress_of(job).nodes + more);
    }
    engine_job_cancel(job->job);
}

/* A piece of the story in an engine of its own; the last one is left alone. */
static void run_piece(struct story *story)
{
    struct engine_spec spec = *story->spec;
    struct support_engine here;
    struct support_job job;
    spec.checkpoint = story->checkpoint;
    spec.checkpoint_bytes = story->bytes;
    warnings = 0;
    support_engine_open(&here, &story->config);
    support_job_submit(&here, &spec, &job);
    ck_assert_uint_ge(progress_of(&job).nodes, story->nodes);
    story->resumed += story->checkpoint != NULL;
    if (story->rounds < MOST_ROUNDS)
        interrupt(&here, &job, story, (enum way)(story->rounds % WAYS));
    story->rounds++;
    support_job_wait(&here, &job);
    ck_assert_uint_eq(warnings, 0);
    story->ended = engine_job_result(job.job)->state != ENGINE_CANCELLED;
    if (story->ended)
        read_answer(&job, &story->answer);
    ck_assert_uint_eq(support_engine_stats(&here).nodes,
                      engine_job_result(job.job)->nodes - story->nodes);
    take_checkpoint(story, &job);
    support_job_release(&job);
    support_engine_close(&here);
}

/* Every piece has its own number of threads and kernel. */
static struct story run_interrupted(const struct engine_spec *spec,
                                    const struct engine_config *config, uint64_t nodes)
{
    static const unsigned threads[] = {2, 1, 4};
    static uint64_t seed = 1;
    struct story story = {.spec = spec, .random = {++seed}, .step = (unsigned)(nodes / 3 + 1)};
    least_bound = 0;
    while (!story.ended) {
        story.config = *config;
        story.config.threads = threads[story.rounds % 3];
        story.config.kernels = story.rounds & 1 ? "avx2" : NULL;
        story.config.log = (struct base_log){.write = count_warning};
        run_piece(&story);
    }
    free(story.checkpoint);
    return story;
}

void support_story_check(const struct engine_spec *spec, const struct engine_config *config,
                         bool exact)
{
    struct engine_config alone = *config;
    struct answer answer;
    alone.threads = 1;
    run_alone(spec, &alone, &answer);
    struct story story;
    unsigned tries = 0;
    do /* it may end before anybody has come to interrupt it */
        story = run_interrupted(spec, config, answer.nodes);
    while (story.resumed == 0 && ++tries < MOST_TRIES);
    ck_assert_uint_ge(story.resumed, 1);
    expect_same(&story.answer, &answer);
    if (exact)
        ck_assert_uint_ge(story.answer.nodes, answer.nodes);
    if (exact)
        ck_assert_uint_le(story.answer.nodes, answer.nodes + (uint64_t)NODES_AGAIN * story.rounds);
}
