/*
 * test_proto_tables.c - wishes for tables in a job, the body of POST /v1/tables, and where the
 * refusal of a wish points to.
 */
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/puzzle/puzzle_builtin.h"
#include "proto/proto_job.h"
#include "proto/proto_request.h"
#include "tests/support/support_suite.h"

/* ---- in a job ------------------------------------------------------------------------- */

static void decode_job(const char *tables, struct proto_job_request *out)
{
    struct proto_problem problem = {0};
    char body[512];
    int code;

    snprintf(body, sizeof(body), "{\"cycles\":\"c:(3)\",\"tables\":%s}", tables);
    code = proto_job_request_decode(body, strlen(body), out, &problem);
    ck_assert_msg(code == 0, "%s: %s", body, code ? proto_problem_encode(&problem) : "");
}

/* The echo's member `tables`; NULL: there is none. */
static char *echoed_tables(const struct proto_job_request *request)
{
    json_t *echo = json_loads(request->echo, JSON_REJECT_DUPLICATES, NULL);
    const json_t *tables = json_object_get(echo, "tables");
    char *text = tables ? json_dumps(tables, JSON_COMPACT) : NULL;

    json_decref(echo);
    return text;
}

static const struct {
    const char *tables, *echo; /* NULL: nothing is echoed */
} forms[] = {
    {"\"auto\"", NULL},
    {"{}", NULL},
    {"{\"corners\":{\"kind\":\"exact\"}}", "{\"corners\":{\"kind\":\"exact\"}}"},
    {"{\"C\":{\"encoding\":\"nxopt\",\"kind\":\"exact\"}}",
     "{\"corners\":{\"kind\":\"exact\",\"encoding\":\"nxopt\"}}"},
    {"{\"Ed\":{\"kind\":\"approximate\",\"encoding\":\"tans\"}}",
     "{\"edges\":{\"kind\":\"approximate\",\"encoding\":\"tans\"}}"},
    {"{\"e\":{\"variant\":\"hash\",\"kind\":\"approximate\"},\"c\":{\"kind\":\"approximate\","
     "\"variant\":\"subset\",\"encoding\":\"none\"}}",
     "{\"corners\":{\"kind\":\"approximate\",\"variant\":\"subset\",\"encoding\":\"none\"},"
     "\"edges\":{\"kind\":\"approximate\",\"variant\":\"hash\"}}"},
    {"{\"edges\":{\"kind\":\"fixed\"},\"corners\":{\"kind\":\"cycle_structure\",\"encoding\":"
     "\"none\"}}",
     "{\"corners\":{\"kind\":\"cycle_structure\",\"encoding\":\"none\"},"
     "\"edges\":{\"kind\":\"fixed\",\"encoding\":\"none\"}}"},
    {"{\"edges+CORNERS\":{\"kind\":\"product\"},\"e\":{\"kind\":\"fixed\"}}",
     "{\"edges\":{\"kind\":\"fixed\",\"encoding\":\"none\"},"
     "\"corners+edges\":{\"kind\":\"product\"}}"},
    {"{\"c+e\":{\"kind\":\"product\",\"encoding\":\"nxopt\"}}",
     "{\"corners+edges\":{\"kind\":\"product\",\"encoding\":\"nxopt\"}}"},
};

START_TEST(wishes_are_echoed)
{
    for (size_t i = 0; i < BASE_COUNT(forms); i++) {
        struct proto_job_request request, again;
        struct proto_problem problem = {0};
        char *echo;

        decode_job(forms[i].tables, &request);
        echo = echoed_tables(&request);
        ck_assert_msg(!echo == !forms[i].echo && (!echo || strcmp(echo, forms[i].echo) == 0),
                      "%s: %s", forms[i].tables, echo);
        ck_assert_int_eq(
            proto_job_request_decode(request.echo, strlen(request.echo), &again, &problem), 0);
        ck_assert_str_eq(again.echo, request.echo);
        proto_job_request_deinit(&again);
        proto_job_request_deinit(&request);
        free(echo);
    }
}
END_TEST

START_TEST(wishes_reach_the_engine)
{
    struct proto_job_request request;
    struct engine_spec spec;

    decode_job("\"auto\"", &request);
    proto_job_request_spec(&request, &spec);
    ck_assert(!spec.tables.orbit[0].set && !spec.tables.orbit[1].set && !spec.tables.product.set);
    proto_job_request_deinit(&request);

    decode_job("{\"e\":{\"kind\":\"approximate\",\"encoding\":\"tans\"},"
               "\"e+c\":{\"kind\":\"product\"}}",
               &request);
    proto_job_request_spec(&request, &spec);
    ck_assert(!spec.tables.orbit[0].set);
    ck_assert(spec.tables.orbit[1].set && spec.tables.orbit[1].encoding_set);
    ck_assert_int_eq(spec.tables.orbit[1].kind, TABLE_KIND_APPROXIMATE);
    ck_assert_int_eq(spec.tables.orbit[1].variant, TABLE_VARIANT_NONE);
    ck_assert_int_eq(spec.tables.orbit[1].encoding, TABLE_ENCODING_TANS);
    ck_assert(spec.tables.product.set && !spec.tables.product.encoding_set);
    ck_assert_int_eq(spec.tables.product.kind, TABLE_KIND_PRODUCT);
    proto_job_request_deinit(&request);

    decode_job("{\"e\":{\"kind\":\"approximate\",\"variant\":\"hash\"}}", &request);
    proto_job_request_spec(&request, &spec);
    ck_assert_int_eq(spec.tables.orbit[1].variant, TABLE_VARIANT_HASH);
    proto_job_request_deinit(&request);
}
END_TEST

