/*
 * search_estimate.h - how long the shortest words will be, and how many nodes it takes to find
 * them, before anything is known but sizes.
 */
#ifndef CORE_SEARCH_SEARCH_ESTIMATE_H
#define CORE_SEARCH_SEARCH_ESTIMATE_H

#include "core/search/search_plan.h"

/* Fills in the plan's estimates. */
void search_estimate(const struct search_context *context, const struct search_plan_target *target,
                     struct search_plan *plan);

#endif
