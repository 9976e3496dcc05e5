/*
 * test_proto_batch.c - the body of POST /v1/batches: what each job becomes, where errors are told,
 * hostile bodies; the document and the events of a batch.
 */
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_batch.h"
#include "tests/support/support_suite.h"

enum { MAX_JOBS = 5 };

static const char solved[] = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

static void decode(const char *body, struct proto_batch_request *out)
{
    struct proto_problem problem = {0};
    int code = proto_batch_request_decode(body, strlen(body), MAX_JOBS, NULL, out, &problem);

    ck_assert_msg(code == 0, "%s: %s", body, code ? proto_problem_encode(&problem) : "");
}

/* ---- accepting ------------------------------------------------------------------------ */

/* Each job must be what its body alone would be. */
static void expect_jobs(const char *body, const char *const *alone, size_t n)
{
    struct proto_batch_request batch;

    decode(body, &batch);
    ck_assert_uint_eq(batch.n_jobs, n);
    for (size_t i = 0; i < n; i++) {
        struct proto_job_request job;
        struct proto_problem problem = {0};

        ck_assert_int_eq(proto_job_request_decode(alone[i], strlen(alone[i]), &job, &problem), 0);
        ck_assert_str_eq(batch.jobs[i].echo, job.echo);
        ck_assert_str_eq(batch.jobs[i].key, job.key);
        proto_job_request_deinit(&job);
    }
    proto_batch_request_deinit(&batch);
}

START_TEST(jobs_are_what_they_would_be_alone)
{
    const char *const alone[] = {"{\"cycles\":\"c: (4) / e: (4)\",\"find\":\"all\"}",
                                 "{\"start\":\"R U\",\"label\":\"x\",\"priority\":7}"};

    expect_jobs("{\"name\":\"both\",\"jobs\":[{\"cycles\":\"c: (4) / e: (4)\",\"find\":\"all\"},"
                "{\"start\":\"R U\",\"label\":\"x\",\"priority\":7}]}",
                alone, 2);
}
END_TEST

START_TEST(defaults_lie_below_each_job)
{
    const char *const alone[] = {
        "{\"start\":\"R\",\"find\":\"all\",\"limits\":{\"seconds\":9}}",
        "{\"start\":\"U\",\"find\":\"one\",\"limits\":{\"seconds\":9}}",
        "{\"start\":\"F\",\"find\":\"all\",\"limits\":{\"nodes\":7}}"}; /* member by member */

    expect_jobs("{\"jobs\":[{\"start\":\"R\"},{\"start\":\"U\",\"find\":\"one\"},"
                "{\"start\":\"F\",\"limits\":{\"nodes\":7}}],"
                "\"defaults\":{\"find\":\"all\",\"limits\":{\"seconds\":9}}}",
                alone, 3);
}
END_TEST

START_TEST(scrambles_are_starts)
{
    char painted[120], body[300];
    const char *const alone[] = {"{\"start\":\"R U'\",\"fresh\":true}", painted,
                                 "{\"start\":\"\",\"fresh\":true}"};

    snprintf(painted, sizeof(painted), "{\"start\":{\"facelets\":\"%s\"},\"fresh\":true}", solved);
    snprintf(body, sizeof(body),
             "{\"scrambles\":[\"R U'\",\"%s\",\"\"],\"defaults\":{\"fresh\":true,"
             "\"start\":\"F\"}}",
             solved);
    expect_jobs(body, alone, 3);
}
END_TEST

START_TEST(the_name_is_kept)
{
    struct proto_batch_request batch;

    decode("{\"scrambles\":[\"R\"],\"name\":\"caf\\u00e9\"}", &batch);
    ck_assert_str_eq(batch.name, "caf\xc3\xa9");
    proto_batch_request_deinit(&batch);
    decode("{\"scrambles\":[\"R\"]}", &batch);
    ck_assert_ptr_null(batch.name);
    proto_batch_request_deinit(&batch);
}
END_TEST

/* ---- refusing ------------------------------------------------------------------------- */

static bool has_error(const json_t *document, const char *pointer)
{
    json_t *error;
    size_t i;

    json_array_foreach(json_object_get(document, "errors"), i, error)
    {
        if (strcmp(json_string_value(json_object_get(error, "pointer")), pointer) == 0)
            return true;
    }
    return false;
}