START_TEST(puzzles_with_one_orbit)
{
    static const char body[] = "{\"puzzle\":\"2x2x2\",\"cycles\":\"c:(3)\",\"tables\":"
                               "{\"c\":{\"kind\":\"exact\",\"encoding\":\"none\"}}}";
    struct proto_job_request request;
    struct proto_problem problem = {0};
    char *echo;

    ck_assert_int_eq(proto_job_request_decode(body, strlen(body), &request, &problem), 0);
    echo = echoed_tables(&request);
    ck_assert_str_eq(echo, "{\"corners\":{\"kind\":\"exact\",\"encoding\":\"none\"}}");
    proto_job_request_deinit(&request);
    free(echo);
}
END_TEST

/* ---- what is shown -------------------------------------------------------------------- */

/* The member of that name of an object in JSON text, which is freed; NULL: it has none. */
static char *member_of(char *text, const char *name)
{
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const char *value = json_string_value(json_object_get(document, name));
    char *copy = value ? strdup(value) : NULL;

    ck_assert_ptr_nonnull(document);
    json_decref(document);
    free(text);
    return copy;
}

START_TEST(only_approximate_tables_have_a_variant)
{
    struct engine_table_info info = {.kind = "approximate", .variant = "hash"};
    struct engine_plan plan = {.n_tables = 2,
                               .table[0] = {.kind = "exact"},
                               .table[1] = {.kind = "approximate", .variant = "subset"}};
    char *variant = member_of(proto_table_encode(&info), "variant");
    char *text = proto_plan_encode(&plan);

    ck_assert_str_eq(variant, "hash");
    free(variant);
    info = (struct engine_table_info){.kind = "exact"};
    ck_assert_ptr_null(member_of(proto_table_encode(&info), "variant"));
    ck_assert_ptr_nonnull(strstr(text, "\"kind\":\"exact\",\"encoding\":"));
    ck_assert_ptr_nonnull(
        strstr(text, "\"kind\":\"approximate\",\"variant\":\"subset\",\"encoding\":"));
    free(text);
}
END_TEST

/* ---- POST /v1/tables ------------------------------------------------------------------ */

static int decode(const char *body, struct proto_tables_request *out, struct proto_problem *problem)
{
    *problem = (struct proto_problem){0};
    return proto_tables_request_decode(body, strlen(body), out, problem);
}

START_TEST(tables_bodies)
{
    static const struct {
        const char *body, *puzzle;
        size_t n_targets;
        unsigned n_moves;
        uint64_t memory;
        bool pin, wish;
    } good[] = {
        {"{}", "3x3x3", 1, 18, 0, false, false},
        {"{\"pin\":true}", "3x3x3", 1, 18, 0, true, false},
        {"{\"pin\":false,\"tables\":\"auto\"}", "3x3x3", 1, 18, 0, false, false},
        {"{\"cycles\":\"c: (1+, 5+) / e: (1+, 1+)\",\"tables\":{\"c\":{\"kind\":\"exact\"}}}",
         "3x3x3", 1, 18, 0, false, true},
        {"{\"any_of\":[\"c: (3)\",\"e: (3)\"],\"limits\":{\"memory_mib\":0.5}}", "3x3x3", 2, 18,
         512 << 10, false, false},
        {"{\"puzzle\":\"2x2x2\",\"like\":\"R U\",\"moves\":[\"R\",\"U\"]}", "2x2x2", 1, 6, 0, false,
         false},
        {"{\"order\":1260}", "3x3x3", 4, 18, 0, false, false},
    };

    for (size_t i = 0; i < BASE_COUNT(good); i++) {
        struct proto_tables_request request;
        struct proto_problem problem;
        struct engine_spec spec;

        ck_assert_msg(decode(good[i].body, &request, &problem) == 0, "%s", good[i].body);
        proto_job_request_spec(&request.job, &spec);
        ck_assert_str_eq(puzzle_name(spec.puzzle), good[i].puzzle);
        ck_assert_uint_eq(spec.n_targets, good[i].n_targets);
        ck_assert_uint_eq(puzzle_move_count(spec.puzzle), good[i].n_moves);
        ck_assert_uint_eq(spec.limits.memory_bytes, good[i].memory);
        ck_assert_int_eq(spec.tables.orbit[0].set, good[i].wish);
        ck_assert_int_eq(request.pin, good[i].pin);
        ck_assert_ptr_null(spec.start);
        proto_tables_request_deinit(&request);
        ck_assert_ptr_null(request.job.puzzle);
    }
}
END_TEST

