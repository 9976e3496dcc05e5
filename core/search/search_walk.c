/*
 * search_walk.c - what does not depend on the representation of states.
 */
#include "core/search/search_walk.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_mem.h"
#include "core/search/search_cube3_wide.h"
#include "core/search/search_walk_inl.h"

struct search_walk *search_walk_new(const struct search_problem *problem)
{
    size_t frame_bytes = 2 * problem->kernel->state_bytes;
    struct search_walk *walk = base_mem_new(sizeof *walk, 64);
    if (!walk)
        return NULL;
    walk->problem = problem;
    walk->states = base_mem_new((SEARCH_MAX_LENGTH + 1) * frame_bytes, 64);
    if (!walk->states) {
        base_mem_free(walk);
        return NULL;
    }
    return walk;
}

void search_walk_free(struct search_walk *walk)
{
    if (!walk)
        return;
    search_wide_free(walk->wide);
    base_mem_free(walk->states);
    base_mem_free(walk);
}

struct canon_moves search_window_moves(const struct sym_window *window, uint32_t row,
                                       unsigned least)
{
    struct canon_moves moves = {{~(uint64_t)0, ~(uint64_t)0}};
    walk_keep_ranks(window->rank + (size_t)row * window->n_moves, window->n_moves, least, &moves);
    return moves;
}

/* One leaf by the reference code. */
static void read_leaf(const struct search_walk *walk)
{
    const struct search_problem *problem = walk->problem;
    uint8_t state[PERM_MAX_BYTES];
    struct cycle_structure structure;
    uint32_t number;
    puzzle_apply_word(problem->puzzle, problem->start, walk->word, walk->length, state);
    cycle_of_state(problem->puzzle, state, &structure);
    if (cube3_structure_find(problem->context->structures, &structure, &number) == 0)
        walk->leaf.read(walk->leaf.arg, &number, 1);
}

bool search_walk_found(struct search_walk *walk)
{
    if (!walk->leaf.read)
        return walk->leaf.visit(walk->leaf.arg, walk);
    read_leaf(walk);
    return false;
}

bool search_walk_visit_leaf(struct search_walk *walk)
{
    if (walk->window && !sym_window_wraps(walk->window, walk->word, walk->length, walk->least))
        return false;
    return search_walk_found(walk);
}

/* Makes what a wide walk needs. If there is no memory for it the walk does without. */
static bool prepare_wide(struct search_walk *walk)
{
    if (!walk->wide)
        walk->wide = search_wide_new(walk->problem);
    return walk->wide != NULL;
}

void search_walk_place(struct search_walk *walk, const struct search_root *root,
                       const uint8_t *word, unsigned at)
{
    const struct search_problem *problem = walk->problem;
    uint8_t state[PERM_MAX_BYTES];
    walk->window = root->window;
    walk->least = root->least;
    walk->length = root->length;
    walk->task = root->task;
    walk->base = walk->at = at;
    memcpy(walk->word, word, at);
    for (unsigned j = 1; root->window && j < root->window->k; j++)
        walk->wrap[j] = sym_window_wrap_head(root->window, root->prefix, j);
    puzzle_apply_word(problem->puzzle, problem->start, word, at, state);
    problem->kernel->set_root(problem, state, walk->states + at * 2 * problem->kernel->state_bytes);
    walk->is_wide = search_wide_fits(problem, walk->length) && prepare_wide(walk);
}

bool search_walk_start(struct search_walk *walk, const struct search_root *root, bool *ended)
{
    const struct search_problem *problem = walk->problem;
    uint8_t state[PERM_MAX_BYTES];
    walk->nodes++;
    puzzle_apply_word(problem->puzzle, problem->start, root->prefix, root->prefix_length, state);
    *ended = false;
    if (search_problem_bound(problem, state) > root->length - root->prefix_length)
        return false;
    search_walk_place(walk, root, root->prefix, root->prefix_length);
    if (root->prefix_length == root->length) {
        *ended = search_walk_visit_leaf(walk);
        return false;
    }
    struct search_frame *frame = &walk->frame[walk->base];
    frame->canon = (uint16_t)root->canon;
    frame->row =
        root->window ? sym_window_word(root->window, root->prefix) % root->window->n_rows : 0;
    walk_set_todo(walk, frame);
    if (walk->is_wide)
        search_wide_start(walk);
    return true;
}

enum search_walk_result search_walk_run(struct search_walk *walk, uint64_t budget)
{
    const struct search_kernel *kernel = walk->problem->kernel;
    return walk->is_wide ? kernel->run_wide(walk, budget) : kernel->run(walk, budget);
}

static unsigned moves_count(const struct canon_moves *moves)
{
    unsigned count = 0;
    for (unsigned w = 0; w < BASE_COUNT(moves->bits); w++)
        count += (unsigned)__builtin_popcountll(moves->bits[w]);
    return count;
}

/* Takes the later half (rounded up) of the moves out of `todo`. */
static struct canon_moves moves_take_half(struct canon_moves *todo)
{
    struct canon_moves taken = {{0}};
    unsigned leave = moves_count(todo) / 2;
    for (unsigned w = 0; w < BASE_COUNT(todo->bits); w++) {
        uint64_t rest = todo->bits[w];
        for (; rest && leave; rest &= rest - 1)
            leave--;
        taken.bits[w] = rest;
        todo->bits[w] &= ~rest;
    }
    return taken;
}

/* The walk with nothing of its own, in the memory of the other. */
static void copy_walk(const struct search_walk *walk, struct search_walk *other)
{
    uint8_t *states = other->states;
    struct search_wide *wide = other->wide;
    *other = *walk;
    other->states = states;
    other->wide = wide;
    other->nodes = 0;
    memset(other->asked, 0, sizeof other->asked);
    other->next = NULL;
}

static bool split_wide(struct search_walk *walk, struct search_walk *other)
{
    if (!prepare_wide(other) || !search_wide_split(walk->wide, other->wide))
        return false;
    copy_walk(walk, other);
    return true;
}

bool search_walk_split(struct search_walk *walk, struct search_walk *other)
{
    if (walk->is_wide)
        return split_wide(walk, other);
    size_t frame_bytes = 2 * walk->problem->kernel->state_bytes;
    for (unsigned at = walk->base; at < walk->at; at++) {
        if (moves_count(&walk->frame[at].todo) == 0)
            continue;
        struct canon_moves taken = moves_take_half(&walk->frame[at].todo);
        copy_walk(walk, other);
        memcpy(other->states + at * frame_bytes, walk->states + at * frame_bytes, frame_bytes);
        other->base = other->at = at;
        other->frame[at].todo = taken;
        return true;
    }
    return false;
}

bool search_walk_is_behind(const struct search_walk *walk, const uint8_t *word)
{
    if (walk->is_wide)
        return search_wide_is_behind(walk->wide, word);
    return memcmp(walk->word, word, walk->at) > 0;
}
