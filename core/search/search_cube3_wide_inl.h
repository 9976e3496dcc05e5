/*
 * search_cube3_wide_inl.h - the batches of a wide walk, for the instruction set of the including
 * file.
 */
#ifndef CORE_SEARCH_SEARCH_CUBE3_WIDE_INL_H
#define CORE_SEARCH_SEARCH_CUBE3_WIDE_INL_H

#include <string.h>

#include "core/search/search_cube3_inl.h"
#include "core/search/search_cube3_wide.h"

/* ---- children ----------------------------------------------------------------------------- */

/* What is known of a parent's children by moves of one class, before anything is asked. */
struct search_wide_hint {
    uint8_t low[SEARCH_WIDE_QUESTIONS], high[SEARCH_WIDE_QUESTIONS];
    uint32_t queue;
};

BASE_INLINE void wide_enqueue(uint32_t *queue, unsigned *count, unsigned question)
{
    *queue ^= (question ^ SEARCH_WIDE_NO_QUESTION) << 4 * (*count)++;
}

/* In the order of what they are likely to prune. */
BASE_INLINE uint32_t wide_order(const struct search_wide_node *parent,
                                const struct search_wide_hint *hint,
                                struct search_wide_class class, unsigned left, unsigned n_axes)
{
    uint32_t queue = 0x33333333;
    unsigned count = 0;
    for (unsigned a = 0; a < n_axes; a++)
        if (parent->low[a] > left)
            wide_enqueue(&queue, &count, a);
    for (unsigned a = 0; a < n_axes; a++)
        if (class.near >> a & 1 && parent->low[SEARCH_WIDE_INVERSE + a] > left)
            wide_enqueue(&queue, &count, SEARCH_WIDE_INVERSE + a);
    for (unsigned a = 0; a < n_axes; a++)
        if (!((class.near | class.keeps) >> a & 1))
            wide_enqueue(&queue, &count, SEARCH_WIDE_INVERSE + a);
    for (unsigned a = 0; a < n_axes; a++)
        if (class.near >> a & 1 && parent->low[SEARCH_WIDE_INVERSE + a] <= left &&
            hint->high[SEARCH_WIDE_INVERSE + a] > left)
            wide_enqueue(&queue, &count, SEARCH_WIDE_INVERSE + a);
    for (unsigned a = 0; a < n_axes; a++)
        if (parent->low[a] <= left && hint->high[a] > left)
            wide_enqueue(&queue, &count, a);
    return queue;
}

BASE_INLINE void wide_hint(const struct search_wide_node *parent, struct search_wide_class class,
                           unsigned left, unsigned n_axes, struct search_wide_hint *hint)
{
    for (unsigned q = 0; q < SEARCH_WIDE_QUESTIONS; q++) {
        unsigned axis = q % SEARCH_WIDE_INVERSE;
        bool is_inverse = q >= SEARCH_WIDE_INVERSE;
        bool kept = is_inverse && class.keeps >> axis & 1;
        bool near = !is_inverse || class.near >> axis & 1;
        unsigned low = parent->low[q], high = parent->high[q];
        hint->low[q] = (uint8_t)(kept ? low : is_inverse || low == 0 ? 0 : low - 1);
        hint->high[q] = (uint8_t)(kept                                 ? high
                                  : near && high < SEARCH_WIDE_UNKNOWN ? high + 1
                                                                       : SEARCH_WIDE_UNKNOWN);
    }
    hint->queue = wide_order(parent, hint, class, left, n_axes);
}

/* The moves to try: those that the machine and the rule allow, without those that leave an answer
 * alone which is too high for the children. */
BASE_INLINE uint32_t wide_moves(const struct search_walk *walk,
                                const struct search_wide_node *parent, unsigned left)
{
    const struct cube3_product *product = &walk->wide->product->cube3->product;
    uint32_t moves = (uint32_t)walk->problem->context->canon->allowed[parent->canon].bits[0];
    if (walk->window)
        moves &= (uint32_t)search_window_moves(walk->window, parent->row, walk->least).bits[0];
    for (unsigned a = 0; a < product->n_axes; a++)
        if (parent->low[SEARCH_WIDE_INVERSE + a] > left)
            moves &= ~product->keeps[a];
    return moves;
}

BASE_INLINE bool wide_is_in_place(const struct search_problem *problem, const struct cube3 *cube)
{
    unsigned corners, edges;
    cube3_count_in_place(cube, &corners, &edges);
    return problem->in_place[CUBE3_CORNERS] >> corners & problem->in_place[CUBE3_EDGES] >> edges &
           1;
}

