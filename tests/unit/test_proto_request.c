/*
 * test_proto_request.c - bodies of requests: what is understood, and when two requests are equal.
 */
#include <check.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_request.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

/* ---- accepting ------------------------------------------------------------------------ */

static void decode(const char *body, struct proto_job_request *out)
{
    struct proto_problem problem = {0};
    int code = proto_job_request_decode(body, strlen(body), out, &problem);
    char *text = code ? proto_problem_encode(&problem) : NULL;

    ck_assert_msg(code == 0, "%s: %s", body, text);
}

/* The echo, less the members that every request has. */
static char *short_echo(const struct proto_job_request *request)
{
    static const char *const usual[] = {"puzzle",     "metric",   "find", "slack",
                                        "min_length", "priority", "fresh"};
    json_t *echo = json_loads(request->echo, JSON_REJECT_DUPLICATES, NULL);
    char *text;

    ck_assert_ptr_nonnull(echo);
    for (size_t i = 0; i < BASE_COUNT(usual); i++)
        ck_assert_msg(json_object_del(echo, usual[i]) == 0, "%s", usual[i]);
    text = json_dumps(echo, JSON_COMPACT);
    json_decref(echo);
    return text;
}

static void expect_echo(const char *body, const char *expected)
{
    struct proto_job_request request;
    char *echo;

    decode(body, &request);
    echo = short_echo(&request);
    ck_assert_msg(strcmp(echo, expected) == 0, "%s: %s", body, echo);
    free(echo);
    proto_job_request_deinit(&request);
}

static const char hard30[] = "{\"cycles\":{\"corners\":[[1,true],[5,true]],"
                             "\"edges\":[[1,true],[1,true]]}}";

START_TEST(forms_of_cycles)
{
    static const char *const bodies[] = {
        "{\"cycles\": \"c: (1+, 5+) / e: (1+, 1+)\"}",
        "{\"cycles\": \"edges:(1+)x2/CORNERS: (5o) (1+)\"}",
        "{\"cycles\": \"e: (1+)\xC3\x97 2 \\n c: (1+,5+)\"}",
        "{\"cycles\":{\"edges\":[[1,true],[1,true]],\"corners\":[[5,true],[1,true],[1,false]]}}",
        ("{\"cycles\":{\"corners\":[{\"length\":5,\"oriented\":true},[1,true]],"
         "\"edges\":[{\"oriented\":true,\"length\":1},[1,true],{\"length\":1}]}}"),
        "{\"any_of\":[\"c: (1+, 5+) / e: (1+, 1+)\",\"c:(5+,1+)/e:(1+,1+)\"]}",
    };

    for (size_t i = 0; i < BASE_COUNT(bodies); i++)
        expect_echo(bodies[i], hard30);
    expect_echo("{\"cycles\":\"c:\"}", "{\"cycles\":{\"corners\":[],\"edges\":[]}}");
    expect_echo("{\"cycles\":{}}", "{\"cycles\":{\"corners\":[],\"edges\":[]}}");
}
END_TEST

START_TEST(other_targets)
{
    expect_echo("{\"like\":\"U R U' D2 B\"}", "{\"cycles\":{\"corners\":[[1,true],[5,true]],"
                                              "\"edges\":[[1,true],[7,true]]}}");
    expect_echo("{\"order\":1260}", "{\"order\":1260}");
    expect_echo("{\"order\":1}", "{\"cycles\":{\"corners\":[],\"edges\":[]}}");
    expect_echo("{\"any_of\":[\"e: (3)\",\"c: (3)\"]}",
                "{\"any_of\":[{\"corners\":[[3,false]],\"edges\":[]},"
                "{\"corners\":[],\"edges\":[[3,false]]}]}");
    expect_echo("{\"start\":\"RUF2 (D)'\"}", "{\"start\":\"R U F2 D'\"}");
    expect_echo("{\"start\":\"R\",\"cycles\":\"c:(3)\"}",
                "{\"cycles\":{\"corners\":[[3,false]],\"edges\":[]},\"start\":\"R\"}");
    expect_echo(
        "{\"start\":{\"facelets\":\"UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB\"}}",
        "{\"start\":{\"facelets\":\"UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB\"}}");
    expect_echo(
        "{\"start\":{\"facelets\":\"UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
        "{\"cycles\":{\"corners\":[],\"edges\":[]}}");
    expect_echo("{\"start\":\"R R'\"}", "{\"cycles\":{\"corners\":[],\"edges\":[]}}");
    expect_echo("{\"puzzle\":\"2x2x2\",\"like\":\"R U\"}",
                "{\"cycles\":{\"corners\":[[1,true],[5,true]]}}");
}
END_TEST

