/*
 * test_table_pages.c - which pages a table has: asked for, and obtained.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/table/table_file.h"
#include "tests/support/support_mount.h"
#include "tests/support/support_table.h"

enum { MIB = 1 << 20, SMALL = 10000, LARGE = 9 * MIB + 12345, WHOLE = 8 * MIB };

/* Every page is touched. */
static void touch(const struct table_file *file, size_t bytes)
{
    const volatile uint8_t *data = table_file_data(file);
    for (size_t i = 0; i < bytes; i += 4096)
        (void)data[i];
}

/* Huge bytes of a table of that size, while its filler has it and when another reads it. False:
 * what it holds is not what has been written. */
static bool measure(uint64_t bytes, uint64_t *filling, uint64_t *reading)
{
    struct table_store *store = support_table_open(support_table_directory, 0);
    struct table_file *file = support_table_create(store, 1, bytes);
    support_table_fill(table_file_data_writable(file), 1, bytes);
    *filling = table_file_huge_bytes(file);
    bool good = table_file_seal(file, 1) == 0;
    table_file_release(file);
    file = support_table_acquire(store, 1);
    good = good && support_table_filled(table_file_data(file), 1, bytes);
    touch(file, bytes);
    *reading = table_file_huge_bytes(file);
    table_file_release(file);
    table_store_close(store);
    return good;
}

static int all_huge(void)
{
    uint64_t filling, reading;
    if (!support_mount("tmpfs", support_table_directory, "size=64m,mode=0700,huge=always"))
        return SUPPORT_MOUNT_SKIPPED;
    if (!measure(LARGE, &filling, &reading))
        return 1;
    if (filling == 0) /* no memory in one piece, or a kernel without them */
        return reading == 0 ? SUPPORT_MOUNT_SKIPPED : 2;
    /* Such a file system gives whole ones behind the end, too, and to the header. */
    return filling <= 12 * MIB && filling % (2 * MIB) == 0 && reading == filling ? 0 : 3;
}

static int advised(void)
{
    uint64_t filling, reading;
    if (!support_mount("tmpfs", support_table_directory, "size=64m,mode=0700,huge=advise"))
        return SUPPORT_MOUNT_SKIPPED;
    if (!measure(LARGE, &filling, &reading))
        return 1;
    if (filling == 0)
        return reading == 0 ? SUPPORT_MOUNT_SKIPPED : 2;
    return filling <= WHOLE && reading == filling ? 0 : 3; /* the rest would only be padding */
}

/* Asked for, and not given. */
static int none_huge(void)
{
    uint64_t filling, reading;
    if (!support_mount("tmpfs", support_table_directory, "size=64m,mode=0700,huge=never"))
        return SUPPORT_MOUNT_SKIPPED;
    if (!measure(LARGE, &filling, &reading))
        return 1;
    return filling == 0 && reading == 0 ? 0 : 2;
}

static int explicit_pages(void)
{
    uint64_t filling, reading;
    if (!support_mount("hugetlbfs", support_table_directory, "mode=0700,pagesize=2M,min_size=12M"))
        return SUPPORT_MOUNT_SKIPPED; /* most often because none have been set aside */
    if (!measure(LARGE, &filling, &reading))
        return 1;
    return filling == 12 * MIB && reading == 12 * MIB ? 0 : 2; /* the header has one to itself */
}

static const struct {
    const char *name;
    int (*body)(void);
} mounts[] = {{"huge=always", all_huge},
              {"huge=advise", advised},
              {"huge=never", none_huge},
              {"hugetlbfs", explicit_pages}};

START_TEST(huge_pages_are_counted)
{
    int status = support_mount_run(mounts[_i].name, mounts[_i].body);
    ck_assert_msg(status == 0 || status == SUPPORT_MOUNT_SKIPPED, "%s: step %d", mounts[_i].name,
                  status);
}
END_TEST

START_TEST(small_tables_have_small_pages)
{
    uint64_t filling, reading;
    ck_assert(measure(SMALL, &filling, &reading));
    ck_assert_uint_eq(filling, 0);
    ck_assert_uint_eq(reading, 0);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, huge_pages_are_counted, 0, (int)BASE_COUNT(mounts));
    tcase_add_test(cases, small_tables_have_small_pages);
}

int main(void)
{
    return support_table_suite("table_pages", add_tests);
}
