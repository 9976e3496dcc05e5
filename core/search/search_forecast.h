/*
 * search_forecast.h - what a job will cost: length, nodes and seconds, fills included, before it is
 * searched.
 *
 * Nodes of a depth d, by Korf, Reid and Edelkamp (2001): a node of level j is made if its parent's
 * bound leaves it, so
 *
 *     N(d) = sum over j of  words(j) * P(bound of a state <= d - j + 1)
 *
 * with P from the histograms of the tables that are there, and from the size of their image and the
 * growth of words where they are not. States near the start are not like all others: their bounds
 * are at most the start's plus the moves made, so where the start is close to the target, P is
 * larger than that (a weak spot: up to ten times too few nodes are foreseen there). The driver's
 * rule (fill a table when a depth comes to what it is worth) is then played through for every
 * length that is possible, and weighed with how likely that length is.
 *
 * A length more costs ten times more, so mean and median say little. The forecast is the value that
 * is most likely to be within a factor of three of what happens.
 */
#ifndef CORE_SEARCH_SEARCH_FORECAST_H
#define CORE_SEARCH_SEARCH_FORECAST_H

#include "core/search/search_estimate.h"

struct search_forecast_spec {
    struct search_context *context; /* borrowed, like the next two */
    const struct search_plan_target *target;
    const struct search_plan *plan;
    const struct table *table[SEARCH_PLAN_MAX]; /* [of the plan]: resident; NULL: not, or not yet */
    bool denied[SEARCH_PLAN_MAX];               /* it will not come */
    bool at_once[SEARCH_PLAN_MAX];              /* it is filled before anything is searched */
    bool find_all;
    unsigned slack;
    unsigned from, most;  /* lengths that may still be searched */
    unsigned start_bound; /* of the start, by the tables that are there */
    unsigned threads;
    double spent_nodes, spent_seconds; /* so far */
    unsigned seen_depth; /* a depth that was searched with the tables that are resident, ... */
    double seen_nodes;   /* and its nodes; 0: none */
};

struct search_forecast {
    unsigned length; /* the most likely one; most + 1: none is found */
    double nodes, seconds;
};

void search_forecast_make(const struct search_forecast_spec *spec, struct search_forecast *out);

/* Expected nodes of one depth with the tables that are resident; for tests and comparisons. */
double search_forecast_depth(const struct search_forecast_spec *spec, unsigned depth);

/* Processor seconds that filling a table of the plan takes. */
double search_forecast_fill(const struct search_plan_table *table);

#endif
