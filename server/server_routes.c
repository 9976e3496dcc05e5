/*
 * server_routes.c - from routes to handlers. The switch has no default, so that the compiler
 * names a route that nobody answers.
 */
#include "server/server_routes.h"

typedef void route_handler(struct server_request *request);

static route_handler *handler_of(enum proto_route_id id)
{
    switch (id) {
    case PROTO_ROUTE_JOB_SUBMIT:
        return server_route_job_submit;
    case PROTO_ROUTE_JOB_LIST:
        return server_route_job_list;
    case PROTO_ROUTE_JOB_GET:
        return server_route_job_get;
    case PROTO_ROUTE_JOB_DELETE:
        return server_route_job_delete;
    case PROTO_ROUTE_JOB_EVENTS:
        return server_route_job_events;
    case PROTO_ROUTE_JOB_TICKET:
        return server_route_job_ticket;
    case PROTO_ROUTE_JOB_SOLUTIONS:
        return server_route_job_solutions;
    case PROTO_ROUTE_JOB_CANCEL:
        return server_route_job_cancel;
    case PROTO_ROUTE_JOB_PAUSE:
        return server_route_job_pause;
    case PROTO_ROUTE_JOB_RESUME:
        return server_route_job_resume;
    case PROTO_ROUTE_BATCH_SUBMIT:
        return server_route_batch_submit;
    case PROTO_ROUTE_BATCH_LIST:
        return server_route_batch_list;
    case PROTO_ROUTE_BATCH_GET:
        return server_route_batch_get;
    case PROTO_ROUTE_BATCH_DELETE:
        return server_route_batch_delete;
    case PROTO_ROUTE_BATCH_JOBS:
        return server_route_batch_jobs;
    case PROTO_ROUTE_BATCH_EVENTS:
        return server_route_batch_events;
    case PROTO_ROUTE_BATCH_TICKET:
        return server_route_batch_ticket;
    case PROTO_ROUTE_EVENTS:
        return server_route_events;
    case PROTO_ROUTE_BATCH_CANCEL:
        return server_route_batch_cancel;
    case PROTO_ROUTE_ANALYZE:
        return server_route_analyze;
    case PROTO_ROUTE_TABLE_LIST:
        return server_route_table_list;
    case PROTO_ROUTE_TABLE_MAKE:
        return server_route_table_make;
    case PROTO_ROUTE_TABLE_GET:
        return server_route_table_get;
    case PROTO_ROUTE_TABLE_DELETE:
        return server_route_table_delete;
    case PROTO_ROUTE_TABLE_PIN:
        return server_route_table_pin;
    case PROTO_ROUTE_PUZZLE_LIST:
        return server_route_puzzle_list;
    case PROTO_ROUTE_PUZZLE_GET:
        return server_route_puzzle_get;
    case PROTO_ROUTE_LIVEZ:
        return server_route_livez;
    case PROTO_ROUTE_READYZ:
        return server_route_readyz;
    case PROTO_ROUTE_METRICS:
        return server_route_metrics;
    case PROTO_ROUTE_VERSION:
        return server_route_version;
    case PROTO_ROUTE_OPENAPI:
        return server_route_openapi;
    case PROTO_ROUTE_WEB_PAGE:
        return server_route_web_page;
    case PROTO_ROUTE_WEB_ASSET:
        return server_route_web_asset;
    case PROTO_ROUTE_COUNT:
        break;
    }
    return NULL;
}

void server_routes_dispatch(struct server_request *request)
{
    handler_of(request->match.route->id)(request);
}
