/*
 * test_engine_hash.c - hash tables in jobs: the 24 wings, for which plans choose them, and the
 * edges of the 3x3x3, for which they must be asked for. The answers are those of brute force, or of
 * the same job without tables; tables are found again, found damaged, and leave nothing behind when
 * their fill is broken off.
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "tests/support/support_brute.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_table.h"
#include "tests/support/support_wings.h"
#include "tests/support/support_word.h"

enum { MIB = 1 << 20, WINGS = 0, EDGES = 1 };
/* Moves that brute force takes on with all 36 of the wings. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MOST_BRUTE = 2 };
#else
enum { MOST_BRUTE = 3 };
#endif

static const struct cycle_structure solved;
static struct support_engine here;
static struct engine_snapshot snapshot; /* large */

static void setup(void)
{
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
}

static const struct search_wish fixed = {.set = true, .kind = TABLE_KIND_FIXED};
static const struct search_wish subset = {
    .set = true, .kind = TABLE_KIND_APPROXIMATE, .variant = TABLE_VARIANT_SUBSET};
static const struct search_wish hash = {
    .set = true, .kind = TABLE_KIND_APPROXIMATE, .variant = TABLE_VARIANT_HASH};

static struct search_wish encoded(enum table_encoding encoding)
{
    struct search_wish wish = hash;
    wish.encoding_set = true;
    wish.encoding = encoding;
    return wish;
}

/* The start that a word of so many moves of the puzzle leads to; with a MiB for tables. */
struct scramble {
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec;
};

static void scramble_set(struct scramble *scramble, const struct puzzle *puzzle,
                         struct support_random *random, unsigned length)
{
    uint8_t word[PUZZLE_MAX_WORD];
    for (unsigned i = 0; i < length; i++)
        word[i] = (uint8_t)support_random_below(random, puzzle_move_count(puzzle));
    puzzle_apply_word(puzzle, NULL, word, length, scramble->start);
    scramble->spec = support_spec_all(puzzle, &solved);
    scramble->spec.start = scramble->start;
    scramble->spec.limits.memory_bytes = MIB;
}

/* The plan's table of the orbit. */
static const struct engine_table_plan *planned(const struct support_job *job, const char *orbit)
{
    engine_job_snapshot(job->job, &snapshot);
    unsigned t = 0;
    while (t < snapshot.plan.n_tables && strcmp(snapshot.plan.table[t].orbits, orbit) != 0)
        t++;
    ck_assert_uint_lt(t, snapshot.plan.n_tables);
    return &snapshot.plan.table[t];
}

static void expect_variant(const struct support_job *job, const char *orbit, const char *variant)
{
    const struct engine_table_plan *table = planned(job, orbit);
    ck_assert_str_eq(table->kind, "approximate");
    ck_assert_str_eq(table->variant, variant);
    ck_assert_str_eq(table->state, "sealed");
    ck_assert(table->fill_seconds > 0);
}

/* ---- the same answers --------------------------------------------------------------------- */

static void brute_with(struct engine_spec spec, unsigned longest)
{
    spec.limits.memory_bytes = MIB;
    support_brute_check(&here, &spec, longest); /* by itself */
    spec.tables.orbit[WINGS] = hash;
    support_brute_check(&here, &spec, longest);
    for (int e = TABLE_ENCODING_NXOPT; e < TABLE_ENCODING_COUNT; e++) {
        spec.tables.orbit[WINGS] = encoded((enum table_encoding)e);
        support_brute_check(&here, &spec, longest);
    }
}

START_TEST(scrambles_against_brute_force)
{
    struct support_random random = {1};
    struct puzzle *few = support_wings("X4 Y4 Z4 X3"), *all = support_wings(NULL);
    struct scramble scramble;
    for (unsigned length = 0; length <= 4; length++) {
        scramble_set(&scramble, few, &random, length);
        brute_with(scramble.spec, length);
    }
    scramble_set(&scramble, all, &random, MOST_BRUTE);
    brute_with(scramble.spec, MOST_BRUTE);
    puzzle_release(few);
    puzzle_release(all);
}
END_TEST

