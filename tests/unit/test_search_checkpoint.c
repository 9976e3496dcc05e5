/*
 * test_search_checkpoint.c - the bytes of checkpoints: what is written is what is read, and of
 * everything else nothing is; and jobs that are given what they cannot use.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/search/search_checkpoint.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_story.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum {
    HEAD = 24,
    NO_TABLES = 4096,
    DAMAGED_JOBS = 60,
    SOME_NODES = 3000000,
    LIMIT_NODES = 4000000
};

static struct puzzle *faces, *pocket;
static unsigned warnings;

static void setup(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    faces = support_puzzle_faces(cube, "U R F");
    pocket = support_builtin("2x2x2");
    puzzle_release(cube);
}

static void teardown(void)
{
    puzzle_release(pocket);
    puzzle_release(faces);
}

static void count_warning(void *arg, enum base_log_level level, const char *line)
{
    (void)arg;
    (void)line;
    warnings += level >= BASE_LOG_WARNING;
}

static const struct engine_config config = {
    .threads = 2, .memory_bytes = NO_TABLES, .log = {.write = count_warning}};

/* ---- jobs --------------------------------------------------------------------------------- */

struct bytes {
    uint8_t *data; /* owned */
    size_t length;
};

/* A scramble of faces, and where the search for its solutions is after some time. */
static struct engine_spec scramble_spec(uint8_t *start)
{
    static const struct cycle_structure solved;
    struct engine_spec spec = support_spec_all(faces, &solved);
    support_word_state(faces, "U R F' U R2 F U2 R F2", start);
    spec.start = start;
    spec.slack = 1;
    return spec;
}

static struct bytes checkpoint_of(const struct engine_spec *spec, uint64_t nodes)
{
    struct support_engine here;
    struct support_job job;
    support_engine_open(&here, &config);
    support_job_submit(&here, spec, &job);
    support_story_wait(&here, &job, nodes);
    engine_job_checkpoint(job.job);
    engine_job_cancel(job.job);
    support_job_wait(&here, &job);
    ck_assert_ptr_nonnull(job.checkpoint);
    struct bytes bytes = {job.checkpoint, job.checkpoint_bytes};
    job.checkpoint = NULL;
    support_job_release(&job);
    support_engine_close(&here);
    return bytes;
}

/* Starts the job from the bytes, and lets it search for a moment. Returns what it has counted
 * before it ran. */
static uint64_t start_from(const struct engine_spec *spec, const void *data, size_t length)
{
    const struct timespec moment = {0, 4000000};
    struct engine_spec from = *spec;
    struct support_engine here;
    struct support_job job;
    support_engine_open(&here, &config);
    from.checkpoint = data;
    from.checkpoint_bytes = length;
    support_job_submit(&here, &from, &job);
    while (!job.done && !job.planned)
        support_engine_pump(&here, 0.01);
    nanosleep(&moment, NULL);
    engine_job_cancel(job.job);
    const struct engine_result *result = support_job_wait(&here, &job);
    uint64_t before = result->nodes - support_engine_stats(&here).nodes;
    support_job_release(&job);
    support_engine_close(&here);
    return before;
}

static int decode(const uint8_t *data, size_t length)
{
    struct search_checkpoint *checkpoint;
    int code = search_checkpoint_decode(data, length, &checkpoint);
    ck_assert_int_eq(code == 0, checkpoint != NULL);
    search_checkpoint_free(checkpoint);
    return code;
}

static void sign(uint8_t *data, size_t length)
{
    uint64_t checksum = base_hash(data + HEAD, length - HEAD, 0);
    for (unsigned i = 0; i < 8; i++)
        data[16 + i] = (uint8_t)(checksum >> 8 * i);
}

/* ---- bytes -------------------------------------------------------------------------------- */

START_TEST(what_is_written_is_read)
{
    struct search_checkpoint *checkpoint;
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec = scramble_spec(start);
    struct bytes bytes = checkpoint_of(&spec, SOME_NODES);
    ck_assert_int_eq(search_checkpoint_decode(bytes.data, bytes.length, &checkpoint), 0);
    ck_assert_uint_ge(checkpoint->nodes, SOME_NODES);
    ck_assert_uint_eq(checkpoint->n_moves, 9);
    ck_assert_uint_ge(checkpoint->count, 2);
    ck_assert_uint_ge(checkpoint->n_branches, 1);
    size_t length;
    uint8_t *again = search_checkpoint_encode(checkpoint, &length);
    ck_assert_uint_eq(length, bytes.length);
    ck_assert_mem_eq(again, bytes.data, length);
    search_checkpoint_free(checkpoint);
    free(again);
    free(bytes.data);
}
END_TEST

START_TEST(every_flip_and_every_cut_is_refused)
{
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec = scramble_spec(start);
    struct bytes bytes = checkpoint_of(&spec, SOME_NODES);
    ck_assert_int_eq(decode(bytes.data, bytes.length), 0);
    for (size_t i = 0; i < bytes.length; i++) {
        bytes.data[i] ^= (uint8_t)(1u << (i & 7));
        int code = decode(bytes.data, bytes.length);
        ck_assert_int_eq(code, i >= 4 && i < 8 ? BASE_ERR_VERSION : BASE_ERR_CORRUPT);
        bytes.data[i] ^= (uint8_t)(1u << (i & 7));
    }
    for (size_t length = 0; length < bytes.length; length++) {
        uint8_t *cut = malloc(length + 1); /* so that a read behind it is noticed */
        memcpy(cut, bytes.data, length);
        ck_assert_int_eq(decode(cut, length), BASE_ERR_CORRUPT);
        free(cut);
    }
    ck_assert_int_eq(decode(NULL, 0), BASE_ERR_CORRUPT);
    free(bytes.data);
}
END_TEST

