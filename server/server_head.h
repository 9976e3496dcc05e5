/*
 * server_head.h - the head of a request: what it holds, whether it is acceptable, and the fields
 * that every reply to it carries.
 */
#ifndef SERVER_SERVER_HEAD_H
#define SERVER_SERVER_HEAD_H

#include "server/server_request.h"

/* Fills head, id and route of the request. `url` is the decoded path. */
void server_head_read(struct server_request *request, const char *method, const char *url,
                      const char *version);

/* Answers the request if it is refused, or is a preflight. */
void server_head_check(struct server_request *request);

/* X-Request-Id, the CORS fields and defaults. */
void server_head_add_common(const struct server_request *request, struct MHD_Response *response);

#endif