/* `n` errors, one of them with the pointer. */
static void expect_refusal(const char *body, const char *pointer, size_t n)
{
    struct proto_batch_request batch;
    struct proto_problem problem = {0};
    json_t *document;
    char *text;

    ck_assert_msg(proto_batch_request_decode(body, strlen(body), MAX_JOBS, NULL, &batch, &problem) <
                      0,
                  "%s", body);
    text = proto_problem_encode(&problem);
    document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(document);
    ck_assert_msg(problem.status == 422 && has_error(document, pointer) && problem.n_errors == n,
                  "%s: %s", body, text);
    ck_assert_uint_eq(batch.n_jobs, 0);
    json_decref(document);
    free(text);
    proto_problem_deinit(&problem);
}

START_TEST(errors_are_told_where_they_are)
{
    static const struct {
        const char *body, *pointer;
        size_t n;
    } cases[] = {
        {"{\"jobs\":[{\"start\":\"R\"},{\"cycles\":\"c: (2\"}]}", "/jobs/1/cycles", 1},
        {"{\"jobs\":[{\"start\":\"R\"},{\"start\":\"R\",\"limits\":{\"nodes\":0}}]}",
         "/jobs/1/limits/nodes", 1},
        {"{\"jobs\":[{\"start\":\"R\",\"fnd\":\"all\"}]}", "/jobs/0/fnd", 1},
        {"{\"jobs\":[{\"start\":\"R\",\"a/b\":1}]}", "/jobs/0/a~1b", 1},
        {"{\"jobs\":[{}]}", "/jobs/0", 1},
        {"{\"jobs\":[7,null,[],\"R\"]}", "/jobs/3", 4},
        {"{\"scrambles\":[\"R\",\"X\"]}", "/scrambles/1", 1},
        {"{\"scrambles\":[7]}", "/scrambles/0", 1},
        {"{\"scrambles\":[{\"facelets\":\"UU\"}]}", "/scrambles/0", 1},
        {"{\"scrambles\":[\"UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBU\"]}",
         "/scrambles/0", 1},
        /* What comes from the defaults is told once. */
        {"{\"jobs\":[{\"start\":\"R\"},{\"start\":\"U\"}],\"defaults\":{\"find\":\"none\"}}",
         "/defaults/find", 1},
        {"{\"scrambles\":[\"R\",\"U\"],\"defaults\":{\"limits\":{\"nodes\":-1}}}",
         "/defaults/limits/nodes", 1},
        {"{\"scrambles\":[\"R\",\"U\"],\"defaults\":{\"name\":\"x\"}}", "/defaults/name", 1},
        {"{\"jobs\":[{\"start\":\"R\",\"find\":\"x\"},{\"start\":\"U\"}],"
         "\"defaults\":{\"find\":\"y\"}}",
         "/jobs/0/find", 2},
        {"{\"jobs\":[{\"like\":\"R\"}],\"defaults\":{\"cycles\":\"c: (4) / e: (4)\"}}",
         "/jobs/0/like", 1},
        /* The body itself. */
        {"{}", "", 1},
        {"[]", "", 1},
        {"{\"jobs\":[{\"start\":\"R\"}],\"scrambles\":[\"R\"]}", "/scrambles", 1},
        {"{\"jobs\":[]}", "/jobs", 1},
        {"{\"jobs\":{}}", "/jobs", 1},
        {"{\"scrambles\":[\"\",\"\",\"\",\"\",\"\",\"\"]}", "/scrambles", 1},
        {"{\"scrambles\":[\"R\"],\"defaults\":[]}", "/defaults", 1},
        {"{\"scrambles\":[\"R\"],\"name\":5}", "/name", 1},
        {"{\"scrambles\":[\"R\"],\"label\":\"x\"}", "/label", 1},
        {"{\"scrambles\":[\"X\"],\"name\":5,\"more\":0}", "/scrambles/0", 3},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++)
        expect_refusal(cases[i].body, cases[i].pointer, cases[i].n);
}
END_TEST

START_TEST(what_is_no_json_is_malformed)
{
    static const char *const bodies[] = {
        "", "{\"jobs\":[", "{\"jobs\":[{\"start\":\"R\",\"start\":\"U\"}]}",
        "{\"jobs\":[{\"start\":\"R\"}]}x", "{\"scrambles\":[\"\xff\"]}"};

    for (size_t i = 0; i < BASE_COUNT(bodies); i++) {
        struct proto_batch_request batch;
        struct proto_problem problem = {0};

        ck_assert_int_lt(proto_batch_request_decode(bodies[i], strlen(bodies[i]), MAX_JOBS, NULL,
                                                    &batch, &problem),
                         0);
        ck_assert_msg(problem.status == 400, "%s: %d", bodies[i], problem.status);
        proto_problem_deinit(&problem);
    }
}
END_TEST