/* Bytes that are signed, and make no sense: they are refused, or some job's. Every cut of the body
 * is refused: nothing in it can be left out. */
START_TEST(signed_nonsense_is_read_safely)
{
    struct support_random random = {11};
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec = scramble_spec(start);
    struct bytes bytes = checkpoint_of(&spec, SOME_NODES);
    for (size_t length = HEAD; length < bytes.length; length++) {
        uint8_t *cut = malloc(length);
        memcpy(cut, bytes.data, length);
        for (unsigned i = 0; i < 8; i++)
            cut[8 + i] = (uint8_t)((uint64_t)length >> 8 * i);
        sign(cut, length);
        ck_assert_int_eq(decode(cut, length), BASE_ERR_CORRUPT);
        free(cut);
    }
    for (unsigned round = 0; round < 5000; round++) {
        uint8_t *changed = malloc(bytes.length);
        memcpy(changed, bytes.data, bytes.length);
        for (unsigned n = 1 + support_random_below(&random, 3); n > 0; n--)
            changed[HEAD + support_random_below(&random, (unsigned)bytes.length - HEAD)] =
                (uint8_t)support_random_below(&random, 256);
        sign(changed, bytes.length);
        (void)decode(changed, bytes.length);
        free(changed);
    }
    free(bytes.data);
}
END_TEST

/* ---- jobs that cannot use them ------------------------------------------------------------- */

static void check_refused(const struct engine_spec *spec, const struct bytes *bytes)
{
    warnings = 0;
    ck_assert_uint_eq(start_from(spec, bytes->data, bytes->length), 0);
    ck_assert_uint_eq(warnings, 1);
}

START_TEST(those_of_another_job_are_refused)
{
    uint8_t start[PERM_MAX_BYTES], other_start[PERM_MAX_BYTES];
    struct engine_spec spec = scramble_spec(start), other = spec;
    struct bytes bytes = checkpoint_of(&spec, SOME_NODES);
    warnings = 0;
    ck_assert_uint_ge(start_from(&spec, bytes.data, bytes.length), SOME_NODES);
    other.priority = 9; /* what does not change the answer may be otherwise */
    other.limits.nodes = UINT64_MAX / 2;
    ck_assert_uint_ge(start_from(&other, bytes.data, bytes.length), SOME_NODES);
    ck_assert_uint_eq(warnings, 0);
    other.slack = 2;
    check_refused(&other, &bytes);
    other = spec;
    other.min_length = 1;
    check_refused(&other, &bytes);
    other = spec;
    other.max_length = 20;
    other.max_length_set = true;
    check_refused(&other, &bytes);
    other = spec;
    other.find = ENGINE_FIND_ONE;
    other.slack = 0;
    check_refused(&other, &bytes);
    other = spec;
    support_word_state(faces, "R U F' U R2 F U2 R F2", other_start);
    other.start = other_start;
    check_refused(&other, &bytes);
    bytes.data[HEAD + 40] ^= 1;
    check_refused(&spec, &bytes);
    free(bytes.data);
}
END_TEST

/* Whatever is in them, the job runs, and what it says is valid: support_engine looks at it. */
START_TEST(jobs_survive_signed_nonsense)
{
    struct support_random random = {12};
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec = scramble_spec(start);
    struct bytes bytes = checkpoint_of(&spec, SOME_NODES);
    for (unsigned round = 0; round < DAMAGED_JOBS; round++) {
        size_t at = HEAD + 8 + support_random_below(&random, (unsigned)bytes.length - HEAD - 8);
        uint8_t kept = bytes.data[at];
        bytes.data[at] = (uint8_t)support_random_below(&random, 256);
        sign(bytes.data, bytes.length);
        (void)start_from(&spec, bytes.data, bytes.length);
        bytes.data[at] = kept;
    }
    free(bytes.data);
}
END_TEST

/* Nodes are counted on, so that a limit means what it says. */
START_TEST(limits_count_what_was_before)
{
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec = scramble_spec(start);
    struct support_engine here;
    struct support_job job;
    spec.limits.nodes = LIMIT_NODES;
    struct search_checkpoint *checkpoint;
    struct bytes bytes = checkpoint_of(&spec, SOME_NODES);
    ck_assert_int_eq(search_checkpoint_decode(bytes.data, bytes.length, &checkpoint), 0);
    spec.checkpoint = bytes.data;
    spec.checkpoint_bytes = bytes.length;
    support_engine_open(&here, &config);
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_int_eq(result->limit_hit, ENGINE_LIMIT_NODES);
    ck_assert_uint_ge(result->nodes, LIMIT_NODES);
    ck_assert_uint_le(support_engine_stats(&here).nodes, result->nodes - SOME_NODES);
    support_job_release(&job);
    spec.limits.nodes = 0;
    spec.limits.seconds = 1e-6; /* are over */
    result = support_job_run(&here, &spec, &job);
    ck_assert_int_eq(result->limit_hit, ENGINE_LIMIT_SECONDS);
    ck_assert(result->seconds >= (double)checkpoint->spent_ns * 1e-9);
    search_checkpoint_free(checkpoint);
    support_job_release(&job);
    support_engine_close(&here);
    free(bytes.data);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {what_is_written_is_read,        every_flip_and_every_cut_is_refused,
                            signed_nonsense_is_read_safely, those_of_another_job_are_refused,
                            jobs_survive_signed_nonsense,   limits_count_what_was_before};

    return support_suite_run("search_checkpoint", tests, sizeof tests / sizeof tests[0], setup,
                             teardown, 60);
}