START_TEST(structures_against_brute_force)
{
    struct puzzle *few = support_wings("X4 Y4 Z4 X3"), *all = support_wings(NULL);
    struct cycle_structure four = support_cycle(few, "w: (4)");
    struct cycle_structure pairs = support_cycle(all, "w: (2, 2)");
    struct engine_spec spec = support_spec_all(few, &four);
    spec.slack = 3;
    brute_with(spec, 4);
    spec = support_spec_all(all, &pairs);
    spec.slack = MOST_BRUTE - 1;
    brute_with(spec, MOST_BRUTE);
    puzzle_release(few);
    puzzle_release(all);
}
END_TEST

/* All that a job with these tables finds; and its nodes. */
static uint64_t find(const struct engine_spec *spec, const struct search_wish *wish, int *length,
                     struct engine_count *count, const char *variant)
{
    struct engine_spec wished = *spec;
    struct support_job job;
    wished.tables.orbit[WINGS] = *wish;
    const struct engine_result *result = support_job_run(&here, &wished, &job);
    uint64_t nodes = result->nodes;
    *length = result->length;
    *count = support_count(result, (unsigned)result->length);
    if (*variant)
        expect_variant(&job, "wings", variant);
    support_job_release(&job);
    return nodes;
}

/* Longer ones, against the job without a table and with the other variant. */
static void compare(const struct puzzle *puzzle, unsigned length, struct support_random *random)
{
    static const struct search_wish none;
    const struct search_wish *const wishes[] = {&hash, &none, &subset};
    const char *const variant[] = {"hash", "hash", "subset"};
    struct scramble scramble;
    struct engine_count expected, found;
    int optimum, also;
    scramble_set(&scramble, puzzle, random, length);
    uint64_t without = find(&scramble.spec, &fixed, &optimum, &expected, "");
    for (unsigned i = 0; i < 3; i++) {
        uint64_t nodes = find(&scramble.spec, wishes[i], &also, &found, variant[i]);
        ck_assert_int_eq(also, optimum);
        ck_assert_mem_eq(&found, &expected, sizeof found);
        ck_assert_uint_le(nodes, without);
    }
}

START_TEST(longer_scrambles_of_wings)
{
    struct support_random random = {2};
    struct puzzle *few = support_wings("X4 Y4 Z4 X3"), *all = support_wings(NULL);
    for (unsigned i = 0; i < 4; i++)
        compare(few, 6, &random);
    for (unsigned i = 0; i < 2; i++)
        compare(all, 4, &random);
    puzzle_release(few);
    puzzle_release(all);
}
END_TEST

/* Solved edges are one state, and three-cycles few. */
static void compare_on_cube(struct engine_spec spec)
{
    struct support_job without, with;
    spec.limits.memory_bytes = 8 * MIB;
    spec.tables.orbit[EDGES] = fixed;
    const struct engine_result *expected = support_job_run(&here, &spec, &without);
    spec.tables.orbit[EDGES] = hash;
    const struct engine_result *found = support_job_run(&here, &spec, &with);
    expect_variant(&with, "edges", "hash");
    ck_assert_int_ge(found->length, 0);
    ck_assert_int_eq(found->length, expected->length);
    struct engine_count a = support_count(found, (unsigned)found->length);
    struct engine_count b = support_count(expected, (unsigned)found->length);
    ck_assert_mem_eq(&a, &b, sizeof a);
    ck_assert_uint_lt(found->nodes, expected->nodes);
    support_job_release(&without);
    support_job_release(&with);
}

START_TEST(edges_of_the_cube)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct cycle_structure one = support_cycle(cube, "c: (3) / e:");
    struct cycle_structure two = support_cycle(cube, "c: (1+, 5+) / e: (1+, 7+)");
    struct engine_spec spec = support_spec_all(cube, &one);
    uint8_t start[PERM_MAX_BYTES];
    compare_on_cube(spec);
    support_word_state(cube, "U R2 F' L D B2 R", start);
    spec = support_spec_all(cube, &solved);
    spec.start = start;
    compare_on_cube(spec);
    /* a thousand million states of the edges: no hash */
    struct support_job job;
    spec = support_spec_one(cube, &two);
    spec.tables.orbit[EDGES] = hash;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_int_eq(result->state, ENGINE_FAILED);
    ck_assert_msg(strstr(result->error_text, "piece subset") != NULL, "%s", result->error_text);
    support_job_release(&job);
    puzzle_release(cube);
}
END_TEST

/* ---- plans and wishes --------------------------------------------------------------------- */

