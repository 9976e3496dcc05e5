/*
 * table_kind.c - names of kinds and variants.
 */
#include "core/table/table_kind.h"

#include <string.h>

#include "core/base/base_err.h"

const char *table_kind_name(enum table_kind kind)
{
    static const char *const names[] = {
#define TABLE_KIND_TEXT(name, text) text,
        TABLE_KIND_LIST(TABLE_KIND_TEXT)
#undef TABLE_KIND_TEXT
    };
    return names[kind];
}

int table_kind_parse(const char *name, enum table_kind *out)
{
    for (int kind = 0; kind < TABLE_KIND_COUNT; kind++)
        if (strcmp(name, table_kind_name((enum table_kind)kind)) == 0) {
            *out = (enum table_kind)kind;
            return 0;
        }
    return BASE_ERR_NOT_FOUND;
}

const char *table_variant_name(enum table_variant variant)
{
    static const char *const names[] = {"", "subset", "hash"};
    return names[variant];
}

bool table_pair_is_legal(enum table_kind kind, enum table_encoding encoding)
{
    static const bool takes_all[TABLE_KIND_COUNT] = {
        [TABLE_KIND_EXACT] = true, [TABLE_KIND_APPROXIMATE] = true, [TABLE_KIND_PRODUCT] = true};
    return encoding == TABLE_ENCODING_NONE || takes_all[kind];
}
