/*
 * search_cube3_inl.h - the primitives of the expansion loop for the 3x3x3 in a register. Included
 * by one file per instruction set, which is compiled with its flags.
 */
#ifndef CORE_SEARCH_SEARCH_CUBE3_INL_H
#define CORE_SEARCH_SEARCH_CUBE3_INL_H

#include "core/search/search_cube3_leaves_inl.h"
#include "core/table/table_codec_inl.h"
#include "core/table/table_product_inl.h"
#include "core/table/table_structure_inl.h"

static inline void search_cube3_set_root(const struct search_problem *problem, const uint8_t *state,
                                         uint8_t *at)
{
    uint8_t inverse[PERM_MAX_BYTES];
    struct cube3 *cube = (struct cube3 *)(void *)at;
    perm_invert(problem->shape, state, inverse);
    cube3_from_state(problem->shape, state, &cube[0]);
    cube3_from_state(problem->shape, inverse, &cube[1]);
}

/* child = state * m; its inverse is (1/m) * (1/state). */
BASE_INLINE void search_cube3_child(const struct search_problem *problem, const uint8_t *parent,
                                    unsigned move, uint8_t *child)
{
    const struct cube3 *from = (const struct cube3 *)(const void *)parent;
    struct cube3 *to = (struct cube3 *)(void *)child;
    cube3_compose(&from[0], &problem->cube3_moves[move], &to[0]);
    if (problem->n_tables > 0) /* else nobody asks for the inverse */
        cube3_compose(&problem->cube3_moves[problem->n_moves + move], &from[1], &to[1]);
}

/* The children of a frame that are still in the running. */
struct search_cube3_children {
    unsigned count;
    uint8_t move[PUZZLE_MAX_MOVES];
    uint8_t at[PUZZLE_MAX_MOVES]; /* [i]: which of `cubes` child i is */
    uint64_t index[PUZZLE_MAX_MOVES];
    struct cube3 cubes[PUZZLE_MAX_MOVES][2];
};

/* Question q of a table: for the state if q is even, for its inverse if odd. */
BASE_INLINE uint64_t search_cube3_index(const struct table_questions_cube3 *questions,
                                        const struct cube3 *cubes, unsigned q)
{
    switch (questions->kind) {
    case TABLE_KIND_EXACT:
        return cube3_exact_index(&questions->exact, &cubes[0]);
    case TABLE_KIND_APPROXIMATE:
        return cube3_subset_index(&questions->subset[q >> 1], &cubes[q & 1]);
    case TABLE_KIND_CYCLE_STRUCTURE:
        return questions->orbit == CUBE3_CORNERS
                   ? table_structure_of_corners(questions->keys, &cubes[0])
                   : table_structure_of_edges(questions->keys, &cubes[0]);
    default:
        return cube3_product_index(&questions->product, q >> 1, &cubes[q & 1]);
    }
}

/* How entries lie in memory, as a constant of the loop that asks for them. */
enum search_cube3_layout {
    SEARCH_CUBE3_BYTES,
    SEARCH_CUBE3_NXOPT,
    SEARCH_CUBE3_TANS,
    SEARCH_CUBE3_PRODUCT
};

static inline enum search_cube3_layout search_cube3_layout_of(const struct table *table)
{
    if (table->codec)
        return (enum search_cube3_layout)table->codec->encoding;
    return table->kind == TABLE_KIND_PRODUCT ? SEARCH_CUBE3_PRODUCT : SEARCH_CUBE3_BYTES;
}

BASE_INLINE const void *search_cube3_line(const struct table *table, uint64_t index,
                                          enum search_cube3_layout layout)
{
    switch (layout) {
    case SEARCH_CUBE3_NXOPT:
        return table_nxopt_line(table->entries, index);
    case SEARCH_CUBE3_TANS:
        return table_tans_line(&table->codec->tans, table->entries, index);
    case SEARCH_CUBE3_PRODUCT:
        return table->entries + (index >> 2);
    default:
        return table->entries + index;
    }
}

BASE_INLINE unsigned search_cube3_answer(const struct table *table, uint64_t index,
                                         enum search_cube3_layout layout)
{
    switch (layout) {
    case SEARCH_CUBE3_NXOPT:
        return table_nxopt_bound(&table->codec->nxopt, table->entries, index);
    case SEARCH_CUBE3_TANS:
        return table_tans_bound(&table->codec->tans, table->entries, index);
    case SEARCH_CUBE3_PRODUCT:
        return table_product_read(table->product, table->entries, index);
    default:
        return table_entry_bound(table->entries[index]);
    }
}

/* Takes note of a child's bound. False: it is so high that the parent is out of reach. */
BASE_INLINE bool search_cube3_judge(struct search_cube3_children *children, unsigned i,
                                    unsigned bound, unsigned left, unsigned *kept)
{
    children->move[*kept] = children->move[i];
    children->at[*kept] = children->at[i];
    *kept += bound <= left;
    return bound <= left + 2;
}

/* Asks one question for all children and keeps those that pass. False: the parent is out of reach.
 */
