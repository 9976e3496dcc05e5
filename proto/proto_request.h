/*
 * proto_request.h - bodies of requests → what the engine is asked.
 *
 * The echo is a request body again: decoding it gives an equal request. That is how the server
 * keeps accepted jobs, and how it has them again after a restart.
 */
#ifndef PROTO_PROTO_REQUEST_H
#define PROTO_PROTO_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cycle/cycle.h"
#include "core/engine/engine.h"
#include "core/puzzle/puzzle.h"
#include "proto/proto_problem.h"

enum {
    PROTO_REQUEST_MAX_LABEL = 200,              /* characters */
    PROTO_REQUEST_MAX_TARGETS = 1000,           /* of any_of */
    PROTO_REQUEST_MAX_LENGTH = PUZZLE_MAX_WORD, /* of min_length, max_length, slack */
    PROTO_REQUEST_MAX_SOLUTIONS = 1000000,
    PROTO_REQUEST_MAX_PRIORITY = 9,
    PROTO_REQUEST_DEFAULT_PRIORITY = 5
};

struct proto_job_request {
    struct puzzle *puzzle;           /* with the job's moves; one reference */
    struct cycle_structure *targets; /* canonical, sorted, distinct, feasible */
    size_t n_targets;
    bool has_start;
    uint8_t start[PERM_MAX_BYTES];
    enum engine_find find;
    unsigned slack;
    unsigned min_length;
    unsigned max_length; /* UINT_MAX if not set */
    bool max_length_set;
    struct engine_limits limits; /* zero where the request names none */
    struct search_wishes tables; /* no part of what makes requests equal */
    unsigned priority;
    bool fresh;
    char *label;  /* NULL: none */
    char *echo;   /* JSON: the request as understood */
    char *target; /* JSON: the `target` member of the job */
    char *key;    /* requests are equal if and only if their keys are */
};

/* Decodes the body of POST /v1/jobs. On success free with proto_job_request_deinit; on failure the
 * problem is set and there is nothing to free. */
int proto_job_request_decode(const char *body, size_t length, struct proto_job_request *out,
                             struct proto_problem *problem);
void proto_job_request_deinit(struct proto_job_request *request);

/* Limits of the server: `most` seconds and nodes (0: none) become those of a request that names
 * none, in its echo too, so that they hold after a restart. A request that names more is refused;
 * the problem is then set and the request stays as it is. */
int proto_job_request_cap(struct proto_job_request *request, const struct engine_limits *most,
                          struct proto_problem *problem);

/* What to submit: borrows from `request` while that lives. The caller adds its cookie and lowers
 * the limits to its own. */
void proto_job_request_spec(const struct proto_job_request *request, struct engine_spec *out);

/* Body of POST /v1/tables: of the job, puzzle, moves, target, tables and limits.memory_bytes. */
struct proto_tables_request {
    struct proto_job_request job;
    bool pin;
};

int proto_tables_request_decode(const char *body, size_t length, struct proto_tables_request *out,
                                struct proto_problem *problem);
void proto_tables_request_deinit(struct proto_tables_request *request);

/* Why wishes for tables, which were understood, cannot be met. */
struct proto_tables_refusal {
    unsigned orbit; /* whose wish; PERM_MAX_ORBITS: that for a product */
    const char *text;
};

/* Adds the refusal as an error about the member of `tables` in the body (as its writer named the
 * orbit). Returns a negative code. */
int proto_tables_refuse(const char *body, size_t length, const struct puzzle *puzzle,
                        const struct proto_tables_refusal *refusal, struct proto_problem *problem);

/* Body of POST /v1/analyze. */
struct proto_analyze_request {
    struct puzzle *puzzle; /* one reference */
    char *canonical;       /* the algorithm, printed move by move; NULL: told without moves */
    uint8_t state[PERM_MAX_BYTES];
};

int proto_analyze_request_decode(const char *body, size_t length, struct proto_analyze_request *out,
                                 struct proto_problem *problem);
void proto_analyze_request_deinit(struct proto_analyze_request *request);

/* The reply to POST /v1/analyze: new text (free). A body that has a target (`cycles`, `like`,
 * `order` or `any_of`) is judged as that of a job would be, without submitting it; any other tells
 * a state. A negative code: the problem is set. */
int proto_analyze(const char *body, size_t length, char **out, struct proto_problem *problem);

/* Body of POST /v1/tables/{key}/pin: {"pinned": bool}; true if it is empty or names nothing. */
int proto_pin_request_decode(const char *body, size_t length, bool *pinned,
                             struct proto_problem *problem);

#endif
