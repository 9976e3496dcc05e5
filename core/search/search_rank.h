/*
 * search_rank.h - how easy a word is to execute by hand.
 */
#ifndef CORE_SEARCH_SEARCH_RANK_H
#define CORE_SEARCH_SEARCH_RANK_H

#include "core/puzzle/puzzle.h"

/*
 * A movement-count coefficient: the sum of what the moves cost, smaller is easier.
 *
 *   face     U R 1.0   F 1.2   L D 1.3   B 1.8   any other 1.5   (the right hand at home grip)
 *   amount   a quarter (or fifth, ...) forwards 1.0, backwards 1.05, more than one step 1.3
 *   change   0.25 when neither this face nor the one before is U: the hand must let go
 *
 * Names decide the face: the first letter of the move. In the spirit of Trangium's MCC, much
 * simplified.
 */
double search_rank(const struct puzzle *puzzle, const uint8_t *word, unsigned length);

#endif
