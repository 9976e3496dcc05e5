/*
 * support_walk.c - see support_walk.h.
 */
#include "tests/support/support_walk.h"

#include "core/base/base_hash.h"
#include "tests/support/support_expect.h"

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
