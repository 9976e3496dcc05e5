/*
 * server_route_openapi.c - GET /openapi.json. The document is made when it is first asked for, and
 * stays as it is as long as the program runs.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_hash.h"
#include "proto/proto_openapi.h"
#include "proto/proto_prefer.h"
#include "server/server.h"
#include "server/server_build.h"
#include "server/server_routes.h"

static const char *document_of(struct server *server)
{
    if (!server->openapi)
        server->openapi = proto_openapi_encode(server_build_version());
    return server->openapi;
}

void server_route_openapi(struct server_request *request)
{
    const char *document = document_of(request->server);
    char etag[PROTO_ETAG_BYTES];

    if (!document) {
        server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE, "out of memory");
        return;
    }
    proto_etag_print("openapi", base_hash(document, strlen(document), 0), etag);
    server_reply_field(request, "ETag", "%s", etag);
    server_reply_field(request, "Cache-Control", "no-cache");
    if (proto_etag_matches(server_request_field(request, "If-None-Match"), etag))
        server_answer_empty(request, MHD_HTTP_NOT_MODIFIED);
    else
        server_answer_json(request, MHD_HTTP_OK, strdup(document));
}
