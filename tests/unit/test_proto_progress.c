/*
 * test_proto_progress.c - how a running job stands, as clients read it: bounds, and the solution
 * that shows the upper one.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
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

/* `text` is taken. */
static void expect_text(char *text, const char *expected)
{
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, expected);
    free(text);
}

static struct engine_solution solution_of(const char *word)
{
    struct engine_solution solution = {.rank = 7.25, .class_index = 3};
    uint8_t moves[SUPPORT_MAX_WORD];
    unsigned length = support_word_parse(cube, word, moves);

    ck_assert_uint_le(length, PUZZLE_MAX_WORD);
    solution.length = (uint8_t)length;
    memcpy(solution.move, moves, length);
    return solution;
}

START_TEST(progress)
{
    struct engine_progress running = {.depth = 11,
                                      .lower_bound = 11,
                                      .fraction = 0.4,
                                      .nodes = 123456789,
                                      .nodes_per_second = 25000000.7,
                                      .elapsed_seconds = 4.93827,
                                      .eta_seconds = 7.44};
    struct engine_progress queued = {.eta_seconds = -1};
    struct engine_solution incumbent = solution_of("U R2 F'");

    expect_text(proto_progress_encode(NULL, &running, -1),
                "{\"depth\":11,\"lower_bound\":11,\"upper_bound\":null,\"incumbent\":null,"
                "\"fraction\":0.4,\"nodes\":123456789,"
                "\"nodes_per_second\":25000001,\"elapsed_seconds\":4.938,\"eta_seconds\":7.4,"
                "\"queue_position\":null}");
    expect_text(proto_progress_encode(NULL, &queued, 3),
                "{\"depth\":0,\"lower_bound\":0,\"upper_bound\":null,\"incumbent\":null,"
                "\"fraction\":0,\"nodes\":0,"
                "\"nodes_per_second\":0,\"elapsed_seconds\":0,\"eta_seconds\":null,"
                "\"queue_position\":3}");
    queued.incumbent_length = incumbent.length;
    memcpy(queued.incumbent, incumbent.move, incumbent.length);
    expect_text(proto_progress_encode(cube, &queued, 3),
                "{\"depth\":0,\"lower_bound\":0,\"upper_bound\":3,\"incumbent\":\"U R2 F'\","
                "\"fraction\":0,\"nodes\":0,"
                "\"nodes_per_second\":0,\"elapsed_seconds\":0,\"eta_seconds\":null,"
                "\"queue_position\":3}");
}
END_TEST

START_TEST(incumbents)
{
    struct engine_solution solution = solution_of("U R2 F'");

    ck_assert_str_eq(proto_event_name(PROTO_EVENT_INCUMBENT), "incumbent");
    expect_text(proto_incumbent_encode(cube, &solution), "{\"moves\":\"U R2 F'\",\"length\":3}");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {progress, incumbents};
    return support_suite_run("proto_progress", tests, BASE_COUNT(tests), setup, teardown, 10);
}
