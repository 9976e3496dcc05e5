/*
 * test_engine_make.c - tables that are planned or filled without a search: what is told about them,
 * that searches then find them, and how they are given up.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_table.h"
#include "tests/support/support_word.h"

enum { MIB = 1 << 20, PATIENCE = 6000 };

static struct puzzle *cube;
static struct cycle_structure target;
static struct support_engine here;
static struct engine_snapshot snapshot; /* large */

static void setup(void)
{
    cube = support_builtin("3x3x3");
    target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 1+)");
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(cube);
}

/* ---- helpers ------------------------------------------------------------------------------ */

enum how { PLAN, MAKE, MAKE_PINNED };

static void start(enum how how, const struct engine_spec *spec, struct support_job *job)
{
    struct base_diag diag = {0};
    memset(job, 0, sizeof *job);
    job->spec = *spec;
    job->spec.cookie = (uintptr_t)job;
    job->state = ENGINE_QUEUED;
    int code = how == PLAN ? engine_tables_plan(here.engine, &job->spec, &job->job, &diag)
                           : engine_tables_make(here.engine, &job->spec, how == MAKE_PINNED,
                                                &job->job, &diag);
    ck_assert_msg(code == 0, "%s", diag.text);
}

/* The plan of a job that has just ended. */
static const struct engine_plan *finish(struct support_job *job)
{
    const struct engine_result *result = support_job_wait(&here, job);
    ck_assert_int_eq(result->state, ENGINE_SUCCEEDED);
    ck_assert_int_eq(result->length, -1);
    ck_assert_uint_eq(job->n_depths, 0);
    ck_assert_uint_eq(result->nodes, 0);
    ck_assert(job->planned);
    engine_job_snapshot(job->job, &snapshot);
    return &snapshot.plan;
}

static struct engine_plan run(enum how how, const struct engine_spec *spec)
{
    struct support_job job;
    start(how, spec, &job);
    struct engine_plan plan = *finish(&job);
    support_job_release(&job);
    return plan;
}

static void expect_states(const struct engine_plan *plan, const char *state)
{
    ck_assert_uint_ge(plan->n_tables, 1);
    for (unsigned t = 0; t < plan->n_tables; t++)
        if (strcmp(plan->table[t].kind, "fixed") != 0)
            ck_assert_msg(strcmp(plan->table[t].state, state) == 0, "%s: %s, not %s: %s",
                          plan->table[t].orbits, plan->table[t].state, state, plan->table[t].why);
}

static struct engine_table_info table_info(const char *key)
{
    struct engine_table_info info;
    ck_assert_int_eq(engine_table_get(here.engine, key, &info), 0);
    return info;
}

static bool is_there(const char *key)
{
    struct engine_table_info info;
    return engine_table_get(here.engine, key, &info) == 0;
}

/* Waits until the job has planned; its plan. */
static struct engine_plan wait_for_plan(struct support_job *job)
{
    while (!job->planned)
        support_engine_pump(&here, 0.01);
    engine_job_snapshot(job->job, &snapshot);
    return snapshot.plan;
}

/* The key of the plan's largest table: the last to be filled. */
static const char *largest(const struct engine_plan *plan)
{
    unsigned best = 0;
    for (unsigned t = 1; t < plan->n_tables; t++)
        if (plan->table[t].bytes > plan->table[best].bytes)
            best = t;
    return plan->table[best].key;
}

static const char *key_of_kind(const struct engine_plan *plan, const char *kind)
{
    unsigned t = 0;
    while (t < plan->n_tables && strcmp(plan->table[t].kind, kind) != 0)
        t++;
    ck_assert_uint_lt(t, plan->n_tables);
    return plan->table[t].key;
}

/* Corners and five edges: filled in a moment. */
static struct engine_spec spec_small(void)
{
    struct engine_spec spec = support_spec_one(cube, &target);
    spec.limits.memory_bytes = 8 * MIB;
    return spec;
}

