/*
 * fuzz_analyze.c - bodies of POST /v1/analyze: what is understood is an algorithm again that leads
 * to the same state, and the reply is JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/proto_request.h"
#include "proto/proto_write.h"
#include "tests/fuzz/harness.h"

static void decode_canonical(const struct proto_analyze_request *request)
{
    struct proto_analyze_request again;
    struct proto_problem problem = {0};
    struct proto_writer writer = {0};
    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "puzzle", puzzle_name(request->puzzle));
    proto_write_text(&writer, "alg", request->canonical);
    proto_write_object_end(&writer);
    char *body = proto_writer_take(&writer);
    BASE_ASSERT(body);
    BASE_ASSERT(!proto_analyze_request_decode(body, strlen(body), &again, &problem));
    BASE_ASSERT(!strcmp(request->canonical, again.canonical));
    BASE_ASSERT(!memcmp(request->state, again.state, puzzle_shape(request->puzzle)->bytes));
    proto_analyze_request_deinit(&again);
    free(body);
}

static void reply(const uint8_t *data, size_t size)
{
    struct proto_problem problem = {0};
    char *text = NULL;
    int code = proto_analyze((const char *)data, size, &text, &problem);
    if (code)
        fuzz_refused(code, &problem);
    else
        fuzz_json(text);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct proto_analyze_request request;
    struct proto_problem problem = {0};
    int code = proto_analyze_request_decode((const char *)data, size, &request, &problem);
    reply(data, size);
    if (code) {
        fuzz_refused(code, &problem);
        return 0;
    }
    if (request.canonical)
        decode_canonical(&request);
    proto_analyze_request_deinit(&request);
    return 0;
}
