/*
 * test_proto_job.c - replies and events: the bytes that clients read.
 */
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_event.h"
#include "proto/proto_job.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

/* `text` (taken) is JSON and just this. */
static void expect_json(char *text, const char *expected)
{
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    ck_assert_msg(value != NULL, "%s", text);
    ck_assert_str_eq(text, expected);
    json_decref(value);
    free(text);
}

static struct engine_solution solution_of(const char *word, double rank, uint32_t class_index)
{
    struct engine_solution solution = {.rank = rank, .class_index = class_index};
    uint8_t moves[SUPPORT_MAX_WORD];
    unsigned length = support_word_parse(cube, word, moves);

    ck_assert_uint_le(length, PUZZLE_MAX_WORD);
    solution.length = (uint8_t)length;
    memcpy(solution.move, moves, length);
    return solution;
}

/* ---- states --------------------------------------------------------------------------- */

START_TEST(states_have_names)
{
    static const char *const ended[] = {"succeeded", "failed", "cancelled"};
    enum engine_state state;

    for (int i = ENGINE_QUEUED; i <= ENGINE_CANCELLED; i++) {
        ck_assert_int_eq(proto_state_parse(proto_state_name((enum engine_state)i), &state), 0);
        ck_assert_int_eq((int)state, i);
    }
    for (size_t i = 0; i < BASE_COUNT(ended); i++) {
        ck_assert_int_eq(proto_state_parse(ended[i], &state), 0);
        ck_assert(proto_state_ended(state));
    }
    ck_assert(!proto_state_ended(ENGINE_PAUSED));
    ck_assert_int_eq(proto_state_parse("Running", &state), BASE_ERR_RANGE);
    ck_assert_int_eq(proto_state_parse("", &state), BASE_ERR_RANGE);
}
END_TEST

/* ---- plan, progress, solutions -------------------------------------------------------- */

START_TEST(plans)
{
    struct engine_plan plan = {.n_tables = 2,
                               .table[0] = {.orbits = "corners",
                                            .kind = "exact",
                                            .encoding = "none",
                                            .state = "sealed",
                                            .why = "small \"and\" exact",
                                            .bytes = 88179840,
                                            .key = "k1",
                                            .fill_seconds = 1.25},
                               .table[1] = {.orbits = "edges",
                                            .kind = "fixed",
                                            .encoding = "none",
                                            .state = "missing",
                                            .why = "no room"},
                               .estimated_length = 12,
                               .estimated_nodes = 2.5e18,
                               .estimated_seconds = 0.25,
                               .forecast_length = 13,
                               .forecast_nodes = 7e18,
                               .forecast_seconds = 1.5};

    expect_json(proto_plan_encode(&plan),
                "{\"tables\":[{\"orbits\":\"corners\",\"kind\":\"exact\",\"encoding\":\"none\","
                "\"bytes\":88179840,\"state\":\"sealed\",\"why\":\"small \\\"and\\\" exact\","
                "\"key\":\"k1\",\"fill_seconds\":1.25},"
                "{\"orbits\":\"edges\",\"kind\":\"fixed\",\"encoding\":\"none\",\"bytes\":0,"
                "\"state\":\"missing\",\"why\":\"no room\",\"key\":null,\"fill_seconds\":0}],"
                "\"estimated_length\":12,\"estimated_nodes\":2500000000000000000,"
                "\"estimated_seconds\":0.25,\"forecast_length\":13,"
                "\"forecast_nodes\":7000000000000000000,\"forecast_seconds\":1.5,"
                "\"actual_nodes\":null,\"actual_seconds\":null}");
    plan.n_tables = 0;
    plan.ended = true;
    plan.actual_nodes = 1234;
    plan.actual_seconds = 2.25;
    expect_json(proto_plan_encode(&plan),
                "{\"tables\":[],\"estimated_length\":12,\"estimated_nodes\":2500000000000000000,"
                "\"estimated_seconds\":0.25,\"forecast_length\":13,"
                "\"forecast_nodes\":7000000000000000000,\"forecast_seconds\":1.5,"
                "\"actual_nodes\":1234,\"actual_seconds\":2.25}");
}
END_TEST

