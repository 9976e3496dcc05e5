/*
 * fuzz_fields.c - values of header fields: Prefer, Content-Type, Accept, If-None-Match,
 * Idempotency-Key.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "proto/proto_prefer.h"
#include "server/server_keys.h"
#include "tests/fuzz/harness.h"

/* A key of printable characters is the same when it comes quoted. */
static void read_key(const char *text)
{
    char key[SERVER_KEY_BYTES], again[SERVER_KEY_BYTES], quoted[2 * SERVER_KEY_BYTES];
    char scoped[SERVER_SCOPED_KEY_BYTES];
    if (server_key_parse(text, key))
        return;
    BASE_ASSERT(key[0] && strlen(key) < sizeof key);
    server_key_scope("alice", key, scoped);
    BASE_ASSERT(strstr(scoped, key));
    if (strpbrk(key, "\"\\"))
        return;
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    BASE_ASSERT(server_key_parse(quoted, again) == 0);
    BASE_ASSERT(!strcmp(key, again));
}

/* The tag of a version is found in a list behind any other text, unless that opens a quotation. */
static void read_tags(const char *text)
{
    char tag[PROTO_ETAG_BYTES];
    proto_etag_print("j_0123456789abcdef", strlen(text), tag);
    BASE_ASSERT(proto_etag_matches(tag, tag));
    proto_etag_matches(text, tag);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    static const char *const offered[] = {"application/json", "text/plain", "text/event-stream"};
    char *text = fuzz_text(data, size);
    int wait = proto_prefer_wait(text);
    int choice = proto_accept_choose(text, offered, BASE_COUNT(offered));
    BASE_ASSERT(wait >= -1 && wait <= PROTO_PREFER_MAX_WAIT);
    BASE_ASSERT(choice >= -1 && choice < (int)BASE_COUNT(offered));
    proto_content_type_is_json(text);
    read_tags(text);
    read_key(text);
    free(text);
    return 0;
}
