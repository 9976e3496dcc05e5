/*
 * test_proto_json.c - strict parsing, pointers, readers, unknown members.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "proto/proto_json.h"
#include "tests/support/support_suite.h"

static struct proto_problem problem;

static void teardown(void)
{
    proto_problem_deinit(&problem);
}

static json_t *parse(const char *text)
{
    json_t *document = NULL;

    ck_assert_int_eq(proto_json_parse(text, strlen(text), &document, &problem), 0);
    return document;
}

static void expect_refused(const char *text, size_t length, int status)
{
    json_t *document = NULL;

    ck_assert_msg(proto_json_parse(text, length, &document, &problem) < 0, "%.60s", text);
    ck_assert_msg(problem.status == status, "%.60s: %d %s", text, problem.status, problem.detail);
    ck_assert_int_gt(strlen(problem.detail), 0);
    proto_problem_deinit(&problem);
}

/* ---- parsing -------------------------------------------------------------------------- */

START_TEST(malformed_json_is_400)
{
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "{\"cycles\": \"c: (1+",
        "{\"a\":1,}",
        "{'a':1}",
        "{\"a\":1} x",
        "{\"a\":1}{}",
        "{\"a\":1,\"a\":1}",
        "{\"o\":{\"a\":1,\"a\":2}}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":NaN}",
        "{\"a\":\"\xFF\"}",
        "{\"a\":\"\xC0\x80\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\n\"}",
        "\xEF\xBB\xBF{}x",
        "// comment\n{}",
    };

    for (size_t i = 0; i < BASE_COUNT(texts); i++)
        expect_refused(texts[i], strlen(texts[i]), 400);
    expect_refused("{}\0", 3, 400);
    expect_refused("{\"a\"\0:1}", 8, 400);
}
END_TEST

START_TEST(numbers_and_keys_beyond_us_are_422)
{
    static const char *const texts[] = {
        "{\"a\":99999999999999999999}",
        "{\"a\":1e999}",
        "{\"a\\u0000b\":1}",
    };

    for (size_t i = 0; i < BASE_COUNT(texts); i++)
        expect_refused(texts[i], strlen(texts[i]), 422);
}
END_TEST

START_TEST(the_position_is_told)
{
    const char *text = "{\"a\":1,\n \"b\" 2}";
    json_t *document = NULL;

    ck_assert_int_lt(proto_json_parse(text, strlen(text), &document, &problem), 0);
    ck_assert_ptr_nonnull(strstr(problem.detail, "line 2, column 6 (byte 14)"));
}
END_TEST

static void fill_brackets(char *text, size_t n, char open, char close)
{
    memset(text, open, n);
    memset(text + n, close, n);
}

START_TEST(nesting_is_capped)
{
    enum { DEEP = 40000 };
    char *text = malloc(2 * DEEP);
    json_t *document = NULL;

    fill_brackets(text, PROTO_JSON_MAX_DEPTH, '[', ']');
    ck_assert_int_eq(proto_json_parse(text, 2 * PROTO_JSON_MAX_DEPTH, &document, &problem), 0);
    json_decref(document);
    fill_brackets(text, PROTO_JSON_MAX_DEPTH + 1, '[', ']');
    expect_refused(text, 2 * PROTO_JSON_MAX_DEPTH + 2, 400);
    fill_brackets(text, DEEP, '[', ']');
    expect_refused(text, 2 * DEEP, 400);
    expect_refused(text, DEEP, 400);
    for (size_t i = 0; i + 5 <= 2 * DEEP; i += 5)
        memcpy(text + i, "{\"a\":", 5);
    expect_refused(text, 2 * DEEP, 400);
    free(text);
}
END_TEST

START_TEST(brackets_in_strings_are_not_nesting)
{
    char text[200] = "{\"a\\\"\":\"";
    json_t *document;

    memset(text + strlen(text), '[', 100);
    strncat(text, "\\\\\"}", sizeof(text) - strlen(text) - 1);
    document = parse(text);
    ck_assert_ptr_nonnull(document);
    json_decref(document);
}
END_TEST

