/*
 * proto_request_cap.c - limits of the server on a job that was decoded without them.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_request.h"

/* As the rest of the echo has it: 60, not 60.0. */
static json_t *number(double value)
{
    json_int_t whole = (json_int_t)value;

    return (double)whole == value ? json_integer(whole) : json_real(value);
}

/* New reference: the echo with the limits that were added. NULL: out of memory. */
static json_t *echo_with(const struct proto_job_request *request)
{
    json_t *echo = json_loads(request->echo, 0, NULL);
    json_t *limits = echo ? json_object_get(echo, "limits") : NULL;
    int failed = !echo;

    if (echo && !limits) {
        limits = json_object();
        failed = json_object_set_new(echo, "limits", limits);
    }
    if (!failed && request->limits.seconds > 0)
        failed |= json_object_set_new(limits, "seconds", number(request->limits.seconds));
    if (!failed && request->limits.nodes)
        failed |=
            json_object_set_new(limits, "nodes", json_integer((json_int_t)request->limits.nodes));
    if (!failed)
        return echo;
    json_decref(echo);
    return NULL;
}

static int print_echo(struct proto_job_request *request)
{
    json_t *echo = echo_with(request);
    char *text = echo ? json_dumps(echo, JSON_COMPACT) : NULL;

    json_decref(echo);
    if (!text)
        return BASE_ERR_NOMEM;
    free(request->echo);
    request->echo = text;
    return BASE_OK;
}

int proto_job_request_cap(struct proto_job_request *request, const struct engine_limits *most,
                          struct proto_problem *problem)
{
    struct engine_limits *limits = &request->limits;
    bool adds = false;

    if (most->seconds > 0 && limits->seconds > most->seconds)
        proto_problem_add(problem, PROTO_PROBLEM_INVALID_REQUEST, "/limits/seconds", "job-cost",
                          "at most %.9g are allowed to you here", most->seconds);
    if (most->nodes && limits->nodes > most->nodes)
        proto_problem_add(problem, PROTO_PROBLEM_INVALID_REQUEST, "/limits/nodes", "job-cost",
                          "at most %" PRIu64 " are allowed to you here", most->nodes);
    if (problem->set)
        return proto_problem_code(problem);
    if (most->seconds > 0 && !(limits->seconds > 0)) {
        limits->seconds = most->seconds;
        adds = true;
    }
    if (most->nodes && !limits->nodes) {
        limits->nodes = most->nodes;
        adds = true;
    }
    return adds && print_echo(request) ? proto_problem_set_err(problem, BASE_ERR_NOMEM, NULL)
                                       : BASE_OK;
}
