/*
 * proto_problem.c - collecting findings, and the document made of them.
 */
#include "proto/proto_problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_write.h"

struct proto_problem_error {
    char *pointer;
    char *detail;
    const char *rule;
};

/* ---- kinds ---------------------------------------------------------------------------- */

struct kind_row {
    const char *type;
    const char *title;
    int status;
};

static const struct kind_row kinds[PROTO_PROBLEM_COUNT] = {
#define KIND_ROW(name, wire, title, status)                                                        \
    [PROTO_PROBLEM_##name] = {"/problems/" wire, title, status},
    PROTO_PROBLEM_LIST(KIND_ROW)
#undef KIND_ROW
};

/* Every code of the one error list, and what it is on the wire. CORRUPT and VERSION are about what
 * we stored ourselves; what a client sent is never an internal error. */
#define ERR_MAP(X)                                                                                 \
    X(NOMEM, UNAVAILABLE)                                                                          \
    X(SYNTAX, INVALID_REQUEST)                                                                     \
    X(TYPE, INVALID_REQUEST)                                                                       \
    X(RANGE, INVALID_REQUEST)                                                                      \
    X(UNKNOWN_MEMBER, INVALID_REQUEST)                                                             \
    X(UNKNOWN_PUZZLE, INVALID_REQUEST)                                                             \
    X(UNKNOWN_ORBIT, INVALID_REQUEST)                                                              \
    X(UNKNOWN_MOVE, INVALID_REQUEST)                                                               \
    X(CONFLICT, INVALID_REQUEST)                                                                   \
    X(INFEASIBLE, INFEASIBLE_TARGET)                                                               \
    X(UNSUPPORTED, UNSUPPORTED)                                                                    \
    X(TOO_LARGE, INVALID_REQUEST)                                                                  \
    X(NOT_FOUND, NOT_FOUND)                                                                        \
    X(BUSY, UNAVAILABLE)                                                                           \
    X(CANCELLED, CONFLICT)                                                                         \
    X(NO_SPACE, UNAVAILABLE)                                                                       \
    X(MEMORY_LIMIT, UNAVAILABLE)                                                                   \
    X(CORRUPT, INTERNAL)                                                                           \
    X(VERSION, INTERNAL)                                                                           \
    X(IO, INTERNAL)                                                                                \
    X(INTERNAL, INTERNAL)

static const enum proto_problem_kind kind_of_err[BASE_ERR_COUNT] = {
#define ERR_ROW(err, kind) [BASE_ERR_INDEX_##err] = PROTO_PROBLEM_##kind,
    ERR_MAP(ERR_ROW)
#undef ERR_ROW
};

#define ERR_ONE(err, kind) +1
_Static_assert(0 ERR_MAP(ERR_ONE) == BASE_ERR_COUNT, "an error code has no problem kind");
#undef ERR_ONE

const char *proto_problem_type(enum proto_problem_kind kind)
{
    return kinds[kind].type;
}

int proto_problem_status(enum proto_problem_kind kind)
{
    return kinds[kind].status;
}

enum proto_problem_kind proto_problem_of_err(int code)
{
    unsigned index = (unsigned)(-1 - code);

    return index < BASE_ERR_COUNT ? kind_of_err[index] : PROTO_PROBLEM_INTERNAL;
}

/* ---- collecting ----------------------------------------------------------------------- */

/* A graver kind (earlier in the list) replaces a milder one. */
static void raise_kind(struct proto_problem *problem, enum proto_problem_kind kind)
{
    if (!problem->set || kind < problem->kind) {
        problem->kind = kind;
        problem->status = kinds[kind].status;
    }
    problem->set = true;
}

static int code_of_kind(enum proto_problem_kind kind)
{
    switch (kind) {
    case PROTO_PROBLEM_INFEASIBLE_TARGET:
        return BASE_ERR_INFEASIBLE;
    case PROTO_PROBLEM_UNSUPPORTED:
        return BASE_ERR_UNSUPPORTED;
    case PROTO_PROBLEM_UNAVAILABLE:
        return BASE_ERR_BUSY;
    case PROTO_PROBLEM_INTERNAL:
        return BASE_ERR_INTERNAL;
    default:
        return BASE_ERR_SYNTAX;
    }
}

int proto_problem_code(const struct proto_problem *problem)
{
    return code_of_kind(problem->kind);
}

int proto_problem_set(struct proto_problem *problem, enum proto_problem_kind kind,
                      const char *format, ...)
{
    va_list args;

    raise_kind(problem, kind);
    va_start(args, format);
    vsnprintf(problem->detail, sizeof(problem->detail), format, args);
    va_end(args);
    return code_of_kind(kind);
}

int proto_problem_set_err(struct proto_problem *problem, int code, const char *detail)
{
    proto_problem_set(problem, proto_problem_of_err(code), "%s",
                      detail && *detail ? detail : base_err_text(code));
    return code;
}

/* Room for one more error in the list, or NULL: the list is full, or there is no memory. */
static struct proto_problem_error *new_error(struct proto_problem *problem)
{
    struct proto_problem_error *grown;

    if (problem->n_errors == PROTO_PROBLEM_MAX_ERRORS)
        return NULL;
    if ((problem->n_errors & (problem->n_errors - 1)) == 0) { /* 0 or a power of two: full */
        size_t capacity = problem->n_errors ? 2 * problem->n_errors : 1;
        grown = realloc(problem->errors, capacity * sizeof(*grown));
        if (!grown)
            return NULL;
        problem->errors = grown;
    }
    return &problem->errors[problem->n_errors];
}

int proto_problem_add(struct proto_problem *problem, enum proto_problem_kind kind,
                      const char *pointer, const char *rule, const char *format, ...)
{
    struct proto_problem_error *error = new_error(problem);
    va_list args;

    raise_kind(problem, kind);
    if (!error) {
        problem->n_dropped++;
        return code_of_kind(kind);
    }
    error->rule = rule;
    error->pointer = strdup(pointer);
    va_start(args, format);
    if (vasprintf(&error->detail, format, args) < 0)
        error->detail = NULL;
    va_end(args);
    problem->n_errors++;
    return code_of_kind(kind);
}

static bool has_error(const struct proto_problem *problem, const char *pointer, const char *detail)
{
    for (size_t i = 0; i < problem->n_errors; i++) {
        const struct proto_problem_error *error = &problem->errors[i];
        if (error->pointer && error->detail && !strcmp(error->pointer, pointer) &&
            !strcmp(error->detail, detail))
            return true;
    }
    return false;
}

void proto_problem_move(struct proto_problem *to, struct proto_problem *from,
                        void (*place)(void *arg, const char *pointer, struct base_buf *out),
                        void *arg)
{
    if (from->set && !from->n_errors)
        proto_problem_set(to, from->kind, "%s", from->detail);
    for (size_t i = 0; i < from->n_errors; i++) {
        const struct proto_problem_error *error = &from->errors[i];
        const char *detail = error->detail ? error->detail : "";
        struct base_buf pointer = {0};

        place(arg, error->pointer ? error->pointer : "", &pointer);
        if (!has_error(to, base_buf_str(&pointer), detail))
            proto_problem_add(to, from->kind, base_buf_str(&pointer), error->rule, "%s", detail);
        base_buf_deinit(&pointer);
    }
    to->n_dropped += from->n_dropped;
    proto_problem_deinit(from);
}

void proto_problem_deinit(struct proto_problem *problem)
{
    for (size_t i = 0; i < problem->n_errors; i++) {
        free(problem->errors[i].pointer);
        free(problem->errors[i].detail);
    }
    free(problem->errors);
    *problem = (struct proto_problem){0};
}

/* ---- the document --------------------------------------------------------------------- */

static void write_errors(struct proto_writer *writer, const struct proto_problem *problem)
{
    proto_write_array(writer, "errors");
    for (size_t i = 0; i < problem->n_errors; i++) {
        const struct proto_problem_error *error = &problem->errors[i];
        proto_write_object(writer, NULL);
        proto_write_text(writer, "pointer", error->pointer);
        if (error->rule)
            proto_write_text(writer, "rule", error->rule);
        proto_write_text(writer, "detail", error->detail);
        proto_write_object_end(writer);
    }
    proto_write_array_end(writer);
}

/* Without a detail of its own, a document tells its first finding, and how many there are. */
static void write_detail(struct proto_writer *writer, const struct proto_problem *problem)
{
    const struct proto_problem_error *first = problem->errors;
    size_t total = problem->n_errors + problem->n_dropped;
    struct base_buf text = {0};

    if (*problem->detail || !problem->n_errors) {
        proto_write_text(writer, "detail",
                         *problem->detail ? problem->detail : kinds[problem->kind].title);
        return;
    }
    if (first->pointer && *first->pointer)
        base_buf_printf(&text, "%s: ", first->pointer);
    base_buf_text(&text, first->detail ? first->detail : kinds[problem->kind].title);
    if (total > 1)
        base_buf_printf(&text, " (and %zu more)", total - 1);
    proto_write_text(writer, "detail", base_buf_str(&text));
    base_buf_deinit(&text);
}

char *proto_problem_encode(const struct proto_problem *problem)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "type", kinds[problem->kind].type);
    proto_write_text(&writer, "title", kinds[problem->kind].title);
    proto_write_uint(&writer, "status", (uint64_t)kinds[problem->kind].status);
    write_detail(&writer, problem);
    if (problem->n_errors)
        write_errors(&writer, problem);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}
