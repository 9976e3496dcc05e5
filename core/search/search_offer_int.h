/*
 * search_offer_int.h - what a job offers before it has its answer: search_offer.c.
 */
#ifndef CORE_SEARCH_SEARCH_OFFER_INT_H
#define CORE_SEARCH_SEARCH_OFFER_INT_H

#include "core/search/search_beam.h"

struct search_job;
struct search_phases;

/* Under the job's lock, but for the beam and the tries, which are those of the one thread that has
 * set `busy`. */
struct search_offer {
    struct search_beam *beam;     /* owned; NULL: none yet */
    struct search_phases *phases; /* the engine's; NULL: the job cannot be searched in two phases */
    uint64_t tries;               /* by two phases */
    bool two_phases;              /* they have had the last turn */
    bool busy;
    bool over;            /* nothing more is to be looked for */
    uint64_t searched_ns; /* thread time of walks, and of waiting */
    uint64_t used_ns;     /* of looking for incumbents */
    uint64_t made_ns;     /* of making the tables of the two phases */
    uint64_t wait_began_ns;
    struct search_beam_word incumbent; /* length 0: none yet */
};

/* The job's search begins. In a step. */
void search__offer_begin(struct search_job *job);
/* It begins or ends to wait for tables. In a step. */
void search__offer_wait(struct search_job *job, bool waits);

/* Is it time to look for an incumbent? With the lock held, in phase DEPTH or WAIT. */
bool search__offer_is_due(const struct search_job *job);
/* Does so for a moment. With the lock held, which it gives up meanwhile. */
void search__offer_run(struct search_job *job);

#endif