START_TEST(solutions_round_trip)
{
    struct engine_solution solution = solution_of("U R2 F' D B L", 7.25, 3);
    char *text = proto_solution_encode(cube, &solution);
    char *moves;

    ck_assert_int_eq(proto_solution_moves(text, &moves), 0);
    ck_assert_str_eq(moves, "U R2 F' D B L");
    free(moves);
    expect_json(text, "{\"moves\":\"U R2 F' D B L\",\"length\":6,\"rank\":7.25,\"class\":3}");
    solution = solution_of("", 0, 0);
    expect_json(proto_solution_encode(cube, &solution),
                "{\"moves\":\"\",\"length\":0,\"rank\":0,\"class\":0}");
}
END_TEST

START_TEST(solutions_as_lines)
{
    static const char *const solutions[] = {"{\"moves\":\"U R\",\"length\":2}", "{\"moves\":\"\"}",
                                            "{\"moves\":\"F'\"}"};
    static const char *const damaged[] = {"{\"moves\":\"U\"}", "{\"move\":\"U\"}"};
    static const char *const corrupt[] = {"", "{", "[]", "{\"moves\":5}", "{\"moves\":null}"};
    char *text;

    ck_assert_int_eq(proto_solutions_text(solutions, 3, &text), 0);
    ck_assert_str_eq(text, "U R\n\nF'\n");
    free(text);
    ck_assert_int_eq(proto_solutions_text(NULL, 0, &text), 0);
    ck_assert_str_eq(text, "");
    free(text);
    ck_assert_int_eq(proto_solutions_text(damaged, 2, &text), BASE_ERR_CORRUPT);
    for (size_t i = 0; i < BASE_COUNT(corrupt); i++)
        ck_assert_int_eq(proto_solution_moves(corrupt[i], &text), BASE_ERR_CORRUPT);
}
END_TEST

/* ---- results -------------------------------------------------------------------------- */

START_TEST(a_result_of_all)
{
    struct engine_result result = {.state = ENGINE_SUCCEEDED,
                                   .length = 2,
                                   .optimal = true,
                                   .lower_bound = 2,
                                   .best = solution_of("U R", 2, 0),
                                   .counted = true,
                                   .n_counts = 2,
                                   .count = {{2, 48, 48, 1}, {3, 96, 90, 2}}};
    struct proto_result_summary summary;
    char *text = proto_result_encode(cube, &result);

    ck_assert_int_eq(proto_result_decode(text, &summary), 0);
    ck_assert_int_eq(summary.length, 2);
    ck_assert(summary.optimal);
    ck_assert_uint_eq(summary.lower_bound, 2);
    ck_assert_int_eq(summary.limit_hit, ENGINE_LIMIT_NONE);
    expect_json(text, "{\"length\":2,\"optimal\":true,\"lower_bound\":2,\"best\":\"U R\","
                      "\"count\":{\"sequences\":144,\"canonical\":138,\"classes\":3},"
                      "\"by_length\":{\"2\":{\"sequences\":48,\"canonical\":48,\"classes\":1},"
                      "\"3\":{\"sequences\":96,\"canonical\":90,\"classes\":2}},"
                      "\"limit_hit\":null}");
}
END_TEST

START_TEST(a_result_of_nothing)
{
    struct engine_result result = {
        .state = ENGINE_SUCCEEDED, .length = -1, .lower_bound = 9, .limit_hit = ENGINE_LIMIT_NODES};
    struct proto_result_summary summary;
    char *text = proto_result_encode(cube, &result);

    ck_assert_int_eq(proto_result_decode(text, &summary), 0);
    ck_assert_int_eq(summary.length, -1);
    ck_assert_int_eq(summary.limit_hit, ENGINE_LIMIT_NODES);
    expect_json(text, "{\"length\":null,\"optimal\":false,\"lower_bound\":9,\"best\":null,"
                      "\"count\":null,\"by_length\":{},\"limit_hit\":\"nodes\"}");
}
END_TEST

START_TEST(the_identity_is_a_result)
{
    struct engine_result result = {.state = ENGINE_SUCCEEDED, .length = 0, .optimal = true};

    expect_json(proto_result_encode(cube, &result),
                "{\"length\":0,\"optimal\":true,\"lower_bound\":0,\"best\":\"\",\"count\":null,"
                "\"by_length\":{},\"limit_hit\":null}");
}
END_TEST

