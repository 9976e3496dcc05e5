/*
 * proto_job.h - replies. Everything that is kept beyond a request (plan, progress, result,
 * solutions) is a JSON text of its own; a job is put together from such texts, so that a job which
 * ended before the last restart is served exactly like a running one.
 *
 * All encoders return new text (free), NULL: out of memory.
 */
#ifndef PROTO_PROTO_JOB_H
#define PROTO_PROTO_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine/engine.h"
#include "core/puzzle/puzzle.h"
#include "proto/proto_request.h"

enum { PROTO_JOB_MAX_SOLUTIONS = 100 }; /* in the job itself */

/* Wire names of states: "queued", "running", ... Static. */
const char *proto_state_name(enum engine_state state);
int proto_state_parse(const char *text, enum engine_state *out); /* BASE_ERR_RANGE */
bool proto_state_ended(enum engine_state state);

/* Of `limit_hit`: "seconds", ...; NULL for none. Static. */
const char *proto_limit_name(enum engine_limit limit);

/* ---- parts of a job ------------------------------------------------------------------- */

char *proto_plan_encode(const struct engine_plan *plan);

/* queue_position: 0-based, negative: null. The puzzle, of the job, may be NULL if there is no
 * incumbent. */
char *proto_progress_encode(const struct puzzle *puzzle, const struct engine_progress *progress,
                            int64_t queue_position);

/* Solutions are verified by the engine; the puzzle is that of the job. */
char *proto_solution_encode(const struct puzzle *puzzle, const struct engine_solution *solution);

/* A solution that is not proven to be the shortest. */
char *proto_incumbent_encode(const struct puzzle *puzzle, const struct engine_solution *solution);

/* Reads `moves` back from an encoded solution: new text (free). BASE_ERR_CORRUPT, _NOMEM. */
int proto_solution_moves(const char *json, char **out);

/* The `result` member of an ended job. `count` is the sum of `by_length`; where the counts are not
 * exact it is null, and `by_length` empty. */
char *proto_result_encode(const struct puzzle *puzzle, const struct engine_result *result);

/* What of an encoded result decides whether it may answer another request. */
struct proto_result_summary {
    int length; /* -1: none */
    bool optimal;
    unsigned lower_bound;
    enum engine_limit limit_hit; /* not NONE: must not answer another request */
};
int proto_result_decode(const char *json, struct proto_result_summary *out); /* BASE_ERR_CORRUPT */

/* ---- the job -------------------------------------------------------------------------- */

/* Everything is borrowed for the call. */
struct proto_job_view {
    const char *id;
    enum engine_state state;
    uint64_t version;
    int64_t created_us, started_us, ended_us; /* microseconds since 1970 UTC; 0: not yet */
    const char *label;                        /* NULL: none */
    bool cached;
    const char *shared_with;      /* id of the job that does the work; NULL: none, not written */
    const char *batch;            /* id of the batch that it came in; NULL: none, not written */
    uint64_t batch_index;         /* its place there, from 0 */
    const char *request;          /* JSON, proto_job_request.echo */
    const char *target;           /* JSON, proto_job_request.target */
    const char *plan;             /* JSON or NULL */
    const char *progress;         /* JSON or NULL */
    const char *result;           /* JSON or NULL */
    const char *error_text;       /* of a failed job; NULL: none, not written */
    const char *const *solutions; /* JSON each; at most PROTO_JOB_MAX_SOLUTIONS are written */
    size_t n_solutions;
    bool brief; /* for lists: without plan and solutions */
};

char *proto_job_encode(const struct proto_job_view *view);

/* {"NAME": [items], "next_page_token": "..."}; items are JSON texts, the token "" at the end. */
char *proto_list_encode(const char *name, const char *const *items, size_t n,
                        const char *next_page_token);

/* Solutions as text/plain: the moves of each, one a line. BASE_ERR_CORRUPT, _NOMEM. */
int proto_solutions_text(const char *const *solutions, size_t n, char **out);

/* ---- the rest ------------------------------------------------------------------------- */

char *proto_table_encode(const struct engine_table_info *table);

/* The reply of POST /v1/tables: encoded tables and an encoded plan. */
char *proto_tables_encode(const char *const *tables, size_t n, const char *plan);

/* A puzzle with its orbits, moves and the number of its symmetries (0: not known, null). */
char *proto_puzzle_encode(const struct puzzle *puzzle, unsigned n_symmetries);

char *proto_analyze_encode(const struct proto_analyze_request *request);

struct proto_version_view {
    const char *version, *commit, *compiler, *kernels;
};
char *proto_version_encode(const struct proto_version_view *view);

#endif
