/*
 * test_table_product_bounds.c - product tables never say too much: of several targets, of move sets
 * with fewer symmetries, along known solutions, and in the search's kernels.
 */
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_product_inl.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_product.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

static const struct cycle_structure identity;
static struct puzzle *cube;
static struct sym_group *group;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
}

static void teardown(void)
{
    sym_group_free(group);
    puzzle_release(cube);
}

static void fill_coarse(struct support_product *filled, const struct sym_group *of,
                        const struct cycle_structure *structures, size_t n)
{
    support_product_init(filled, of, false, TABLE_PRODUCT_FLIP_BITS);
    support_product_fill(filled, structures, n, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_IN_ORDER);
}

/* ---- the identity -------------------------------------------------------------------------- */

/* Scrambles whose optimal length is known: no image of the state is farther than that. */
static unsigned check_position(const struct support_product *filled, const json_t *position)
{
    unsigned length = (unsigned)json_integer_value(json_object_get(position, "optimal_htm"));
    uint8_t state[PERM_MAX_BYTES];
    support_word_state(cube, json_string_value(json_object_get(position, "scramble")), state);
    unsigned bound = support_product_bound(filled, state);
    ck_assert_msg(bound <= length, "%s: %u instead of at most %u",
                  json_string_value(json_object_get(position, "id")), bound, length);
    return bound;
}

/* Along an optimal solution every step is one nearer. */
static void check_optimal(const struct support_product *filled, const json_t *position)
{
    const char *text = json_string_value(json_object_get(position, "own_solution"));
    uint8_t word[SUPPORT_MAX_WORD], state[PERM_MAX_BYTES], moved[PERM_MAX_BYTES];
    if (!text)
        return;
    unsigned length = support_word_parse(cube, text, word);
    support_word_state(cube, json_string_value(json_object_get(position, "scramble")), state);
    for (unsigned at = 0;; at++) {
        SUPPORT_EXPECT(support_product_bound(filled, state) <= length - at);
        support_product_check_neighbours(filled, state);
        if (at == length)
            break;
        perm_compose(puzzle_shape(cube), state, puzzle_move_at(cube, word[at])->transform, moved);
        memcpy(state, moved, sizeof state);
    }
    ck_assert(perm_is_identity(puzzle_shape(cube), state));
}

START_TEST(scrambles)
{
    struct support_product filled;
    json_t *root = json_load_file("tests/data/optimal_positions_3x3.json", 0, NULL), *position;
    size_t i;
    unsigned largest = 0;

    ck_assert_ptr_nonnull(root);
    fill_coarse(&filled, group, &identity, 1);
    json_array_foreach(json_object_get(root, "positions"), i, position)
    {
        if (!json_is_integer(json_object_get(position, "optimal_htm")))
            continue;
        unsigned bound = check_position(&filled, position);
        largest = bound > largest ? bound : largest;
        check_optimal(&filled, position);
    }
    ck_assert_uint_eq(largest, 11);
    json_decref(root);
    uint8_t solved[PERM_MAX_BYTES];
    perm_identity(puzzle_shape(cube), solved);
    ck_assert_uint_ge(support_product_check_walks(&filled, solved, 100, 14), 9);
    support_product_deinit(&filled);
}
END_TEST

/* ---- other targets ------------------------------------------------------------------------- */

/* Every state of a structure is in the image, whatever its other colours: entry 0. */
static void check_row(const struct support_structure *row)
{
    struct support_product filled;
    uint8_t word[SUPPORT_MAX_WORD], member[PERM_MAX_BYTES];
    struct support_random random = {6};
    unsigned length = support_word_parse(cube, row->example, word);
    puzzle_apply_word(cube, NULL, word, length, member);
    fill_coarse(&filled, group, &row->structure, 1);
    support_product_check_word(&filled, word, length);
    support_product_check_walks(&filled, member, 300, 9);
    for (unsigned round = 0; round < 1000; round++) {
        uint8_t state[PERM_MAX_BYTES];
        support_random_state(&random, cube, state);
        support_product_check_neighbours(&filled, state);
    }
    support_product_deinit(&filled);
}

