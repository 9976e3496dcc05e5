/*
 * fuzz_page.c - page tokens and page sizes: a token that is accepted is the one that is printed for
 * its position, and no other list takes it.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/proto_page.h"
#include "tests/fuzz/harness.h"

static void read_token(const char *text)
{
    struct proto_problem problem = {0};
    char printed[PROTO_PAGE_TOKEN_BYTES];
    uint64_t position;
    int code = proto_page_token_parse("jobs", text, &position, &problem);
    if (code) {
        fuzz_refused(code, &problem);
        return;
    }
    if (!*text) {
        BASE_ASSERT(position == 0);
        return;
    }
    proto_page_token_print("jobs", position, printed);
    BASE_ASSERT(!strcmp(printed, text));
}

static void print_token(uint64_t position)
{
    struct proto_problem problem = {0};
    char text[PROTO_PAGE_TOKEN_BYTES];
    uint64_t again;
    proto_page_token_print("jobs", position, text);
    BASE_ASSERT(proto_page_token_parse("jobs", text, &again, &problem) == 0 && again == position);
    fuzz_refused(proto_page_token_parse("tables", text, &again, &problem), &problem);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct proto_problem problem = {0};
    struct fuzz_bytes bytes = {data, size};
    char *text = fuzz_text(data, size);
    unsigned page_size;
    int code = proto_page_size_parse(text, &page_size, &problem);
    if (code)
        fuzz_refused(code, &problem);
    else
        BASE_ASSERT(page_size >= 1 && page_size <= PROTO_PAGE_MAX);
    read_token(text);
    if (size == 8)
        print_token(fuzz_number(&bytes) | (uint64_t)fuzz_number(&bytes) << 32);
    free(text);
    return 0;
}