START_TEST(every_limit_reads_back)
{
    for (int i = ENGINE_LIMIT_NONE; i <= ENGINE_LIMIT_MEMORY; i++) {
        struct engine_result result = {.length = -1, .limit_hit = (enum engine_limit)i};
        struct proto_result_summary summary;
        char *text = proto_result_encode(cube, &result);
        ck_assert_int_eq(proto_result_decode(text, &summary), 0);
        ck_assert_int_eq((int)summary.limit_hit, i);
        free(text);
    }
}
END_TEST

START_TEST(damaged_results_are_corrupt)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"length\":\"2\",\"optimal\":true,\"lower_bound\":2,\"limit_hit\":null}",
        "{\"length\":2,\"optimal\":1,\"lower_bound\":2,\"limit_hit\":null}",
        "{\"length\":2,\"optimal\":true,\"limit_hit\":null}",
        "{\"length\":2,\"optimal\":true,\"lower_bound\":2}",
        "{\"length\":2,\"optimal\":true,\"lower_bound\":2,\"limit_hit\":\"patience\"}",
    };
    struct proto_result_summary summary;

    for (size_t i = 0; i < BASE_COUNT(texts); i++)
        ck_assert_msg(proto_result_decode(texts[i], &summary) == BASE_ERR_CORRUPT, "%s", texts[i]);
}
END_TEST

/* ---- jobs ----------------------------------------------------------------------------- */

START_TEST(a_new_job)
{
    struct proto_job_view view = {.id = "j_1",
                                  .state = ENGINE_QUEUED,
                                  .version = 1,
                                  .created_us = 1767323045678901,
                                  .request = "{\"puzzle\":\"3x3x3\"}",
                                  .target = "{\"text\":\"c: / e:\"}"};

    expect_json(proto_job_encode(&view),
                "{\"id\":\"j_1\",\"state\":\"queued\",\"version\":1,"
                "\"created\":\"2026-01-02T03:04:05.678901Z\",\"started\":null,\"ended\":null,"
                "\"label\":null,\"cached\":false,\"request\":{\"puzzle\":\"3x3x3\"},"
                "\"target\":{\"text\":\"c: / e:\"},\"plan\":null,\"progress\":null,"
                "\"result\":null,\"solutions\":[],\"links\":{\"self\":\"/v1/jobs/j_1\","
                "\"events\":\"/v1/jobs/j_1/events\",\"solutions\":\"/v1/jobs/j_1/solutions\","
                "\"cancel\":\"/v1/jobs/j_1/cancel\"}}");
}
END_TEST

static json_t *encode_job(const struct proto_job_view *view)
{
    char *text = proto_job_encode(view);
    json_t *job = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    ck_assert_msg(job != NULL, "%s", text);
    free(text);
    return job;
}

START_TEST(an_ended_job)
{
    enum { COUNT = 150 };
    const char *solutions[COUNT];
    struct proto_job_view view = {.id = "j_2",
                                  .state = ENGINE_FAILED,
                                  .version = 17,
                                  .created_us = 1,
                                  .started_us = 2,
                                  .ended_us = 3,
                                  .label = "a\n\"b\"",
                                  .cached = true,
                                  .shared_with = "j_1",
                                  .request = "{}",
                                  .target = "{}",
                                  .plan = "{\"tables\":[]}",
                                  .progress = "{\"depth\":3}",
                                  .result = "{\"length\":null}",
                                  .error_text = "no space left",
                                  .solutions = solutions,
                                  .n_solutions = COUNT};
    json_t *job;

    for (size_t i = 0; i < COUNT; i++)
        solutions[i] = "{\"moves\":\"U\"}";
    job = encode_job(&view);
    ck_assert_str_eq(json_string_value(json_object_get(job, "state")), "failed");
    ck_assert_str_eq(json_string_value(json_object_get(job, "label")), "a\n\"b\"");
    ck_assert_str_eq(json_string_value(json_object_get(job, "shared_with")), "j_1");
    ck_assert_str_eq(json_string_value(json_object_get(job, "error")), "no space left");
    ck_assert_str_eq(json_string_value(json_object_get(job, "ended")),
                     "1970-01-01T00:00:00.000003Z");
    ck_assert(json_is_true(json_object_get(job, "cached")));
    ck_assert_uint_eq(json_array_size(json_object_get(job, "solutions")), PROTO_JOB_MAX_SOLUTIONS);
    json_decref(job);
    view.brief = true;
    job = encode_job(&view);
    ck_assert_ptr_null(json_object_get(job, "solutions"));
    ck_assert_ptr_null(json_object_get(job, "plan"));
    ck_assert_ptr_nonnull(json_object_get(job, "progress"));
    json_decref(job);
}
END_TEST

