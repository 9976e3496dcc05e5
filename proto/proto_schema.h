/*
 * proto_schema.h - the shapes of requests, replies, events and problem documents, as data.
 *
 * A shape is an object and its members, or one of the few other forms that JSON values have here.
 * The decoder of requests knows the members and choices of a body from these tables, the document
 * at /openapi.json is made from them (proto_openapi.h), and the tests hold every reply against
 * them. Encoders of replies write their members by themselves.
 */
#ifndef PROTO_PROTO_SCHEMA_H
#define PROTO_PROTO_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/proto_shape.h"

/* Of a value. */
enum proto_type {
    PROTO_TYPE_ANY,
    PROTO_TYPE_BOOL,
    PROTO_TYPE_UINT, /* from min to max; a maximum of 0 is none */
    PROTO_TYPE_REAL, /* the same */
    PROTO_TYPE_TEXT, /* of at most max characters if max is not 0, by the pattern if there is one */
    PROTO_TYPE_TIME, /* RFC 3339 */
    PROTO_TYPE_CHOICE, /* one of the names of an enum proto_choice */
    PROTO_TYPE_SHAPE   /* of an enum proto_shape_id */
};

struct proto_value {
    enum proto_type type;
    unsigned of;          /* enum proto_choice or enum proto_shape_id */
    bool list;            /* an array of such values */
    unsigned least, most; /* elements of it; most 0: any number */
    double min, max;
    const char *pattern; /* regular expression (ECMA 262); NULL: none */
};

/* Flags of a member. */
enum {
    PROTO_MEMBER_NEEDED = 1, /* is always there */
    PROTO_MEMBER_NULL = 2,   /* may be null */
    PROTO_MEMBER_ONE = 4,    /* exactly one of those with this flag is there */
    PROTO_MEMBER_SOME = 8,   /* at least one of those with this flag is there, if needs_some */
    PROTO_MEMBER_YET = 16    /* known, and refused as not available yet: not in the document */
};

struct proto_member {
    const char *name; /* NULL where members have none: in a union, a tuple, a map */
    struct proto_value value;
    unsigned flags;
    unsigned bodies;     /* in which bodies of requests it is; 0: in every one */
    const char *example; /* JSON, of members of requests; NULL: none */
    const char *about;
};

enum proto_form {
    PROTO_FORM_OBJECT,
    PROTO_FORM_UNION, /* one of its members */
    PROTO_FORM_TUPLE, /* an array of its members */
    PROTO_FORM_MAP    /* an object whose members all are as its only one, by names told elsewhere */
};

struct proto_shape {
    const char *name; /* in the document */
    enum proto_form form;
    const struct proto_shape *base; /* whose members it has, too; NULL: none */
    const struct proto_member *members;
    size_t n_members;
    bool needs_some; /* PROTO_MEMBER_SOME holds; else such members are as any other */
    unsigned body;   /* of a request: unknown members are refused, and those of other bodies are
                        unknown; 0: of a reply */
    const char *about;
};

const struct proto_shape *proto_shape_at(enum proto_shape_id id); /* static; not of NONE */

/* Has a shape, which has no base, this one of its members? */
bool proto_shape_has(const struct proto_shape *shape, const struct proto_member *member);

#endif
