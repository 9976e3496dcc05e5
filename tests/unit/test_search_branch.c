/*
 * test_search_branch.c - walks that are written down as branches and gone on with by walks of
 * another kernel visit every word once; and what is no branch of a task is found out.
 */
#include <check.h>
#include <string.h>

#include "core/base/base_hash.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

static struct puzzle *cube, *pocket;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    pocket = support_builtin("2x2x2");
}

static void teardown(void)
{
    puzzle_release(pocket);
    puzzle_release(cube);
}

/* Words in any order. */
struct words {
    uint64_t count, sum;
};

static void add_word(void *arg, const struct search_walk *walk)
{
    struct words *words = arg;
    words->count++;
    words->sum += base_hash(walk->word, walk->length, 0);
}

/* The words below one root: by one walk, and in branches on all kernels. */
static void check_root(const struct search_problem *const *problems, unsigned n,
                       const struct search_root *root)
{
    struct words whole = {0}, pieces = {0};
    struct support_run run = {.problem = problems[0], .each = add_word, .arg = &whole};
    struct search_walk *walk = support_walk_new(problems[0], support_run_leaf(&run));
    support_walk_root(walk, root);
    search_walk_free(walk);
    run.arg = &pieces;
    support_walk_branches(problems, n, root, support_run_leaf(&run));
    ck_assert_uint_eq(pieces.count, whole.count);
    ck_assert_uint_eq(pieces.sum, whole.sum);
}

/* Roots of the window rule and the root of all words; without tables every leaf is visited. */
static void check_puzzle(const struct puzzle *puzzle, unsigned plain, unsigned window)
{
    struct support_setting setting[SUPPORT_KERNEL_COUNT];
    const struct search_problem *problems[SUPPORT_KERNEL_COUNT];
    unsigned n = 0;
    for (unsigned k = 0; k < SUPPORT_KERNEL_COUNT; k++) {
        support_setting_init(&setting[n], puzzle, NULL);
        if (support_walk_choose(&setting[n].problem, (enum support_kernel)k))
            problems[n] = &setting[n].problem, n++;
        else
            support_setting_deinit(&setting[n]);
    }
    const struct search_root root = support_root_plain(plain);
    check_root(problems, n, &root);
    const struct search_context *context = setting[0].context;
    for (unsigned c = 0; c < context->window->n_classes; c += 1 + context->window->n_classes / 20) {
        const struct search_root below = support_root_window(context, c, window);
        check_root(problems, n, &below);
    }
    while (n > 0)
        support_setting_deinit(&setting[--n]);
}

START_TEST(every_word_once)
{
    check_puzzle(cube, 4, 7);
    check_puzzle(pocket, 5, 7);
}
END_TEST

static bool is_valid(const struct search_problem *problem, const struct search_root *root,
                     const char *word, const char *todo)
{
    uint8_t moves[SUPPORT_MAX_WORD];
    struct search_branch branch = {.at = (uint8_t)support_word_parse(cube, word, moves)};
    memcpy(branch.word, moves, branch.at);
    unsigned n = support_word_parse(cube, todo, moves);
    for (unsigned i = 0; i < n; i++)
        branch.todo.bits[moves[i] >> 6] |= (uint64_t)1 << (moves[i] & 63);
    return search_branch_is_valid(problem, root, &branch);
}

START_TEST(what_is_no_branch)
{
    struct support_setting setting;
    support_setting_init(&setting, cube, NULL);
    ck_assert(support_walk_choose(&setting.problem, SUPPORT_KERNEL_GENERIC));
    const struct search_problem *problem = &setting.problem;
    const struct search_root plain = support_root_plain(4);
    ck_assert(is_valid(problem, &plain, "", "U R"));
    ck_assert(is_valid(problem, &plain, "U R F", "U"));
    ck_assert(!is_valid(problem, &plain, "U R F", ""));
    ck_assert(!is_valid(problem, &plain, "U R F", "U F2")); /* F F2 is one move */
    ck_assert(!is_valid(problem, &plain, "U U2", "R"));
    ck_assert(is_valid(problem, &plain, "U D", "R") != is_valid(problem, &plain, "D U", "R"));
    ck_assert(!is_valid(problem, &plain, "U R F U", "R")); /* nothing comes behind a leaf */
    struct search_root low = support_root_window(setting.context, 0, 8);
    const struct sym_window *window = setting.context->window;
    struct search_root high = support_root_window(setting.context, window->n_classes - 1, 8);
    struct search_branch branch = {.at = (uint8_t)window->k};
    memcpy(branch.word, low.prefix, window->k);
    branch.todo = search_window_moves(window, sym_window_word(window, low.prefix) % window->n_rows,
                                      low.least);
    ck_assert(!search_branch_is_valid(problem, &high, &branch)); /* of another task */
    for (unsigned w = 0; w < PUZZLE_MAX_MOVES / 64; w++)
        branch.todo.bits[w] &= setting.context->canon->allowed[low.canon].bits[w];
    ck_assert(search_branch_is_valid(problem, &low, &branch));
    branch.at--;
    ck_assert(!search_branch_is_valid(problem, &low, &branch)); /* before its prefix ends */
    support_setting_deinit(&setting);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {every_word_once, what_is_no_branch};

    return support_suite_run("search_branch", tests, sizeof tests / sizeof tests[0], setup,
                             teardown, 60);
}