START_TEST(targets_are_told)
{
    static const struct {
        const char *body, *target;
    } cases[] = {
        {"{\"cycles\":\"c: (1+, 5+) / e: (1+, 1+)\"}",
         "{\"text\":\"c: (1+, 5+) / e: (1+, 1+)\",\"order\":30,\"states\":\"43110144\","
         "\"log10_states\":7.63,\"structures\":1}"},
        {"{\"start\":\"R\"}", "{\"text\":\"c: / e:\",\"order\":1,\"states\":\"1\","
                              "\"log10_states\":0,\"structures\":1}"},
        {"{\"any_of\":[\"c:(3)\",\"e:(3)\"]}",
         "{\"text\":null,\"order\":3,\"states\":\"2768\",\"log10_states\":3.44,"
         "\"structures\":2}"},
        {"{\"any_of\":[\"c:(3)\",\"e:(5)\"]}",
         "{\"text\":null,\"order\":null,\"states\":\"305136\",\"log10_states\":5.48,"
         "\"structures\":2}"},
        {"{\"order\":1260}", "{\"text\":null,\"order\":1260,\"states\":\"51490480088678400\","
                             "\"log10_states\":16.71,\"structures\":4}"},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct proto_job_request request;
        decode(cases[i].body, &request);
        ck_assert_str_eq(request.target, cases[i].target);
        proto_job_request_deinit(&request);
    }
}
END_TEST

START_TEST(moves_are_closed_and_echoed)
{
    static const char target[] = "\"cycles\":{\"corners\":[],\"edges\":[]}";
    static const struct {
        const char *moves, *echo;
        unsigned n;
    } cases[] = {
        {"[\"R\",\"U\"]", "[\"U\",\"U2\",\"U'\",\"R\",\"R2\",\"R'\"]", 6},
        {"[\"R2\",\"U2\",\"R2\"]", "[\"U2\",\"R2\"]", 2},
        {"[\"R'\"]", "[\"R'\"]", 2},
        {"[\"R3\",\"F\"]", "[\"R'\",\"F\",\"F2\",\"F'\"]", 5},
        {"[\"[R: U]\",\"U2\"]", "[\"U2\",\"[R: U]\",\"[R: U]'\"]", 3},
        {"[\"R'\",\"(R2)\"]", "[\"(R2)\",\"R'\"]", 3},
        {"[\"(R2)\"]", "[\"(R2)\"]", 1},
        {"[\"(R U)'\",\"R\"]", "[\"R\",\"R2\",\"R'\",\"(R U)'\",\"(R U)\"]", 5},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct proto_job_request request;
        char body[256], expected[256];
        snprintf(body, sizeof(body), "{\"moves\":%s,\"cycles\":\"c:\"}", cases[i].moves);
        snprintf(expected, sizeof(expected), "{%s,\"moves\":%s}", target, cases[i].echo);
        expect_echo(body, expected);
        decode(body, &request);
        ck_assert_uint_eq(puzzle_move_count(request.puzzle), cases[i].n);
        proto_job_request_deinit(&request);
    }
}
END_TEST

START_TEST(defaults)
{
    struct proto_job_request request;
    struct engine_spec spec;

    decode("{\"cycles\":\"c: (3)\"}", &request);
    proto_job_request_spec(&request, &spec);
    ck_assert_ptr_eq(spec.puzzle, request.puzzle);
    ck_assert_uint_eq(spec.n_targets, 1);
    ck_assert_ptr_eq(spec.targets, request.targets);
    ck_assert_ptr_null(spec.start);
    ck_assert_int_eq(spec.find, ENGINE_FIND_ONE);
    ck_assert_uint_eq(spec.slack, 0);
    ck_assert_uint_eq(spec.min_length, 0);
    ck_assert_uint_eq(spec.max_length, UINT_MAX);
    ck_assert(!spec.max_length_set);
    ck_assert_uint_eq(spec.priority, 5);
    ck_assert_uint_eq(spec.limits.nodes, 0);
    ck_assert_uint_eq(spec.limits.memory_bytes, 0);
    ck_assert(!request.fresh);
    ck_assert_ptr_null(request.label);
    proto_job_request_deinit(&request);
    ck_assert_ptr_null(request.puzzle);
}
END_TEST

