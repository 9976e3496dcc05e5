/*
 * proto_operation.c - see proto_operation.h.
 */
#include "proto/proto_operation.h"

#include <stdint.h>
#include <string.h>

#include "proto/proto_page.h"
#include "proto/proto_problem.h"
#include "proto/proto_schema_int.h"

#define BIT(id) (1U << (id))
#define FIELD(name) BIT(PROTO_FIELD_##name)
#define PARAMETER(name) BIT(PROTO_PARAMETER_##name)
#define PROBLEM(name) BIT(PROTO_PROBLEM_##name)

#define JSON "application/json"
#define TEXT_PLAIN "text/plain"
#define HTML "text/html"
#define ANY_TYPE "*/*"

/* ---- parameters and fields ------------------------------------------------------------ */

static const struct proto_parameter parameters[PROTO_PARAMETER_COUNT] = {
    [PROTO_PARAMETER_PAGE_SIZE] = {PROTO_IN_QUERY,
                                   MAYBE("page_size", UINT(1, 0),
                                         "How many; the greatest is 1000, default 100.")},
    [PROTO_PARAMETER_PAGE_TOKEN] = {PROTO_IN_QUERY, MAYBE("page_token", TEXT(0),
                                                          "Of the page before: its "
                                                          "next_page_token.")},
    [PROTO_PARAMETER_STATE] = {PROTO_IN_QUERY,
                               MAYBE("state", CHOICE(STATE), "Only jobs in this state.")},
    [PROTO_PARAMETER_PUZZLE] = {PROTO_IN_QUERY,
                                MAYBE("puzzle", TEXT(0), "Only jobs of this puzzle.")},
    [PROTO_PARAMETER_LABEL] = {PROTO_IN_QUERY,
                               MAYBE("label", TEXT(0), "Only jobs with this label.")},
    [PROTO_PARAMETER_VERBOSE] = {PROTO_IN_QUERY, MAYBE("verbose", TEXT(0), "Tell every check.")},
    [PROTO_PARAMETER_AFTER] = {PROTO_IN_QUERY,
                               MAYBE("after", UINT(0, (double)INT64_MAX),
                                     "As Last-Event-ID, for clients that cannot send fields.")},
    [PROTO_PARAMETER_LAST_EVENT_ID] = {PROTO_IN_HEADER,
                                       MAYBE("Last-Event-ID", UINT(0, (double)INT64_MAX),
                                             "Go on behind this event.")},
    [PROTO_PARAMETER_IF_NONE_MATCH] = {PROTO_IN_HEADER,
                                       MAYBE("If-None-Match", TEXT(0),
                                             "The ETag of a copy; 304 if it is still good.")},
    [PROTO_PARAMETER_PREFER] = {PROTO_IN_HEADER,
                                MAYBE("Prefer", TEXT(0),
                                      "wait=N: answer at the end, but within N seconds, of which "
                                      "there are at most 60.")},
    [PROTO_PARAMETER_IDEMPOTENCY_KEY] = {PROTO_IN_HEADER,
                                         MAYBE("Idempotency-Key", TEXT(0),
                                               "The same request again is answered by what the "
                                               "first one made.")},
};

static const struct {
    const char *name, *about;
} fields[PROTO_FIELD_COUNT] = {
#define FIELD_ROW(name, wire, about) {wire, about},
    PROTO_FIELD_LIST(FIELD_ROW)
#undef FIELD_ROW
};

const struct proto_parameter *proto_parameter_at(enum proto_parameter_id id)
{
    return &parameters[id];
}

const char *proto_field_name(enum proto_field field)
{
    return fields[field].name;
}

const char *proto_field_about(enum proto_field field)
{
    return fields[field].about;
}

/* ---- streams -------------------------------------------------------------------------- */

#define TOLD(name, what, words)                                                                    \
    {                                                                                              \
        words, PROTO_EVENT_##name, PROTO_SHAPE_##what, true                                        \
    }
