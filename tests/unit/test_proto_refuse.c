/*
 * test_proto_refuse.c - bodies of requests that are refused: under the right name, everything that
 * is wrong at once, whatever the bytes.
 */
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "proto/proto_request.h"
#include "tests/support/support_suite.h"

/* ---- findings ------------------------------------------------------------------------- */

/* The error of that pointer whose detail contains `detail` and whose rule is `rule`. */
static bool has_error(const json_t *document, const char *pointer, const char *rule,
                      const char *detail)
{
    json_t *error;
    size_t i;

    json_array_foreach(json_object_get(document, "errors"), i, error)
    {
        const char *found = json_string_value(json_object_get(error, "rule"));
        bool same_rule = rule ? found && strcmp(found, rule) == 0 : !found;
        if (strcmp(json_string_value(json_object_get(error, "pointer")), pointer) == 0 &&
            same_rule && strstr(json_string_value(json_object_get(error, "detail")), detail))
            return true;
    }
    return false;
}

struct refusal {
    const char *body;
    int status;
    const char *type, *pointer, *rule, *detail;
};

static void expect_refusal(const struct refusal *refusal)
{
    struct proto_job_request request;
    struct proto_problem problem = {0};
    json_t *document;
    char *text;

    ck_assert_msg(
        proto_job_request_decode(refusal->body, strlen(refusal->body), &request, &problem) < 0,
        "%s", refusal->body);
    text = proto_problem_encode(&problem);
    document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(document);
    ck_assert_msg(problem.status == refusal->status, "%s: %s", refusal->body, text);
    ck_assert_msg(
        strcmp(json_string_value(json_object_get(document, "type")) + strlen("/problems/"),
               refusal->type) == 0,
        "%s: %s", refusal->body, text);
    if (refusal->pointer)
        ck_assert_msg(has_error(document, refusal->pointer, refusal->rule, refusal->detail),
                      "%s: %s", refusal->body, text);
    json_decref(document);
    free(text);
    proto_problem_deinit(&problem);
}

#define INFEASIBLE 422, "infeasible-target"
#define INVALID 422, "invalid-request"
#define UNSUPPORTED 422, "unsupported"
#define MALFORMED 400, "malformed-json", NULL, NULL, NULL

START_TEST(infeasible_targets_name_the_rule)
{
    static const struct refusal refusals[] = {
        {"{\"cycles\":\"e: (1+)\"}", INFEASIBLE, "/cycles", "orientation-sum", "edges"},
        {"{\"cycles\":{\"edges\":[[1,true]]}}", INFEASIBLE, "/cycles/edges", "orientation-sum",
         "edges"},
        {"{\"cycles\":\"c: (1+)\"}", INFEASIBLE, "/cycles", "orientation-sum", "corners"},
        {"{\"cycles\":{\"corners\":[[9,false]]}}", INFEASIBLE, "/cycles/corners/0/0", "length",
         "9"},
        {"{\"cycles\":{\"edges\":[[3,false],{\"length\":13}]}}", INFEASIBLE,
         "/cycles/edges/1/length", "length", "13"},
        {"{\"cycles\":{\"corners\":[[5,false],[5,false]]}}", INFEASIBLE, "/cycles/corners",
         "pieces", "10 of 8"},
        {"{\"cycles\":\"c: (2)\"}", INFEASIBLE, "/cycles", "parity", "odd"},
        {"{\"cycles\":{\"edges\":[[2,false]]}}", INFEASIBLE, "/cycles", "parity", "odd"},
        {"{\"cycles\":{\"corners\":[[0,true]]}}", INFEASIBLE, "/cycles/corners/0/0", "length", "0"},
        {"{\"cycles\":{\"corners\":[[-3,true]]}}", INFEASIBLE, "/cycles/corners/0/0", "length",
         "-3"},
        {"{\"cycles\":{\"corners\":[[256,true]]}}", INFEASIBLE, "/cycles/corners/0/0", "length",
         "256"},
        {"{\"cycles\":{\"corners\":[{\"length\":9223372036854775807}]}}", INFEASIBLE,
         "/cycles/corners/0/length", "length", "9223372036854775807"},
        {"{\"cycles\":\"c: (0+)\"}", INFEASIBLE, "/cycles", "length", "position 4"},
        {"{\"any_of\":[\"c:(3)\",\"c: (2)\"]}", INFEASIBLE, "/any_of/1", "parity", "odd"},
        {"{\"any_of\":[{\"corners\":[[3,true],[9,true]]}]}", INFEASIBLE, "/any_of/0/corners/1/0",
         "length", "9"},
        {"{\"like\":\"R\",\"moves\":[\"R2\",\"U2\"]}", INFEASIBLE, "/like", "parity", "odd"},
        {"{\"order\":7,\"moves\":[\"R2\"]}", INFEASIBLE, "/order", "order", "order"},
        {"{\"order\":1261}", INFEASIBLE, "/order", "order", "order"},
        {"{\"start\":\"R U F\",\"moves\":[\"R2\",\"U2\",\"F2\",\"L2\",\"D2\",\"B2\"]}", INFEASIBLE,
         "/start", "parity", "parities"},
        {"{\"start\":\"L2 R2\",\"moves\":[\"R\"]}", INFEASIBLE, "/start", "unreachable-slot",
         "corners"},
    };

    for (size_t i = 0; i < BASE_COUNT(refusals); i++)
        expect_refusal(&refusals[i]);
}
END_TEST

