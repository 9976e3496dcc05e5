/*
 * table_key.h - which table: a text, and the digest of it that names the file.
 */
#ifndef CORE_TABLE_TABLE_KEY_H
#define CORE_TABLE_TABLE_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/base_attr.h"

enum {
    TABLE_KEY_TEXT_SIZE = 512,  /* with the NUL */
    TABLE_DIGEST_TEXT_SIZE = 17 /* 16 hexadecimal digits and a NUL */
};

/* Equal text <=> same content. `digest` names the file and, printed with 16 lower-case hexadecimal
 * digits, the table in the API. */
struct table_key {
    char text[TABLE_KEY_TEXT_SIZE];
    uint64_t digest;
};

/* Formats the text (for example "v1 puzzle=0123 orbits=corners kind=exact ...") and computes its
 * digest. BASE_ERR_TOO_LARGE if it does not fit: abbreviate by a digest what is long. */
int table_key_init(struct table_key *key, const char *format, ...) BASE_PRINTF(2, 3) BASE_MUST_USE;

void table_digest_format(uint64_t digest, char text[TABLE_DIGEST_TEXT_SIZE]);

/* Reads `length` characters; BASE_ERR_SYNTAX unless they are exactly 16 lower-case hexadecimal
 * digits. */
int table_digest_parse(const char *text, size_t length, uint64_t *digest) BASE_MUST_USE;

#endif