/* Makes the children of parent p behind the first `count`; returns how many there are then. */
BASE_INLINE unsigned wide_expand(struct search_walk *walk, unsigned p, unsigned count)
{
    const struct search_problem *problem = walk->problem;
    struct search_wide *wide = walk->wide;
    const struct search_wide_node *parent = &wide->parent[p];
    const struct cube3_product *product = &wide->product->cube3->product;
    unsigned left = walk->length - parent->at - 1;
    uint32_t moves = wide_moves(walk, parent, left);
    struct search_wide_hint hints[SEARCH_WIDE_MAX_MOVES];
    for (unsigned c = 0; c < wide->n_classes; c++)
        wide_hint(parent, wide->class[c], left, product->n_axes, &hints[c]);
    walk->nodes += (unsigned)__builtin_popcount(moves);
    for (; moves; moves &= moves - 1) {
        unsigned move = (unsigned)__builtin_ctz(moves);
        const struct search_wide_hint *hint = &hints[wide->class_of[move]];
        struct search_wide_node *node = &wide->node[count];
        search_cube3_child(problem, (const uint8_t *)parent->cube, move, (uint8_t *)node->cube);
        memcpy(node->low, hint->low, sizeof node->low);
        memcpy(node->high, hint->high, sizeof node->high);
        wide->child[count] = (struct search_wide_child){.queue = hint->queue,
                                                        .parent = (uint8_t)p,
                                                        .move = (uint8_t)move,
                                                        .left = (uint8_t)left};
        count += left > 0 || wide_is_in_place(problem, &node->cube[0]);
    }
    return count;
}

/* ---- questions ---------------------------------------------------------------------------- */

/* Puts a child that is still in the running where it belongs. */
BASE_INLINE void wide_sort_in(struct search_wide *wide, unsigned i, bool alive)
{
    bool asked = (wide->child[i].queue & 15) == SEARCH_WIDE_NO_QUESTION;
    wide->active[wide->n_active] = wide->kept[wide->n_kept] = (uint16_t)i;
    wide->n_active += alive && !asked;
    wide->n_kept += alive && asked;
}

/* Reads an answer. Entries below the base have their minimum elsewhere in memory, which is looked
 * up only if it could prune. */
BASE_INLINE void wide_answer(struct search_wide *wide, unsigned i)
{
    const struct table *table = wide->product;
    struct search_wide_child *child = &wide->child[i];
    struct search_wide_node *node = &wide->node[i];
    unsigned question = child->queue & 15;
    unsigned code = table_product_code(table->entries, child->index);
    unsigned bound = wide->base - 1 + code;
    node->high[question] = (uint8_t)(code == 3 ? SEARCH_WIDE_UNKNOWN : bound);
    if (code == 0)
        bound = child->left + 1u < wide->base
                    ? table_product_minimum(table->product, table->entries, child->index)
                    : node->low[question];
    node->low[question] = (uint8_t)bound;
    child->queue >>= 4;
    wide->out_of_reach[child->parent] |= bound > child->left + 2u;
    wide_sort_in(wide, i, bound <= child->left && !wide->out_of_reach[child->parent]);
}

/* One question for every child that has one. */
BASE_INLINE void wide_round(struct search_wide *wide)
{
    const struct table *table = wide->product;
    unsigned n = wide->n_active;
    for (unsigned j = 0; j < n; j++) {
        unsigned i = wide->active[j], question = wide->child[i].queue & 15;
        uint64_t index =
            cube3_product_index(&table->cube3->product, question % SEARCH_WIDE_INVERSE,
                                &wide->node[i].cube[question / SEARCH_WIDE_INVERSE]);
        wide->child[i].index = index;
        __builtin_prefetch(search_cube3_line(table, index, SEARCH_CUBE3_PRODUCT));
    }
    wide->n_active = 0;
    for (unsigned j = 0; j < n; j++)
        wide_answer(wide, wide->active[j]);
}

/* Question q of another table, for every child that is kept. */
BASE_INLINE void wide_ask_as(struct search_wide *wide, const struct table *table, unsigned q,
                             enum search_cube3_layout layout)
{
    unsigned n = wide->n_kept;
    for (unsigned j = 0; j < n; j++) {
        unsigned i = wide->kept[j];
        wide->child[i].index = search_cube3_index(table->cube3, wide->node[i].cube, q);
        __builtin_prefetch(search_cube3_line(table, wide->child[i].index, layout));
    }
    wide->n_kept = 0;
    for (unsigned j = 0; j < n; j++) {
        unsigned i = wide->kept[j], left = wide->child[i].left;
        unsigned bound = search_cube3_answer(table, wide->child[i].index, layout);
        wide->out_of_reach[wide->child[i].parent] |= bound > left + 2;
        wide->kept[wide->n_kept] = (uint16_t)i;
        wide->n_kept += bound <= left;
    }
}