START_TEST(bad_targets)
{
    static const struct refusal refusals[] = {
        {"{}", INVALID, "", NULL, "no target"},
        {"{\"cycles\":\"c:\",\"like\":\"R\"}", INVALID, "/like", NULL, "only one"},
        {"{\"order\":2,\"any_of\":[\"c:\"]}", INVALID, "/any_of", NULL, "only one"},
        {"{\"cycles\":5}", INVALID, "/cycles", NULL, "must be an object"},
        {"{\"cycles\":null}", INVALID, "/cycles", NULL, "must be an object"},
        {"{\"cycles\":\"q: (1+)\"}", INVALID, "/cycles", NULL, "position 0"},
        {"{\"cycles\":\"e: (1+)\xC3\x97 2 c\"}", INVALID, "/cycles", NULL, "position 1"},
        {"{\"cycles\":\"c: (1+, 5+\"}", INVALID, "/cycles", NULL, "position 10"},
        {"{\"cycles\":{\"centers\":[[1,true]]}}", INVALID, "/cycles/centers", NULL, "\"corners\""},
        {"{\"cycles\":{\"Corners\":[[1,true]]}}", INVALID, "/cycles/Corners", NULL,
         "no such orbit"},
        {"{\"cycles\":{\"corners\":7}}", INVALID, "/cycles/corners", NULL, "must be an array"},
        {"{\"cycles\":{\"corners\":[5]}}", INVALID, "/cycles/corners/0", NULL, "a cycle is"},
        {"{\"cycles\":{\"corners\":[[5]]}}", INVALID, "/cycles/corners/0", NULL, "a pair"},
        {"{\"cycles\":{\"corners\":[[5,true,1]]}}", INVALID, "/cycles/corners/0", NULL, "a pair"},
        {"{\"cycles\":{\"corners\":[[5,1]]}}", INVALID, "/cycles/corners/0/1", NULL,
         "true or false"},
        {"{\"cycles\":{\"corners\":[[5.0,true]]}}", INVALID, "/cycles/corners/0/0", NULL,
         "whole number"},
        {"{\"cycles\":{\"corners\":[[true,true]]}}", INVALID, "/cycles/corners/0/0", NULL,
         "whole number"},
        {"{\"cycles\":{\"corners\":[{\"oriented\":true}]}}", INVALID, "/cycles/corners/0", NULL,
         "missing"},
        {"{\"cycles\":{\"corners\":[{\"length\":5,\"orient\":true}]}}", INVALID,
         "/cycles/corners/0/orient", NULL, "unknown member"},
        {"{\"like\":\"R U 2'\"}", INVALID, "/like", NULL, "position 4"},
        {"{\"like\":\"R\xE2\x80\x99 x\"}", INVALID, "/like", NULL, "position 3"},
        {"{\"like\":[\"R\"]}", INVALID, "/like", NULL, "must be a string"},
        {"{\"order\":0}", INVALID, "/order", NULL, "must be from 1"},
        {"{\"order\":\"30\"}", INVALID, "/order", NULL, "whole number"},
        {"{\"any_of\":[]}", INVALID, "/any_of", NULL, "1 to 1000"},
        {"{\"any_of\":\"c:\"}", INVALID, "/any_of", NULL, "must be an array"},
        {"{\"any_of\":[7]}", INVALID, "/any_of/0", NULL, "must be an object"},
        {"{\"start\":{\"facelets\":\"UUU\"}}", INVALID, "/start/facelets", NULL, "3 facelets"},
        {"{\"start\":{\"facelets\":\"XUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
         INVALID, "/start/facelets", NULL, "position 0"},
        {"{\"start\":{\"facelets\":\"RUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
         INVALID, "/start/facelets", NULL, "no piece"},
        {"{\"start\":{\"facelets\":\"UUUURUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
         INVALID, "/start/facelets", NULL, "centre"},
        {"{\"start\":{\"facelets\":\"UUUUURUUURURRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
         INFEASIBLE, "/start/facelets", NULL, "flipped"},
        {"{\"start\":{\"facelets\":\"UUUUUUUURFRRRRRRRRFFUFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
         INFEASIBLE, "/start/facelets", NULL, "twisted"},
        {"{\"start\":{\"facelets\":\"UUUUUUUUURFRRRRRRRFRFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"}}",
         INFEASIBLE, "/start/facelets", NULL, "swapped"},
        {"{\"start\":7}", INVALID, "/start", NULL, "must be a string"},
        {"{\"start\":{}}", INVALID, "/start", NULL, "text of an algorithm"},
        {"{\"start\":{\"facelet\":\"\"}}", INVALID, "/start/facelet", NULL, "\"facelets\""},
        {"{\"start\":\"R (\"}", INVALID, "/start", NULL, "position 3"},
    };

    for (size_t i = 0; i < BASE_COUNT(refusals); i++)
        expect_refusal(&refusals[i]);
}
END_TEST

