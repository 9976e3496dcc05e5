/*
 * search_beam.h - solutions that need not be the shortest, soon: what a job can offer while it is
 * still proving that nothing shorter exists.
 *
 * A *beam* goes from the start towards the target, a move at a time, and keeps of all states it
 * could go to the few that look nearest: those for which the sum of the bounds of all tables is
 * least. From each state it keeps it also walks a few moves ahead, depth first and with the kernel
 * of the search, to words that are shorter than the best known one.
 *
 *     round   width   levels
 *       0       64    0 1 2 ... until no state may lead to a shorter word
 *       1      256    0 1 2 ...          each costs four times as much as the one before,
 *       4   16 384    0 1 2 ...          until memory forbids
 *       5   16 384    0 1 2 ...          with other states where many look equally near
 *
 * A beam proves nothing, and knows nothing of the search beside it. What it does follows from the
 * problem, its tables and the limits alone; how much of it is done is up to the caller.
 */
#ifndef CORE_SEARCH_SEARCH_BEAM_H
#define CORE_SEARCH_SEARCH_BEAM_H

#include "core/search/search_problem.h"

struct search_beam;

enum search_beam_result {
    SEARCH_BEAM_PAUSED,
    SEARCH_BEAM_FOUND, /* a word: search_beam_word */
    SEARCH_BEAM_FAILED /* out of memory: it cannot go on */
};

struct search_beam_word {
    uint8_t length;
    uint8_t move[PUZZLE_MAX_WORD];
};

/* New. The problem is copied; what it borrows outlives the beam. Words of `most` moves at most
 * (<= SEARCH_MAX_LENGTH) are looked for. NULL: out of memory. */
struct search_beam *search_beam_new(const struct search_problem *problem, unsigned most);
void search_beam_free(struct search_beam *beam); /* NULL is allowed */

/* Goes on until base_clock_ns() has passed `until_ns`, or a word is found, of `least` moves or
 * more: from then on only shorter ones are looked for. */
enum search_beam_result search_beam_run(struct search_beam *beam, unsigned least,
                                        uint64_t until_ns);

/* From now on words of more than `most` moves are of no interest. */
void search_beam_lower(struct search_beam *beam, unsigned most);

/* The word found last. It leads to the target: the reference code has said so. */
const struct search_beam_word *search_beam_word(const struct search_beam *beam);

/* What it was made for: the copy. */
const struct search_problem *search_beam_problem(const struct search_beam *beam);

/* The round under way, from 0. */
unsigned search_beam_round(const struct search_beam *beam);

#endif