#define TOLD_IN_PASSING(name, what, words)                                                         \
    {                                                                                              \
        words, PROTO_EVENT_##name, PROTO_SHAPE_##what, false                                       \
    }

static const struct proto_told job_told[PROTO_OPERATION_MAX_EVENTS] = {
    TOLD(SNAPSHOT, JOB, "First, if no id was given or it is too old."),
    TOLD(STATE, EVENT_STATE, "The state has changed."),
    TOLD(PLAN, PLAN, "The job has a plan."),
    TOLD(TABLE, EVENT_TABLE, "A table is being filled."),
    TOLD(DEPTH, EVENT_DEPTH, "A depth is complete."),
    TOLD_IN_PASSING(PROGRESS, PROGRESS, "Within a depth; not told again."),
    TOLD(SOLUTION, SOLUTION, "A solution: one of each class."),
    TOLD(INCUMBENT, INCUMBENT, "A solution that is not proven to be shortest."),
    TOLD_IN_PASSING(DRAINING, EVENT_EMPTY, "The service is going down; connect again."),
    TOLD(DONE, JOB, "The job has ended."),
};

static const struct proto_told batch_told[PROTO_OPERATION_MAX_EVENTS] = {
    TOLD_IN_PASSING(SNAPSHOT, BATCH, "First, if no id was given; then every event there was."),
    TOLD(STATE, IN_BATCH_STATE, "The state of a job has changed."),
    TOLD(PLAN, IN_BATCH_PLAN, "A job has a plan."),
    TOLD(TABLE, IN_BATCH_TABLE, "A table is being filled for a job."),
    TOLD(DEPTH, IN_BATCH_DEPTH, "A depth of a job is complete."),
    TOLD(SOLUTION, IN_BATCH_SOLUTION, "A solution of a job: one of each class."),
    TOLD(INCUMBENT, IN_BATCH_INCUMBENT, "One of a job that is not proven to be shortest."),
    TOLD_IN_PASSING(DRAINING, EVENT_EMPTY, "The service is going down; connect again."),
    TOLD(DONE, IN_BATCH_JOB, "A job has ended."),
    TOLD(END, BATCH, "All jobs have ended."),
};

static const struct proto_told news_told[PROTO_OPERATION_MAX_EVENTS] = {
    TOLD(SNAPSHOT, NEWS_COUNTS, "First, if no id was given or it is too old."),
    TOLD(STATE, NEWS_STATE, "The state of a job has changed."),
    TOLD_IN_PASSING(DRAINING, EVENT_EMPTY, "The service is going down; connect again."),
};

/* ---- routes --------------------------------------------------------------------------- */

#define FILTERS (PARAMETER(STATE) | PARAMETER(PUZZLE) | PARAMETER(LABEL))
#define NOT_ACCEPTED                                                                               \
    (PROBLEM(CONFLICT) | PROBLEM(IDEMPOTENCY_MISMATCH) | PROBLEM(UNSUPPORTED) |                    \
     PROBLEM(INFEASIBLE_TARGET))
#define PAGE_FIELDS (FIELD(CONTENT_SECURITY_POLICY) | FIELD(REFERRER_POLICY) | FIELD(OPENER_POLICY))

#define NO_CONTENT(words)                                                                          \
    {                                                                                              \
        204, NULL, PROTO_SHAPE_NONE, {0, 0}, words                                                 \
    }
#define GIVES(status, what, always, sometimes, words)                                              \
    {                                                                                              \
        status, JSON, PROTO_SHAPE_##what, {always, sometimes}, words                               \
    }
#define GIVES_TYPE(media, always, sometimes, words)                                                \
    {                                                                                              \
        200, media, PROTO_SHAPE_NONE, {always, sometimes}, words                                   \
    }
#define NOT_MODIFIED(always, sometimes)                                                            \
    {                                                                                              \
        304, NULL, PROTO_SHAPE_NONE, {always, sometimes}, "The copy is still good."                \
    }
