/*
 * bench_tables.c - filling the tables of the hard 30x30x30 with one and two threads; and what it
 * costs to ask them for a state in the register, one after another and with the entries prefetched.
 */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "core/base/base_mem.h"
#include "core/cpu/cpu.h"
#include "core/search/search_context.h"
#include "core/table/table.h"
#include "core/table/table_fill.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_cube3.h"
#include "tests/support/support_fill.h"
#include "tests/support/support_random.h"
#include "tests/support/support_word.h"

/* ---- filling ------------------------------------------------------------------------------ */

struct pass {
    struct table_fill *fill;
    unsigned chunks;
    atomic_uint next;
};

static void *run_chunks(void *arg)
{
    struct pass *pass = arg;
    for (;;) {
        unsigned chunk = atomic_fetch_add(&pass->next, 1);
        if (chunk >= pass->chunks)
            return NULL;
        table_fill_run(pass->fill, chunk);
    }
}

static void run_pass(struct table_fill *fill, unsigned threads)
{
    struct pass pass = {.fill = fill, .chunks = table_fill_chunks(fill)};
    pthread_t thread[8];
    for (unsigned i = 1; i < threads; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_chunks, &pass), 0);
    run_chunks(&pass);
    for (unsigned i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
}

/* Of all threads, which a busy machine does not stretch. */
static double processor_seconds(void)
{
    struct timespec time;
    ck_assert_int_eq(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time), 0);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Seconds, and those of processors; *hash of the entries. */
struct fill_times {
    struct support_bench_times wall, processor;
};

static void fill_once(const struct table_coord *coord, const struct table_image *image,
                      unsigned threads, struct fill_times *times, uint64_t *hash)
{
    uint8_t *entries = base_mem_new(coord->size, 64);
    struct table_fill *fill;
    ck_assert_ptr_nonnull(entries);
    memset(entries, 0, coord->size);
    uint64_t began = base_clock_ns();
    double processor = processor_seconds();
    ck_assert_int_eq(table_fill_new(coord, image, entries, &fill), 0);
    do
        run_pass(fill, threads);
    while (table_fill_next(fill));
    support_bench_add(&times->processor, processor_seconds() - processor);
    support_bench_add(&times->wall, support_bench_since(began));
    *hash = base_hash(entries, coord->size, 0);
    table_fill_free(fill);
    base_mem_free(entries);
}

static void measure_fill(const char *name, const struct table_coord *coord,
                         const struct cycle_structure *target)
{
    struct table_image *image;
    ck_assert_int_eq(table_image_new(coord, target, 1, &image), 0);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct fill_times times = {.wall = {.count = 0}};
        uint64_t hash = 0;
        for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++)
            fill_once(coord, image, threads, &times, &hash);
        double seconds = support_bench_median(&times.wall);
        printf("fill  %-16s  %u threads  %8.2f MiB  %8.3f s  %8.3f CPU s  %7.1f M entries/s  "
               "%016llx\n",
               name, threads, (double)coord->size / (1 << 20), seconds,
               support_bench_median(&times.processor),
               (double)coord->n_lines * coord->width / seconds * 1e-6, (unsigned long long)hash);
    }
    table_image_free(image);
}

/* ---- asking ------------------------------------------------------------------------------- */

enum { STATES = 1 << 18, BATCH = 16 };

static uint64_t index_of(const struct support_cube3 *code, const struct table *table,
                         const struct cube3 *cube)
{
    return table->coord->kind == TABLE_COORD_EXACT
               ? code->exact_index(&table->cube3->exact, cube)
               : code->subset_index(&table->cube3->subset[0], cube);
}

/* Sum of the answers. */
static uint64_t ask_plain(const struct support_cube3 *code, const struct table *table,
                          const struct cube3 *cubes)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < STATES; i++)
        sum += table->entries[index_of(code, table, &cubes[i])];
    return sum;
}

static uint64_t ask_prefetched(const struct support_cube3 *code, const struct table *table,
                               const struct cube3 *cubes)
{
    uint64_t sum = 0, index[BATCH];
    for (unsigned i = 0; i < STATES; i += BATCH) {
        for (unsigned j = 0; j < BATCH; j++) {
            index[j] = index_of(code, table, &cubes[i + j]);
            __builtin_prefetch(table->entries + index[j]);
        }
        for (unsigned j = 0; j < BATCH; j++)
            sum += table->entries[index[j]];
    }
    return sum;
}

static void measure_asking(const char *name, const struct support_cube3 *code,
                           const struct table *table, const struct cube3 *cubes)
{
    uint64_t (*const ask[])(const struct support_cube3 *, const struct table *,
                            const struct cube3 *) = {ask_plain, ask_prefetched};
    for (unsigned way = 0; way < 2; way++) {
        struct support_bench_times times = {.count = 0};
        uint64_t sum = 0;
        for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++) {
            uint64_t began = base_clock_ns();
            sum = ask[way](code, table, cubes);
            support_bench_add(&times, support_bench_since(began));
        }
        printf("ask   %-16s  %-8s   %-10s  %8.2f ns  %016llx\n", name, code->name,
               way ? "prefetched" : "in turn", support_bench_median(&times) / STATES * 1e9,
               (unsigned long long)base_hash_mix(sum, STATES));
    }
}

/* New: random states, packed. */
static struct cube3 *random_cubes(const struct puzzle *cube)
{
    struct support_random random = {4711};
    struct cube3 *cubes = base_mem_new(STATES * sizeof *cubes, 64);
    uint8_t state[PERM_MAX_BYTES];
    ck_assert_ptr_nonnull(cubes);
    for (unsigned i = 0; i < STATES; i++) {
        support_random_state(&random, cube, state);
        cube3_from_state(puzzle_shape(cube), state, &cubes[i]);
    }
    return cubes;
}

static void measure_table(struct search_context *context, const struct cycle_structure *target,
                          unsigned orbit, unsigned k, const struct cube3 *cubes)
{
    const char *name = k == 0 ? "exact corners" : "six edges";
    const struct table_coord *coord;
    struct support_filled filled;
    struct table table;
    ck_assert_int_eq(search_context_coord(context, orbit, k, &coord), 0);
    measure_fill(name, coord, target);
    support_fill(coord, target, 1, SUPPORT_FILL_THREADS, &filled);
    support_fill_table_init(&table, coord, &filled);
    measure_asking(name, &support_cube3_portable, &table, cubes);
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2))
        measure_asking(name, &support_cube3_avx2, &table, cubes);
#endif
    support_fill_table_deinit(&table);
    support_fill_free(&filled);
}

static void measure_seven_edges(struct search_context *context,
                                const struct cycle_structure *target)
{
    const struct table_coord *coord;
    ck_assert_int_eq(search_context_coord(context, CUBE3_EDGES, 7, &coord), 0);
    measure_fill("seven edges", coord, target);
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct cycle_structure target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 1+)");
    struct search_context *context;
    struct cube3 *cubes = random_cubes(cube);
    ck_assert_int_eq(search_context_new(cube, &target, 1, &context), 0);
    measure_table(context, &target, CUBE3_CORNERS, 0, cubes);
    measure_table(context, &target, CUBE3_EDGES, 6, cubes);
    measure_seven_edges(context, &target);
    search_context_release(context);
    base_mem_free(cubes);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
