/*
 * test_engine_trust.c - tables found in the store are asked while their checksums are still being
 * verified. Whatever a damaged one has said before it is found out must leave no trace: not in the
 * answer, not in an event.
 */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/support_engine.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { FAR = 30, PAYLOAD_AT = 2 << 20 };

static struct puzzle *cube;
static struct cycle_structure target, solved;
static char directory[80];

static void setup(void)
{
    cube = support_builtin("3x3x3");
    target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 7+)");
    solved = support_cycle(cube, "c: / e:");
    support_directory_make(directory);
}

static void teardown(void)
{
    support_directory_remove(directory);
    puzzle_release(cube);
}

/* Writes `value` over every `step`-th byte of the payload from `from` (a fraction) on. Files of
 * less than PAYLOAD_AT bytes are left alone; true: there was something to damage. */
static bool damage_file(const char *path, double from, unsigned step, uint8_t value)
{
    int file = open(path, O_RDWR);
    ck_assert_int_ge(file, 0);
    off_t size = lseek(file, 0, SEEK_END);
    bool large = size > PAYLOAD_AT;
    if (large) {
        off_t at = PAYLOAD_AT + (off_t)((double)(size - PAYLOAD_AT) * from);
        uint8_t *bytes = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ck_assert(bytes != MAP_FAILED);
        for (; at < size - 4096; at += step)
            bytes[at] = value;
        ck_assert_int_eq(munmap(bytes, (size_t)size), 0);
    }
    ck_assert_int_eq(close(file), 0);
    return large;
}

static unsigned damage_all(double from, unsigned step, uint8_t value)
{
    DIR *list = opendir(directory);
    unsigned count = 0;
    ck_assert_ptr_nonnull(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char path[400];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        count += damage_file(path, from, step, value);
    }
    closedir(list);
    return count;
}

static struct engine_spec cycle_job(void)
{
    return support_spec_all(cube, &target);
}

static void run(unsigned threads, const struct engine_spec *spec, unsigned length,
                uint64_t sequences, struct engine_stats *stats)
{
    struct engine_config config = {.threads = threads, .table_dir = directory};
    struct support_engine here;
    struct support_job job;
    support_engine_open(&here, &config);
    const struct engine_result *result = support_job_run(&here, spec, &job);
    ck_assert_int_eq(result->length, (int)length);
    ck_assert(result->optimal);
    ck_assert_uint_eq(result->lower_bound, length);
    if (sequences > 0)
        ck_assert_uint_eq(support_count(result, length).sequences, sequences);
    support_job_release(&job);
    *stats = support_engine_stats(&here);
    support_engine_close(&here);
}

/* Fills, damages, asks again; the table is found out and filled anew. */
static void damaged(double from, unsigned step, uint8_t value)
{
    struct engine_spec spec = cycle_job();
    struct engine_stats stats;
    for (unsigned threads = 1; threads <= 3; threads++) {
        run(threads, &spec, 5, 480, &stats);
        ck_assert_uint_ge(damage_all(from, step, value), 1);
        run(threads, &spec, 5, 480, &stats);
        ck_assert_uint_ge(stats.tables_filled, 1);
        run(threads, &spec, 5, 480, &stats);
        ck_assert_uint_eq(stats.tables_filled, 0);
    }
}

START_TEST(too_high)
{
    damaged(0, 1, FAR + 1);
}
END_TEST

START_TEST(unreachable)
{
    damaged(0, 1, 0);
}
END_TEST

START_TEST(in_the_last_chunk)
{
    damaged(0.97, 1, FAR + 1);
}
END_TEST

START_TEST(here_and_there)
{
    damaged(0.5, 997, 9);
}
END_TEST

/* A scramble and a large table: more is searched before the damage is found. */
START_TEST(a_scramble)
{
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec = support_spec_one(cube, &solved);
    struct engine_stats stats;
    support_word_state(cube, "R U F2 D' L B2 U' R2 F L' D B", start);
    spec.start = start;
    run(2, &spec, 12, 0, &stats);
    for (unsigned round = 0; round < 3; round++) {
        ck_assert_uint_ge(damage_all(0.9, 1 + 16 * round, 14), 1);
        run(2, &spec, 12, 0, &stats);
        ck_assert_uint_ge(stats.tables_filled, 1);
    }
}
END_TEST

/* A limit that ends the job before the checksums are through: nothing unproven is claimed. */
START_TEST(stopped_early)
{
    struct engine_spec spec = cycle_job();
    struct engine_stats stats;
    run(2, &spec, 5, 480, &stats);
    damage_all(0, 1, FAR + 1);
    for (unsigned round = 0; round < 20; round++) {
        struct engine_config config = {.threads = 2, .table_dir = directory};
        struct support_engine here;
        struct support_job job;
        struct engine_spec limited = spec;
        limited.limits.seconds = 1e-4 * round;
        support_engine_open(&here, &config);
        const struct engine_result *result = support_job_run(&here, &limited, &job);
        ck_assert_uint_le(result->lower_bound, 5);
        support_job_release(&job);
        support_engine_close(&here);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {too_high,       unreachable, in_the_last_chunk,
                                  here_and_there, a_scramble,  stopped_early};
    return support_suite_run("engine_trust", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
