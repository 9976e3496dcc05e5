/*
 * test_search_wide.c - wide walks: what they know of moves from the left is true; they find the
 * solutions that a walk depth first finds, in pieces as in one, and the first one if they are told
 * to end.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_hash.h"
#include "core/search/search_cube3_wide.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_product.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

enum { MOVES = 18, ROUNDS = 200, MAX_WALKS = 16 };

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

/* ---- moves from the left ------------------------------------------------------------------ */

static uint64_t index_after(const struct table_product *product, unsigned axis, unsigned move,
                            const uint8_t *state)
{
    uint8_t moved[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
    perm_compose(puzzle_shape(cube), puzzle_move_at(cube, move)->transform, state, moved);
    sym_apply(product->group, product->axis[axis], moved, image);
    return table_product_index(product, image);
}

/* Sets of moves by what they really do to the indices of random states, all along one axis. */
static void observe(const struct table_product *product, unsigned axis, uint32_t *keeps,
                    uint32_t same[MOVES])
{
    struct support_random random = {5};
    *keeps = (1u << MOVES) - 1;
    for (unsigned m = 0; m < MOVES; m++)
        same[m] = *keeps;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
        uint64_t index[MOVES];
        support_random_state(&random, cube, state);
        sym_apply(product->group, product->axis[axis], state, image);
        for (unsigned m = 0; m < MOVES; m++) {
            index[m] = index_after(product, axis, puzzle_move_at(cube, m)->inverse, state);
            if (index[m] != table_product_index(product, image))
                *keeps &= ~(1u << m);
        }
        for (unsigned m = 0; m < MOVES; m++)
            for (unsigned n = 0; n < MOVES; n++)
                if (index[m] != index[n])
                    same[m] &= ~(1u << n);
    }
}

static void check_left_moves(const struct sym_group *group, bool fine, int kept)
{
    struct table_product *product;
    struct table_questions_cube3 *questions;
    ck_assert_int_eq(table_product_new(group, fine, TABLE_PRODUCT_FLIP_BITS, &product), 0);
    const struct table_spec spec = {.product = product};
    ck_assert_int_eq(table_questions_cube3_new(&spec, &questions), 0);
    ck_assert_uint_eq(questions->product.n_axes, 3);
    for (unsigned a = 0; a < 3; a++) {
        uint32_t keeps, same[MOVES];
        observe(product, a, &keeps, same);
        ck_assert_uint_eq(questions->product.keeps[a], keeps);
        ck_assert_int_eq(__builtin_popcount(keeps), kept);
        for (unsigned m = 0; m < MOVES; m++)
            ck_assert_uint_eq(questions->product.same[a][m], same[m]);
    }
    table_questions_cube3_free(questions);
    table_product_free(product);
}

/* Half turns leave the parts of the fine table alone, and quarter turns along the axis those of the
 * coarse one besides. */
START_TEST(moves_from_the_left)
{
    struct sym_group *group;
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    check_left_moves(group, true, 6);
    check_left_moves(group, false, 10);
    sym_group_free(group);
}
END_TEST

/* ---- words -------------------------------------------------------------------------------- */

/* Solutions, in any order. */
struct solutions {
    unsigned count;
    uint64_t sum; /* of hashes */
    uint8_t first[PUZZLE_MAX_WORD];
};

static bool is_solution(const struct search_walk *walk)
{
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(cube, walk->problem->start, walk->word, walk->length, state);
    return search_problem_is_target(walk->problem, state);
}

static void add_solution(void *arg, const struct search_walk *walk)
{
    struct solutions *solutions = arg;
    if (!is_solution(walk))
        return;
    if (solutions->count++ == 0 || memcmp(walk->word, solutions->first, walk->length) < 0)
        memcpy(solutions->first, walk->word, walk->length);
    solutions->sum += base_hash(walk->word, walk->length, 0);
}

static bool end_at_solution(void *arg, const struct search_walk *walk)
{
    unsigned before = ((struct solutions *)arg)->count;
    add_solution(arg, walk);
    return ((struct solutions *)arg)->count > before;
}

