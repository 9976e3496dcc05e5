/*
 * fuzz_job.c - bodies of POST /v1/jobs. The echo is a body again, of an equal request: that is how
 * accepted jobs survive a restart.
 */
#include <jansson.h>
#include <string.h>

#include "proto/proto_request.h"
#include "tests/fuzz/harness.h"

/* Limits that were put in last are last in the echo, so texts may differ where values do not. */
static bool same_json(const char *a, const char *b)
{
    json_t *left = json_loads(a, JSON_REJECT_DUPLICATES, NULL);
    json_t *right = json_loads(b, JSON_REJECT_DUPLICATES, NULL);
    bool same = left && right && json_equal(left, right);
    json_decref(left);
    json_decref(right);
    return same;
}

static void decode_echo(const struct proto_job_request *request)
{
    struct proto_job_request again;
    struct proto_problem problem = {0};
    BASE_ASSERT(!proto_job_request_decode(request->echo, strlen(request->echo), &again, &problem));
    BASE_ASSERT(same_json(request->echo, again.echo));
    BASE_ASSERT(!strcmp(request->key, again.key));
    BASE_ASSERT(!strcmp(request->target, again.target));
    proto_job_request_deinit(&again);
}

/* The limits of a server become those of the request, or it is refused and stays as it is. */
static void cap(struct proto_job_request *request)
{
    const struct engine_limits most = {.seconds = 60, .nodes = 1000000};
    struct proto_problem problem = {0};
    int code = proto_job_request_cap(request, &most, &problem);
    if (code) {
        fuzz_refused(code, &problem);
    } else {
        BASE_ASSERT(request->limits.nodes > 0 && request->limits.nodes <= most.nodes);
        BASE_ASSERT(request->limits.seconds > 0 && request->limits.seconds <= most.seconds);
    }
    decode_echo(request);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct proto_job_request request;
    struct proto_problem problem = {0};
    int code = proto_job_request_decode((const char *)data, size, &request, &problem);
    if (code) {
        fuzz_refused(code, &problem);
        return 0;
    }
    decode_echo(&request);
    cap(&request);
    proto_job_request_deinit(&request);
    return 0;
}
