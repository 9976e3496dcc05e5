/*
 * test_search_walk.c - walks: the same words from every kernel, the same solutions with tables as
 * without, and each word once however a walk is paused and split.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_expect.h"
#include "tests/support/support_fill.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

static const struct cycle_structure identity;
static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

/* ---- kernels ---------------------------------------------------------------------------- */

/* Two tables of one target. */
struct tables {
    const struct table_coord *coord[2];
    struct support_filled filled[2];
    struct table table[2];
};

static void tables_init(struct tables *tables, struct support_setting *setting)
{
    for (unsigned t = 0; t < 2; t++) {
        ck_assert_int_eq(
            search_context_coord(setting->context, t, t == 0 ? 0 : 4, &tables->coord[t]), 0);
        support_fill(tables->coord[t], setting->problem.targets, 1, SUPPORT_FILL_IN_ORDER,
                     &tables->filled[t]);
        support_fill_table_init(&tables->table[t], tables->coord[t], &tables->filled[t]);
        setting->problem.table[t] = &tables->table[t];
    }
    setting->problem.n_tables = 2;
}

static void tables_deinit(struct tables *tables)
{
    for (unsigned t = 0; t < 2; t++) {
        support_fill_table_deinit(&tables->table[t]);
        support_fill_free(&tables->filled[t]);
    }
}

/* Every kernel visits the same words in the same order and composes as many states. */
static void check_kernels(struct search_problem *problem,
                          void (*walks)(struct support_run *, unsigned), unsigned length)
{
    struct support_run first = {0};
    for (unsigned kernel = SUPPORT_KERNEL_GENERIC; kernel <= SUPPORT_KERNEL_AVX2; kernel++) {
        struct support_run run = {.problem = problem};
        if (!support_walk_choose(problem, (enum support_kernel)kernel))
            continue;
        walks(&run, length);
        search_problem_deinit(problem);
        if (kernel == SUPPORT_KERNEL_GENERIC)
            first = run;
        ck_assert_uint_eq(run.leaves, first.leaves);
        ck_assert_uint_eq(run.nodes, first.nodes);
        ck_assert_uint_eq(run.digest, first.digest);
    }
    ck_assert_uint_ge(first.nodes, 1);
}

START_TEST(kernels_agree_without_tables)
{
    struct support_setting setting;

    support_setting_init(&setting, cube, NULL);
    for (unsigned length = 0; length <= 4; length++)
        check_kernels(&setting.problem, support_run_plain, length);
    for (unsigned length = 4; length <= 7; length++)
        check_kernels(&setting.problem, support_run_window, length);
    support_setting_deinit(&setting);
}
END_TEST

static void structure_of(const char *word, struct cycle_structure *structure)
{
    uint8_t state[PERM_MAX_BYTES];
    support_word_state(cube, word, state);
    cycle_of_state(cube, state, structure);
}

START_TEST(kernels_agree_with_tables)
{
    struct cycle_structure target;
    struct support_setting setting;
    struct tables tables;

    structure_of("U R U' D2 B", &target);
    support_setting_init(&setting, cube, &target);
    tables_init(&tables, &setting);
    for (unsigned length = 0; length <= 5; length++)
        check_kernels(&setting.problem, support_run_plain, length);
    for (unsigned length = 4; length <= 8; length++)
        check_kernels(&setting.problem, support_run_window, length);
    tables_deinit(&tables);
    support_setting_deinit(&setting);
}
END_TEST

START_TEST(kernels_are_named_and_chosen_by_features)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct support_setting setting;

    support_setting_init(&setting, cube, &identity);
    ck_assert(support_walk_choose(&setting.problem, SUPPORT_KERNEL_PORTABLE));
    ck_assert_str_eq(search_kernel_name(setting.problem.kernel), "cube3 portable");
    search_problem_deinit(&setting.problem);
    if (support_walk_choose(&setting.problem, SUPPORT_KERNEL_AVX2))
        ck_assert_str_eq(search_kernel_name(setting.problem.kernel), "cube3 avx2");
    support_setting_deinit(&setting);
    support_setting_init(&setting, pocket, &identity);
    ck_assert(support_walk_choose(&setting.problem, SUPPORT_KERNEL_PORTABLE));
    ck_assert_str_eq(search_kernel_name(setting.problem.kernel), "generic");
    support_setting_deinit(&setting);
    puzzle_release(pocket);
}
END_TEST