/* Corners and six edges, whose fill can be watched. */
static struct engine_spec spec_large(void)
{
    struct engine_spec spec = support_spec_one(cube, &target);
    spec.limits.memory_bytes = 48 * MIB;
    return spec;
}

/* Waits until the table's first layer is complete and it is still growing. */
static void wait_growing(const char *key)
{
    for (unsigned i = 0; i < PATIENCE; i++) {
        struct engine_table_info info = table_info(key);
        ck_assert_str_eq(info.state, "growing");
        if (info.layers > 0)
            return;
        support_engine_pump(&here, 0.01);
    }
    ck_abort_msg("the fill does not begin");
}

static void wait_gone(const char *key)
{
    for (unsigned i = 0; i < PATIENCE && is_there(key); i++)
        support_engine_pump(&here, 0.01);
    ck_assert(!is_there(key));
}

/* ---- planning ----------------------------------------------------------------------------- */

START_TEST(a_plan_fills_nothing)
{
    struct engine_spec spec = spec_small();
    struct engine_plan plan = run(PLAN, &spec);
    expect_states(&plan, "missing");
    ck_assert_uint_eq(support_engine_stats(&here).table_count, 0);
    for (unsigned t = 0; t < plan.n_tables; t++) {
        ck_assert_uint_eq(strlen(plan.table[t].key), 16);
        ck_assert(plan.table[t].fill_seconds > 0);
        ck_assert(!is_there(plan.table[t].key));
    }
}
END_TEST

START_TEST(a_plan_is_what_is_made_and_used)
{
    struct support_job job;
    struct engine_spec spec = spec_large();
    struct engine_plan planned = run(PLAN, &spec), made = run(MAKE, &spec);
    expect_states(&made, "sealed");
    ck_assert_uint_eq(planned.n_tables, made.n_tables);
    for (unsigned t = 0; t < made.n_tables; t++) {
        struct engine_table_info info = table_info(made.table[t].key);
        ck_assert_str_eq(planned.table[t].key, made.table[t].key);
        ck_assert_str_eq(info.kind, made.table[t].kind);
        ck_assert_str_eq(info.orbits, made.table[t].orbits);
        ck_assert_str_eq(info.state, "sealed");
        ck_assert(!info.pinned && !info.attached);
        ck_assert(info.fraction >= 1 && info.seconds > 0 && info.entries > 0);
    }
    ck_assert_uint_eq(support_engine_stats(&here).tables_filled, made.n_tables);
    struct engine_plan again = run(PLAN, &spec);
    expect_states(&again, "sealed");
    struct engine_spec search = spec;
    search.max_length = 8; /* of the eleven moves that it takes: soon proven */
    search.max_length_set = true;
    ck_assert_uint_eq(support_job_run(&here, &search, &job)->lower_bound, 9);
    ck_assert_uint_eq(job.n_tables, 0); /* no event of a fill */
    ck_assert_uint_eq(support_engine_stats(&here).tables_filled, made.n_tables);
    support_job_release(&job);
}
END_TEST

/* What stands in the list while tables are being filled, or wait for their turn. */
START_TEST(tables_to_come_are_listed)
{
    struct support_job job;
    struct engine_spec spec = spec_large();
    start(MAKE, &spec, &job);
    struct engine_plan plan = wait_for_plan(&job);
    struct engine_table_info info = table_info(largest(&plan));
    ck_assert_str_eq(info.state, "growing");
    ck_assert_str_eq(info.puzzle, "3x3x3");
    ck_assert_str_ne(info.target, "");
    ck_assert_uint_gt(info.bytes, MIB);
    ck_assert(info.layers > 0 || (info.fraction <= 0 && info.entries == 0));
    double fraction = 0;
    while (!job.done) {
        support_engine_pump(&here, 0.001);
        info = table_info(largest(&plan));
        ck_assert(info.fraction >= fraction && info.fraction <= 1);
        fraction = info.fraction;
    }
    ck_assert_str_eq(table_info(largest(&plan)).state, "sealed");
    ck_assert_uint_eq(job.n_tables, plan.n_tables);
    support_job_release(&job);
}
END_TEST

