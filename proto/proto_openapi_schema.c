/*
 * proto_openapi_schema.c - shapes as JSON Schema (draft 2020-12, the one of OpenAPI 3.1).
 *
 * Objects of requests forbid members they do not have, because the decoder refuses them; those of
 * replies do not, because there may be more of them in a later version.
 */
#include <stdint.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_choice.h"
#include "proto/proto_openapi_int.h"

/* ---- values --------------------------------------------------------------------------- */

static json_t *choice_schema(struct proto_openapi *openapi, enum proto_choice choice)
{
    json_t *names = json_array();

    for (unsigned i = 0; i < proto_choice_served(choice); i++)
        proto__openapi_append(openapi, names, json_string(proto_choice_name(choice, i)));
    return json_pack("{s:s, s:o}", "type", "string", "enum", names);
}

static json_t *text_schema(struct proto_openapi *openapi, const struct proto_value *value)
{
    json_t *schema = json_pack("{s:s}", "type", "string");

    if (value->max > 0)
        proto__openapi_set(openapi, schema, "maxLength", json_integer((json_int_t)value->max));
    if (value->pattern)
        proto__openapi_set(openapi, schema, "pattern", json_string(value->pattern));
    return schema;
}

/* What no double can tell exactly is beyond every number that comes. */
static json_t *uint_schema(struct proto_openapi *openapi, const struct proto_value *value)
{
    json_t *schema = json_pack("{s:s, s:I}", "type", "integer", "minimum", (json_int_t)value->min);

    if (value->max > 0 && value->max < (double)INT64_MAX)
        proto__openapi_set(openapi, schema, "maximum", json_integer((json_int_t)value->max));
    return schema;
}

static json_t *real_schema(struct proto_openapi *openapi, const struct proto_value *value)
{
    json_t *schema = json_pack("{s:s}", "type", "number");

    if (value->min > 0)
        proto__openapi_set(openapi, schema, "minimum", json_real(value->min));
    if (value->max > 0)
        proto__openapi_set(openapi, schema, "maximum", json_real(value->max));
    return schema;
}

static json_t *single_schema(struct proto_openapi *openapi, const struct proto_value *value)
{
    switch (value->type) {
    case PROTO_TYPE_ANY:
        break;
    case PROTO_TYPE_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case PROTO_TYPE_UINT:
        return uint_schema(openapi, value);
    case PROTO_TYPE_REAL:
        return real_schema(openapi, value);
    case PROTO_TYPE_TEXT:
        return text_schema(openapi, value);
    case PROTO_TYPE_TIME:
        return json_pack("{s:s, s:s}", "type", "string", "format", "date-time");
    case PROTO_TYPE_CHOICE:
        return choice_schema(openapi, (enum proto_choice)value->of);
    case PROTO_TYPE_SHAPE:
        return proto__openapi_ref("schemas", proto_shape_at((enum proto_shape_id)value->of)->name);
    }
    return json_object();
}

json_t *proto__openapi_value(struct proto_openapi *openapi, const struct proto_value *value)
{
    json_t *single = single_schema(openapi, value), *list;

    if (!value->list)
        return single;
    list = json_pack("{s:s, s:o}", "type", "array", "items", single);
    if (value->least)
        proto__openapi_set(openapi, list, "minItems", json_integer(value->least));
    if (value->most)
        proto__openapi_set(openapi, list, "maxItems", json_integer(value->most));
    return list;
}

/* ---- members -------------------------------------------------------------------------- */

/* Takes the schema; one of the same or null. */
static json_t *or_null(struct proto_openapi *openapi, json_t *schema)
{
    json_t *type = json_object_get(schema, "type"), *names = json_object_get(schema, "enum");

    if (!type)
        return json_pack("{s:[o, {s:s}]}", "anyOf", schema, "type", "null");
    if (names)
        proto__openapi_append(openapi, names, json_null());
    proto__openapi_set(openapi, schema, "type", json_pack("[O, s]", type, "null"));
    return schema;
}

json_t *proto__openapi_member(struct proto_openapi *openapi, const struct proto_member *member)
{
    json_t *schema = proto__openapi_value(openapi, &member->value);

    if (member->flags & PROTO_MEMBER_NULL)
        schema = or_null(openapi, schema);
    proto__openapi_set(openapi, schema, "description", json_string(member->about));
    if (member->example)
        proto__openapi_set(openapi, schema, "examples",
                           json_pack("[o]", json_loads(member->example, JSON_DECODE_ANY, NULL)));
    return schema;
}