/* The variant that the plan chooses for wings and this target. */
static void expect_choice(const struct puzzle *puzzle, const char *target, uint64_t memory,
                          const char *kind, const char *variant)
{
    struct cycle_structure structure = support_cycle(puzzle, target);
    struct engine_spec spec = support_spec_one(puzzle, &structure);
    struct support_job job = {.spec = spec, .state = ENGINE_QUEUED};
    job.spec.cookie = (uintptr_t)&job;
    job.spec.limits.memory_bytes = memory;
    ck_assert_int_eq(engine_tables_plan(here.engine, &job.spec, &job.job, NULL), 0);
    ck_assert_int_eq(support_job_wait(&here, &job)->state, ENGINE_SUCCEEDED);
    const struct engine_table_plan *table = planned(&job, puzzle_orbit_name(puzzle, 0));
    ck_assert_str_eq(table->kind, kind);
    ck_assert_str_eq(table->variant, variant);
    ck_assert_str_ne(table->why, "");
    ck_assert_uint_le(table->bytes, memory);
    ck_assert(snapshot.plan.estimated_seconds > 0);
    support_job_release(&job);
}

START_TEST(chosen_where_a_subset_is_poor)
{
    struct puzzle *wings = support_wings(NULL);
    struct puzzle *few = support_puzzle("a 12", "A a(0 1 2 3); B a(3 4 5 6 7 8 9 10 11)");
    expect_choice(wings, "w:", 256 * MIB, "approximate", "hash");
    expect_choice(wings, "w: (5)", 256 * MIB, "approximate", "hash");
    expect_choice(wings, "w: (6)", 256 * MIB, "approximate", "subset");
    expect_choice(wings, "w:", 64 << 10, "approximate", "hash");
    expect_choice(few, "a:", 16 * MIB, "approximate", "subset");
    puzzle_release(few);
    puzzle_release(wings);
}
END_TEST

static void expect_check(const struct engine_spec *spec, int code, const char *text)
{
    struct base_diag diag = {0};
    unsigned orbit;
    ck_assert_int_eq(engine_check_tables(here.engine, spec, &diag, &orbit), code);
    if (code == 0)
        return;
    ck_assert_uint_eq(orbit, EDGES);
    ck_assert_msg(strstr(diag.text, text) != NULL, "%s", diag.text);
}

START_TEST(wishes_are_checked)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct cycle_structure few = support_cycle(cube, "c: (1+, 5+) / e: (1+, 1+)");
    struct cycle_structure many = support_cycle(cube, "c: (1+, 5+) / e: (1+, 7+)");
    struct engine_spec spec = support_spec_one(cube, &few);
    spec.tables.orbit[EDGES] = hash;
    expect_check(&spec, 0, "");
    spec.limits.memory_bytes = 4096;
    expect_check(&spec, BASE_ERR_MEMORY_LIMIT, "fixed would fit");
    spec = support_spec_one(cube, &many);
    spec.tables.orbit[EDGES] = hash;
    expect_check(&spec, BASE_ERR_UNSUPPORTED, "piece subset");
    puzzle_release(cube);
}
END_TEST

/* ---- files -------------------------------------------------------------------------------- */

/* A scramble of wings, solved in an engine of its own; its numbers at the end. */
static struct engine_stats solve_in(const char *directory)
{
    struct engine_config config = {.threads = 2, .memory_bytes = 64 * MIB, .table_dir = directory};
    struct support_random random = {3};
    struct puzzle *wings = support_wings(NULL);
    struct support_engine other;
    struct scramble scramble;
    struct support_job job;
    scramble_set(&scramble, wings, &random, 4);
    support_engine_open(&other, &config);
    ck_assert_int_eq(support_job_run(&other, &scramble.spec, &job)->length, 4);
    expect_variant(&job, "wings", "hash");
    struct engine_stats stats = support_engine_stats(&other);
    ck_assert_uint_eq(stats.table_count, 1);
    support_job_release(&job);
    support_engine_close(&other);
    puzzle_release(wings);
    return stats;
}

static void see_table(void *arg, const struct engine_table_info *info)
{
    struct engine_table_info *out = arg;
    *out = *info;
}

static struct engine_table_info look(const char *directory)
{
    struct engine_config config = {.threads = 1, .table_dir = directory};
    struct support_engine other;
    struct engine_table_info info;
    memset(&info, 0, sizeof info);
    support_engine_open(&other, &config);
    engine_visit_tables(other.engine, see_table, &info);
    support_engine_close(&other);
    return info;
}