/* Of 6, 7 and 8 moves. */
START_TEST(structures_of_the_file)
{
    struct support_structure row;
    FILE *file = support_structures_open();
    unsigned checked = 0;

    for (unsigned number = 0; support_structures_next(file, cube, &row); number++) {
        if (row.example[0] == '\0' || number % 900 != 500)
            continue;
        ck_assert_uint_eq(row.min_htm, 6 + checked++);
        check_row(&row);
    }
    fclose(file);
    ck_assert_uint_eq(checked, 3);
}
END_TEST

/* A target of two structures is as near as the nearer. */
START_TEST(two_structures)
{
    static const char *const words[2] = {"U R F", "U2 R2 F B L"};
    struct cycle_structure structures[2];
    struct support_product both, one;
    uint8_t member[PERM_MAX_BYTES];
    struct support_random random = {7};

    for (unsigned i = 0; i < 2; i++) {
        support_word_state(cube, words[i], member);
        cycle_of_state(cube, member, &structures[i]);
    }
    fill_coarse(&both, group, structures, 2);
    for (unsigned i = 0; i < 2; i++) {
        fill_coarse(&one, group, &structures[i], 1);
        support_word_state(cube, words[i], member);
        support_product_check_walks(&both, member, 100, 8);
        for (unsigned round = 0; round < 2000; round++) {
            uint8_t state[PERM_MAX_BYTES];
            support_random_state(&random, cube, state);
            /* The bases may differ: compare what the codes are sure of. */
            uint64_t index = table_product_index(both.product, state);
            unsigned least = table_product_read(both.product, both.payload, index);
            unsigned code = support_product_code(&one, index);
            SUPPORT_EXPECT(code == 0 || code == 3 || least < support_product_base(&one) + code);
        }
        support_product_deinit(&one);
    }
    support_product_deinit(&both);
}
END_TEST

/* ---- other move sets ----------------------------------------------------------------------- */

/* What the coordinate says to a move set, and its symmetries if it accepts. Takes the puzzle. */
static void expect_offer(struct puzzle *puzzle, unsigned n_syms, unsigned n_axes)
{
    struct sym_group *of;
    struct table_product *product = NULL;
    ck_assert_int_eq(sym_group_new(puzzle, &of), 0);
    for (unsigned fine = 0; fine < 2; fine++) {
        int code = table_product_new(of, fine, TABLE_PRODUCT_FLIP_BITS, &product);
        ck_assert_int_eq(code, n_syms ? 0 : BASE_ERR_UNSUPPORTED);
        ck_assert_uint_eq(product ? product->n_syms : 0, n_syms);
        ck_assert_uint_eq(product ? product->n_axes : 0, n_axes);
        table_product_free(product);
    }
    sym_group_free(of);
    puzzle_release(puzzle);
}

START_TEST(who_is_refused)
{
    expect_offer(support_builtin("2x2x2"), 0, 0);
    expect_offer(support_puzzle_faces(cube, "R U F"), 0, 0);
    expect_offer(support_puzzle_faces(cube, "R U"), 0, 0);
    expect_offer(support_puzzle("a 12*2, b 8*3", "A a(0 1) b(0 1)"), 0, 0);
    expect_offer(support_puzzle("a 8*3, b 12*2", "A a(0 1) b(0 1)"), 0, 0);
}
END_TEST

/* Admissible, and consistent everywhere that these moves reach. */
static void check_filled(const struct support_product *filled, const uint8_t *member)
{
    struct support_random random = {11};
    support_product_check_walks(filled, member, 200, 12);
    for (unsigned round = 0; round < 1000; round++) {
        uint8_t state[PERM_MAX_BYTES];
        support_random_state(&random, filled->product->group->puzzle, state);
        support_product_check_neighbours(filled, state);
    }
}

/* The table of a target, if there is one for these moves. Takes the puzzle. False: refused. */
static bool check_offered(struct puzzle *puzzle, const uint8_t *member)
{
    struct sym_group *of;
    struct support_product filled = {0};
    struct cycle_structure structure;
    struct table_product *product = NULL;
    cycle_of_state(cube, member, &structure);
    ck_assert_int_eq(sym_group_new(puzzle, &of), 0);
    int code = table_product_new(of, false, TABLE_PRODUCT_FLIP_BITS, &product);
    ck_assert(code == 0 || code == BASE_ERR_UNSUPPORTED);
    ck_assert_int_eq(code == 0, product != NULL);
    table_product_free(product);
    if (code == 0) {
        fill_coarse(&filled, of, &structure, 1);
        check_filled(&filled, member);
        support_product_deinit(&filled);
    }
    sym_group_free(of);
    puzzle_release(puzzle);
    return code == 0;
}