/* ---- objects -------------------------------------------------------------------------- */

static bool is_told(const struct proto_shape *shape, const struct proto_member *member)
{
    return proto_shape_has(shape, member) && !(member->flags & PROTO_MEMBER_YET);
}

static void add_properties(struct proto_openapi *openapi, const struct proto_shape *shape,
                           json_t *properties)
{
    if (shape->base)
        add_properties(openapi, shape->base, properties);
    for (size_t i = 0; i < shape->n_members; i++) {
        const struct proto_member *member = &shape->members[i];
        if (is_told(shape, member))
            proto__openapi_set(openapi, properties, member->name,
                               proto__openapi_member(openapi, member));
    }
}

static void add_required(struct proto_openapi *openapi, const struct proto_shape *shape,
                         json_t *required)
{
    if (shape->base)
        add_required(openapi, shape->base, required);
    for (size_t i = 0; i < shape->n_members; i++) {
        const struct proto_member *member = &shape->members[i];
        if (is_told(shape, member) && member->flags & PROTO_MEMBER_NEEDED)
            proto__openapi_append(openapi, required, json_string(member->name));
    }
}

/* One, or some, of the members with a flag: [{"required": ["jobs"]}, ...]. */
static void add_alternatives(struct proto_openapi *openapi, const struct proto_shape *shape,
                             unsigned flag, const char *keyword, json_t *schema)
{
    json_t *alternatives = json_array();

    for (size_t i = 0; i < shape->n_members; i++) {
        const struct proto_member *member = &shape->members[i];
        if (is_told(shape, member) && member->flags & flag)
            proto__openapi_append(openapi, alternatives,
                                  json_pack("{s:[s]}", "required", member->name));
    }
    if (json_array_size(alternatives))
        proto__openapi_set(openapi, schema, keyword, json_incref(alternatives));
    json_decref(alternatives);
}

static json_t *object_schema(struct proto_openapi *openapi, const struct proto_shape *shape)
{
    json_t *properties = json_object(), *required = json_array();
    json_t *schema = json_pack("{s:s, s:O}", "type", "object", "properties", properties);

    add_properties(openapi, shape, properties);
    add_required(openapi, shape, required);
    if (json_array_size(required))
        proto__openapi_set(openapi, schema, "required", json_incref(required));
    add_alternatives(openapi, shape, PROTO_MEMBER_ONE, "oneOf", schema);
    if (shape->needs_some)
        add_alternatives(openapi, shape, PROTO_MEMBER_SOME, "anyOf", schema);
    if (shape->body)
        proto__openapi_set(openapi, schema, "additionalProperties", json_false());
    json_decref(properties);
    json_decref(required);
    return schema;
}

/* ---- other forms ---------------------------------------------------------------------- */

static json_t *member_list(struct proto_openapi *openapi, const struct proto_shape *shape)
{
    json_t *list = json_array();

    for (size_t i = 0; i < shape->n_members; i++)
        proto__openapi_append(openapi, list, proto__openapi_member(openapi, &shape->members[i]));
    return list;
}

static json_t *shape_schema(struct proto_openapi *openapi, const struct proto_shape *shape)
{
    switch (shape->form) {
    case PROTO_FORM_OBJECT:
        break;
    case PROTO_FORM_UNION:
        return json_pack("{s:o}", "anyOf", member_list(openapi, shape));
    case PROTO_FORM_TUPLE:
        return json_pack("{s:s, s:o, s:b, s:I}", "type", "array", "prefixItems",
                         member_list(openapi, shape), "items", 0, "minItems",
                         (json_int_t)shape->n_members);
    case PROTO_FORM_MAP:
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
                         proto__openapi_member(openapi, shape->members));
    }
    return object_schema(openapi, shape);
}

void proto__openapi_add_shapes(struct proto_openapi *openapi)
{
    for (int id = PROTO_SHAPE_NONE + 1; id < PROTO_SHAPE_COUNT; id++) {
        const struct proto_shape *shape = proto_shape_at((enum proto_shape_id)id);
        json_t *schema = shape_schema(openapi, shape);

        proto__openapi_set(openapi, schema, "description", json_string(shape->about));
        proto__openapi_set(openapi, openapi->schemas, shape->name, schema);
    }
}
