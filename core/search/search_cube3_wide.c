/*
 * search_cube3_wide.c - what does not depend on the instruction set.
 */
#include "core/search/search_cube3_wide.h"

#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_mem.h"
#include "core/table/table_product_inl.h"

/* The largest product table whose entries lie as the fill writes them; -1: none. */
static int find_product(const struct search_problem *problem)
{
    int found = -1;
    for (unsigned t = 0; t < problem->n_tables; t++) {
        const struct table *table = problem->table[t];
        if (table->kind == TABLE_KIND_PRODUCT && !table->codec && table->cube3 &&
            (found < 0 || table->product->bytes > problem->table[found]->product->bytes))
            found = (int)t;
    }
    return found;
}

bool search_wide_fits(const struct search_problem *problem, unsigned length)
{
    return problem->kernel->run_wide && problem->n_moves <= SEARCH_WIDE_MAX_MOVES &&
           length <= SEARCH_WIDE_MAX_LENGTH && find_product(problem) >= 0;
}

/* A batch adds at most BATCH * n_moves nodes. When so little room is left, batches are of one node,
 * and a search depth first keeps at most n_moves nodes a level. */
static unsigned stack_capacity(const struct search_problem *problem)
{
    return 2 * (SEARCH_WIDE_MAX_LENGTH + 1) * SEARCH_WIDE_BATCH * problem->n_moves;
}

struct search_wide *search_wide_new(const struct search_problem *problem)
{
    struct search_wide *wide = base_mem_new(sizeof *wide, 64);
    if (!wide)
        return NULL;
    wide->capacity = stack_capacity(problem);
    wide->batch = SEARCH_WIDE_BATCH;
    wide->stack = base_mem_new(wide->capacity * sizeof *wide->stack, 64);
    if (!wide->stack) {
        base_mem_free(wide);
        return NULL;
    }
    return wide;
}

void search_wide_free(struct search_wide *wide)
{
    if (!wide)
        return;
    base_mem_free(wide->stack);
    base_mem_free(wide);
}

/* ---- what is known of tables and moves ---------------------------------------------------- */

/* A coarse product knows nothing that the fine one does not, but for entries below the base. */
static bool is_asked_too(const struct search_wide *wide, const struct table *table)
{
    return table != wide->product && !(table->kind == TABLE_KIND_PRODUCT &&
                                       wide->product->product->fine && !table->product->fine);
}

/* The largest answer that at least one entry in RARE has or exceeds: of children with as many moves
 * left the table would exclude almost none, for the price of a read of memory each. */
static uint8_t largest_common_answer(const struct table *table)
{
    enum { RARE = 64 };
    uint64_t histogram[TABLE_HISTOGRAM_SIZE], all = 0, above = 0;
    if (!table->file)
        return UINT8_MAX;
    unsigned most = (unsigned)table_file_layers(table->file);
    if (table->kind == TABLE_KIND_PRODUCT || most == 0)
        return (uint8_t)most; /* the last layers are not counted */
    table_file_histogram(table->file, histogram);
    for (unsigned d = 0; d < most; d++)
        all += histogram[d];
    do
        above += histogram[--most];
    while (most > 0 && above < all / RARE);
    return (uint8_t)most;
}

static void choose_tables(struct search_wide *wide, const struct search_problem *problem)
{
    wide->product_number = (unsigned)find_product(problem);
    wide->product = problem->table[wide->product_number];
    wide->base = table_product_base(wide->product->product, wide->product->entries);
    wide->is_consistent = wide->product->product->flip_bits == TABLE_PRODUCT_FLIP_BITS;
    wide->n_others = 0;
    for (unsigned t = 0; t < problem->n_tables; t++) {
        const struct table *table = problem->table[t];
        if (!is_asked_too(wide, table))
            continue;
        wide->other[wide->n_others++] = (uint8_t)t;
        wide->most[t] = largest_common_answer(table);
    }
}

/* Do two moves lead to the same answers for the inverse, along all axes? */
static bool do_the_same(const struct cube3_product *product, unsigned m, unsigned n)
{
    for (unsigned a = 0; a < product->n_axes; a++)
        if (!(product->same[a][m] >> n & 1))
            return false;
    return true;
}

static void classify_move(struct search_wide *wide, const struct cube3_product *product, unsigned m)
{
    for (unsigned c = 0; c < wide->n_classes; c++)
        if (do_the_same(product, (unsigned)__builtin_ctz(wide->class[c].moves), m)) {
            wide->class[c].moves |= 1u << m;
            return;
        }
    struct search_wide_class *class = &wide->class[wide->n_classes++];
    *class = (struct search_wide_class){.moves = 1u << m};
    for (unsigned a = 0; a < product->n_axes; a++)
        class->keeps |= (uint8_t)((product->keeps[a] >> m & 1) << a);
}

static void classify_moves(struct search_wide *wide, unsigned n_moves)
{
    wide->n_classes = 0;
    for (unsigned m = 0; m < n_moves; m++)
        classify_move(wide, &wide->product->cube3->product, m);
}

/* ---- walks -------------------------------------------------------------------------------- */

