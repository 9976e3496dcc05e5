/*
 * fuzz_tables.c - bodies of POST /v1/tables and of POST /v1/tables/{key}/pin.
 */
#include <string.h>

#include "proto/proto_request.h"
#include "tests/fuzz/harness.h"

/* What the planner refuses later is told about a member of the same body. */
static void refuse(const uint8_t *data, size_t size, const struct puzzle *puzzle)
{
    struct proto_problem problem = {0};
    const struct proto_tables_refusal refusal = {(unsigned)(size % (PERM_MAX_ORBITS + 1)), "no"};
    int code = proto_tables_refuse((const char *)data, size, puzzle, &refusal, &problem);
    fuzz_refused(code, &problem);
}

static void decode_pin(const uint8_t *data, size_t size)
{
    struct proto_problem problem = {0};
    bool pinned;
    int code = proto_pin_request_decode((const char *)data, size, &pinned, &problem);
    if (code)
        fuzz_refused(code, &problem);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct proto_tables_request request;
    struct proto_problem problem = {0};
    int code = proto_tables_request_decode((const char *)data, size, &request, &problem);
    decode_pin(data, size);
    if (code) {
        fuzz_refused(code, &problem);
        return 0;
    }
    refuse(data, size, request.job.puzzle);
    proto_tables_request_deinit(&request);
    return 0;
}