START_TEST(everything_given)
{
    static const char body[] =
        "{\"puzzle\":\"3x3x3\",\"start\":\"R U\",\"cycles\":\"c: (3)\",\"moves\":[\"R\",\"U\"],"
        "\"metric\":\"htm\",\"find\":\"all\",\"slack\":2,\"min_length\":3,\"max_length\":9,"
        "\"identical\":false,\"limits\":{\"seconds\":1.5,\"nodes\":1000,\"memory_mib\":0.5,"
        "\"solutions\":7},\"tables\":\"auto\",\"priority\":9,\"fresh\":true,"
        "\"label\":\"\xE2\x80\x9Cmine\xE2\x80\x9D\"}";
    struct proto_job_request request;
    struct engine_spec spec;
    struct puzzle *cube = support_builtin("3x3x3");
    uint8_t state[PERM_MAX_BYTES];

    support_word_state(cube, "R U", state);
    decode(body, &request);
    proto_job_request_spec(&request, &spec);
    ck_assert_mem_eq(spec.start, state, puzzle_shape(cube)->bytes);
    ck_assert_uint_eq(puzzle_move_count(spec.puzzle), 6);
    ck_assert_int_eq(spec.find, ENGINE_FIND_ALL);
    ck_assert_uint_eq(spec.slack, 2);
    ck_assert_uint_eq(spec.min_length, 3);
    ck_assert_uint_eq(spec.max_length, 9);
    ck_assert(spec.max_length_set);
    ck_assert_double_eq(spec.limits.seconds, 1.5);
    ck_assert_uint_eq(spec.limits.nodes, 1000);
    ck_assert_uint_eq(spec.limits.memory_bytes, 512 * 1024);
    ck_assert_uint_eq(spec.limits.solutions, 7);
    ck_assert_uint_eq(spec.priority, 9);
    ck_assert(request.fresh);
    ck_assert_str_eq(request.label, "\xE2\x80\x9Cmine\xE2\x80\x9D");
    proto_job_request_deinit(&request);
    puzzle_release(cube);
}
END_TEST

static const char *const good_bodies[] = {
    "{\"cycles\":\"c: (1+, 5+) / e: (1+, 1+)\"}",
    "{\"like\":\"U R U' D2 B\",\"find\":\"all\",\"slack\":1}",
    "{\"order\":30,\"max_length\":0}",
    "{\"order\":1}",
    "{\"any_of\":[\"c: (3)\",{\"edges\":[[3,false]]},\"e: (1+) \xC3\x97 12\"]}",
    "{\"start\":\"(R U2 [F, D'])3\",\"moves\":[\"U\",\"F\",\"R\",\"D\"]}",
    "{\"start\":\"\"}",
    "{\"start\":{\"facelets\":\"UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB\"}}",
    "{\"start\":\"R R'\",\"moves\":[\"R'\"]}",
    "{\"start\":\"R\",\"cycles\":\"c:\",\"moves\":[\"R'\",\"[R: U]\",\"(R U2)'\"]}",
    "{\"start\":\"R\",\"cycles\":\"c:(4)/e:(4)\",\"moves\":[\"U2\"]}",
    "{\"puzzle\":\"2x2x2\",\"like\":\"R U\",\"moves\":[\"R2\",\"U\"]}",
    "{\"cycles\":\"c:(3)\",\"limits\":{\"seconds\":0.000001,\"memory_mib\":0.0000017}}",
    "{\"cycles\":\"c:(3)\",\"label\":\"\"}",
    "{\"cycles\":\"c:(3)\",\"limits\":{\"memory_mib\":12345.678,\"nodes\":9007199254740993}}",
    "{\"cycles\":\"c:(3)\",\"min_length\":64,\"max_length\":64,\"priority\":0}",
};

/* The echo is a body that means the same, and its own echo. */
START_TEST(the_echo_decodes_to_the_same)
{
    for (size_t i = 0; i < BASE_COUNT(good_bodies); i++) {
        struct proto_job_request first, second;
        decode(good_bodies[i], &first);
        decode(first.echo, &second);
        ck_assert_str_eq(first.echo, second.echo);
        ck_assert_str_eq(first.key, second.key);
        ck_assert_str_eq(first.target, second.target);
        ck_assert(puzzle_equal(first.puzzle, second.puzzle));
        ck_assert_uint_eq(first.n_targets, second.n_targets);
        ck_assert_uint_eq(first.limits.memory_bytes, second.limits.memory_bytes);
        ck_assert_uint_eq(first.limits.nodes, second.limits.nodes);
        ck_assert_double_eq(first.limits.seconds, second.limits.seconds);
        proto_job_request_deinit(&first);
        proto_job_request_deinit(&second);
    }
}
END_TEST

