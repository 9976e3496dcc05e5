/*
 * search_cube3_wide_inl.h - the batches of a wide walk, for the instruction set of the including
 * file.
 */
#ifndef CORE_SEARCH_SEARCH_CUBE3_WIDE_INL_H
#define CORE_SEARCH_SEARCH_CUBE3_WIDE_INL_H

#include <string.h>

#include "core/search/search_cube3_inl.h"
#include "core/search/search_cube3_wide.h"
#include "core/table/table_product_inl.h"

/* ---- what is known before anything is asked ------------------------------------------------ */

enum { WIDE_NO_AXIS = 3, WIDE_EMPTY = 255 };

struct wide_queue {
    unsigned axes, count;
};

BASE_INLINE void wide_enqueue(struct wide_queue *queue, unsigned axis, bool wanted)
{
    queue->axes ^= wanted ? (axis ^ WIDE_NO_AXIS) << 2 * queue->count : 0;
    queue->count += wanted;
}

/* Can the table say more than `left` at all? */
BASE_INLINE bool wide_is_worth_asking(const struct search_wide *wide, unsigned left)
{
    return left <= wide->base + 2;
}

/* The questions of the children's states: first those whose answer for the parent was all that it
 * had left, which is the likeliest to stay. */
BASE_INLINE void wide_begin_states(struct search_wide *wide, unsigned p, unsigned left)
{
    const struct search_wide_known *known = &wide->parent[p].known[0];
    unsigned n_axes = wide->product->cube3->product.n_axes;
    struct search_wide_item *own = &wide->own[p];
    struct wide_queue queue = {WIDE_EMPTY, 0};
    for (unsigned a = 0; a < n_axes; a++) {
        own->known.low[a] = (uint8_t)(known->low[a] - (known->low[a] > 0));
        own->known.high[a] =
            wide->is_consistent ? (uint8_t)(known->high[a] + (known->high[a] < SEARCH_WIDE_UNKNOWN))
                                : (uint8_t)SEARCH_WIDE_UNKNOWN;
        wide_enqueue(&queue, a, known->low[a] > left);
    }
    for (unsigned a = 0; a < n_axes; a++)
        wide_enqueue(&queue, a, known->low[a] <= left && own->known.high[a] > left);
    own->queue = (uint8_t)(wide_is_worth_asking(wide, left) ? queue.axes : (unsigned)WIDE_EMPTY);
    own->parent = (uint8_t)p;
    own->left = (uint8_t)left;
}

/* The questions of a group's inverses: those whose answer is not that of the parent's inverse, or
 * is because the parent was too far away to be asked. */
BASE_INLINE void wide_begin_inverses(const struct search_wide *wide,
                                     const struct search_wide_known *parent,
                                     const struct search_wide_class *class,
                                     struct search_wide_item *group)
{
    unsigned n_axes = wide->product->cube3->product.n_axes;
    struct wide_queue queue = {WIDE_EMPTY, 0};
    for (unsigned a = 0; a < n_axes; a++) {
        bool keeps = class->keeps >> a & 1;
        bool unknown = parent->high[a] == SEARCH_WIDE_UNKNOWN && parent->low[a] == 0;
        group->known.low[a] = keeps ? parent->low[a] : 0;
        group->known.high[a] = keeps ? parent->high[a] : (uint8_t)SEARCH_WIDE_UNKNOWN;
        wide_enqueue(&queue, a, !keeps || unknown);
    }
    bool worth = wide_is_worth_asking(wide, group->left);
    group->queue = (uint8_t)(worth ? queue.axes : (unsigned)WIDE_EMPTY);
}

/* ---- questions ---------------------------------------------------------------------------- */

/* Puts an item that is still in the running where it belongs. */
BASE_INLINE void wide_sort_in(struct search_wide *wide, const struct search_wide_item *item,
                              unsigned i, bool alive)
{
    bool asked = (item->queue & 3) == WIDE_NO_AXIS;
    wide->active[wide->n_active] = wide->kept[wide->n_kept] = (uint16_t)i;
    wide->n_active += alive && !asked;
    wide->n_kept += alive && asked;
}

/* Reads an answer. Entries below the base have their minimum elsewhere in memory, which is looked
 * up only if it could prune. */
BASE_INLINE void wide_answer(struct search_wide *wide, struct search_wide_item *item, unsigned i)
{
    const struct table *table = wide->product;
    unsigned axis = item->queue & 3;
    unsigned code = table_product_code(table->entries, item->index);
    unsigned bound = wide->base - 1 + code;
    item->known.high[axis] = (uint8_t)(code == 3 ? (unsigned)SEARCH_WIDE_UNKNOWN : bound);
    if (code == 0)
        bound = item->left + 1u < wide->base
                    ? table_product_minimum(table->product, table->entries, item->index)
                    : item->known.low[axis];
    item->known.low[axis] = (uint8_t)bound;
    item->queue = (uint8_t)(item->queue >> 2 | WIDE_NO_AXIS << 6);
    wide->out_of_reach[item->parent] |= bound > item->left + 2u;
    wide_sort_in(wide, item, i, bound <= item->left);
}

