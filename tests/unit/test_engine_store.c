/*
 * test_engine_store.c - one table by its key: look at it, pin it, remove it, and why not.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_table.h"
#include "tests/support/support_word.h"

enum { MAX_KEYS = 16, SMALL = 10000 };

static struct puzzle *cube;
static struct cycle_structure target, superflip;
static struct support_engine here;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    target = support_cycle(cube, "c: (3) / e:");
    superflip = support_cycle(cube, "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+)");
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(cube);
}

/* ---- helpers ------------------------------------------------------------------------------ */

struct keys {
    unsigned n;
    char key[MAX_KEYS][ENGINE_KEY_BYTES];
};

static void add_key(void *arg, const struct engine_table_info *info)
{
    struct keys *keys = arg;
    ck_assert_uint_lt(keys->n, MAX_KEYS);
    snprintf(keys->key[keys->n++], ENGINE_KEY_BYTES, "%s", info->key);
}

static struct keys list_keys(void)
{
    struct keys keys = {0};
    engine_visit_tables(here.engine, add_key, &keys);
    return keys;
}

/* Runs a job that fills tables, to its end; returns their keys. */
static struct keys fill_some(void)
{
    struct support_job job;
    struct engine_spec spec = support_spec_all(cube, &target);
    ck_assert_uint_eq(support_job_run(&here, &spec, &job)->count[0].sequences, 864);
    support_job_release(&job);
    struct keys keys = list_keys();
    ck_assert_uint_ge(keys.n, 1);
    return keys;
}

/* It cannot be removed, for this reason, and stays as it is. */
static void expect_busy(const char *key, const char *reason)
{
    struct base_diag diag = {0};
    struct engine_table_info info;
    ck_assert_int_eq(engine_table_remove(here.engine, key, &diag), BASE_ERR_BUSY);
    ck_assert_msg(strstr(diag.text, reason) != NULL, "%s, expected %s", diag.text, reason);
    ck_assert_int_eq(engine_table_remove(here.engine, key, NULL), BASE_ERR_BUSY);
    ck_assert_int_eq(engine_table_get(here.engine, key, &info), 0);
}

static bool is_pinned(const char *key)
{
    struct engine_table_info info;
    ck_assert_int_eq(engine_table_get(here.engine, key, &info), 0);
    return info.pinned;
}

/* ---- looking ------------------------------------------------------------------------------ */

static void compare_with_get(void *arg, const struct engine_table_info *info)
{
    struct engine_table_info alone;
    struct engine *other = arg;
    ck_assert_int_eq(engine_table_get(other, info->key, &alone), 0);
    ck_assert_mem_eq(&alone, info, sizeof alone);
}

START_TEST(get_is_what_is_listed)
{
    fill_some();
    engine_visit_tables(here.engine, compare_with_get, here.engine);
}
END_TEST

START_TEST(no_such_table)
{
    static const char *const wrong[] = {
        "", "0", "0123456789abcdef", "0123456789abcde", "0123456789abcdef0", "../../etc/passwd",
    };
    struct engine_table_info info;
    struct keys keys = fill_some();
    char longer[ENGINE_KEY_BYTES + 1];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(engine_table_get(here.engine, wrong[i], &info), BASE_ERR_NOT_FOUND);
        ck_assert_int_eq(engine_table_pin(here.engine, wrong[i], true), BASE_ERR_NOT_FOUND);
        ck_assert_int_eq(engine_table_remove(here.engine, wrong[i], NULL), BASE_ERR_NOT_FOUND);
    }
    snprintf(longer, sizeof longer, "%s0", keys.key[0]);
    ck_assert_int_eq(engine_table_remove(here.engine, longer, NULL), BASE_ERR_NOT_FOUND);
    ck_assert_uint_eq(list_keys().n, keys.n);
}
END_TEST

/* ---- removing ----------------------------------------------------------------------------- */

START_TEST(removed_and_filled_again)
{
    for (unsigned round = 1; round <= 3; round++) {
        struct engine_table_info info;
        struct keys keys = fill_some();
        ck_assert_uint_eq(support_engine_stats(&here).tables_filled, round * keys.n);
        ck_assert_int_eq(support_table_count_names(here.directory), (int)keys.n);
        for (unsigned i = 0; i < keys.n; i++) {
            ck_assert_int_eq(engine_table_remove(here.engine, keys.key[i], NULL), 0);
            ck_assert_int_eq(engine_table_get(here.engine, keys.key[i], &info), BASE_ERR_NOT_FOUND);
            ck_assert_int_eq(engine_table_remove(here.engine, keys.key[i], NULL),
                             BASE_ERR_NOT_FOUND);
            ck_assert_int_eq(support_table_count_names(here.directory), (int)(keys.n - i - 1));
        }
        ck_assert_uint_eq(support_engine_stats(&here).table_bytes, 0);
    }
}
END_TEST

