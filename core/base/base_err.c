/*
 * base_err.c - names and texts of the error list.
 */
#include "core/base/base_err.h"

static const char *const name_of[BASE_ERR_COUNT] = {
#define NAME(name, text) [BASE_ERR_INDEX_##name] = #name,
    BASE_ERR_LIST(NAME)
#undef NAME
};

static const char *const text_of[BASE_ERR_COUNT] = {
#define TEXT(name, text) [BASE_ERR_INDEX_##name] = text,
    BASE_ERR_LIST(TEXT)
#undef TEXT
};

/* Code -> index, or -1 if the list has no such code. Written without negation: INT_MIN has none. */
static int index_of(int code)
{
    return code < 0 && code >= -BASE_ERR_COUNT ? -1 - code : -1;
}

const char *base_err_name(int code)
{
    int index = index_of(code);
    if (code == BASE_OK)
        return "OK";
    return index < 0 ? "UNKNOWN" : name_of[index];
}

const char *base_err_text(int code)
{
    int index = index_of(code);
    if (code == BASE_OK)
        return "no error";
    return index < 0 ? "unknown error" : text_of[index];
}