#define STREAM GIVES_TYPE(PROTO_EVENT_MEDIA_TYPE, FIELD(ACCEL_BUFFERING), 0, "The stream.")

static const struct proto_operation operations[PROTO_ROUTE_COUNT] = {
    [PROTO_ROUTE_JOB_SUBMIT] =
        {.body = PROTO_SHAPE_JOB_REQUEST,
         .parameters = PARAMETER(PREFER) | PARAMETER(IDEMPOTENCY_KEY),
         .problems = NOT_ACCEPTED,
         .reply = {GIVES(202, JOB, FIELD(ETAG) | FIELD(LOCATION) | FIELD(RETRY_AFTER),
                         FIELD(PREFERENCE_APPLIED), "The job is on disk and will be done."),
                   GIVES(200, JOB, FIELD(ETAG) | FIELD(PREFERENCE_APPLIED), 0,
                         "The job has ended within the time of Prefer.")}},
    [PROTO_ROUTE_JOB_LIST] = {.parameters = FILTERS,
                              .reply = {GIVES(200, JOB_LIST, 0, 0, "A page of them.")}},
    [PROTO_ROUTE_JOB_GET] =
        {.parameters = PARAMETER(PREFER),
         .reply = {GIVES(200, JOB, 0, FIELD(RETRY_AFTER) | FIELD(PREFERENCE_APPLIED), "The job."),
                   NOT_MODIFIED(0, FIELD(PREFERENCE_APPLIED))}},
    [PROTO_ROUTE_JOB_DELETE] = {.reply = {NO_CONTENT("It is gone.")}},
    [PROTO_ROUTE_JOB_EVENTS] = {.reply = {STREAM, NO_CONTENT("Nothing follows that event.")},
                                .told = job_told},
    [PROTO_ROUTE_JOB_TICKET] = {.reply = {GIVES(200, TICKET, 0, 0, "The token.")}},
    [PROTO_ROUTE_JOB_SOLUTIONS] = {.reply = {GIVES(200, SOLUTION_LIST, 0, 0, "A page of them."),
                                             GIVES_TYPE(TEXT_PLAIN, 0, 0, "One a line.")}},
    [PROTO_ROUTE_JOB_CANCEL] = {.reply = {GIVES(200, JOB, FIELD(ETAG), 0, "The job, as it is.")}},
    [PROTO_ROUTE_JOB_PAUSE] = {.reply = {GIVES(200, JOB, FIELD(ETAG), 0, "The job, as it is.")}},
    [PROTO_ROUTE_JOB_RESUME] = {.reply = {GIVES(200, JOB, FIELD(ETAG), 0, "The job, as it is.")}},
    [PROTO_ROUTE_BATCH_SUBMIT] =
        {.body = PROTO_SHAPE_BATCH_REQUEST,
         .parameters = PARAMETER(PREFER) | PARAMETER(IDEMPOTENCY_KEY),
         .problems = NOT_ACCEPTED,
         .reply = {GIVES(202, BATCH, FIELD(ETAG) | FIELD(LOCATION),
                         FIELD(RETRY_AFTER) | FIELD(PREFERENCE_APPLIED),
                         "The jobs are on disk and will be done."),
                   GIVES(200, BATCH, FIELD(ETAG) | FIELD(PREFERENCE_APPLIED), 0,
                         "All jobs have ended within the time of Prefer.")}},
    [PROTO_ROUTE_BATCH_LIST] = {.reply = {GIVES(200, BATCH_LIST, 0, 0, "A page of them.")}},
    [PROTO_ROUTE_BATCH_GET] = {.parameters = PARAMETER(PREFER),
                               .reply = {GIVES(200, BATCH, 0,
                                               FIELD(RETRY_AFTER) | FIELD(PREFERENCE_APPLIED),
                                               "The batch."),
                                         NOT_MODIFIED(0, FIELD(PREFERENCE_APPLIED))}},
    [PROTO_ROUTE_BATCH_DELETE] = {.reply = {NO_CONTENT("It is gone, with its jobs.")}},
    [PROTO_ROUTE_BATCH_JOBS] = {.parameters = FILTERS,
                                .reply = {GIVES(200, JOB_LIST, 0, 0, "A page of them.")}},
    [PROTO_ROUTE_BATCH_EVENTS] = {.reply = {STREAM, NO_CONTENT("Nothing follows that event.")},
                                  .told = batch_told},
    [PROTO_ROUTE_BATCH_TICKET] = {.reply = {GIVES(200, TICKET, 0, 0, "The token.")}},
    [PROTO_ROUTE_EVENTS] = {.reply = {STREAM}, .told = news_told},
    [PROTO_ROUTE_BATCH_CANCEL] = {.reply = {GIVES(200, BATCH, FIELD(ETAG), FIELD(RETRY_AFTER),
                                                  "The batch, as it is.")}},
    [PROTO_ROUTE_ANALYZE] = {.body = PROTO_SHAPE_ANALYZE_REQUEST,
                             .problems = PROBLEM(UNSUPPORTED) | PROBLEM(INFEASIBLE_TARGET),
                             .reply = {GIVES(200, ANALYSIS, 0, 0, "What was found.")}},
    [PROTO_ROUTE_TABLE_LIST] = {.reply = {GIVES(200, TABLE_LIST, 0, 0, "A page of them.")}},
    [PROTO_ROUTE_TABLE_MAKE] =
        {.body = PROTO_SHAPE_TABLES_REQUEST,
         .problems = PROBLEM(UNSUPPORTED) |
                     PROBLEM(INFEASIBLE_TARGET),
         .reply = {GIVES(202, TABLES_MADE, FIELD(LOCATION) | FIELD(RETRY_AFTER),
                         0, "They are being filled; Location is the first one that is not there."),
                   GIVES(200, TABLES_MADE, 0, 0, "All are there.")}},
    [PROTO_ROUTE_TABLE_GET] = {.reply = {GIVES(200, TABLE, 0, 0, "The table.")}},
    [PROTO_ROUTE_TABLE_DELETE] = {.problems = PROBLEM(CONFLICT),
                                  .reply = {NO_CONTENT("It is gone.")}},
    [PROTO_ROUTE_TABLE_PIN] = {.body = PROTO_SHAPE_PIN_REQUEST,
                               .body_may_miss = true,
                               .reply = {GIVES(200, TABLE, 0, 0, "The table.")}},
    [PROTO_ROUTE_PUZZLE_LIST] = {.reply = {GIVES(200, PUZZLE_LIST, 0, 0, "A page of them.")}},
    [PROTO_ROUTE_PUZZLE_GET] = {.reply = {GIVES(200, PUZZLE, 0, 0, "The puzzle.")}},
    [PROTO_ROUTE_LIVEZ] = {.reply = {GIVES_TYPE(TEXT_PLAIN, 0, 0, "It is.")}},
    [PROTO_ROUTE_READYZ] = {.parameters = PARAMETER(VERBOSE),
                            .problems = PROBLEM(UNAVAILABLE),
                            .reply = {GIVES_TYPE(TEXT_PLAIN, 0, 0, "It is.")}},
    [PROTO_ROUTE_METRICS] = {.reply = {GIVES_TYPE(TEXT_PLAIN, 0, 0, "The metrics.")}},
    [PROTO_ROUTE_VERSION] = {.reply = {GIVES(200, VERSION, 0, 0, "What is running.")}},
    [PROTO_ROUTE_OPENAPI] = {.reply = {GIVES(200, NONE, 0, 0, "This document."),
                                       NOT_MODIFIED(0, 0)}},
    [PROTO_ROUTE_WEB_PAGE] = {.reply = {GIVES_TYPE(HTML, PAGE_FIELDS, FIELD(CONTENT_ENCODING),
                                                   "The page."),
                                        NOT_MODIFIED(PAGE_FIELDS, 0)}},
    [PROTO_ROUTE_WEB_ASSET] = {.reply = {GIVES_TYPE(ANY_TYPE, 0, FIELD(CONTENT_ENCODING),
                                                    "The asset."),
                                         NOT_MODIFIED(0, 0)}},
};

