/*
 * proto_openapi_int.h - the halves of the maker of /openapi.json. Inside proto only.
 */
#ifndef PROTO_PROTO_OPENAPI_INT_H
#define PROTO_PROTO_OPENAPI_INT_H

#include <jansson.h>
#include <stdbool.h>

#include "proto/proto_schema.h"

/* A document on its way. The first failure, which is want of memory, sticks. */
struct proto_openapi {
    json_t *paths, *schemas, *responses, *headers, *parameters; /* one reference each */
    bool failed;
};

/* Sets a member, or appends an element; `value` is taken and may be NULL: out of memory. */
void proto__openapi_set(struct proto_openapi *openapi, json_t *object, const char *key,
                        json_t *value);
void proto__openapi_append(struct proto_openapi *openapi, json_t *array, json_t *value);

/* {"$ref": "#/components/KIND/NAME"}: new reference, NULL: out of memory. */
json_t *proto__openapi_ref(const char *kind, const char *name);

/* The schema of a value with its words, and of a member of an object, which may be null: new
 * reference, NULL: out of memory. */
json_t *proto__openapi_value(struct proto_openapi *openapi, const struct proto_value *value);
json_t *proto__openapi_member(struct proto_openapi *openapi, const struct proto_member *member);

/* Adds all shapes to the schemas. */
void proto__openapi_add_shapes(struct proto_openapi *openapi);

#endif
