/*
 * proto_json.h - reading JSON that a stranger sent.
 *
 * Parsing is strict (UTF-8, no duplicate keys, nesting capped before the parser sees it, nothing
 * behind the value). A decoded document is walked by `struct proto_json_at`: a value with its path,
 * so that every finding lands in the problem document under its JSON pointer (RFC 6901), and
 * decoding can go on to find the next.
 */
#ifndef PROTO_PROTO_JSON_H
#define PROTO_PROTO_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_attr.h"
#include "core/base/base_diag.h"
#include "proto/proto_problem.h"

enum { PROTO_JSON_MAX_DEPTH = 32, PROTO_JSON_POINTER_BYTES = 512 };

/* New document (json_decref). Any JSON value is accepted at the top. Fills `problem`, with line,
 * column and byte in the detail, and returns a negative code otherwise. */
int proto_json_parse(const char *text, size_t length, json_t **out, struct proto_problem *problem);

/* A value and how it was reached. Lives on the stack of a decoder; borrows all it points to. */
struct proto_json_at {
    const struct proto_json_at *parent; /* NULL: the document */
    const char *key;                    /* NULL: reached by index */
    size_t index;
    json_t *value;
    struct proto_problem *problem;
};

struct proto_json_at proto_json_root(json_t *value, struct proto_problem *problem);

/* The member, or false if there is none (`object` must be an object). */
bool proto_json_member(const struct proto_json_at *object, const char *key,
                       struct proto_json_at *out);
struct proto_json_at proto_json_element(const struct proto_json_at *array, size_t index);

/* "/cycles/corners/0/0", cut if too long. */
void proto_json_pointer(const struct proto_json_at *at, char *out, size_t size);

/* Adds an error about the value. Returns a negative code. */
int proto_json_refuse(const struct proto_json_at *at, enum proto_problem_kind kind,
                      const char *rule, const char *format, ...) BASE_PRINTF(4, 5);

/* The same from a parser of the text that the value is; the position is told in characters. */
int proto_json_refuse_diag(const struct proto_json_at *at, enum proto_problem_kind kind,
                           const char *rule, const struct base_diag *diag);

/* The readers below return 0, or refuse the value and return a negative code. */

int proto_json_read_object(const struct proto_json_at *at);
int proto_json_read_array(const struct proto_json_at *at);
int proto_json_read_bool(const struct proto_json_at *at, bool *out);

/* Text without NUL of at most `max_characters` code points; borrowed from the document. */
int proto_json_read_text(const struct proto_json_at *at, size_t max_characters, const char **out,
                         size_t *length);

/* An integer (not 5.0, not true) from min to max. */
int proto_json_read_uint(const struct proto_json_at *at, uint64_t min, uint64_t max, uint64_t *out);

/* A number, whole or not, from min to max. */
int proto_json_read_real(const struct proto_json_at *at, double min, double max, double *out);

/* One of the names: its index. */
int proto_json_read_choice(const struct proto_json_at *at, const char *const *names, size_t n,
                           unsigned *out);

/* Refuses every member whose name is not among the n, with a suggestion if one is close. */
int proto_json_check_members(const struct proto_json_at *object, const char *const *names,
                             size_t n);

#endif
