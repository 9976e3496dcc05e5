/*
 * proto_request.c - bodies of requests.
 *
 * The members of a job are a table, in the order in which they build on each other: the puzzle,
 * the moves, the start, the target. Every member is read whatever became of the others, as far as
 * it can be, so that one reply tells everything that is wrong.
 */
#include "proto/proto_request.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_request_list_int.h"

/* Structures that the search for those of one order looks at, before it gives up. */
enum { MAX_VISITED = 1000000 };

static int refuse_memory(const struct proto_json_at *at)
{
    return proto_json_refuse(at, PROTO_PROBLEM_UNAVAILABLE, NULL, "out of memory");
}

/* ---- start and moves ------------------------------------------------------------------- */

/* A start that is the solved state is the default: equal requests must look equal. */
static int read_start(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    const struct perm_shape *shape = puzzle_shape(decoder->base);
    int code;

    decoder->has_start = true;
    code = proto__request_read_start(decoder->base, at, &decoder->start);
    if (code)
        return code;
    memcpy(decoder->out->start, decoder->start.state, shape->bytes);
    decoder->has_start = !perm_is_identity(shape, decoder->start.state);
    decoder->out->has_start = decoder->has_start;
    return BASE_OK;
}

static int read_moves(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    decoder->has_moves = true;
    return proto__request_read_moves(decoder, at);
}

/* ---- targets -------------------------------------------------------------------------- */

static int add_target(struct proto_request_decoder *decoder, const struct proto_json_at *at,
                      const struct cycle_structure *structure)
{
    return proto__targets_add(&decoder->targets, structure) ? refuse_memory(at) : BASE_OK;
}

static int read_structure(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    struct cycle_structure structure;
    int code = proto__cycles_read(proto__request_judge(decoder), at, &structure);

    return code ? code : add_target(decoder, at, &structure);
}

static int read_cycles(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    return read_structure(decoder, at);
}

static int read_like(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    struct cycle_structure structure;
    struct proto_move_alg alg;
    int code = proto__request_read_alg(decoder->base, at, &alg);

    if (code)
        return code;
    cycle_of_state(decoder->base, alg.state, &structure);
    proto_move_alg_deinit(&alg);
    code = proto__cycles_check(proto__request_judge(decoder), at, &structure);
    return code ? code : add_target(decoder, at, &structure);
}

static int read_any_of(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    size_t n = json_array_size(at->value);
    int result = proto_json_read_array(at);

    if (result)
        return result;
    if (n < 1 || n > PROTO_REQUEST_MAX_TARGETS)
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must hold 1 to %d cycle structures", PROTO_REQUEST_MAX_TARGETS);
    for (size_t i = 0; i < n; i++) {
        struct proto_json_at element = proto_json_element(at, i);
        int code = read_structure(decoder, &element);
        result = code ? code : result;
    }
    return result;
}

/* Collects the structures of one order. */
struct order_search {
    struct proto_request_decoder *decoder;
    const struct puzzle *puzzle;
    uint64_t order;
    size_t visited;
    int code;
};

static bool visit_structure(void *arg, const struct cycle_structure *structure)
{
    struct order_search *search = arg;

    if (++search->visited > MAX_VISITED)
        search->code = BASE_ERR_UNSUPPORTED;
    else if (cycle_order(search->puzzle, structure) == search->order)
        search->code = proto__targets_add(&search->decoder->targets, structure);
    return !search->code;
}

static int read_order(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    struct order_search search = {.decoder = decoder, .puzzle = proto__request_judge(decoder)};
    int code = proto_json_read_uint(at, 1, INT64_MAX, &search.order);

    if (code)
        return code;
    decoder->order = search.order;
    cycle_enumerate(search.puzzle, visit_structure, &search);
    if (search.code == BASE_ERR_UNSUPPORTED)
        return proto__request_refuse_yet(
            at, "an order as the target is, on a puzzle with so many structures,");
    if (search.code)
        return refuse_memory(at);
    if (!decoder->targets.n)
        return proto_json_refuse(at, PROTO_PROBLEM_INFEASIBLE_TARGET, "order",
                                 "no state of %s has this order", puzzle_name(decoder->base));
    return BASE_OK;
}

/* ---- the search ----------------------------------------------------------------------- */

static int read_metric(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    unsigned metric;
    int code = proto_choice_read(at, PROTO_CHOICE_METRIC, &metric);

    (void)decoder;
    if (code)
        return code;
    return metric < proto_choice_served(PROTO_CHOICE_METRIC)
               ? BASE_OK
               : proto__request_refuse_yet(at, "the quarter-turn metric is");
}

static int read_weights(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    (void)decoder;
    return proto__request_refuse_yet(at, "weights of moves are");
}

static int read_find(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    unsigned find;
    int code = proto_choice_read(at, PROTO_CHOICE_FIND, &find);

    if (!code)
        decoder->out->find = find == 0 ? ENGINE_FIND_ONE : ENGINE_FIND_ALL;
    return code;
}

