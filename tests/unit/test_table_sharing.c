/*
 * test_table_sharing.c - one directory of tables, many processes and threads, a full file system.
 */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "core/table/table_file.h"
#include "core/table/table_store.h"
#include "tests/support/support_mount.h"
#include "tests/support/support_table.h"

enum { SMALL = 10000, MIB = 1 << 20, LARGE = 3 * MIB + 12345 };

/* ---- processes ------------------------------------------------------------------------- */

static pid_t start_filler(int ready[2])
{
    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0) {
        char byte;
        close(ready[1]);
        ck_assert_int_eq(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        return child;
    }
    uint64_t histogram[] = {1, 12};
    struct table_store *mine = support_table_open(support_table_directory, 0);
    struct table_file *file = support_table_create(mine, 1, LARGE);
    support_table_fill(table_file_data_writable(file), 1, LARGE / 2);
    table_file_set_layer(file, 2, histogram, 2);
    if (write(ready[1], "x", 1) == 1)
        for (;;)
            pause();
    _exit(1);
}

START_TEST(killed_filler_leaves_nothing)
{
    int ready[2];
    struct table_file *file = NULL;
    struct table_info info;
    pid_t child = start_filler(ready);
    ck_assert_int_eq(support_table_try_create(support_table_store, 1, LARGE, &file), BASE_ERR_BUSY);
    ck_assert_int_eq(table_store_remove(support_table_store, support_table_key(1).digest),
                     BASE_ERR_BUSY);
    support_table_reopen(0); /* does not clean up after the living */
    ck_assert_int_eq(table_store_info(support_table_store, support_table_key(1).digest, &info), 0);
    ck_assert(info.state == TABLE_STATE_GROWING && info.in_use && info.references == 0);
    ck_assert(info.layers == 2 && info.histogram[1] == 12);
    ck_assert_int_eq(support_table_complaints(), 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    if (_i == 0)
        support_table_reopen(0); /* opening cleans up */
    else
        support_table_make(support_table_store, 1, SMALL); /* and so does filling the same */
    ck_assert_int_eq(support_table_count_names(support_table_directory), _i);
    ck_assert_int_eq(support_table_complaints(), 1);
}
END_TEST

/* Every process wants the table: one fills it, the others wait for it. 0: all was well. */
static int race_for(int number, bool *filled_it)
{
    struct table_store *mine = support_table_open(support_table_directory, 0);
    struct table_file *file = NULL;
    *filled_it = false;
    for (int tries = 0; tries < 20000; tries++) {
        if (support_table_try_acquire(mine, number, &file) == 0)
            break;
        int err = support_table_try_create(mine, number, LARGE, &file);
        if (err == 0) {
            support_table_fill(table_file_data_writable(file), number, LARGE);
            *filled_it = true;
            err = table_file_seal(file, 1);
            break;
        }
        if (err != BASE_ERR_BUSY)
            return 2;
        usleep(500);
    }
    bool good = file && support_table_filled(table_file_data(file), number, LARGE) &&
                support_table_verify(file) == 1;
    table_file_release(file);
    table_store_close(mine);
    return good ? 0 : 3;
}

/* Makes and removes the same table over and over. The number of surprises, at most 100. */
static int make_and_remove(void)
{
    int surprises = 0;
    struct table_file *file;
    struct table_store *mine = support_table_open(support_table_directory, 0);
    for (int round = 0; round < 300; round++) {
        int err = support_table_try_create(mine, 1, SMALL, &file);
        if (err == 0) {
            if (round % 3 == 0)
                table_file_discard(file);
            else if (table_file_seal(file, 1) == 0)
                table_file_release(file);
            else
                surprises++;
        }
        surprises += err != 0 && err != BASE_ERR_BUSY;
        err = support_table_try_acquire(mine, 1, &file);
        if (err == 0)
            table_file_release(file);
        surprises += err != 0 && err != BASE_ERR_NOT_FOUND;
        err = table_store_remove(mine, support_table_key(1).digest);
        surprises += err != 0 && err != BASE_ERR_NOT_FOUND && err != BASE_ERR_BUSY;
    }
    table_store_close(mine);
    surprises += support_table_complaints();
    return surprises < 100 ? surprises : 100;
}

START_TEST(names_change_one_at_a_time)
{
    enum { PROCESSES = 4 };
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0)
            _exit(make_and_remove());
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert(WIFEXITED(status));
        ck_assert_int_eq(WEXITSTATUS(status), 0);
    }
}
END_TEST

