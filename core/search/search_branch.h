/*
 * search_branch.h - what is left of a walk, as words and the moves that are still to be tried
 * behind them. So a search can be written down and gone on with elsewhere, by walks of another kind
 * and with other tables:
 *
 *     branch:  word[0] ... word[at-1] | todo
 *
 * The branches of a walk hold every word that it has not visited, and perhaps some children that it
 * has judged already: they are judged again, nothing is left out.
 */
#ifndef CORE_SEARCH_SEARCH_BRANCH_H
#define CORE_SEARCH_SEARCH_BRANCH_H

#include "core/search/search_walk.h"

struct search_branch {
    uint32_t task;
    uint8_t at; /* moves of the word; at least those of the task's prefix */
    uint8_t word[PUZZLE_MAX_WORD];
    struct canon_moves todo; /* not empty */
};

struct search_branch_visitor {
    void (*visit)(void *arg, const struct search_branch *branch);
    void *arg;
};

/* Calls `visit` for all branches of a walk that is not running. */
void search_walk_visit_branches(const struct search_walk *walk,
                                const struct search_branch_visitor *visitor);

/* Puts a walk at a branch of the root's task, which is valid. The bounds have no say here: the
 * children are judged when the walk runs. */
void search_walk_resume(struct search_walk *walk, const struct search_root *root,
                        const struct search_branch *branch);

/* Can a walk from the root come to the word, and from there try these moves? */
bool search_branch_is_valid(const struct search_problem *problem, const struct search_root *root,
                            const struct search_branch *branch);

/* Can a walk from the root come to this word of its full length, and does it solve? */
bool search_branch_is_solution(const struct search_problem *problem, const struct search_root *root,
                               const uint8_t *word);

#endif