static bool keys_are_equal(const char *a, const char *b)
{
    struct proto_job_request first, second;
    bool equal;

    decode(a, &first);
    decode(b, &second);
    equal = strcmp(first.key, second.key) == 0;
    proto_job_request_deinit(&first);
    proto_job_request_deinit(&second);
    return equal;
}

START_TEST(equal_requests_have_equal_keys)
{
    static const char *const equal[][2] = {
        {"{\"cycles\":\"c:(3)\"}", "{\"like\":\"[[R: U2], D]\"}"},
        {"{\"cycles\":\"c:(3)\"}",
         "{\"cycles\":{\"corners\":[[1,false],[3,false]]},\"label\":\"x\","
         "\"priority\":1,\"fresh\":true,\"limits\":{\"seconds\":1}}"},
        {"{\"cycles\":\"c:(3)\"}",
         "{\"any_of\":[\"c:(3)\"],\"puzzle\":\"3x3x3\",\"find\":\"one\",\"slack\":0,"
         "\"min_length\":0}"},
        {"{\"start\":{\"facelets\":\"UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB\"}}",
         "{\"start\":\"R U\"}"},
        {"{\"start\":\"R3\"}", "{\"start\":\"U U' R'\",\"cycles\":\"c:\"}"},
        {"{\"start\":\"\"}", "{\"cycles\":\"c:\"}"},
        {"{\"cycles\":\"c:(3)\",\"moves\":[\"R\",\"U\"]}",
         "{\"cycles\":\"c:(3)\",\"moves\":[\"U'\",\"U2\",\"R\",\"R\"]}"},
        {"{\"cycles\":\"c:(3)\"}",
         "{\"cycles\":\"c:(3)\",\"moves\":[\"B\",\"R\",\"U\",\"F\",\"L\",\"D\"]}"},
        {"{\"cycles\":\"c:(3)\"}",
         "{\"cycles\":\"c:(3)\",\"tables\":{\"edges\":{\"kind\":\"fixed\"}}}"},
    };

    for (size_t i = 0; i < BASE_COUNT(equal); i++)
        ck_assert_msg(keys_are_equal(equal[i][0], equal[i][1]), "%s %s", equal[i][0], equal[i][1]);
}
END_TEST

START_TEST(different_requests_have_different_keys)
{
    static const char *const bodies[] = {
        "{\"cycles\":\"c:(3)\"}",
        "{\"cycles\":\"e:(3)\"}",
        "{\"cycles\":\"c:(3)\",\"find\":\"all\"}",
        "{\"cycles\":\"c:(3)\",\"find\":\"all\",\"slack\":1}",
        "{\"cycles\":\"c:(3)\",\"min_length\":1}",
        "{\"cycles\":\"c:(3)\",\"max_length\":64}",
        "{\"cycles\":\"c:(3)\",\"max_length\":0}",
        "{\"cycles\":\"c:(3)\",\"moves\":[\"R\",\"U\"]}",
        "{\"cycles\":\"c:(3)\",\"moves\":[\"R\",\"U2\",\"F\"]}",
        "{\"cycles\":\"c:(3)\",\"start\":\"R U\"}",
        "{\"cycles\":\"c:(3)\",\"start\":\"U R\"}",
        "{\"puzzle\":\"2x2x2\",\"cycles\":\"c:(3)\"}",
        "{\"any_of\":[\"c:(3)\",\"e:(3)\"]}",
        "{\"order\":3}",
        "{\"order\":5}",
    };

    for (size_t i = 0; i < BASE_COUNT(bodies); i++) {
        for (size_t k = 0; k < i; k++)
            ck_assert_msg(!keys_are_equal(bodies[i], bodies[k]), "%s %s", bodies[i], bodies[k]);
    }
}
END_TEST

/* ---- analyze -------------------------------------------------------------------------- */

/* Decodes `body`, caps it and returns the status of the refusal, 0: none. */
static int cap(const char *body, struct engine_limits most, struct proto_job_request *out)
{
    struct proto_problem problem = {0};
    int status = 0;

    ck_assert_int_eq(proto_job_request_decode(body, strlen(body), out, &problem), 0);
    if (proto_job_request_cap(out, &most, &problem))
        status = problem.status;
    proto_problem_deinit(&problem);
    return status;
}

