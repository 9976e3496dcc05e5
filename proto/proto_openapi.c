/*
 * proto_openapi.c - see proto_openapi.h.
 *
 * What several operations share is a component that is made when it is first referred to:
 * parameters and fields by their name, problems by the types that a reply may have.
 */
#include "proto/proto_openapi.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_buf.h"
#include "core/base/base_err.h"
#include "proto/proto_openapi_int.h"
#include "proto/proto_operation.h"
#include "proto/proto_problem.h"

enum { NAME_BYTES = 200 };

#define ABOUT                                                                                      \
    "Shortest move sequences with a given cycle structure on twisty puzzles, and solutions of "    \
    "scrambles. HEAD works wherever GET does; OPTIONS answers preflights; other methods are "      \
    "refused with 405 and Allow. Requests with unknown members are refused; readers of replies "   \
    "should pass over members that they do not know. Every error is a Problem. Tokens are needed " \
    "only where the service was started with some."

/* ---- building ------------------------------------------------------------------------- */

void proto__openapi_set(struct proto_openapi *openapi, json_t *object, const char *key,
                        json_t *value)
{
    if (json_object_set_new(object, key, value))
        openapi->failed = true;
}

void proto__openapi_append(struct proto_openapi *openapi, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value))
        openapi->failed = true;
}

json_t *proto__openapi_ref(const char *kind, const char *name)
{
    return json_pack("{s:s++++}", "$ref", "#/components/", kind, "/", name, "");
}

/* ---- parameters ----------------------------------------------------------------------- */

static json_t *parameter(struct proto_openapi *openapi, const struct proto_parameter *parameter)
{
    const struct proto_member *member = &parameter->member;

    if (!json_object_get(openapi->parameters, member->name))
        proto__openapi_set(openapi, openapi->parameters, member->name,
                           json_pack("{s:s, s:s, s:s, s:o}", "name", member->name, "in",
                                     parameter->place == PROTO_IN_QUERY ? "query" : "header",
                                     "description", member->about, "schema",
                                     proto__openapi_value(openapi, &member->value)));
    return proto__openapi_ref("parameters", member->name);
}

/* "/v1/jobs/{id}/events" has one: id. */
static void add_path_parameter(struct proto_openapi *openapi, const struct proto_route *route,
                               json_t *list)
{
    const char *open = strchr(route->path, '{');

    if (open)
        proto__openapi_append(openapi, list,
                              json_pack("{s:s%, s:s, s:b, s:{s:s}}", "name", open + 1,
                                        strcspn(open + 1, "}"), "in", "path", "required", 1,
                                        "schema", "type", "string"));
}

static json_t *parameters_of(struct proto_openapi *openapi, const struct proto_route *route)
{
    unsigned wanted = proto_operation_parameters(route);
    json_t *list = json_array();

    add_path_parameter(openapi, route, list);
    for (unsigned id = 0; id < PROTO_PARAMETER_COUNT; id++)
        if (wanted & 1U << id)
            proto__openapi_append(
                openapi, list, parameter(openapi, proto_parameter_at((enum proto_parameter_id)id)));
    return list;
}

/* ---- fields of replies ---------------------------------------------------------------- */

/* A component says whether the field is always there, so each may be there twice. */
static json_t *header(struct proto_openapi *openapi, enum proto_field field, bool always)
{
    char name[NAME_BYTES];

    snprintf(name, sizeof(name), "%s%s", proto_field_name(field), always ? "" : ".sometimes");
    if (!json_object_get(openapi->headers, name))
        proto__openapi_set(openapi, openapi->headers, name,
                           json_pack("{s:s, s:b, s:{s:s}}", "description", proto_field_about(field),
                                     "required", (int)always, "schema", "type", "string"));
    return proto__openapi_ref("headers", name);
}

