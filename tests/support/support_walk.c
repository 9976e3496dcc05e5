/*
 * support_walk.c - see support_walk.h.
 */
#include "tests/support/support_walk.h"

#include <stdlib.h>

#include "core/base/base_hash.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_random.h"

/* ---- problems --------------------------------------------------------------------------- */

void support_setting_init(struct support_setting *setting, const struct puzzle *puzzle,
                          const struct cycle_structure *target)
{
    size_t n = target ? 1 : 0;

    ck_assert_int_eq(search_context_new(puzzle, target, n, &setting->context), 0);
    perm_identity(puzzle_shape(puzzle), setting->solved);
    setting->problem = (struct search_problem){.context = setting->context,
                                               .group = setting->context->group,
                                               .puzzle = puzzle,
                                               .shape = puzzle_shape(puzzle),
                                               .n_moves = puzzle_move_count(puzzle),
                                               .is_cycle_job = true,
                                               .targets = target,
                                               .n_targets = n,
                                               .start = setting->solved};
}

void support_setting_deinit(struct support_setting *setting)
{
    search_problem_deinit(&setting->problem);
    search_context_release(setting->context);
}

void support_walk_visit_all(struct search_problem *problem)
{
    for (unsigned k = 0; k < PERM_MAX_ORBITS; k++)
        problem->in_place[k] = ~(uint64_t)0;
    problem->is_target = NULL;
}

bool support_walk_choose(struct search_problem *problem, enum support_kernel kernel)
{
    struct cpu_features features = cpu_detect();
    if (kernel == SUPPORT_KERNEL_AVX2 && !cpu_has(features, CPU_AVX2))
        return false;
    if (kernel != SUPPORT_KERNEL_AVX2)
        features.bits = 0;
    ck_assert_int_eq(search_problem_init(problem, features), 0);
    if (problem->n_targets == 0)
        support_walk_visit_all(problem);
    if (kernel == SUPPORT_KERNEL_GENERIC)
        problem->kernel = &search__kernel_generic;
    return true;
}

void support_walk_choose_best(struct search_problem *problem)
{
    if (!support_walk_choose(problem, SUPPORT_KERNEL_AVX2))
        ck_assert(support_walk_choose(problem, SUPPORT_KERNEL_PORTABLE));
}

/* ---- running over all roots ------------------------------------------------------------- */

static bool visit(void *arg, const struct search_walk *walk)
{
    struct support_run *run = arg;
    run->leaves++;
    run->digest = base_hash_mix(run->digest, base_hash(walk->word, walk->length, 0));
    if (run->each)
        run->each(run->arg, walk);
    return false;
}

static void read_some(void *arg, const uint32_t *number, unsigned count)
{
    struct support_run *run = arg;
    run->leaves += count;
    run->read(run->arg, number, count);
}

struct search_leaf support_run_leaf(struct support_run *run)
{
    return (struct search_leaf){.visit = visit, .arg = run, .read = run->read ? read_some : NULL};
}

struct search_walk *support_walk_new(const struct search_problem *problem, struct search_leaf leaf)
{
    struct search_walk *walk = search_walk_new(problem);
    ck_assert_ptr_nonnull(walk);
    walk->leaf = leaf;
    return walk;
}

void support_walk_root(struct search_walk *walk, const struct search_root *root)
{
    bool ended;
    if (search_walk_start(walk, root, &ended))
        SUPPORT_EXPECT(search_walk_run(walk, UINT64_MAX / 2) == SEARCH_WALK_DONE);
    SUPPORT_EXPECT(!ended);
}

/* ---- in branches ------------------------------------------------------------------------ */

enum { MOST_PROBLEMS = 4, LEAST_PIECE = 40, PIECES = 300 };

struct branches {
    struct search_branch *branch;
    size_t count, capacity;
};

static void add_branch(void *arg, const struct search_branch *branch)
{
    struct branches *left = arg;
    if (left->count == left->capacity) {
        left->capacity = 2 * left->capacity + 64;
        left->branch = realloc(left->branch, left->capacity * sizeof *left->branch);
        ck_assert_ptr_nonnull(left->branch);
    }
    left->branch[left->count++] = *branch;
}

/* A piece is large enough for a frame's children to be judged and one of them to be tried. */
static void run_piece(struct search_walk *walk, struct branches *left,
                      struct support_random *random)
{
    const struct search_branch_visitor visitor = {.visit = add_branch, .arg = left};
    uint64_t budget = LEAST_PIECE + support_random_below(random, PIECES);
    if (search_walk_run(walk, budget) == SEARCH_WALK_PAUSED)
        search_walk_visit_branches(walk, &visitor);
}

void support_walk_branches(const struct search_problem *const *problems, unsigned n,
                           const struct search_root *root, struct search_leaf leaf)
{
    struct support_random random = {9};
    struct branches left = {.branch = NULL};
    struct search_walk *walk[MOST_PROBLEMS];
    bool ended;
    for (unsigned i = 0; i < n; i++)
        walk[i] = support_walk_new(problems[i], leaf);
    if (search_walk_start(walk[0], root, &ended))
        run_piece(walk[0], &left, &random);
    for (unsigned turn = 1; left.count > 0; turn++) {
        const struct search_branch branch = left.branch[--left.count];
        SUPPORT_EXPECT(search_branch_is_valid(problems[0], root, &branch));
        search_walk_resume(walk[turn % n], root, &branch);
        run_piece(walk[turn % n], &left, &random);
    }
    for (unsigned i = 0; i < n; i++)
        search_walk_free(walk[i]);
    free(left.branch);
}

struct search_root support_root_window(const struct search_context *context, unsigned c,
                                       unsigned length)
{
    const struct sym_window *window = context->window;
    const uint8_t *prefix = window->prefix + (size_t)c * window->k;
    return (struct search_root){.prefix = prefix,
                                .prefix_length = window->k,
                                .canon = context->canon->after[prefix[window->k - 1]],
                                .length = length,
                                .task = c,
                                .window = window,
                                .least = c + 1};
}

struct search_root support_root_plain(unsigned length)
{
    static const uint8_t empty[1];
    return (struct search_root){.prefix = empty, .canon = CANON_FREE, .length = length};
}

void support_run_plain(struct support_run *run, unsigned length)
{
    struct search_walk *walk = support_walk_new(run->problem, support_run_leaf(run));
    struct search_root root = support_root_plain(length);
    support_walk_root(walk, &root);
    run->nodes += walk->nodes;
    search_walk_free(walk);
}

void support_run_window(struct support_run *run, unsigned length)
{
    const struct search_context *context = run->problem->context;
    if (length < context->window->k) {
        support_run_plain(run, length);
        return;
    }
    struct search_walk *walk = support_walk_new(run->problem, support_run_leaf(run));
    for (unsigned c = 0; c < context->window->n_classes; c++) {
        struct search_root root = support_root_window(context, c, length);
        support_walk_root(walk, &root);
    }
    run->nodes += walk->nodes;
    search_walk_free(walk);
}
