/*
 * table_key.c - keys and the text of their digests.
 */
#include "core/table/table_key.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"

int table_key_init(struct table_key *key, const char *format, ...)
{
    va_list args;
    memset(key, 0, sizeof *key);
    va_start(args, format);
    int length = vsnprintf(key->text, sizeof key->text, format, args);
    va_end(args);
    if (length < 0 || length >= TABLE_KEY_TEXT_SIZE)
        return BASE_ERR_TOO_LARGE;
    key->digest = base_hash(key->text, (size_t)length, 0);
    return 0;
}

void table_digest_format(uint64_t digest, char text[TABLE_DIGEST_TEXT_SIZE])
{
    snprintf(text, TABLE_DIGEST_TEXT_SIZE, "%016" PRIx64, digest);
}

/* 0 to 15, or -1: one spelling only, so that a digest has one name. */
static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

int table_digest_parse(const char *text, size_t length, uint64_t *digest)
{
    uint64_t value = 0;
    if (length != TABLE_DIGEST_TEXT_SIZE - 1)
        return BASE_ERR_SYNTAX;
    for (size_t i = 0; i < length; i++) {
        int digit = hex_value(text[i]);
        if (digit < 0)
            return BASE_ERR_SYNTAX;
        value = value << 4 | (uint64_t)digit;
    }
    *digest = value;
    return 0;
}