static void run_all(const struct search_problem *problem, unsigned length, struct solutions *found,
                    struct support_run *run)
{
    *found = (struct solutions){.count = 0};
    *run = (struct support_run){.problem = problem, .each = add_solution, .arg = found};
    if (problem->is_cycle_job)
        support_run_window(run, length);
    else
        support_run_plain(run, length);
}

/* Runs a root in pieces, splitting now and then. */
static void run_in_pieces(const struct search_problem *problem, const struct search_root *root,
                          struct solutions *found, struct support_run *run)
{
    struct support_random random = {7};
    struct search_walk *walk[MAX_WALKS];
    bool ended;
    *found = (struct solutions){.count = 0};
    *run = (struct support_run){.problem = problem, .each = add_solution, .arg = found};
    walk[0] = support_walk_new(problem, support_run_leaf(run));
    unsigned n = search_walk_start(walk[0], root, &ended);
    if (n == 0) {
        run->nodes += walk[0]->nodes;
        search_walk_free(walk[0]);
    }
    while (n > 0) {
        unsigned i = support_random_below(&random, n);
        if (search_walk_run(walk[i], support_random_below(&random, 300)) == SEARCH_WALK_DONE) {
            run->nodes += walk[i]->nodes;
            search_walk_free(walk[i]);
            walk[i] = walk[--n];
        } else if (n < MAX_WALKS) {
            walk[n] = support_walk_new(problem, support_run_leaf(run));
            if (search_walk_split(walk[i], walk[n]))
                n++;
            else
                search_walk_free(walk[n]);
        }
    }
}

static void expect_same(const struct solutions *a, const struct solutions *b)
{
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->sum, b->sum);
    ck_assert_mem_eq(a->first, b->first, sizeof a->first);
}

/* In branches, depth first and wide by turns. */
static void check_branches(const struct search_problem *problem,
                           const struct search_problem *narrow, const struct search_root *root,
                           const struct solutions *all)
{
    const struct search_problem *const by_turns[] = {problem, narrow, problem};
    struct solutions found = {.count = 0};
    struct support_run run = {.problem = problem, .each = add_solution, .arg = &found};
    support_walk_branches(by_turns, 3, root, support_run_leaf(&run));
    expect_same(&found, all);
}

/* A walk that is ended at a solution goes on with what comes before that. */
static void check_first(const struct search_problem *problem, const struct search_root *root,
                        const struct solutions *all)
{
    struct solutions found = {.count = 0};
    bool ended;
    struct search_walk *walk =
        support_walk_new(problem, (struct search_leaf){.visit = end_at_solution, .arg = &found});
    if (search_walk_start(walk, root, &ended)) {
        enum search_walk_result result = search_walk_run(walk, UINT64_MAX / 2);
        ck_assert_int_eq(result, all->count > 0 ? SEARCH_WALK_ENDED : SEARCH_WALK_DONE);
        ck_assert(search_walk_is_behind(walk, all->first));
    }
    ck_assert_uint_eq(found.count > 0, all->count > 0);
    ck_assert_uint_le(found.count, all->count);
    ck_assert_mem_eq(found.first, all->first, root->length);
    search_walk_free(walk);
}

static void check_plain_root(const struct search_problem *problem, unsigned length,
                             const struct solutions *all, uint64_t nodes)
{
    struct solutions found;
    struct support_run run;
    struct search_root root = support_root_plain(length);
    run_in_pieces(problem, &root, &found, &run);
    expect_same(&found, all);
    ck_assert_uint_eq(run.nodes, nodes);
    check_first(problem, &root, all);
}

