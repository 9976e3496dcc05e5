/*
 * bench_encodings.c - the tables of the hard 30x30x30 in every encoding: making them, their size
 * against the entropy of their entries, how many entries are lowered (of all, and of those that a
 * search meets), and what a question costs. And attaching a table of 1 GiB.
 *
 * The times of an encoding are to be compared with those of `none` in the same run.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "core/base/base_mem.h"
#include "core/cpu/cpu.h"
#include "core/search/search_context.h"
#include "core/table/table_codec_inl.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_cube3.h"
#include "tests/support/support_grow.h"
#include "tests/support/support_random.h"
#include "tests/support/support_word.h"

enum { STATES = 1 << 18, BATCH = 16 };

/* ---- making ------------------------------------------------------------------------------- */

static struct table *make(struct table_store *store, const struct table_spec *spec, double *seconds)
{
    uint64_t began = base_clock_ns();
    struct table *table = support_grow(store, spec);
    *seconds = support_bench_since(began);
    return table;
}

/* ---- size ---------------------------------------------------------------------------------- */

static double entropy(const struct table *table)
{
    uint64_t count[TABLE_HISTOGRAM_SIZE], total = 0;
    double bits = 0;
    table_file_histogram(table->file, count);
    for (unsigned v = 0; v < TABLE_HISTOGRAM_SIZE; v++)
        total += count[v];
    for (unsigned v = 0; v < TABLE_HISTOGRAM_SIZE; v++)
        if (count[v] > 0)
            bits -= (double)count[v] / (double)total * log2((double)count[v] / (double)total);
    return bits;
}

static double share_lowered(const struct table *plain, const struct table *table)
{
    uint64_t lowered = 0, n = plain->coord->size;
    for (uint64_t i = 0; i < n; i++) {
        unsigned bound = table_entry_bound(plain->entries[i]);
        lowered += bound != TABLE_UNREACHABLE &&
                   table_codec_bound(table->codec, table->entries, i) < bound;
    }
    return (double)lowered / (double)n;
}

/* ---- what a search meets -------------------------------------------------------------------- */

/* IDA* by the reference code: every child that is judged is a question to both tables. */
struct meeting {
    const struct puzzle *cube;
    const struct canon *canon;
    const struct table *plain, *table;
    uint64_t asked, lowered;
};

static void meet(struct meeting *meeting, const uint8_t *state, unsigned canon, unsigned left)
{
    const struct perm_shape *shape = puzzle_shape(meeting->cube);
    for (unsigned m = 0; m < meeting->canon->n_moves; m++) {
        uint8_t child[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
        if (!canon_allows(meeting->canon, canon, m))
            continue;
        perm_compose(shape, state, puzzle_move_at(meeting->cube, m)->transform, child);
        perm_invert(shape, child, inverse);
        unsigned bound = table_bound(meeting->plain, child, inverse);
        meeting->asked++;
        meeting->lowered += table_bound(meeting->table, child, inverse) < bound;
        if (bound < left)
            meet(meeting, child, canon_next(meeting->canon, canon, m), left - 1);
    }
}

/* Some million children. Shallow searches meet other entries than those in which time is spent: of
 * the edges' nxopt table 3 % are lowered among those that 7 moves meet, 0.6 to 1.2 % with 8 and 9.
 */
static double share_met(struct search_context *context, const struct table *plain,
                        const struct table *table, unsigned depth)
{
    struct meeting meeting = {
        .cube = context->puzzle, .canon = context->canon, .plain = plain, .table = table};
    uint8_t state[PERM_MAX_BYTES];
    perm_identity(puzzle_shape(context->puzzle), state);
    meet(&meeting, state, CANON_FREE, depth);
    return (double)meeting.lowered / (double)meeting.asked;
}

/* ---- asking --------------------------------------------------------------------------------- */

static uint64_t index_of(const struct support_cube3 *code, const struct table *table,
                         const struct cube3 *cube)
{
    return table->coord->kind == TABLE_COORD_EXACT
               ? code->exact_index(&table->cube3->exact, cube)
               : code->subset_index(&table->cube3->subset[0], cube);
}

static uint64_t ask_none(const struct support_cube3 *code, const struct table *table,
                         const struct cube3 *cubes)
{
    uint64_t sum = 0, index[BATCH];
    for (unsigned i = 0; i < STATES; i += BATCH) {
        for (unsigned j = 0; j < BATCH; j++) {
            index[j] = index_of(code, table, &cubes[i + j]);
            __builtin_prefetch(table->entries + index[j]);
        }
        for (unsigned j = 0; j < BATCH; j++)
            sum += table_none_bound(table->entries, index[j]);
    }
    return sum;
}

static uint64_t ask_nxopt(const struct support_cube3 *code, const struct table *table,
                          const struct cube3 *cubes)
{
    uint64_t sum = 0, index[BATCH];
    for (unsigned i = 0; i < STATES; i += BATCH) {
        for (unsigned j = 0; j < BATCH; j++) {
            index[j] = index_of(code, table, &cubes[i + j]);
            __builtin_prefetch(table_nxopt_line(table->entries, index[j]));
        }
        for (unsigned j = 0; j < BATCH; j++)
            sum += table_nxopt_bound(&table->codec->nxopt, table->entries, index[j]);
    }
    return sum;
}

static uint64_t ask_tans(const struct support_cube3 *code, const struct table *table,
                         const struct cube3 *cubes)
{
    uint64_t sum = 0, index[BATCH];
    for (unsigned i = 0; i < STATES; i += BATCH) {
        for (unsigned j = 0; j < BATCH; j++) {
            index[j] = index_of(code, table, &cubes[i + j]);
            __builtin_prefetch(table_tans_line(&table->codec->tans, table->entries, index[j]));
        }
        for (unsigned j = 0; j < BATCH; j++)
            sum += table_tans_bound(&table->codec->tans, table->entries, index[j]);
    }
    return sum;
}

static uint64_t (*const ask[TABLE_ENCODING_COUNT])(const struct support_cube3 *,
                                                   const struct table *, const struct cube3 *) = {
    ask_none, ask_nxopt, ask_tans};

/* Rounds of all encodings in turn, so that noise hits them alike. */
static void measure_asking(struct table *const table[], const struct cube3 *cubes,
                           double ns[TABLE_ENCODING_COUNT], uint64_t sum[TABLE_ENCODING_COUNT])
{
    struct support_bench_times times[TABLE_ENCODING_COUNT] = {{.count = 0}};
    const struct support_cube3 *code = &support_cube3_portable;
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2))
        code = &support_cube3_avx2;
