/*
 * proto_problem.h - problem documents (RFC 9457), the one form of every error on the wire.
 *
 * Decoders collect everything that is wrong with a request before they give up: each finding is an
 * error with the JSON pointer of the member that it is about. The document's kind is that of its
 * gravest error, in the order of the list below.
 */
#ifndef PROTO_PROTO_PROBLEM_H
#define PROTO_PROTO_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/base_attr.h"
#include "core/base/base_buf.h"

/* X(NAME, "wire name", "title", HTTP status) - among the kinds that can meet in one request (the
 * 422 ones) the graver come first. */
#define PROTO_PROBLEM_LIST(X)                                                                      \
    X(INTERNAL, "internal", "Internal error", 500)                                                 \
    X(UNAVAILABLE, "unavailable", "The service cannot take this now", 503)                         \
    X(BAD_REQUEST, "bad-request", "The request is not valid HTTP for this service", 400)           \
    X(MALFORMED_JSON, "malformed-json", "The body is not acceptable JSON", 400)                    \
    X(UNAUTHORIZED, "unauthorized", "A token is needed", 401)                                      \
    X(FORBIDDEN, "forbidden", "This is not allowed", 403)                                          \
    X(NOT_FOUND, "not-found", "There is nothing here", 404)                                        \
    X(METHOD_NOT_ALLOWED, "method-not-allowed", "The path does not answer this method", 405)       \
    X(NOT_ACCEPTABLE, "not-acceptable", "No acceptable representation", 406)                       \
    X(CONFLICT, "conflict", "The request contradicts the present state", 409)                      \
    X(PAYLOAD_TOO_LARGE, "payload-too-large", "The body is too large", 413)                        \
    X(URI_TOO_LONG, "uri-too-long", "The address is too long", 414)                                \
    X(UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "The body has a type that is not read",    \
      415)                                                                                         \
    X(TOO_MANY_REQUESTS, "too-many-requests", "Too many requests", 429)                            \
    X(HEADERS_TOO_LARGE, "headers-too-large", "The header fields are too large", 431)              \
    X(IDEMPOTENCY_MISMATCH, "idempotency-mismatch",                                                \
      "The idempotency key was used with another body", 422)                                       \
    X(INVALID_REQUEST, "invalid-request", "The request is not valid", 422)                         \
    X(UNSUPPORTED, "unsupported", "The request asks for something not available yet", 422)         \
    X(INFEASIBLE_TARGET, "infeasible-target", "No position has the target structure", 422)

enum proto_problem_kind {
#define PROTO_PROBLEM_ENUM(name, wire, title, status) PROTO_PROBLEM_##name,
    PROTO_PROBLEM_LIST(PROTO_PROBLEM_ENUM)
#undef PROTO_PROBLEM_ENUM
        PROTO_PROBLEM_COUNT
};

enum { PROTO_PROBLEM_MAX_ERRORS = 100, PROTO_PROBLEM_DETAIL_BYTES = 400 };

struct proto_problem_error; /* pointer, rule, detail */

/* All-zero is "no problem". Freed by proto_problem_deinit. */
struct proto_problem {
    bool set;
    enum proto_problem_kind kind;
    int status;                              /* HTTP status of the kind */
    char detail[PROTO_PROBLEM_DETAIL_BYTES]; /* may hold any bytes: cleaned when encoded */
    size_t n_errors;
    size_t n_dropped; /* errors beyond the cap */
    struct proto_problem_error *errors;
};

void proto_problem_deinit(struct proto_problem *problem);

/* States the problem as a whole. Returns proto_problem_code of the kind, so that a decoder can say
 * `return proto_problem_set(...)`. */
int proto_problem_set(struct proto_problem *problem, enum proto_problem_kind kind,
                      const char *format, ...) BASE_PRINTF(3, 4);

/* As proto_problem_set, from a base_err code and an optional detail (NULL: the code's text). */
int proto_problem_set_err(struct proto_problem *problem, int code, const char *detail);

/* Adds one error; `rule` (static, may be NULL) names the violated rule. Returns as above. */
int proto_problem_add(struct proto_problem *problem, enum proto_problem_kind kind,
                      const char *pointer, const char *rule, const char *format, ...)
    BASE_PRINTF(5, 6);

/* Moves what is wrong from one problem, which is deinitialised, to another; nothing if it is not
 * set. `place` appends to its buffer the pointer that an error with `pointer` gets there; errors
 * that are there already, word for word, are dropped. */
void proto_problem_move(struct proto_problem *to, struct proto_problem *from,
                        void (*place)(void *arg, const char *pointer, struct base_buf *out),
                        void *arg);

/* The base_err that the kind stands for, for a problem that is set: never 0. */
int proto_problem_code(const struct proto_problem *problem);

enum proto_problem_kind proto_problem_of_err(int code);
const char *proto_problem_type(enum proto_problem_kind kind); /* "/problems/not-found", static */
int proto_problem_status(enum proto_problem_kind kind);

/* The document: new text (free), NULL: out of memory. */
char *proto_problem_encode(const struct proto_problem *problem);

#define PROTO_PROBLEM_MEDIA_TYPE "application/problem+json"

#endif
