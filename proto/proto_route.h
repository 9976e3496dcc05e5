/*
 * proto_route.h - the routes as data. The server dispatches on the enum; documentation and the
 * Allow field come from the same table.
 */
#ifndef PROTO_PROTO_ROUTE_H
#define PROTO_PROTO_ROUTE_H

#include <stddef.h>

enum proto_scope { PROTO_SCOPE_OPEN, PROTO_SCOPE_READ, PROTO_SCOPE_SUBMIT, PROTO_SCOPE_ADMIN };

enum {
    PROTO_ROUTE_BODY = 1,      /* takes a JSON body */
    PROTO_ROUTE_SSE = 2,       /* answers text/event-stream */
    PROTO_ROUTE_CACHEABLE = 4, /* answers with an ETag, honours If-None-Match */
    PROTO_ROUTE_LIST = 8,      /* takes page_size and page_token */
    PROTO_ROUTE_TEXT = 16,     /* also answers text/plain on request */
    PROTO_ROUTE_WEB = 32,      /* for people: the page and what it loads */
    PROTO_ROUTE_VITAL = 64,    /* answered even when there is no room for more, and to whoever asks
                                  too often: operation depends on it */
    PROTO_ROUTE_TICKET = 128   /* what it names may be read with a ticket in the query */
};

/* X(NAME, "METHOD", "/path/{id}", flags, scope, "summary") - a template has at most one capture,
 * which stands for one whole segment. */
#define PROTO_ROUTE_LIST_ALL(X)                                                                    \
    X(JOB_SUBMIT, "POST", "/v1/jobs", PROTO_ROUTE_BODY, SUBMIT, "Submit a job")                    \
    X(JOB_LIST, "GET", "/v1/jobs", PROTO_ROUTE_LIST, READ, "List jobs, newest first")              \
    X(JOB_GET, "GET", "/v1/jobs/{id}", PROTO_ROUTE_CACHEABLE, READ, "A job")                       \
    X(JOB_DELETE, "DELETE", "/v1/jobs/{id}", 0, SUBMIT, "Cancel if live and remove the record")    \
    X(JOB_EVENTS, "GET", "/v1/jobs/{id}/events", PROTO_ROUTE_SSE | PROTO_ROUTE_TICKET, READ,       \
      "Event stream of a job")                                                                     \
    X(JOB_TICKET, "POST", "/v1/jobs/{id}/events-token", 0, READ,                                   \
      "A token for the event stream of a job, to be given as ?token= within a minute")             \
    X(JOB_SOLUTIONS, "GET", "/v1/jobs/{id}/solutions", PROTO_ROUTE_LIST | PROTO_ROUTE_TEXT, READ,  \
      "Solutions of a job, easiest first within a length")                                         \
    X(JOB_CANCEL, "POST", "/v1/jobs/{id}/cancel", 0, SUBMIT, "Cancel a job")                       \
    X(JOB_PAUSE, "POST", "/v1/jobs/{id}/pause", 0, SUBMIT, "Pause a job")                          \
    X(JOB_RESUME, "POST", "/v1/jobs/{id}/resume", 0, SUBMIT, "Resume a paused job")                \
    X(BATCH_SUBMIT, "POST", "/v1/batches", PROTO_ROUTE_BODY, SUBMIT, "Submit a list of jobs")      \
    X(BATCH_LIST, "GET", "/v1/batches", PROTO_ROUTE_LIST, READ, "List batches, newest first")      \
    X(BATCH_GET, "GET", "/v1/batches/{id}", PROTO_ROUTE_CACHEABLE, READ, "A batch")                \
    X(BATCH_DELETE, "DELETE", "/v1/batches/{id}", 0, SUBMIT,                                       \
      "Cancel what is live and remove the batch with its jobs")                                    \
    X(BATCH_JOBS, "GET", "/v1/batches/{id}/jobs", PROTO_ROUTE_LIST, READ,                          \
      "Jobs of a batch, in its order")                                                             \
    X(BATCH_EVENTS, "GET", "/v1/batches/{id}/events", PROTO_ROUTE_SSE | PROTO_ROUTE_TICKET, READ,  \
      "One event stream of all jobs of a batch")                                                   \
    X(BATCH_TICKET, "POST", "/v1/batches/{id}/events-token", 0, READ,                              \
      "The same for the event stream of a batch")                                                  \
    X(EVENTS, "GET", "/v1/events", PROTO_ROUTE_SSE, READ, "Changes of state of all jobs")          \
    X(BATCH_CANCEL, "POST", "/v1/batches/{id}/cancel", 0, SUBMIT, "Cancel the jobs of a batch")    \
    X(ANALYZE, "POST", "/v1/analyze", PROTO_ROUTE_BODY, READ,                                      \
      "Cycle structure of an algorithm, without a search")                                         \
    X(TABLE_LIST, "GET", "/v1/tables", PROTO_ROUTE_LIST, READ, "Resident pruning tables")          \
    X(TABLE_MAKE, "POST", "/v1/tables", PROTO_ROUTE_BODY, ADMIN, "Fill pruning tables in advance") \
    X(TABLE_GET, "GET", "/v1/tables/{key}", 0, READ, "A pruning table")                            \
    X(TABLE_DELETE, "DELETE", "/v1/tables/{key}", 0, ADMIN, "Remove a table that is not in use")   \
    X(TABLE_PIN, "POST", "/v1/tables/{key}/pin", PROTO_ROUTE_BODY, ADMIN,                          \
      "Keep a table, or no longer keep it, when memory is wanted")                                 \
    X(PUZZLE_LIST, "GET", "/v1/puzzles", PROTO_ROUTE_LIST, READ, "Known puzzles")                  \
    X(PUZZLE_GET, "GET", "/v1/puzzles/{name}", 0, READ, "A puzzle: orbits, moves, symmetries")     \
    X(LIVEZ, "GET", "/livez", PROTO_ROUTE_VITAL, OPEN, "Is the process alive?")                    \
    X(READYZ, "GET", "/readyz", PROTO_ROUTE_VITAL, OPEN, "Is the service ready?")                  \
    X(METRICS, "GET", "/metrics", PROTO_ROUTE_VITAL, READ,                                         \
      "Metrics in the Prometheus text format")                                                     \
    X(VERSION, "GET", "/version", PROTO_ROUTE_VITAL, OPEN, "Build and kernels")                    \
    X(OPENAPI, "GET", "/openapi.json", PROTO_ROUTE_CACHEABLE, OPEN, "This description")            \
    X(WEB_PAGE, "GET", "/", PROTO_ROUTE_CACHEABLE | PROTO_ROUTE_WEB, OPEN, "The web page")         \
    X(WEB_ASSET, "GET", "/assets/{name}", PROTO_ROUTE_CACHEABLE | PROTO_ROUTE_WEB, OPEN,           \
      "What the web page loads; named by its content")