START_TEST(made_twice_at_once)
{
    struct support_job first, second;
    struct engine_spec spec = spec_small();
    start(MAKE, &spec, &first);
    start(MAKE, &spec, &second);
    expect_states(finish(&first), "sealed");
    expect_states(finish(&second), "sealed");
    ck_assert_uint_eq(support_engine_stats(&here).tables_filled, snapshot.plan.n_tables);
    support_job_release(&first);
    support_job_release(&second);
}
END_TEST

START_TEST(pinned_when_made)
{
    struct engine_spec spec = spec_small();
    struct engine_plan plan = run(MAKE, &spec);
    ck_assert(!table_info(plan.table[0].key).pinned);
    plan = run(MAKE_PINNED, &spec);
    for (unsigned t = 0; t < plan.n_tables; t++) {
        ck_assert(table_info(plan.table[t].key).pinned);
        ck_assert_int_eq(engine_table_pin(here.engine, plan.table[t].key, false), 0);
        ck_assert_int_eq(engine_table_remove(here.engine, plan.table[t].key, NULL), 0);
    }
    plan = run(MAKE_PINNED, &spec);
    for (unsigned t = 0; t < plan.n_tables; t++)
        ck_assert(table_info(plan.table[t].key).pinned);
}
END_TEST

START_TEST(pinned_before_its_turn)
{
    struct support_job job;
    struct engine_spec spec = spec_small();
    start(MAKE, &spec, &job);
    struct engine_plan plan = wait_for_plan(&job);
    ck_assert_int_eq(engine_table_pin(here.engine, largest(&plan), true), 0);
    ck_assert(table_info(largest(&plan)).pinned);
    finish(&job);
    for (unsigned t = 0; t < plan.n_tables; t++)
        ck_assert(table_info(plan.table[t].key).pinned ==
                  (strcmp(plan.table[t].key, largest(&plan)) == 0));
    support_job_release(&job);
}
END_TEST

/* What memory does not allow is left out, and the plan says so. */
START_TEST(within_memory)
{
    struct engine_spec spec = spec_small();
    spec.limits.memory_bytes = 1 * MIB;
    struct engine_plan plan = run(MAKE, &spec);
    ck_assert_uint_le(support_engine_stats(&here).table_bytes, 1 * MIB);
    ck_assert_uint_ge(support_engine_stats(&here).table_count, 1);
    expect_states(&plan, "sealed");
    spec.limits.memory_bytes = 2048;
    plan = run(MAKE, &spec);
    for (unsigned t = 0; t < plan.n_tables; t++) {
        ck_assert_str_eq(plan.table[t].kind, "fixed");
        ck_assert_str_eq(plan.table[t].key, "");
    }
}
END_TEST

/* ---- giving up ---------------------------------------------------------------------------- */

START_TEST(given_up_before_its_turn)
{
    struct support_job job;
    struct engine_spec spec = spec_large();
    start(MAKE, &spec, &job);
    struct engine_plan plan = wait_for_plan(&job);
    ck_assert_int_eq(engine_table_remove(here.engine, largest(&plan), NULL), 0);
    wait_gone(largest(&plan));
    ck_assert_int_eq(engine_table_remove(here.engine, largest(&plan), NULL), BASE_ERR_NOT_FOUND);
    const struct engine_plan *end = finish(&job);
    for (unsigned t = 0; t < end->n_tables; t++) {
        bool left_out = strcmp(end->table[t].key, largest(&plan)) == 0;
        ck_assert_str_eq(end->table[t].state, left_out ? "missing" : "sealed");
        if (left_out)
            ck_assert_str_eq(end->table[t].why, "cancelled");
    }
    ck_assert_uint_eq(support_engine_stats(&here).table_count, end->n_tables - 1);
    support_job_release(&job);
}
END_TEST

