/*
 * proto_route.c - matching a path against the table. There are few routes and paths are short, so
 * the table is simply walked.
 */
#include "proto/proto_route.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"

static const struct proto_route routes[PROTO_ROUTE_COUNT] = {
#define ROUTE_ROW(name, method, path, flags, scope, summary)                                       \
    {PROTO_ROUTE_##name, method, path, #name, flags, PROTO_SCOPE_##scope, summary},
    PROTO_ROUTE_LIST_ALL(ROUTE_ROW)
#undef ROUTE_ROW
};

const struct proto_route *proto_route_at(enum proto_route_id id)
{
    return &routes[id];
}

/* Copies the segment at `path`; its length, or 0 if it is empty or too long to be one of ours. */
static size_t capture_segment(const char *path, char *out)
{
    size_t length = strcspn(path, "/");

    if (length >= PROTO_ROUTE_CAPTURE_BYTES)
        return 0;
    memcpy(out, path, length);
    out[length] = '\0';
    return length;
}

static bool path_matches(const char *template, const char *path, char *capture)
{
    *capture = '\0';
    while (*template && *template != '{') {
        if (*template ++ != *path++)
            return false;
    }
    if (*template == '{') {
        size_t length = capture_segment(path, capture);
        if (!length)
            return false;
        path += length;
        template = strchr(template, '}') + 1;
    }
    return strcmp(template, path) == 0;
}

static void allow_append(char *allow, const char *method)
{
    size_t length = strlen(allow);

    snprintf(allow + length, PROTO_ROUTE_ALLOW_BYTES - length, "%s%s", length ? ", " : "", method);
}

static bool method_matches(const char *allowed, const char *method)
{
    return strcmp(allowed, method) == 0 ||
           (strcmp(method, "HEAD") == 0 && strcmp(allowed, "GET") == 0);
}

int proto_route_find(const char *method, const char *path, struct proto_route_match *out)
{
    char capture[PROTO_ROUTE_CAPTURE_BYTES];

    *out = (struct proto_route_match){0};
    for (size_t i = 0; i < PROTO_ROUTE_COUNT; i++) {
        if (!path_matches(routes[i].path, path, capture))
            continue;
        memcpy(out->capture, capture, sizeof(capture));
        allow_append(out->allow, routes[i].method);
        if (strcmp(routes[i].method, "GET") == 0)
            allow_append(out->allow, "HEAD");
        if (method_matches(routes[i].method, method))
            out->route = &routes[i];
    }
    if (!*out->allow)
        return BASE_ERR_NOT_FOUND;
    allow_append(out->allow, "OPTIONS");
    return out->route ? BASE_OK : BASE_ERR_UNSUPPORTED;
}
