/*
 * bench_pages.c - what the pages of a table of 1 GiB cost: reserving, attaching, random lookups,
 * releasing and removing it; in the directory of the tests, and on file systems of its own where
 * mounting is allowed.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "core/table/table_file.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_directory.h"
#include "tests/support/support_mount.h"

enum { LOOKUPS = 1 << 21, BATCH = 16 };

static const uint64_t bytes = UINT64_C(1) << 30;

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 20) % bytes;
}

/* Each address depends on the answer before. */
static uint64_t look_in_turn(const uint8_t *data)
{
    uint64_t state = 1, sum = 0;
    for (unsigned i = 0; i < LOOKUPS; i++) {
        sum += data[next_random(&state)];
        state ^= sum & 1;
    }
    return sum;
}

static uint64_t look_prefetched(const uint8_t *data)
{
    uint64_t state = 1, sum = 0, index[BATCH];
    for (unsigned i = 0; i < LOOKUPS; i += BATCH) {
        for (unsigned j = 0; j < BATCH; j++) {
            index[j] = next_random(&state);
            __builtin_prefetch(data + index[j]);
        }
        for (unsigned j = 0; j < BATCH; j++)
            sum += data[index[j]];
    }
    return sum;
}

/* Of this thread, which a busy machine does not stretch. */
static double processor_seconds(void)
{
    struct timespec time;
    ck_assert_int_eq(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time), 0);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void measure_looks(const char *pages, const char *way, const struct table_file *file,
                          uint64_t (*look)(const uint8_t *data))
{
    struct support_bench_times times = {.count = 0};
    uint64_t sum = 0;
    for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++) {
        double began = processor_seconds();
        sum = look(table_file_data(file));
        support_bench_add(&times, processor_seconds() - began);
    }
    printf("look     %-12s  %-10s  %8.2f ns  %016llx\n", pages, way,
           support_bench_median(&times) / LOOKUPS * 1e9,
           (unsigned long long)base_hash_mix(sum, LOOKUPS));
}

static void took(const char *what, const char *pages, uint64_t began)
{
    printf("%-8s %-12s  %8.2f ms\n", what, pages, support_bench_since(began) * 1e3);
}

static struct table_file *make_table(struct table_store *store, const struct table_key *key,
                                     const char *pages)
{
    struct table_meta meta = {.payload_bytes = bytes, .entry_count = bytes};
    struct table_file *file;
    uint64_t began = base_clock_ns();
    ck_assert_int_eq(table_store_create(store, key, &meta, &file, NULL), 0);
    took("reserve", pages, began);
    uint8_t *data = table_file_data_writable(file);
    for (uint64_t i = 0; i < bytes; i += 8)
        memcpy(data + i, &(uint64_t){i * UINT64_C(0x9e3779b97f4a7c15)}, 8);
    ck_assert_int_eq(table_file_seal(file, 1), 0);
    return file;
}

static void measure(const char *pages, const char *directory)
{
    struct table_store_config config = {.directory = directory};
    struct table_store *store;
    struct table_key key;
    ck_assert_int_eq(table_store_open(&config, &store, NULL), 0);
    ck_assert_int_eq(table_key_init(&key, "v1 bench"), 0);
    table_file_release(make_table(store, &key, pages));
    struct table_file *file;
    uint64_t began = base_clock_ns();
    ck_assert_int_eq(table_store_acquire(store, &key, &file), 0);
    took("attach", pages, began);
    measure_looks(pages, "in turn", file, look_in_turn);
    measure_looks(pages, "prefetched", file, look_prefetched);
    printf("obtained %-12s  %8.0f MiB of huge pages\n", pages,
           (double)table_file_huge_bytes(file) / (1 << 20));
    began = base_clock_ns();
    table_file_release(file);
    took("release", pages, began);
    began = base_clock_ns();
    ck_assert_int_eq(table_store_remove(store, key.digest), 0);
    took("remove", pages, began);
    table_store_close(store);
}

static const char *mounted_options;
static char mounted_directory[SUPPORT_DIRECTORY_SIZE];

static int measure_mounted(void)
{
    char options[64];
    snprintf(options, sizeof options, "mode=0700,size=1200m,%s", mounted_options);
    if (!support_mount("tmpfs", mounted_directory, options))
        return SUPPORT_MOUNT_SKIPPED;
    measure(mounted_options, mounted_directory);
    fflush(stdout);
    return 0;
}

static void body(void)
{
    static const char *const options[] = {"huge=never", "huge=advise"};
    support_directory_make(mounted_directory);
    measure("as it is", mounted_directory);
    for (size_t i = 0; i < BASE_COUNT(options); i++) {
        mounted_options = options[i];
        int status = support_mount_run(options[i], measure_mounted);
        ck_assert(status == 0 || status == SUPPORT_MOUNT_SKIPPED);
    }
    support_directory_remove(mounted_directory);
}

int main(void)
{
    return support_bench_main(body);
}