static int read_length(const struct proto_json_at *at, unsigned *out)
{
    uint64_t value;
    int code = proto_json_read_uint(at, 0, PROTO_REQUEST_MAX_LENGTH, &value);

    if (!code)
        *out = (unsigned)value;
    return code;
}

static int read_slack(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    return read_length(at, &decoder->out->slack);
}

static int read_min_length(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    return read_length(at, &decoder->out->min_length);
}

static int read_max_length(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    int code = read_length(at, &decoder->out->max_length);

    decoder->out->max_length_set = !code;
    return code;
}

static int read_identical(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    bool identical = false;
    int code = proto_json_read_bool(at, &identical);

    (void)decoder;
    if (code)
        return code;
    return identical ? proto__request_refuse_yet(at, "identical pieces are") : BASE_OK;
}

static int read_tables(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    return proto__request_read_tables(decoder, at);
}

/* ---- the job -------------------------------------------------------------------------- */

static int read_limit_numbers(const struct proto_json_at *limits, struct engine_limits *out)
{
    struct proto_json_at at;
    double mib = 0;
    int result = BASE_OK, code;

    if (proto_json_member(limits, "seconds", &at))
        result = proto_json_read_real(&at, PROTO_REQUEST_MIN_SECONDS, PROTO_REQUEST_MAX_REAL,
                                      &out->seconds);
    if (proto_json_member(limits, "nodes", &at)) {
        code = proto_json_read_uint(&at, 1, INT64_MAX, &out->nodes);
        result = code ? code : result;
    }
    if (proto_json_member(limits, "memory_mib", &at)) {
        code = proto_json_read_real(&at, 1 / PROTO_REQUEST_MIB, PROTO_REQUEST_MAX_REAL, &mib);
        result = code ? code : result;
    }
    if (proto_json_member(limits, "solutions", &at)) {
        code = proto_json_read_uint(&at, 1, PROTO_REQUEST_MAX_SOLUTIONS, &out->solutions);
        result = code ? code : result;
    }
    out->memory_bytes = (uint64_t)llround(mib * PROTO_REQUEST_MIB);
    return result;
}

static int read_limits(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    int code = proto_json_read_object(at);

    if (code)
        return code;
    proto__shape_check(at, decoder->body == PROTO__BODY_JOB ? PROTO_SHAPE_JOB_LIMITS
                                                            : PROTO_SHAPE_TABLES_LIMITS);
    return read_limit_numbers(at, &decoder->out->limits);
}

static int read_priority(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    uint64_t priority;
    int code = proto_json_read_uint(at, 0, PROTO_REQUEST_MAX_PRIORITY, &priority);

    if (!code)
        decoder->out->priority = (unsigned)priority;
    return code;
}

static int read_fresh(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    return proto_json_read_bool(at, &decoder->out->fresh);
}

static int read_label(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    const char *text;
    size_t length;
    int code = proto_json_read_text(at, PROTO_REQUEST_MAX_LABEL, &text, &length);

    if (code)
        return code;
    decoder->out->label = strdup(text);
    return decoder->out->label ? BASE_OK : refuse_memory(at);
}

static int read_pin(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    return proto_json_read_bool(at, &decoder->pin);
}

/* ---- the table ------------------------------------------------------------------------ */

struct member {
    const char *name;
    int (*read)(struct proto_request_decoder *, const struct proto_json_at *);
    bool needs_puzzle;
    unsigned bodies; /* that have it: PROTO__BODY_ */
};

static const struct member members[] = {
#define MEMBER_ROW(name, in, needs, value, flags, example, about)                                  \
    {#name, read_##name, needs, PROTO__IN_##in},
    PROTO__JOB_MEMBER_LIST(MEMBER_ROW)
#undef MEMBER_ROW
};

static void read_members(struct proto_request_decoder *decoder, const struct proto_json_at *root)
{
    proto__request_read_puzzle(root, &decoder->base);
    if (decoder->base)
        decoder->out->puzzle = puzzle_acquire(decoder->base);
    for (size_t i = 0; i < BASE_COUNT(members); i++) {
        struct proto_json_at at;
        if ((members[i].bodies & decoder->body) && (decoder->base || !members[i].needs_puzzle) &&
            proto_json_member(root, members[i].name, &at))
            members[i].read(decoder, &at);
    }
}

/* ---- what holds between members ------------------------------------------------------- */

/* There is one target, or the puzzle is to be solved: from a start, or with the tables asked for.
 */
static void check_targets(struct proto_request_decoder *decoder, const struct proto_json_at *root)
{
    static const char *const names[] = {"cycles", "like", "order", "any_of"};
    const struct cycle_structure solved = {0};
    struct proto_json_at at;
    unsigned given = 0;

    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        if (proto_json_member(root, names[i], &at) && ++given > 1)
            proto_json_refuse(&at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                              "only one of cycles, like, order and any_of can be the target");
    }
    if (!given && (decoder->body == PROTO__BODY_TABLES || proto_json_member(root, "start", &at)))
        add_target(decoder, root, &solved);
    else if (!given)
        proto_json_refuse(root, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                          "there is no target: one of cycles, like, order and any_of is needed, or "
                          "a start to be solved");
}

