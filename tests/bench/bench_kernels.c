/*
 * bench_kernels.c - nodes per second of one thread, for every kernel, on the same two searches of
 * the 3x3x3: the words of eight moves that the window rule leaves, without a table; and depth 11 of
 * the hard 30x30x30 with its corners and six edges.
 */
#include <check.h>
#include <stdio.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_fill.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

static void measure(struct support_setting *setting, enum support_kernel kernel, const char *search,
                    unsigned length)
{
    struct support_bench_times times = {.count = 0};
    struct support_run run = {.problem = NULL};
    if (!support_walk_choose(&setting->problem, kernel))
        return;
    for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++) {
        run = (struct support_run){.problem = &setting->problem};
        uint64_t began = base_clock_ns();
        support_run_window(&run, length);
        support_bench_add(&times, support_bench_since(began));
    }
    double seconds = support_bench_median(&times);
    printf("%-14s  %-14s  %11llu  %8.3f  %9.2f  %10llu  %016llx\n", search,
           search_kernel_name(setting->problem.kernel), (unsigned long long)run.nodes, seconds,
           (double)run.nodes / seconds * 1e-6, (unsigned long long)run.leaves,
           (unsigned long long)run.digest);
    search_problem_deinit(&setting->problem);
}

/* A table of the target in plain memory, for the setting. */
static void add_table(struct support_setting *setting, unsigned orbit, unsigned k,
                      const struct cycle_structure *target, struct support_filled *filled,
                      struct table *table)
{
    const struct table_coord *coord;
    ck_assert_int_eq(search_context_coord(setting->context, orbit, k, &coord), 0);
    support_fill(coord, target, 1, SUPPORT_FILL_THREADS, filled);
    support_fill_table_init(table, coord, filled);
    setting->problem.table[setting->problem.n_tables++] = table;
}

static void without_tables(const struct puzzle *cube)
{
    struct support_setting setting;
    support_setting_init(&setting, cube, NULL);
    for (unsigned kernel = 0; kernel < SUPPORT_KERNEL_COUNT; kernel++)
        measure(&setting, kernel, "no table, 8", 8);
    support_setting_deinit(&setting);
}

static void with_tables(const struct puzzle *cube)
{
    struct cycle_structure target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 1+)");
    struct support_setting setting;
    struct support_filled filled[2];
    struct table table[2];
    support_setting_init(&setting, cube, &target);
    add_table(&setting, 0, 0, &target, &filled[0], &table[0]);
    add_table(&setting, 1, 6, &target, &filled[1], &table[1]);
    for (unsigned kernel = 0; kernel < SUPPORT_KERNEL_COUNT; kernel++)
        measure(&setting, kernel, "hard 30, 11", 11);
    for (unsigned t = 0; t < 2; t++) {
        support_fill_table_deinit(&table[t]);
        support_fill_free(&filled[t]);
    }
    support_setting_deinit(&setting);
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    printf(
        "search          kernel                nodes   seconds  Mnodes/s      leaves  answers\n");
    without_tables(cube);
    with_tables(cube);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