/* What is removed is one table; the others stay open and need not be attached again. */
START_TEST(the_others_stay)
{
    struct keys keys = fill_some();
    ck_assert_int_eq(engine_table_remove(here.engine, keys.key[0], NULL), 0);
    ck_assert_uint_eq(list_keys().n, keys.n - 1);
    fill_some();
    struct engine_stats stats = support_engine_stats(&here);
    ck_assert_uint_eq(stats.tables_filled, keys.n + 1);
    ck_assert_uint_eq(stats.tables_attached, 0);
}
END_TEST

/* A job that does not end keeps its tables, running or paused; once it is gone they can go. */
START_TEST(used_by_a_job)
{
    struct support_job job;
    struct engine_spec spec = support_spec_one(cube, &superflip);
    support_job_submit(&here, &spec, &job);
    while (list_keys().n == 0 || job.n_depths < 5)
        support_engine_pump(&here, 0.01);
    struct keys keys = list_keys();
    for (unsigned i = 0; i < keys.n; i++)
        expect_busy(keys.key[i], "the table is ");
    engine_job_pause(job.job);
    expect_busy(keys.key[0], "the table is ");
    support_job_release(&job);
    ck_assert(support_engine_is_idle(&here, 30));
    keys = list_keys();
    for (unsigned i = 0; i < keys.n; i++)
        while (engine_table_remove(here.engine, keys.key[i], NULL) == BASE_ERR_BUSY)
            support_engine_pump(&here, 0.01);
    ck_assert_uint_eq(list_keys().n, 0);
}
END_TEST

/* By another engine, which is to this one as another process is. */
START_TEST(used_by_another)
{
    struct engine_config config = {.threads = 1, .table_dir = here.directory};
    struct engine_spec spec = support_spec_all(cube, &target);
    struct support_engine other;
    struct support_job job;
    struct keys keys = fill_some();
    support_engine_open(&other, &config);
    support_job_run(&other, &spec, &job);
    support_job_release(&job);
    ck_assert_uint_ge(support_engine_stats(&other).tables_attached, 1);
    unsigned busy = 0;
    for (unsigned i = 0; i < keys.n; i++)
        busy += engine_table_remove(here.engine, keys.key[i], NULL) == BASE_ERR_BUSY;
    ck_assert_uint_eq(busy, support_engine_stats(&other).tables_attached);
    struct keys left = list_keys();
    for (unsigned i = 0; i < left.n; i++)
        expect_busy(left.key[i], "in use");
    support_engine_close(&other);
    for (unsigned i = 0; i < left.n; i++)
        ck_assert_int_eq(engine_table_remove(here.engine, left.key[i], NULL), 0);
    ck_assert_uint_eq(list_keys().n, 0);
}
END_TEST

START_TEST(being_filled)
{
    char key[ENGINE_KEY_BYTES];
    struct table_store *store = support_table_open(here.directory, 0);
    struct table_file *file = support_table_create(store, 1, SMALL);
    table_digest_format(support_table_key(1).digest, key);
    expect_busy(key, "being filled");
    ck_assert_int_eq(engine_table_pin(here.engine, key, true), 0);
    expect_busy(key, "being filled");
    ck_assert_int_eq(table_file_seal(file, 1), 0);
    expect_busy(key, "pinned");
    ck_assert_int_eq(engine_table_pin(here.engine, key, false), 0);
    expect_busy(key, "in use");
    table_file_release(file);
    ck_assert_int_eq(engine_table_remove(here.engine, key, NULL), 0);
    table_store_close(store);
}
END_TEST

/* ---- pinning ------------------------------------------------------------------------------ */

START_TEST(pinned)
{
    struct keys keys = fill_some();
    ck_assert(!is_pinned(keys.key[0]));
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(engine_table_pin(here.engine, keys.key[0], true), 0);
        ck_assert(is_pinned(keys.key[0]));
    }
    expect_busy(keys.key[0], "pinned");
    for (unsigned i = 1; i < keys.n; i++)
        ck_assert(!is_pinned(keys.key[i]));
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(engine_table_pin(here.engine, keys.key[0], false), 0);
        ck_assert(!is_pinned(keys.key[0]));
    }
    ck_assert_int_eq(engine_table_remove(here.engine, keys.key[0], NULL), 0);
}
END_TEST

START_TEST(pinned_over_restarts)
{
    struct keys keys = fill_some();
    struct engine_config config = {.threads = 1, .table_dir = here.directory};
    struct support_engine next;
    struct base_diag diag = {0};
    ck_assert_int_eq(engine_table_pin(here.engine, keys.key[0], true), 0);
    support_engine_open(&next, &config);
    ck_assert_int_eq(engine_table_remove(next.engine, keys.key[0], &diag), BASE_ERR_BUSY);
    ck_assert_str_eq(diag.text, "the table is pinned");
    ck_assert_int_eq(engine_table_pin(next.engine, keys.key[0], false), 0);
    support_engine_close(&next);
    ck_assert(!is_pinned(keys.key[0]));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        get_is_what_is_listed, no_such_table, removed_and_filled_again,
        the_others_stay,       used_by_a_job, used_by_another,
        being_filled,          pinned,        pinned_over_restarts,
    };
    return support_suite_run("engine_store", tests, sizeof tests / sizeof *tests, setup, teardown,
                             60);
}
