/*
 * test_proto_openapi.c - the document at /openapi.json: whole, with every route, and true about
 * what the decoder of requests takes.
 */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_batch.h"
#include "proto/proto_openapi.h"
#include "proto/proto_operation.h"
#include "proto/proto_request.h"
#include "tests/support/support_suite.h"

static json_t *document; /* read only */

static void setup(void)
{
    char *text = proto_openapi_encode("1.2.3");

    ck_assert_ptr_nonnull(text);
    document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(document);
    free(text);
}

static void teardown(void)
{
    json_decref(document);
}

static json_t *schema_of(const char *name)
{
    json_t *schema =
        json_object_get(json_object_get(json_object_get(document, "components"), "schemas"), name);

    ck_assert_msg(schema != NULL, "there is no schema %s", name);
    return schema;
}

/* ---- the whole ------------------------------------------------------------------------ */

START_TEST(the_head)
{
    ck_assert_str_eq(json_string_value(json_object_get(document, "openapi")), "3.1.0");
    ck_assert_str_eq(
        json_string_value(json_object_get(json_object_get(document, "info"), "version")), "1.2.3");
}
END_TEST

/* The component that a reference names. */
static json_t *follow(const char *reference)
{
    char path[200], *rest, *part;
    json_t *at = document;

    ck_assert_msg(strncmp(reference, "#/", 2) == 0 && strlen(reference) < sizeof(path), "%s",
                  reference);
    memcpy(path, reference + 2, strlen(reference) - 1);
    for (part = path; part; part = rest) {
        rest = strchr(part, '/');
        if (rest)
            *rest++ = '\0';
        at = json_object_get(at, part);
    }
    return at;
}

/* Follows every reference below a value, and counts in `seen` how often each is there. */
static size_t follow_all(json_t *value, json_t *seen)
{
    const char *key, *reference = json_string_value(json_object_get(value, "$ref"));
    size_t index, n = 0;
    json_t *item;

    if (reference) {
        ck_assert_msg(follow(reference) != NULL, "%s leads nowhere", reference);
        json_object_set_new(seen, reference, json_true());
        n = 1;
    }
    json_object_foreach(value, key, item)
    {
        n += follow_all(item, seen);
    }
    json_array_foreach(value, index, item)
    {
        n += follow_all(item, seen);
    }
    return n;
}

START_TEST(every_reference_resolves_and_every_component_is_used)
{
    static const char *const kinds[] = {"schemas", "responses", "parameters", "headers"};
    json_t *seen = json_object(), *component;
    const char *name;
    char reference[200];

    ck_assert_uint_gt(follow_all(document, seen), 200);
    for (size_t i = 0; i < BASE_COUNT(kinds); i++) {
        json_t *all = json_object_get(json_object_get(document, "components"), kinds[i]);
        ck_assert_uint_gt(json_object_size(all), 0);
        json_object_foreach(all, name, component)
        {
            snprintf(reference, sizeof(reference), "#/components/%s/%s", kinds[i], name);
            ck_assert_msg(json_object_get(seen, reference) != NULL, "%s is not used", reference);
        }
    }
    json_decref(seen);
}
END_TEST

START_TEST(every_shape_has_a_name_of_its_own_and_every_member_words)
{
    json_t *names = json_object();

    for (int id = PROTO_SHAPE_NONE + 1; id < PROTO_SHAPE_COUNT; id++) {
        const struct proto_shape *shape = proto_shape_at((enum proto_shape_id)id);
        ck_assert_msg(!json_object_get(names, shape->name), "two are named %s", shape->name);
        json_object_set_new(names, shape->name, json_true());
        ck_assert_uint_gt(strlen(shape->about), 5);
        for (size_t i = 0; i < shape->n_members; i++)
            ck_assert_msg(shape->members[i].flags & PROTO_MEMBER_YET ||
                              (shape->members[i].about && *shape->members[i].about),
                          "%s.%s", shape->name, shape->members[i].name);
    }
    json_decref(names);
}
END_TEST

/* ---- routes --------------------------------------------------------------------------- */

static json_t *operation_of(const struct proto_route *route)
{
    json_t *path = json_object_get(json_object_get(document, "paths"), route->path);
    const char *method;
    json_t *operation;

    json_object_foreach(path, method, operation)
    {
        if (strcasecmp(method, route->method) == 0)
            return operation;
    }
    return NULL;
}

