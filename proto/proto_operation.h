/*
 * proto_operation.h - what a route takes and gives, as data: parameters, body, replies with their
 * fields, problems, events. The rest of the facts about a route are in proto_route.h, and much of
 * what is here follows from its flags.
 *
 * The server answers by its own code; the system tests hold every reply against this.
 */
#ifndef PROTO_PROTO_OPERATION_H
#define PROTO_PROTO_OPERATION_H

#include "proto/proto_event.h"
#include "proto/proto_route.h"
#include "proto/proto_schema.h"

/* X(NAME, "wire name", "about") - fields of replies. Browsers of foreign origins may read those of
 * the first list. */
#define PROTO_FIELD_EXPOSED_LIST(X)                                                                \
    X(LOCATION, "Location", "The path of what was made.")                                          \
    X(ETAG, "ETag", "Of this version; for If-None-Match.")                                         \
    X(RETRY_AFTER, "Retry-After", "Seconds after which it is worth asking again.")                 \
    X(LINK, "Link", "The next page, if there is one: <path>; rel=\"next\".")                       \
    X(PREFERENCE_APPLIED, "Preference-Applied", "wait=N: the seconds that it may have waited.")    \
    X(RATELIMIT, "RateLimit", "What is left of the limits, where there are any.")                  \
    X(RATELIMIT_POLICY, "RateLimit-Policy", "The limits, where there are any.")                    \
    X(X_REQUEST_ID, "X-Request-Id", "Of the request, in the log: its own, or one made up.")

#define PROTO_FIELD_LIST(X)                                                                        \
    PROTO_FIELD_EXPOSED_LIST(X)                                                                    \
    X(CACHE_CONTROL, "Cache-Control", "How long a copy is good for.")                              \
    X(ALLOW, "Allow", "The methods of the path.")                                                  \
    X(WWW_AUTHENTICATE, "WWW-Authenticate", "What credentials are missing.")                       \
    X(CONTENT_ENCODING, "Content-Encoding", "gzip, where the client asks for it.")                 \
    X(ACCEL_BUFFERING, "X-Accel-Buffering", "That proxies pass events on as they come.")           \
    X(CONTENT_SECURITY_POLICY, "Content-Security-Policy", "What the page may load.")               \
    X(REFERRER_POLICY, "Referrer-Policy", "That the page tells nobody where it is.")               \
    X(OPENER_POLICY, "Cross-Origin-Opener-Policy", "That other windows do not reach the page.")

enum proto_field {
#define PROTO_FIELD_ENUM(name, wire, about) PROTO_FIELD_##name,
    PROTO_FIELD_LIST(PROTO_FIELD_ENUM)
#undef PROTO_FIELD_ENUM
        PROTO_FIELD_COUNT
};

enum proto_place { PROTO_IN_QUERY, PROTO_IN_HEADER };

/* Parameters, beside the one of the path. Bits 1 << enum proto_parameter_id. */
enum proto_parameter_id {
    PROTO_PARAMETER_PAGE_SIZE,
    PROTO_PARAMETER_PAGE_TOKEN,
    PROTO_PARAMETER_STATE,
    PROTO_PARAMETER_PUZZLE,
    PROTO_PARAMETER_LABEL,
    PROTO_PARAMETER_VERBOSE,
    PROTO_PARAMETER_AFTER,
    PROTO_PARAMETER_LAST_EVENT_ID,
    PROTO_PARAMETER_IF_NONE_MATCH,
    PROTO_PARAMETER_PREFER,
    PROTO_PARAMETER_IDEMPOTENCY_KEY,
    PROTO_PARAMETER_COUNT
};

struct proto_parameter {
    enum proto_place place;
    struct proto_member member; /* wire name, value, words */
};

enum { PROTO_OPERATION_MAX_REPLIES = 3, PROTO_OPERATION_MAX_EVENTS = 12 };

/* Bits 1 << enum proto_field. */
struct proto_fields {
    unsigned always, sometimes;
};

struct proto_reply {
    int status;                /* 0: no reply */
    const char *media;         /* type without parameters; NULL: no body */
    enum proto_shape_id shape; /* of the body; NONE: it is told by its type */
    struct proto_fields fields;
    const char *about;
};

struct proto_told {
    const char *about; /* NULL: no event */
    enum proto_event event;
    enum proto_shape_id shape; /* of its data */
    bool numbered;             /* it carries an id, by which a stream is resumed */
};

struct proto_operation {
    enum proto_shape_id body; /* NONE: none is read */
    bool body_may_miss;
    unsigned parameters; /* beside those that follow from the flags of the route */
    unsigned problems;   /* the same; bits 1 << enum proto_problem_kind */
    struct proto_reply reply[PROTO_OPERATION_MAX_REPLIES]; /* but for problems; two of one status
                                                              are alternatives */
    const struct proto_told *told; /* of streams: up to one without words; NULL: no stream */
};

const struct proto_operation *proto_operation_at(enum proto_route_id id);
const struct proto_parameter *proto_parameter_at(enum proto_parameter_id id);
const char *proto_field_name(enum proto_field field);
const char *proto_field_about(enum proto_field field);

/* What follows from the flags included. */
unsigned proto_operation_parameters(const struct proto_route *route);
unsigned proto_operation_problems(const struct proto_route *route);
struct proto_fields proto_operation_fields(const struct proto_route *route,
                                           const struct proto_reply *reply);

/* The fields of problems of a status. */
struct proto_fields proto_problem_fields(const struct proto_route *route, int status);

#endif