/* Asks the items that have a question one each, until none has. */
BASE_INLINE void wide_ask_product(struct search_walk *walk, struct search_wide_item *items)
{
    struct search_wide *wide = walk->wide;
    const struct table *table = wide->product;
    const struct cube3_product *product = &table->cube3->product;
    while (wide->n_active > 0) {
        unsigned n = wide->n_active;
        for (unsigned j = 0; j < n; j++) {
            struct search_wide_item *item = &items[wide->active[j]];
            item->index = cube3_product_part(product, item->queue & 3, &item->cube);
            __builtin_prefetch(&product->class_of[item->index]);
        }
        for (unsigned j = 0; j < n; j++) {
            struct search_wide_item *item = &items[wide->active[j]];
            item->index = cube3_product_join(product, item->queue & 3, &item->cube,
                                             product->class_of[item->index]);
            wide->line[j] = search_cube3_line(table, item->index, SEARCH_CUBE3_PRODUCT);
        }
        for (unsigned j = 0; j < n; j++)
            __builtin_prefetch(wide->line[j], 0, 0);
        wide->n_active = 0;
        for (unsigned j = 0; j < n; j++)
            wide_answer(wide, &items[wide->active[j]], wide->active[j]);
        walk->asked[wide->product_number] += n;
    }
}

/* Question q of another table, for the children that it could exclude. Returns for how many. */
BASE_INLINE unsigned wide_ask_as(struct search_wide *wide, const struct table *table, unsigned q,
                                 unsigned most, enum search_cube3_layout layout)
{
    unsigned n = wide->n_kept, n_asked = 0;
    for (unsigned j = 0; j < n; j++) {
        unsigned i = wide->kept[j];
        if (wide->child[i].left >= most)
            continue;
        wide->child[i].index = search_cube3_index(table->cube3, wide->node[i].cube, q);
        __builtin_prefetch(search_cube3_line(table, wide->child[i].index, layout));
        n_asked++;
    }
    wide->n_kept = 0;
    for (unsigned j = 0; j < n; j++) {
        unsigned i = wide->kept[j], left = wide->child[i].left, bound = 0;
        if (left < most)
            bound = search_cube3_answer(table, wide->child[i].index, layout);
        wide->out_of_reach[wide->child[i].parent] |= bound > left + 2;
        wide->kept[wide->n_kept] = (uint16_t)i;
        wide->n_kept += bound <= left;
    }
    return n_asked;
}

static inline unsigned wide_ask_reference(struct search_wide *wide, const struct perm_shape *shape,
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
    return n;
}

static inline unsigned wide_ask(struct search_wide *wide, const struct perm_shape *shape,
                                const struct table *table, unsigned q, unsigned most)
{
    if (!table->cube3)
        return wide_ask_reference(wide, shape, table);
    switch (search_cube3_layout_of(table)) {
    case SEARCH_CUBE3_NXOPT:
        return wide_ask_as(wide, table, q, most, SEARCH_CUBE3_NXOPT);
    case SEARCH_CUBE3_TANS:
        return wide_ask_as(wide, table, q, most, SEARCH_CUBE3_TANS);
    case SEARCH_CUBE3_PRODUCT:
        return wide_ask_as(wide, table, q, most, SEARCH_CUBE3_PRODUCT);
    default:
        return wide_ask_as(wide, table, q, most, SEARCH_CUBE3_BYTES);
    }
}

/* Has any child so few moves left that the table is worth a question? */
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
        for (unsigned q = 0; q < n && wide_may_prune(wide, wide->most[t]); q++)
            walk->asked[t] += wide_ask(wide, walk->problem->shape, table, q, wide->most[t]);
    }
}

/* ---- batches ------------------------------------------------------------------------------ */

/* The moves that the machine and the rule allow. */
BASE_INLINE uint32_t wide_moves(const struct search_walk *walk,
                                const struct search_wide_node *parent)
{
    uint32_t moves = (uint32_t)walk->problem->context->canon->allowed[parent->canon].bits[0];
    if (walk->window)
        moves &= (uint32_t)search_window_moves(walk->window, parent->row, walk->least).bits[0];
    return moves;
}

/* Does the class leave an answer alone that is too high for the children? */
BASE_INLINE bool wide_is_excluded(const struct search_wide_class *class,
                                  const struct search_wide_known *inverse, unsigned left)
{
    bool excluded = false;
    for (unsigned a = 0; a < CUBE3_MAX_AXES; a++)
        excluded |= (class->keeps >> a & 1) && inverse->low[a] > left;
    return excluded;
}