static bool takes(json_t *operation, const char *place, const char *name)
{
    size_t index;
    json_t *item;

    json_array_foreach(json_object_get(operation, "parameters"), index, item)
    {
        const char *reference = json_string_value(json_object_get(item, "$ref"));
        json_t *parameter = reference ? follow(reference) : item;
        if (!strcmp(json_string_value(json_object_get(parameter, "name")), name) &&
            !strcmp(json_string_value(json_object_get(parameter, "in")), place))
            return true;
    }
    return false;
}

static void expect_parameter(const struct proto_route *route, bool expected, const char *place,
                             const char *name)
{
    ck_assert_msg(takes(operation_of(route), place, name) == expected, "%s: %s %s", route->name,
                  expected ? "misses" : "has", name);
}

static bool answers(const struct proto_route *route, const char *status)
{
    return json_object_get(json_object_get(operation_of(route), "responses"), status) != NULL;
}

START_TEST(every_route_is_told)
{
    for (int i = 0; i < PROTO_ROUTE_COUNT; i++) {
        const struct proto_route *route = proto_route_at((enum proto_route_id)i);
        json_t *operation = operation_of(route);
        bool body = route->flags & PROTO_ROUTE_BODY;

        ck_assert_msg(operation != NULL, "%s", route->name);
        ck_assert_msg(json_object_get(operation, "summary") != NULL, "%s", route->name);
        ck_assert_msg(answers(route, "200") || answers(route, "204"), "%s", route->name);
        ck_assert_msg((json_object_get(operation, "requestBody") != NULL) == body, "%s",
                      route->name);
        ck_assert_msg(answers(route, "415") == body, "%s", route->name);
    }
}
END_TEST

START_TEST(what_follows_from_flags)
{
    for (int i = 0; i < PROTO_ROUTE_COUNT; i++) {
        const struct proto_route *route = proto_route_at((enum proto_route_id)i);
        bool list = route->flags & PROTO_ROUTE_LIST, sse = route->flags & PROTO_ROUTE_SSE;
        bool cached = route->flags & PROTO_ROUTE_CACHEABLE;
        bool open = route->scope == PROTO_SCOPE_OPEN, vital = route->flags & PROTO_ROUTE_VITAL;
        json_t *security = json_object_get(operation_of(route), "security");

        expect_parameter(route, list, "query", "page_size");
        expect_parameter(route, list, "query", "page_token");
        expect_parameter(route, sse, "query", "after");
        expect_parameter(route, sse, "header", "Last-Event-ID");
        expect_parameter(route, cached, "header", "If-None-Match");
        ck_assert_msg(answers(route, "304") == cached, "%s", route->name);
        ck_assert_msg(answers(route, "401") == !open, "%s", route->name);
        ck_assert_msg(answers(route, "429") == !vital, "%s", route->name);
        ck_assert_msg(answers(route, "404") == (strchr(route->path, '{') != NULL), "%s",
                      route->name);
        ck_assert_msg((json_array_size(security) == 0) == open, "%s", route->name);
    }
}
END_TEST

/* ---- requests ------------------------------------------------------------------------- */

static int decode_job(const char *text, struct proto_problem *problem)
{
    struct proto_job_request request;
    int code = proto_job_request_decode(text, strlen(text), &request, problem);

    if (!code)
        proto_job_request_deinit(&request);
    return code;
}

static int decode_tables(const char *text, struct proto_problem *problem)
{
    struct proto_tables_request request;
    int code = proto_tables_request_decode(text, strlen(text), &request, problem);

    if (!code)
        proto_tables_request_deinit(&request);
    return code;
}

static int decode_batch(const char *text, struct proto_problem *problem)
{
    struct proto_batch_request request;
    int code = proto_batch_request_decode(text, strlen(text), 10, NULL, &request, problem);

    if (!code)
        proto_batch_request_deinit(&request);
    return code;
}

static int decode_analyze(const char *text, struct proto_problem *problem)
{
    char *reply = NULL;
    int code = proto_analyze(text, strlen(text), &reply, problem);

    free(reply);
    return code;
}

static int decode_pin(const char *text, struct proto_problem *problem)
{
    bool pinned;

    return proto_pin_request_decode(text, strlen(text), &pinned, problem);
}

/* An object of a request: where in a body it stands, and one that is good. */
struct place {
    const char *schema, *before, *base, *after;
    int (*decode)(const char *text, struct proto_problem *problem);
    bool unbounded; /* its numbers are judged by what they mean, too */
};