enum proto_route_id {
#define PROTO_ROUTE_ENUM(name, method, path, flags, scope, summary) PROTO_ROUTE_##name,
    PROTO_ROUTE_LIST_ALL(PROTO_ROUTE_ENUM)
#undef PROTO_ROUTE_ENUM
        PROTO_ROUTE_COUNT
};

enum { PROTO_ROUTE_CAPTURE_BYTES = 64, PROTO_ROUTE_ALLOW_BYTES = 64 };

struct proto_route {
    enum proto_route_id id;
    const char *method;
    const char *path;
    const char *name; /* "JOB_SUBMIT" */
    unsigned flags;
    enum proto_scope scope;
    const char *summary;
};

struct proto_route_match {
    const struct proto_route *route;         /* static */
    char capture[PROTO_ROUTE_CAPTURE_BYTES]; /* "" if the template has none */
    char allow[PROTO_ROUTE_ALLOW_BYTES];     /* of the path: "GET, HEAD, DELETE, OPTIONS" */
};

const struct proto_route *proto_route_at(enum proto_route_id id);

/* `path` is the decoded path without the query; HEAD finds the GET route. Fills `allow` whenever
 * the path exists. BASE_ERR_NOT_FOUND: no such path; BASE_ERR_UNSUPPORTED: not with this method
 * (among others for OPTIONS, which the server answers itself). */
int proto_route_find(const char *method, const char *path, struct proto_route_match *out);

#endif
