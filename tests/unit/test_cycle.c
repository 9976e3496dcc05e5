/*
 * test_cycle.c - cycle structures as values: of states, compared, their figures; the data files.
 */
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cycle/cycle.h"
#include "tests/support/support_structures.h"
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

static struct cycle_structure parse(const struct puzzle *puzzle, const char *text)
{
    struct cycle_structure structure;
    struct base_diag diag;
    int rc = cycle_parse(puzzle, text, strlen(text), &structure, &diag);

    ck_assert_msg(rc == 0, "%s: %s", text, diag.text);
    cycle_canonicalise(&structure);
    return structure;
}

static struct cycle_structure of_word(const char *word)
{
    struct cycle_structure structure;
    uint8_t state[PERM_MAX_BYTES];

    support_word_state(cube, word, state);
    cycle_of_state(cube, state, &structure);
    return structure;
}

static void expect_structure(const char *word, const char *text)
{
    struct cycle_structure structure = of_word(word);
    char printed[CYCLE_TEXT_BYTES];

    cycle_print(cube, &structure, printed, sizeof printed);
    ck_assert_msg(strcmp(printed, text) == 0, "%s: %s, not %s", word, printed, text);
}

/* ---- values --------------------------------------------------------------------------- */

START_TEST(words_have_their_known_structures)
{
    expect_structure("", "c: / e:");
    expect_structure("U", "c: (4) / e: (4)");
    expect_structure("U R", "c: (1+, 5+) / e: (7)");
    expect_structure("U D", "c: (4, 4) / e: (4, 4)");
    expect_structure("R U2 D' B D'", "c: (3+, 5+) / e: (2, 2+, 7+)");
    expect_structure("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2",
                     "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+)");
}
END_TEST

START_TEST(canonical_form_sorts_and_drops_fixed_pieces)
{
    struct cycle_structure structure = {0};
    static const struct cycle_item expected[] = {{0, 1, 1}, {0, 2, 0}, {0, 2, 1}, {1, 2, 0}};

    ck_assert_int_eq(cycle_add(cube, &structure, 1, 2, false), 0);
    ck_assert_int_eq(cycle_add(cube, &structure, 0, 2, true), 0);
    ck_assert_int_eq(cycle_add(cube, &structure, 0, 1, false), 0);
    ck_assert_int_eq(cycle_add(cube, &structure, 0, 2, false), 0);
    ck_assert_int_eq(cycle_add(cube, &structure, 0, 1, true), 0);
    cycle_canonicalise(&structure);
    ck_assert_uint_eq(structure.n_items, 4);
    ck_assert_mem_eq(structure.item, expected, sizeof expected);
}
END_TEST

START_TEST(items_have_limits)
{
    struct cycle_structure structure = {0};

    ck_assert_int_eq(cycle_add(cube, &structure, 0, 0, true), BASE_ERR_RANGE);
    ck_assert_int_eq(cycle_add(cube, &structure, 0, 256, true), BASE_ERR_RANGE);
    ck_assert_int_eq(cycle_add(cube, &structure, 2, 1, true), BASE_ERR_RANGE);
    ck_assert_uint_eq(structure.n_items, 0);
    for (unsigned i = 0; i < CYCLE_MAX_ITEMS; i++)
        ck_assert_int_eq(cycle_add(cube, &structure, 0, 1, true), 0);
    ck_assert_int_eq(cycle_add(cube, &structure, 0, 1, true), BASE_ERR_RANGE);
}
END_TEST

START_TEST(comparing_is_lexicographic)
{
    static const char *const ascending[] = {
        "c:",
        "c: (1+, 5+)",
        "c: (1+, 5+) / e: (1+, 1+)",
        "c: (1+, 5+) / e: (7)",
        "c: (2)",
        "c: (2, 2)",
        "c: (2, 2+)",
        "c: (2+, 2+)",
        "c: (3)",
        "e: (1+, 1+)",
        "e: (2)",
    };

    for (size_t i = 0; i < 11; i++) {
        for (size_t j = 0; j < 11; j++) {
            struct cycle_structure a = parse(cube, ascending[i]);
            struct cycle_structure b = parse(cube, ascending[j]);
            int order = cycle_compare(&a, &b);
            ck_assert_int_eq((order > 0) - (order < 0), (i > j) - (i < j));
            ck_assert_int_eq(cycle_equal(&a, &b), i == j);
            ck_assert_int_eq(cycle_hash(&a) == cycle_hash(&b), i == j);
        }
    }
}
END_TEST

