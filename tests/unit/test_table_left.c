/*
 * test_table_left.c - growing tables left behind by fillers that died or stopped: who keeps them,
 * who goes on with them, who removes them; looking at a table while it is sealed.
 */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "core/table/table_file.h"
#include "core/table/table_store.h"
#include "tests/support/support_random.h"
#include "tests/support/support_table.h"

enum { SMALL = 10000, MIB = 1 << 20, LARGE = 3 * MIB + 12345, LAYERS = 3, DIGEST = 4711 };

static const uint64_t histogram[LAYERS] = {1, 12, 100};

static int try_create(int number, uint64_t bytes, bool resumable, struct table_file **out)
{
    struct table_key key = support_table_key(number);
    struct table_meta meta = support_table_meta(bytes);
    meta.resumable = resumable;
    return table_store_create(support_table_store, &key, &meta, out, NULL);
}

static struct table_file *create(int number, uint64_t bytes)
{
    struct table_file *file = NULL;
    ck_assert_int_eq(try_create(number, bytes, true, &file), 0);
    return file;
}

/* Some entries and, unless `layers` is 0, complete layers. */
static void fill_part(struct table_file *file, int number, uint64_t bytes, int layers)
{
    support_table_fill(table_file_data_writable(file), number, bytes / 2);
    if (layers) {
        table_file_set_layer(file, layers, histogram, LAYERS);
        table_file_keep(file, DIGEST);
    }
}

/* A process that fills a part and is killed. */
static void leave_behind(int number, uint64_t bytes, bool resumable, int layers)
{
    int ready[2];
    char byte;
    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct table_file *file = NULL;
        support_table_store = support_table_open(support_table_directory, 0);
        ck_assert_int_eq(try_create(number, bytes, resumable, &file), 0);
        fill_part(file, number, bytes, layers);
        if (write(ready[1], "x", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void check_kept(struct table_file *file, int number, uint64_t bytes)
{
    const struct table_kept *kept = table_file_kept(file);
    ck_assert_uint_eq(kept->layers, LAYERS);
    ck_assert_uint_eq(kept->digest, DIGEST);
    ck_assert_mem_eq(kept->histogram, histogram, sizeof histogram);
    ck_assert_int_eq(table_file_layers(file), 0);
    ck_assert_int_eq(table_file_state(file), TABLE_STATE_GROWING);
    ck_assert(support_table_filled(table_file_data(file), number, bytes / 2));
    ck_assert(support_table_is_zero(table_file_data(file) + bytes / 2, bytes - bytes / 2));
}

static void check_fresh(struct table_file *file, uint64_t bytes)
{
    ck_assert_uint_eq(table_file_kept(file)->layers, 0);
    ck_assert(support_table_is_zero(table_file_data(file), bytes));
}

static void finish(struct table_file *file, int number, uint64_t bytes)
{
    support_table_fill(table_file_data_writable(file), number, bytes);
    table_file_set_layer(file, LAYERS, histogram, LAYERS);
    ck_assert_int_eq(table_file_seal(file, 1), 0);
    table_file_release(file);
    support_table_reopen(0);
    file = support_table_acquire(support_table_store, number);
    ck_assert(support_table_filled(table_file_data(file), number, bytes));
    ck_assert_int_eq(support_table_verify(file), 1);
    ck_assert_int_eq(table_file_layers(file), LAYERS);
    table_file_release(file);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 1);
}

/* ---- going on -------------------------------------------------------------------------- */

START_TEST(the_next_filler_goes_on)
{
    static const uint64_t sizes[] = {SMALL, LARGE};
    struct table_info info;
    uint64_t bytes = sizes[_i / 2];
    int descriptors = support_table_descriptors();
    leave_behind(1, bytes, true, LAYERS);
    if (_i % 2)
        support_table_reopen(0);
    ck_assert_int_eq(table_store_info(support_table_store, support_table_key(1).digest, &info), 0);
    ck_assert(info.state == TABLE_STATE_GROWING && !info.in_use && info.layers == LAYERS);
    struct table_file *file = create(1, bytes);
    check_kept(file, 1, bytes);
    finish(file, 1, bytes);
    ck_assert_int_eq(support_table_complaints(), 0);
    ck_assert_int_eq(support_table_descriptors(), descriptors);
}
END_TEST

/* Who goes on may die, too, before it has noted anything. */
START_TEST(what_is_left_can_be_left_again)
{
    leave_behind(1, LARGE, true, LAYERS);
    leave_behind(1, LARGE, true, 0);
    struct table_file *file = create(1, LARGE), *other = NULL;
    check_kept(file, 1, LARGE);
    ck_assert_int_eq(try_create(1, LARGE, true, &other), BASE_ERR_BUSY);
    table_file_leave(file);
    file = create(1, LARGE);
    check_kept(file, 1, LARGE);
    finish(file, 1, LARGE);
}
END_TEST

START_TEST(leaving)
{
    struct table_file *file = create(1, LARGE);
    table_file_leave(file); /* no layer is complete */
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    ck_assert_int_eq(try_create(1, LARGE, false, &file), 0);
    fill_part(file, 1, LARGE, LAYERS);
    table_file_leave(file); /* not resumable */
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    file = create(1, LARGE);
    fill_part(file, 1, LARGE, LAYERS);
    table_file_leave(file);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 1);
    file = create(1, LARGE);
    check_kept(file, 1, LARGE);
    table_file_discard(file);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    ck_assert_int_eq(support_table_complaints(), 0);
}
END_TEST

/* A seal that ended just before the name was changed. */
START_TEST(a_seal_that_was_not_published_goes_on)
{
    char sealed[128], growing[128];
    struct table_file *file = create(1, LARGE);
    fill_part(file, 1, LARGE, LAYERS);
    ck_assert_int_eq(table_file_seal(file, 5), 0);
    table_file_release(file);
    support_table_path(1, ".cyt", sealed);
    support_table_path(1, ".cyt.growing", growing);
    ck_assert_int_eq(rename(sealed, growing), 0);
    support_table_reopen(0);
    file = create(1, LARGE);
    check_kept(file, 1, LARGE);
    finish(file, 1, LARGE);
}
END_TEST

/* ---- starting afresh ------------------------------------------------------------------- */

static void damage(const char *path, off_t at, const void *bytes, size_t count)
{
    int fd = open(path, O_RDWR);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pwrite(fd, bytes, count, at), (ssize_t)count);
    close(fd);
}