#define C3 "{\"cycles\":\"c:(3)\","

START_TEST(bad_members)
{
    static const struct refusal refusals[] = {
        {"[]", INVALID, "", NULL, "must be an object"},
        {"\"c: (3)\"", INVALID, "", NULL, "must be an object"},
        {"null", INVALID, "", NULL, "must be an object"},
        {"{\"cycels\":\"c:(3)\"}", INVALID, "/cycels", NULL, "\"cycles\""},
        {C3 "\"puzzle\":\"7x7x7\"}", INVALID, "/puzzle", NULL, "no puzzle"},
        {C3 "\"puzzle\":3}", INVALID, "/puzzle", NULL, "must be a string"},
        {C3 "\"moves\":\"R U\"}", INVALID, "/moves", NULL, "must be an array"},
        {C3 "\"moves\":[]}", INVALID, "/moves", NULL, "1 to 128"},
        {C3 "\"moves\":[\"R\",\"x\"]}", INVALID, "/moves/1", NULL, "position 0"},
        {C3 "\"moves\":[\"R U\"]}", INVALID, "/moves/0", NULL, "in brackets"},
        {C3 "\"moves\":[\"\"]}", INVALID, "/moves/0", NULL, "in brackets"},
        {C3 "\"moves\":[5]}", INVALID, "/moves/0", NULL, "must be a string"},
        {C3 "\"moves\":[\"(R R')\"]}", INVALID, "/moves/0", NULL, "changes nothing"},
        {C3 "\"moves\":[\"(R U)D\"]}", INVALID, "/moves/0", NULL, "in brackets"},
        {C3 "\"moves\":[\"(R U).\"]}", INVALID, "/moves/0", NULL, "pauses"},
        {C3 "\"moves\":[\"(R U) \"]}", INVALID, "/moves", NULL, "name"},
        {C3 "\"moves\":[\"[R: // c\\nU]\"]}", INVALID, "/moves/0", NULL, "one line"},
        {C3 "\"metric\":\"stm\"}", INVALID, "/metric", NULL, "\"htm\" or \"qtm\""},
        {C3 "\"find\":\"first\"}", INVALID, "/find", NULL, "\"one\" or \"all\""},
        {C3 "\"find\":true}", INVALID, "/find", NULL, "truth value"},
        {C3 "\"slack\":1}", INVALID, "/slack", NULL, "\"all\""},
        {C3 "\"find\":\"one\",\"slack\":1}", INVALID, "/slack", NULL, "\"all\""},
        {C3 "\"find\":\"all\",\"slack\":65}", INVALID, "/slack", NULL, "0 to 64"},
        {C3 "\"min_length\":5,\"max_length\":4}", INVALID, "/min_length", NULL, "above max"},
        {C3 "\"max_length\":5.0}", INVALID, "/max_length", NULL, "whole number"},
        {C3 "\"max_length\":true}", INVALID, "/max_length", NULL, "whole number"},
        {C3 "\"min_length\":-1}", INVALID, "/min_length", NULL, "-1"},
        {C3 "\"identical\":0}", INVALID, "/identical", NULL, "true or false"},
        {C3 "\"limits\":5}", INVALID, "/limits", NULL, "must be an object"},
        {C3 "\"limits\":{\"second\":5}}", INVALID, "/limits/second", NULL, "\"seconds\""},
        {C3 "\"limits\":{\"seconds\":0}}", INVALID, "/limits/seconds", NULL, "must be from"},
        {C3 "\"limits\":{\"seconds\":\"5\"}}", INVALID, "/limits/seconds", NULL, "a number"},
        {C3 "\"limits\":{\"nodes\":1.5}}", INVALID, "/limits/nodes", NULL, "whole number"},
        {C3 "\"limits\":{\"memory_mib\":-1}}", INVALID, "/limits/memory_mib", NULL, "must be from"},
        {C3 "\"limits\":{\"solutions\":0}}", INVALID, "/limits/solutions", NULL, "must be from"},
        {C3 "\"tables\":\"none\"}", INVALID, "/tables", NULL, "\"auto\""},
        {C3 "\"priority\":10}", INVALID, "/priority", NULL, "0 to 9"},
        {C3 "\"fresh\":1}", INVALID, "/fresh", NULL, "true or false"},
        {C3 "\"label\":7}", INVALID, "/label", NULL, "must be a string"},
        {C3 "\"label\":\"a\\u0000b\"}", INVALID, "/label", NULL, "U+0000"},
        {C3 "\"max_length\":99999999999999999999}", INVALID, NULL, NULL, NULL},
        {"{\"cycles\":", MALFORMED},
        {"{\"cycles\":\"c:(3)\",\"cycles\":\"c:(3)\"}", MALFORMED},
        {"{\"cycles\":\"\xFF\"}", MALFORMED},
        {"c: (3)", MALFORMED},
        {"", MALFORMED},
    };

    for (size_t i = 0; i < BASE_COUNT(refusals); i++)
        expect_refusal(&refusals[i]);
}
END_TEST