/* ---- tables prune only what may be pruned ----------------------------------------------- */

struct word_list {
    uint64_t *number;
    size_t count, capacity;
};

/* Words of up to 14 letters as numbers in base 19, so that lengths do not mix. */
static void word_list_add(struct word_list *list, const uint8_t *word, unsigned length)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < length; i++)
        number = number * 19 + word[i] + 1;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        list->number = realloc(list->number, list->capacity * sizeof *list->number);
        SUPPORT_EXPECT(list->number != NULL);
    }
    list->number[list->count++] = number;
}

static int order_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void word_list_sort(struct word_list *list)
{
    if (list->count > 0)
        qsort(list->number, list->count, sizeof *list->number, order_numbers);
}

static void expect_same_words(struct word_list *a, struct word_list *b)
{
    word_list_sort(a);
    word_list_sort(b);
    ck_assert_uint_eq(a->count, b->count);
    ck_assert(a->count == 0 || memcmp(a->number, b->number, a->count * sizeof *a->number) == 0);
}

static void add_every_word(void *arg, const struct search_walk *walk)
{
    word_list_add(arg, walk->word, walk->length);
}

static void add_solutions(void *arg, const struct search_walk *walk)
{
    const struct search_problem *problem = walk->problem;
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(problem->puzzle, problem->start, walk->word, walk->length, state);
    if (search_problem_is_target(problem, state))
        word_list_add(arg, walk->word, walk->length);
}

/* Solutions of one length, with tables and judging leaves, and without either. */
static size_t check_solutions(struct search_problem *problem,
                              void (*walks)(struct support_run *, unsigned), unsigned length)
{
    struct word_list with = {0}, without = {0};
    struct support_run pruned = {.problem = problem, .each = add_solutions, .arg = &with};
    struct support_run full = {.problem = problem, .each = add_solutions, .arg = &without};
    struct search_problem open = *problem;
    open.n_tables = 0;
    support_walk_visit_all(&open);
    full.problem = &open;
    walks(&pruned, length);
    walks(&full, length);
    expect_same_words(&with, &without);
    ck_assert_uint_le(pruned.nodes, full.nodes);
    size_t count = with.count;
    free(with.number);
    free(without.number);
    return count;
}

static void check_target(const char *example, unsigned length)
{
    struct cycle_structure target;
    struct support_setting setting;
    struct tables tables;
    structure_of(example, &target);
    support_setting_init(&setting, cube, &target);
    tables_init(&tables, &setting);
    support_walk_choose_best(&setting.problem);
    for (unsigned n = 0; n < length; n++)
        ck_assert_uint_eq(check_solutions(&setting.problem, support_run_window, n), 0);
    ck_assert_uint_ge(check_solutions(&setting.problem, support_run_window, length), 1);
    check_solutions(&setting.problem, support_run_plain, length < 5 ? length : 5);
    tables_deinit(&tables);
    support_setting_deinit(&setting);
}

START_TEST(tables_keep_the_solutions_of_cycle_jobs)
{
    check_target("U D", 2);
    check_target("U R U' D2 B", 5);
    check_target("U R2 F L2", 4);
}
END_TEST

