/*
 * support_cases.c - see support_cases.h.
 */
#include "tests/support/support_cases.h"

#include <check.h>

#include "tests/support/support_word.h"

json_t *support_cases_open(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    ck_assert_msg(root != NULL, "%s: %s (run from the root of the repository)", path, error.text);
    return root;
}

static void add_cycles(const struct puzzle *cube, struct cycle_structure *structure, unsigned orbit,
                       const json_t *list)
{
    size_t i;
    json_t *cycle;
    ck_assert(json_is_array(list));
    json_array_foreach(list, i, cycle)
    {
        unsigned length = (unsigned)json_integer_value(json_array_get(cycle, 0));
        bool oriented = json_is_true(json_array_get(cycle, 1));
        ck_assert_int_eq(cycle_add(cube, structure, orbit, length, oriented), 0);
    }
}

struct cycle_structure support_cases_structure(const struct puzzle *puzzle, const json_t *object)
{
    struct cycle_structure structure = {0};
    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++)
        add_cycles(puzzle, &structure, k, json_object_get(object, puzzle_orbit_name(puzzle, k)));
    cycle_canonicalise(&structure);
    return structure;
}

unsigned support_cases_number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    ck_assert_msg(json_is_integer(value), "%s", name);
    return (unsigned)json_integer_value(value);
}

const char *support_cases_text(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    ck_assert_msg(json_is_string(value), "%s", name);
    return json_string_value(value);
}

/* `traces` 0: not known. */
static void check_case(struct support_engine *here, const struct puzzle *puzzle,
                       const json_t *object, const unsigned expected[3], uint64_t memory)
{
    struct cycle_structure target = support_cases_structure(puzzle, object);
    struct engine_spec spec = support_spec_all(puzzle, &target);
    unsigned length = expected[0], words = expected[1], traces = expected[2];
    struct support_job job;
    spec.limits.memory_bytes = memory;
    const struct engine_result *result = support_job_run(here, &spec, &job);
    struct engine_count count = result->count[0];
    ck_assert_msg(result->length == (int)length && result->optimal && count.sequences == words &&
                      (traces == 0 || count.canonical == traces),
                  "%d moves, %llu words, %llu traces instead of %u, %u, %u", result->length,
                  (unsigned long long)count.sequences, (unsigned long long)count.canonical, length,
                  words, traces);
    support_job_release(&job);
}

void support_cases_word(const struct puzzle *puzzle, const json_t *object)
{
    struct cycle_structure structure = support_cases_structure(puzzle, object), of_word;
    uint8_t state[PERM_MAX_BYTES];
    support_word_state(puzzle, support_cases_text(object, "moves"), state);
    cycle_of_state(puzzle, state, &of_word);
    ck_assert(cycle_equal(&of_word, &structure));
    ck_assert_uint_eq(cycle_order(puzzle, &structure), support_cases_number(object, "order"));
    ck_assert_uint_eq(perm_order(puzzle_shape(puzzle), state),
                      support_cases_number(object, "order"));
}

void support_cases_check(struct support_engine *here, const struct puzzle *puzzle,
                         const json_t *object, unsigned length, unsigned words, unsigned traces)
{
    check_case(here, puzzle, object, (const unsigned[]){length, words, traces}, 0);
}

void support_cases_check_brute(struct support_engine *here, const struct puzzle *puzzle,
                               const json_t *object, uint64_t memory)
{
    const json_t *known = json_object_get(object, "own_bruteforce");
    bool has_traces = json_object_get(known, "traces") != NULL;
    const unsigned expected[] = {support_cases_number(known, "min_length"),
                                 support_cases_number(known, "words"),
                                 has_traces ? support_cases_number(known, "traces") : 0};
    check_case(here, puzzle, object, expected, memory);
}

unsigned support_cases_harder(struct support_engine *here, const struct puzzle *cube,
                              unsigned least, unsigned most)
{
    json_t *root = support_cases_open("tests/data/cycle_cases_3x3.json"), *object;
    const json_t *list = json_object_get(json_object_get(root, "extra_cases_own_search"), "list");
    unsigned tried = 0;
    size_t i;
    json_array_foreach(list, i, object)
    {
        unsigned length = support_cases_number(object, "optimal_length");
        if (length < least || length > most)
            continue;
        support_cases_check(here, cube, object, length,
                            support_cases_number(object, "expanded_count"),
                            support_cases_number(object, "traces"));
        tried++;
    }
    json_decref(root);
    return tried;
}

static void check_position(struct support_engine *here, const struct puzzle *cube,
                           const json_t *object, unsigned length)
{
    struct cycle_structure solved = support_cycle(cube, "c: / e:");
    struct engine_spec spec = support_spec_one(cube, &solved);
    struct support_job job;
    uint8_t start[PERM_MAX_BYTES];
    support_word_state(cube, support_cases_text(object, "scramble"), start);
    spec.start = start;
    const struct engine_result *result = support_job_run(here, &spec, &job);
    ck_assert_msg(result->length == (int)length && result->optimal, "%s: %d moves instead of %u",
                  support_cases_text(object, "id"), result->length, length);
    support_job_release(&job);
}

unsigned support_cases_positions(struct support_engine *here, const struct puzzle *cube,
                                 unsigned least, unsigned most)
{
    json_t *root = support_cases_open("tests/data/optimal_positions_3x3.json"), *object;
    unsigned tried = 0;
    size_t i;
    json_array_foreach(json_object_get(root, "positions"), i, object)
    {
        if (!json_is_integer(json_object_get(object, "optimal_htm")))
            continue; /* not known */
        unsigned length = support_cases_number(object, "optimal_htm");
        if (length < least || length > most)
            continue;
        check_position(here, cube, object, length);
        tried++;
    }
    json_decref(root);
    return tried;
}