static const struct place places[] = {
    {"JobRequest", "", "{\"cycles\": \"c: (4) / e: (4)\", \"find\": \"all\"}", "", decode_job,
     false},
    {"JobPart", "{\"jobs\": [", "{\"cycles\": \"c: (4) / e: (4)\", \"find\": \"all\"}", "]}",
     decode_batch, false},
    {"JobLimits", "{\"like\": \"R\", \"limits\": ", "{}", "}", decode_job, false},
    {"StartForm",
     "{\"start\": ", "{\"facelets\": \"UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}",
     "}", decode_job, false},
    {"CycleItem", "{\"cycles\": {\"corners\": [", "{\"length\": 3}", "]}}", decode_job, true},
    {"Wish", "{\"like\": \"R\", \"tables\": {\"edges\": ", "{\"kind\": \"approximate\"}", "}}",
     decode_job, false},
    {"BatchRequest", "", "{\"jobs\": [{\"like\": \"R\"}]}", "", decode_batch, false},
    {"AnalyzeState", "", "{\"alg\": \"R\"}", "", decode_analyze, false},
    {"AnalyzeTarget", "", "{\"like\": \"R\"}", "", decode_analyze, false},
    {"TablesRequest", "", "{}", "", decode_tables, false},
    {"TablesLimits", "{\"limits\": ", "{}", "}", decode_tables, false},
    {"PinRequest", "", "{}", "", decode_pin, false},
};

static bool is_alternative(json_t *schema, const char *keyword, const char *name)
{
    size_t index;
    json_t *item;

    json_array_foreach(json_object_get(schema, keyword), index, item)
    {
        json_t *only = json_array_get(json_object_get(item, "required"), 0);
        if (strcmp(json_string_value(only), name) == 0)
            return true;
    }
    return false;
}

/* Targets, of which there is one, are told as alternatives only where one is needed. */
static bool excludes_others(json_t *schema, const char *name)
{
    static const char *const targets[] = {"cycles", "like", "order", "any_of"};
    bool excludes = is_alternative(schema, "oneOf", name);

    for (size_t i = 0; i < BASE_COUNT(targets); i++)
        excludes |= strcmp(name, targets[i]) == 0;
    return excludes;
}

/* A good object with a member: the value is borrowed. */
static json_t *object_with(const struct place *place, const char *name, json_t *value)
{
    json_t *schema = schema_of(place->schema), *item;
    json_t *object = json_loads(place->base, 0, NULL);
    const char *key;
    void *next;

    json_object_foreach_safe(object, next, key, item)
    {
        if (excludes_others(schema, name) && excludes_others(schema, key))
            json_object_del(object, key);
    }
    json_object_set(object, name, value);
    return object;
}

/* Holds the decoder to what it should do with a body that has this member. */
static void expect(const struct place *place, const char *name, json_t *value, bool good)
{
    json_t *object = object_with(place, name, value);
    char *inner = json_dumps(object, 0), *text = NULL, *told = NULL;
    struct proto_problem problem = {0};
    int code;

    ck_assert_int_gt(asprintf(&text, "%s%s%s", place->before, inner, place->after), 0);
    code = place->decode(text, &problem);
    if (code)
        told = proto_problem_encode(&problem);
    ck_assert_msg((code == 0) == good, "%s: %s is %s: %s", place->schema, text,
                  good ? "refused" : "accepted", told);
    proto_problem_deinit(&problem);
    free(told);
    free(inner);
    free(text);
    json_decref(object);
}

static void expect_new(const struct place *place, const char *name, json_t *value, bool good)
{
    expect(place, name, value, good);
    json_decref(value);
}

/* Every name of a choice; a product joins orbits and is no table of one. */
static void expect_choices(const struct place *place, const char *name, json_t *schema)
{
    size_t index;
    json_t *choice;

    json_array_foreach(json_object_get(schema, "enum"), index, choice)
    {
        expect(place, name, choice, strcmp(json_string_value(choice), "product") != 0);
    }
    if (json_object_get(schema, "enum"))
        expect_new(place, name, json_string("no such choice"), false);
}

