/*
 * test_proto_http.c - routes, header fields, pages: what surrounds the bodies.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_page.h"
#include "proto/proto_prefer.h"
#include "proto/proto_route.h"
#include "tests/support/support_suite.h"

/* ---- routes --------------------------------------------------------------------------- */

static void expect_route(const char *method, const char *path, enum proto_route_id id,
                         const char *capture)
{
    struct proto_route_match match;

    ck_assert_msg(proto_route_find(method, path, &match) == 0, "%s %s", method, path);
    ck_assert_msg(match.route->id == id, "%s %s: %s", method, path, match.route->name);
    ck_assert_str_eq(match.capture, capture);
}

START_TEST(paths_find_their_routes)
{
    expect_route("POST", "/v1/jobs", PROTO_ROUTE_JOB_SUBMIT, "");
    expect_route("GET", "/v1/jobs", PROTO_ROUTE_JOB_LIST, "");
    expect_route("HEAD", "/v1/jobs", PROTO_ROUTE_JOB_LIST, "");
    expect_route("GET", "/v1/jobs/j_1", PROTO_ROUTE_JOB_GET, "j_1");
    expect_route("HEAD", "/v1/jobs/j_1", PROTO_ROUTE_JOB_GET, "j_1");
    expect_route("DELETE", "/v1/jobs/j_1", PROTO_ROUTE_JOB_DELETE, "j_1");
    expect_route("GET", "/v1/jobs/j_1/events", PROTO_ROUTE_JOB_EVENTS, "j_1");
    expect_route("GET", "/v1/jobs/j_1/solutions", PROTO_ROUTE_JOB_SOLUTIONS, "j_1");
    expect_route("POST", "/v1/jobs/j_1/cancel", PROTO_ROUTE_JOB_CANCEL, "j_1");
    expect_route("POST", "/v1/jobs/j_1/pause", PROTO_ROUTE_JOB_PAUSE, "j_1");
    expect_route("POST", "/v1/jobs/j_1/resume", PROTO_ROUTE_JOB_RESUME, "j_1");
    expect_route("POST", "/v1/analyze", PROTO_ROUTE_ANALYZE, "");
    expect_route("GET", "/v1/tables", PROTO_ROUTE_TABLE_LIST, "");
    expect_route("POST", "/v1/tables", PROTO_ROUTE_TABLE_MAKE, "");
    expect_route("GET", "/v1/puzzles", PROTO_ROUTE_PUZZLE_LIST, "");
    expect_route("GET", "/v1/puzzles/3x3x3", PROTO_ROUTE_PUZZLE_GET, "3x3x3");
    expect_route("GET", "/livez", PROTO_ROUTE_LIVEZ, "");
    expect_route("GET", "/readyz", PROTO_ROUTE_READYZ, "");
    expect_route("GET", "/metrics", PROTO_ROUTE_METRICS, "");
    expect_route("GET", "/version", PROTO_ROUTE_VERSION, "");
    expect_route("GET", "/", PROTO_ROUTE_WEB_PAGE, "");
    expect_route("GET", "/assets/app-0123.js", PROTO_ROUTE_WEB_ASSET, "app-0123.js");
}
END_TEST

START_TEST(unknown_paths)
{
    static const char *const paths[] = {
        "",
        "/assets",
        "/assets/",
        "/assets/a/b",
        "v1/jobs",
        "/v1/jobs/",
        "/v1//jobs",
        "/v1/jobs//events",
        "/v1/jobs/j_1/",
        "/v1/jobs/j_1/events/",
        "/v1/jobs/j_1/event",
        "/v1/jobs/j_1/x/events",
        "/V1/jobs",
        "/v1/jobsx",
        "/livez/",
        "/v1/jobs/{id}/nothing",
        "/v1/jobs/0123456789012345678901234567890123456789012345678901234567890123",
    };
    struct proto_route_match match;

    for (size_t i = 0; i < BASE_COUNT(paths); i++) {
        ck_assert_msg(proto_route_find("GET", paths[i], &match) == BASE_ERR_NOT_FOUND, "%s",
                      paths[i]);
        ck_assert_ptr_null(match.route);
    }
}
END_TEST

START_TEST(a_wrong_method_learns_the_right_ones)
{
    static const struct {
        const char *method, *path, *allow;
    } cases[] = {
        {"PUT", "/v1/jobs", "POST, GET, HEAD, OPTIONS"},
        {"POST", "/v1/jobs/j_1", "GET, HEAD, DELETE, OPTIONS"},
        {"GET", "/v1/jobs/j_1/cancel", "POST, OPTIONS"},
        {"HEAD", "/v1/analyze", "POST, OPTIONS"},
        {"get", "/livez", "GET, HEAD, OPTIONS"},
        {"OPTIONS", "/livez", "GET, HEAD, OPTIONS"},
        {"", "/livez", "GET, HEAD, OPTIONS"},
    };
    struct proto_route_match match;

    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        ck_assert_int_eq(proto_route_find(cases[i].method, cases[i].path, &match),
                         BASE_ERR_UNSUPPORTED);
        ck_assert_str_eq(match.allow, cases[i].allow);
    }
}
END_TEST