START_TEST(given_up_while_it_grows)
{
    struct engine_spec spec = spec_large();
    for (unsigned round = 0; round < 2; round++) {
        struct support_job job;
        start(MAKE, &spec, &job);
        struct engine_plan plan = wait_for_plan(&job);
        wait_growing(largest(&plan));
        ck_assert_int_eq(engine_table_remove(here.engine, largest(&plan), NULL), 0);
        wait_gone(largest(&plan));
        finish(&job);
        ck_assert_uint_eq(support_engine_stats(&here).tables_filled, snapshot.plan.n_tables - 1);
        ck_assert(support_engine_is_idle(&here, 30));
        ck_assert_int_eq(support_table_count_names(here.directory),
                         (int)snapshot.plan.n_tables - 1);
        support_job_release(&job);
    }
}
END_TEST

/* A fill that a search waits for is not given up. */
START_TEST(awaited_by_a_search)
{
    struct support_job job, search;
    struct engine_spec spec = spec_large();
    struct base_diag diag = {0};
    start(MAKE, &spec, &job);
    struct engine_plan plan = wait_for_plan(&job);
    const char *edges = key_of_kind(&plan, "approximate");
    wait_growing(edges);
    struct engine_spec short_spec = spec;
    short_spec.max_length = 8;
    short_spec.max_length_set = true;
    support_job_submit(&here, &short_spec, &search);
    while (!search.planned) /* and so has claimed what is growing */
        support_engine_pump(&here, 0.001);
    ck_assert_int_eq(engine_table_remove(here.engine, edges, &diag), BASE_ERR_BUSY);
    if (strcmp(table_info(edges).state, "growing") == 0)
        ck_assert_str_eq(diag.text, "the table is being filled");
    ck_assert_uint_eq(support_job_wait(&here, &search)->lower_bound, 9);
    expect_states(finish(&job), "sealed");
    support_job_release(&search);
    support_job_release(&job);
}
END_TEST

/* With its job everything goes that is not sealed, at once; and comes back when it is asked for in
 * the same moment. */
START_TEST(released_and_made_again)
{
    struct engine_spec spec = spec_large();
    for (unsigned round = 0; round < 4; round++) {
        struct support_job job;
        start(MAKE, &spec, &job);
        struct engine_plan plan = wait_for_plan(&job);
        if (round % 2)
            wait_growing(largest(&plan));
        support_job_release(&job);
    }
    struct engine_plan plan = run(MAKE, &spec);
    expect_states(&plan, "sealed");
    ck_assert_uint_eq(support_engine_stats(&here).table_count, plan.n_tables);
}
END_TEST

START_TEST(cancelled)
{
    struct support_job job;
    struct engine_spec spec = spec_large();
    start(MAKE, &spec, &job);
    struct engine_plan plan = wait_for_plan(&job);
    wait_growing(largest(&plan));
    engine_job_cancel(job.job);
    ck_assert_int_eq(support_job_wait(&here, &job)->state, ENGINE_CANCELLED);
    wait_gone(largest(&plan));
    ck_assert(support_engine_is_idle(&here, 30));
    support_job_release(&job);
}
END_TEST

/* ---- wishes ------------------------------------------------------------------------------- */

static void expect_refused(const struct engine_spec *spec, int code, unsigned orbit,
                           const char *text)
{
    struct base_diag diag = {0};
    unsigned found = 77;
    ck_assert_int_eq(engine_check_tables(here.engine, spec, &diag, &found), code);
    if (code == 0)
        return;
    ck_assert_uint_eq(found, orbit);
    ck_assert_msg(strstr(diag.text, text) != NULL, "'%s' lacks '%s'", diag.text, text);
}