START_TEST(tables_keep_the_solutions_of_scrambles)
{
    struct support_random random = {6};
    struct support_setting setting;
    struct tables tables;

    support_setting_init(&setting, cube, &identity);
    tables_init(&tables, &setting);
    support_walk_choose_best(&setting.problem);
    setting.problem.is_cycle_job = false;
    for (unsigned round = 0; round < 4; round++) {
        uint8_t word[4], start[PERM_MAX_BYTES];
        size_t count = 0;
        support_random_word(&random, cube, word, 4);
        puzzle_apply_word(cube, NULL, word, 4, start);
        setting.problem.start = start;
        for (unsigned length = 0; length <= 4; length++)
            count += check_solutions(&setting.problem, support_run_plain, length);
        ck_assert_uint_ge(count, 1);
    }
    tables_deinit(&tables);
    support_setting_deinit(&setting);
}
END_TEST

/* ---- pausing and splitting -------------------------------------------------------------- */

enum { MAX_WALKS = 64 };

static unsigned moves_left(const struct search_walk *walk, unsigned at)
{
    const struct canon_moves *todo = &walk->frame[at].todo;
    return (unsigned)(__builtin_popcountll(todo->bits[0]) + __builtin_popcountll(todo->bits[1]));
}

/* The other walk has got half of the moves that were left at its base, rounded up. */
static void expect_half(const struct search_walk *walk, const struct search_walk *other)
{
    unsigned kept = moves_left(walk, other->base), given = moves_left(other, other->base);
    SUPPORT_EXPECT(given == kept || given == kept + 1);
    SUPPORT_EXPECT(given > 0);
}

/* Runs a root in pieces: a few nodes of one walk after the other, splitting now and then. */
static void run_in_pieces(struct support_run *run, const struct search_root *root,
                          struct support_random *random)
{
    struct search_walk *walk[MAX_WALKS];
    struct search_leaf leaf = support_run_leaf(run);
    unsigned n = 0;
    bool ended;
    walk[0] = support_walk_new(run->problem, leaf);
    n = search_walk_start(walk[0], root, &ended);
    if (n == 0)
        search_walk_free(walk[0]);
    while (n > 0) {
        unsigned i = support_random_below(random, n);
        enum search_walk_result result = search_walk_run(walk[i], support_random_below(random, 30));
        if (result == SEARCH_WALK_DONE) {
            run->nodes += walk[i]->nodes;
            search_walk_free(walk[i]);
            walk[i] = walk[--n];
        } else if (n < MAX_WALKS && support_random_below(random, 3) == 0) {
            walk[n] = support_walk_new(run->problem, leaf);
            if (search_walk_split(walk[i], walk[n]))
                expect_half(walk[i], walk[n++]);
            else
                search_walk_free(walk[n]);
        }
    }
}

static void check_pieces(const struct search_problem *problem, const struct search_root *root,
                         struct support_random *random)
{
    struct word_list whole = {0}, pieces = {0};
    struct support_run in_one = {.problem = problem, .each = add_every_word, .arg = &whole};
    struct support_run in_pieces = {.problem = problem, .each = add_every_word, .arg = &pieces};
    struct search_walk *walk = support_walk_new(problem, support_run_leaf(&in_one));
    support_walk_root(walk, root);
    run_in_pieces(&in_pieces, root, random);
    expect_same_words(&whole, &pieces);
    /* The root itself is counted once in both. */
    ck_assert_uint_eq(in_pieces.nodes > 0 ? in_pieces.nodes : walk->nodes, walk->nodes);
    search_walk_free(walk);
    free(whole.number);
    free(pieces.number);
}

START_TEST(walks_in_pieces_visit_each_word_once)
{
    struct support_random random = {2};

    for (unsigned kernel = SUPPORT_KERNEL_GENERIC; kernel <= SUPPORT_KERNEL_AVX2; kernel++) {
        struct support_setting setting;
        support_setting_init(&setting, cube, NULL);
        if (support_walk_choose(&setting.problem, (enum support_kernel)kernel)) {
            struct search_root root = support_root_plain(3);
            check_pieces(&setting.problem, &root, &random);
            for (unsigned c = 0; c < setting.context->window->n_classes; c += 25) {
                root = support_root_window(setting.context, c, 6);
                check_pieces(&setting.problem, &root, &random);
            }
        }
        support_setting_deinit(&setting);
    }
}
END_TEST