START_TEST(lists)
{
    static const char *const items[] = {"{\"a\":1}", "{}"};

    expect_json(proto_list_encode("jobs", NULL, 0, ""), "{\"jobs\":[],\"next_page_token\":\"\"}");
    expect_json(proto_list_encode("solutions", items, 2, "abc"),
                "{\"solutions\":[{\"a\":1},{}],\"next_page_token\":\"abc\"}");
}
END_TEST

/* ---- the rest ------------------------------------------------------------------------- */

START_TEST(tables)
{
    struct engine_table_info table = {.key = "k1",
                                      .puzzle = "3x3x3",
                                      .orbits = "corners",
                                      .target = "c: (3)",
                                      .kind = "exact",
                                      .encoding = "none",
                                      .state = "sealed",
                                      .bytes = 44,
                                      .layers = 9,
                                      .entries = 40,
                                      .fraction = 0.5,
                                      .seconds = 2,
                                      .queries = INT64_MAX,
                                      .attached = true};

    expect_json(proto_table_encode(&table),
                "{\"key\":\"k1\",\"puzzle\":\"3x3x3\",\"orbits\":\"corners\","
                "\"target\":\"c: (3)\",\"kind\":\"exact\",\"encoding\":\"none\",\"bytes\":44,"
                "\"layers\":9,\"state\":\"sealed\",\"fraction\":0.5,\"entries\":40,\"seconds\":2,"
                "\"queries\":9223372036854775807,\"pinned\":false,\"attached\":true,"
                "\"links\":{\"self\":\"/v1/tables/k1\"}}");
}
END_TEST

START_TEST(tables_made)
{
    static const char *const items[] = {"{\"key\":\"a\"}", "{\"key\":\"b\"}"};

    expect_json(proto_tables_encode(items, 2, "{\"tables\":[]}"),
                "{\"tables\":[{\"key\":\"a\"},{\"key\":\"b\"}],\"plan\":{\"tables\":[]}}");
    expect_json(proto_tables_encode(NULL, 0, "{}"), "{\"tables\":[],\"plan\":{}}");
}
END_TEST

START_TEST(puzzles)
{
    struct puzzle *small = support_builtin("2x2x2");

    expect_json(proto_puzzle_encode(cube, 48),
                "{\"name\":\"3x3x3\",\"orbits\":[{\"name\":\"corners\",\"pieces\":8,"
                "\"orientations\":3},{\"name\":\"edges\",\"pieces\":12,\"orientations\":2}],"
                "\"moves\":[\"U\",\"U2\",\"U'\",\"R\",\"R2\",\"R'\",\"F\",\"F2\",\"F'\",\"D\","
                "\"D2\",\"D'\",\"L\",\"L2\",\"L'\",\"B\",\"B2\",\"B'\"],\"symmetries\":48,"
                "\"positions\":\"43252003274489856000\",\"log10_positions\":19.64}");
    expect_json(proto_puzzle_encode(small, 0),
                "{\"name\":\"2x2x2\",\"orbits\":[{\"name\":\"corners\",\"pieces\":8,"
                "\"orientations\":3}],\"moves\":[\"U\",\"U2\",\"U'\",\"R\",\"R2\",\"R'\",\"F\","
                "\"F2\",\"F'\"],\"symmetries\":null,\"positions\":\"3674160\","
                "\"log10_positions\":6.57}");
    puzzle_release(small);
}
END_TEST

static void expect_analysis(const char *body, const char *expected)
{
    struct proto_analyze_request request;
    struct proto_problem problem = {0};

    ck_assert_int_eq(proto_analyze_request_decode(body, strlen(body), &request, &problem), 0);
    expect_json(proto_analyze_encode(&request), expected);
    proto_analyze_request_deinit(&request);
}

