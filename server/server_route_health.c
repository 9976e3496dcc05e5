/*
 * server_route_health.c - is it alive, is it ready, what does it count.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_buf.h"
#include "core/base/base_err.h"
#include "server/server.h"
#include "server/server_routes.h"

#define TEXT_TYPE "text/plain; charset=utf-8"
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* An answer is proof enough: the loop gave it. */
void server_route_livez(struct server_request *request)
{
    server_answer_text(request, MHD_HTTP_OK, TEXT_TYPE, strdup("ok\n"));
}

static bool check(struct base_buf *out, const char *name, const char *trouble)
{
    if (trouble)
        base_buf_printf(out, "%s: %s\n", name, trouble);
    else
        base_buf_printf(out, "%s: ok\n", name);
    return trouble == NULL;
}

static bool check_all(struct server *server, struct base_buf *out)
{
    int health = server_store_health(server->store);
    bool ready = check(out, "store", health ? base_err_text(health) : NULL);

    ready = check(out, "drain", server->draining ? "the service is going down" : NULL) && ready;
    return check(out, "connections",
                 server_http_is_full(&server->http) ? "there are too many" : NULL) &&
           ready;
}

void server_route_readyz(struct server_request *request)
{
    struct base_buf checks = {0};
    bool ready = check_all(request->server, &checks);
    bool verbose = server_request_query(request, "verbose") != NULL ||
                   MHD_lookup_connection_value_n(request->connection, MHD_GET_ARGUMENT_KIND,
                                                 "verbose", strlen("verbose"), NULL, NULL);

    if (!ready) {
        server_reply_field(request, "Retry-After", "5");
        server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE, "%s", base_buf_str(&checks));
        base_buf_deinit(&checks);
    } else if (verbose) {
        server_answer_text(request, MHD_HTTP_OK, TEXT_TYPE, base_buf_take(&checks, NULL));
    } else {
        base_buf_deinit(&checks);
        server_answer_text(request, MHD_HTTP_OK, TEXT_TYPE, strdup("ok\n"));
    }
}

void server_route_metrics(struct server_request *request)
{
    server_answer_text(request, MHD_HTTP_OK, METRICS_TYPE, server_metrics_print(request->server));
}