#define TABLES C3 "\"tables\":"
#define TABLES_2X2X2 "{\"puzzle\":\"2x2x2\",\"cycles\":\"c:(3)\",\"tables\":"

START_TEST(bad_wishes_for_tables)
{
    static const struct refusal refusals[] = {
        {TABLES "\"none\"}", INVALID, "/tables", NULL, "\"auto\" or an object"},
        {TABLES "null}", INVALID, "/tables", NULL, "\"auto\" or an object"},
        {TABLES "[]}", INVALID, "/tables", NULL, "{\"corners\": {\"kind\": \"exact\""},
        {TABLES "{\"centers\":{\"kind\":\"exact\"}}}", INVALID, "/tables/centers", NULL,
         "\"corners\", \"edges\", and for product tables \"corners+edges\""},
        {TABLES "{\"\":{\"kind\":\"exact\"}}}", INVALID, "/tables/", NULL, "names no orbit"},
        {TABLES "{\"+\":{\"kind\":\"product\"}}}", INVALID, "/tables/+", NULL, "names no orbit"},
        {TABLES "{\"corners+\":{\"kind\":\"product\"}}}", INVALID, "/tables/corners+", NULL,
         "names no orbit"},
        {TABLES "{\"corners+corners\":{\"kind\":\"product\"}}}", INVALID, "/tables/corners+corners",
         NULL, "names no orbit"},
        {TABLES "{\"c+e+c\":{\"kind\":\"product\"}}}", INVALID, "/tables/c+e+c", NULL,
         "names no orbit"},
        {TABLES "{\"a/b~\":{}}}", INVALID, "/tables/a~1b~0", NULL, "names no orbit"},
        {TABLES "{\"corners\":\"exact\"}}", INVALID, "/tables/corners", NULL, "must be an object"},
        {TABLES "{\"corners\":{}}}", INVALID, "/tables/corners", NULL, "\"kind\" is missing"},
        {TABLES "{\"c\":{\"encoding\":\"none\"}}}", INVALID, "/tables/c", NULL, "is missing"},
        {TABLES "{\"corners\":{\"kind\":\"perfect\"}}}", INVALID, "/tables/corners/kind", NULL,
         "must be \"fixed\", \"exact\", \"approximate\", \"cycle_structure\" or \"product\""},
        {TABLES "{\"e\":{\"kind\":\"approximate\",\"variant\":\"hashed\"}}}", INVALID,
         "/tables/e/variant", NULL, "must be \"subset\" or \"hash\""},
        {TABLES "{\"e\":{\"kind\":\"approximate\",\"variant\":1}}}", INVALID, "/tables/e/variant",
         NULL, "hash"},
        {TABLES "{\"c\":{\"kind\":\"exact\",\"variant\":\"hash\"}}}", INVALID, "/tables/c/variant",
         NULL, "of the kind approximate only"},
        {TABLES "{\"corners\":{\"kind\":\"cycle structure\"}}}", INVALID, "/tables/corners/kind",
         NULL, "\"cycle_structure\""},
        {TABLES "{\"corners\":{\"kind\":3}}}", INVALID, "/tables/corners/kind", NULL, "\"exact\""},
        {TABLES "{\"corners\":{\"kind\":\"exact\",\"encoding\":\"zip\"}}}", INVALID,
         "/tables/corners/encoding", NULL, "must be \"none\", \"nxopt\" or \"tans\""},
        {TABLES "{\"corners\":{\"kind\":\"exact\",\"encoding\":null}}}", INVALID,
         "/tables/corners/encoding", NULL, "\"nxopt\""},
        {TABLES "{\"corners\":{\"kind\":\"exact\",\"encodign\":\"none\"}}}", INVALID,
         "/tables/corners/encodign", NULL, "\"encoding\""},
        {TABLES "{\"e\":{\"kind\":\"fixed\",\"encoding\":\"nxopt\"}}}", INVALID,
         "/tables/e/encoding", NULL, "must be \"none\""},
        {TABLES "{\"e\":{\"kind\":\"cycle_structure\",\"encoding\":\"tans\"}}}", INVALID,
         "/tables/e/encoding", NULL, "must be \"none\""},
        {TABLES "{\"edges\":{\"kind\":\"product\"}}}", INVALID, "/tables/edges/kind", NULL,
         "under \"corners+edges\""},
        {TABLES "{\"edges+corners\":{\"kind\":\"exact\"}}}", INVALID, "/tables/edges+corners/kind",
         NULL, "must be \"product\""},
        {TABLES "{\"corners\":{\"kind\":\"exact\"},\"c\":{\"kind\":\"fixed\"}}}", INVALID,
         "/tables/c", NULL, "corners is named a second time"},
        {TABLES "{\"e+c\":{\"kind\":\"product\"},\"c+e\":{\"kind\":\"product\"}}}", INVALID,
         "/tables/c+e", NULL, "corners+edges is named a second time"},
        {TABLES_2X2X2 "{\"edges\":{\"kind\":\"exact\"}}}", INVALID, "/tables/edges", NULL,
         "there are \"corners\""},
        {TABLES_2X2X2 "{\"corners+edges\":{\"kind\":\"product\"}}}", INVALID,
         "/tables/corners+edges", NULL, "there are \"corners\""},
        {TABLES_2X2X2 "{\"corners\":{\"kind\":\"product\"}}}", INVALID, "/tables/corners/kind",
         NULL, "has only one"},
    };

    for (size_t i = 0; i < BASE_COUNT(refusals); i++)
        expect_refusal(&refusals[i]);
}
END_TEST

