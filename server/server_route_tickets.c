/*
 * server_route_tickets.c - POST /v1/jobs/{id}/events-token, POST /v1/batches/{id}/events-token.
 *
 *     {"token": "...", "expires_seconds": 60, "url": "/v1/jobs/{id}/events?token=..."}
 *
 * A ticket is given out whether tokens are needed or not, so that a client need not know.
 */
#include <stdio.h>

#include "core/base/base_err.h"
#include "proto/proto_write.h"
#include "server/server.h"
#include "server/server_routes.h"

enum { SECOND_MS = 1000 };

static char *print(const char *list, const char *id, const char *ticket)
{
    struct proto_writer writer = {0};
    char url[2 * SERVER_TICKET_BYTES];

    snprintf(url, sizeof(url), "/v1/%s/%s/events?token=%s", list, id, ticket);
    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "token", ticket);
    proto_write_uint(&writer, "expires_seconds", SERVER_TICKET_SECONDS);
    proto_write_text(&writer, "url", url);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

static void answer(struct server_request *request, const char *list)
{
    const char *id = request->match.capture;
    char ticket[SERVER_TICKET_BYTES];

    server_ticket_print(&request->server->auth.tickets, id, request->token_name,
                        server_now_ms(request->server) + SERVER_TICKET_SECONDS * SECOND_MS, ticket);
    server_answer_json(request, MHD_HTTP_OK, print(list, id, ticket));
}

static void answer_ended(struct server_request *request, const struct server_store_job *record)
{
    (void)record;
    answer(request, "jobs");
}

void server_route_job_ticket(struct server_request *request)
{
    if (server_job_find(request->server, request->match.capture))
        answer(request, "jobs");
    else
        server_with_record(request, answer_ended);
}

void server_route_batch_ticket(struct server_request *request)
{
    const char *id = request->match.capture;
    struct server_store_pulse pulse;
    int status = server_store_pulse_batch(request->server->store, id, &pulse);

    if (!status)
        answer(request, "batches");
    else if (status == BASE_ERR_NOT_FOUND)
        server_answer_refusal(request, PROTO_PROBLEM_NOT_FOUND, "there is no batch %s", id);
    else
        server_answer_err(request, status, "the job store cannot be read");
}
