/*
 * proto_json.c - strict parsing, paths, and readers that say what is wrong.
 */
#include "proto/proto_json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_buf.h"
#include "core/base/base_err.h"

/* ---- parsing -------------------------------------------------------------------------- */

/* Index behind the string that begins at `at`. */
static size_t skip_string(const char *text, size_t length, size_t at)
{
    for (at++; at < length && text[at] != '"'; at++) {
        if (text[at] == '\\')
            at++;
    }
    return at + 1;
}

/* Where nesting exceeds the cap; `length` if it does not. The parser recurses, so this runs first;
 * it need not understand JSON that the parser will refuse anyway. */
static size_t find_too_deep(const char *text, size_t length)
{
    size_t depth = 0;

    for (size_t at = 0; at < length;) {
        char byte = text[at];
        if (byte == '"') {
            at = skip_string(text, length, at);
            continue;
        }
        if ((byte == '[' || byte == '{') && ++depth > PROTO_JSON_MAX_DEPTH)
            return at;
        if ((byte == ']' || byte == '}') && depth)
            depth--;
        at++;
    }
    return length;
}

/* Correct JSON that holds what no request can hold is a 422; the rest is a 400. */
static enum proto_problem_kind kind_of_json_error(const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_numeric_overflow:
    case json_error_null_byte_in_key:
        return PROTO_PROBLEM_INVALID_REQUEST;
    case json_error_out_of_memory:
        return PROTO_PROBLEM_UNAVAILABLE;
    default:
        return PROTO_PROBLEM_MALFORMED_JSON;
    }
}

int proto_json_parse(const char *text, size_t length, json_t **out, struct proto_problem *problem)
{
    json_error_t error;
    size_t deep = find_too_deep(text, length);

    if (!length)
        return proto_problem_set(problem, PROTO_PROBLEM_MALFORMED_JSON, "the body is empty");
    if (deep < length)
        return proto_problem_set(problem, PROTO_PROBLEM_MALFORMED_JSON,
                                 "byte %zu: nested deeper than %d levels", deep,
                                 PROTO_JSON_MAX_DEPTH);
    *out =
        json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!*out)
        return proto_problem_set(problem, kind_of_json_error(&error),
                                 "line %d, column %d (byte %d): %s", error.line, error.column,
                                 error.position, error.text);
    return BASE_OK;
}

/* ---- paths ---------------------------------------------------------------------------- */

struct proto_json_at proto_json_root(json_t *value, struct proto_problem *problem)
{
    return (struct proto_json_at){.value = value, .problem = problem};
}

bool proto_json_member(const struct proto_json_at *object, const char *key,
                       struct proto_json_at *out)
{
    json_t *value = json_object_get(object->value, key);

    if (!value)
        return false;
    *out = (struct proto_json_at){
        .parent = object, .key = key, .value = value, .problem = object->problem};
    return true;
}

struct proto_json_at proto_json_element(const struct proto_json_at *array, size_t index)
{
    return (struct proto_json_at){.parent = array,
                                  .index = index,
                                  .value = json_array_get(array->value, index),
                                  .problem = array->problem};
}

static void append_escaped(struct base_buf *buf, const char *key)
{
    for (; *key; key++) {
        if (*key == '~' || *key == '/')
            base_buf_text(buf, *key == '~' ? "~0" : "~1");
        else
            base_buf_byte(buf, *key);
    }
}

static void append_path(struct base_buf *buf, const struct proto_json_at *at)
{
    if (!at->parent)
        return;
    append_path(buf, at->parent);
    base_buf_byte(buf, '/');
    if (at->key)
        append_escaped(buf, at->key);
    else
        base_buf_printf(buf, "%zu", at->index);
}

void proto_json_pointer(const struct proto_json_at *at, char *out, size_t size)
{
    struct base_buf buf = {0};

    append_path(&buf, at);
    snprintf(out, size, "%s", base_buf_str(&buf));
    base_buf_deinit(&buf);
}

int proto_json_refuse(const struct proto_json_at *at, enum proto_problem_kind kind,
                      const char *rule, const char *format, ...)
{
    char pointer[PROTO_JSON_POINTER_BYTES];
    char detail[PROTO_PROBLEM_DETAIL_BYTES];
    va_list args;

    proto_json_pointer(at, pointer, sizeof(pointer));
    va_start(args, format);
    vsnprintf(detail, sizeof(detail), format, args);
    va_end(args);
    return proto_problem_add(at->problem, kind, pointer, rule, "%s", detail);
}

static size_t count_characters(const char *text, size_t length)
{
    size_t n = 0;

    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

int proto_json_refuse_diag(const struct proto_json_at *at, enum proto_problem_kind kind,
                           const char *rule, const struct base_diag *diag)
{
    size_t position = count_characters(json_string_value(at->value), diag->position);

    return proto_json_refuse(at, kind, rule, "position %zu: %s", position, diag->text);
}

/* ---- readers -------------------------------------------------------------------------- */

static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "a whole number";
    case JSON_REAL:
        return "a number with a fraction";
    case JSON_NULL:
        return "null";
    default:
        return "a truth value";
    }
}

