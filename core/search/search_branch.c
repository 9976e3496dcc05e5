/*
 * search_branch.c - walks to branches and back.
 */
#include "core/search/search_branch.h"

#include <string.h>

#include "core/search/search_cube3_wide.h"

static bool is_empty(const struct canon_moves *moves)
{
    uint64_t any = 0;
    for (unsigned w = 0; w < BASE_COUNT(moves->bits); w++)
        any |= moves->bits[w];
    return any == 0;
}

/* ---- out ---------------------------------------------------------------------------------- */

void search_walk_visit_branches(const struct search_walk *walk,
                                const struct search_branch_visitor *visitor)
{
    struct search_branch branch = {.task = walk->task};
    if (walk->is_wide) {
        search_wide_visit_branches(walk, visitor);
        return;
    }
    memcpy(branch.word, walk->word, walk->at);
    for (unsigned at = walk->base; at <= walk->at; at++) {
        branch.at = (uint8_t)at;
        branch.todo = walk->frame[at].todo;
        if (!is_empty(&branch.todo))
            visitor->visit(visitor->arg, &branch);
    }
}

/* ---- in ----------------------------------------------------------------------------------- */

/* Where the machine and the rule are behind a word. */
struct place {
    unsigned canon;
    uint32_t row;
};

static struct canon_moves allowed_moves(const struct search_problem *problem,
                                        const struct search_root *root, const struct place *place)
{
    struct canon_moves moves = problem->context->canon->allowed[place->canon];
    if (root->window) {
        struct canon_moves ranked = search_window_moves(root->window, place->row, root->least);
        for (unsigned w = 0; w < BASE_COUNT(moves.bits); w++)
            moves.bits[w] &= ranked.bits[w];
    }
    return moves;
}

/* Follows `word` from the root. False: machine or rule forbid a move. */
static bool follow(const struct search_problem *problem, const struct search_root *root,
                   const uint8_t *word, unsigned length, struct place *place)
{
    const struct sym_window *window = root->window;
    place->canon = root->canon;
    place->row = window ? sym_window_word(window, root->prefix) % window->n_rows : 0;
    if (length < root->prefix_length || memcmp(word, root->prefix, root->prefix_length) != 0)
        return false;
    for (unsigned i = root->prefix_length; i < length; i++) {
        struct canon_moves allowed = allowed_moves(problem, root, place);
        if (word[i] >= problem->n_moves || !canon_moves_has(&allowed, word[i]))
            return false;
        place->canon = canon_next(problem->context->canon, place->canon, word[i]);
        place->row = window ? sym_window_shift(window, place->row, word[i]) : 0;
    }
    return true;
}

bool search_branch_is_valid(const struct search_problem *problem, const struct search_root *root,
                            const struct search_branch *branch)
{
    struct place place;
    if (branch->at >= root->length || is_empty(&branch->todo) ||
        !follow(problem, root, branch->word, branch->at, &place))
        return false;
    struct canon_moves allowed = allowed_moves(problem, root, &place);
    for (unsigned w = 0; w < BASE_COUNT(allowed.bits); w++)
        if (branch->todo.bits[w] & ~allowed.bits[w])
            return false;
    return true;
}

bool search_branch_is_solution(const struct search_problem *problem, const struct search_root *root,
                               const uint8_t *word)
{
    struct place place;
    uint8_t state[PERM_MAX_BYTES];
    if (!follow(problem, root, word, root->length, &place))
        return false;
    if (root->window && !sym_window_wraps(root->window, word, root->length, root->least))
        return false;
    puzzle_apply_word(problem->puzzle, problem->start, word, root->length, state);
    return search_problem_is_target(problem, state);
}

void search_walk_resume(struct search_walk *walk, const struct search_root *root,
                        const struct search_branch *branch)
{
    struct search_frame *frame = &walk->frame[branch->at];
    struct place place = {0};
    follow(walk->problem, root, branch->word, branch->at, &place);
    search_walk_place(walk, root, branch->word, branch->at);
    frame->canon = (uint16_t)place.canon;
    frame->row = place.row;
    frame->todo = branch->todo;
    frame->judged = false;
    if (walk->is_wide)
        search_wide_resume(walk);
}
