/*
 * test_base_buf.c - the growable buffer.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_buf.h"
#include "core/base/base_err.h"
#include "tests/support/support_suite.h"

START_TEST(empty_buffer_reads_as_empty_text)
{
    struct base_buf buf = {0};
    ck_assert_str_eq(base_buf_str(&buf), "");
    base_buf_clear(&buf);
    base_buf_deinit(&buf);
}
END_TEST

START_TEST(pieces_are_joined)
{
    struct base_buf buf = {0};
    ck_assert_int_eq(base_buf_text(&buf, "depth "), 0);
    ck_assert_int_eq(base_buf_printf(&buf, "%d of %s", 7, "11"), 0);
    ck_assert_int_eq(base_buf_byte(&buf, '!'), 0);
    ck_assert_int_eq(base_buf_append(&buf, "\0x", 2), 0);
    ck_assert_int_eq(base_buf_append(&buf, NULL, 0), 0);
    ck_assert_uint_eq(buf.length, 16);
    ck_assert_mem_eq(base_buf_str(&buf), "depth 7 of 11!\0x", 17);
    base_buf_deinit(&buf);
}
END_TEST

/* Every length around the doublings of the capacity, checked byte by byte. */
START_TEST(growing_keeps_the_content)
{
    struct base_buf buf = {0};
    for (unsigned i = 0; i < 5000; i++) {
        if (i % 2)
            base_buf_byte(&buf, (char)('a' + i % 26));
        else
            base_buf_printf(&buf, "%c", (char)('a' + i % 26));
        ck_assert_uint_eq(buf.length, i + 1);
        ck_assert_int_eq(buf.data[buf.length], '\0');
    }
    for (unsigned i = 0; i < 5000; i++)
        ck_assert_int_eq(buf.data[i], 'a' + (int)(i % 26));
    base_buf_deinit(&buf);
}
END_TEST

START_TEST(long_formats_fit)
{
    struct base_buf buf = {0};
    base_buf_printf(&buf, "%100000s", "x");
    ck_assert_uint_eq(buf.length, 100000);
    ck_assert_int_eq(buf.data[99999], 'x');
    base_buf_deinit(&buf);
}
END_TEST

START_TEST(error_sticks_until_cleared)
{
    struct base_buf buf = {0};
    char byte = 'x';
    base_buf_text(&buf, "kept");
    ck_assert_int_eq(base_buf_append(&buf, &byte, SIZE_MAX - 2), BASE_ERR_NOMEM);
    ck_assert_int_eq(base_buf_text(&buf, "ignored"), BASE_ERR_NOMEM);
    ck_assert_int_eq(base_buf_printf(&buf, "%d", 1), BASE_ERR_NOMEM);
    ck_assert_str_eq(base_buf_str(&buf), "kept");
    base_buf_clear(&buf);
    ck_assert_int_eq(base_buf_text(&buf, "new"), 0);
    ck_assert_str_eq(base_buf_str(&buf), "new");
    base_buf_deinit(&buf);
}
END_TEST

START_TEST(take_hands_the_content_over)
{
    struct base_buf buf = {0};
    size_t length = 99;
    char *text;

    base_buf_text(&buf, "result");
    text = base_buf_take(&buf, &length);
    ck_assert_str_eq(text, "result");
    ck_assert_uint_eq(length, 6);
    ck_assert_ptr_null(buf.data);
    ck_assert_uint_eq(buf.length, 0);
    free(text);

    text = base_buf_take(&buf, NULL);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

START_TEST(take_of_a_failed_buffer_is_null)
{
    struct base_buf buf = {0};
    base_buf_text(&buf, "half");
    base_buf_append(&buf, "x", SIZE_MAX / 2);
    ck_assert_ptr_null(base_buf_take(&buf, NULL));
    ck_assert_int_eq(buf.error, 0);
    ck_assert_uint_eq(buf.length, 0);
}
END_TEST

START_TEST(clear_keeps_the_memory)
{
    struct base_buf buf = {0};
    const char *data;
    base_buf_text(&buf, "first");
    data = buf.data;
    base_buf_clear(&buf);
    ck_assert_str_eq(base_buf_str(&buf), "");
    base_buf_text(&buf, "again");
    ck_assert_ptr_eq(buf.data, data);
    base_buf_deinit(&buf);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        empty_buffer_reads_as_empty_text, pieces_are_joined,
        growing_keeps_the_content,        long_formats_fit,
        error_sticks_until_cleared,       take_hands_the_content_over,
        take_of_a_failed_buffer_is_null,  clear_keeps_the_memory,
    };
    return support_suite_run("base_buf", tests, BASE_COUNT(tests), NULL, NULL, 10);
}
