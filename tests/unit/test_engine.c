/*
 * test_engine.c - answers that are known: lengths and counts of cycle structures of the 3x3x3.
 */
#include <check.h>
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>

#include "core/base/base_err.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;
static struct support_engine here;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    support_engine_open(&here, NULL);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(cube);
}

/* Finds all; 0 for a count that is not known. */
static void expect_all(const struct puzzle *puzzle, const char *text, int length,
                       uint64_t sequences, uint64_t canonical, uint64_t classes)
{
    struct cycle_structure target = support_cycle(puzzle, text);
    struct engine_spec spec = support_spec_all(puzzle, &target);
    struct support_job job;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    struct engine_count count = result->count[0];
    ck_assert_int_eq(result->state, ENGINE_SUCCEEDED);
    ck_assert_int_eq(result->length, length);
    ck_assert(result->optimal && result->counted && result->n_counts == 1);
    ck_assert_int_eq(result->limit_hit, ENGINE_LIMIT_NONE);
    ck_assert_uint_eq(count.sequences, sequences);
    if (canonical)
        ck_assert_uint_eq(count.canonical, canonical);
    if (classes)
        ck_assert_uint_eq(count.classes, classes);
    support_job_release(&job);
}

START_TEST(hard_30)
{
    expect_all(cube, "c: (1+, 5+) / e: (1+, 1+)", 11, 1056, 1056, 1);
}
END_TEST

START_TEST(registers)
{
    expect_all(cube, "c: (1+, 5+) / e: (1+, 7+)", 5, 480, 288, 0);
    expect_all(cube, "c: (1+, 1+) / e: (1+, 5+)", 11, 2112, 1152, 0);
}
END_TEST

START_TEST(three_cycle)
{
    expect_all(cube, "c: (3) / e:", 8, 864, 864, 0);
}
END_TEST

START_TEST(identity)
{
    expect_all(cube, "c: / e:", 0, 1, 1, 1);
    struct cycle_structure target = support_cycle(cube, "c: / e:");
    struct engine_spec spec = support_spec_one(cube, &target);
    struct support_job job;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert(result->length == 0 && result->optimal && result->n_solutions == 1);
    ck_assert_uint_eq(result->best.length, 0);
    support_job_release(&job);
}
END_TEST

START_TEST(commuting_pairs)
{
    expect_all(cube, "c: (4, 4) / e: (4, 4)", 2, 24, 12, 0);
    expect_all(cube, "c: (4) / e: (4)", 1, 12, 12, 1);
    expect_all(cube, "c: (2, 2) / e: (2, 2)", 1, 6, 6, 1);
}
END_TEST

START_TEST(three_faces)
{
    struct puzzle *faces = support_puzzle_faces(cube, "R U F");
    ck_assert_uint_eq(puzzle_move_count(faces), 9);
    expect_all(faces, "c: (3, 4) / e: (1+, 8+)", 4, 24, 24, 0);
    puzzle_release(faces);
    expect_all(cube, "c: (3, 4) / e: (1+, 8+)", 4, 192, 192, 0);
}
END_TEST

/* The example of the search notes: classes do not depend on k. */
START_TEST(classes)
{
    expect_all(cube, "c: (1+, 5+) / e: (7)", 2, 48, 48, 1);
}
END_TEST

/* Several targets: the shortest of any. */
START_TEST(any_of)
{
    struct cycle_structure targets[] = {support_cycle(cube, "c: (3) / e:"),
                                        support_cycle(cube, "c: (4, 4) / e: (4, 4)"),
                                        support_cycle(cube, "c: (1+, 5+) / e: (7)")};
    struct engine_spec spec = support_spec_all(cube, targets);
    struct support_job job;
    spec.n_targets = 3;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_int_eq(result->length, 2);
    ck_assert_uint_eq(result->count[0].sequences, 24 + 48);
    ck_assert_uint_eq(result->count[0].canonical, 12 + 48);
    support_job_release(&job);
}
END_TEST

START_TEST(stored_list_is_capped)
{
    struct cycle_structure target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 7+)");
    struct engine_spec spec = support_spec_all(cube, &target);
    struct support_job job;
    spec.limits.solutions = 7;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_uint_eq(result->n_solutions, 7);
    ck_assert_uint_eq(result->count[0].sequences, 480);
    struct engine_solution kept[7];
    for (unsigned i = 0; i < 7; i++)
        kept[i] = *engine_job_solution(job.job, i);
    support_job_release(&job);
    spec.limits.solutions = 0;
    result = support_job_run(&here, &spec, &job);
    ck_assert_uint_eq(result->n_solutions, 480);
    for (unsigned i = 0; i < 7; i++) /* the best of all, in order */
        ck_assert_mem_eq(kept[i].move, engine_job_solution(job.job, i)->move, kept[i].length);
    support_job_release(&job);
}
END_TEST