START_TEST(analysis)
{
    expect_analysis("{\"alg\":\"R U\"}",
                    "{\"puzzle\":\"3x3x3\",\"cycles\":{\"corners\":[[1,true],[5,true]],"
                    "\"edges\":[[7,false]]},\"text\":\"c: (1+, 5+) / e: (7)\",\"order\":105,"
                    "\"parity\":{\"corners\":0,\"edges\":0},\"canonical\":\"R U\","
                    "\"facelets\":\"UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB\","
                    "\"states\":\"23838185226240\",\"log10_states\":13.38,\"solved\":false}");
    expect_analysis("{\"start\":{\"facelets\":"
                    "\"UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB\"}}",
                    "{\"puzzle\":\"3x3x3\",\"cycles\":{\"corners\":[[1,true],[5,true]],"
                    "\"edges\":[[7,false]]},\"text\":\"c: (1+, 5+) / e: (7)\",\"order\":105,"
                    "\"parity\":{\"corners\":0,\"edges\":0},\"canonical\":null,"
                    "\"facelets\":\"UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB\","
                    "\"states\":\"23838185226240\",\"log10_states\":13.38,\"solved\":false}");
    expect_analysis("{\"alg\":\"R R'\",\"puzzle\":\"2x2x2\"}",
                    "{\"puzzle\":\"2x2x2\",\"cycles\":{\"corners\":[]},\"text\":\"c:\","
                    "\"order\":1,\"parity\":{\"corners\":0},\"canonical\":\"R R'\","
                    "\"facelets\":null,\"states\":\"1\",\"log10_states\":0,\"solved\":true}");
}
END_TEST

static void expect_judgement(const char *body, const char *expected)
{
    struct proto_problem problem = {0};
    char *text = NULL;

    ck_assert_int_eq(proto_analyze(body, strlen(body), &text, &problem), 0);
    expect_json(text, expected);
}

static void expect_no_judgement(const char *body, const char *part)
{
    struct proto_problem problem = {0};
    char *text = NULL, *told;

    ck_assert_int_lt(proto_analyze(body, strlen(body), &text, &problem), 0);
    ck_assert_int_eq(problem.status, 422);
    told = proto_problem_encode(&problem);
    ck_assert_msg(strstr(told, part) != NULL, "%s: %s", body, told);
    free(told);
    proto_problem_deinit(&problem);
}

START_TEST(targets_are_judged)
{
    expect_judgement("{\"cycles\":\"c: (5+, 1+) / e: (1+, 1+)\"}",
                     "{\"puzzle\":\"3x3x3\",\"cycles\":{\"corners\":[[1,true],[5,true]],"
                     "\"edges\":[[1,true],[1,true]]},\"text\":\"c: (1+, 5+) / e: (1+, 1+)\","
                     "\"order\":30,\"states\":\"43110144\",\"log10_states\":7.63,"
                     "\"structures\":1,\"feasible\":true,\"expected_length\":11}");
    expect_judgement("{\"like\":\"R R'\",\"puzzle\":\"2x2x2\"}",
                     "{\"puzzle\":\"2x2x2\",\"cycles\":{\"corners\":[]},\"text\":\"c:\","
                     "\"order\":1,\"states\":\"1\",\"log10_states\":0,\"structures\":1,"
                     "\"feasible\":true,\"expected_length\":9}");
    expect_judgement("{\"any_of\":[\"c: (3)\",\"c: (1+, 1+) / e:\"]}",
                     "{\"puzzle\":\"3x3x3\",\"cycles\":null,\"text\":null,\"order\":3,"
                     "\"states\":\"1064\",\"log10_states\":3.03,\"structures\":2,"
                     "\"feasible\":true,\"expected_length\":15}");
    expect_no_judgement("{\"cycles\":\"c: (2) / e:\"}", "\"rule\":\"parity\"");
    expect_no_judgement("{\"cycles\":{\"corners\":[[9,false]]}}", "/cycles/corners/0/0");
    expect_no_judgement("{\"order\":97}", "\"rule\":\"order\"");
    expect_no_judgement("{\"order\":30,\"label\":\"x\"}", "/label");
    expect_no_judgement("{\"order\":30,\"alg\":\"R\"}", "/alg");
}
END_TEST

