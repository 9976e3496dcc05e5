/*
 * test_engine_checkpoint.c - a job that is interrupted at any moment, as often as one likes, and
 * gone on with from its checkpoint in another engine, with other threads and kernels, comes to the
 * answer of one that was left alone, and visits hardly a node twice.
 */
#include <check.h>

#include "tests/support/support_puzzle.h"
#include "tests/support/support_story.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { NO_TABLES = 4096 }; /* bytes of memory: nodes depend on nothing */

static struct puzzle *cube, *faces, *pocket;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    faces = support_puzzle_faces(cube, "U R F");
    pocket = support_builtin("2x2x2");
}

static void teardown(void)
{
    puzzle_release(pocket);
    puzzle_release(faces);
    puzzle_release(cube);
}

static const struct engine_config no_tables = {.memory_bytes = NO_TABLES};

START_TEST(all_of_a_structure)
{
    struct cycle_structure target = support_cycle(cube, "c: (3) / e:");
    struct engine_spec spec = support_spec_all(cube, &target);
    support_story_check(&spec, &no_tables, true);
}
END_TEST

START_TEST(one_of_a_structure)
{
    struct cycle_structure target = support_cycle(cube, "c: (3) / e:");
    struct engine_spec spec = support_spec_one(cube, &target);
    support_story_check(&spec, &no_tables, false);
}
END_TEST

START_TEST(longer_than_the_shortest)
{
    struct cycle_structure target = support_cycle(cube, "c: / e: (3)");
    struct engine_spec spec = support_spec_all(cube, &target);
    spec.min_length = 7;
    support_story_check(&spec, &no_tables, true);
    spec.find = ENGINE_FIND_ONE;
    support_story_check(&spec, &no_tables, false);
}
END_TEST

START_TEST(scrambles)
{
    struct cycle_structure solved = {0};
    struct engine_spec spec = support_spec_all(faces, &solved);
    uint8_t start[PERM_MAX_BYTES];
    support_word_state(faces, "U R F' U R2 F U2 R", start);
    spec.start = start;
    support_story_check(&spec, &no_tables, true);
    spec.find = ENGINE_FIND_ONE;
    support_story_check(&spec, &no_tables, false);
    support_word_state(faces, "U R F' U R2 F", start);
    spec.find = ENGINE_FIND_ALL;
    spec.slack = 2;
    support_story_check(&spec, &no_tables, true);
}
END_TEST

/* The 2x2x2 fits no register: the loop over byte arrays. */
START_TEST(any_puzzle)
{
    struct cycle_structure solved = {0};
    struct engine_spec spec = support_spec_all(pocket, &solved);
    uint8_t start[PERM_MAX_BYTES];
    support_word_state(pocket, "U R F' U R2 F U2 R F U", start);
    spec.start = start;
    support_story_check(&spec, &no_tables, true);
    struct cycle_structure target = support_cycle(pocket, "c: (4)");
    spec = support_spec_all(pocket, &target);
    spec.slack = 7;
    support_story_check(&spec, &no_tables, true);
}
END_TEST

/* Less of the work is kept, and nothing is lost. */
START_TEST(more_than_a_checkpoint_holds)
{
    const struct engine_config config = {.memory_bytes = NO_TABLES, .checkpoint_words = 2000};
    struct cycle_structure target = support_cycle(pocket, "c: (4)");
    struct engine_spec spec = support_spec_all(pocket, &target);
    spec.slack = 7;
    support_story_check(&spec, &config, false);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {all_of_a_structure, one_of_a_structure, longer_than_the_shortest,
                            scrambles,          any_puzzle,         more_than_a_checkpoint_holds};

    return support_suite_run("engine_checkpoint", tests, sizeof tests / sizeof tests[0], setup,
                             teardown, 120);
}