START_TEST(a_long_string_is_read)
{
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH + 3);
    json_t *document = NULL;
    struct proto_json_at root;
    const char *out;
    size_t length;

    memset(text, 'x', LENGTH + 2);
    text[0] = text[LENGTH + 1] = '"';
    ck_assert_int_eq(proto_json_parse(text, LENGTH + 2, &document, &problem), 0);
    root = proto_json_root(document, &problem);
    ck_assert_int_eq(proto_json_read_text(&root, LENGTH, &out, &length), 0);
    ck_assert_uint_eq(length, LENGTH);
    ck_assert_int_lt(proto_json_read_text(&root, LENGTH - 1, &out, &length), 0);
    json_decref(document);
    free(text);
}
END_TEST

/* ---- pointers and findings ------------------------------------------------------------ */

/* The problem holds exactly this one finding. */
static void expect_finding(const char *pointer, const char *detail)
{
    char *text = proto_problem_encode(&problem);
    json_t *document = json_loads(text, 0, NULL);
    json_t *errors = json_object_get(document, "errors");
    json_t *error = json_array_get(errors, 0);

    ck_assert_msg(json_array_size(errors) == 1, "%s", text);
    ck_assert_str_eq(json_string_value(json_object_get(error, "pointer")), pointer);
    ck_assert_msg(strstr(json_string_value(json_object_get(error, "detail")), detail) != NULL, "%s",
                  text);
    json_decref(document);
    free(text);
    proto_problem_deinit(&problem);
}

START_TEST(pointers_are_escaped)
{
    json_t *document = parse("{\"a/b~c\":[0,[1,{\"\":2}]]}");
    struct proto_json_at root = proto_json_root(document, &problem), a, b, c, d;
    char pointer[PROTO_JSON_POINTER_BYTES];

    proto_json_pointer(&root, pointer, sizeof(pointer));
    ck_assert_str_eq(pointer, "");
    ck_assert(proto_json_member(&root, "a/b~c", &a));
    b = proto_json_element(&a, 1);
    c = proto_json_element(&b, 1);
    ck_assert(proto_json_member(&c, "", &d));
    proto_json_pointer(&d, pointer, sizeof(pointer));
    ck_assert_str_eq(pointer, "/a~1b~0c/1/1/");
    proto_json_pointer(&d, pointer, 4);
    ck_assert_str_eq(pointer, "/a~");
    ck_assert(!proto_json_member(&root, "x", &d));
    json_decref(document);
}
END_TEST

START_TEST(numbers_are_read_strictly)
{
    static const struct {
        const char *text, *detail;
    } refused[] = {
        {"[5.0]", "must be a whole number"}, {"[true]", "not a truth value"},
        {"[\"5\"]", "not a string"},         {"[null]", "not null"},
        {"[-1]", "must be from 1 to 9"},     {"[0]", "must be from 1 to 9, not 0"},
        {"[10]", "must be from 1 to 9"},     {"[{}]", "not an object"},
    };
    uint64_t value = 77;

    for (size_t i = 0; i < BASE_COUNT(refused); i++) {
        json_t *document = parse(refused[i].text);
        struct proto_json_at root = proto_json_root(document, &problem);
        struct proto_json_at at = proto_json_element(&root, 0);
        ck_assert_int_lt(proto_json_read_uint(&at, 1, 9, &value), 0);
        expect_finding("/0", refused[i].detail);
        json_decref(document);
    }
    ck_assert_uint_eq(value, 77);
}
END_TEST

START_TEST(reals_may_be_whole)
{
    json_t *document = parse("[2, 0.25, true, 0, 1e300]");
    struct proto_json_at root = proto_json_root(document, &problem), at;
    double value;

    at = proto_json_element(&root, 0);
    ck_assert_int_eq(proto_json_read_real(&at, 0.1, 9, &value), 0);
    ck_assert_double_eq(value, 2);
    at = proto_json_element(&root, 1);
    ck_assert_int_eq(proto_json_read_real(&at, 0.1, 9, &value), 0);
    ck_assert_double_eq(value, 0.25);
    for (size_t i = 2; i < 5; i++) {
        at = proto_json_element(&root, i);
        ck_assert_int_lt(proto_json_read_real(&at, 0.1, 9, &value), 0);
    }
    json_decref(document);
}
END_TEST

