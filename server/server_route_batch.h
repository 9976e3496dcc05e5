/*
 * server_route_batch.h - replies about a batch, shared by its routes.
 */
#ifndef SERVER_SERVER_ROUTE_BATCH_H
#define SERVER_SERVER_ROUTE_BATCH_H

struct server_request;

/* The batch is durable: answers 202, or, if the request prefers to wait, once it has ended or the
 * time is up. */
void server_route_batch_submitted(struct server_request *request, const char *id);

#endif