static struct engine_spec spec_wish(unsigned orbit, enum table_kind kind, uint64_t memory)
{
    struct engine_spec spec = spec_large();
    struct search_wish wish = {.set = true, .kind = kind};
    if (orbit == PERM_MAX_ORBITS)
        spec.tables.product = wish;
    else
        spec.tables.orbit[orbit] = wish;
    spec.limits.memory_bytes = memory;
    return spec;
}

START_TEST(impossible_wishes)
{
    static const struct {
        unsigned orbit;
        enum table_kind kind;
        uint64_t memory;
        int code;
        const char *text;
    } cases[] = {
        {0, TABLE_KIND_EXACT, 0, 0, NULL},
        {1, TABLE_KIND_APPROXIMATE, 0, 0, NULL},
        {0, TABLE_KIND_FIXED, 1, 0, NULL},
        {PERM_MAX_ORBITS, TABLE_KIND_PRODUCT, 0, 0, NULL},
        {1, TABLE_KIND_EXACT, 0, BASE_ERR_UNSUPPORTED, "approximate one of 6 pieces (40.6 MiB)"},
        {1, TABLE_KIND_EXACT, 1 * MIB, BASE_ERR_UNSUPPORTED, "approximate one of 4 pieces"},
        {0, TABLE_KIND_EXACT, MIB / 4, BASE_ERR_MEMORY_LIMIT, "256.0 KiB are left"},
        {0, TABLE_KIND_EXACT, MIB / 2, BASE_ERR_MEMORY_LIMIT, "approximate one of 4 pieces"},
        {0, TABLE_KIND_EXACT, 1 * MIB, 0, NULL}, /* in nxopt */
        {0, TABLE_KIND_EXACT, 4 * MIB, 0, NULL},
        {1, TABLE_KIND_CYCLE_STRUCTURE, 8192, 0, NULL},
        {1, TABLE_KIND_CYCLE_STRUCTURE, 1, BASE_ERR_MEMORY_LIMIT, "fixed would fit"},
        {PERM_MAX_ORBITS, TABLE_KIND_PRODUCT, 64 * MIB, 0, NULL}, /* before six edges */
        {1, TABLE_KIND_APPROXIMATE, 4096, BASE_ERR_MEMORY_LIMIT, "fixed would fit"},
        {PERM_MAX_ORBITS, TABLE_KIND_PRODUCT, 1 * MIB, BASE_ERR_MEMORY_LIMIT, "single orbits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct engine_spec spec = spec_wish(cases[i].orbit, cases[i].kind, cases[i].memory);
        expect_refused(&spec, cases[i].code, cases[i].orbit, cases[i].text);
    }
}
END_TEST

START_TEST(wishes_on_other_puzzles)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct cycle_structure pocket_target = support_cycle(pocket, "c: (3)");
    struct engine_spec spec = spec_wish(0, TABLE_KIND_EXACT, 0);
    spec.puzzle = pocket;
    spec.targets = &pocket_target;
    expect_refused(&spec, 0, 0, NULL);
    spec = spec_wish(PERM_MAX_ORBITS, TABLE_KIND_PRODUCT, 0);
    spec.puzzle = pocket;
    spec.targets = &pocket_target;
    expect_refused(&spec, BASE_ERR_UNSUPPORTED, PERM_MAX_ORBITS, "single orbits");
    puzzle_release(pocket);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_plan_fills_nothing,    a_plan_is_what_is_made_and_used,
        made_twice_at_once,      tables_to_come_are_listed,
        pinned_when_made,        pinned_before_its_turn,
        within_memory,           given_up_before_its_turn,
        given_up_while_it_grows, awaited_by_a_search,
        released_and_made_again, cancelled,
        impossible_wishes,       wishes_on_other_puzzles,
    };
    return support_suite_run("engine_make", tests, sizeof tests / sizeof *tests, setup, teardown,
                             60);
}
