/*
 * proto_schema_int.h - how the tables of shapes are written. Inside proto only.
 *
 *     static const struct proto_member count_members[] = {
 *         NEEDED("classes", UINT(0, 0), "up to symmetry"),
 *     };
 *     const struct proto_shape proto__shape_count = {OBJECT("Count", count_members), ...};
 */
#ifndef PROTO_PROTO_SCHEMA_INT_H
#define PROTO_PROTO_SCHEMA_INT_H

#include "core/base/base_attr.h"
#include "proto/proto_choice.h"
#include "proto/proto_schema.h"

#define PROTO__SHAPE_EXTERN(NAME, object) extern const struct proto_shape proto__shape_##object;
PROTO_SHAPE_LIST(PROTO__SHAPE_EXTERN)
#undef PROTO__SHAPE_EXTERN

enum { PROTO__BODY_JOB = 1, PROTO__BODY_TABLES = 2, PROTO__BODY_TARGET = 4, PROTO__BODY_OTHER = 8 };

/* ---- values --------------------------------------------------------------------------- */

#define BOOL .value.type = PROTO_TYPE_BOOL
#define UINT(least, greatest)                                                                      \
    .value.type = PROTO_TYPE_UINT, .value.min = (least), .value.max = (greatest)
#define REAL(least, greatest)                                                                      \
    .value.type = PROTO_TYPE_REAL, .value.min = (least), .value.max = (greatest)
#define TEXT(characters) .value.type = PROTO_TYPE_TEXT, .value.max = (characters)
#define TEXT_LIKE(expression) .value.type = PROTO_TYPE_TEXT, .value.pattern = (expression)
#define TIME .value.type = PROTO_TYPE_TIME
#define CHOICE(name) .value.type = PROTO_TYPE_CHOICE, .value.of = PROTO_CHOICE_##name
#define SHAPE(name) .value.type = PROTO_TYPE_SHAPE, .value.of = PROTO_SHAPE_##name
/* An array of at most `n` (0: any number) of the value. */
#define LIST(n, ...) __VA_ARGS__, .value.list = true, .value.most = (n)

/* One that is not empty. */
#define FILLED(n, ...) LIST(n, __VA_ARGS__), .value.least = 1

#define DECIMAL TEXT_LIKE("^[0-9]+$")

/* ---- members of replies --------------------------------------------------------------- */

#define NEEDED(wire, kind, words)                                                                  \
    {                                                                                              \
        .name = (wire), kind, .flags = PROTO_MEMBER_NEEDED, .about = (words)                       \
    }
#define OR_NULL(wire, kind, words)                                                                 \
    {                                                                                              \
        .name = (wire), kind, .flags = PROTO_MEMBER_NEEDED | PROTO_MEMBER_NULL, .about = (words)   \
    }
#define MAYBE(wire, kind, words)                                                                   \
    {                                                                                              \
        .name = (wire), kind, .about = (words)                                                     \
    }
#define NAMELESS(kind, words)                                                                      \
    {                                                                                              \
        kind, .about = (words)                                                                     \
    }

/* ---- shapes --------------------------------------------------------------------------- */

#define ROWS(rows) .members = (rows), .n_members = BASE_COUNT(rows)
#define OBJECT(wire, rows) .name = (wire), .form = PROTO_FORM_OBJECT, ROWS(rows)
#define UNION(wire, rows) .name = (wire), .form = PROTO_FORM_UNION, ROWS(rows)
#define TUPLE(wire, rows) .name = (wire), .form = PROTO_FORM_TUPLE, ROWS(rows)
#define MAP(wire, rows) .name = (wire), .form = PROTO_FORM_MAP, ROWS(rows)

/* ---- decoding ------------------------------------------------------------------------- */

/* Refuses every member of the object that the shape, of a request, does not have. */
int proto__shape_check(const struct proto_json_at *object, enum proto_shape_id id);

#endif