const struct proto_operation *proto_operation_at(enum proto_route_id id)
{
    return &operations[id];
}

/* ---- what follows from flags ---------------------------------------------------------- */

unsigned proto_operation_parameters(const struct proto_route *route)
{
    unsigned all = operations[route->id].parameters;

    if (route->flags & PROTO_ROUTE_LIST)
        all |= PARAMETER(PAGE_SIZE) | PARAMETER(PAGE_TOKEN);
    if (route->flags & PROTO_ROUTE_CACHEABLE)
        all |= PARAMETER(IF_NONE_MATCH);
    if (route->flags & PROTO_ROUTE_SSE)
        all |= PARAMETER(AFTER) | PARAMETER(LAST_EVENT_ID);
    return all;
}

unsigned proto_operation_problems(const struct proto_route *route)
{
    unsigned all = operations[route->id].problems;

    all |=
        PROBLEM(BAD_REQUEST) | PROBLEM(FORBIDDEN) | PROBLEM(PAYLOAD_TOO_LARGE) | PROBLEM(INTERNAL);
    if (route->flags & PROTO_ROUTE_BODY)
        all |= PROBLEM(MALFORMED_JSON) | PROBLEM(UNSUPPORTED_MEDIA_TYPE) | PROBLEM(INVALID_REQUEST);
    if (route->flags & PROTO_ROUTE_LIST)
        all |= PROBLEM(INVALID_REQUEST);
    if (route->flags & PROTO_ROUTE_SSE)
        all |= PROBLEM(NOT_ACCEPTABLE);
    if (!(route->flags & PROTO_ROUTE_VITAL))
        all |= PROBLEM(TOO_MANY_REQUESTS) | PROBLEM(UNAVAILABLE);
    if (route->scope != PROTO_SCOPE_OPEN)
        all |= PROBLEM(UNAUTHORIZED);
    if (strchr(route->path, '{'))
        all |= PROBLEM(NOT_FOUND);
    return all;
}

