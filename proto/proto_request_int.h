/*
 * proto_request_int.h - what the halves of the request decoder share. Inside proto only.
 */
#ifndef PROTO_PROTO_REQUEST_INT_H
#define PROTO_PROTO_REQUEST_INT_H

#include "proto/proto_move.h"
#include "proto/proto_request.h"
#include "proto/proto_target_int.h"

#define PROTO_REQUEST_MIB 1048576.0    /* bytes; limits.memory_mib may be a fraction */
#define PROTO_REQUEST_MIN_SECONDS 1e-6 /* of limits.seconds */
#define PROTO_REQUEST_MAX_REAL 1e9     /* of limits that may be fractions */

/* A request while it is being decoded. */
struct proto_request_decoder {
    struct proto_job_request *out;
    struct puzzle *base; /* with the puzzle's own moves; one reference */
    bool has_moves;
    bool has_start; /* given, and not known to be solved */
    struct proto_move_alg start;
    uint64_t order; /* the target is all structures of this order; 0: it is not */
    struct proto_targets targets;
    unsigned body; /* whose members are read: PROTO__BODY_JOB or PROTO__BODY_TABLES */
    bool pin;      /* of POST /v1/tables */
};

/* proto_job_request_decode of a body that is parsed already. */
int proto__request_decode_job(json_t *value, struct proto_job_request *out,
                              struct proto_problem *problem);

/* The puzzle by whose moves targets are judged. With `start` a target must be reachable from there
 * and not from the solved state, which only the full set of moves can tell apart. */
const struct puzzle *proto__request_judge(const struct proto_request_decoder *decoder);

/* The texts that a decoded request carries: out->echo, out->target, out->key. BASE_ERR_NOMEM. */
int proto__request_print(struct proto_request_decoder *decoder);

/* Decodes `moves`: replaces out->puzzle. A negative code says that an error was added. */
int proto__request_read_moves(struct proto_request_decoder *decoder,
                              const struct proto_json_at *at);

/* Is any of the targets within reach of the start by the job's moves, as far as parities and
 * slots that no move changes can tell? If not, an error about `at`, the start, is added. */
void proto__request_check_start(const struct proto_request_decoder *decoder,
                                const struct proto_json_at *at);

/* Decodes `tables` into out->tables. */
int proto__request_read_tables(struct proto_request_decoder *decoder,
                               const struct proto_json_at *at);
/* Writes the member `tables`, unless there are no wishes. */
void proto__request_write_tables(struct proto_writer *writer, const struct puzzle *puzzle,
                                 const struct search_wishes *wishes);

/* "... not available yet": for members that the API has and this version has not. */
int proto__request_refuse_yet(const struct proto_json_at *at, const char *what);

/* The puzzle that the member `puzzle` of `root` names, or the default. *out stays as it is on
 * failure. */
int proto__request_read_puzzle(const struct proto_json_at *root, struct puzzle **out);

/* Decodes an algorithm with the moves of `puzzle`; the error that it adds tells the position. */
int proto__request_read_alg(const struct puzzle *puzzle, const struct proto_json_at *at,
                            struct proto_move_alg *out);

/* The same for a start, which has other forms too. */
int proto__request_read_start(const struct puzzle *puzzle, const struct proto_json_at *at,
                              struct proto_move_alg *out);

#endif