START_TEST(limits_of_the_server_become_those_of_the_job)
{
    const struct engine_limits most = {.seconds = 60, .nodes = 1000};
    struct proto_job_request request, again;
    struct proto_problem problem = {0};

    ck_assert_int_eq(cap("{\"cycles\":\"c: (3)\"}", most, &request), 0);
    ck_assert(request.limits.seconds == 60 && request.limits.nodes == 1000);
    ck_assert_ptr_nonnull(strstr(request.echo, "\"limits\":{\"seconds\":60,\"nodes\":1000}"));
    ck_assert_int_eq(proto_job_request_decode(request.echo, strlen(request.echo), &again, &problem),
                     0);
    ck_assert(again.limits.seconds == 60 && again.limits.nodes == 1000);
    ck_assert_str_eq(request.key, again.key);
    proto_job_request_deinit(&again);
    proto_job_request_deinit(&request);
    ck_assert_int_eq(cap("{\"cycles\":\"c: (3)\",\"limits\":{\"seconds\":1.5,\"memory_mib\":8}}",
                         most, &request),
                     0);
    ck_assert(request.limits.seconds == 1.5 && request.limits.nodes == 1000);
    ck_assert_ptr_nonnull(strstr(request.echo, "\"memory_mib\":8"));
    ck_assert_ptr_nonnull(strstr(request.echo, "\"seconds\":1.5"));
    proto_job_request_deinit(&request);
}
END_TEST

START_TEST(more_than_the_server_allows_is_refused)
{
    static const char wishes[] =
        "{\"cycles\":\"c: (3)\",\"limits\":{\"seconds\":61,\"nodes\":1001}}";
    const struct engine_limits none = {0};
    struct proto_job_request request;

    ck_assert_int_eq(cap(wishes, (struct engine_limits){.seconds = 60}, &request), 422);
    proto_job_request_deinit(&request);
    ck_assert_int_eq(cap(wishes, (struct engine_limits){.nodes = 1000}, &request), 422);
    ck_assert(request.limits.seconds == 61 && request.limits.nodes == 1001);
    proto_job_request_deinit(&request);
    ck_assert_int_eq(cap(wishes, none, &request), 0);
    proto_job_request_deinit(&request);
    ck_assert_int_eq(cap("{\"cycles\":\"c: (3)\"}", none, &request), 0);
    ck_assert_ptr_null(strstr(request.echo, "limits"));
    proto_job_request_deinit(&request);
}
END_TEST

START_TEST(analyze_bodies)
{
    static const char *const good[] = {
        "{\"alg\":\"R U2\"}",
        "{\"start\":\"RU2\",\"puzzle\":\"3x3x3\"}",
    };
    static const char *const bad[] = {
        "{}",
        "{\"alg\":\"R\",\"start\":\"R\"}",
        "{\"alg\":5}",
        "{\"alg\":\"Q\"}",
        "{\"puzzle\":\"x\",\"alg\":\"R\"}",
        "{\"algo\":\"R\"}",
        "{\"start\":{\"facelets\":\"U\"}}",
        "[\"R\"]",
    };
    struct proto_analyze_request request;
    struct proto_problem problem = {0};

    for (size_t i = 0; i < BASE_COUNT(good); i++) {
        ck_assert_int_eq(proto_analyze_request_decode(good[i], strlen(good[i]), &request, &problem),
                         0);
        ck_assert_str_eq(request.canonical, "R U2");
        ck_assert_str_eq(puzzle_name(request.puzzle), "3x3x3");
        proto_analyze_request_deinit(&request);
    }
    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        ck_assert_msg(proto_analyze_request_decode(bad[i], strlen(bad[i]), &request, &problem) < 0,
                      "%s", bad[i]);
        ck_assert_int_eq(problem.status, 422);
        proto_problem_deinit(&problem);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        forms_of_cycles,
        other_targets,
        targets_are_told,
        moves_are_closed_and_echoed,
        defaults,
        everything_given,
        the_echo_decodes_to_the_same,
        equal_requests_have_equal_keys,
        different_requests_have_different_keys,
        analyze_bodies,
        limits_of_the_server_become_those_of_the_job,
        more_than_the_server_allows_is_refused,
    };

    return support_suite_run("proto_request", tests, BASE_COUNT(tests), NULL, NULL, 20);
}