BASE_INLINE bool search_cube3_ask_as(const struct table *table, unsigned q, unsigned left,
                                     struct search_cube3_children *children,
                                     enum search_cube3_layout layout)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < children->count; i++) {
        children->index[i] = search_cube3_index(table->cube3, children->cubes[children->at[i]], q);
        __builtin_prefetch(search_cube3_line(table, children->index[i], layout));
    }
    for (unsigned i = 0; i < children->count; i++) {
        unsigned bound = search_cube3_answer(table, children->index[i], layout);
        if (!search_cube3_judge(children, i, bound, left, &kept))
            return false;
    }
    children->count = kept;
    return true;
}

static inline bool search_cube3_ask(const struct table *table, unsigned q, unsigned left,
                                    struct search_cube3_children *children)
{
    switch (search_cube3_layout_of(table)) {
    case SEARCH_CUBE3_NXOPT:
        return search_cube3_ask_as(table, q, left, children, SEARCH_CUBE3_NXOPT);
    case SEARCH_CUBE3_TANS:
        return search_cube3_ask_as(table, q, left, children, SEARCH_CUBE3_TANS);
    case SEARCH_CUBE3_PRODUCT:
        return search_cube3_ask_as(table, q, left, children, SEARCH_CUBE3_PRODUCT);
    default:
        return search_cube3_ask_as(table, q, left, children, SEARCH_CUBE3_BYTES);
    }
}

/* All questions at once, by the reference code, of a table that the register has no fast form for.
 */
static inline bool search_cube3_ask_reference(const struct search_problem *problem,
                                              const struct table *table, unsigned left,
                                              struct search_cube3_children *children)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < children->count; i++) {
        const struct cube3 *cubes = children->cubes[children->at[i]];
        uint8_t state[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
        cube3_to_state(problem->shape, &cubes[0], state);
        cube3_to_state(problem->shape, &cubes[1], inverse);
        if (!search_cube3_judge(children, i, table_bound(table, state, inverse), left, &kept))
            return false;
    }
    children->count = kept;
    return true;
}

/* How many questions a table is asked one after the other. Exact tables and cycle structures have
 * the same answer for the inverse. */
static inline unsigned search_cube3_questions(const struct table *table)
{
    if (!table->cube3 || table->kind == TABLE_KIND_EXACT ||
        table->kind == TABLE_KIND_CYCLE_STRUCTURE)
        return 1;
    return 2 * table->cube3->n_questions;
}

/* Keeps the children with as many pieces in place as a target has. */
BASE_INLINE void search_cube3_keep_in_place(const struct search_problem *problem,
                                            struct search_cube3_children *children)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < children->count; i++) {
        unsigned corners, edges;
        cube3_count_in_place(children->cubes[children->at[i]], &corners, &edges);
        children->move[kept] = children->move[i];
        children->at[kept] = children->at[i];
        kept += (unsigned)(problem->in_place[CUBE3_CORNERS] >> corners &
                           problem->in_place[CUBE3_EDGES] >> edges & 1);
    }
    children->count = kept;
}

BASE_INLINE void search_cube3_make_children(const struct search_problem *problem,
                                            const uint8_t *parent, const struct canon_moves *moves,
                                            struct search_cube3_children *children)
{
    children->count = 0;
    for (unsigned w = 0; w < BASE_COUNT(moves->bits); w++)
        for (uint64_t rest = moves->bits[w]; rest; rest &= rest - 1) {
            unsigned move = 64 * w + (unsigned)__builtin_ctzll(rest);
            unsigned i = children->count++;
            children->move[i] = (uint8_t)move;
            children->at[i] = (uint8_t)i;
            search_cube3_child(problem, parent, move, (uint8_t *)children->cubes[i]);
        }
}

/* Exact tables come first: one question, and the answer for the inverse is the same. */
static inline void search_cube3_prune(struct search_walk *walk, const uint8_t *parent,
                                      unsigned left, struct canon_moves *moves)
{
    const struct search_problem *problem = walk->problem;
    struct search_cube3_children children;
    if (problem->n_tables == 0 && left > 0)
        return;
    if (left == 0 && search_cube3_reads_leaves(problem)) {
        search_cube3_prune_leaves(walk, parent, moves);
        return;
    }
    search_cube3_make_children(problem, parent, moves, &children);
    *moves = (struct canon_moves){{0}};
    if (left == 0)
        search_cube3_keep_in_place(problem, &children);
    for (unsigned t = 0; t < problem->n_tables; t++) {
        const struct table *table = problem->table[t];
        unsigned n = search_cube3_questions(table);
        for (unsigned q = 0; q < n && children.count > 0; q++) {
            walk->asked[t] += children.count;
            bool reach = table->cube3 ? search_cube3_ask(table, q, left, &children)
                                      : search_cube3_ask_reference(problem, table, left, &children);
            if (!reach)
                return;
        }
    }
    for (unsigned i = 0; i < children.count; i++)
        moves->bits[children.move[i] >> 6] |= (uint64_t)1 << (children.move[i] & 63);
}

BASE_INLINE enum search_walk_result search_cube3_run(struct search_walk *walk, uint64_t budget)
{
    enum search_walk_result result = search_walk_loop(
        walk, budget,
        (struct search_primitives){CUBE3_BYTES, search_cube3_child, search_cube3_prune});
    search_cube3_hand_on(walk);
    return result;
}

#endif