static void flip_byte(const char *directory, const char *key, off_t at)
{
    char path[SUPPORT_DIRECTORY_SIZE + ENGINE_KEY_BYTES + 8];
    uint8_t byte;
    snprintf(path, sizeof path, "%s/%s.cyt", directory, key);
    int fd = open(path, O_RDWR);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
    byte ^= 0x5a;
    ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

START_TEST(found_again_and_found_damaged)
{
    char directory[SUPPORT_DIRECTORY_SIZE];
    support_directory_make(directory);
    ck_assert_uint_eq(solve_in(directory).tables_filled, 1);
    struct engine_stats again = solve_in(directory);
    ck_assert_uint_eq(again.tables_filled, 0);
    ck_assert_uint_eq(again.tables_attached, 1);
    struct engine_table_info info = look(directory);
    ck_assert_str_eq(info.kind, "approximate");
    ck_assert_str_eq(info.variant, "hash");
    ck_assert_str_eq(info.state, "sealed");
    ck_assert_uint_eq(info.entries, 2 * MIB); /* none is vacant */
    ck_assert_uint_ge(info.layers, 5);
    flip_byte(directory, info.key, MIB / 4);
    ck_assert_uint_eq(solve_in(directory).tables_filled, 1);
    ck_assert_uint_eq(solve_in(directory).tables_attached, 1);
    support_directory_remove(directory);
}
END_TEST

/* Begins to fill tables of 64 MiB, which takes seconds. */
static void begin(struct support_engine *engine, const struct puzzle *wings,
                  struct support_job *job)
{
    memset(job, 0, sizeof *job);
    job->spec = support_spec_one(wings, &solved);
    job->spec.cookie = (uintptr_t)job;
    job->state = ENGINE_QUEUED;
    ck_assert_int_eq(engine_tables_make(engine->engine, &job->spec, false, &job->job, NULL), 0);
}

static void wait_growing(const char *directory)
{
    while (support_table_count_names(directory) == 0)
        usleep(1000);
}

START_TEST(a_cancelled_fill_leaves_nothing)
{
    struct puzzle *wings = support_wings(NULL);
    struct support_job job;
    begin(&here, wings, &job);
    wait_growing(here.directory);
    while (job.n_tables == 0)
        support_engine_pump(&here, 0.01);
    engine_job_cancel(job.job);
    ck_assert_int_eq(support_job_wait(&here, &job)->state, ENGINE_CANCELLED);
    support_job_release(&job);
    ck_assert(support_engine_is_idle(&here, 30));
    ck_assert_int_eq(support_table_count_names(here.directory), 0);
    ck_assert_uint_eq(support_engine_stats(&here).tables_filled, 0);
    puzzle_release(wings);
}
END_TEST

static pid_t start_process(const char *directory)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    struct engine_config config = {.threads = 2, .memory_bytes = 128 * MIB, .table_dir = directory};
    struct support_engine other;
    struct support_job job;
    support_engine_open(&other, &config);
    begin(&other, support_wings(NULL), &job);
    support_job_wait(&other, &job);
    _exit(0);
}

START_TEST(a_killed_fill_leaves_nothing_that_counts)
{
    char directory[SUPPORT_DIRECTORY_SIZE];
    support_engine_close(&here); /* a child of a process of several threads may hang */
    support_directory_make(directory);
    for (unsigned i = 0; i < 3; i++) {
        int status;
        pid_t child = start_process(directory);
        wait_growing(directory);
        usleep(i * 200000);
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status));
        ck_assert_int_eq(support_table_count_names(directory), 1);
        ck_assert_str_eq(look(directory).key, "");
        ck_assert_int_eq(support_table_count_names(directory), 0);
    }
    ck_assert_uint_eq(solve_in(directory).tables_filled, 1);
    support_directory_remove(directory);
    support_engine_open(&here, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        scrambles_against_brute_force,
        structures_against_brute_force,
        longer_scrambles_of_wings,
        edges_of_the_cube,
        chosen_where_a_subset_is_poor,
        wishes_are_checked,
        found_again_and_found_damaged,
        a_cancelled_fill_leaves_nothing,
        a_killed_fill_leaves_nothing_that_counts,
    };
    return support_suite_run("engine_hash", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