START_TEST(texts_are_counted_in_characters)
{
    json_t *document = parse("[\"\xC3\xA9\xF0\x9F\xA7\x8A\", \"a\\u0000b\", 5]");
    struct proto_json_at root = proto_json_root(document, &problem);
    struct proto_json_at at = proto_json_element(&root, 0);
    const char *text;
    size_t length;

    ck_assert_int_eq(proto_json_read_text(&at, 2, &text, &length), 0);
    ck_assert_uint_eq(length, 6);
    ck_assert_int_lt(proto_json_read_text(&at, 1, &text, &length), 0);
    expect_finding("/0", "at most 1 characters");
    at = proto_json_element(&root, 1);
    ck_assert_int_lt(proto_json_read_text(&at, 9, &text, &length), 0);
    expect_finding("/1", "U+0000");
    at = proto_json_element(&root, 2);
    ck_assert_int_lt(proto_json_read_text(&at, 9, &text, &length), 0);
    expect_finding("/2", "must be a string, not a whole number");
    json_decref(document);
}
END_TEST

START_TEST(choices_are_listed)
{
    static const char *const names[] = {"one", "all", "any"};
    json_t *document = parse("[\"all\", \"All\", 1, \"all\\u0000\"]");
    struct proto_json_at root = proto_json_root(document, &problem);
    struct proto_json_at at = proto_json_element(&root, 0);
    unsigned choice;

    ck_assert_int_eq(proto_json_read_choice(&at, names, 3, &choice), 0);
    ck_assert_uint_eq(choice, 1);
    at = proto_json_element(&root, 1);
    ck_assert_int_lt(proto_json_read_choice(&at, names, 3, &choice), 0);
    expect_finding("/1", "must be \"one\", \"all\" or \"any\"");
    at = proto_json_element(&root, 2);
    ck_assert_int_lt(proto_json_read_choice(&at, names, 3, &choice), 0);
    expect_finding("/2", "not a whole number");
    at = proto_json_element(&root, 3);
    ck_assert_int_lt(proto_json_read_choice(&at, names, 3, &choice), 0);
    json_decref(document);
}
END_TEST

START_TEST(unknown_members_get_a_suggestion)
{
    static const char *const names[] = {"cycles", "min_length", "max_length", "find"};
    static const struct {
        const char *text, *pointer, *detail;
    } cases[] = {
        {"{\"cycels\":1}", "/cycels", "did you mean \"cycles\"?"},
        {"{\"max_lenght\":1}", "/max_lenght", "did you mean \"max_length\"?"},
        {"{\"maxlength\":1}", "/maxlength", "did you mean \"max_length\"?"},
        {"{\"x\":1}", "/x", "unknown member"},
        {"{\"a/b\":1}", "/a~1b", "unknown member"},
        {"{\"\":1}", "/", "unknown member"},
        {"{\"Find\":1}", "/Find", "did you mean \"find\"?"},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        json_t *document = parse(cases[i].text);
        struct proto_json_at root = proto_json_root(document, &problem);
        ck_assert_int_lt(proto_json_check_members(&root, names, BASE_COUNT(names)), 0);
        expect_finding(cases[i].pointer, cases[i].detail);
        json_decref(document);
    }
}
END_TEST

START_TEST(a_huge_key_is_refused_and_cut)
{
    enum { LENGTH = 100000 };
    static const char *const names[] = {"cycles"};
    char *key = malloc(LENGTH + 1);
    json_t *document = json_object();
    struct proto_json_at root;
    char *text;

    memset(key, '~', LENGTH);
    key[LENGTH] = '\0';
    json_object_set_new(document, key, json_true());
    root = proto_json_root(document, &problem);
    ck_assert_int_lt(proto_json_check_members(&root, names, 1), 0);
    text = proto_problem_encode(&problem);
    ck_assert_uint_lt(strlen(text), 3000);
    free(text);
    json_decref(document);
    free(key);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        malformed_json_is_400,
        numbers_and_keys_beyond_us_are_422,
        the_position_is_told,
        nesting_is_capped,
        brackets_in_strings_are_not_nesting,
        a_long_string_is_read,
        pointers_are_escaped,
        numbers_are_read_strictly,
        reals_may_be_whole,
        texts_are_counted_in_characters,
        choices_are_listed,
        unknown_members_get_a_suggestion,
        a_huge_key_is_refused_and_cut,
    };

    return support_suite_run("proto_json", tests, BASE_COUNT(tests), NULL, teardown, 10);
}
