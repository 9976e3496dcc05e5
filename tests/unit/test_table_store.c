/*
 * test_table_store.c - the store of pruning tables: their life, the budget, pins, removal, lists.
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/table/table_file.h"
#include "core/table/table_store.h"
#include "tests/support/support_table.h"

enum { SMALL = 10000, MIB = 1 << 20, LARGE = 3 * MIB + 12345 };

/* ---- keys ------------------------------------------------------------------------------ */

START_TEST(key_text_and_digest)
{
    struct table_key a, b;
    uint64_t digest;
    char text[TABLE_DIGEST_TEXT_SIZE];
    ck_assert_int_eq(table_key_init(&a, "v1 x=%d", 1), 0);
    ck_assert_int_eq(table_key_init(&b, "v1 x=%d", 2), 0);
    ck_assert_str_eq(a.text, "v1 x=1");
    ck_assert(a.digest != b.digest);
    ck_assert(a.digest == base_hash("v1 x=1", 6, 0));
    ck_assert_int_eq(table_key_init(&a, "%0511d", 0), 0);
    ck_assert_int_eq(table_key_init(&a, "%0512d", 0), BASE_ERR_TOO_LARGE);
    table_digest_format(UINT64_C(0xabc), text);
    ck_assert_str_eq(text, "0000000000000abc");
    ck_assert_int_eq(table_digest_parse(text, 16, &digest), 0);
    ck_assert(digest == 0xabc);
    ck_assert_int_eq(table_digest_parse("0000000000000ABC", 16, &digest), BASE_ERR_SYNTAX);
    ck_assert_int_eq(table_digest_parse("0000000000000ab", 15, &digest), BASE_ERR_SYNTAX);
    ck_assert_int_eq(table_digest_parse("0000000000000abcd", 17, &digest), BASE_ERR_SYNTAX);
    ck_assert_int_eq(table_digest_parse("-000000000000abc", 16, &digest), BASE_ERR_SYNTAX);
}
END_TEST

/* ---- the life of a table --------------------------------------------------------------- */

static const uint64_t sizes[] = {1, SMALL, MIB, MIB + 1, 2 * MIB - 1, 2 * MIB, LARGE};

START_TEST(create_seal_acquire_reopen)
{
    size_t bytes = sizes[_i];
    uint64_t histogram[] = {1, 2, 3};
    uint64_t read_back[TABLE_HISTOGRAM_SIZE];
    struct table_file *file = NULL;
    ck_assert_int_eq(support_table_try_acquire(support_table_store, 1, &file), BASE_ERR_NOT_FOUND);
    file = support_table_create(support_table_store, 1, bytes);
    uint8_t *data = table_file_data_writable(file);
    ck_assert_uint_eq((uintptr_t)data % (bytes >= 2 * MIB ? 2 * MIB : 4096), 0);
    ck_assert(support_table_is_zero(data, bytes));
    support_table_fill(data, 1, bytes);
    table_file_set_layer(file, 3, histogram, 3);
    ck_assert_int_eq(table_file_seal(file, 77), 0);
    ck_assert_ptr_null(table_file_data_writable(file));
    ck_assert_ptr_eq(table_file_data(file), data);
    ck_assert_int_eq(table_file_trust(file), TABLE_TRUST_PASSED);
    table_file_release(file);

    support_table_reopen(0);
    file = support_table_acquire(support_table_store, 1);
    ck_assert_int_eq(table_file_state(file), TABLE_STATE_SEALED);
    ck_assert_int_eq(table_file_layers(file), 3);
    table_file_histogram(file, read_back);
    ck_assert(read_back[0] == 1 && read_back[2] == 3 && read_back[3] == 0);
    ck_assert(table_file_meta(file)->payload_bytes == bytes);
    ck_assert_str_eq(table_file_key(file)->text, support_table_key(1).text);
    ck_assert_uint_eq((uintptr_t)table_file_data(file) % (bytes >= 2 * MIB ? 2 * MIB : 4096), 0);
    ck_assert(support_table_filled(table_file_data(file), 1, bytes));
    ck_assert_int_eq(table_file_trust(file), TABLE_TRUST_UNVERIFIED);
    ck_assert_int_eq(support_table_verify(file), 1);
    ck_assert_int_eq(table_file_trust(file), TABLE_TRUST_PASSED);
    ck_assert(table_file_verified_fraction(file) == 1.0);
    table_file_release(file);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 1);
    ck_assert_int_eq(support_table_complaints(), 0);
}
END_TEST