/* What nobody can go on with is removed, by opening or by creating, and that is said. */
START_TEST(what_cannot_be_used_is_discarded)
{
    char path[128];
    struct table_file *file = NULL;
    support_table_path(1, ".cyt.growing", path);
    leave_behind(1, LARGE, _i / 2 != 0, _i / 2 == 1 ? 0 : LAYERS);
    switch (_i / 2) {
    case 2:
        damage(path, 40, "x", 1);
        break;
    case 3:
        ck_assert_int_eq(truncate(path, LARGE), 0);
        break;
    case 4:
        ck_assert_int_eq(truncate(path, 16 * MIB), 0);
        break;
    case 5:
        ck_assert_int_eq(truncate(path, 100), 0);
        break;
    default: /* 0: not resumable; 1: no layer */
        break;
    }
    if (_i % 2) {
        support_table_reopen(0);
        ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    }
    file = create(1, LARGE);
    ck_assert_int_eq(support_table_complaints(), 1);
    check_fresh(file, LARGE);
    finish(file, 1, LARGE);
}
END_TEST

START_TEST(another_table_is_not_taken_for_it)
{
    struct table_file *file = NULL;
    leave_behind(1, LARGE, true, LAYERS);
    file = create(2, LARGE);
    check_fresh(file, LARGE);
    table_file_discard(file);
    file = create(1, LARGE + 1); /* of another size */
    check_fresh(file, LARGE + 1);
    table_file_discard(file);
    leave_behind(1, LARGE, true, LAYERS);
    ck_assert_int_eq(try_create(1, LARGE, false, &file), 0);
    check_fresh(file, LARGE);
    table_file_discard(file);
}
END_TEST

/* ---- making room ----------------------------------------------------------------------- */

