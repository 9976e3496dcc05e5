/*
 * bench_nodes.c - nodes per second of wide walks over a product table, on one thread and on two:
 * with as many nodes in a batch as usual, and with one node at a time, whose children alone are
 * asked together.
 *
 *     bench_nodes                         with the coarse table, 34 MB, filled at first
 *     CYCLOSOLVE_BENCH_TABLES=directory   with the fine one that bench_positions has left there
 *     CYCLOSOLVE_BENCH_FLIPS=n            of so many flips: 11 (2.4 GiB) unless told, 10: 1.2 GiB,
 *                                         as of CYCLOSOLVE_BENCH_MIB=1400
 *
 * The search is the depth before the solution of position 8 of the twelve, which has none.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/base_clock.h"
#include "core/search/search_cube3_wide.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_product.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

enum { MAX_THREADS = 2, FINE_LENGTH = 16, COARSE_LENGTH = 15, RUNS = 3 };

static const char scramble[] =
    "U2 F2 U B' L2 B R' B' D' B L2 B2 U' L2 B L' F' R' F2 B' U F' R' U' D' R2 D' F2 R L D "
    "F L' F R2 U F2 R' L B2 U R' L U2 F' B2 L' U' B2 U D' B' L' B2 L2 D2 B L2 F2 U";

struct side {
    struct support_run run;
    const struct search_root *root;
    unsigned batch;
    uint64_t asked;
    double cpu_seconds;
};

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *walk_all(void *arg)
{
    struct side *side = arg;
    bool ended;
    double began = thread_seconds();
    struct search_walk *walk = support_walk_new(side->run.problem, support_run_leaf(&side->run));
    ck_assert(search_walk_start(walk, side->root, &ended) && walk->is_wide);
    walk->wide->batch = side->batch;
    ck_assert_int_eq(search_walk_run(walk, UINT64_MAX / 2), SEARCH_WALK_DONE);
    side->run.nodes = walk->nodes;
    side->asked = walk->asked[0];
    search_walk_free(walk);
    side->cpu_seconds = thread_seconds() - began;
    return NULL;
}

/* Every thread does the same search. Returns nodes per CPU second and thread. */
static double measure(const struct search_problem *problem, unsigned length, unsigned threads,
                      unsigned batch, double one)
{
    struct search_root root = support_root_plain(length);
    struct side side[MAX_THREADS];
    pthread_t thread[MAX_THREADS];
    double cpu_seconds = 0;
    uint64_t began = base_clock_ns();
    for (unsigned i = 0; i < threads; i++) {
        side[i] = (struct side){.run = {.problem = problem}, .root = &root, .batch = batch};
        ck_assert_int_eq(pthread_create(&thread[i], NULL, walk_all, &side[i]), 0);
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        cpu_seconds += side[i].cpu_seconds;
    }
    double seconds = support_bench_since(began);
    double nodes = (double)side[0].run.nodes * threads, rate = nodes / cpu_seconds * 1e-6;
    printf("%7u  %5u  %11llu  %6.3f  %7.2f  %7.2f  %8.2f  %12.2f  %5.2f  %016llx\n", threads, batch,
           (unsigned long long)side[0].run.nodes, (double)side[0].asked / (double)side[0].run.nodes,
           seconds, cpu_seconds, nodes / seconds * 1e-6, rate, one > 0 ? rate / one : 1,
           (unsigned long long)side[0].run.digest);
    return rate;
}

static void measure_all(struct support_setting *setting, const struct table *table, unsigned length)
{
    struct search_root root = support_root_plain(length);
    struct side warm = {
        .run = {.problem = &setting->problem}, .root = &root, .batch = SEARCH_WIDE_BATCH};
    setting->problem.table[0] = table;
    setting->problem.n_tables = 1;
    walk_all(&warm); /* touches the table's pages */
    printf("threads  batch        nodes  asked/  seconds    CPU s  Mnodes/s  Mnodes/CPU s  ratio  "
           "leaves\n");
    for (unsigned threads = 1; threads <= MAX_THREADS; threads++)
        for (unsigned i = 0; i < RUNS; i++) {
            double one = measure(&setting->problem, length, threads, 1, 0);
            measure(&setting->problem, length, threads, SEARCH_WIDE_BATCH, one);
        }
}

static void with_coarse(struct support_setting *setting, const struct cycle_structure *solved)
{
    struct support_product filled;
    struct table table;
    support_product_init(&filled, setting->context->group, false, TABLE_PRODUCT_FLIP_BITS);
    support_product_fill(&filled, solved, 1, SUPPORT_FILL_THREADS, SUPPORT_FILL_THREADS);
    support_product_table_init(&table, &filled);
    measure_all(setting, &table, COARSE_LENGTH);
    support_fill_table_deinit(&table);
    support_product_deinit(&filled);
}

static void with_fine(struct support_setting *setting, const struct cycle_structure *solved,
                      const char *directory)
{
    const char *flips = getenv("CYCLOSOLVE_BENCH_FLIPS");
    struct table_spec spec = {.encoding = TABLE_ENCODING_NXOPT,
                              .puzzle = setting->problem.puzzle,
                              .structures = solved,
                              .n_structures = 1};
    const struct table_store_config config = {.directory = directory};
    struct table_store *store;
    struct table_product *product;
    struct table *table;
    ck_assert_int_eq(table_product_new(setting->context->group, true,
                                       flips ? (unsigned)strtoul(flips, NULL, 10)
                                             : (unsigned)TABLE_PRODUCT_FLIP_BITS,
                                       &product),
                     0);
    spec.product = product;
    ck_assert_int_eq(table_store_open(&config, &store, NULL), 0);
    ck_assert_msg(table_open(store, &spec, &table) == 0, "run bench_positions first");
    printf("%.2f GiB\n", (double)product->bytes / (1 << 30));
    measure_all(setting, table, FINE_LENGTH);
    table_close(table);
    table_store_close(store);
    table_product_free(product);
}

static void body(void)
{
    const char *directory = getenv("CYCLOSOLVE_BENCH_TABLES");
    struct puzzle *cube = support_builtin("3x3x3");
    struct cycle_structure solved = support_cycle(cube, "c: / e:");
    struct support_setting setting;
    uint8_t start[PERM_MAX_BYTES];
    support_word_state(cube, scramble, start);
    support_setting_init(&setting, cube, &solved);
    setting.problem.is_cycle_job = false;
    setting.problem.start = start;
    support_walk_choose_best(&setting.problem);
    if (directory)
        with_fine(&setting, &solved, directory);
    else
        with_coarse(&setting, &solved);
    support_setting_deinit(&setting);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