static inline void wide_ask_reference(struct search_wide *wide, const struct perm_shape *shape,
                                      const struct table *table)
{
    unsigned n = wide->n_kept;
    wide->n_kept = 0;
    for (unsigned j = 0; j < n; j++) {
        unsigned i = wide->kept[j];
        uint8_t state[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
        cube3_to_state(shape, &wide->node[i].cube[0], state);
        cube3_to_state(shape, &wide->node[i].cube[1], inverse);
        wide->kept[wide->n_kept] = (uint16_t)i;
        wide->n_kept += table_bound(table, state, inverse) <= wide->child[i].left;
    }
}

static inline void wide_ask(struct search_wide *wide, const struct perm_shape *shape,
                            const struct table *table, unsigned q)
{
    if (!table->cube3) {
        wide_ask_reference(wide, shape, table);
        return;
    }
    switch (search_cube3_layout_of(table)) {
    case SEARCH_CUBE3_NXOPT:
        wide_ask_as(wide, table, q, SEARCH_CUBE3_NXOPT);
        break;
    case SEARCH_CUBE3_TANS:
        wide_ask_as(wide, table, q, SEARCH_CUBE3_TANS);
        break;
    case SEARCH_CUBE3_PRODUCT:
        wide_ask_as(wide, table, q, SEARCH_CUBE3_PRODUCT);
        break;
    default:
        wide_ask_as(wide, table, q, SEARCH_CUBE3_BYTES);
    }
}

/* Has any child so few moves left that the table could answer more? */
static inline bool wide_may_prune(const struct search_wide *wide, unsigned most)
{
    for (unsigned j = 0; j < wide->n_kept; j++)
        if (wide->child[wide->kept[j]].left < most)
            return true;
    return false;
}

static inline void wide_ask_others(struct search_walk *walk)
{
    struct search_wide *wide = walk->wide;
    for (unsigned o = 0; o < wide->n_others; o++) {
        unsigned t = wide->other[o];
        const struct table *table = walk->problem->table[t];
        unsigned n = search_cube3_questions(table);
        for (unsigned q = 0; q < n && wide_may_prune(wide, wide->most[t]); q++) {
            walk->asked[t] += wide->n_kept;
            wide_ask(wide, walk->problem->shape, table, q);
        }
    }
}

/* ---- batches ------------------------------------------------------------------------------ */

/* A word that nothing excludes. */
static inline void wide_visit(struct search_walk *walk, const struct search_wide_node *parent,
                              unsigned move)
{
    struct search_wide *wide = walk->wide;
    memcpy(walk->word, parent->word, parent->at);
    walk->word[parent->at] = (uint8_t)move;
    walk->at = walk->length;
    if (!search_walk_visit_leaf(walk))
        return;
    if (!wide->has_first || memcmp(walk->word, wide->first, walk->length) < 0)
        memcpy(wide->first, walk->word, walk->length);
    wide->has_first = true;
}

/* Puts a child on the stack. */
BASE_INLINE void wide_push(struct search_walk *walk, unsigned i)
{
    struct search_wide *wide = walk->wide;
    const struct search_wide_child *child = &wide->child[i];
    const struct search_wide_node *parent = &wide->parent[child->parent];
    struct search_wide_node *node = &wide->stack[wide->top++];
    memcpy(node, &wide->node[i], offsetof(struct search_wide_node, row));
    memcpy(node->word, parent->word, sizeof node->word);
    node->word[parent->at] = child->move;
    node->at = (uint8_t)(parent->at + 1);
    node->canon =
        (uint16_t)canon_next(walk->problem->context->canon, parent->canon, child->move);
    node->row = walk->window ? sym_window_shift(walk->window, parent->row, child->move) : 0;
}

/* Takes the topmost nodes off the stack, without those behind the first word. Returns how many. */
BASE_INLINE unsigned wide_pop(struct search_walk *walk)
{
    struct search_wide *wide = walk->wide;
    unsigned room = wide->capacity - wide->top, count = 0;
    unsigned most =
        room > wide->capacity / 2 ? (unsigned)SEARCH_WIDE_BATCH : 1;
    while (wide->top > 0 && count < most) {
        const struct search_wide_node *node = &wide->stack[--wide->top];
        if (wide->has_first && memcmp(node->word, wide->first, node->at) > 0)
            continue;
        wide->out_of_reach[count] = false;
        wide->parent[count++] = *node;
    }
    return count;
}

BASE_INLINE void wide_batch(struct search_walk *walk)
{
    struct search_wide *wide = walk->wide;
    unsigned parents = wide_pop(walk), count = 0;
    for (unsigned p = 0; p < parents; p++)
        count = wide_expand(walk, p, count);
    wide->n_active = wide->n_kept = 0;
    for (unsigned i = 0; i < count; i++)
        wide_sort_in(wide, i, true);
    while (wide->n_active > 0) {
        walk->asked[wide->product_number] += wide->n_active;
        wide_round(wide);
    }
    wide_ask_others(walk);
    for (unsigned j = wide->n_kept; j-- > 0;) {
        unsigned i = wide->kept[j];
        const struct search_wide_child *child = &wide->child[i];
        if (wide->out_of_reach[child->parent])
            continue;
        if (child->left == 0)
            wide_visit(walk, &wide->parent[child->parent], child->move);
        else
            wide_push(walk, i);
    }
}

BASE_INLINE enum search_walk_result search_wide_run(struct search_walk *walk, uint64_t budget)
{
    const uint64_t end = walk->nodes + budget;
    while (walk->wide->top > 0) {
        if (walk->nodes >= end)
            return SEARCH_WALK_PAUSED;
        wide_batch(walk);
    }
    return walk->wide->has_first ? SEARCH_WALK_ENDED : SEARCH_WALK_DONE;
}

#endif
