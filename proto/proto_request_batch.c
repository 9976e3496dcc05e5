/*
 * proto_request_batch.c - the body of POST /v1/batches.
 *
 * Each job is decoded as if it had come alone, from its members and the defaults that it does not
 * replace; then its errors are told where the writer of the body finds them:
 *
 *     in the job            where the value came from      in the body
 *     /cycles               job 17 of `jobs`               /jobs/17/cycles
 *     /find                 defaults                       /defaults/find
 *     /start, /start/...    scramble 17                    /scrambles/17
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_batch.h"
#include "proto/proto_facelets.h"
#include "proto/proto_request_int.h"
#include "proto/proto_schema_int.h"

static const char jobs_name[] = "jobs";
static const char scrambles_name[] = "scrambles";
static const char start_name[] = "start";

struct batch_decoder {
    struct proto_batch_request *out;
    const struct proto_batch_check *check;
    size_t max_jobs;
    json_t *defaults; /* borrowed; NULL: none */
    const char *list; /* the name of the list */
    struct proto_problem *problem;
};

/* ---- one job -------------------------------------------------------------------------- */

static bool is_facelets(const char *text, size_t length)
{
    return length == PROTO_FACELETS_BYTES - 1 && strspn(text, "URFDLB") == length;
}

/* New reference; NULL: out of memory. What is no text is left to the decoder of starts, which knows
 * other forms too. */
static json_t *start_of(json_t *scramble)
{
    if (json_is_string(scramble) &&
        is_facelets(json_string_value(scramble), json_string_length(scramble)))
        return json_pack("{s:O}", "facelets", scramble);
    return json_incref(scramble);
}

/* The job as it would have come alone: new reference, NULL: out of memory. */
static json_t *whole_job(const struct batch_decoder *decoder, json_t *element)
{
    bool is_scramble = decoder->list == scrambles_name;
    json_t *job = decoder->defaults ? json_copy(decoder->defaults) : json_object();
    int failed = !job;

    if (!failed && is_scramble)
        failed = json_object_set_new(job, start_name, start_of(element));
    else if (!failed && json_is_object(element))
        failed = json_object_update(job, element);
    if (failed || (!is_scramble && !json_is_object(element))) {
        json_decref(job);
        return failed ? NULL : json_incref(element);
    }
    return job;
}

/* ---- where errors are ----------------------------------------------------------------- */

struct place {
    const struct batch_decoder *decoder;
    json_t *element;
    size_t index;
};

/* Did the member that begins at `name` and ends at `length` come from the defaults? Names of
 * members that need escapes are no names of ours. */
static bool is_default(const struct place *place, const char *name, size_t length)
{
    char key[64];

    if (!length || length >= sizeof(key))
        return false;
    memcpy(key, name, length);
    key[length] = '\0';
    return json_object_get(place->decoder->defaults, key) && !json_object_get(place->element, key);
}

static void find_place(void *arg, const char *pointer, struct base_buf *out)
{
    const struct place *place = arg;
    const char *name = *pointer ? pointer + 1 : pointer;
    size_t length = strcspn(name, "/");
    bool is_scramble = place->decoder->list == scrambles_name;
    bool is_start =
        is_scramble && length == strlen(start_name) && strncmp(name, start_name, length) == 0;

    if (!is_start && is_default(place, name, length))
        base_buf_printf(out, "/defaults%s", pointer);
    else
        base_buf_printf(out, "/%s/%zu%s", place->decoder->list, place->index,
                        is_scramble ? "" : pointer);
}

/* ---- the list ------------------------------------------------------------------------- */

static int decode_job(struct batch_decoder *decoder, json_t *element, struct proto_problem *problem)
{
    struct proto_job_request *job = &decoder->out->jobs[decoder->out->n_jobs];
    const struct proto_batch_check *check = decoder->check;
    json_t *whole = whole_job(decoder, element);
    int code;

    if (!whole)
        return proto_problem_set_err(problem, BASE_ERR_NOMEM, NULL);
    code = proto__request_decode_job(whole, job, problem);
    if (!code) {
        decoder->out->n_jobs++;
        code = check && check->judge ? check->judge(check->arg, job, problem) : 0;
    }
    json_decref(whole);
    return code;
}

