/*
 * test_server_guard.c - heads of requests that are refused before anybody looks at their meaning.
 */
#include "core/base/base_attr.h"
#include "server/server_guard.h"
#include "tests/support/support_suite.h"

static const struct config_list NOTHING = {0};
static const struct config_list ALLOWED = {2, {"cube.example.org", "10.0.0.7:9000"}};
static const struct config_addresses LISTEN = {3,
                                               {{"192.0.2.5:0", "192.0.2.5", NULL, 0},
                                                {"[2001:db8::5]:80", "2001:db8::5", NULL, 80},
                                                {"unix:/run/x", NULL, "/run/x", 0}}};
static const struct config_list ORIGINS = {1, {"https://page.example.org"}};

/* Status of the guard's refusal, 0: it passes. */
static int status_of(int code, struct proto_problem *problem)
{
    int status = code ? problem->status : 0;

    ck_assert_int_eq(code != 0, problem->set);
    proto_problem_deinit(problem);
    return status;
}

static int host(const char *text, const struct config_list *allowed)
{
    struct server_head head = {.host = text, .n_host = 1};
    struct proto_problem problem = {0};

    return status_of(server_guard_host(&head, allowed, &LISTEN, &problem), &problem);
}

START_TEST(loopback_literals_are_hosts_with_any_port)
{
    const char *good[] = {"localhost",     "LOCALHOST:80", "127.0.0.1", "127.0.0.1:65535",
                          "127.200.1.9:1", "[::1]",        "[::1]:8080"};
    const char *bad[] = {"localhost.evil.org",
                         "evil.org",
                         "127.0.0.1.evil.org",
                         "128.0.0.1",
                         "[::2]",
                         "[::1",
                         "[::1]x",
                         "127.0.0.1:80x",
                         "::1",
                         "",
                         "0.0.0.0",
                         "127.1",
                         "2130706433"};

    for (size_t i = 0; i < BASE_COUNT(good); i++)
        ck_assert_msg(host(good[i], &NOTHING) == 0, "%s", good[i]);
    for (size_t i = 0; i < BASE_COUNT(bad); i++)
        ck_assert_msg(host(bad[i], &NOTHING) == 403, "%s", bad[i]);
}
END_TEST

START_TEST(listed_hosts_are_hosts)
{
    ck_assert_int_eq(host("cube.example.org", &ALLOWED), 0);
    ck_assert_int_eq(host("Cube.Example.org:1234", &ALLOWED), 0);
    ck_assert_int_eq(host("10.0.0.7:9000", &ALLOWED), 0);
    ck_assert_int_eq(host("10.0.0.7:9001", &ALLOWED), 403);
    ck_assert_int_eq(host("cube.example.org.evil.org", &ALLOWED), 403);
    ck_assert_int_eq(host(NULL, &ALLOWED), 400);
}
END_TEST

static int origin(const char *text, const char *own)
{
    struct server_head head = {.host = own, .origin = text};
    struct proto_problem problem = {0};

    return status_of(server_guard_origin(&head, &ORIGINS, &problem), &problem);
}

START_TEST(what_is_listened_on_is_a_host)
{
    ck_assert_int_eq(host("192.0.2.5", &NOTHING), 0);
    ck_assert_int_eq(host("192.0.2.5:8080", &NOTHING), 0);
    ck_assert_int_eq(host("[2001:DB8::5]:80", &NOTHING), 0);
    ck_assert_int_eq(host("192.0.2.50", &NOTHING), 403);
    ck_assert_int_eq(host("192.0.2.5.evil.org", &NOTHING), 403);
    ck_assert_int_eq(host("2001:db8::5", &NOTHING), 403);
    ck_assert_int_eq(host("unix", &NOTHING), 403);
    ck_assert_int_eq(host("unix:/run/x", &NOTHING), 403);
}
END_TEST

START_TEST(origins_are_ours_or_listed)
{
    ck_assert_int_eq(origin(NULL, "localhost:8080"), 0);
    ck_assert_int_eq(origin("http://localhost:8080", "localhost:8080"), 0);
    ck_assert_int_eq(origin("https://page.example.org", "localhost:8080"), 0);
    ck_assert_int_eq(origin("http://localhost:9090", "localhost:8080"), 403);
    ck_assert_int_eq(origin("http://evil.org", "localhost:8080"), 403);
    ck_assert_int_eq(origin("null", "localhost:8080"), 403);
    ck_assert_int_eq(origin("file://localhost:8080", "localhost:8080"), 403);
    ck_assert_int_eq(origin("https://page.example.org.evil.org", "localhost:8080"), 403);
}
END_TEST

static int framing(struct server_head head)
{
    struct proto_problem problem = {0};

    return status_of(server_guard_framing(&head, &problem), &problem);
}