START_TEST(walks_in_pieces_prune_alike)
{
    struct support_random random = {3};
    struct cycle_structure target;
    struct support_setting setting;
    struct tables tables;

    structure_of("U R U' D2 B", &target);
    support_setting_init(&setting, cube, &target);
    tables_init(&tables, &setting);
    support_walk_choose_best(&setting.problem);
    for (unsigned c = 0; c < setting.context->window->n_classes; c += 10) {
        struct search_root root = support_root_window(setting.context, c, 8);
        struct word_list whole = {0}, pieces = {0};
        struct support_run in_one = {
            .problem = &setting.problem, .each = add_every_word, .arg = &whole};
        struct support_run split = {
            .problem = &setting.problem, .each = add_every_word, .arg = &pieces};
        struct search_walk *walk = support_walk_new(&setting.problem, support_run_leaf(&in_one));
        support_walk_root(walk, &root);
        run_in_pieces(&split, &root, &random);
        expect_same_words(&whole, &pieces);
        search_walk_free(walk);
        free(whole.number);
        free(pieces.number);
    }
    tables_deinit(&tables);
    support_setting_deinit(&setting);
}
END_TEST

/* ---- ending, and the order of the search ------------------------------------------------ */

/* Ends at every leaf; checks that words ascend. */
struct stepper {
    uint8_t last[PUZZLE_MAX_WORD];
    unsigned count;
};

static bool end_here(void *arg, const struct search_walk *walk)
{
    struct stepper *stepper = arg;
    if (stepper->count++ > 0) {
        SUPPORT_EXPECT(memcmp(stepper->last, walk->word, walk->length) < 0);
        SUPPORT_EXPECT(search_walk_is_behind(walk, stepper->last));
        SUPPORT_EXPECT(!search_walk_is_behind(walk, walk->word));
    }
    memcpy(stepper->last, walk->word, walk->length);
    return true;
}

START_TEST(a_walk_that_was_ended_goes_on)
{
    struct stepper stepper = {.count = 0};
    struct support_setting setting;
    struct search_root root = support_root_plain(3);
    bool ended;

    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    struct search_walk *walk = support_walk_new(
        &setting.problem, (struct search_leaf){.visit = end_here, .arg = &stepper});
    ck_assert(search_walk_start(walk, &root, &ended));
    ck_assert(!ended);
    for (unsigned i = 1; i <= 3240; i++) {
        SUPPORT_EXPECT(search_walk_run(walk, 1000) == SEARCH_WALK_ENDED);
        SUPPORT_EXPECT(stepper.count == i);
    }
    ck_assert_int_eq(search_walk_run(walk, 100000), SEARCH_WALK_DONE);
    search_walk_free(walk);
    support_setting_deinit(&setting);
}
END_TEST

START_TEST(a_root_may_be_the_leaf_itself)
{
    struct stepper stepper = {.count = 0};
    struct support_setting setting;
    struct search_root root = support_root_plain(0);
    bool ended = false;

    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    struct search_walk *walk = support_walk_new(
        &setting.problem, (struct search_leaf){.visit = end_here, .arg = &stepper});
    ck_assert(!search_walk_start(walk, &root, &ended));
    ck_assert(ended);
    ck_assert_uint_eq(stepper.count, 1);
    search_walk_free(walk);
    support_setting_deinit(&setting);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        kernels_agree_without_tables,
        kernels_agree_with_tables,
        kernels_are_named_and_chosen_by_features,
        tables_keep_the_solutions_of_cycle_jobs,
        tables_keep_the_solutions_of_scrambles,
        walks_in_pieces_visit_each_word_once,
        walks_in_pieces_prune_alike,
        a_walk_that_was_ended_goes_on,
        a_root_may_be_the_leaf_itself,
    };

    return support_suite_run("search_walk", tests, sizeof tests / sizeof tests[0], setup, teardown,
                             120);
}
