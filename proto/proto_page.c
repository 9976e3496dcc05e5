/*
 * proto_page.c - page tokens: 16 hexadecimal digits of the position, 8 of a check over position and
 * list. The check is against mistakes (a token of another list, a cut one), not against forgery:
 * whoever forges a token only sees another page of what he may see anyway.
 */
#include "proto/proto_page.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"

enum { TOKEN_DIGITS = 24, POSITION_DIGITS = 16 };

static uint32_t token_check(const char *scope, uint64_t position)
{
    return (uint32_t)base_hash(scope, strlen(scope), position);
}

void proto_page_token_print(const char *scope, uint64_t position, char *out)
{
    snprintf(out, PROTO_PAGE_TOKEN_BYTES, "%016" PRIx64 "%08" PRIx32, position,
             token_check(scope, position));
}

static bool token_read(const char *token, uint64_t *position)
{
    char digits[POSITION_DIGITS + 1];

    if (strlen(token) != TOKEN_DIGITS || strspn(token, "0123456789abcdef") != TOKEN_DIGITS)
        return false;
    memcpy(digits, token, POSITION_DIGITS);
    digits[POSITION_DIGITS] = '\0';
    *position = strtoull(digits, NULL, 16);
    return true;
}

int proto_page_token_parse(const char *scope, const char *token, uint64_t *position,
                           struct proto_problem *problem)
{
    char expected[PROTO_PAGE_TOKEN_BYTES];

    *position = 0;
    if (!token || !*token)
        return BASE_OK;
    if (token_read(token, position)) {
        proto_page_token_print(scope, *position, expected);
        if (strcmp(token, expected) == 0)
            return BASE_OK;
    }
    *position = 0;
    return proto_problem_add(problem, PROTO_PROBLEM_INVALID_REQUEST, "/page_token", NULL,
                             "this is not a token that this list gave out");
}

int proto_page_size_parse(const char *text, unsigned *out, struct proto_problem *problem)
{
    unsigned long long size;

    *out = PROTO_PAGE_DEFAULT;
    if (!text)
        return BASE_OK;
    size = *text && strspn(text, "0123456789") == strlen(text) ? strtoull(text, NULL, 10) : 0;
    if (!size)
        return proto_problem_add(problem, PROTO_PROBLEM_INVALID_REQUEST, "/page_size", NULL,
                                 "page_size must be a whole number above 0");
    *out = size < PROTO_PAGE_MAX ? (unsigned)size : PROTO_PAGE_MAX;
    return BASE_OK;
}