/* The name of a move, and that of its inverse, must fit the definition. */
START_TEST(long_algorithms_are_no_moves)
{
    char body[256] = C3 "\"moves\":[\"(";
    struct refusal refusal = {body, INVALID, "/moves/0", NULL, "bytes"};

    for (size_t i = 0; i < PUZZLE_NAME_BYTES - 1; i++)
        strncat(body, i % 2 ? "R" : "U", sizeof(body) - strlen(body) - 1);
    strncat(body, ")\"]}", sizeof(body) - strlen(body) - 1);
    expect_refusal(&refusal);
}
END_TEST

START_TEST(what_is_not_there_yet_is_named)
{
    static const struct refusal refusals[] = {
        {C3 "\"metric\":\"qtm\"}", UNSUPPORTED, "/metric", NULL, "not available yet"},
        {C3 "\"weights\":{\"U\":2}}", UNSUPPORTED, "/weights", NULL, "not available yet"},
        {C3 "\"identical\":true}", UNSUPPORTED, "/identical", NULL, "not available yet"},
        {"{\"start\":{\"reid\":\"UF\"}}", UNSUPPORTED, "/start/reid", NULL, "not available yet"},
        {"{\"start\":{\"pattern\":{}}}", UNSUPPORTED, "/start/pattern", NULL, "not available yet"},
        {"{\"cycles\":{\"corners\":[{\"length\":1,\"twist\":1}]}}", UNSUPPORTED,
         "/cycles/corners/0/twist", NULL, "not available yet"},
    };

    for (size_t i = 0; i < BASE_COUNT(refusals); i++)
        expect_refusal(&refusals[i]);
}
END_TEST

