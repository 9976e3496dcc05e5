/*
 * bench_hash.c - hash tables of the 24 wings of the 4x4x4: how far a fill gets with the scratch
 * memory that suits its table, what it takes, and what a question costs. Seconds of the processor
 * are those of all threads.
 */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_hash.h"
#include "tests/support/support_wings.h"

enum { TABLE_MIB = 128, SCRATCH_MIB = 64, STATES = 1 << 16 };

static const struct cycle_structure identity;

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

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* Zeroed, in huge pages where the kernel gives them, as the store asks for too. */
static uint8_t *map_entries(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

static void measure_fill(const struct table_hash *hash, unsigned threads, uint8_t *entries)
{
    const struct table_hash_target target = {hash, &identity, 1, (uint64_t)SCRATCH_MIB << 20};
    struct table_fill *fill;
    bool more = true;
    double processor = processor_seconds();
    uint64_t began = base_clock_ns();
    ck_assert_int_eq(table_fill_new_hash(&target, entries, &fill, NULL), 0);
    while (more) {
        unsigned before = table_fill_layers(fill);
        double pass = processor_seconds();
        run_pass(fill, threads);
        more = table_fill_next(fill);
        unsigned layers = table_fill_layers(fill);
        if (layers != before)
            printf("      layer %2u  %11llu entries  %8.3f s of the processor\n", layers - 1,
                   (unsigned long long)table_fill_histogram(fill)[layers - 1],
                   processor_seconds() - pass);
    }
    printf("fill  %u threads  %u MiB, scratch %u MiB  %2u layers  %8.3f s, %.3f s of the "
           "processor  %016llx\n",
           threads, TABLE_MIB, SCRATCH_MIB, table_fill_layers(fill), support_bench_since(began),
           processor_seconds() - processor, (unsigned long long)base_hash(entries, hash->size, 0));
    table_fill_free(fill);
}

static void measure_asking(const struct puzzle *puzzle, const struct table_hash *hash,
                           const uint8_t *entries)
{
    const size_t bytes = puzzle_shape(puzzle)->bytes;
    struct support_random random = {5};
    uint8_t *states = malloc(STATES * bytes);
    uint64_t sum = 0;
    ck_assert_ptr_nonnull(states);
    for (size_t i = 0; i < STATES; i++)
        support_random_state(&random, puzzle, states + i * bytes);
    double processor = processor_seconds();
    for (size_t i = 0; i < STATES; i++)
        sum += table_entry_bound(entries[table_hash_index(hash, states + i * bytes)]);
    printf("ask   %.1f ns of the processor, mean bound of random states %.3f\n",
           (processor_seconds() - processor) / STATES * 1e9, (double)sum / STATES);
    free(states);
}

static void measure(const char *layers)
{
    struct puzzle *puzzle = support_wings(layers);
    struct sym_group *group = support_hash_group(puzzle);
    struct table_hash *hash = support_hash_new(group, 0, (uint64_t)TABLE_MIB << 20);
    printf("%s: %u moves, %u symmetries\n", layers ? layers : "all layers",
           puzzle_move_count(puzzle), hash->view.n_syms);
    for (unsigned threads = 1; threads <= 2; threads++) {
        uint8_t *entries = map_entries(hash->size);
        measure_fill(hash, threads, entries);
        if (threads == 2)
            measure_asking(puzzle, hash, entries);
        munmap(entries, hash->size);
    }
    table_hash_free(hash);
    sym_group_free(group);
    puzzle_release(puzzle);
}

static void body(void)
{
    struct rusage usage;
    measure("X4 Y4 Z4 X3");
    measure(NULL);
    getrusage(RUSAGE_SELF, &usage);
    printf("peak %.1f MiB\n", (double)usage.ru_maxrss / 1024);
}

int main(void)
{
    return support_bench_main(body);
}