static json_t *headers_of(struct proto_openapi *openapi, struct proto_fields fields)
{
    json_t *headers = json_object();

    for (unsigned id = 0; id < PROTO_FIELD_COUNT; id++) {
        enum proto_field field = (enum proto_field)id;
        bool always = fields.always & 1U << id;
        if (always || fields.sometimes & 1U << id)
            proto__openapi_set(openapi, headers, proto_field_name(field),
                               header(openapi, field, always));
    }
    return headers;
}

/* ---- replies -------------------------------------------------------------------------- */

static void set_status(struct proto_openapi *openapi, json_t *replies, int status, json_t *value)
{
    char text[12];

    snprintf(text, sizeof(text), "%d", status);
    proto__openapi_set(openapi, replies, text, value);
}

static json_t *events_of(struct proto_openapi *openapi, const struct proto_told *told)
{
    json_t *events = json_object();

    for (; told->about; told++)
        proto__openapi_set(
            openapi, events, proto_event_name(told->event),
            json_pack("{s:s, s:b, s:o}", "description", told->about, "x-numbered",
                      (int)told->numbered, "schema",
                      proto__openapi_ref("schemas", proto_shape_at(told->shape)->name)));
    return events;
}

static json_t *content_of(struct proto_openapi *openapi, const struct proto_operation *operation,
                          const struct proto_reply *reply)
{
    bool is_json = strcmp(reply->media, "application/json") == 0;

    if (strcmp(reply->media, PROTO_EVENT_MEDIA_TYPE) == 0)
        return json_pack("{s:{s:s}, s:o}", "schema", "type", "string", "x-events",
                         events_of(openapi, operation->told));
    if (reply->shape != PROTO_SHAPE_NONE)
        return json_pack("{s:o}", "schema",
                         proto__openapi_ref("schemas", proto_shape_at(reply->shape)->name));
    return json_pack("{s:{s:s}}", "schema", "type", is_json ? "object" : "string");
}

/* Two replies of one status are one with two types of content. */
static void add_reply(struct proto_openapi *openapi, const struct proto_route *route,
                      const struct proto_reply *reply, json_t *replies)
{
    json_t *value, *content;
    char status[12];

    snprintf(status, sizeof(status), "%d", reply->status);
    value = json_object_get(replies, status);
    if (!value) {
        value = json_pack("{s:s, s:o}", "description", reply->about, "headers",
                          headers_of(openapi, proto_operation_fields(route, reply)));
        proto__openapi_set(openapi, replies, status, value);
    }
    if (!reply->media)
        return;
    content = json_object_get(value, "content");
    if (!content) {
        content = json_object();
        proto__openapi_set(openapi, value, "content", content);
    }
    proto__openapi_set(openapi, content, reply->media,
                       content_of(openapi, proto_operation_at(route->id), reply));
}

/* ---- problems ------------------------------------------------------------------------- */

static const char *short_name(enum proto_problem_kind kind)
{
    return strrchr(proto_problem_type(kind), '/') + 1;
}

/* The kinds among `kinds` that have this status, and their names, joined. */
static json_t *kinds_of_status(struct proto_openapi *openapi, unsigned kinds, int status,
                               struct base_buf *names)
{
    json_t *types = json_array();

    for (unsigned i = 0; i < PROTO_PROBLEM_COUNT; i++) {
        enum proto_problem_kind kind = (enum proto_problem_kind)i;
        if (!(kinds & 1U << i) || proto_problem_status(kind) != status)
            continue;
        base_buf_printf(names, "%s%s", names->length ? "." : "", short_name(kind));
        proto__openapi_append(openapi, types, json_string(proto_problem_type(kind)));
    }
    return types;
}

/* "invalid-request, unsupported" */
static json_t *words_of(struct proto_openapi *openapi, const json_t *types)
{
    struct base_buf words = {0};
    json_t *text;

    for (size_t i = 0; i < json_array_size(types); i++)
        base_buf_printf(&words, "%s%s", i ? ", " : "",
                        strrchr(json_string_value(json_array_get(types, i)), '/') + 1);
    text = json_string(base_buf_str(&words));
    openapi->failed |= words.error != 0;
    base_buf_deinit(&words);
    return text;
}