START_TEST(everything_wrong_is_told_at_once)
{
    static const char body[] =
        "{\"cycles\":{\"corners\":[[0,true],[5,\"x\"]],\"middles\":[]},\"like\":\"R Q\","
        "\"moves\":[\"z\",\"R\"],\"metric\":\"qtm\",\"slack\":3,\"prority\":1,"
        "\"limits\":{\"seconds\":-1,\"nodes\":true},\"tables\":{\"x\":1,\"c\":{\"kind\":0,"
        "\"encoding\":1,\"size\":2},\"e+c\":{\"kind\":\"fixed\"}}}";
    static const char *const pointers[][2] = {
        {"/cycles/corners/0/0", "length"},
        {"/cycles/corners/1/1", NULL},
        {"/cycles/middles", NULL},
        {"/like", NULL},
        {"/moves/0", NULL},
        {"/metric", NULL},
        {"/slack", NULL},
        {"/prority", NULL},
        {"/limits/seconds", NULL},
        {"/limits/nodes", NULL},
        {"/tables/x", NULL},
        {"/tables/c/kind", NULL},
        {"/tables/c/encoding", NULL},
        {"/tables/c/size", NULL},
        {"/tables/e+c/kind", NULL},
    };

    for (size_t i = 0; i < BASE_COUNT(pointers); i++) {
        struct refusal refusal = {body, INVALID, pointers[i][0], pointers[i][1], ""};
        expect_refusal(&refusal);
    }
}
END_TEST

