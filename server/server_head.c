/*
 * server_head.c - see server_head.h.
 */
#include "server/server_head.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "core/base/base_err.h"
#include "proto/proto_operation.h"
#include "server/server.h"

enum { MAX_PATH_BYTES = 2048 };

#define CORS_REQUEST_FIELDS                                                                        \
    "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Prefer"
#define CORS_MAX_AGE "7200"
#define UNAVAILABLE_RETRY_S "5"

/* ", Location, ETag, ..." */
static const char exposed_fields[] =
#define EXPOSED_FIELD(name, wire, about) ", " wire
    PROTO_FIELD_EXPOSED_LIST(EXPOSED_FIELD);
#undef EXPOSED_FIELD

/* ---- reading -------------------------------------------------------------------------- */

static enum MHD_Result visit_field(void *arg, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    (void)kind;
    server_guard_take_field(arg, name, value ? value : "");
    return MHD_YES;
}

static bool is_token(const char *text, size_t length)
{
    return length > 0 && length < SERVER_REQUEST_ID_BYTES &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") >=
               length;
}

/* The client's own id, else the trace id of W3C Trace Context, else a random one. */
static void choose_id(struct server_request *request)
{
    const char *given = server_request_field(request, "X-Request-Id");
    const char *trace = server_request_field(request, "traceparent");
    uint64_t noise = 0;

    if (given && is_token(given, strlen(given))) {
        snprintf(request->id, sizeof(request->id), "%s", given);
    } else if (trace && strlen(trace) >= 35 && trace[2] == '-' && is_token(trace + 3, 32)) {
        snprintf(request->id, sizeof(request->id), "%.32s", trace + 3);
    } else {
        if (getrandom(&noise, sizeof(noise), 0) < 0)
            noise = request->started_ns;
        snprintf(request->id, sizeof(request->id), "%016" PRIx64, noise);
    }
}

void server_head_read(struct server_request *request, const char *method, const char *url,
                      const char *version)
{
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, visit_field, &request->head);
    choose_id(request);
    request->method = method;
    request->path = url;
    request->found = proto_route_find(method, url, &request->match);
    request->close = !strcmp(version, MHD_HTTP_VERSION_1_0) && request->head.transfer_encoding;
}

/* ---- checking ------------------------------------------------------------------------- */

static int check_framing(struct server_request *request, struct proto_problem *problem)
{
    int status = server_guard_framing(&request->head, problem);

    if (!status && request->close)
        status = proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST,
                                   "HTTP/1.0 has no Transfer-Encoding");
    request->close = status != 0; /* who knows where the next request begins */
    return status;
}

static int check_route(struct server_request *request, struct proto_problem *problem)
{
    if (strlen(request->path) > MAX_PATH_BYTES)
        return proto_problem_set(problem, PROTO_PROBLEM_URI_TOO_LONG,
                                 "the path has more than %d bytes", MAX_PATH_BYTES);
    if (request->found == BASE_ERR_NOT_FOUND)
        return proto_problem_set(problem, PROTO_PROBLEM_NOT_FOUND, "there is no %.200s",
                                 request->path);
    if (request->found == 0 || !strcmp(request->method, "OPTIONS"))
        return 0;
    server_reply_field(request, "Allow", "%s", request->match.allow);
    return proto_problem_set(problem, PROTO_PROBLEM_METHOD_NOT_ALLOWED,
                             "%.20s is not among the methods of this path: %s", request->method,
                             request->match.allow);
}

static int check_body(struct server_request *request, struct proto_problem *problem)
{
    const struct server_head *head = &request->head;

    if (request->match.route && request->match.route->flags & PROTO_ROUTE_BODY)
        return server_guard_body(head, request->server->config->max_body_bytes, problem);
    return 0;
}

static bool is_vital(const struct server_request *request)
{
    const struct proto_route *route = request->match.route;

    return route && route->flags & PROTO_ROUTE_VITAL;
}

static int check_room(struct server_request *request, struct proto_problem *problem)
{
    if (!server_http_is_full(&request->server->http) || is_vital(request))
        return 0;
    server_reply_field(request, "Retry-After", "5");
    request->close = true;
    return proto_problem_set(problem, PROTO_PROBLEM_UNAVAILABLE, "there are too many connections");
}

/* Preflights carry no credentials. */
static int check_principal(struct server_request *request, struct proto_problem *problem)
{
    bool is_preflight = !strcmp(request->method, "OPTIONS");
    int status = server_auth_identify(request, problem);

    if (!status && !is_preflight && !is_vital(request))
        status = server_auth_charge(request, problem);
    if (!status)
        status = check_route(request, problem);
    return status || is_preflight ? status : server_auth_permit(request, problem);
}

static int check_all(struct server_request *request, struct proto_problem *problem)
{
    const struct config *config = request->server->config;
    int status = check_framing(request, problem);

    if (!status)
        status = server_guard_host(&request->head, &config->allow_host, &config->listen, problem);
    if (!status)
        status = server_guard_origin(&request->head, &config->allow_origin, problem);
    request->trusted_origin = !status && request->head.origin;
    if (!status)
        status = check_room(request, problem);
    if (!status)
        status = check_principal(request, problem);
    return status ? status : check_body(request, problem);
}

static void answer_preflight(struct server_request *request)
{
    server_reply_field(request, "Allow", "%s", request->match.allow);
    if (request->head.origin) {
        server_reply_field(request, "Access-Control-Allow-Methods", "%s", request->match.allow);
        server_reply_field(request, "Access-Control-Allow-Headers", CORS_REQUEST_FIELDS);
        server_reply_field(request, "Access-Control-Max-Age", CORS_MAX_AGE);
    }
    server_answer_empty(request, MHD_HTTP_NO_CONTENT);
}

void server_head_check(struct server_request *request)
{
    struct proto_problem problem = {0};

    if (check_all(request, &problem))
        server_answer_problem(request, &problem);
    else if (!strcmp(request->method, "OPTIONS"))
        answer_preflight(request);
}

/* ---- every reply ---------------------------------------------------------------------- */

static bool has_field(const struct server_reply *reply, const char *name)
{
    for (unsigned i = 0; i < reply->n_headers; i++)
        if (!strcasecmp(reply->header[i].name, name))
            return true;
    return false;
}

void server_head_add_common(const struct server_request *request, struct MHD_Response *response)
{
    MHD_add_response_header(response, "X-Request-Id", request->id);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (!has_field(&request->reply, "Cache-Control"))
        MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "Vary", "Origin");
    if (request->reply.status == MHD_HTTP_SERVICE_UNAVAILABLE &&
        !has_field(&request->reply, "Retry-After"))
        MHD_add_response_header(response, "Retry-After", UNAVAILABLE_RETRY_S);
    if (!request->trusted_origin)
        return;
    MHD_add_response_header(response, "Access-Control-Allow-Origin", request->head.origin);
    MHD_add_response_header(response, "Access-Control-Expose-Headers",
                            exposed_fields + strlen(", "));
}