static json_t *problem_response(struct proto_openapi *openapi, const struct proto_route *route,
                                int status, json_t *types)
{
    json_t *schema = proto__openapi_ref("schemas", proto_shape_at(PROTO_SHAPE_PROBLEM)->name);

    proto__openapi_set(
        openapi, schema, "properties",
        json_pack("{s:{s:O}, s:{s:i}}", "type", "enum", types, "status", "const", status));
    return json_pack("{s:o, s:o, s:{s:{s:o}}}", "description", words_of(openapi, types), "headers",
                     headers_of(openapi, proto_problem_fields(route, status)), "content",
                     PROTO_PROBLEM_MEDIA_TYPE, "schema", schema);
}

static void add_problem(struct proto_openapi *openapi, const struct proto_route *route,
                        unsigned kinds, int status, json_t *replies)
{
    struct base_buf names = {0};
    json_t *types = kinds_of_status(openapi, kinds, status, &names);
    bool vital = route->flags & PROTO_ROUTE_VITAL;

    base_buf_text(&names, vital ? ".vital" : "");
    if (!json_object_get(openapi->responses, base_buf_str(&names)))
        proto__openapi_set(openapi, openapi->responses, base_buf_str(&names),
                           problem_response(openapi, route, status, types));
    set_status(openapi, replies, status, proto__openapi_ref("responses", base_buf_str(&names)));
    openapi->failed |= names.error != 0;
    json_decref(types);
    base_buf_deinit(&names);
}

static json_t *replies_of(struct proto_openapi *openapi, const struct proto_route *route)
{
    const struct proto_operation *operation = proto_operation_at(route->id);
    unsigned kinds = proto_operation_problems(route);
    json_t *replies = json_object();

    for (unsigned i = 0; i < PROTO_OPERATION_MAX_REPLIES && operation->reply[i].status; i++)
        add_reply(openapi, route, &operation->reply[i], replies);
    for (int status = 400; status < 600; status++)
        for (unsigned i = 0; i < PROTO_PROBLEM_COUNT; i++)
            if (kinds & 1U << i && proto_problem_status((enum proto_problem_kind)i) == status) {
                add_problem(openapi, route, kinds, status, replies);
                break;
            }
    return replies;
}

/* ---- operations ----------------------------------------------------------------------- */

/* Without tokens in the service nothing is needed: the empty alternative. */
static json_t *security_of(struct proto_openapi *openapi, const struct proto_route *route)
{
    static const char *const names[] = {
        [PROTO_SCOPE_OPEN] = NULL,
        [PROTO_SCOPE_READ] = "read",
        [PROTO_SCOPE_SUBMIT] = "submit",
        [PROTO_SCOPE_ADMIN] = "admin",
    };
    json_t *security = json_array();

    if (route->scope == PROTO_SCOPE_OPEN)
        return security;
    proto__openapi_append(openapi, security, json_object());
    proto__openapi_append(openapi, security, json_pack("{s:[s]}", "bearer", names[route->scope]));
    if (route->flags & PROTO_ROUTE_TICKET)
        proto__openapi_append(openapi, security, json_pack("{s:[]}", "ticket"));
    return security;
}

/* "job_submit" */
static json_t *operation_id(const struct proto_route *route)
{
    char name[NAME_BYTES];
    size_t i;

    for (i = 0; route->name[i] && i < sizeof(name) - 1; i++)
        name[i] = (char)tolower((unsigned char)route->name[i]);
    name[i] = '\0';
    return json_string(name);
}

