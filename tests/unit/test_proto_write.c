/*
 * test_proto_write.c - the JSON writer, and the problem documents made with it.
 */
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_problem.h"
#include "proto/proto_write.h"
#include "tests/support/support_suite.h"

/* ---- the writer ----------------------------------------------------------------------- */

static void expect_taken(struct proto_writer *writer, const char *expected)
{
    char *text = proto_writer_take(writer);

    ck_assert_str_eq(text, expected);
    free(text);
}

static void expect_text(const char *text, const char *expected)
{
    struct proto_writer writer = {0};

    proto_write_text(&writer, NULL, text);
    expect_taken(&writer, expected);
}

static void expect_real(double value, unsigned decimals, const char *expected)
{
    struct proto_writer writer = {0};

    proto_write_real(&writer, NULL, value, decimals);
    expect_taken(&writer, expected);
}

static void expect_time(int64_t unix_us, const char *expected)
{
    char text[PROTO_TIME_BYTES];

    proto_time_print(unix_us, text);
    ck_assert_str_eq(text, expected);
}

START_TEST(containers_and_commas)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_array(&writer, "empty");
    proto_write_array_end(&writer);
    proto_write_array(&writer, "two");
    proto_write_uint(&writer, NULL, UINT64_MAX);
    proto_write_object(&writer, NULL);
    proto_write_object_end(&writer);
    proto_write_array_end(&writer);
    proto_write_bool(&writer, "yes", true);
    proto_write_null(&writer, "none");
    proto_write_raw(&writer, "raw", "{\"a\":1}");
    proto_write_raw(&writer, "no", NULL);
    proto_write_time(&writer, "never", 0);
    proto_write_object_end(&writer);
    expect_taken(&writer, "{\"empty\":[],\"two\":[18446744073709551615,{}],\"yes\":true,"
                          "\"none\":null,\"raw\":{\"a\":1},\"no\":null,\"never\":null}");
}
END_TEST

START_TEST(a_taken_writer_begins_anew)
{
    struct proto_writer writer = {0};

    proto_write_uint(&writer, NULL, 1);
    expect_taken(&writer, "1");
    proto_write_uint(&writer, NULL, 2);
    expect_taken(&writer, "2");
    proto_write_uint(&writer, NULL, 3);
    proto_writer_deinit(&writer);
    ck_assert_ptr_null(writer.buf.data);
}
END_TEST

START_TEST(strings_are_escaped)
{
    expect_text(NULL, "null");
    expect_text("", "\"\"");
    expect_text("R' U2", "\"R' U2\"");
    expect_text("a\"b\\c\n\r\t\b\f\x01\x7f", "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001\\u007f\"");
    expect_text("\xC3\xA9\xE2\x80\x99\xF0\x9F\xA7\x8A", "\"\xC3\xA9\xE2\x80\x99\xF0\x9F\xA7\x8A\"");
}
END_TEST

START_TEST(what_is_not_utf8_is_replaced)
{
    static const char *const bad[] = {
        "\xFF",         "\xC0\x80",     "\xC3",          "\xE0\x80\x80",     "\xED\xA0\x80",
        "\xF0\x80\x80", "\xF5\x80\x80", "\xE2\x80",      "\xF4\x90\x80\x80", "\xF0\x9F\xA7",
        "a\x80z",       "\xC3\"",       "\xE2\x80\\\\n", "\xED\xBF\xBF",     "\xC1\xBF",
    };

    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        struct proto_writer writer = {0};
        char *text;
        json_t *value;
        proto_write_text(&writer, NULL, bad[i]);
        text = proto_writer_take(&writer);
        ck_assert_msg(strstr(text, "\xEF\xBF\xBD") != NULL, "case %zu: %s", i, text);
        value = json_loads(text, JSON_DECODE_ANY, NULL);
        ck_assert_msg(value != NULL, "case %zu: %s", i, text);
        json_decref(value);
        free(text);
    }
    expect_text("\xC3\"", "\"\xEF\xBF\xBD\\\"\"");
}
END_TEST

/* Every byte string comes out as JSON that reads back, and unchanged if it was UTF-8. */
START_TEST(all_short_byte_strings_are_json)
{
    for (unsigned pair = 1; pair < 65536; pair++) {
        char in[3] = {(char)(pair >> 8), (char)pair, '\0'};
        const char *from = in[0] ? in : in + 1;
        struct proto_writer writer = {0};
        json_t *value, *same;
        char *text;
        proto_write_text(&writer, NULL, from);
        text = proto_writer_take(&writer);
        value = json_loads(text, JSON_DECODE_ANY, NULL);
        ck_assert_msg(value != NULL, "%04x: %s", pair, text);
        same = json_string(from);
        ck_assert_msg(!same || json_equal(value, same), "%04x: %s", pair, text);
        json_decref(same);
        json_decref(value);
        free(text);
    }
}
END_TEST

START_TEST(numbers_have_the_decimals_they_need)
{
    expect_real(0.4, 4, "0.4");
    expect_real(7.6346, 2, "7.63");
    expect_real(1e18, 0, "1000000000000000000");
    expect_real(100, 3, "100");
    expect_real(-0.00001, 2, "0");
    expect_real(-1.5, 2, "-1.5");
    expect_real(NAN, 2, "null");
    expect_real(-INFINITY, 2, "null");
}
END_TEST

START_TEST(times_are_rfc_3339)
{
    expect_time(1, "1970-01-01T00:00:00.000001Z");
    expect_time(1767323045678901, "2026-01-02T03:04:05.678901Z");
    expect_time(951782400000000, "2000-02-29T00:00:00.000000Z");
    expect_time(-1, "1969-12-31T23:59:59.999999Z");
}
END_TEST

/* ---- problems ------------------------------------------------------------------------- */

