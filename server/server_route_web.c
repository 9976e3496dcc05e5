/*
 * server_route_web.c - the web page and its assets.
 *
 * The page may load nothing but what this server serves, and no script or style stands in it: the
 * policy below says so to the browser. Inline style attributes that scripts set through the object
 * model are not concerned by it.
 */
#include <string.h>

#include "proto/proto_prefer.h"
#include "server/server.h"
#include "server/server_routes.h"
#include "server/server_web.h"

/* blob: and data: are for pictures that the viewer draws itself. */
#define CONTENT_SECURITY_POLICY                                                                    \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "        \
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "               \
    "frame-ancestors 'none'"

static const struct server_web_asset *find_asset(const char *name)
{
    for (size_t i = 0; i < server_web_asset_count; i++)
        if (!strcmp(server_web_assets[i].name, name))
            return &server_web_assets[i];
    return NULL;
}

/* Without the field any encoding would be acceptable; but who does not ask may not be able to read
 * what is compressed. */
static bool wants_gzip(const struct server_request *request)
{
    static const char *const offered[] = {"gzip"};
    const char *accepted = server_request_field(request, "Accept-Encoding");

    return accepted && *accepted && proto_accept_choose(accepted, offered, 1) == 0;
}

static void add_page_fields(struct server_request *request)
{
    server_reply_field(request, "Cache-Control", "no-cache");
    server_reply_field(request, "Content-Security-Policy", "%s", CONTENT_SECURITY_POLICY);
    server_reply_field(request, "Referrer-Policy", "no-referrer");
    server_reply_field(request, "Cross-Origin-Opener-Policy", "same-origin");
}

/* The body lives as long as the program. */
static void answer_body(struct server_request *request, const struct server_web_asset *asset,
                        const struct server_web_body *body)
{
    union {
        const char *data;
        void *pointer; /* libmicrohttpd does not write to a persistent body */
    } view = {.data = body->data};
    struct MHD_Response *response =
        MHD_create_response_from_buffer(body->length, view.pointer, MHD_RESPMEM_PERSISTENT);

    if (response)
        server_answer_stream(request, asset->content_type, response, NULL, NULL);
    else
        server_answer_refusal(request, PROTO_PROBLEM_UNAVAILABLE, "out of memory");
}

static void answer_asset(struct server_request *request, const struct server_web_asset *asset)
{
    bool gzip = asset->gzip.length && wants_gzip(request);
    const char *etag = gzip ? asset->etag_gzip : asset->etag;

    server_reply_field(request, "ETag", "%s", etag);
    server_reply_field(request, "Vary", "Accept-Encoding");
    if (proto_etag_matches(server_request_field(request, "If-None-Match"), etag)) {
        server_answer_empty(request, MHD_HTTP_NOT_MODIFIED);
        return;
    }
    if (gzip)
        server_reply_field(request, "Content-Encoding", "gzip");
    answer_body(request, asset, gzip ? &asset->gzip : &asset->identity);
}

void server_route_web_page(struct server_request *request)
{
    add_page_fields(request);
    answer_asset(request, find_asset(""));
}

void server_route_web_asset(struct server_request *request)
{
    const struct server_web_asset *asset = find_asset(request->match.capture);

    if (!asset) {
        server_answer_refusal(request, PROTO_PROBLEM_NOT_FOUND, "there is no asset %s",
                              request->match.capture);
        return;
    }
    server_reply_field(request, "Cache-Control", "public, max-age=31536000, immutable");
    answer_asset(request, asset);
}
