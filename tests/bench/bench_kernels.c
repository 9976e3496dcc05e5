/*
 * bench_kernels.c - the kernels of the 3x3x3, one thread. Nodes per second on the same two
 * searches: the words of eight moves that the window rule leaves, without a table; and depth 11 of
 * the hard 30x30x30 with its corners and six edges. Structures read per second by every reader that
 * some subset of the processor's features chooses, each of which is first held against the
 * reference.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_fill.h"
#include "tests/support/support_random.h"
#include "tests/support/support_reader.h"
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
        uint64_t began = base_clock_thread_cpu_ns();
        support_run_window(&run, length);
        support_bench_add(&times, (double)(base_clock_thread_cpu_ns() - began) * 1e-9);
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

/* ---- readers ------------------------------------------------------------------------------- */

enum { BATCHES = 64, ROUNDS = 2000 };

struct reading {
    struct cube3_structures structures;
    struct cube3_batch batch[BATCHES];
};

static void reading_init(struct reading *reading, const struct puzzle *cube)
{
    struct support_random random = {1};
    cube3_structures_init(&reading->structures);
    for (unsigned b = 0; b < BATCHES; b++)
        for (unsigned i = 0; i < CUBE3_BATCH; i++) {
            uint8_t state[PERM_MAX_BYTES];
            struct cube3 packed;
            support_random_state(&random, cube, state);
            cube3_from_state(puzzle_shape(cube), state, &packed);
            cube3_batch_set(&reading->batch[b], i, &packed);
        }
}

/* Reads the batches over and over, with so many states in each. */
static void measure_reader(const struct reading *reading, const struct cube3_reader *reader,
                           unsigned count)
{
    struct support_bench_times times = {.count = 0};
    uint64_t sum = 0;
    unsigned rounds = ROUNDS * CUBE3_BATCH / count / (strcmp(reader->name, "portable") ? 1 : 20);
    for (unsigned run = 0; run < SUPPORT_BENCH_RUNS; run++) {
        uint32_t number[CUBE3_BATCH];
        uint64_t began = base_clock_thread_cpu_ns();
        sum = 0;
        for (unsigned i = 0; i < rounds * BATCHES; i++) {
            const struct cube3_batch *batch = &reading->batch[i % BATCHES];
            reader->read(&reading->structures, batch, count, number);
            if (i < BATCHES)
                for (unsigned j = 0; j < count; j++)
                    sum = base_hash_mix(sum, number[j]);
        }
        support_bench_add(&times, (double)(base_clock_thread_cpu_ns() - began) * 1e-9);
    }
    double states = (double)rounds * BATCHES * count;
    printf("%-14s  %6u  %10.2f  %016llx\n", reader->name, count,
           states / support_bench_median(&times) * 1e-6, (unsigned long long)sum);
}

static void readers(const struct puzzle *cube)
{
    static struct reading reading;
    const struct cube3_reader *reader[SUPPORT_READER_MAX];
    unsigned n = support_reader_all(reader);
    char fault[200] = "";
    reading_init(&reading, cube);
    printf("\nreader          states  Mstates/s  answers\n");
    for (unsigned i = 0; i < n; i++) {
        ck_assert_msg(support_reader_check(cube, reader[i], 1000, fault) > 0, "%s", fault);
        measure_reader(&reading, reader[i], CUBE3_BATCH);
        measure_reader(&reading, reader[i], 5);
    }
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    printf(
        "search          kernel                nodes   seconds  Mnodes/s      leaves  answers\n");
    without_tables(cube);
    with_tables(cube);
    readers(cube);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
