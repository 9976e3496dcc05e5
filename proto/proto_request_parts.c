/*
 * proto_request_parts.c - members that several bodies have: puzzle, algorithm, start.
 */
#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "core/puzzle/puzzle_builtin.h"
#include "proto/proto_facelets.h"
#include "proto/proto_request_int.h"
#include "proto/proto_schema_int.h"

static const char default_puzzle[] = "3x3x3";

int proto__request_refuse_yet(const struct proto_json_at *at, const char *what)
{
    return proto_json_refuse(at, PROTO_PROBLEM_UNSUPPORTED, NULL, "%s not available yet", what);
}

/* ---- puzzle --------------------------------------------------------------------------- */

/* `at` is the member, or the whole body where the default is taken. */
static int find_puzzle(const struct proto_json_at *at, const char *name, struct puzzle **out)
{
    int code = puzzle_builtin_new(name, out);

    if (code)
        return proto_json_refuse(at, proto_problem_of_err(code), NULL, "%s", base_err_text(code));
    return BASE_OK;
}

int proto__request_read_puzzle(const struct proto_json_at *root, struct puzzle **out)
{
    struct proto_json_at at;
    const char *name;
    size_t length;
    int code;

    if (!proto_json_member(root, "puzzle", &at))
        return find_puzzle(root, default_puzzle, out);
    code = proto_json_read_text(&at, SIZE_MAX, &name, &length);
    return code ? code : find_puzzle(&at, name, out);
}

/* ---- algorithms ----------------------------------------------------------------------- */

int proto__request_read_alg(const struct puzzle *puzzle, const struct proto_json_at *at,
                            struct proto_move_alg *out)
{
    struct base_diag diag = {0};
    const char *text;
    size_t length;
    int code = proto_json_read_text(at, SIZE_MAX, &text, &length);

    if (code)
        return code;
    code = proto_move_parse(puzzle, text, length, out, &diag);
    if (code)
        return proto_json_refuse_diag(at, proto_problem_of_err(code), NULL, &diag);
    return BASE_OK;
}

/* A state by its stickers is an algorithm of no moves. */
static int read_facelets(const struct puzzle *puzzle, const struct proto_json_at *at,
                         struct proto_move_alg *out)
{
    struct base_diag diag = {0};
    const char *text;
    size_t length;
    int code = proto_json_read_text(at, SIZE_MAX, &text, &length);

    if (code)
        return code;
    *out = (struct proto_move_alg){0};
    code = proto_facelets_parse(puzzle, text, length, out->state, &diag);
    if (code == BASE_ERR_INFEASIBLE || code == BASE_ERR_UNSUPPORTED)
        return proto_json_refuse(at, proto_problem_of_err(code), NULL, "%s", diag.text);
    return code ? proto_json_refuse_diag(at, proto_problem_of_err(code), NULL, &diag) : BASE_OK;
}

/* The forms of a start that are not text. */
static int read_start_object(const struct puzzle *puzzle, const struct proto_json_at *at,
                             struct proto_move_alg *out)
{
    static const char *const names[] = {"facelets", "reid", "pattern"};
    struct proto_json_at member;
    int code = proto__shape_check(at, PROTO_SHAPE_START_FORM);

    for (size_t i = 1; i < BASE_COUNT(names); i++) {
        if (proto_json_member(at, names[i], &member))
            code = proto__request_refuse_yet(&member, "this form of a start is");
    }
    if (!json_object_size(at->value))
        code = proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must be the text of an algorithm, or {\"facelets\": ...}");
    if (!code && proto_json_member(at, names[0], &member))
        code = read_facelets(puzzle, &member, out);
    return code;
}

int proto__request_read_start(const struct puzzle *puzzle, const struct proto_json_at *at,
                              struct proto_move_alg *out)
{
    if (json_is_object(at->value))
        return read_start_object(puzzle, at, out);
    return proto__request_read_alg(puzzle, at, out);
}
