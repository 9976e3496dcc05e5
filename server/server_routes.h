/*
 * server_routes.h - who answers what. Each handler answers or keeps its request.
 */
#ifndef SERVER_SERVER_ROUTES_H
#define SERVER_SERVER_ROUTES_H

#include "server/server_request.h"

/* Calls the handler of the request's route. */
void server_routes_dispatch(struct server_request *request);

/* server_submit.c, server_submit_batch.c */
void server_route_job_submit(struct server_request *request);
void server_route_batch_submit(struct server_request *request);

/* server_route_jobs.c */
void server_route_job_list(struct server_request *request);
void server_route_job_get(struct server_request *request);
void server_route_job_solutions(struct server_request *request);
void server_route_job_delete(struct server_request *request);
void server_route_job_cancel(struct server_request *request);
void server_route_job_pause(struct server_request *request);
void server_route_job_resume(struct server_request *request);

/* server_route_batches.c */
void server_route_batch_list(struct server_request *request);
void server_route_batch_get(struct server_request *request);
void server_route_batch_jobs(struct server_request *request);
void server_route_batch_delete(struct server_request *request);
void server_route_batch_cancel(struct server_request *request);

/* server_route_events.c */
void server_route_job_events(struct server_request *request);
void server_route_batch_events(struct server_request *request);
void server_route_events(struct server_request *request);

/* server_route_tickets.c */
void server_route_job_ticket(struct server_request *request);
void server_route_batch_ticket(struct server_request *request);

/* server_route_info.c */
void server_route_analyze(struct server_request *request);
void server_route_table_list(struct server_request *request);
void server_route_table_get(struct server_request *request);
void server_route_table_delete(struct server_request *request);
void server_route_table_pin(struct server_request *request);
void server_route_puzzle_list(struct server_request *request);
void server_route_puzzle_get(struct server_request *request);
void server_route_version(struct server_request *request);

/* server_tables.c */
void server_route_table_make(struct server_request *request);

/* server_route_health.c */
void server_route_livez(struct server_request *request);
void server_route_readyz(struct server_request *request);
void server_route_metrics(struct server_request *request);

/* server_route_openapi.c */
void server_route_openapi(struct server_request *request);

/* server_route_web.c */
void server_route_web_page(struct server_request *request);
void server_route_web_asset(struct server_request *request);

#endif
