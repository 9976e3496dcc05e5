/*
 * test_table_format.c - table files are as core/table/FORMAT.md says, and damage is noticed.
 *
 * Offsets are those of FORMAT.md, written out: what is read and damaged here is the documented
 * format.
 */
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/table/table_file.h"
#include "core/table/table_store.h"
#include "tests/support/support_table.h"

enum { SMALL = 10000, MIB = 1 << 20, LARGE = 3 * MIB + 12345 };

/* ---- the format ------------------------------------------------------------------------ */

static uint32_t u32_at(const uint8_t *bytes, size_t at)
{
    uint32_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

static uint64_t u64_at(const uint8_t *bytes, size_t at)
{
    uint64_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

static uint8_t *read_whole(const char *path, size_t *size)
{
    struct stat status;
    int fd = open(path, O_RDONLY);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fstat(fd, &status), 0);
    *size = (size_t)status.st_size;
    uint8_t *bytes = malloc(*size);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_int_eq(read(fd, bytes, *size), (ssize_t)*size);
    close(fd);
    return bytes;
}

/* A reader that follows FORMAT.md and nothing else. */
START_TEST(file_is_as_documented)
{
    char path[128];
    size_t size;
    uint64_t histogram[] = {10, 20};
    struct table_file *file = support_table_create(support_table_store, 1, LARGE);
    support_table_fill(table_file_data_writable(file), 1, LARGE);
    table_file_set_layer(file, 2, histogram, 2);
    ck_assert_int_eq(table_file_seal(file, 1234), 0);
    table_file_release(file);
    support_table_path(1, ".cyt", path);
    uint8_t *bytes = read_whole(path, &size);
    ck_assert_mem_eq(bytes, "CYCLOTBL", 8);
    ck_assert_uint_eq(u32_at(bytes, 8), 0x01020304);
    ck_assert_uint_eq(u32_at(bytes, 12), 1);
    ck_assert_uint_eq(u64_at(bytes, 16), base_hash(bytes + 24, 2048 - 24, 1));
    ck_assert_uint_eq(u32_at(bytes, 32), 2);
    ck_assert_uint_eq(u32_at(bytes, 36), 2);
    ck_assert_uint_eq(u32_at(bytes, 40), MIB);
    ck_assert_uint_eq(u32_at(bytes, 44), 4);
    ck_assert_uint_eq(u64_at(bytes, 48), 2 * MIB);
    ck_assert_uint_eq(u64_at(bytes, 56), LARGE);
    ck_assert_uint_eq(u64_at(bytes, 64), LARGE);
    ck_assert_uint_eq(u64_at(bytes, 72), 1234);
    ck_assert_uint_eq(u64_at(bytes, 88), support_table_key(1).digest);
    ck_assert_uint_eq(u64_at(bytes, 96 + 8), 20);
    ck_assert_str_eq((char *)bytes + 608, support_table_key(1).text);
    ck_assert_str_eq((char *)bytes + 1120, "test");
    ck_assert_str_eq((char *)bytes + 1184, "corners");
    ck_assert_str_eq((char *)bytes + 1248, "exact");
    ck_assert_str_eq((char *)bytes + 1280, "none");
    ck_assert_str_eq((char *)bytes + 1312, "(1+, 5+)");
    ck_assert(support_table_is_zero(bytes + 1824, 2048 - 1824));
    ck_assert_uint_eq(u64_at(bytes, 24), base_hash(bytes + 2048, 32, 1));
    for (size_t i = 0; i < 4; i++) {
        size_t length = i < 3 ? MIB : LARGE - 3 * MIB;
        ck_assert_uint_eq(u64_at(bytes, 2048 + 8 * i),
                          base_hash(bytes + 2 * MIB + i * MIB, length, i));
    }
    ck_assert(support_table_filled(bytes + 2 * MIB, 1, LARGE));
    ck_assert_uint_eq(size, 2 * MIB + (LARGE + 4095) / 4096 * 4096);
    free(bytes);
}
END_TEST

/* ---- damage ---------------------------------------------------------------------------- */

/* Inverts the bits of one byte of a sealed file. */
static void damage(int number, off_t at)
{
    char path[128];
    uint8_t byte;
    support_table_path(number, ".cyt", path);
    int fd = open(path, O_RDWR);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
    byte ^= 0xff;
    ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

/* One byte in each member of the header, in a text, in what is reserved, and in the checksums. */
static const off_t header_offsets[] = {0,    7,    8,    12,   16,   24,   32,   36,   40,  44,
                                       48,   56,   64,   72,   80,   88,   96,   607,  608, 1119,
                                       1120, 1184, 1248, 1280, 1312, 1824, 2047, 2048, 2055};

START_TEST(damaged_header_is_removed_by_acquire)
{
    struct table_file *file = NULL;
    support_table_make(support_table_store, 1, SMALL);
    damage(1, header_offsets[_i]);
    ck_assert_int_eq(support_table_try_acquire(support_table_store, 1, &file), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(support_table_complaints(), 1);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    support_table_make(support_table_store, 1, SMALL);
    table_file_release(support_table_acquire(support_table_store, 1));
}
END_TEST

START_TEST(damaged_header_is_removed_by_open)
{
    support_table_make(support_table_store, 1, SMALL);
    support_table_make(support_table_store, 2, SMALL);
    damage(1, header_offsets[_i]);
    support_table_reopen(0);
    if (header_offsets[_i] < 2048) { /* the checksums are looked at when it is acquired */
        ck_assert_int_eq(support_table_count_names(support_table_directory), 1);
        ck_assert_int_eq(support_table_complaints(), 1);
    }
    ck_assert(support_table_exists(support_table_store, 2));
}
END_TEST

/* The header as another byte order or version would have it, its checksum included. */
START_TEST(foreign_files_are_refused)
{
    char path[128];
    uint8_t page[2048];
    struct table_file *file = NULL;
    support_table_make(support_table_store, 1, SMALL);
    support_table_path(1, ".cyt", path);
    int fd = open(path, O_RDWR);
    ck_assert_int_eq(pread(fd, page, sizeof page, 0), sizeof page);
    uint32_t foreign = _i == 0 ? 0x04030201 : 2;
    memcpy(page + (_i == 0 ? 8 : 12), &foreign, 4);
    uint64_t checksum = base_hash(page + 24, 2048 - 24, _i == 0 ? 1 : 2);
    memcpy(page + 16, &checksum, 8);
    ck_assert_int_eq(pwrite(fd, page, sizeof page, 0), sizeof page);
    close(fd);
    ck_assert_int_eq(support_table_try_acquire(support_table_store, 1, &file), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(support_table_complaints(), 1);
    support_table_make(support_table_store, 1, SMALL);
}
END_TEST

/* A header that is whole but lies about its sizes: nothing outside the file may be read. */
START_TEST(lying_sizes_are_refused)
{
    static const struct {
        int at, size;
        uint64_t value;
    } lies[] = {{56, 8, UINT64_C(1) << 40},
                {56, 8, 0},
                {56, 8, UINT64_MAX},
                {48, 8, 0},
                {44, 4, UINT32_MAX},
                {40, 4, 1},
                {32, 4, 1},
                {32, 4, 3},
                {88, 8, 1},
                {56, 8, SMALL + 100 * MIB}};
    char path[128];
    uint8_t page[2048];
    struct table_file *file = NULL;
    int descriptors = support_table_descriptors();
    for (size_t i = 0; i < BASE_COUNT(lies); i++) {
        support_table_make(support_table_store, 1, SMALL);
        support_table_path(1, ".cyt", path);
        int fd = open(path, O_RDWR);
        ck_assert_int_eq(pread(fd, page, sizeof page, 0), sizeof page);
        memcpy(page + lies[i].at, &lies[i].value, (size_t)lies[i].size);
        uint64_t checksum = base_hash(page + 24, 2048 - 24, 1);
        memcpy(page + 16, &checksum, 8);
        ck_assert_int_eq(pwrite(fd, page, sizeof page, 0), sizeof page);
        close(fd);
        ck_assert_int_eq(support_table_try_acquire(support_table_store, 1, &file),
                         BASE_ERR_NOT_FOUND);
        ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    }
    ck_assert_int_eq(support_table_descriptors(), descriptors);
}
END_TEST

static const off_t lengths[] = {0, 1, 2047, 2048, 4095, 4096, 4096 + SMALL - 1};

START_TEST(truncated_files_are_removed)
{
    char path[128];
    struct table_file *file = NULL;
    support_table_make(support_table_store, 1, SMALL);
    support_table_path(1, ".cyt", path);
    ck_assert_int_eq(truncate(path, lengths[_i]), 0);
    ck_assert_int_eq(support_table_try_acquire(support_table_store, 1, &file), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    support_table_make(support_table_store, 1, SMALL);
    ck_assert_int_eq(truncate(path, lengths[_i]), 0);
    support_table_reopen(0);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    ck_assert_int_eq(support_table_complaints(), 2);
}
END_TEST

START_TEST(damaged_payload_fails_verification)
{
    static const off_t offsets[] = {0, MIB, LARGE - 1};
    support_table_make(support_table_store, 1, LARGE);
    damage(1, 2 * MIB + offsets[_i]);
    support_table_reopen(0);
    struct table_file *file = support_table_acquire(support_table_store, 1), *other = NULL;
    struct table_file *again = support_table_acquire(support_table_store, 1);
    ck_assert_ptr_eq(file, again);
    ck_assert_int_eq(support_table_verify(file), BASE_ERR_CORRUPT);
    ck_assert_int_eq(table_file_verify_step(again), BASE_ERR_CORRUPT);
    ck_assert_int_eq(table_file_trust(file), TABLE_TRUST_FAILED);
    ck_assert_int_eq(support_table_complaints(), 1);
    ck_assert_int_eq(support_table_try_acquire(support_table_store, 1, &other), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);

    support_table_make(support_table_store, 1,
                       LARGE); /* rebuilt while the damaged one is still being read */
    other = support_table_acquire(support_table_store, 1);
    ck_assert_int_eq(table_file_trust(other), TABLE_TRUST_PASSED);
    ck_assert(table_file_data(file)[offsets[_i]] != table_file_data(other)[offsets[_i]]);
    table_file_release(file);
    table_file_release(again);
    ck_assert(support_table_filled(table_file_data(other), 1, LARGE));
    table_file_release(other);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 1);
}
END_TEST

START_TEST(verdict_is_remembered_for_the_same_file_only)
{
    support_table_make(support_table_store, 1, LARGE);
    support_table_reopen(0);
    struct table_file *file = support_table_acquire(support_table_store, 1);
    ck_assert_int_eq(table_file_verify_step(file), 0);
    ck_assert(table_file_verified_fraction(file) > 0 && table_file_verified_fraction(file) < 1);
    table_file_release(file);
    file = support_table_acquire(support_table_store, 1); /* goes on where it was left */
    ck_assert_int_eq(support_table_verify(file), 1);
    table_file_release(file);
    file = support_table_acquire(support_table_store, 1);
    ck_assert_int_eq(table_file_trust(file), TABLE_TRUST_PASSED);
    table_file_release(file);

    struct table_store *second = support_table_open(support_table_directory, 0);
    ck_assert_int_eq(table_store_remove(second, support_table_key(1).digest), 0);
    usleep(10); /* the time of creation tells the two apart */
    support_table_make(second, 1, LARGE);
    table_store_close(second);
    file = support_table_acquire(support_table_store, 1);
    ck_assert_int_eq(table_file_trust(file), TABLE_TRUST_UNVERIFIED);
    table_file_release(file);
}
END_TEST

START_TEST(equal_digests_are_told_apart)
{
    struct table_key key = support_table_key(1), impostor = support_table_key(2);
    struct table_meta meta = support_table_meta(SMALL);
    struct table_file *file = NULL;
    struct base_diag diag = {0};
    impostor.digest = key.digest;
    support_table_make(support_table_store, 1, SMALL);
    ck_assert_int_eq(table_store_acquire(support_table_store, &impostor, &file),
                     BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(table_store_create(support_table_store, &impostor, &meta, &file, &diag),
                     BASE_ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(diag.text, "taken"));
    file = support_table_acquire(support_table_store, 1);
    struct table_file *other = NULL;
    ck_assert_int_eq(table_store_acquire(support_table_store, &impostor, &other),
                     BASE_ERR_NOT_FOUND);
    table_file_release(file);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 1);
}
END_TEST

/* ---- the program ----------------------------------------------------------------------- */

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, file_is_as_documented);
    tcase_add_loop_test(cases, damaged_header_is_removed_by_acquire, 0,
                        (int)BASE_COUNT(header_offsets));
    tcase_add_loop_test(cases, damaged_header_is_removed_by_open, 0,
                        (int)BASE_COUNT(header_offsets));
    tcase_add_loop_test(cases, foreign_files_are_refused, 0, 2);
    tcase_add_test(cases, lying_sizes_are_refused);
    tcase_add_loop_test(cases, truncated_files_are_removed, 0, (int)BASE_COUNT(lengths));
    tcase_add_loop_test(cases, damaged_payload_fails_verification, 0, 3);
    tcase_add_test(cases, verdict_is_remembered_for_the_same_file_only);
    tcase_add_test(cases, equal_digests_are_told_apart);
}

int main(void)
{
    return support_table_suite("table_format", add_tests);
}