START_TEST(sealed_data_is_read_only)
{
    struct table_file *file = support_table_make_used(support_table_store, 1, SMALL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        *(volatile uint8_t *)(uintptr_t)table_file_data(file) = 1;
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    ck_assert(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
    table_file_release(file);
}
END_TEST

START_TEST(discard_leaves_nothing)
{
    int descriptors = support_table_descriptors();
    struct table_file *file = support_table_create(support_table_store, 1, LARGE);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 1);
    table_file_discard(file);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    support_table_make(support_table_store, 1, SMALL);
    table_file_release(support_table_acquire(support_table_store, 1));
    ck_assert_int_eq(support_table_descriptors(), descriptors);
}
END_TEST

START_TEST(one_filler_in_a_process)
{
    struct table_file *file = support_table_create(support_table_store, 1, SMALL), *other = NULL;
    struct table_store *second =
        support_table_open(support_table_directory, 0); /* as a second process, nearly */
    ck_assert_int_eq(support_table_try_create(support_table_store, 1, SMALL, &other),
                     BASE_ERR_BUSY);
    ck_assert_int_eq(support_table_try_acquire(support_table_store, 1, &other), BASE_ERR_BUSY);
    ck_assert_int_eq(support_table_try_create(second, 1, SMALL, &other), BASE_ERR_BUSY);
    ck_assert_int_eq(support_table_try_acquire(second, 1, &other), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(table_file_seal(file, 1), 0);
    ck_assert_int_eq(support_table_try_create(support_table_store, 1, SMALL, &other),
                     BASE_ERR_BUSY);
    ck_assert_int_eq(support_table_try_create(second, 1, SMALL, &other), BASE_ERR_BUSY);
    other = support_table_acquire(second, 1);
    table_file_release(other);
    table_store_close(second);
    table_file_release(file);
    ck_assert_int_eq(support_table_try_create(support_table_store, 1, SMALL, &other),
                     BASE_ERR_BUSY);
}
END_TEST

START_TEST(impossible_sizes_are_refused)
{
    struct table_file *file = NULL;
    ck_assert_int_eq(support_table_try_create(support_table_store, 1, 0, &file), BASE_ERR_RANGE);
    ck_assert_int_eq(support_table_try_create(support_table_store, 1, UINT64_MAX, &file),
                     BASE_ERR_RANGE);
    ck_assert(table_store_footprint(support_table_store, 0) == UINT64_MAX);
    ck_assert(table_store_footprint(support_table_store, 1) == 8192);
    ck_assert(table_store_footprint(support_table_store, 2 * MIB) == 2 * MIB + 4096);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
}
END_TEST

START_TEST(memory_taken_is_the_footprint)
{
    struct stat status;
    char path[128];
    support_table_make(support_table_store, 1, LARGE);
    support_table_path(1, ".cyt", path);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_eq((uint64_t)status.st_blocks * 512,
                      table_store_footprint(support_table_store, LARGE));
}
END_TEST

START_TEST(strangers_are_left_alone)
{
    static const char *const names[] = {"README", "0123.cyt", "0123456789abcdef.cyt.old",
                                        "0123456789ABCDEF.cyt", "0123456789abcdef"};
    char path[128];
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", support_table_directory, names[i]);
        close(open(path, O_WRONLY | O_CREAT, 0600));
    }
    support_table_reopen(4096 * 4);
    support_table_make(support_table_store, 1, SMALL - 5000);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 6);
}
END_TEST

START_TEST(unsafe_directories_are_refused)
{
    struct table_store_config config = {.directory = support_table_directory};
    struct table_store *other = NULL;
    struct base_diag diag = {0};
    ck_assert_int_eq(chmod(support_table_directory, 0777), 0);
    ck_assert_int_eq(table_store_open(&config, &other, &diag), BASE_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.text, "everybody"));
    config.directory = "/proc/nothing/here";
    ck_assert_int_eq(table_store_open(&config, &other, &diag), BASE_ERR_IO);
    config.directory = "";
    ck_assert_int_eq(table_store_open(&config, &other, &diag), BASE_ERR_IO);
}
END_TEST