/* Every kernel finds the same, wide or depth first; returns how many solutions. */
static unsigned check_length(struct search_problem *problem, unsigned length)
{
    struct solutions deep = {.count = 0}, wide;
    struct support_run deep_run, wide_run;
    uint64_t nodes = 0;
    for (unsigned k = SUPPORT_KERNEL_PORTABLE; k < SUPPORT_KERNEL_COUNT; k++) {
        if (!support_walk_choose(problem, (enum support_kernel)k))
            continue;
        ck_assert(search_wide_fits(problem, length));
        run_all(problem, length, &wide, &wide_run);
        if (!problem->is_cycle_job && length > 0)
            check_plain_root(problem, length, &wide, wide_run.nodes);
        const struct search_kernel *kernel = problem->kernel;
        struct search_kernel narrow = *kernel;
        narrow.run_wide = NULL;
        problem->kernel = &narrow;
        run_all(problem, length, &deep, &deep_run);
        struct search_problem deep_problem = *problem;
        problem->kernel = kernel;
        if (!problem->is_cycle_job && length > 0) {
            struct search_root root = support_root_plain(length);
            check_branches(problem, &deep_problem, &root, &deep);
        }
        search_problem_deinit(problem);
        expect_same(&wide, &deep);
        ck_assert_uint_le(wide_run.nodes, deep_run.nodes);
        ck_assert(nodes == 0 || nodes == wide_run.nodes);
        nodes = wide_run.nodes;
    }
    return deep.count;
}

struct tables {
    struct support_product product;
    struct support_filled corners;
    struct table table[2];
};

static void tables_init(struct tables *tables, struct support_setting *setting)
{
    const struct table_coord *coord;
    ck_assert_int_eq(search_context_coord(setting->context, 0, 0, &coord), 0);
    support_fill(coord, setting->problem.targets, 1, SUPPORT_FILL_IN_ORDER, &tables->corners);
    support_fill_table_init(&tables->table[0], coord, &tables->corners);
    support_product_init(&tables->product, setting->context->group, false, TABLE_PRODUCT_FLIP_BITS);
    support_product_fill(&tables->product, setting->problem.targets, 1, SUPPORT_FILL_THREADS,
                         SUPPORT_FILL_THREADS);
    support_product_table_init(&tables->table[1], &tables->product);
    setting->problem.table[0] = &tables->table[0];
    setting->problem.table[1] = &tables->table[1];
}

static void tables_deinit(struct tables *tables)
{
    support_fill_table_deinit(&tables->table[0]);
    support_fill_table_deinit(&tables->table[1]);
    support_fill_free(&tables->corners);
    support_product_deinit(&tables->product);
}

/* With the corners' table before the product, and with the product alone. */
static unsigned check_both(struct search_problem *problem, unsigned length)
{
    const struct table *corners = problem->table[0], *product = problem->table[1];
    problem->n_tables = 2;
    unsigned count = check_length(problem, length);
    problem->table[0] = product;
    problem->n_tables = 1;
    ck_assert_uint_eq(check_length(problem, length), count);
    problem->table[0] = corners;
    return count;
}

START_TEST(words_are_those_of_a_walk_depth_first)
{
    static const char *const starts[] = {"R' D F R U2", "U R2 U2 R2 U2 R2 U'", "F2 B2 L2 U D'"};
    struct cycle_structure target;
    struct support_setting setting;
    struct tables tables;
    uint8_t state[PERM_MAX_BYTES];
    unsigned count = 0;

    support_word_state(cube, "U R U' D2 B", state);
    cycle_of_state(cube, state, &target);
    support_setting_init(&setting, cube, &target);
    tables_init(&tables, &setting);
    for (unsigned length = 0; length <= 7; length++)
        count += check_both(&setting.problem, length);
    ck_assert_uint_ge(count, 1);
    setting.problem.is_cycle_job = false;
    setting.problem.start = state;
    for (unsigned i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        support_word_state(cube, starts[i], state);
        count = 0;
        for (unsigned length = 0; length <= 5; length++)
            count += check_both(&setting.problem, length);
        ck_assert_uint_ge(count, 1);
    }
    tables_deinit(&tables);
    support_setting_deinit(&setting);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {moves_from_the_left, words_are_those_of_a_walk_depth_first};

    return support_suite_run("search_wide", tests, sizeof tests / sizeof tests[0], setup, teardown,
                             120);
}
