/*
 * support_words.h - brute force over words: all of one length that solve a job, and how many they
 * are up to the relations of the search notes. No machine of canonical sequences, no window rule,
 * no table: every sequence is tried.
 */
#ifndef TESTS_SUPPORT_SUPPORT_WORDS_H
#define TESTS_SUPPORT_SUPPORT_WORDS_H

#include "core/engine/engine_job.h"
#include "core/sym/sym.h"

struct support_words {
    const struct puzzle *puzzle; /* borrowed */
    unsigned length;
    size_t count;
    uint8_t *word; /* [count * length], ascending */
    size_t capacity;
};

/* All words of `length` moves that lead from the spec's start to a target and in which no two moves
 * of one family can be brought together and be one move, or none. */
void support_words_init(struct support_words *words, const struct engine_spec *spec,
                        unsigned length);
void support_words_deinit(struct support_words *words);

/* How many they are up to exchanging neighbours that commute. */
uint64_t support_words_canonical(const struct support_words *words);

/* Up to that, the symmetries of `group`, and where `is_cycle_job` rotation and inversion. */
uint64_t support_words_classes(const struct support_words *words, const struct sym_group *group,
                               bool is_cycle_job);

/* Is this word one of them? */
bool support_words_have(const struct support_words *words, const uint8_t *word);

#endif