START_TEST(directories_are_made)
{
    char deep[128], middle[128];
    struct stat status;
    snprintf(middle, sizeof middle, "%s/a", support_table_directory);
    snprintf(deep, sizeof deep, "%s/a/b/", support_table_directory);
    struct table_store *other = support_table_open(deep, 0);
    support_table_make(other, 1, SMALL);
    table_store_close(other);
    ck_assert_int_eq(stat(deep, &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0700);
    support_directory_remove(middle);
}
END_TEST

/* ---- budget, pins, removal ------------------------------------------------------------- */

START_TEST(least_recently_used_goes_first)
{
    uint64_t each = table_store_footprint(support_table_store, SMALL);
    support_table_reopen(3 * each);
    for (int i = 1; i <= 3; i++)
        support_table_make(support_table_store, i, SMALL);
    struct table_file *file = support_table_acquire(support_table_store, 1);
    table_file_release(support_table_acquire(support_table_store, 3));
    table_file_release(file); /* a use lasts until it ends: now 2 is the oldest, then 3, then 1 */
    if (_i == 1)
        support_table_reopen(3 * each); /* the order outlives a restart */
    support_table_make(support_table_store, 4, SMALL);
    ck_assert(support_table_exists(support_table_store, 1) &&
              !support_table_exists(support_table_store, 2) &&
              support_table_exists(support_table_store, 3) &&
              support_table_exists(support_table_store, 4));
    support_table_make(support_table_store, 5, SMALL);
    ck_assert(support_table_exists(support_table_store, 1) &&
              !support_table_exists(support_table_store, 3) &&
              support_table_exists(support_table_store, 4) &&
              support_table_exists(support_table_store, 5));
    ck_assert_int_eq(support_table_try_create(support_table_store, 6, 4 * each, &file),
                     BASE_ERR_MEMORY_LIMIT);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 3);
    support_table_make(support_table_store, 6,
                       3 * each - 4096); /* all three make room for one of their joint size */
    ck_assert_int_eq(support_table_count_names(support_table_directory), 1);
}
END_TEST

START_TEST(use_is_noted_as_it_begins)
{
    struct table_info before, after;
    uint64_t digest = support_table_key(1).digest;
    support_table_make(support_table_store, 1, SMALL);
    ck_assert_int_eq(table_store_info(support_table_store, digest, &before), 0);
    usleep(10);
    struct table_file *file = support_table_acquire(support_table_store, 1);
    ck_assert_int_eq(table_store_info(support_table_store, digest, &after), 0);
    ck_assert(after.last_used_unix_us > before.last_used_unix_us);
    table_file_release(file);
}
END_TEST

START_TEST(pinned_and_used_tables_stay)
{
    uint64_t each = table_store_footprint(support_table_store, SMALL);
    struct table_file *file = NULL;
    support_table_reopen(3 * each);
    for (int i = 1; i <= 3; i++)
        support_table_make(support_table_store, i, SMALL);
    ck_assert_int_eq(table_store_pin(support_table_store, support_table_key(1).digest, true), 0);
    ck_assert_int_eq(table_store_pin(support_table_store, support_table_key(9).digest, true),
                     BASE_ERR_NOT_FOUND);
    support_table_reopen(3 * each);
    struct table_file *used = support_table_acquire(support_table_store, 2);
    ck_assert_int_eq(support_table_try_create(support_table_store, 4, 2 * SMALL + 5000, &file),
                     BASE_ERR_MEMORY_LIMIT);
    ck_assert_int_eq(support_table_count_names(support_table_directory),
                     3); /* what would not have sufficed was not evicted */
    support_table_make(support_table_store, 4, SMALL);
    ck_assert(support_table_exists(support_table_store, 1) &&
              support_table_exists(support_table_store, 2) &&
              !support_table_exists(support_table_store, 3));
    support_table_make(support_table_store, 5, SMALL);
    ck_assert(support_table_exists(support_table_store, 1) &&
              support_table_exists(support_table_store, 2) &&
              !support_table_exists(support_table_store, 4));
    table_file_release(used);
    ck_assert_int_eq(table_store_remove(support_table_store, support_table_key(1).digest),
                     BASE_ERR_BUSY);
    ck_assert_int_eq(table_store_pin(support_table_store, support_table_key(1).digest, false), 0);
    ck_assert_int_eq(table_store_remove(support_table_store, support_table_key(1).digest), 0);
}
END_TEST

START_TEST(growing_tables_count)
{
    uint64_t each = table_store_footprint(support_table_store, SMALL);
    struct table_file *other = NULL;
    support_table_reopen(2 * each);
    struct table_file *a = support_table_create(support_table_store, 1, SMALL),
                      *b = support_table_create(support_table_store, 2, SMALL);
    ck_assert_int_eq(support_table_try_create(support_table_store, 3, SMALL, &other),
                     BASE_ERR_MEMORY_LIMIT);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 2);
    table_file_discard(a);
    other = support_table_create(support_table_store, 3, SMALL);
    table_file_discard(b);
    table_file_discard(other);
}
END_TEST

