/*
 * proto_request_analyze.c - the body of POST /v1/analyze.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_request_int.h"
#include "proto/proto_schema_int.h"

/* Exactly one of `alg` and `start` tells the state. */
static void read_state(const struct proto_json_at *root, const struct puzzle *puzzle,
                       struct proto_move_alg *out)
{
    struct proto_json_at alg, start;
    bool has_alg = proto_json_member(root, "alg", &alg);
    bool has_start = proto_json_member(root, "start", &start);

    if (has_alg && has_start)
        proto_json_refuse(&start, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                          "only one of alg and start can be analysed");
    else if (has_alg)
        proto__request_read_alg(puzzle, &alg, out);
    else if (has_start)
        proto__request_read_start(puzzle, &start, out);
    else
        proto_json_refuse(root, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                          "there is nothing to analyse: alg or start is needed");
}

static void decode_analyze(const struct proto_json_at *root, struct puzzle **puzzle,
                           struct proto_move_alg *alg)
{
    if (proto_json_read_object(root))
        return;
    proto__shape_check(root, PROTO_SHAPE_ANALYZE_STATE);
    if (!proto__request_read_puzzle(root, puzzle))
        read_state(root, *puzzle, alg);
}

/* A state that was told by its stickers has no algorithm. */
static int take_state(const struct proto_move_alg *alg, struct proto_analyze_request *out,
                      struct proto_problem *problem)
{
    memcpy(out->state, alg->state, sizeof(out->state));
    if (!alg->n_moves && !perm_is_identity(puzzle_shape(out->puzzle), alg->state))
        return BASE_OK;
    out->canonical = proto_move_print(out->puzzle, alg->moves, alg->n_moves);
    return out->canonical ? BASE_OK : proto_problem_set_err(problem, BASE_ERR_NOMEM, NULL);
}

int proto_analyze_request_decode(const char *body, size_t length, struct proto_analyze_request *out,
                                 struct proto_problem *problem)
{
    struct proto_move_alg alg = {0};
    struct proto_json_at root;
    json_t *document;
    int code = proto_json_parse(body, length, &document, problem);

    if (code)
        return code;
    *out = (struct proto_analyze_request){0};
    root = proto_json_root(document, problem);
    decode_analyze(&root, &out->puzzle, &alg);
    code = problem->set ? proto_problem_code(problem) : take_state(&alg, out, problem);
    proto_move_alg_deinit(&alg);
    json_decref(document);
    if (code)
        proto_analyze_request_deinit(out);
    return code;
}

void proto_analyze_request_deinit(struct proto_analyze_request *request)
{
    puzzle_release(request->puzzle);
    free(request->canonical);
    *request = (struct proto_analyze_request){0};
}