static void expect_bounds(const struct place *place, const char *name, json_t *schema)
{
    json_t *least = json_object_get(schema, "minimum");
    json_t *greatest = json_object_get(schema, "maximum");
    bool whole = json_is_integer(least);

    if (place->unbounded)
        return;
    if (least) {
        json_int_t below = json_integer_value(least) - 1;
        expect(place, name, least, true);
        expect_new(place, name,
                   whole ? json_integer(below) : json_real(json_number_value(least) / 2), false);
    }
    if (greatest) {
        json_int_t above = json_integer_value(greatest) + 1;
        expect(place, name, greatest, true);
        expect_new(place, name,
                   whole ? json_integer(above) : json_real(json_number_value(greatest) * 2), false);
    }
}

static void expect_length(const struct place *place, const char *name, json_t *schema)
{
    size_t most = (size_t)json_integer_value(json_object_get(schema, "maxLength"));
    char *text = calloc(1, most + 2);

    memset(text, 'x', most);
    if (most) {
        expect_new(place, name, json_string(text), true);
        text[most] = 'x';
        expect_new(place, name, json_string(text), false);
    }
    free(text);
}

/* An empty list, and one with an element too many. */
static void expect_elements(const struct place *place, const char *name, json_t *schema)
{
    json_t *most = json_object_get(schema, "maxItems");
    json_t *example = json_array_get(json_object_get(schema, "examples"), 0);
    json_t *list = json_array();

    if (json_is_array(example))
        expect(place, name, list, json_object_get(schema, "minItems") == NULL);
    for (json_int_t i = 0; most && i <= json_integer_value(most); i++)
        json_array_append(list, json_array_get(example, 0));
    if (most)
        expect(place, name, list, false);
    json_decref(list);
}

/* null is no value of any member. */
static void expect_members(const struct place *place)
{
    json_t *properties = json_object_get(schema_of(place->schema), "properties"), *schema;
    const char *name;

    ck_assert_uint_gt(json_object_size(properties), 0);
    json_object_foreach(properties, name, schema)
    {
        json_t *example = json_array_get(json_object_get(schema, "examples"), 0);

        ck_assert_msg(example != NULL, "%s.%s has no example", place->schema, name);
        expect(place, name, example, true);
        expect_new(place, name, json_null(), false);
        expect_choices(place, name, schema);
        expect_bounds(place, name, schema);
        expect_length(place, name, schema);
        expect_elements(place, name, schema);
    }
}

START_TEST(every_documented_member_is_accepted)
{
    for (size_t i = 0; i < BASE_COUNT(places); i++)
        expect_members(&places[i]);
}
END_TEST

START_TEST(an_undocumented_member_is_refused)
{
    for (size_t i = 0; i < BASE_COUNT(places); i++) {
        json_t *schema = schema_of(places[i].schema);

        ck_assert(json_is_false(json_object_get(schema, "additionalProperties")));
        expect_new(&places[i], "no_such_member", json_true(), false);
    }
}
END_TEST

/* Members that are refused as not available yet are not told as if they were. */
START_TEST(what_is_not_there_yet_is_not_told)
{
    static const char *const job[] = {"weights", "identical"};
    json_t *properties = json_object_get(schema_of("JobRequest"), "properties");

    for (size_t i = 0; i < BASE_COUNT(job); i++)
        ck_assert_msg(!json_object_get(properties, job[i]), "%s", job[i]);
    ck_assert_ptr_null(
        json_object_get(json_object_get(schema_of("StartForm"), "properties"), "reid"));
}
END_TEST

/* Every object that a request can hold has a place above. */
START_TEST(every_shape_of_a_request_is_tried)
{
    for (int id = PROTO_SHAPE_NONE + 1; id < PROTO_SHAPE_COUNT; id++) {
        const struct proto_shape *shape = proto_shape_at((enum proto_shape_id)id);
        bool tried = false;

        for (size_t i = 0; i < BASE_COUNT(places); i++)
            tried |= strcmp(places[i].schema, shape->name) == 0;
        ck_assert_msg(tried == (shape->body != 0), "%s", shape->name);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_head,
        every_reference_resolves_and_every_component_is_used,
        every_shape_has_a_name_of_its_own_and_every_member_words,
        every_route_is_told,
        what_follows_from_flags,
        every_documented_member_is_accepted,
        an_undocumented_member_is_refused,
        what_is_not_there_yet_is_not_told,
        every_shape_of_a_request_is_tried,
    };

    return support_suite_run("proto_openapi", tests, BASE_COUNT(tests), setup, teardown, 180);
}