START_TEST(processes_do_not_build_a_table_twice)
{
    enum { PROCESSES = 6, TABLES = 5 };
    int gate[2], fillers = 0;
    ck_assert_int_eq(pipe(gate), 0);
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() != 0)
            continue;
        char byte;
        int mine = 0;
        close(gate[1]);
        if (read(gate[0], &byte, 1) != 0) /* until the parent closes its end */
            _exit(100);
        for (int table = 0; table < TABLES; table++) {
            bool filled_it;
            if (race_for(table, &filled_it) != 0)
                _exit(100);
            mine += filled_it;
        }
        _exit(mine);
    }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) <= TABLES);
        fillers += WEXITSTATUS(status);
    }
    ck_assert_int_eq(fillers, TABLES);
    ck_assert_int_eq(support_table_count_names(support_table_directory), TABLES);
}
END_TEST

START_TEST(used_elsewhere_is_not_evicted)
{
    struct table_store *second = support_table_open(support_table_directory, 0);
    uint64_t each = table_store_footprint(support_table_store, SMALL);
    struct table_file *file = NULL, *new = NULL;
    support_table_make(support_table_store, 1, SMALL);
    file = support_table_acquire(second, 1);
    support_table_reopen(each);
    ck_assert_int_eq(support_table_try_create(support_table_store, 2, SMALL, &new),
                     BASE_ERR_MEMORY_LIMIT);
    ck_assert_int_eq(table_store_remove(support_table_store, support_table_key(1).digest),
                     BASE_ERR_BUSY);
    ck_assert(support_table_filled(table_file_data(file), 1, SMALL));
    table_file_release(file);
    support_table_make(support_table_store, 2, SMALL);
    ck_assert_int_eq(support_table_try_acquire(second, 1, &file), BASE_ERR_NOT_FOUND);
    table_store_close(second);
}
END_TEST

/* ---- a full file system ---------------------------------------------------------------- */

static int fill_small_tmpfs(void)
{
    struct table_file *file = NULL;
    if (!support_mount("tmpfs", support_table_directory, "size=8m,mode=0700"))
        return SUPPORT_MOUNT_SKIPPED;
    struct table_store *mine = support_table_open(support_table_directory, 0);
    if (support_table_try_create(mine, 1, 64 * MIB, &file) != BASE_ERR_NO_SPACE)
        return 1;
    if (support_table_count_names(support_table_directory) != 0)
        return 2;
    support_table_make(mine, 2, 5 * MIB);
    if (support_table_try_create(mine, 3, 4 * MIB, &file) != BASE_ERR_NO_SPACE)
        return 3;
    if (support_table_try_create(mine, 4, MIB, &file) != 0)
        return 4;
    support_table_fill(table_file_data_writable(file), 4, MIB);
    table_file_discard(file);
    if (support_table_count_names(support_table_directory) != 1 ||
        !support_table_filled(table_file_data(support_table_acquire(mine, 2)), 2, 5 * MIB))
        return 5;
    return 0;
}

START_TEST(full_file_system_is_an_error)
{
    int status = support_mount_run("full_file_system_is_an_error", fill_small_tmpfs);
    ck_assert(status == 0 || status == SUPPORT_MOUNT_SKIPPED);
}
END_TEST

/* ---- threads --------------------------------------------------------------------------- */

enum { THREADS = 6, KEYS = 5, ROUNDS = 300 };

struct thread_arg {
    int number;
    int mistakes;
    int fills;
};