static bool check_moves(struct puzzle *puzzle, const char *example)
{
    uint8_t member[PERM_MAX_BYTES];
    support_word_state(cube, example, member);
    return check_offered(puzzle, member);
}

START_TEST(restricted_moves_with_few_symmetries)
{
    expect_offer(support_puzzle_only(cube, "U D R L F2 B2"), 8, 2);
    ck_assert(check_moves(support_puzzle_only(cube, "U D R L F2 B2"), ""));
    ck_assert(check_moves(support_puzzle_only(cube, "U D R L F2 B2"), "U R"));
}
END_TEST

START_TEST(five_faces)
{
    expect_offer(support_puzzle_faces(cube, "U R F D L"), 4, 2);
    ck_assert(check_moves(support_puzzle_faces(cube, "U R F D L"), ""));
}
END_TEST

/* Moves that keep flips or twists: most entries are never reached, and moves whose squares do not
 * tell two blocks of corners apart. Whether there is a table is not said, but it is no liar. */
START_TEST(half_turns)
{
    check_moves(support_puzzle_only(cube, "U2 R2 F2 D2 L2 B2"), "");
    check_moves(support_puzzle_only(cube, "U R2 F2 D L2 B2"), "");
    check_moves(support_puzzle_only(cube, "U R2 F2 D2 L2 B2"), "R2 U");
}
END_TEST

/* ---- other labels -------------------------------------------------------------------------- */

/* The cube with slots renamed and frames turned by an arrangement: g^-1 m g for every move m. */
static struct puzzle *relabelled(const uint8_t *g)
{
    const struct perm_shape *shape = puzzle_shape(cube);
    struct puzzle_choice choices[18];
    uint8_t transform[18][PERM_MAX_BYTES], inverse[PERM_MAX_BYTES], product[PERM_MAX_BYTES];
    struct puzzle *puzzle = NULL;
    struct base_diag diag;
    perm_invert(shape, g, inverse);
    for (unsigned m = 0; m < 18; m++) {
        perm_compose(shape, inverse, puzzle_move_at(cube, m)->transform, product);
        perm_compose(shape, product, g, transform[m]);
        choices[m] = (struct puzzle_choice){puzzle_move_at(cube, m)->name, transform[m], 1};
    }
    ck_assert_int_eq(puzzle_derive(cube, choices, 18, &puzzle, &diag), 0);
    return puzzle;
}

START_TEST(slots_may_have_other_numbers)
{
    struct support_random random = {13};
    const struct perm_shape *shape = puzzle_shape(cube);
    uint8_t g[PERM_MAX_BYTES], solved[PERM_MAX_BYTES];

    support_random_arrangement(&random, shape, g);
    for (unsigned k = 0; k < shape->n_orbits; k++)
        memset(g + shape->orbit[k].offset + shape->orbit[k].size, 0, shape->orbit[k].size);
    expect_offer(relabelled(g), 16, 3);
    perm_identity(shape, solved);
    ck_assert(check_offered(relabelled(g), solved));
}
END_TEST

/* Frames that the symmetries do not keep together are refused, others are used. */
START_TEST(frames_may_be_turned)
{
    struct support_random random = {14};
    uint8_t g[PERM_MAX_BYTES], solved[PERM_MAX_BYTES];

    perm_identity(puzzle_shape(cube), solved);
    for (unsigned round = 0; round < 20; round++) {
        perm_identity(puzzle_shape(cube), g);
        g[8 + support_random_below(&random, 8)] = 1;
        g[28 + support_random_below(&random, 12)] = 1;
        ck_assert(!check_offered(relabelled(g), solved));
    }
    perm_identity(puzzle_shape(cube), g);
    for (unsigned i = 8; i < 12; i++)
        g[28 + i] = 1; /* all edges of the slice */
    ck_assert(check_offered(relabelled(g), solved));
}
END_TEST

/* ---- in the search ------------------------------------------------------------------------- */

static void run_window(const struct search_problem *problem, unsigned length,
                       struct support_run *run)
{
    *run = (struct support_run){.problem = problem};
    support_run_window(run, length);
}

