/*
 * proto_request_judge.c - targets that are judged without being searched for, while somebody types
 * them: POST /v1/analyze with what would be the target of a job.
 *
 * The target is decoded as that of a job, so that both refuse the same with the same words.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "core/canon/canon.h"
#include "proto/proto_job.h"
#include "proto/proto_request_int.h"
#include "proto/proto_schema_int.h"

static const char *const target_names[] = {"cycles", "like", "order", "any_of"};

static bool has_target(json_t *document)
{
    for (size_t i = 0; i < BASE_COUNT(target_names); i++) {
        if (json_object_get(document, target_names[i]))
            return true;
    }
    return false;
}

/* Only what bears on the target; a label or a limit has no place here. */
static int check_names(json_t *document, struct proto_problem *problem)
{
    struct proto_json_at root = proto_json_root(document, problem);

    return proto__shape_check(&root, PROTO_SHAPE_ANALYZE_TARGET);
}

/* The length at which words begin to outnumber the positions per wanted state. BASE_ERR_RANGE: no
 * state is counted as wanted, or words hardly multiply with their length. */
static int expected_length(const struct puzzle *puzzle, const struct proto_targets *targets,
                           unsigned *out)
{
    struct cycle_count positions;
    struct canon *canon;
    double length;
    int code = canon_new(puzzle, &canon);

    if (code)
        return code;
    cycle_count_positions(puzzle, &positions);
    length = positions.log10 - proto__targets_log10(puzzle, targets);
    length /= log10(canon_growth(canon));
    canon_free(canon);
    if (!(length < UINT_MAX)) /* or no number at all */
        return BASE_ERR_RANGE;
    *out = length > 0 ? (unsigned)ceil(length) : 0;
    return BASE_OK;
}

static char *encode(const struct proto_job_request *request)
{
    const struct proto_targets targets = {.items = request->targets, .n = request->n_targets};
    struct proto_writer writer = {0};
    unsigned length;
    int code;

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "puzzle", puzzle_name(request->puzzle));
    if (targets.n == 1)
        proto__cycles_write(&writer, "cycles", request->puzzle, &targets.items[0]);
    else
        proto_write_null(&writer, "cycles");
    code = proto__targets_write(&writer, request->puzzle, &targets);
    proto_write_bool(&writer, "feasible", true);
    if (expected_length(request->puzzle, &targets, &length))
        proto_write_null(&writer, "expected_length");
    else
        proto_write_uint(&writer, "expected_length", length);
    proto_write_object_end(&writer);
    if (code)
        proto_writer_deinit(&writer);
    return code ? NULL : proto_writer_take(&writer);
}

static int judge(const char *body, size_t length, char **out, struct proto_problem *problem)
{
    struct proto_job_request request;
    int code = proto_job_request_decode(body, length, &request, problem);

    if (code)
        return code;
    *out = encode(&request);
    proto_job_request_deinit(&request);
    return *out ? BASE_OK : proto_problem_set_err(problem, BASE_ERR_NOMEM, NULL);
}

static int tell_state(const char *body, size_t length, char **out, struct proto_problem *problem)
{
    struct proto_analyze_request request;
    int code = proto_analyze_request_decode(body, length, &request, problem);

    if (code)
        return code;
    *out = proto_analyze_encode(&request);
    proto_analyze_request_deinit(&request);
    return *out ? BASE_OK : proto_problem_set_err(problem, BASE_ERR_NOMEM, NULL);
}

int proto_analyze(const char *body, size_t length, char **out, struct proto_problem *problem)
{
    json_t *document;
    bool target;
    int code = proto_json_parse(body, length, &document, problem);

    if (code)
        return code;
    target = has_target(document);
    code = target ? check_names(document, problem) : BASE_OK;
    json_decref(document);
    if (code)
        return code;
    return target ? judge(body, length, out, problem) : tell_state(body, length, out, problem);
}