/* Gets table `number` somehow: NULL if that is impossible right now. */
static struct table_file *obtain(struct thread_arg *arg, int number)
{
    struct table_file *file = NULL;
    int err = support_table_try_acquire(support_table_store, number, &file);
    if (err == BASE_ERR_NOT_FOUND) {
        err = support_table_try_create(support_table_store, number, SMALL, &file);
        if (err == 0) {
            support_table_fill(table_file_data_writable(file), number, SMALL);
            arg->mistakes += table_file_seal(file, 1) != 0;
            arg->fills++;
            return file;
        }
    }
    bool possible = err == 0 || err == BASE_ERR_BUSY || err == BASE_ERR_MEMORY_LIMIT;
    arg->mistakes += !possible;
    return err ? NULL : file;
}

static int add_layers(void *arg, const struct table_info *info)
{
    *(int *)arg += info->layers;
    return 0;
}

/* Uses tables of which not all fit at once, while it removes, lists and pins some. */
static void *use_tables(void *user)
{
    struct thread_arg *arg = user;
    unsigned random = (unsigned)arg->number * 2654435761u + 1;
    for (int round = 0; round < ROUNDS; round++) {
        random = random * 1664525u + 1013904223u;
        int number = (int)(random >> 16) % KEYS, sum = 0;
        struct table_file *file = obtain(arg, number);
        if (file) {
            arg->mistakes += !support_table_filled(table_file_data(file), number, SMALL);
            arg->mistakes += support_table_verify(file) != 1;
            table_file_retain(file);
            table_file_release(file);
            arg->mistakes += !support_table_filled(table_file_data(file), number, SMALL);
            table_file_count_queries(file, 1);
            table_file_release(file);
        }
        if (random % 7 == 0)
            (void)table_store_remove(support_table_store, support_table_key(number).digest);
        if (random % 11 == 0)
            arg->mistakes += table_store_visit(support_table_store, add_layers, &sum) != 0;
        if (random % 13 == 0 &&
            table_store_pin(support_table_store, support_table_key(number).digest, true) == 0)
            (void)table_store_pin(support_table_store, support_table_key(number).digest, false);
    }
    return NULL;
}

START_TEST(many_threads)
{
    pthread_t threads[THREADS];
    struct thread_arg args[THREADS] = {{0}};
    int fills = 0;
    support_table_reopen((KEYS - 2) * table_store_footprint(support_table_store, SMALL));
    int descriptors = support_table_descriptors();
    for (int i = 0; i < THREADS; i++) {
        args[i].number = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_tables, &args[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_int_eq(args[i].mistakes, 0);
        fills += args[i].fills;
    }
    ck_assert_int_gt(fills, KEYS); /* else nothing was ever evicted or removed */
    ck_assert_int_eq(support_table_descriptors(), descriptors);
    ck_assert_int_eq(support_table_complaints(), 0);
}
END_TEST

static void *verify_in_thread(void *file)
{
    return (void *)(intptr_t)support_table_verify(file);
}

START_TEST(verification_is_shared)
{
    enum { HELPERS = 4 };
    pthread_t threads[HELPERS];
    support_table_make(support_table_store, 1, 40 * MIB);
    support_table_reopen(0);
    struct table_file *file = support_table_acquire(support_table_store, 1);
    for (int i = 0; i < HELPERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, verify_in_thread, file), 0);
    for (int i = 0; i < HELPERS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_int_eq((int)(intptr_t)result, 1);
    }
    ck_assert_int_eq(table_file_trust(file), TABLE_TRUST_PASSED);
    table_file_release(file);
}
END_TEST

/* ---- the program ----------------------------------------------------------------------- */

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, killed_filler_leaves_nothing, 0, 2);
    tcase_add_test(cases, processes_do_not_build_a_table_twice);
    tcase_add_test(cases, names_change_one_at_a_time);
    tcase_add_test(cases, used_elsewhere_is_not_evicted);
    tcase_add_test(cases, full_file_system_is_an_error);
    tcase_add_test(cases, many_threads);
    tcase_add_test(cases, verification_is_shared);
}

int main(void)
{
    return support_table_suite("table_sharing", add_tests);
}
