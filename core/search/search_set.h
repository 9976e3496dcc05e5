/*
 * search_set.h - the solutions of a job: every word found, expanded to all words that are solutions
 * with it.
 *
 * A *class* is closed under swapping commuting neighbours and, for cycle jobs, rotation and
 * inversion, under the symmetries that keep the job. Replacing a factor of k moves by another word
 * of the same effect leads from class to class, because the window rule visits one word for all of
 * them. Every word is verified by the reference code before it is taken.
 */
#ifndef CORE_SEARCH_SEARCH_SET_H
#define CORE_SEARCH_SEARCH_SET_H

#include "core/search/search_problem.h"

struct search_set;

struct search_word {
    const uint8_t *move; /* length moves, borrowed until the next search_set_add */
    unsigned length;
    uint32_t class_index; /* in the order of finding, over all lengths */
};

struct search_set_counts {
    uint64_t sequences, canonical, classes;
};

/* New; `memory`: bytes that its words may take, 0: no limit. `problem` is borrowed.
 * BASE_ERR_NOMEM. */
int search_set_new(const struct search_problem *problem, uint64_t memory, struct search_set **out);
void search_set_free(struct search_set *set);

/* Adds a word of a solution with all its class and, with `replace`, the classes that replacement
 * leads to. 0; BASE_ERR_NOMEM; BASE_ERR_INTERNAL: a word that must be a solution is not;
 * BASE_ERR_MEMORY_LIMIT: there was no room for all of them, and the counts are too small. */
int search_set_add(struct search_set *set, const uint8_t *word, unsigned length, bool replace);

uint32_t search_set_classes(const struct search_set *set);

/* The easiest word of a class: least rank, then least text. */
void search_set_best(const struct search_set *set, uint32_t class_index, struct search_word *out,
                     double *rank);

void search_set_counts(const struct search_set *set, unsigned length,
                       struct search_set_counts *out);

uint64_t search_set_size(const struct search_set *set, unsigned length);
void search_set_word(const struct search_set *set, unsigned length, uint64_t index,
                     struct search_word *out);

/* Order of solutions of equal length and rank: by text. */
int search_word_compare_text(const struct puzzle *puzzle, const uint8_t *a, const uint8_t *b,
                             unsigned length);

#endif
