/*
 * sym_window.h - window ranks: the tables of the window rule (design notes, "one word per class of
 * words").
 *
 * All words of k moves are grouped into classes by their effect, up to a group of symmetries and
 * inversion. Classes are ordered by size, largest first; the position is the *rank*. A word
 * whose effect a word of fewer moves has gets no rank and need never be visited by a search for an
 * optimum.
 *
 * A k-move word is addressed by its number in base n_moves, first move most significant.
 */
#ifndef CORE_SYM_SYM_WINDOW_H
#define CORE_SYM_SYM_WINDOW_H

#include <stdint.h>

#include "core/sym/sym.h"

enum { SYM_WINDOW_MAX_K = 4, SYM_WINDOW_NO_RANK = 0 };

struct sym_window {
    unsigned k;
    unsigned n_moves;
    unsigned n_classes;
    uint32_t n_words; /* n_moves ^ k */
    uint32_t n_rows;  /* n_moves ^ (k - 1) */
    uint16_t
        *rank; /* [word]: rank + 1, or SYM_WINDOW_NO_RANK; padded by 32 entries for wide loads */
    /* [j]: the same ranks, j in 1 .. k-1, in another order:
     * [the word's last j moves][its first k - 1 - j][the one between]; padded alike */
    uint16_t *wrap[SYM_WINDOW_MAX_K];
    uint8_t *prefix;        /* [class * k]: the representative word, least in its class */
    uint32_t *class_words;  /* [class]: ordered words in it */
    uint32_t n_effects;     /* distinct effects that no shorter word has */
    uint32_t *effect;       /* [word]: number of its effect, or UINT32_MAX */
    uint32_t *effect_first; /* [n_effects + 1]: into effect_words */
    uint32_t *effect_words; /* the words of each effect, ascending */
};

/* The window length for a move set: fixed, so that the answer of a job never depends on anything
 * else. */
unsigned sym_window_length(unsigned n_moves);

/* New. For the moves of the group's puzzle; the group decides which words are equivalent.
 * BASE_ERR_NOMEM. */
int sym_window_new(const struct sym_group *group, struct sym_window **out);
void sym_window_free(struct sym_window *window);

/* Number of the k-move word at `word`. */
static inline uint32_t sym_window_word(const struct sym_window *window, const uint8_t *word)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < window->k; i++)
        number = number * window->n_moves + word[i];
    return number;
}

/* Row after `move`: the number of the last k-1 moves, given that of the k-1 before. */
static inline uint32_t sym_window_shift(const struct sym_window *window, uint32_t row,
                                        unsigned move)
{
    return (row * window->n_moves + move) % window->n_rows;
}

/*
 * Ranks of the windows that cross the end of a cyclic word, j of whose moves are the word's first:
 * [the k - 1 - j moves before the last, as a number][the last move].
 */
static inline const uint16_t *sym_window_wrap_head(const struct sym_window *window,
                                                   const uint8_t *word, unsigned j)
{
    uint32_t row = 0;
    for (unsigned i = 0; i < window->k - 1; i++)
        row = row * window->n_moves + (i < j ? word[i] : 0);
    return window->wrap[j] + (size_t)row * window->n_moves;
}

/* Do all k-move windows of the cyclic word that cross its end have a rank of at least `least` (rank
 * + 1)? */
bool sym_window_wraps(const struct sym_window *window, const uint8_t *word, unsigned length,
                      unsigned least);

#endif
