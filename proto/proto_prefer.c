/*
 * proto_prefer.c - small readers of header fields. They share one scanner: tokens, quoted strings
 * and single separators, with optional white space between them.
 */
#include "proto/proto_prefer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- scanning ------------------------------------------------------------------------- */

static const char *skip_blank(const char *p)
{
    return p + strspn(p, " \t");
}

/* Length of the token at `p` (RFC 9110 tchar, and '/' for media types). */
static size_t token_length(const char *p)
{
    return strspn(p, "!#$%&'*+-.^_`|~/0123456789"
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

/* Behind the quoted string at `p`; at the end of the text if it is not closed. */
static const char *skip_quoted(const char *p)
{
    for (p++; *p && *p != '"'; p++) {
        if (*p == '\\' && p[1])
            p++;
    }
    return *p ? p + 1 : p;
}

/* Behind the value (token or quoted string) at `p`. */
static const char *skip_value(const char *p)
{
    return *p == '"' ? skip_quoted(p) : p + token_length(p);
}

/* The next `separator` outside quotes, or the end. */
static const char *find_separator(const char *p, char separator)
{
    while (*p && *p != separator)
        p = *p == '"' ? skip_quoted(p) : p + 1;
    return p;
}

static bool token_is(const char *p, size_t length, const char *word)
{
    return strlen(word) == length && strncasecmp(p, word, length) == 0;
}

/* A parameter `name = value`; quotes are taken off the value. */
struct parameter {
    const char *name, *value;
    size_t name_length, value_length;
};

/* Reads a parameter at `p`, which is behind a separator; returns what follows it. */
static const char *read_parameter(const char *p, struct parameter *out)
{
    *out = (struct parameter){.name = skip_blank(p)};
    out->name_length = token_length(out->name);
    p = skip_blank(out->name + out->name_length);
    if (*p != '=')
        return p;
    out->value = skip_blank(p + 1);
    p = skip_value(out->value);
    out->value_length = (size_t)(p - out->value);
    if (*out->value == '"' && out->value_length >= 2) {
        out->value++;
        out->value_length -= 2;
    }
    return skip_blank(p);
}

/* ---- Prefer --------------------------------------------------------------------------- */

/* Seconds of a parameter's value, capped; -1: it is not a number. */
static int read_seconds(const struct parameter *parameter)
{
    unsigned seconds = 0;

    if (!parameter->value_length)
        return -1;
    for (size_t i = 0; i < parameter->value_length; i++) {
        char digit = parameter->value[i];
        if (digit < '0' || digit > '9')
            return -1;
        seconds = seconds * 10 + (unsigned)(digit - '0');
        if (seconds > PROTO_PREFER_MAX_WAIT)
            seconds = PROTO_PREFER_MAX_WAIT;
    }
    return (int)seconds;
}

int proto_prefer_wait(const char *prefer)
{
    for (const char *p = prefer; p && *p;) {
        struct parameter preference;
        read_parameter(p, &preference);
        if (token_is(preference.name, preference.name_length, "wait"))
            return read_seconds(&preference);
        p = find_separator(p, ',');
        p += *p == ',';
    }
    return -1;
}

/* ---- Content-Type --------------------------------------------------------------------- */

static bool charset_is_utf8(const char *p)
{
    while (*(p = skip_blank(p)) == ';') {
        struct parameter parameter;
        p = read_parameter(p + 1, &parameter);
        if (token_is(parameter.name, parameter.name_length, "charset") &&
            !token_is(parameter.value, parameter.value_length, "utf-8") &&
            !token_is(parameter.value, parameter.value_length, "utf8"))
            return false;
    }
    return !*p;
}

bool proto_content_type_is_json(const char *content_type)
{
    const char *p = content_type ? skip_blank(content_type) : "";
    size_t length = token_length(p);

    if (!*p)
        return true;
    return (token_is(p, length, "application/json") ||
            token_is(p, length, "application/x-www-form-urlencoded")) &&
           charset_is_utf8(p + length);
}

/* ---- entity tags ---------------------------------------------------------------------- */

char *proto_etag_print(const char *id, uint64_t version, char *out)
{
    snprintf(out, PROTO_ETAG_BYTES, "\"%.16s-%" PRIu64 "\"", id, version);
    return out;
}

bool proto_etag_matches(const char *if_none_match, const char *etag)
{
    size_t length = strlen(etag);

    for (const char *p = if_none_match; p && *p;) {
        const char *end;
        p += strspn(p, " \t,");
        if (*p == '*')
            return true;
        if (strncmp(p, "W/", 2) == 0)
            p += 2;
        end = find_separator(p, ',');
        if (strncmp(p, etag, length) == 0 && skip_blank(p + length) == end)
            return true;
        p = end;
    }
    return false;
}

/* ---- Accept --------------------------------------------------------------------------- */

/* The weight in thousandths; 1000 if none is given or it makes no sense. */
static int read_weight(const char *p)
{
    while (*(p = skip_blank(p)) == ';') {
        struct parameter parameter;
        p = read_parameter(p + 1, &parameter);
        if (token_is(parameter.name, parameter.name_length, "q") && parameter.value_length) {
            double weight = strtod(parameter.value, NULL);
            return weight >= 0 && weight <= 1 ? (int)(weight * 1000 + 0.5) : 1000;
        }
    }
    return 1000;
}

/* How closely a media range names a type: 3 exactly, 2 "type/<any>", 1 "<any>/<any>", 0 not. */
static int range_precision(const char *range, size_t length, const char *type)
{
    size_t major = strcspn(type, "/") + 1;

    if (token_is(range, length, type))
        return 3;
    if (length == major + 1 && range[major] == '*' && strncasecmp(range, type, major) == 0)
        return 2;
    return token_is(range, length, "*/*") || token_is(range, length, "*") ? 1 : 0;
}

/* Weight that the field gives to a type, by its most precise range; 0: not acceptable. */
static int type_weight(const char *accept, const char *type)
{
    int weight = 0, precision = 0;

    for (const char *p = accept; *p;) {
        const char *range = skip_blank(p);
        size_t length = token_length(range);
        int found = range_precision(range, length, type);
        if (found > precision) {
            precision = found;
            weight = read_weight(range + length);
        }
        p = find_separator(p, ',');
        p += *p == ',';
    }
    return weight;
}

int proto_accept_choose(const char *accept, const char *const *offered, size_t n)
{
    int best = -1, best_weight = 0;

    if (!accept || !*skip_blank(accept))
        return 0;
    for (size_t i = 0; i < n; i++) {
        int weight = type_weight(accept, offered[i]);
        if (weight > best_weight) {
            best = (int)i;
            best_weight = weight;
        }
    }
    return best;
}