/* Makes the groups of parent p behind the first `count`; returns how many there are then. */
BASE_INLINE unsigned wide_expand(struct search_walk *walk, unsigned p, unsigned count)
{
    struct search_wide *wide = walk->wide;
    const struct search_problem *problem = walk->problem;
    const struct search_wide_node *parent = &wide->parent[p];
    unsigned left = walk->length - parent->at - 1;
    uint32_t moves = wide_moves(walk, parent);
    wide_begin_states(wide, p, left);
    for (unsigned c = 0; c < wide->n_classes; c++) {
        const struct search_wide_class *class = &wide->class[c];
        struct search_wide_item *group = &wide->group[count];
        group->moves = moves & class->moves;
        if (group->moves == 0 || wide_is_excluded(class, &parent->known[1], left))
            continue;
        unsigned first = (unsigned)__builtin_ctz(group->moves);
        cube3_compose(&problem->cube3_moves[problem->n_moves + first], &parent->cube[1],
                      &group->cube);
        group->parent = (uint8_t)p;
        group->left = (uint8_t)left;
        wide_begin_inverses(wide, &parent->known[1], class, group);
        walk->nodes += (unsigned)__builtin_popcount(group->moves);
        wide_sort_in(wide, group, count++, true);
    }
    return count;
}

BASE_INLINE bool wide_is_in_place(const struct search_problem *problem, const struct cube3 *cube)
{
    unsigned corners, edges;
    cube3_count_in_place(cube, &corners, &edges);
    return problem->in_place[CUBE3_CORNERS] >> corners & problem->in_place[CUBE3_EDGES] >> edges &
           1;
}

/* Composes the states of the groups that have passed. */
BASE_INLINE void wide_make_children(struct search_walk *walk)
{
    struct search_wide *wide = walk->wide;
    const struct search_problem *problem = walk->problem;
    unsigned n_groups = wide->n_kept, count = 0;
    uint16_t groups[SEARCH_WIDE_MAX_CHILDREN];
    memcpy(groups, wide->kept, n_groups * sizeof *groups);
    wide->n_active = wide->n_kept = 0;
    for (unsigned j = 0; j < n_groups; j++) {
        const struct search_wide_item *group = &wide->group[groups[j]];
        if (wide->out_of_reach[group->parent])
            continue;
        for (uint32_t rest = group->moves; rest; rest &= rest - 1) {
            unsigned move = (unsigned)__builtin_ctz(rest);
            struct search_wide_item *child = &wide->child[count];
            *child = wide->own[group->parent];
            cube3_compose(&wide->parent[group->parent].cube[0], &problem->cube3_moves[move],
                          &child->cube);
            child->group = groups[j];
            child->move = (uint8_t)move;
            if (child->left > 0 || wide_is_in_place(problem, &child->cube))
                wide_sort_in(wide, child, count++, true);
        }
    }
}

/* Makes nodes of the children that have passed. */
BASE_INLINE void wide_make_nodes(struct search_walk *walk)
{
    struct search_wide *wide = walk->wide;
    const struct search_problem *problem = walk->problem;
    for (unsigned j = 0; j < wide->n_kept; j++) {
        unsigned i = wide->kept[j];
        const struct search_wide_item *child = &wide->child[i];
        const struct search_wide_node *parent = &wide->parent[child->parent];
        struct search_wide_node *node = &wide->node[i];
        node->cube[0] = child->cube;
        cube3_compose(&problem->cube3_moves[problem->n_moves + child->move], &parent->cube[1],
                      &node->cube[1]);
        node->known[0] = child->known;
        node->known[1] = wide->group[child->group].known;
    }
}

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
    const struct search_wide_item *child = &wide->child[i];
    const struct search_wide_node *parent = &wide->parent[child->parent];
    struct search_wide_node *node = &wide->stack[wide->top++];
    memcpy(node, &wide->node[i], offsetof(struct search_wide_node, row));
    memcpy(node->word, parent->word, sizeof node->word);
    node->word[parent->at] = child->move;
    node->at = (uint8_t)(parent->at + 1);
    node->canon = (uint16_t)canon_next(walk->problem->context->canon, parent->canon, child->move);
    node->row = walk->window ? sym_window_shift(walk->window, parent->row, child->move) : 0;
}

/* Takes the topmost nodes off the stack, without those behind the first word. Returns how many. */
BASE_INLINE unsigned wide_pop(struct search_wide *wide)
{
    unsigned most = wide->top < wide->capacity / 2 ? wide->batch : 1, count = 0;
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
    unsigned parents = wide_pop(wide), count = 0;
    wide->n_active = wide->n_kept = 0;
    for (unsigned p = 0; p < parents; p++)
        count = wide_expand(walk, p, count);
    wide_ask_product(walk, wide->group);
    wide_make_children(walk);
    wide_ask_product(walk, wide->child);
    wide_make_nodes(walk);
    wide_ask_others(walk);
    for (unsigned j = wide->n_kept; j-- > 0;) {
        const struct search_wide_item *child = &wide->child[wide->kept[j]];
        if (wide->out_of_reach[child->parent])
            continue;
        if (child->left == 0)
            wide_visit(walk, &wide->parent[child->parent], child->move);
        else
            wide_push(walk, wide->kept[j]);
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