START_TEST(labels_are_counted_in_characters)
{
    char body[1024] = C3 "\"label\":\"";
    struct proto_job_request request;
    struct proto_problem problem = {0};
    struct refusal refusal = {body, INVALID, "/label", NULL, "at most 200"};

    for (unsigned i = 0; i < 200; i++)
        strncat(body, "\xC3\xA9", sizeof(body) - strlen(body) - 1);
    strncat(body, "\"}", sizeof(body) - strlen(body) - 1);
    ck_assert_int_eq(proto_job_request_decode(body, strlen(body), &request, &problem), 0);
    ck_assert_uint_eq(strlen(request.label), 400);
    proto_job_request_deinit(&request);
    strncpy(body + strlen(body) - 2, "x\"}", 4);
    expect_refusal(&refusal);
}
END_TEST

/* ---- hostile bodies ------------------------------------------------------------------- */

/* {"MEMBER": "xxx..."} of a megabyte: refused, quickly, by a short reply. */
static void expect_long_text_refused(const char *member, char filler)
{
    enum { LENGTH = 1 << 20 };
    char *body = malloc(LENGTH + 64);
    struct proto_job_request request;
    struct proto_problem problem = {0};
    size_t at = (size_t)snprintf(body, 64, "{\"%s\":\"", member);
    char *text;

    memset(body + at, filler, LENGTH);
    memcpy(body + at + LENGTH, "\"}", 3);
    ck_assert_int_lt(proto_job_request_decode(body, strlen(body), &request, &problem), 0);
    ck_assert_int_eq(problem.status, 422);
    text = proto_problem_encode(&problem);
    ck_assert_uint_lt(strlen(text), 5000);
    free(text);
    proto_problem_deinit(&problem);
    free(body);
}

START_TEST(megabytes_of_text_are_refused)
{
    static const char *const members[] = {"cycles", "like",   "start", "puzzle",
                                          "label",  "metric", "find",  "unknown"};

    for (size_t i = 0; i < BASE_COUNT(members); i++) {
        expect_long_text_refused(members[i], '(');
        expect_long_text_refused(members[i], 'R');
        expect_long_text_refused(members[i], '9');
    }
}
END_TEST

START_TEST(huge_lists_are_refused)
{
    enum { COUNT = 100000 };
    static const char *const heads[] = {"{\"any_of\":[", "{\"moves\":[",
                                        "{\"cycles\":{\"corners\":["};
    static const char *const tails[] = {"0]}", "0]}", "0]}}"};
    char *body = malloc(COUNT * 10 + 64);

    for (size_t i = 0; i < BASE_COUNT(heads); i++) {
        struct refusal refusal = {body, INVALID, NULL, NULL, NULL};
        size_t at = strlen(heads[i]);
        memcpy(body, heads[i], at + 1);
        for (size_t k = 0; k < COUNT; k++, at += 9)
            memcpy(body + at, "[1,true],", 9);
        memcpy(body + at, tails[i], strlen(tails[i]) + 1);
        expect_refusal(&refusal);
    }
    free(body);
}
END_TEST

