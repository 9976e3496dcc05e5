/*
 * test_engine_cases.c - tests/data/cycle_cases_3x3.json: the cases of a public suite, each with its
 * length and counts recomputed, and harder ones.
 */
#include <check.h>
#include <string.h>

#include "tests/support/support_cases.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;
static struct support_engine here;
static json_t *root;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    support_engine_open(&here, NULL);
    root = support_cases_open("tests/data/cycle_cases_3x3.json");
}

static void teardown(void)
{
    json_decref(root);
    support_engine_close(&here);
    puzzle_release(cube);
}

/* New: the moves listed, or all. */
static struct puzzle *moves_of(const json_t *test)
{
    const json_t *list = json_object_get(test, "move_set");
    char text[256] = "";
    size_t i, at = 0;
    json_t *name;
    if (!list)
        return puzzle_acquire(cube);
    json_array_foreach(list, i, name)
    {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s ", json_string_value(name));
        ck_assert_uint_lt(at, sizeof text);
    }
    return support_puzzle_only(cube, text);
}

START_TEST(suite)
{
    size_t i;
    json_t *object;
    json_array_foreach(json_object_get(root, "cases"), i, object)
    {
        const json_t *known = json_object_get(object, "own_bruteforce");
        const json_t *full = json_object_get(object, "own_bruteforce_full_18_moves");
        struct puzzle *puzzle = moves_of(object);
        support_cases_check(&here, puzzle, object, support_cases_number(known, "min_length"),
                            support_cases_number(known, "words"),
                            support_cases_number(known, "traces"));
        puzzle_release(puzzle);
        if (full)
            support_cases_check(&here, cube, object, support_cases_number(full, "min_length"),
                                support_cases_number(full, "words"),
                                support_cases_number(full, "traces"));
    }
    ck_assert_uint_eq(i, 60);
}
END_TEST

/* The hardest: tests/long. */
START_TEST(harder)
{
    ck_assert_uint_eq(support_cases_harder(&here, cube, 0, 10), 5);
}
END_TEST

/* Words whose structure is known: the way on from each to that structure is no move, and to every
 * other one of the list it is longer. */
START_TEST(membership)
{
    size_t i, j;
    json_t *object, *other;
    const json_t *list = json_object_get(json_object_get(root, "membership_checks"), "list");
    json_array_foreach(list, i, object)
    {
        uint8_t start[PERM_MAX_BYTES];
        support_word_state(cube, support_cases_text(object, "moves"), start);
        json_array_foreach(list, j, other)
        {
            struct cycle_structure a = support_cases_structure(cube, object),
                                   b = support_cases_structure(cube, other);
            struct engine_spec spec = support_spec_one(cube, &b);
            struct support_job job;
            spec.start = start;
            spec.max_length = 0, spec.max_length_set = true;
            const struct engine_result *result = support_job_run(&here, &spec, &job);
            ck_assert_int_eq(result->length, cycle_equal(&a, &b) ? 0 : -1);
            ck_assert_uint_ge(result->lower_bound, result->length == 0 ? 0 : 1);
            support_job_release(&job);
        }
    }
    ck_assert_uint_gt(i, 5);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {suite, harder, membership};
    return support_suite_run("engine_cases", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
