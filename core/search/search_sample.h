/*
 * search_sample.h - states of a target, picked by number.
 */
#ifndef CORE_SEARCH_SEARCH_SAMPLE_H
#define CORE_SEARCH_SEARCH_SAMPLE_H

#include "core/search/search_problem.h"

/* A state of the structure, which follows from `number`: over many numbers all of them come, about
 * equally often. False: this number has none. Whether moves lead there is not looked at. */
bool search_sample_state(const struct puzzle *puzzle, const struct cycle_structure *structure,
                         uint64_t number, uint8_t *state);

#endif