/* Leaves that are solutions. */
static void count_solution(void *arg, const struct search_walk *walk)
{
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(cube, walk->problem->start, walk->word, walk->length, state);
    *(unsigned *)arg += search_problem_is_target(walk->problem, state);
}

static unsigned count_solutions(const struct search_problem *problem, unsigned length)
{
    unsigned count = 0;
    struct support_run run = {.problem = problem, .each = count_solution, .arg = &count};
    support_run_window(&run, length);
    return count;
}

/* The same words from every kernel depth first, and no solution less than without the table, wide
 * or not. */
static void check_search(struct search_problem *problem, unsigned length)
{
    struct support_run first = {0}, run;
    for (unsigned kernel = SUPPORT_KERNEL_GENERIC; kernel <= SUPPORT_KERNEL_AVX2; kernel++) {
        if (!support_walk_choose(problem, (enum support_kernel)kernel))
            continue;
        const struct search_kernel *chosen = problem->kernel;
        struct search_kernel narrow = *chosen;
        narrow.run_wide = NULL;
        problem->kernel = &narrow;
        run_window(problem, length, &run);
        problem->kernel = chosen;
        if (kernel == SUPPORT_KERNEL_GENERIC)
            first = run;
        ck_assert_uint_eq(run.leaves, first.leaves);
        ck_assert_uint_eq(run.nodes, first.nodes);
        ck_assert_uint_eq(run.digest, first.digest);
        unsigned with = count_solutions(problem, length);
        problem->n_tables = 0;
        ck_assert_uint_eq(count_solutions(problem, length), with);
        run_window(problem, length, &run);
        problem->n_tables = 1;
        ck_assert_uint_le(first.nodes, run.nodes);
        search_problem_deinit(problem);
    }
    ck_assert_uint_ge(first.nodes, 1);
}

static void check_searches(struct support_setting *setting, const struct cycle_structure *target,
                           unsigned flip_bits)
{
    struct support_product filled;
    struct table table;
    support_product_init(&filled, setting->context->group, false, flip_bits);
    support_product_fill(&filled, target, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_IN_ORDER);
    support_product_table_init(&table, &filled);
    setting->problem.table[0] = &table;
    setting->problem.n_tables = 1;
    for (unsigned length = 0; length <= 6; length++)
        check_search(&setting->problem, length);
    support_fill_table_deinit(&table);
    support_product_deinit(&filled);
}

START_TEST(kernels_agree_and_keep_solutions)
{
    struct cycle_structure target;
    struct support_setting setting;
    uint8_t state[PERM_MAX_BYTES];

    support_word_state(cube, "U R U' D2 B", state);
    cycle_of_state(cube, state, &target);
    support_setting_init(&setting, cube, &target);
    check_searches(&setting, &target, TABLE_PRODUCT_FLIP_BITS);
    check_searches(&setting, &target, 6);
    support_setting_deinit(&setting);
}
END_TEST

/* Coordinates are made once and kept: the coarse one, and fine ones by their flips. */
START_TEST(contexts_keep_coordinates)
{
    struct cycle_structure target = identity;
    struct support_setting setting;
    const struct table_product *product, *again;

    support_setting_init(&setting, cube, &target);
    for (unsigned k = 0; k <= TABLE_PRODUCT_FLIP_BITS + 1; k++) {
        int code = search_context_product(setting.context, k, &product);
        ck_assert_int_eq(code, k == 1 || k > TABLE_PRODUCT_FLIP_BITS ? BASE_ERR_RANGE : 0);
        ck_assert_int_eq(code != 0, product == NULL);
        ck_assert_int_eq(search_context_product(setting.context, k, &again), code);
        ck_assert_ptr_eq(product, again);
        if (code != 0)
            continue;
        ck_assert_int_eq(product->fine, k > 0);
        ck_assert_uint_eq(product->flip_bits, k > 0 ? k : TABLE_PRODUCT_FLIP_BITS);
    }
    support_setting_deinit(&setting);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        scrambles,
        structures_of_the_file,
        two_structures,
        who_is_refused,
        restricted_moves_with_few_symmetries,
        five_faces,
        half_turns,
        slots_may_have_other_numbers,
        frames_may_be_turned,
        kernels_agree_and_keep_solutions,
        contexts_keep_coordinates,
    };

    return support_suite_run("table_product_bounds", tests, sizeof tests / sizeof tests[0], setup,
                             teardown, 120);
}