START_TEST(ambiguous_framing_is_refused)
{
    ck_assert_int_eq(framing((struct server_head){0}), 0);
    ck_assert_int_eq(framing((struct server_head){.content_length = "12", .n_content_length = 1}),
                     0);
    ck_assert_int_eq(
        framing((struct server_head){.transfer_encoding = "Chunked", .n_transfer_encoding = 1}), 0);
    ck_assert_int_eq(framing((struct server_head){.content_length = "12",
                                                  .n_content_length = 1,
                                                  .transfer_encoding = "chunked",
                                                  .n_transfer_encoding = 1}),
                     400);
    ck_assert_int_eq(
        framing((struct server_head){.transfer_encoding = "gzip", .n_transfer_encoding = 1}), 400);
    ck_assert_int_eq(framing((struct server_head){.transfer_encoding = "chunked, chunked",
                                                  .n_transfer_encoding = 1}),
                     400);
    ck_assert_int_eq(framing((struct server_head){.content_length = "12", .n_content_length = 2}),
                     400);
    ck_assert_int_eq(framing((struct server_head){.content_length = "+12", .n_content_length = 1}),
                     400);
    ck_assert_int_eq(framing((struct server_head){.content_length = "99999999999999999999",
                                                  .n_content_length = 1}),
                     400);
    ck_assert_int_eq(framing((struct server_head){.n_host = 2}), 400);
}
END_TEST

static int fields(const char *const (*field)[2], size_t n)
{
    struct server_head head = {0};

    for (size_t i = 0; i < n; i++)
        server_guard_take_field(&head, field[i][0], field[i][1]);
    return framing(head);
}

START_TEST(fields_are_counted_whatever_their_case)
{
    static const char *const good[][2] = {
        {"host", "a"}, {"CONTENT-LENGTH", "5"}, {"authorization", "Bearer x"}, {"X-A!~", "\t\xe9"}};
    static const char *const twice[][2] = {{"content-length", "5"}, {"Content-Length", "5"}};
    static const char *const both[][2] = {{"content-length", "5"},
                                          {"transfer-encoding", "chunked"}};
    static const char *const tokens[][2] = {{"Authorization", "a"}, {"authorization", "b"}};
    struct server_head head = {0};

    ck_assert_int_eq(fields(good, BASE_COUNT(good)), 0);
    ck_assert_int_eq(fields(twice, BASE_COUNT(twice)), 400);
    ck_assert_int_eq(fields(both, BASE_COUNT(both)), 400);
    ck_assert_int_eq(fields(tokens, BASE_COUNT(tokens)), 400);
    server_guard_take_field(&head, "oRIGIN", "x");
    ck_assert_str_eq(head.origin, "x");
}
END_TEST

START_TEST(odd_fields_are_refused)
{
    static const char *const odd[][2] = {
        {"Content-Length ", "5"},
        {"Transfer-Encoding\t", "chunked"},
        {"", "x"},
        {"X-AContent-Length: 5", "b"},
        {"X(a)", "b"},
        {"X\xe9", "b"},
        {"X", "a\rContent-Length: 5"},
        {"Transfer-Encoding", "\x0b"
                              "chunked"},
        {"X", "\x7f"},
        {"Transfer-Encodingchunked", ""},
        {"content-length5", ""},
    };

    for (size_t i = 0; i < BASE_COUNT(odd); i++)
        ck_assert_int_eq(fields(&odd[i], 1), 400);
}
END_TEST

static int body(struct server_head head)
{
    struct proto_problem problem = {0};

    return status_of(server_guard_body(&head, 1000, &problem), &problem);
}

START_TEST(bodies_are_plain_json_of_bounded_length)
{
    ck_assert_int_eq(body((struct server_head){.content_length = "1000"}), 0);
    ck_assert_int_eq(body((struct server_head){.content_length = "1001"}), 413);
    ck_assert_int_eq(body((struct server_head){.content_type = "text/xml"}), 415);
    ck_assert_int_eq(body((struct server_head){.content_type = "application/json"}), 0);
    ck_assert_int_eq(body((struct server_head){.content_encoding = "gzip"}), 415);
    ck_assert_int_eq(body((struct server_head){.content_encoding = "identity"}), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {loopback_literals_are_hosts_with_any_port,
                                  listed_hosts_are_hosts,
                                  what_is_listened_on_is_a_host,
                                  origins_are_ours_or_listed,
                                  ambiguous_framing_is_refused,
                                  fields_are_counted_whatever_their_case,
                                  odd_fields_are_refused,
                                  bodies_are_plain_json_of_bounded_length};

    return support_suite_run("server_guard", tests, BASE_COUNT(tests), NULL, NULL, 10);
}