START_TEST(projections_keep_one_orbit)
{
    struct cycle_structure whole = parse(cube, "c: (1+, 5+) / e: (2, 7+)");
    struct cycle_structure edges = parse(cube, "e: (2, 7+)");
    struct cycle_structure projected;

    cycle_project(&whole, 1, &projected);
    ck_assert(cycle_equal(&projected, &edges));
    ck_assert_uint_eq(cycle_parity(&whole, 0), 0);
    ck_assert_uint_eq(cycle_parity(&whole, 1), 1);
}
END_TEST

START_TEST(orders_follow_from_structures)
{
    static const char *const words[] = {
        "", "U", "R U", "R U'", "R U2 D' B D'", "R U R' U'", "F L2 B' U D2 R"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct cycle_structure structure = of_word(words[i]);
        uint8_t state[PERM_MAX_BYTES];
        support_word_state(cube, words[i], state);
        ck_assert_uint_eq(cycle_order(cube, &structure), perm_order(puzzle_shape(cube), state));
    }
}
END_TEST

/* ---- the data files ------------------------------------------------------------------- */

START_TEST(rows_of_the_structure_file_agree)
{
    FILE *file = support_structures_open();
    struct support_structure row;
    unsigned rows = 0;

    while (support_structures_next(file, cube, &row)) {
        struct cycle_count count;
        struct cycle_structure structure = of_word(row.example);

        cycle_count_states(cube, &row.structure, &count);
        ck_assert_str_eq(count.decimal, row.class_size);
        ck_assert_double_eq_tol(count.log10, log10(strtod(row.class_size, NULL)), 1e-12);
        ck_assert_uint_eq(cycle_check(cube, &row.structure, NULL), 0);
        if (row.example[0])
            ck_assert_msg(cycle_equal(&structure, &row.structure), "%s", row.example);
        rows++;
    }
    fclose(file);
    ck_assert_uint_eq(rows, 3209);
}
END_TEST

static void add_json(struct cycle_structure *structure, unsigned orbit, const json_t *list)
{
    size_t i;
    json_t *pair;

    json_array_foreach(list, i, pair)
    {
        json_int_t length = json_integer_value(json_array_get(pair, 0));
        bool oriented = json_is_true(json_array_get(pair, 1));
        ck_assert_int_eq(cycle_add(cube, structure, orbit, (unsigned)length, oriented), 0);
    }
}

/* Every object with "corners" and "edges" must be feasible; where there is a word ("moves" or
 * "example") it must have that structure, and the order, if one is stated. */
static unsigned check_cases(const json_t *node)
{
    const json_t *word = json_object_get(node, "moves");
    struct cycle_structure structure = {0};

    if (!json_is_array(json_object_get(node, "corners")))
        return 0;
    add_json(&structure, 0, json_object_get(node, "corners"));
    add_json(&structure, 1, json_object_get(node, "edges"));
    cycle_canonicalise(&structure);
    ck_assert_uint_eq(cycle_check(cube, &structure, NULL), 0);
    if (json_is_integer(json_object_get(node, "order")))
        ck_assert_uint_eq(cycle_order(cube, &structure),
                          (uint64_t)json_integer_value(json_object_get(node, "order")));
    if (!word)
        word = json_object_get(node, "example");
    if (!json_is_string(word))
        return 0;
    struct cycle_structure found = of_word(json_string_value(word));
    ck_assert_msg(cycle_equal(&found, &structure), "%s", json_string_value(word));
    return 1;
}

static unsigned check_all(json_t *node)
{
    unsigned words = check_cases(node);
    const char *key;
    size_t i;
    json_t *child;

    json_object_foreach(node, key, child) words += check_all(child);
    json_array_foreach(node, i, child) words += check_all(child);
    return words;
}

static unsigned check_file(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);

    ck_assert_msg(root != NULL, "%s: %s", path, error.text);
    unsigned words = check_all(root);
    json_decref(root);
    return words;
}

START_TEST(words_of_the_other_files_agree)
{
    ck_assert_uint_ge(check_file("tests/data/cycle_cases_3x3.json"), 60);
    ck_assert_uint_ge(check_file("tests/data/order_table_3x3.json"), 45);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        words_have_their_known_structures,
        canonical_form_sorts_and_drops_fixed_pieces,
        items_have_limits,
        comparing_is_lexicographic,
        projections_keep_one_orbit,
        orders_follow_from_structures,
        rows_of_the_structure_file_agree,
        words_of_the_other_files_agree,
    };

    return support_suite_run("cycle", tests, sizeof tests / sizeof tests[0], setup, teardown, 20);
}
