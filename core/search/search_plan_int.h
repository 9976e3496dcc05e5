/*
 * search_plan_int.h - a plan in the making, and how a wish that cannot be met is refused.
 */
#ifndef CORE_SEARCH_SEARCH_PLAN_INT_H
#define CORE_SEARCH_SEARCH_PLAN_INT_H

#include "core/search/search_plan.h"

struct planner {
    struct search_context *context;
    const struct search_plan_target *target;
    const struct search_plan_limits *limits;
    struct search_plan *plan;
    struct base_diag *diag;
    uint64_t left;                       /* of the memory */
    const enum table_encoding *encoding; /* of subsets, best first */
};

/* Bytes of the entries of an orbit's table as they are filled: exact if k = 0. UINT64_MAX: there is
 * no such table. */
uint64_t search__plan_source_bytes(const struct planner *planner, unsigned orbit, unsigned k);

/* What a product table takes in the encoding wished, or else the one that they are filled in. */
struct search_product_size {
    enum table_encoding encoding;
    uint64_t bytes; /* of the table */
    uint64_t fill;  /* of memory besides, while it is filled */
};
struct search_product_size search__plan_product_size(const struct table_product *product,
                                                     const struct search_wish *wish);

/* BASE_ERR_MEMORY_LIMIT or BASE_ERR_UNSUPPORTED with what would fit in the diag; the plan says
 * whose wish it was. */
int search__plan_refuse(struct planner *planner, const struct search_wish *wish, unsigned orbit);
int search__plan_refuse_product(struct planner *planner);
/* No table can answer for the start, or none is of any use. */
int search__plan_refuse_orbit(struct planner *planner, unsigned orbit, const char *why);

#endif