/* ---- refused ------------------------------------------------------------------------------ */

static void expect_refused(const struct engine_spec *spec, int code)
{
    struct engine_job *job;
    struct base_diag diag = {0};
    ck_assert_int_eq(engine_submit(here.engine, spec, &job, &diag), code);
    ck_assert_ptr_null(job);
    ck_assert_str_ne(diag.text, "");
    ck_assert_uint_eq(support_engine_stats(&here).jobs_queued, 0);
}

START_TEST(bad_specs)
{
    struct cycle_structure target = support_cycle(cube, "c: (3) / e:");
    struct engine_spec good = support_spec_one(cube, &target), spec = good;
    spec.n_targets = 0;
    expect_refused(&spec, BASE_ERR_RANGE);
    spec = good;
    spec.slack = 1;
    expect_refused(&spec, BASE_ERR_CONFLICT);
    spec = good;
    spec.min_length = 5, spec.max_length = 4, spec.max_length_set = true;
    expect_refused(&spec, BASE_ERR_CONFLICT);
    spec = good;
    spec.min_length = 1000;
    expect_refused(&spec, BASE_ERR_RANGE);
}
END_TEST

START_TEST(weights_are_refused)
{
    struct puzzle_choice choice[PUZZLE_MAX_MOVES];
    struct puzzle *quarter;
    struct cycle_structure target = support_cycle(cube, "c: (3) / e:");
    for (unsigned m = 0; m < puzzle_move_count(cube); m++) {
        const struct puzzle_move *move = puzzle_move_at(cube, m);
        choice[m] = (struct puzzle_choice){move->name, move->transform, move->amount == 2 ? 2 : 1};
    }
    ck_assert_int_eq(puzzle_derive(cube, choice, puzzle_move_count(cube), &quarter, NULL), 0);
    struct engine_spec spec = support_spec_one(quarter, &target);
    expect_refused(&spec, BASE_ERR_UNSUPPORTED);
    puzzle_release(quarter);
}
END_TEST

/* Feasible by the invariants, yet half turns alone never twist a corner. */
START_TEST(unreachable)
{
    struct puzzle *half = support_puzzle_only(cube, "U2 R2 F2 D2 L2 B2");
    struct cycle_structure target = support_cycle(cube, "c: (3) / e:");
    struct engine_spec spec = support_spec_one(half, &target);
    struct support_job job;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_int_eq(result->state, ENGINE_FAILED);
    ck_assert_int_eq(result->error, BASE_ERR_INFEASIBLE);
    ck_assert_str_ne(result->error_text, "");
    support_job_release(&job);
    puzzle_release(half);
}
END_TEST

/* Threads of this process that may use one processor only. */
static unsigned count_pinned(void)
{
    unsigned pinned = 0;
    const struct dirent *item;
    DIR *tasks = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(tasks);
    while ((item = readdir(tasks)) != NULL) {
        cpu_set_t set;
        pid_t thread = (pid_t)strtol(item->d_name, NULL, 10);
        if (thread > 0 && sched_getaffinity(thread, sizeof set, &set) == 0)
            pinned += CPU_COUNT(&set) == 1;
    }
    closedir(tasks);
    return pinned;
}

START_TEST(threads_are_pinned_if_asked)
{
    struct engine_config config = {.threads = 2, .pin_threads = true};
    struct support_engine pinned;
    cpu_set_t all;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        return; /* there is nothing to see */
    ck_assert_uint_eq(count_pinned(), 0);
    support_engine_open(&pinned, &config);
    ck_assert(support_engine_is_idle(&pinned, 10)); /* they have begun */
    ck_assert_uint_eq(count_pinned(), 2);
    support_engine_close(&pinned);
    ck_assert_uint_eq(count_pinned(), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        hard_30,
        registers,
        three_cycle,
        identity,
        commuting_pairs,
        three_faces,
        classes,
        any_of,
        bad_specs,
        stored_list_is_capped,
        weights_are_refused,
        unreachable,
        threads_are_pinned_if_asked,
    };
    return support_suite_run("engine", tests, sizeof tests / sizeof *tests, setup, teardown, 60);
}
