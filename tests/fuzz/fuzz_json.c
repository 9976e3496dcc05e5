/*
 * fuzz_json.c - JSON that a stranger sent: what is read, printed and read again is the same; and
 * any bytes as a text in a reply of ours are JSON that is read.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/proto_json.h"
#include "proto/proto_write.h"
#include "tests/fuzz/harness.h"

static void print_and_parse(const json_t *document)
{
    struct proto_problem problem = {0};
    json_t *again;
    char *text = json_dumps(document, JSON_COMPACT | JSON_ENCODE_ANY);
    BASE_ASSERT(text);
    BASE_ASSERT(proto_json_parse(text, strlen(text), &again, &problem) == 0);
    BASE_ASSERT(json_equal(document, again));
    json_decref(again);
    free(text);
}

static void read_document(const uint8_t *data, size_t size)
{
    struct proto_problem problem = {0};
    json_t *document;
    int code = proto_json_parse((const char *)data, size, &document, &problem);
    if (code) {
        fuzz_refused(code, &problem);
        return;
    }
    print_and_parse(document);
    json_decref(document);
}

static void write_text(const uint8_t *data, size_t size)
{
    struct proto_writer writer = {0};
    char *text = fuzz_text(data, size);
    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "text", text);
    proto_write_object_end(&writer);
    fuzz_json(proto_writer_take(&writer));
    free(text);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    read_document(data, size);
    write_text(data, size);
    return 0;
}