/* The default target is the solved state. */
START_TEST(tables_of_the_solved_state)
{
    struct proto_tables_request request;
    struct proto_problem problem;

    ck_assert_int_eq(decode("{}", &request, &problem), 0);
    ck_assert_uint_eq(request.job.targets[0].n_items, 0);
    proto_tables_request_deinit(&request);
}
END_TEST

static bool has_pointer(const json_t *document, const char *pointer)
{
    const json_t *error;
    size_t i;

    json_array_foreach(json_object_get(document, "errors"), i, error)
    {
        if (strcmp(json_string_value(json_object_get(error, "pointer")), pointer) == 0)
            return true;
    }
    return false;
}

static void expect_pointer(struct proto_problem *problem, const char *pointer, const char *detail)
{
    char *text = proto_problem_encode(problem);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    ck_assert_msg(has_pointer(document, pointer) && strstr(text, detail), "%s, not %s: %s", text,
                  pointer, detail);
    ck_assert_int_eq(problem->status, 422);
    json_decref(document);
    free(text);
    proto_problem_deinit(problem);
}

START_TEST(bad_tables_bodies)
{
    static const struct {
        const char *body, *pointer, *detail;
    } bad[] = {
        {"[]", "", "must be an object"},
        {"{\"puzzle\":\"9x9\"}", "/puzzle", "no puzzle"},
        {"{\"pin\":1}", "/pin", "true or false"},
        {"{\"pined\":true}", "/pined", "unknown member"},
        {"{\"find\":\"all\"}", "/find", "unknown member"},
        {"{\"start\":\"R\"}", "/start", "unknown member"},
        {"{\"priority\":1}", "/priority", "unknown member"},
        {"{\"limits\":{\"seconds\":1}}", "/limits/seconds", "unknown member"},
        {"{\"limits\":{\"memory_mib\":0}}", "/limits/memory_mib", "must be from"},
        {"{\"cycles\":\"c: (2)\"}", "/cycles", "odd"},
        {"{\"cycles\":\"c: (3)\",\"like\":\"R\"}", "/like", "only one"},
        {"{\"moves\":[]}", "/moves", "1 to 128"},
        {"{\"tables\":{\"corners\":{\"kind\":\"product\"}}}", "/tables/corners/kind", "two orbits"},
    };

    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        struct proto_tables_request request;
        struct proto_problem problem;

        ck_assert_msg(decode(bad[i].body, &request, &problem) < 0, "%s", bad[i].body);
        expect_pointer(&problem, bad[i].pointer, bad[i].detail);
    }
}
END_TEST

/* ---- refusals by the engine ----------------------------------------------------------- */

START_TEST(refusals_point_to_the_wish)
{
    static const struct {
        const char *body;
        unsigned orbit;
        const char *pointer;
    } cases[] = {
        {"{\"tables\":{\"edges\":{\"kind\":\"exact\"},\"corners\":{\"kind\":\"fixed\"}}}", 1,
         "/tables/edges"},
        {"{\"tables\":{\"E\":{\"kind\":\"exact\"},\"c\":{\"kind\":\"fixed\"}}}", 1, "/tables/E"},
        {"{\"tables\":{\"edges+c\":{\"kind\":\"product\"}}}", PERM_MAX_ORBITS, "/tables/edges+c"},
        {"{\"tables\":{\"c\":{\"kind\":\"exact\"}}}", 1, "/tables"},
        {"{\"tables\":\"auto\"}", 0, "/tables"},
        {"{}", 0, ""},
    };
    struct puzzle *cube;

    ck_assert_int_eq(puzzle_builtin_new("3x3x3", &cube), 0);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct proto_problem problem = {0};
        struct proto_tables_refusal refusal = {cases[i].orbit, "too large"};
        ck_assert_int_lt(
            proto_tables_refuse(cases[i].body, strlen(cases[i].body), cube, &refusal, &problem), 0);
        ck_assert_int_eq(problem.kind, PROTO_PROBLEM_INVALID_REQUEST);
        expect_pointer(&problem, cases[i].pointer, "too large");
    }
    puzzle_release(cube);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        wishes_are_echoed,
        wishes_reach_the_engine,
        only_approximate_tables_have_a_variant,
        puzzles_with_one_orbit,
        tables_bodies,
        tables_of_the_solved_state,
        bad_tables_bodies,
        refusals_point_to_the_wish,
    };

    return support_suite_run("proto_tables", tests, BASE_COUNT(tests), NULL, NULL, 20);
}