static int refuse_type(const struct proto_json_at *at, const char *wanted)
{
    return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL, "must be %s, not %s", wanted,
                             type_name(at->value));
}

int proto_json_read_object(const struct proto_json_at *at)
{
    return json_is_object(at->value) ? BASE_OK : refuse_type(at, "an object");
}

int proto_json_read_array(const struct proto_json_at *at)
{
    return json_is_array(at->value) ? BASE_OK : refuse_type(at, "an array");
}

int proto_json_read_bool(const struct proto_json_at *at, bool *out)
{
    if (!json_is_boolean(at->value))
        return refuse_type(at, "true or false");
    *out = json_is_true(at->value);
    return BASE_OK;
}

int proto_json_read_text(const struct proto_json_at *at, size_t max_characters, const char **out,
                         size_t *length)
{
    if (!json_is_string(at->value))
        return refuse_type(at, "a string");
    *out = json_string_value(at->value);
    *length = json_string_length(at->value);
    if (memchr(*out, '\0', *length))
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must not contain the character U+0000");
    if (count_characters(*out, *length) > max_characters)
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must have at most %zu characters", max_characters);
    return BASE_OK;
}

int proto_json_read_uint(const struct proto_json_at *at, uint64_t min, uint64_t max, uint64_t *out)
{
    json_int_t value = json_integer_value(at->value);

    if (!json_is_integer(at->value))
        return refuse_type(at, "a whole number");
    if (value < 0 || (uint64_t)value < min || (uint64_t)value > max)
        return proto_json_refuse(
            at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
            "must be from %" PRIu64 " to %" PRIu64 ", not %" JSON_INTEGER_FORMAT, min, max, value);
    *out = (uint64_t)value;
    return BASE_OK;
}

int proto_json_read_real(const struct proto_json_at *at, double min, double max, double *out)
{
    double value = json_number_value(at->value);

    if (!json_is_number(at->value))
        return refuse_type(at, "a number");
    if (!(value >= min && value <= max))
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must be from %g to %g, not %g", min, max, value);
    *out = value;
    return BASE_OK;
}

static void append_choices(struct base_buf *buf, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        base_buf_printf(buf, "%s\"%s\"", i ? (i + 1 < n ? ", " : " or ") : "", names[i]);
}

int proto_json_read_choice(const struct proto_json_at *at, const char *const *names, size_t n,
                           unsigned *out)
{
    const char *text = json_string_value(at->value);
    struct base_buf wanted = {0};
    int code;

    for (unsigned i = 0; text && i < n; i++) {
        if (strcmp(text, names[i]) == 0 && json_string_length(at->value) == strlen(names[i])) {
            *out = i;
            return BASE_OK;
        }
    }
    append_choices(&wanted, names, n);
    code = text ? proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL, "must be %s",
                                    base_buf_str(&wanted))
                : refuse_type(at, base_buf_str(&wanted));
    base_buf_deinit(&wanted);
    return code;
}

/* ---- unknown members ------------------------------------------------------------------ */

enum { SUGGEST_BYTES = 32, SUGGEST_DISTANCE = 2 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;

    return m < c ? m : c;
}

/* Edit distance of two short names. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned row[SUGGEST_BYTES + 1];
    size_t columns = strlen(b);

    for (unsigned j = 0; j <= columns; j++)
        row[j] = j;
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            unsigned above = row[j];
            row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[columns];
}

/* The name that was probably meant, or NULL. */
static const char *suggest(const char *key, const char *const *names, size_t n)
{
    const char *best = NULL;
    unsigned best_distance = SUGGEST_DISTANCE + 1;

    if (strlen(key) > SUGGEST_BYTES)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        unsigned distance = edit_distance(key, names[i]);
        if (distance < best_distance && distance < strlen(names[i]) - 1) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}

static bool is_among(const char *key, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(key, names[i]) == 0)
            return true;
    }
    return false;
}

static int refuse_member(const struct proto_json_at *member, const char *const *names, size_t n)
{
    const char *meant = suggest(member->key, names, n);

    if (meant)
        return proto_json_refuse(member, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "unknown member; did you mean \"%s\"?", meant);
    return proto_json_refuse(member, PROTO_PROBLEM_INVALID_REQUEST, NULL, "unknown member");
}

int proto_json_check_members(const struct proto_json_at *object, const char *const *names, size_t n)
{
    const char *key;
    json_t *value;
    int code = BASE_OK;

    json_object_foreach(object->value, key, value)
    {
        struct proto_json_at member = {
            .parent = object, .key = key, .value = value, .problem = object->problem};
        if (!is_among(key, names, n))
            code = refuse_member(&member, names, n);
    }
    return code;
}