/* What mutation starts from. */
static const char *const origins[] = {
    "{\"cycles\":\"c: (1+, 5+) / e: (1+, 1+)\"}",
    "{\"like\":\"U R U' D2 B\",\"find\":\"all\",\"slack\":1}",
    "{\"any_of\":[\"c: (3)\",{\"edges\":[[3,false]]},\"e: (1+) \xC3\x97 12\"]}",
    "{\"start\":\"(R U2 [F, D'])3\",\"moves\":[\"U\",\"F\",\"R\",\"D\"]}",
    "{\"start\":\"\"}",
    "{\"start\":{\"facelets\":\"UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB\"}}",
    "{\"start\":\"R R'\",\"moves\":[\"R'\"]}",
    "{\"start\":\"R\",\"cycles\":\"c:\",\"moves\":[\"R'\",\"[R: U]\",\"(R U2)'\"]}",
    "{\"start\":\"R\",\"cycles\":\"c:(4)/e:(4)\",\"moves\":[\"U2\"]}",
    "{\"puzzle\":\"2x2x2\",\"like\":\"R U\",\"moves\":[\"R2\",\"U\"]}",
    "{\"cycles\":\"c:(3)\",\"limits\":{\"seconds\":0.000001,\"memory_mib\":0.0000017}}",
    "{\"cycles\":\"c:(3)\",\"label\":\"\"}",
    "{\"cycles\":\"c:(3)\",\"limits\":{\"memory_mib\":12345.678,\"nodes\":9007199254740993}}",
    "{\"cycles\":\"c:(3)\",\"tables\":{\"c\":{\"kind\":\"exact\",\"encoding\":\"tans\"}}}",
    "{\"cycles\":\"c:(3)\",\"tables\":{\"e\":{\"kind\":\"fixed\"},\"e+c\":{\"kind\":\"product\"}}}",
    "{\"cycles\":\"c:(3)\",\"min_length\":64,\"max_length\":64,\"priority\":0}",
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Changes, drops, doubles or swaps a few bytes. Returns the new length. */
static size_t mutate(char *body, size_t length, uint32_t *seed)
{
    static const char alphabet[] = "{}[]\":,0123456789-+.eE()'\\/ truefalsn\x80\xC3\xFF";

    for (unsigned n = 1 + next_random(seed) % 4; n && length > 2; n--) {
        size_t at = next_random(seed) % (length - 1);
        switch (next_random(seed) % 4) {
        case 0:
            body[at] = alphabet[next_random(seed) % (sizeof(alphabet) - 1)];
            break;
        case 1:
            memmove(body + at, body + at + 1, --length - at);
            break;
        case 2:
            memmove(body + at + 1, body + at, length - at);
            length++;
            break;
        default:
            body[at] ^= (char)(1u << next_random(seed) % 8);
        }
    }
    return length;
}

/* Whatever comes is either refused with a 400 or 422 or has an echo that means the same. */
static void check_any_body(const char *body, size_t length)
{
    struct proto_job_request request, again;
    struct proto_problem problem = {0};
    char *text;

    if (proto_job_request_decode(body, length, &request, &problem) == 0) {
        ck_assert(!problem.set);
        ck_assert_int_eq(
            proto_job_request_decode(request.echo, strlen(request.echo), &again, &problem), 0);
        ck_assert_str_eq(request.key, again.key);
        ck_assert_str_eq(request.echo, again.echo);
        proto_job_request_deinit(&again);
        proto_job_request_deinit(&request);
        return;
    }
    ck_assert_msg(problem.status == 400 || problem.status == 422, "%.*s", (int)length, body);
    text = proto_problem_encode(&problem);
    ck_assert_ptr_nonnull(text);
    free(text);
    proto_problem_deinit(&problem);
}

START_TEST(mutated_bodies_are_answered)
{
    uint32_t seed = 20260102;

    for (unsigned i = 0; i < 4000; i++) {
        const char *origin = origins[i % BASE_COUNT(origins)];
        size_t length = strlen(origin);
        char *body = malloc(length + 8);
        memcpy(body, origin, length);
        length = mutate(body, length, &seed);
        check_any_body(body, length);
        free(body);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        infeasible_targets_name_the_rule,
        bad_targets,
        bad_members,
        bad_wishes_for_tables,
        long_algorithms_are_no_moves,
        what_is_not_there_yet_is_named,
        everything_wrong_is_told_at_once,
        labels_are_counted_in_characters,
        megabytes_of_text_are_refused,
        huge_lists_are_refused,
        mutated_bodies_are_answered,
    };

    return support_suite_run("proto_refuse", tests, BASE_COUNT(tests), NULL, NULL, 20);
}