static void check_bounds(const struct proto_request_decoder *decoder,
                         const struct proto_json_at *root)
{
    const struct proto_job_request *request = decoder->out;
    struct proto_json_at at;

    if (proto_json_member(root, "slack", &at) && request->slack && request->find == ENGINE_FIND_ONE)
        proto_json_refuse(&at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                          "goes only with \"find\": \"all\"");
    if (proto_json_member(root, "min_length", &at) && request->min_length > request->max_length)
        proto_json_refuse(&at, PROTO_PROBLEM_INVALID_REQUEST, NULL, "is above max_length");
}

static void decode_job(struct proto_request_decoder *decoder, const struct proto_json_at *root)
{
    struct proto_json_at start;

    if (proto_json_read_object(root))
        return;
    proto__shape_check(root, decoder->body == PROTO__BODY_JOB ? PROTO_SHAPE_JOB_REQUEST
                                                              : PROTO_SHAPE_TABLES_REQUEST);
    read_members(decoder, root);
    check_targets(decoder, root);
    check_bounds(decoder, root);
    if (!root->problem->set && proto_json_member(root, "start", &start))
        proto__request_check_start(decoder, &start);
}

/* ---- public --------------------------------------------------------------------------- */

/* Hands the targets over; an order with one structure is that structure. */
static int finish_job(struct proto_request_decoder *decoder)
{
    struct proto_job_request *request = decoder->out;
    int code;

    proto__targets_normalise(&decoder->targets);
    if (decoder->targets.n == 1)
        decoder->order = 0;
    code = proto__request_print(decoder);
    request->targets = decoder->targets.items;
    request->n_targets = decoder->targets.n;
    decoder->targets = (struct proto_targets){0};
    return code;
}

static int decode_value(struct proto_request_decoder *decoder, json_t *document,
                        struct proto_problem *problem)
{
    struct proto_json_at root = proto_json_root(document, problem);
    int code = BASE_OK;

    *decoder->out = (struct proto_job_request){.max_length = UINT_MAX,
                                               .priority = PROTO_REQUEST_DEFAULT_PRIORITY};
    decode_job(decoder, &root);
    if (problem->set)
        code = proto_problem_code(problem);
    else if (finish_job(decoder))
        code = proto_problem_set_err(problem, BASE_ERR_NOMEM, NULL);
    proto__targets_deinit(&decoder->targets);
    proto_move_alg_deinit(&decoder->start);
    puzzle_release(decoder->base);
    if (code)
        proto_job_request_deinit(decoder->out);
    return code;
}

static int decode(struct proto_request_decoder *decoder, const char *text, size_t length,
                  struct proto_problem *problem)
{
    json_t *document;
    int code = proto_json_parse(text, length, &document, problem);

    if (code)
        return code;
    code = decode_value(decoder, document, problem);
    json_decref(document);
    return code;
}

int proto__request_decode_job(json_t *value, struct proto_job_request *out,
                              struct proto_problem *problem)
{
    struct proto_request_decoder decoder = {.out = out, .body = PROTO__BODY_JOB};

    return decode_value(&decoder, value, problem);
}

int proto_job_request_decode(const char *body, size_t length, struct proto_job_request *out,
                             struct proto_problem *problem)
{
    struct proto_request_decoder decoder = {.out = out, .body = PROTO__BODY_JOB};

    return decode(&decoder, body, length, problem);
}

int proto_tables_request_decode(const char *body, size_t length, struct proto_tables_request *out,
                                struct proto_problem *problem)
{
    struct proto_request_decoder decoder = {.out = &out->job, .body = PROTO__BODY_TABLES};
    int code = decode(&decoder, body, length, problem);

    out->pin = decoder.pin;
    return code;
}

void proto_tables_request_deinit(struct proto_tables_request *request)
{
    proto_job_request_deinit(&request->job);
}

void proto_job_request_deinit(struct proto_job_request *request)
{
    puzzle_release(request->puzzle);
    free(request->targets);
    free(request->label);
    free(request->echo);
    free(request->target);
    free(request->key);
    *request = (struct proto_job_request){0};
}

void proto_job_request_spec(const struct proto_job_request *request, struct engine_spec *out)
{
    *out = (struct engine_spec){.puzzle = request->puzzle,
                                .targets = request->targets,
                                .n_targets = request->n_targets,
                                .start = request->has_start ? request->start : NULL,
                                .find = request->find,
                                .slack = request->slack,
                                .min_length = request->min_length,
                                .max_length = request->max_length,
                                .max_length_set = request->max_length_set,
                                .priority = request->priority,
                                .limits = request->limits,
                                .tables = request->tables};
}
