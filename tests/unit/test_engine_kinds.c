/*
 * test_engine_kinds.c - one job, one answer, whatever tables its owner asks for: every kind in
 * every encoding, under any memory limit.
 *
 * CYCLOSOLVE_SLOW=1: 190 rows of up to nine moves under each, instead of a few of up to seven.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_rows.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { CORNERS = 0, EDGES = 1, MIB = 1 << 20, ROWS = 3209, SLOW_ROWS = 190 };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { QUICK_ROWS = 1 };
#else
enum { QUICK_ROWS = 6 };
#endif

static struct puzzle *cube;
static struct support_engine here;

static void setup(void)
{
    struct engine_config config = {.threads = 2, .memory_bytes = (uint64_t)2 << 30};
    cube = support_builtin("3x3x3");
    support_engine_open(&here, &config);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(cube);
}

static bool is_slow(void)
{
    return getenv("CYCLOSOLVE_SLOW") != NULL;
}

/* Rows of `least` to `most` moves drawn evenly from the file, other ones for every `first`. */
static unsigned run_rows(struct support_rows which, unsigned least, unsigned most, unsigned first)
{
    which.least = least;
    which.most = most;
    which.step = is_slow() ? ROWS / SLOW_ROWS : 909 / QUICK_ROWS;
    which.first = first % which.step;
    return support_rows_run(&here, cube, &which);
}

static void run(struct support_rows which, unsigned first)
{
    if (is_slow())
        ck_assert_uint_ge(run_rows(which, 0, 9, first), SLOW_ROWS);
    else
        ck_assert_uint_ge(run_rows(which, 0, 6, first), QUICK_ROWS);
}

static struct search_wish wish(enum table_kind kind, enum table_encoding encoding)
{
    return (struct search_wish){
        .set = true, .kind = kind, .encoding_set = true, .encoding = encoding};
}

/* Calls back for every legal pair of a table of one orbit that the orbit can have. */
static void each_pair(unsigned orbit, void (*call)(unsigned orbit, const struct search_wish *wish))
{
    for (int kind = 0; kind < TABLE_KIND_COUNT; kind++)
        for (int encoding = 0; encoding < TABLE_ENCODING_COUNT; encoding++) {
            struct search_wish one = wish((enum table_kind)kind, (enum table_encoding)encoding);
            bool exists =
                kind != TABLE_KIND_PRODUCT && (kind != TABLE_KIND_EXACT || orbit == CORNERS);
            if (exists && table_pair_is_legal(one.kind, one.encoding))
                call(orbit, &one);
        }
}

/* The other orbit has no table, which might hide mistakes; where that takes too long, at eight
 * moves and more, it has what the memory leaves for it. */
static void run_pair(unsigned orbit, const struct search_wish *one)
{
    static unsigned calls;
    unsigned first = 7 * calls++;
    struct support_rows which = {.memory_bytes = 8 * MIB};
    which.tables.orbit[orbit] = *one;
    struct support_rows alone = which;
    alone.tables.orbit[!orbit] = wish(TABLE_KIND_FIXED, TABLE_ENCODING_NONE);
    if (is_slow())
        ck_assert_uint_ge(run_rows(alone, 0, 7, first) + run_rows(which, 8, 9, first), SLOW_ROWS);
    else
        run(alone, first);
}

START_TEST(pairs_of_corners)
{
    each_pair(CORNERS, run_pair);
}
END_TEST

START_TEST(pairs_of_edges)
{
    each_pair(EDGES, run_pair);
}
END_TEST

/* Each takes seconds to fill, so the quick form has a single row in the encoding of most jobs. */
START_TEST(products)
{
    /* For the smallest product and not much more. */
    static const unsigned mib[TABLE_ENCODING_COUNT] = {
        [TABLE_ENCODING_NONE] = 256, [TABLE_ENCODING_NXOPT] = 64, [TABLE_ENCODING_TANS] = 128};
    for (int e = 0; e < TABLE_ENCODING_COUNT; e++) {
        struct support_rows which = {.memory_bytes = (uint64_t)mib[e] * MIB};
        which.tables.product = wish(TABLE_KIND_PRODUCT, (enum table_encoding)e);
        if (is_slow())
            run(which, 13 * (unsigned)e);
        else if (e == TABLE_ENCODING_NXOPT)
            ck_assert_uint_ge(run_rows(which, 6, 6, 123), 1);
    }
}
END_TEST

START_TEST(memory_limits)
{
    static const uint64_t limit[] = {4 << 10, MIB, 64 * MIB, (uint64_t)1 << 30};
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        run((struct support_rows){.memory_bytes = limit[i]}, (unsigned)(11 * i));
}
END_TEST

/* ---- the plan says what was asked for ------------------------------------------------------ */

struct expected {
    unsigned orbit;
    struct search_wish wish;
    unsigned count;
};

static void expect_plan(unsigned orbit, const struct search_wish *one)
{
    struct cycle_structure target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 7+)");
    struct engine_spec spec = support_spec_one(cube, &target);
    struct engine_snapshot snapshot;
    struct support_job job;
    unsigned found = 0;
    spec.limits.memory_bytes = 8 * MIB;
    spec.tables.orbit[orbit] = *one;
    ck_assert_int_eq(support_job_run(&here, &spec, &job)->length, 5);
    engine_job_snapshot(job.job, &snapshot);
    for (unsigned t = 0; t < snapshot.plan.n_tables; t++) {
        const struct engine_table_plan *table = &snapshot.plan.table[t];
        if (strcmp(table->orbits, puzzle_orbit_name(cube, orbit)) != 0)
            continue;
        found++;
        ck_assert_str_eq(table->kind, table_kind_name(one->kind));
        ck_assert_str_eq(table->encoding, table_encoding_name(one->encoding));
        ck_assert_str_eq(table->state, one->kind == TABLE_KIND_FIXED ? "missing" : "sealed");
        ck_assert_str_ne(table->why, "");
    }
    ck_assert_uint_eq(found, 1);
    support_job_release(&job);
}

START_TEST(the_plan_shows_them)
{
    each_pair(CORNERS, expect_plan);
    each_pair(EDGES, expect_plan);
}
END_TEST

static void expect_failure(unsigned orbit, struct search_wish one, uint64_t memory,
                           const char *part)
{
    struct cycle_structure target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 7+)");
    struct engine_spec spec = support_spec_one(cube, &target);
    struct support_job job;
    spec.limits.memory_bytes = memory;
    spec.tables.orbit[orbit] = one;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_int_eq(result->state, ENGINE_FAILED);
    ck_assert_msg(strstr(result->error_text, part) != NULL, "%s", result->error_text);
    support_job_release(&job);
}

START_TEST(what_cannot_be_had)
{
    expect_failure(CORNERS, wish(TABLE_KIND_EXACT, TABLE_ENCODING_NONE), 256 << 10, "corners");
    expect_failure(EDGES, wish(TABLE_KIND_EXACT, TABLE_ENCODING_TANS), 0,
                   "too many states for an exact table");
    expect_failure(EDGES, wish(TABLE_KIND_APPROXIMATE, TABLE_ENCODING_NXOPT), 4096,
                   "fixed would fit");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {pairs_of_corners, pairs_of_edges,      products,
                                  memory_limits,    the_plan_shows_them, what_cannot_be_had};
    return support_suite_run("engine_kinds", tests, sizeof tests / sizeof *tests, setup, teardown,
                             is_slow() ? 3600 : 120);
}
