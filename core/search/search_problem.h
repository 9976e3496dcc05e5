/*
 * search_problem.h - what one job searches for, in the form that the expansion loop wants.
 */
#ifndef CORE_SEARCH_SEARCH_PROBLEM_H
#define CORE_SEARCH_SEARCH_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/cpu/cpu.h"
#include "core/search/search_context.h"
#include "core/table/table.h"

enum { SEARCH_MAX_TABLES = 8, SEARCH_MAX_LENGTH = PUZZLE_MAX_WORD - 1 };

struct search_kernel;

struct search_problem {
    struct search_context *context; /* borrowed */
    const struct puzzle *puzzle;
    const struct perm_shape *shape;
    unsigned n_moves;
    bool is_cycle_job; /* start is the solved state: rotation, inversion and the window rule hold */
    const struct cycle_structure *targets; /* borrowed */
    size_t n_targets;
    const uint8_t *start;          /* borrowed, never NULL */
    const struct sym_group *group; /* borrowed: the symmetries that keep start and targets */
    unsigned n_tables;
    const struct table *table[SEARCH_MAX_TABLES]; /* cheapest first */
    /* [orbit]: bit c is set if a target has c movable pieces in place and unturned: the table kind
     * `fixed`, asked at leaves */
    uint64_t in_place[PERM_MAX_ORBITS];
    const struct search_kernel *kernel;
    struct cube3
        *cube3_moves; /* owned: the moves, then their inverses; NULL for the generic kernel */
    /* How leaves are read in batches; NULL: not, as the kernel is generic, or the definition or the
     * start does not keep the sums of turns. */
    const struct cube3_reader *reader;
    uint64_t *is_target; /* owned: [number of a structure], a bit each; NULL: leaves of every
                            structure are visited */
};

/* Chooses the kernel and prepares its moves; the other fields are set. BASE_ERR_NOMEM. */
int search_problem_init(struct search_problem *problem, struct cpu_features features);
void search_problem_deinit(struct search_problem *problem);

/* Is the state in the target? Reference code. */
bool search_problem_is_target(const struct search_problem *problem, const uint8_t *state);

/* Could it be, by the pieces in place alone? */
bool search_problem_may_be_target(const struct search_problem *problem, const uint8_t *state);

/* The largest bound of all tables for a state; reference code. TABLE_UNREACHABLE: no target state
 * can be reached. */
unsigned search_problem_bound(const struct search_problem *problem, const uint8_t *state);

/* The kernel that runs the 3x3x3 on a processor with these features. */
const struct search_kernel *search_kernel_cube3(struct cpu_features features);

/* "generic", "cube3 portable", "cube3 avx2". Static. */
const char *search_kernel_name(const struct search_kernel *kernel);

#endif