START_TEST(removal)
{
    uint64_t digest = support_table_key(1).digest;
    ck_assert_int_eq(table_store_remove(support_table_store, digest), BASE_ERR_NOT_FOUND);
    struct table_file *file = support_table_create(support_table_store, 1, SMALL);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), BASE_ERR_BUSY);
    support_table_fill(table_file_data_writable(file), 1, SMALL);
    ck_assert_int_eq(table_file_seal(file, 1), 0);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), BASE_ERR_BUSY);
    table_file_retain(file);
    table_file_release(file);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), BASE_ERR_BUSY);
    ck_assert(support_table_filled(table_file_data(file), 1, SMALL));
    table_file_release(file);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), 0);
    ck_assert_int_eq(table_store_remove(support_table_store, digest), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
}
END_TEST

/* ---- lists ----------------------------------------------------------------------------- */

static int add_layers(void *arg, const struct table_info *info)
{
    *(int *)arg += info->layers;
    return 0;
}

static int stop(void *arg, const struct table_info *info)
{
    (void)info;
    ++*(int *)arg;
    return 42;
}

START_TEST(tables_are_listed)
{
    int sum = 0, calls = 0;
    uint64_t histogram[] = {1};
    struct table_info info;
    struct table_file *growing = support_table_create(support_table_store, 1, LARGE);
    table_file_set_layer(growing, 5, histogram, 1);
    struct table_file *sealed = support_table_create(support_table_store, 2, SMALL);
    table_file_set_layer(sealed, 70, histogram, 1);
    ck_assert_int_eq(table_file_seal(sealed, 99), 0);
    table_file_count_queries(sealed, 1000);
    ck_assert_int_eq(table_store_visit(support_table_store, add_layers, &sum), 0);
    ck_assert_int_eq(sum, 75);
    ck_assert_int_eq(table_store_visit(support_table_store, stop, &calls), 42);
    ck_assert_int_eq(calls, 1);

    ck_assert_int_eq(table_store_info(support_table_store, support_table_key(2).digest, &info), 0);
    ck_assert(info.state == TABLE_STATE_SEALED && info.fill_ns == 99 && info.queries == 1000);
    ck_assert(info.references == 1 && info.in_use && !info.pinned);
    ck_assert(info.trust == TABLE_TRUST_PASSED && info.pages != TABLE_PAGES_UNMAPPED);
    ck_assert(info.stored_bytes == table_store_footprint(support_table_store, SMALL));
    ck_assert_str_eq(info.key.text, support_table_key(2).text);
    ck_assert_str_eq(info.meta.target, "(1+, 5+)");
    ck_assert_int_eq(table_store_pin(support_table_store, support_table_key(2).digest, true), 0);
    table_file_release(sealed);
    ck_assert_int_eq(table_store_info(support_table_store, support_table_key(2).digest, &info), 0);
    ck_assert(info.references == 0 && !info.in_use && info.pinned && info.queries == 1000);
    ck_assert(info.pages == TABLE_PAGES_UNMAPPED);
    ck_assert_int_eq(table_store_info(support_table_store, support_table_key(1).digest, &info), 0);
    ck_assert(info.state == TABLE_STATE_GROWING && info.layers == 5 && info.references == 1);
    table_file_discard(growing);
}
END_TEST

/* ---- the program ----------------------------------------------------------------------- */

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, key_text_and_digest);
    tcase_add_loop_test(cases, create_seal_acquire_reopen, 0, (int)BASE_COUNT(sizes));
    tcase_add_test(cases, sealed_data_is_read_only);
    tcase_add_test(cases, discard_leaves_nothing);
    tcase_add_test(cases, one_filler_in_a_process);
    tcase_add_test(cases, impossible_sizes_are_refused);
    tcase_add_test(cases, memory_taken_is_the_footprint);
    tcase_add_test(cases, strangers_are_left_alone);
    tcase_add_test(cases, unsafe_directories_are_refused);
    tcase_add_test(cases, directories_are_made);
    tcase_add_loop_test(cases, least_recently_used_goes_first, 0, 2);
    tcase_add_test(cases, use_is_noted_as_it_begins);
    tcase_add_test(cases, pinned_and_used_tables_stay);
    tcase_add_test(cases, growing_tables_count);
    tcase_add_test(cases, removal);
    tcase_add_test(cases, tables_are_listed);
}

int main(void)
{
    return support_table_suite("table_store", add_tests);
}