START_TEST(version)
{
    struct proto_version_view view = {"0.1.0", "abc", "gcc 12", "cube3: avx2"};

    expect_json(proto_version_encode(&view), "{\"version\":\"0.1.0\",\"commit\":\"abc\","
                                             "\"compiler\":\"gcc 12\","
                                             "\"kernels\":\"cube3: avx2\"}");
}
END_TEST

/* ---- events --------------------------------------------------------------------------- */

static void expect_frame(enum proto_event event, uint64_t id, const char *data,
                         const char *expected)
{
    size_t length;
    char *frame = proto_event_frame(event, id, data, &length);

    ck_assert_str_eq(frame, expected);
    ck_assert_uint_eq(length, strlen(expected));
    free(frame);
}

START_TEST(frames)
{
    expect_frame(PROTO_EVENT_STATE, 7, "{\"state\":\"running\"}",
                 "id: 7\nevent: state\ndata: {\"state\":\"running\"}\n\n");
    expect_frame(PROTO_EVENT_PROGRESS, 0, "{}", "event: progress\ndata: {}\n\n");
    expect_frame(PROTO_EVENT_DONE, INT64_MAX, "",
                 "id: 9223372036854775807\nevent: done\ndata: \n\n");
    expect_frame(PROTO_EVENT_DRAINING, 0, "a\nb\r\nc\rid: 5\n",
                 "event: draining\ndata: a\ndata: b\ndata: c\ndata: id: 5\ndata: \n\n");
}
END_TEST

START_TEST(event_names_round_trip)
{
    enum proto_event event;

    for (int i = 0; i < PROTO_EVENT_COUNT; i++) {
        ck_assert_int_eq(proto_event_parse(proto_event_name((enum proto_event)i), &event), 0);
        ck_assert_int_eq((int)event, i);
    }
    ck_assert_int_eq(proto_event_parse("message", &event), BASE_ERR_RANGE);
}
END_TEST

START_TEST(event_ids)
{
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "-1",
                                      "+1",
                                      "0x1",
                                      "1.0",
                                      "x",
                                      "1\n",
                                      "9223372036854775808",
                                      "99999999999999999999999999"};
    uint64_t id = 5;

    for (size_t i = 0; i < BASE_COUNT(bad); i++)
        ck_assert_msg(proto_event_parse_id(bad[i], &id) == BASE_ERR_SYNTAX, "%s", bad[i]);
    ck_assert_uint_eq(id, 5);
    ck_assert_int_eq(proto_event_parse_id("0", &id), 0);
    ck_assert_uint_eq(id, 0);
    ck_assert_int_eq(proto_event_parse_id("0009223372036854775807", &id), 0);
    ck_assert_uint_eq(id, INT64_MAX);
}
END_TEST

START_TEST(payloads)
{
    struct engine_event table = {.kind = ENGINE_EVENT_TABLE,
                                 .u.table = {"corners", "exact", 4, 0.3, 1000, 0.12345}};
    struct engine_event depth = {.kind = ENGINE_EVENT_DEPTH,
                                 .u.depth = {10, 11, 123456, 1.5, 82304.2}};

    expect_json(proto_event_state(ENGINE_PAUSED), "{\"state\":\"paused\"}");
    expect_json(proto_event_table(&table),
                "{\"orbits\":\"corners\",\"kind\":\"exact\",\"layer\":4,\"fraction\":0.3,"
                "\"entries\":1000,\"seconds\":0.123}");
    expect_json(proto_event_depth(&depth),
                "{\"depth\":10,\"lower_bound\":11,\"nodes\":123456,\"seconds\":1.5,"
                "\"nodes_per_second\":82304}");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        states_have_names,
        plans,
        solutions_round_trip,
        solutions_as_lines,
        a_result_of_all,
        a_result_of_nothing,
        the_identity_is_a_result,
        every_limit_reads_back,
        damaged_results_are_corrupt,
        a_new_job,
        an_ended_job,
        lists,
        tables,
        tables_made,
        puzzles,
        analysis,
        targets_are_judged,
        version,
        frames,
        event_names_round_trip,
        event_ids,
        payloads,
    };
    return support_suite_run("proto_job", tests, BASE_COUNT(tests), setup, teardown, 10);
}