static json_t *encode(const struct proto_problem *problem)
{
    char *text = proto_problem_encode(problem);
    json_t *document = json_loads(text, 0, NULL);

    ck_assert_ptr_nonnull(document);
    free(text);
    return document;
}

static const char *text_of(const json_t *document, const char *key)
{
    return json_string_value(json_object_get(document, key));
}

START_TEST(every_error_code_has_a_kind)
{
    for (int i = 0; i < BASE_ERR_COUNT; i++) {
        enum proto_problem_kind kind = proto_problem_of_err(-1 - i);
        int status = proto_problem_status(kind);
        ck_assert_int_ge(status, 400);
        ck_assert_int_le(status, 599);
    }
    ck_assert_int_eq(proto_problem_of_err(BASE_ERR_INFEASIBLE), PROTO_PROBLEM_INFEASIBLE_TARGET);
    ck_assert_int_eq(proto_problem_of_err(BASE_ERR_BUSY), PROTO_PROBLEM_UNAVAILABLE);
    ck_assert_int_eq(proto_problem_of_err(-1000), PROTO_PROBLEM_INTERNAL);
    ck_assert_int_eq(proto_problem_of_err(0), PROTO_PROBLEM_INTERNAL);
}
END_TEST

START_TEST(kinds_have_distinct_types)
{
    for (int i = 0; i < PROTO_PROBLEM_COUNT; i++) {
        const char *type = proto_problem_type((enum proto_problem_kind)i);
        ck_assert_int_eq(strncmp(type, "/problems/", 10), 0);
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(type, proto_problem_type((enum proto_problem_kind)j));
    }
}
END_TEST

START_TEST(a_problem_as_a_whole)
{
    struct proto_problem problem = {0};
    json_t *document;

    ck_assert_int_lt(proto_problem_set(&problem, PROTO_PROBLEM_NOT_FOUND, "no job %s", "j_\xFF\""),
                     0);
    document = encode(&problem);
    ck_assert_int_eq(problem.status, 404);
    ck_assert_str_eq(text_of(document, "type"), "/problems/not-found");
    ck_assert_str_eq(text_of(document, "title"), "There is nothing here");
    ck_assert_int_eq(json_integer_value(json_object_get(document, "status")), 404);
    ck_assert_str_eq(text_of(document, "detail"), "no job j_\xEF\xBF\xBD\"");
    ck_assert_ptr_null(json_object_get(document, "errors"));
    json_decref(document);
    proto_problem_deinit(&problem);
}
END_TEST

START_TEST(a_problem_from_a_code)
{
    struct proto_problem problem = {0};

    ck_assert_int_eq(proto_problem_set_err(&problem, BASE_ERR_BUSY, NULL), BASE_ERR_BUSY);
    ck_assert_int_eq(problem.status, 503);
    ck_assert_str_eq(problem.detail, base_err_text(BASE_ERR_BUSY));
    proto_problem_deinit(&problem);
    ck_assert(!problem.set);
}
END_TEST

START_TEST(the_gravest_finding_is_the_kind)
{
    struct proto_problem problem = {0};
    json_t *document, *errors;

    proto_problem_add(&problem, PROTO_PROBLEM_INFEASIBLE_TARGET, "/cycles", "parity", "odd");
    ck_assert_int_eq(proto_problem_code(&problem), BASE_ERR_INFEASIBLE);
    proto_problem_add(&problem, PROTO_PROBLEM_UNSUPPORTED, "/weights", NULL, "not yet");
    proto_problem_add(&problem, PROTO_PROBLEM_INVALID_REQUEST, "/a~1b", NULL, "%d", 7);
    proto_problem_add(&problem, PROTO_PROBLEM_UNSUPPORTED, "/tables", NULL, "not yet");
    document = encode(&problem);
    errors = json_object_get(document, "errors");
    ck_assert_str_eq(text_of(document, "type"), "/problems/invalid-request");
    ck_assert_str_eq(text_of(document, "detail"), "/cycles: odd (and 3 more)");
    ck_assert_uint_eq(json_array_size(errors), 4);
    ck_assert_str_eq(text_of(json_array_get(errors, 0), "rule"), "parity");
    ck_assert_str_eq(text_of(json_array_get(errors, 2), "pointer"), "/a~1b");
    ck_assert_str_eq(text_of(json_array_get(errors, 2), "detail"), "7");
    ck_assert_ptr_null(json_object_get(json_array_get(errors, 2), "rule"));
    json_decref(document);
    proto_problem_deinit(&problem);
}
END_TEST

START_TEST(the_list_of_findings_is_capped)
{
    struct proto_problem problem = {0};
    json_t *document;

    for (unsigned i = 0; i < 5000; i++)
        proto_problem_add(&problem, PROTO_PROBLEM_INVALID_REQUEST, "/x", NULL, "%u", i);
    document = encode(&problem);
    ck_assert_uint_eq(json_array_size(json_object_get(document, "errors")),
                      PROTO_PROBLEM_MAX_ERRORS);
    ck_assert_str_eq(text_of(document, "detail"), "/x: 0 (and 4999 more)");
    json_decref(document);
    proto_problem_deinit(&problem);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        containers_and_commas,
        a_taken_writer_begins_anew,
        strings_are_escaped,
        what_is_not_utf8_is_replaced,
        all_short_byte_strings_are_json,
        numbers_have_the_decimals_they_need,
        times_are_rfc_3339,
        every_error_code_has_a_kind,
        kinds_have_distinct_types,
        a_problem_as_a_whole,
        a_problem_from_a_code,
        the_gravest_finding_is_the_kind,
        the_list_of_findings_is_capped,
    };

    return support_suite_run("proto_write", tests, BASE_COUNT(tests), NULL, NULL, 10);
}
