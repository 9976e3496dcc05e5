/*
 * support_table.c - see support_table.h.
 */
#include "tests/support/support_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "tests/support/support_directory.h"

/* ---- a directory and a store for each test --------------------------------------------- */

char support_table_directory[SUPPORT_DIRECTORY_SIZE];
struct table_store *support_table_store;
static atomic_int complaints;

static void count_complaints(void *arg, enum base_log_level level, const char *text)
{
    (void)arg, (void)text;
    if (level >= BASE_LOG_WARNING)
        atomic_fetch_add(&complaints, 1);
}

static const struct base_log test_log = {.write = count_complaints};

struct table_store *support_table_open(const char *path, uint64_t budget)
{
    struct table_store_config config = {
        .directory = path, .budget_bytes = budget, .log = &test_log};
    struct table_store *opened = NULL;
    struct base_diag diag = {0};
    int err = table_store_open(&config, &opened, &diag);
    ck_assert_msg(err == 0, "open: %s: %s", base_err_name(err), diag.text);
    return opened;
}

void support_table_reopen(uint64_t budget)
{
    table_store_close(support_table_store);
    support_table_store = support_table_open(support_table_directory, budget);
}

static void set_up(void)
{
    support_directory_make(support_table_directory);
    atomic_store(&complaints, 0);
    support_table_store = support_table_open(support_table_directory, 0);
}

int support_table_complaints(void)
{
    return atomic_load(&complaints);
}

static void tear_down(void)
{
    table_store_close(support_table_store);
    support_directory_remove(support_table_directory);
}

int support_table_count_names(const char *path)
{
    int count = 0;
    const struct dirent *item;
    DIR *listing = opendir(path);
    ck_assert_ptr_nonnull(listing);
    while ((item = readdir(listing)) != NULL)
        count += item->d_name[0] != '.';
    closedir(listing);
    return count;
}

int support_table_descriptors(void)
{
    return support_table_count_names("/proc/self/fd");
}

/* ---- tables ---------------------------------------------------------------------------- */

struct table_key support_table_key(int number)
{
    struct table_key key;
    ck_assert_int_eq(table_key_init(&key, "v1 puzzle=test orbits=corners target=%d", number), 0);
    return key;
}

struct table_meta support_table_meta(uint64_t bytes)
{
    return (struct table_meta){.payload_bytes = bytes,
                               .entry_count = bytes,
                               .puzzle = "test",
                               .orbits = "corners",
                               .kind = "exact",
                               .encoding = "none",
                               .target = "(1+, 5+)"};
}

static uint8_t content(int number, size_t at)
{
    return (uint8_t)(at * 31 + (at >> 9) + (size_t)number * 101);
}

void support_table_fill(uint8_t *data, int number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = content(number, i);
}

bool support_table_filled(const uint8_t *data, int number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != content(number, i))
            return false;
    return true;
}

bool support_table_is_zero(const uint8_t *data, size_t bytes)
{
    while (bytes && data[bytes - 1] == 0)
        bytes--;
    return bytes == 0;
}

int support_table_try_create(struct table_store *in, int number, uint64_t bytes,
                             struct table_file **out)
{
    struct table_key key = support_table_key(number);
    struct table_meta meta = support_table_meta(bytes);
    return table_store_create(in, &key, &meta, out, NULL);
}

struct table_file *support_table_create(struct table_store *in, int number, uint64_t bytes)
{
    struct table_file *file = NULL;
    int err = support_table_try_create(in, number, bytes, &file);
    ck_assert_msg(err == 0, "create: %s", base_err_name(err));
    return file;
}

int support_table_try_acquire(struct table_store *in, int number, struct table_file **out)
{
    struct table_key key = support_table_key(number);
    return table_store_acquire(in, &key, out);
}

struct table_file *support_table_acquire(struct table_store *in, int number)
{
    struct table_file *file = NULL;
    int err = support_table_try_acquire(in, number, &file);
    ck_assert_msg(err == 0, "acquire: %s", base_err_name(err));
    return file;
}

bool support_table_exists(struct table_store *in, int number)
{
    struct table_info info;
    return table_store_info(in, support_table_key(number).digest, &info) == 0;
}

struct table_file *support_table_make_used(struct table_store *in, int number, uint64_t bytes)
{
    struct table_file *file = support_table_create(in, number, bytes);
    support_table_fill(table_file_data_writable(file), number, bytes);
    ck_assert_int_eq(table_file_seal(file, 5), 0);
    return file;
}

void support_table_make(struct table_store *in, int number, uint64_t bytes)
{
    table_file_release(support_table_make_used(in, number, bytes));
}

int support_table_verify(struct table_file *file)
{
    int result;
    do
        result = table_file_verify_step(file);
    while (result == 0);
    return result;
}

void support_table_path(int number, const char *suffix, char path[128])
{
    char digest[TABLE_DIGEST_TEXT_SIZE];
    table_digest_format(support_table_key(number).digest, digest);
    snprintf(path, 128, "%s/%s%s", support_table_directory, digest, suffix);
}

/* ---- the program ----------------------------------------------------------------------- */

int support_table_suite(const char *name, void (*add_tests)(TCase *cases))
{
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_set_timeout(cases, 60);
    add_tests(cases);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    support_directory_begin();
    srunner_run_all(runner, CK_NORMAL);
    support_directory_end();
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