START_TEST(the_table_is_in_the_order_of_the_enum)
{
    for (int i = 0; i < PROTO_ROUTE_COUNT; i++) {
        const struct proto_route *route = proto_route_at((enum proto_route_id)i);
        ck_assert_int_eq((int)route->id, i);
        ck_assert_uint_ge(strlen(route->summary), 5);
    }
}
END_TEST

/* ---- Prefer --------------------------------------------------------------------------- */

START_TEST(prefer_wait)
{
    static const struct {
        const char *text;
        int seconds;
    } cases[] = {
        {NULL, -1},
        {"", -1},
        {"wait=5", 5},
        {"WAIT=5", 5},
        {"wait = 5", 5},
        {"wait=\"5\"", 5},
        {"wait=0", 0},
        {"wait=60", 60},
        {"wait=61", 60},
        {"wait=99999999999999999999999", 60},
        {"respond-async, wait=10", 10},
        {"respond-async; x=\"a, wait=3\", wait=10", 10},
        {"return=minimal; wait=3, wait=7;y", 7},
        {"wait=1, wait=2", 1},
        {",, ,wait=4", 4},
        {"wait", -1},
        {"wait=", -1},
        {"wait=-5", -1},
        {"wait=5s", -1},
        {"wait=1.5", -1},
        {"wait=\"5", -1},
        {"waiting=5", -1},
        {"xwait=5", -1},
        {"\"\\", -1},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        int seconds = proto_prefer_wait(cases[i].text);
        ck_assert_msg(seconds == cases[i].seconds, "%s: %d", cases[i].text, seconds);
    }
}
END_TEST

START_TEST(content_types)
{
    static const char *const json[] = {
        NULL,
        "",
        "  ",
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=\"UTF-8\"",
        "application/json; charset=utf8 ; x=y",
        "application/x-www-form-urlencoded",
        "application/x-www-form-urlencoded; charset=UTF-8",
    };
    static const char *const other[] = {
        "text/plain",
        "application/xml",
        "application/jsonx",
        "application/json; charset=iso-8859-1",
        "application/json; charset",
        "application/json, text/plain",
        "application/json junk",
        "multipart/form-data; boundary=x",
        "json",
        "*/*",
        ";",
        "\"application/json\"",
    };

    for (size_t i = 0; i < BASE_COUNT(json); i++)
        ck_assert_msg(proto_content_type_is_json(json[i]), "%s", json[i]);
    for (size_t i = 0; i < BASE_COUNT(other); i++)
        ck_assert_msg(!proto_content_type_is_json(other[i]), "%s", other[i]);
}
END_TEST

START_TEST(entity_tags)
{
    char etag[PROTO_ETAG_BYTES];

    ck_assert_str_eq(proto_etag_print("j_1", 17, etag), "\"j_1-17\"");
    ck_assert(proto_etag_matches("\"j_1-17\"", etag));
    ck_assert(proto_etag_matches("W/\"j_1-17\"", etag));
    ck_assert(proto_etag_matches("\"a\", \"b,c\" ,W/\"j_1-17\" ", etag));
    ck_assert(proto_etag_matches("*", etag));
    ck_assert(!proto_etag_matches(NULL, etag));
    ck_assert(!proto_etag_matches("", etag));
    ck_assert(!proto_etag_matches("\"j_1-1\"", etag));
    ck_assert(!proto_etag_matches("\"j_1-17\"x", etag));
    ck_assert(!proto_etag_matches("j_1-17", etag));
    ck_assert(!proto_etag_matches("\"x, \"j_1-17", etag));
    ck_assert(!proto_etag_matches("W/", etag));
    proto_etag_print("j_0123456789012345678901234567890123456789", UINT64_MAX, etag);
    ck_assert_str_eq(etag + strlen(etag) - 22, "-18446744073709551615\"");
}
END_TEST

START_TEST(accept_chooses)
{
    static const char *const offered[] = {"application/json", "text/plain"};
    static const struct {
        const char *accept;
        int chosen;
    } cases[] = {
        {NULL, 0},
        {"", 0},
        {"*/*", 0},
        {"text/plain", 1},
        {"TEXT/Plain", 1},
        {"application/json", 0},
        {"text/*", 1},
        {"text/plain, application/json", 0},
        {"text/plain, application/json;q=0.5", 1},
        {"text/plain;q=0.4, */*;q=0.6", 0},
        {"application/json;q=0, */*", 1},
        {"text/html, image/png", -1},
        {"text/plain;q=0", -1},
        {"text/plain;q=nan", 1},
        {"text/plain;q=7", 1},
        {"text/plain;q=", 1},
        {"text/plainx", -1},
        {"text/html;x=\"text/plain, a\"", -1},
        {"*", 0},
        {",,,", -1},
        {"text/event-stream", -1},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        int chosen = proto_accept_choose(cases[i].accept, offered, BASE_COUNT(offered));
        ck_assert_msg(chosen == cases[i].chosen, "%s: %d", cases[i].accept, chosen);
    }
}
END_TEST