START_TEST(what_is_left_counts_and_goes_first)
{
    uint64_t each = table_store_footprint(support_table_store, SMALL);
    support_table_make(support_table_store, 1, SMALL);
    leave_behind(2, SMALL, true, LAYERS); /* used later than 1 */
    support_table_reopen(3 * each);
    support_table_make(support_table_store, 3, SMALL);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 3);
    if (_i == 0) {
        support_table_make(support_table_store, 4, SMALL);
        ck_assert(support_table_exists(support_table_store, 1) &&
                  !support_table_exists(support_table_store, 2));
    } else { /* who goes on with it needs no further room */
        struct table_file *file = create(2, SMALL);
        check_kept(file, 2, SMALL);
        ck_assert_int_eq(support_table_count_names(support_table_directory), 3);
        table_file_discard(file);
    }
}
END_TEST

START_TEST(pins_and_removal)
{
    struct table_file *file = NULL;
    uint64_t digest = support_table_key(1).digest;
    uint64_t each = table_store_footprint(support_table_store, SMALL);
    leave_behind(1, SMALL, true, LAYERS);
    ck_assert_int_eq(table_store_pin(support_table_store, digest, true), 0);
    support_table_reopen(each);
    ck_assert_int_eq(try_create(2, SMALL, true, &file), BASE_ERR_MEMORY_LIMIT);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), BASE_ERR_BUSY);
    file = create(1, SMALL);
    check_kept(file, 1, SMALL);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), BASE_ERR_BUSY);
    table_file_leave(file);
    ck_assert_int_eq(table_store_pin(support_table_store, digest, false), 0);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), 0);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
}
END_TEST

/* ---- looking while a name changes ------------------------------------------------------- */

enum { ROUNDS = 200 };

struct looker {
    atomic_int begun, looking, published, ended; /* rounds */
    int misses;
};

/* Without sleeping, so that both are awake at the same time if there are two processors. */
static void wait_for(atomic_int *round, int number)
{
    for (unsigned spins = 1; atomic_load(round) < number; spins++)
        if (spins % 1024 == 0)
            sched_yield();
}

/* The table is there all the time, under the one name or the other. */
static void *keep_looking(void *arg)
{
    struct looker *looker = arg;
    struct table_info info;
    uint64_t digest = support_table_key(1).digest;
    for (int round = 1; round <= ROUNDS; round++) {
        wait_for(&looker->begun, round);
        atomic_store(&looker->looking, round);
        do {
            looker->misses += table_store_info(support_table_store, digest, &info) != 0;
            looker->misses += table_store_pin(support_table_store, digest, false) != 0;
        } while (atomic_load(&looker->published) < round);
        atomic_store(&looker->ended, round);
    }
    return NULL;
}

START_TEST(a_table_is_never_missed)
{
    struct looker looker = {.misses = 0};
    struct support_random random = {5};
    char sealed[128], growing[128];
    pthread_t thread;
    support_table_make(support_table_store, 1, SMALL);
    support_table_path(1, ".cyt", sealed);
    support_table_path(1, ".cyt.growing", growing);
    ck_assert_int_eq(pthread_create(&thread, NULL, keep_looking, &looker), 0);
    for (int round = 1; round <= ROUNDS; round++) {
        ck_assert_int_eq(rename(sealed, growing), 0);
        atomic_store(&looker.begun, round);
        wait_for(&looker.looking, round);
        for (volatile unsigned i = support_random_below(&random, 10000); i > 0; i--)
            continue;
        ck_assert_int_eq(rename(growing, sealed), 0); /* as a seal does, at some moment */
        atomic_store(&looker.published, round);
        wait_for(&looker.ended, round);
    }
    pthread_join(thread, NULL);
    ck_assert_int_eq(looker.misses, 0);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, the_next_filler_goes_on, 0, 4);
    tcase_add_test(cases, what_is_left_can_be_left_again);
    tcase_add_test(cases, leaving);
    tcase_add_test(cases, a_seal_that_was_not_published_goes_on);
    tcase_add_loop_test(cases, what_cannot_be_used_is_discarded, 0, 12);
    tcase_add_test(cases, another_table_is_not_taken_for_it);
    tcase_add_loop_test(cases, what_is_left_counts_and_goes_first, 0, 2);
    tcase_add_test(cases, pins_and_removal);
    tcase_add_test(cases, a_table_is_never_missed);
}

int main(void)
{
    return support_table_suite("table_left", add_tests);
}