/* Empties the stack. */
static void wide_begin(struct search_walk *walk)
{
    struct search_wide *wide = walk->wide;
    choose_tables(wide, walk->problem);
    classify_moves(wide, walk->problem->n_moves);
    wide->top = 0;
    wide->has_first = false;
}

/* A node of which nothing is known yet, on top of the stack, to be filled in. */
static struct search_wide_node *push_unknown(struct search_wide *wide)
{
    struct search_wide_node *node = &wide->stack[wide->top++];
    memset(node, 0, sizeof *node);
    for (unsigned side = 0; side < 2; side++)
        memset(node->known[side].high, SEARCH_WIDE_UNKNOWN, sizeof node->known[side].high);
    return node;
}

void search_wide_start(struct search_walk *walk)
{
    const struct search_frame *frame = &walk->frame[walk->base];
    wide_begin(walk);
    struct search_wide_node *root = push_unknown(walk->wide);
    memcpy(root->cube, walk->states + walk->base * sizeof root->cube, sizeof root->cube);
    memcpy(root->word, walk->word, walk->base);
    root->row = frame->row;
    root->canon = frame->canon;
    root->at = (uint8_t)walk->base;
}

static void push_child(struct search_walk *walk, unsigned move)
{
    const struct search_problem *problem = walk->problem;
    const struct search_frame *frame = &walk->frame[walk->base];
    struct search_wide_node *node = push_unknown(walk->wide);
    uint8_t state[PERM_MAX_BYTES];
    memcpy(node->word, walk->word, walk->base);
    node->word[walk->base] = (uint8_t)move;
    node->at = (uint8_t)(walk->base + 1);
    node->canon = (uint16_t)canon_next(problem->context->canon, frame->canon, move);
    node->row = walk->window ? sym_window_shift(walk->window, frame->row, move) : 0;
    puzzle_apply_word(problem->puzzle, problem->start, node->word, node->at, state);
    problem->kernel->set_root(problem, state, (uint8_t *)node->cube);
}

void search_wide_resume(struct search_walk *walk)
{
    const struct canon_moves *todo = &walk->frame[walk->base].todo;
    bool leaves = walk->base + 1 == walk->length, ended = false;
    wide_begin(walk);
    for (unsigned move = 0; move < walk->problem->n_moves && !ended; move++) {
        if (!canon_moves_has(todo, move))
            continue;
        if (!leaves) {
            push_child(walk, move);
            continue;
        }
        walk->word[walk->base] = (uint8_t)move;
        walk->at = walk->length;
        ended = search_walk_visit_leaf(walk);
    }
}

/* Nodes that have one parent lie side by side: they are one branch, the parent's. */
static bool have_one_parent(const struct search_wide_node *a, const struct search_wide_node *b)
{
    return a->at == b->at && memcmp(a->word, b->word, a->at - 1U) == 0;
}

static bool is_behind_first(const struct search_wide *wide, const struct search_wide_node *node)
{
    return wide->has_first && memcmp(node->word, wide->first, node->at) > 0;
}

/* The root itself, which no parent has. */
static void visit_root(const struct search_walk *walk, const struct search_wide_node *root,
                       const struct search_branch_visitor *visitor)
{
    struct search_branch branch = {.task = walk->task, .at = root->at};
    memcpy(branch.word, root->word, root->at);
    branch.todo = walk->frame[walk->base].todo;
    if (branch.todo.bits[0] != 0) /* of SEARCH_WIDE_MAX_MOVES */
        visitor->visit(visitor->arg, &branch);
}

void search_wide_visit_branches(const struct search_walk *walk,
                                const struct search_branch_visitor *visitor)
{
    const struct search_wide *wide = walk->wide;
    for (unsigned i = 0; i < wide->top;) {
        const struct search_wide_node *first = &wide->stack[i];
        struct search_branch branch = {.task = walk->task};
        if (first->at == walk->base) {
            visit_root(walk, first, visitor);
            i++;
            continue;
        }
        branch.at = (uint8_t)(first->at - 1);
        memcpy(branch.word, first->word, branch.at);
        bool any = false;
        for (; i < wide->top && have_one_parent(first, &wide->stack[i]); i++) {
            unsigned move = wide->stack[i].word[branch.at];
            if (is_behind_first(wide, &wide->stack[i]))
                continue;
            branch.todo.bits[move >> 6] |= (uint64_t)1 << (move & 63);
            any = true;
        }
        if (any)
            visitor->visit(visitor->arg, &branch);
    }
}

bool search_wide_split(struct search_wide *wide, struct search_wide *other)
{
    unsigned count = wide->top / 2;
    if (count == 0)
        return false;
    struct search_wide_node *stack = other->stack;
    memcpy(stack, wide->stack, count * sizeof *stack);
    memmove(wide->stack, wide->stack + count, (wide->top - count) * sizeof *stack);
    wide->top -= count;
    *other = *wide;
    other->stack = stack;
    other->top = count;
    return true;
}

bool search_wide_is_behind(const struct search_wide *wide, const uint8_t *word)
{
    for (unsigned i = 0; i < wide->top; i++)
        if (memcmp(wide->stack[i].word, word, wide->stack[i].at) <= 0)
            return false;
    return true;
}