/* Looks no further once no error more can be told. */
static void decode_list(struct batch_decoder *decoder, const struct proto_json_at *list)
{
    size_t n = json_array_size(list->value);

    decoder->out->jobs = calloc(n, sizeof(*decoder->out->jobs));
    if (!decoder->out->jobs) {
        proto_problem_set_err(decoder->problem, BASE_ERR_NOMEM, NULL);
        return;
    }
    for (size_t i = 0; i < n && decoder->problem->n_errors < PROTO_PROBLEM_MAX_ERRORS; i++) {
        struct place place = {decoder, json_array_get(list->value, i), i};
        struct proto_problem problem = {0};

        decode_job(decoder, place.element, &problem);
        proto_problem_move(decoder->problem, &problem, find_place, &place);
    }
}

static void check_list(struct batch_decoder *decoder, const struct proto_json_at *list)
{
    size_t n = json_array_size(list->value);

    if (proto_json_read_array(list))
        return;
    if (n < 1 || n > decoder->max_jobs)
        proto_json_refuse(list, PROTO_PROBLEM_INVALID_REQUEST, NULL, "must hold 1 to %zu jobs",
                          decoder->max_jobs);
    else
        decode_list(decoder, list);
}

/* ---- the body ------------------------------------------------------------------------- */

static void read_name(struct batch_decoder *decoder, const struct proto_json_at *root)
{
    struct proto_json_at at;
    const char *text;
    size_t length;

    if (!proto_json_member(root, "name", &at) ||
        proto_json_read_text(&at, PROTO_BATCH_MAX_NAME, &text, &length))
        return;
    decoder->out->name = strdup(text);
    if (!decoder->out->name)
        proto_problem_set_err(decoder->problem, BASE_ERR_NOMEM, NULL);
}

static void read_defaults(struct batch_decoder *decoder, const struct proto_json_at *root)
{
    struct proto_json_at at;

    if (proto_json_member(root, "defaults", &at) && !proto_json_read_object(&at))
        decoder->defaults = at.value;
}

static void read_list(struct batch_decoder *decoder, const struct proto_json_at *root)
{
    struct proto_json_at jobs, scrambles;
    bool has_jobs = proto_json_member(root, jobs_name, &jobs);
    bool has_scrambles = proto_json_member(root, scrambles_name, &scrambles);

    if (has_jobs == has_scrambles) {
        proto_json_refuse(has_jobs ? &scrambles : root, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                          "one of jobs and scrambles is needed, and only one");
        return;
    }
    decoder->list = has_jobs ? jobs_name : scrambles_name;
    check_list(decoder, has_jobs ? &jobs : &scrambles);
}

static void decode_body(struct batch_decoder *decoder, const struct proto_json_at *root)
{
    if (proto_json_read_object(root))
        return;
    proto__shape_check(root, PROTO_SHAPE_BATCH_REQUEST);
    read_name(decoder, root);
    read_defaults(decoder, root);
    read_list(decoder, root);
}

int proto_batch_request_decode(const char *body, size_t length, size_t max_jobs,
                               const struct proto_batch_check *check,
                               struct proto_batch_request *out, struct proto_problem *problem)
{
    struct batch_decoder decoder = {
        .out = out, .check = check, .max_jobs = max_jobs, .problem = problem};
    struct proto_json_at root;
    json_t *document;
    int code = proto_json_parse(body, length, &document, problem);

    *out = (struct proto_batch_request){0};
    if (code)
        return code;
    root = proto_json_root(document, problem);
    decode_body(&decoder, &root);
    json_decref(document);
    if (!problem->set)
        return BASE_OK;
    proto_batch_request_deinit(out);
    return proto_problem_code(problem);
}

void proto_batch_request_deinit(struct proto_batch_request *request)
{
    for (size_t i = 0; i < request->n_jobs; i++)
        proto_job_request_deinit(&request->jobs[i]);
    free(request->jobs);
    free(request->name);
    *request = (struct proto_batch_request){0};
}