static void add_common(const struct proto_route *route, struct proto_fields *out)
{
    out->always |= FIELD(X_REQUEST_ID) | FIELD(CACHE_CONTROL);
    if (!(route->flags & PROTO_ROUTE_VITAL))
        out->sometimes |= FIELD(RATELIMIT) | FIELD(RATELIMIT_POLICY);
}

struct proto_fields proto_operation_fields(const struct proto_route *route,
                                           const struct proto_reply *reply)
{
    struct proto_fields out = reply->fields;

    add_common(route, &out);
    if (route->flags & PROTO_ROUTE_LIST)
        out.sometimes |= FIELD(LINK);
    if (route->flags & PROTO_ROUTE_CACHEABLE)
        out.always |= FIELD(ETAG);
    return out;
}

struct proto_fields proto_problem_fields(const struct proto_route *route, int status)
{
    static const struct {
        int status;
        struct proto_fields fields;
    } own[] = {
        {401, {FIELD(WWW_AUTHENTICATE), 0}}, {403, {0, FIELD(WWW_AUTHENTICATE)}},
        {409, {0, FIELD(RETRY_AFTER)}},      {429, {FIELD(RETRY_AFTER), 0}},
        {503, {FIELD(RETRY_AFTER), 0}},
    };
    struct proto_fields out = {0, 0};

    for (size_t i = 0; i < BASE_COUNT(own); i++)
        if (own[i].status == status)
            out = own[i].fields;
    add_common(route, &out);
    return out;
}