#endif
    for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++)
        for (int e = 0; e < TABLE_ENCODING_COUNT; e++) {
            uint64_t began = base_clock_ns();
            sum[e] = ask[e](code, table[e], cubes);
            support_bench_add(&times[e], support_bench_since(began));
        }
    for (int e = 0; e < TABLE_ENCODING_COUNT; e++)
        ns[e] = support_bench_median(&times[e]) / STATES * 1e9;
}

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

/* ---- all ------------------------------------------------------------------------------------ */

static void measure(struct search_context *context, struct table_store *store,
                    const struct cycle_structure *target, unsigned orbit, unsigned k,
                    const struct cube3 *cubes)
{
    struct table_spec spec = {.structures = target, .n_structures = 1};
    struct table *table[TABLE_ENCODING_COUNT];
    double seconds[TABLE_ENCODING_COUNT], ns[TABLE_ENCODING_COUNT];
    uint64_t sum[TABLE_ENCODING_COUNT];
    ck_assert_int_eq(search_context_coord(context, orbit, k, &spec.coord), 0);
    for (int e = 0; e < TABLE_ENCODING_COUNT; e++) {
        spec.encoding = (enum table_encoding)e;
        table[e] = make(store, &spec, &seconds[e]);
    }
    measure_asking(table, cubes, ns, sum);
    double ideal = entropy(table[0]);
    for (int e = 0; e < TABLE_ENCODING_COUNT; e++) {
        uint64_t bytes = table_file_meta(table[e]->file)->payload_bytes;
        double bits = 8.0 * (double)bytes / (double)spec.coord->size;
        printf("%-13s  %-5s  %7.3f s  %6.3f bits  %5.3f x entropy  %6.3f %% lower  %6.3f %% met"
               "  %6.2f ns  %5.2f x none  %016llx\n",
               k == 0 ? "exact corners" : "six edges", table_encoding_name((enum table_encoding)e),
               seconds[e], bits, bits / ideal, e ? 100 * share_lowered(table[0], table[e]) : 0,
               e ? 100 * share_met(context, table[0], table[e], k == 0 ? 6 : 9) : 0, ns[e],
               ns[e] / ns[0], (unsigned long long)base_hash_mix(sum[e], bytes));
    }
    for (int e = 0; e < TABLE_ENCODING_COUNT; e++)
        table_close(table[e]);
}

/* Opens the store anew and asks one entry: without, and then with the checksum pass. */
static void measure_attach(const char *directory)
{
    const struct table_store_config config = {.directory = directory};
    struct table_meta meta = {.payload_bytes = (uint64_t)1 << 30, .entry_count = (uint64_t)1 << 30};
    struct table_key key;
    struct table_store *store;
    struct table_file *file;
    ck_assert_int_eq(table_key_init(&key, "v1 puzzle=bench of attaching"), 0);
    ck_assert_int_eq(table_store_open(&config, &store, NULL), 0);
    ck_assert_int_eq(table_store_create(store, &key, &meta, &file, NULL), 0);
    memset(table_file_data_writable(file), 7, meta.payload_bytes);
    ck_assert_int_eq(table_file_seal(file, 1), 0);
    table_file_release(file);
    table_store_close(store);
    struct support_bench_times times = {.count = 0};
    double checked = 0;
    for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++) {
        uint64_t began = base_clock_ns();
        ck_assert_int_eq(table_store_open(&config, &store, NULL), 0);
        ck_assert_int_eq(table_store_acquire(store, &key, &file), 0);
        ck_assert_uint_eq(table_file_data(file)[meta.payload_bytes / 2], 7);
        support_bench_add(&times, support_bench_since(began));
        began = base_clock_ns();
        while (table_file_verify_step(file) == 0)
            continue;
        checked = support_bench_since(began);
        table_file_release(file);
        table_store_close(store);
    }
    printf("attach 1 GiB: %.2f ms to the first answer; its checksums take %.0f ms more on one "
           "thread, meanwhile\n",
           1000 * support_bench_median(&times), 1000 * checked);
}

static void body(void)
{
    char directory[80];
    support_directory_make(directory);
    const struct table_store_config config = {.directory = directory};
    struct puzzle *cube = support_builtin("3x3x3");
    struct cycle_structure target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 1+)");
    struct search_context *context;
    struct table_store *store;
    struct cube3 *cubes = random_cubes(cube);
    ck_assert_int_eq(search_context_new(cube, &target, 1, &context), 0);
    ck_assert_int_eq(table_store_open(&config, &store, NULL), 0);
    measure(context, store, &target, CUBE3_CORNERS, 0, cubes);
    measure(context, store, &target, CUBE3_EDGES, 6, cubes);
    table_store_close(store);
    search_context_release(context);
    base_mem_free(cubes);
    puzzle_release(cube);
    measure_attach(directory);
    support_directory_remove(directory);
}

int main(void)
{
    return support_bench_main(body);
}
