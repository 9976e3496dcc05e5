/*
 * search_problem.c - chooses the kernel and answers by the reference code.
 */
#include "core/search/search_problem.h"

#include "core/base/base_err.h"
#include "core/base/base_mem.h"
#include "core/search/search_walk.h"

const struct search_kernel *search_kernel_cube3(struct cpu_features features)
{
#if defined(__x86_64__)
    if (cpu_has(features, CPU_AVX2))
        return &search__kernel_cube3_avx2;
#endif
    (void)features;
    return &search__kernel_cube3_portable;
}

static const struct search_kernel *choose_kernel(const struct search_problem *problem,
                                                 struct cpu_features features)
{
    return cube3_fits(problem->puzzle) ? search_kernel_cube3(features) : &search__kernel_generic;
}

/* Have all states that the moves lead to from the start a structure with a number? */
static bool has_numbers(const struct search_problem *problem)
{
    for (unsigned k = 0; k < problem->shape->n_orbits; k++) {
        const struct perm_orbit *orbit = &problem->shape->orbit[k];
        if (perm_orientation_sum(orbit, problem->start) != 0)
            return false;
    }
    return problem->context->structures != NULL;
}

/* Chooses a reader and marks the targets, if there are any. */
static int reader_init(struct search_problem *problem, struct cpu_features features)
{
    const size_t words = (CUBE3_STRUCTURES + 63) / 64;
    if (!has_numbers(problem))
        return 0;
    problem->reader = cube3_reader_choose(features);
    if (problem->n_targets == 0)
        return 0;
    problem->is_target = base_mem_new(words * sizeof *problem->is_target, 64);
    if (!problem->is_target)
        return BASE_ERR_NOMEM;
    for (size_t i = 0; i < problem->n_targets; i++) {
        uint32_t number;
        if (cube3_structure_find(problem->context->structures, &problem->targets[i], &number) == 0)
            problem->is_target[number / 64] |= (uint64_t)1 << number % 64;
    }
    return 0;
}

static int cube3_moves_init(struct search_problem *problem)
{
    problem->cube3_moves = base_mem_new(2 * problem->n_moves * sizeof *problem->cube3_moves, 64);
    if (!problem->cube3_moves)
        return BASE_ERR_NOMEM;
    for (unsigned m = 0; m < problem->n_moves; m++) {
        const struct puzzle_move *move = puzzle_move_at(problem->puzzle, m);
        const struct puzzle_move *inverse = puzzle_move_at(problem->puzzle, move->inverse);
        cube3_from_state(problem->shape, move->transform, &problem->cube3_moves[m]);
        cube3_from_state(problem->shape, inverse->transform,
                         &problem->cube3_moves[problem->n_moves + m]);
    }
    return 0;
}

/* How many pieces of an orbit a structure leaves in place and unturned, those that no move moves
 * included. */
static unsigned pieces_in_place(const struct search_problem *problem,
                                const struct cycle_structure *structure, unsigned orbit)
{
    unsigned count = problem->shape->orbit[orbit].size;
    for (unsigned i = 0; i < structure->n_items; i++)
        if (structure->item[i].orbit == orbit)
            count -= structure->item[i].length;
    return count;
}

static void in_place_init(struct search_problem *problem)
{
    for (unsigned k = 0; k < problem->shape->n_orbits; k++) {
        /* Without a target every leaf is visited: that is how words are counted. */
        bool any = problem->n_targets == 0 || problem->shape->orbit[k].size >= 64;
        problem->in_place[k] = any ? ~(uint64_t)0 : 0;
        for (size_t i = 0; i < problem->n_targets; i++) {
            unsigned count = pieces_in_place(problem, &problem->targets[i], k);
            if (count < 64)
                problem->in_place[k] |= (uint64_t)1 << count;
        }
    }
}

bool search_problem_may_be_target(const struct search_problem *problem, const uint8_t *state)
{
    for (unsigned k = 0; k < problem->shape->n_orbits; k++) {
        const struct perm_orbit *orbit = &problem->shape->orbit[k];
        const uint8_t *piece = perm_pieces(orbit, state);
        const uint8_t *turn = perm_orientations(orbit, state);
        unsigned count = 0;
        for (unsigned i = 0; i < orbit->size; i++)
            count += piece[i] == i && turn[i] == 0;
        if (orbit->size < 64 && !(problem->in_place[k] >> count & 1))
            return false;
    }
    return true;
}

int search_problem_init(struct search_problem *problem, struct cpu_features features)
{
    problem->kernel = choose_kernel(problem, features);
    problem->cube3_moves = NULL;
    problem->reader = NULL;
    problem->is_target = NULL;
    in_place_init(problem);
    if (problem->kernel == &search__kernel_generic)
        return 0;
    int code = cube3_moves_init(problem);
    return code == 0 ? reader_init(problem, features) : code;
}

void search_problem_deinit(struct search_problem *problem)
{
    base_mem_free(problem->cube3_moves);
    base_mem_free(problem->is_target);
    problem->cube3_moves = NULL;
    problem->is_target = NULL;
}

bool search_problem_is_target(const struct search_problem *problem, const uint8_t *state)
{
    struct cycle_structure structure;
    cycle_of_state(problem->puzzle, state, &structure);
    for (size_t i = 0; i < problem->n_targets; i++)
        if (cycle_equal(&structure, &problem->targets[i]))
            return true;
    return false;
}

unsigned search_problem_bound(const struct search_problem *problem, const uint8_t *state)
{
    uint8_t inverse[PERM_MAX_BYTES];
    unsigned bound = 0;
    perm_invert(problem->shape, state, inverse);
    for (unsigned t = 0; t < problem->n_tables; t++) {
        unsigned answer = table_bound(problem->table[t], state, inverse);
        if (answer > bound)
            bound = answer;
    }
    return bound;
}

const char *search_kernel_name(const struct search_kernel *kernel)
{
    return kernel->name;
}