static int refuse_label(void *arg, struct proto_job_request *job, struct proto_problem *problem)
{
    unsigned *n = arg;

    (*n)++;
    if (!job->label || strcmp(job->label, "bad") != 0)
        return 0;
    return proto_problem_add(problem, PROTO_PROBLEM_INVALID_REQUEST, "/label", NULL, "is bad");
}

START_TEST(a_check_refuses_like_the_decoder)
{
    static const char body[] = "{\"jobs\":[{\"start\":\"R\",\"label\":\"good\"},{\"start\":\"X\"},"
                               "{\"start\":\"U\"}],\"defaults\":{\"label\":\"bad\"}}";
    unsigned n = 0;
    const struct proto_batch_check check = {refuse_label, &n};
    struct proto_batch_request batch;
    struct proto_problem problem = {0};
    char *text;

    ck_assert_int_lt(
        proto_batch_request_decode(body, strlen(body), MAX_JOBS, &check, &batch, &problem), 0);
    text = proto_problem_encode(&problem);
    ck_assert_uint_eq(n, 2); /* not of what could not be decoded */
    ck_assert_uint_eq(problem.n_errors, 2);
    ck_assert_ptr_nonnull(strstr(text, "\"/defaults/label\""));
    ck_assert_ptr_nonnull(strstr(text, "\"/jobs/1/start\""));
    free(text);
    proto_problem_deinit(&problem);
}
END_TEST

/* ---- telling -------------------------------------------------------------------------- */

static void expect_state(const uint64_t *n_state, const char *state, bool ended)
{
    const struct proto_batch_view view = {.id = "b_1",
                                          .created_us = 1000000,
                                          .ended_us = 2000000,
                                          .n_jobs = 6,
                                          .n_state = n_state,
                                          .last_event_id = 12};
    char *text = proto_batch_encode(&view);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *counts = json_object_get(document, "counts");

    ck_assert_str_eq(json_string_value(json_object_get(document, "state")), state);
    ck_assert_int_eq(json_is_string(json_object_get(document, "ended")), ended);
    ck_assert_int_eq(json_integer_value(json_object_get(document, "total")), 6);
    ck_assert_uint_eq(json_object_size(counts), 6);
    ck_assert_int_eq(json_integer_value(json_object_get(counts, "succeeded")),
                     (json_int_t)n_state[ENGINE_SUCCEEDED]);
    ck_assert_str_eq(
        json_string_value(json_object_get(json_object_get(document, "links"), "events")),
        "/v1/batches/b_1/events");
    json_decref(document);
    free(text);
}

START_TEST(the_state_of_a_batch_is_that_of_its_jobs)
{
    expect_state((const uint64_t[6]){[ENGINE_QUEUED] = 6}, "queued", false);
    expect_state((const uint64_t[6]){[ENGINE_QUEUED] = 5, [ENGINE_SUCCEEDED] = 1}, "running",
                 false);
    expect_state((const uint64_t[6]){[ENGINE_PAUSED] = 1, [ENGINE_FAILED] = 5}, "running", false);
    expect_state((const uint64_t[6]){[ENGINE_CANCELLED] = 2, [ENGINE_SUCCEEDED] = 4}, "ended",
                 true);
    expect_state((const uint64_t[6]){0}, "ended", true); /* all were removed one by one */
}
END_TEST

START_TEST(events_tell_their_job)
{
    static const struct {
        const char *data, *expected;
    } cases[] = {
        {"{\"state\":\"queued\"}", "{\"job\":\"j_1\",\"index\":3,\"state\":\"queued\"}"},
        {"{}", "{\"job\":\"j_1\",\"index\":3}"},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *text = proto_batch_event("j_1", 3, cases[i].data);

        ck_assert_str_eq(text, cases[i].expected);
        free(text);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        jobs_are_what_they_would_be_alone,
        defaults_lie_below_each_job,
        scrambles_are_starts,
        the_name_is_kept,
        errors_are_told_where_they_are,
        what_is_no_json_is_malformed,
        a_check_refuses_like_the_decoder,
        the_state_of_a_batch_is_that_of_its_jobs,
        events_tell_their_job,
    };

    return support_suite_run("proto_batch", tests, BASE_COUNT(tests), NULL, NULL, 20);
}
