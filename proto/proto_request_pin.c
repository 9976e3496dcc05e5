/*
 * proto_request_pin.c - the body of POST /v1/tables/{key}/pin.
 */
#include "core/base/base_err.h"
#include "proto/proto_json.h"
#include "proto/proto_request.h"
#include "proto/proto_schema_int.h"

static void decode_pin(const struct proto_json_at *root, bool *pinned)
{
    struct proto_json_at member;

    if (proto_json_read_object(root))
        return;
    proto__shape_check(root, PROTO_SHAPE_PIN_REQUEST);
    if (proto_json_member(root, "pinned", &member))
        proto_json_read_bool(&member, pinned);
}

int proto_pin_request_decode(const char *body, size_t length, bool *pinned,
                             struct proto_problem *problem)
{
    struct proto_json_at root;
    json_t *document;
    int code;

    *pinned = true;
    if (!length)
        return BASE_OK;
    code = proto_json_parse(body, length, &document, problem);
    if (code)
        return code;
    root = proto_json_root(document, problem);
    decode_pin(&root, pinned);
    json_decref(document);
    return problem->set ? proto_problem_code(problem) : BASE_OK;
}
