/*
 * server_tables.h - tables on request: POST /v1/tables, and wishes for tables in jobs.
 *
 * A request for tables starts a job of the engine that fills them in the background; it is answered
 * as soon as the plan is known and is not stored. After a restart the client simply asks again.
 */
#ifndef SERVER_SERVER_TABLES_H
#define SERVER_SERVER_TABLES_H

#include <stdbool.h>

#include "core/engine/engine.h"
#include "proto/proto_request.h"
#include "server/server_list_inl.h"

struct server;
struct server_request;

struct server_tables {
    struct server_list fills; /* under way */
    unsigned n_fills;
};

void server_tables_init(struct server_tables *tables);

/* Can the engine meet the wishes of the decoded request? Else the problem is set, with pointers
 * into the body, which may be the echo. Any thread. */
int server_tables_judge(struct engine *engine, const char *body, size_t length,
                        const struct proto_job_request *decoded, struct proto_problem *problem);

/* The same; if they cannot be met the request is answered. */
bool server_tables_check(struct server_request *request, const struct proto_job_request *decoded);

/* An event of the engine that belongs to no search. */
void server_tables_take_event(struct server *server, const struct engine_event *event);

/* Stops all fills; they end by their events. */
void server_tables_drain(struct server *server);
bool server_tables_is_idle(const struct server *server);

void server_tables_close(struct server *server);

#endif
