/*
 * server_request.c - see server_request.h.
 */
#include "server/server_request.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "server/server_http.h"

const char *server_request_field(const struct server_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

const char *server_request_query(const struct server_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

void server_request_keep(struct server_request *request)
{
    request->kept = true;
}

void server_reply_field(struct server_request *request, const char *name, const char *format, ...)
{
    struct server_reply *reply = &request->reply;
    char *value = NULL;
    va_list values;
    int length;

    if (!BASE_EXPECT(reply->n_headers < SERVER_REPLY_MAX_HEADERS))
        return;
    va_start(values, format);
    length = vasprintf(&value, format, values);
    va_end(values);
    if (length >= 0)
        reply->header[reply->n_headers++] = (struct server_header){name, value};
}

void server_reply_deinit(struct server_reply *reply)
{
    for (unsigned i = 0; i < reply->n_headers; i++)
        free(reply->header[i].value);
    free(reply->body);
    if (reply->stream)
        MHD_destroy_response(reply->stream);
    memset(reply, 0, sizeof(*reply));
}

/* The phase decides who queues the reply: the access handler, now or once the connection runs. */
static void answered(struct server_request *request)
{
    bool suspended = request->phase == SERVER_PHASE_SUSPENDED;

    request->kept = false;
    request->phase = SERVER_PHASE_ANSWERED;
    if (suspended)
        server_http_resume(request->listener, request->connection);
}

void server_answer_text(struct server_request *request, unsigned status, const char *content_type,
                        char *text)
{
    if (!text) {
        server_answer_refusal(request, PROTO_PROBLEM_INTERNAL, "out of memory");
        return;
    }
    request->reply.status = status;
    request->reply.content_type = content_type;
    request->reply.body = text;
    request->reply.length = strlen(text);
    answered(request);
}

void server_answer_json(struct server_request *request, unsigned status, char *text)
{
    server_answer_text(request, status, "application/json", text);
}

void server_answer_empty(struct server_request *request, unsigned status)
{
    request->reply.status = status;
    answered(request);
}

/* Out of memory even for saying so: an empty 500. */
void server_answer_problem(struct server_request *request, struct proto_problem *problem)
{
    char *text = proto_problem_encode(problem);

    request->reply.status = (unsigned)problem->status;
    request->reply.content_type = text ? PROTO_PROBLEM_MEDIA_TYPE : NULL;
    request->reply.body = text;
    request->reply.length = text ? strlen(text) : 0;
    proto_problem_deinit(problem);
    answered(request);
}

void server_answer_refusal(struct server_request *request, enum proto_problem_kind kind,
                           const char *format, ...)
{
    struct proto_problem problem = {0};
    char detail[PROTO_PROBLEM_DETAIL_BYTES];
    va_list values;

    va_start(values, format);
    vsnprintf(detail, sizeof(detail), format, values);
    va_end(values);
    proto_problem_set(&problem, kind, "%s", detail);
    server_answer_problem(request, &problem);
}

void server_answer_err(struct server_request *request, int code, const char *detail)
{
    struct proto_problem problem = {0};

    proto_problem_set_err(&problem, code, detail);
    server_answer_problem(request, &problem);
}

void server_answer_stream(struct server_request *request, const char *content_type,
                          struct MHD_Response *stream, void (*ended)(void *), void *arg)
{
    request->reply.status = MHD_HTTP_OK;
    request->reply.content_type = content_type;
    request->reply.stream = stream;
    request->ended = ended;
    request->ended_arg = arg;
    answered(request);
}