/* Random fields out of the bytes that matter: they must be survived. */
START_TEST(random_fields_are_survived)
{
    static const char alphabet[] = "wait=5,;\"\\ \tW/*q.01text/plain\x80\xFF";
    static const char *const offered[] = {"text/plain"};
    uint32_t seed = 7;

    for (unsigned i = 0; i < 200000; i++) {
        char *text = malloc(13); /* on the heap, where a sanitizer sees reads beyond the end */
        size_t length = i % 12;
        for (size_t k = 0; k < length; k++) {
            seed = seed * 1664525u + 1013904223u;
            text[k] = alphabet[(seed >> 8) % (sizeof(alphabet) - 1)];
        }
        text[length] = '\0';
        ck_assert_int_le(proto_prefer_wait(text), PROTO_PREFER_MAX_WAIT);
        ck_assert_int_le(proto_accept_choose(text, offered, 1), 0);
        proto_content_type_is_json(text);
        proto_etag_matches(text, "\"w\"");
        free(text);
    }
}
END_TEST

/* ---- pages ---------------------------------------------------------------------------- */

START_TEST(page_tokens_round_trip)
{
    static const uint64_t positions[] = {1, 77, 1u << 31, INT64_MAX, UINT64_MAX};
    struct proto_problem problem = {0};
    char token[PROTO_PAGE_TOKEN_BYTES];
    uint64_t position;

    for (size_t i = 0; i < BASE_COUNT(positions); i++) {
        proto_page_token_print("jobs", positions[i], token);
        ck_assert_int_eq(proto_page_token_parse("jobs", token, &position, &problem), 0);
        ck_assert_uint_eq(position, positions[i]);
    }
    ck_assert_int_eq(proto_page_token_parse("jobs", NULL, &position, &problem), 0);
    ck_assert_uint_eq(position, 0);
    ck_assert_int_eq(proto_page_token_parse("jobs", "", &position, &problem), 0);
    ck_assert(!problem.set);
}
END_TEST

START_TEST(foreign_page_tokens_are_refused)
{
    struct proto_problem problem = {0};
    char token[PROTO_PAGE_TOKEN_BYTES];
    uint64_t position;

    proto_page_token_print("jobs", 5, token);
    ck_assert_int_lt(proto_page_token_parse("tables", token, &position, &problem), 0);
    ck_assert_int_eq(problem.status, 422);
    for (size_t i = 0; i < strlen(token); i++) {
        char kept = token[i];
        token[i] = kept == '0' ? '1' : '0';
        ck_assert_int_lt(proto_page_token_parse("jobs", token, &position, &problem), 0);
        ck_assert_uint_eq(position, 0);
        token[i] = 'G';
        ck_assert_int_lt(proto_page_token_parse("jobs", token, &position, &problem), 0);
        token[i] = kept;
    }
    token[10] = '\0';
    ck_assert_int_lt(proto_page_token_parse("jobs", token, &position, &problem), 0);
    ck_assert_int_lt(proto_page_token_parse("jobs", "' OR 1=1 --", &position, &problem), 0);
    proto_problem_deinit(&problem);
}
END_TEST

START_TEST(page_sizes)
{
    static const char *const bad[] = {"", "0", "00", "-1", "1.5", "x", "10x", " 10", "+1"};
    struct proto_problem problem = {0};
    unsigned size;

    ck_assert_int_eq(proto_page_size_parse(NULL, &size, &problem), 0);
    ck_assert_uint_eq(size, 100);
    ck_assert_int_eq(proto_page_size_parse("1", &size, &problem), 0);
    ck_assert_uint_eq(size, 1);
    ck_assert_int_eq(proto_page_size_parse("1001", &size, &problem), 0);
    ck_assert_uint_eq(size, 1000);
    ck_assert_int_eq(proto_page_size_parse("99999999999999999999999", &size, &problem), 0);
    ck_assert_uint_eq(size, 1000);
    for (size_t i = 0; i < BASE_COUNT(bad); i++)
        ck_assert_msg(proto_page_size_parse(bad[i], &size, &problem) < 0, "%s", bad[i]);
    ck_assert_int_eq(problem.status, 422);
    proto_problem_deinit(&problem);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        paths_find_their_routes,
        unknown_paths,
        a_wrong_method_learns_the_right_ones,
        the_table_is_in_the_order_of_the_enum,
        prefer_wait,
        content_types,
        entity_tags,
        accept_chooses,
        random_fields_are_survived,
        page_tokens_round_trip,
        foreign_page_tokens_are_refused,
        page_sizes,
    };

    return support_suite_run("proto_http", tests, BASE_COUNT(tests), NULL, NULL, 10);
}