/* "jobs" of "/v1/jobs/{id}"; what is not below a version is about operation, or the page. */
static json_t *tag_of(const struct proto_route *route)
{
    const char *rest = route->path + strlen("/v1/");

    if (route->flags & PROTO_ROUTE_WEB)
        return json_string("web page");
    if (strncmp(route->path, "/v1/", strlen("/v1/")) != 0)
        return json_string("operation");
    return json_stringn(rest, strcspn(rest, "/"));
}

static json_t *body_of(const struct proto_operation *operation)
{
    return json_pack("{s:b, s:{s:{s:o}}}", "required", (int)!operation->body_may_miss, "content",
                     "application/json", "schema",
                     proto__openapi_ref("schemas", proto_shape_at(operation->body)->name));
}

static json_t *operation_of(struct proto_openapi *openapi, const struct proto_route *route)
{
    const struct proto_operation *operation = proto_operation_at(route->id);
    json_t *value = json_pack("{s:o, s:s, s:[o]}", "operationId", operation_id(route), "summary",
                              route->summary, "tags", tag_of(route));
    json_t *parameters = parameters_of(openapi, route);

    if (json_array_size(parameters))
        proto__openapi_set(openapi, value, "parameters", json_incref(parameters));
    json_decref(parameters);
    if (operation->body != PROTO_SHAPE_NONE)
        proto__openapi_set(openapi, value, "requestBody", body_of(operation));
    proto__openapi_set(openapi, value, "responses", replies_of(openapi, route));
    proto__openapi_set(openapi, value, "security", security_of(openapi, route));
    return value;
}

static void add_route(struct proto_openapi *openapi, const struct proto_route *route)
{
    json_t *path = json_object_get(openapi->paths, route->path);
    char method[12];
    size_t i;

    if (!path) {
        path = json_object();
        proto__openapi_set(openapi, openapi->paths, route->path, path);
    }
    for (i = 0; route->method[i] && i < sizeof(method) - 1; i++)
        method[i] = (char)tolower((unsigned char)route->method[i]);
    method[i] = '\0';
    proto__openapi_set(openapi, path, method, operation_of(openapi, route));
}

/* ---- the document --------------------------------------------------------------------- */

static json_t *security_schemes(void)
{
    return json_pack("{s:{s:s, s:s, s:s}, s:{s:s, s:s, s:s, s:s}}", "bearer", "type", "http",
                     "scheme", "bearer", "description",
                     "A token of the token-file, with the scope that the operation names.",
                     "ticket", "type", "apiKey", "in", "query", "name", "token", "description",
                     "What POST to events-token gave, for one stream and a minute.");
}

/* Takes the parts. */
static json_t *document(struct proto_openapi *openapi, const char *version)
{
    json_t *info = json_pack("{s:s, s:s, s:s, s:{s:s, s:s}}", "title", "Cyclosolve", "version",
                             version, "description", ABOUT, "license", "name", "Apache 2.0",
                             "identifier", "Apache-2.0");
    json_t *components =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "schemas", openapi->schemas, "responses",
                  openapi->responses, "parameters", openapi->parameters, "headers",
                  openapi->headers, "securitySchemes", security_schemes());

    return json_pack("{s:s, s:o, s:[{s:s}], s:o, s:o}", "openapi", "3.1.0", "info", info, "servers",
                     "url", "/", "paths", openapi->paths, "components", components);
}

char *proto_openapi_encode(const char *version)
{
    struct proto_openapi openapi = {.paths = json_object(),
                                    .schemas = json_object(),
                                    .responses = json_object(),
                                    .headers = json_object(),
                                    .parameters = json_object()};
    json_t *whole;
    char *text;

    for (int id = 0; id < PROTO_ROUTE_COUNT; id++)
        add_route(&openapi, proto_route_at((enum proto_route_id)id));
    proto__openapi_add_shapes(&openapi);
    whole = document(&openapi, version);
    text = whole && !openapi.failed ? json_dumps(whole, JSON_INDENT(2)) : NULL;
    json_decref(whole);
    return text;
}
