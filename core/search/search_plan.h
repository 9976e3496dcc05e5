/*
 * search_plan.h - which tables a job uses within its memory, and why.
 */
#ifndef CORE_SEARCH_SEARCH_PLAN_H
#define CORE_SEARCH_SEARCH_PLAN_H

#include "core/base/base_diag.h"
#include "core/search/search_context.h"
#include "core/search/search_wish.h"
#include "core/table/table.h"

enum { SEARCH_PLAN_MAX = 8 };

struct search_plan_table {
    enum table_kind kind; /* FIXED: none fits */
    enum table_encoding encoding;
    unsigned orbit;     /* of tables of one orbit */
    unsigned k;         /* approximate: pieces; product: 0 coarse, else flips of a fine one */
    uint64_t entries;   /* approximate, by hash: of the table, and then k is 0; else 0 */
    bool wished;        /* its owner asked for it: it is filled before the search begins */
    uint64_t bytes;     /* what it takes of the memory limit */
    double worth_nodes; /* a depth with more nodes than that is worth its fill */
    char why[160];
};

struct search_plan {
    unsigned n;
    struct search_plan_table table[SEARCH_PLAN_MAX];
    /* Before anything is searched, and kept beside what really happened (search_forecast.h). */
    unsigned estimated_length;
    double estimated_nodes, estimated_seconds; /* of the whole job, fills included */
    /* The same, by what the depths since have shown. */
    unsigned forecast_length;
    double forecast_nodes, forecast_seconds;
    unsigned refused; /* where a wish cannot be met: its orbit, PERM_MAX_ORBITS: the product's */
    bool ended;       /* and then: */
    uint64_t actual_nodes;
    double actual_seconds;
};

/* A larger table is filled when a depth is worth it. A hash table's fill is slow, so its entries
 * count, however they are encoded. */
enum { SEARCH_PLAN_SMALL_TABLE = 4 << 20 };

static inline enum table_variant search_plan_variant(const struct search_plan_table *table)
{
    if (table->kind != TABLE_KIND_APPROXIMATE)
        return TABLE_VARIANT_NONE;
    return table->entries > 0 ? TABLE_VARIANT_HASH : TABLE_VARIANT_SUBSET;
}

static inline bool search_plan_fills_at_once(const struct search_plan_table *table)
{
    return table->wished ||
           (table->bytes <= SEARCH_PLAN_SMALL_TABLE && table->entries <= SEARCH_PLAN_SMALL_TABLE);
}

/* What a plan has to keep to. */
struct search_plan_limits {
    uint64_t memory;                 /* bytes of tables */
    uint64_t host;                   /* bytes of tables and what their fills take besides */
    const struct table_store *store; /* where they are to lie: it knows what they take there */
    double fill_factor; /* of worth_nodes: below 1 tables come sooner, 0: 1, negative: those that
                           are not small or wished never come */
};

/* What the tables are for. */
struct search_plan_target {
    const uint8_t *start;
    const struct cycle_structure *structures;
    size_t n;
    bool is_cycle_job;
    struct search_wishes wishes;
};

/* BASE_ERR_MEMORY_LIMIT, BASE_ERR_UNSUPPORTED: a wish cannot be met; `diag` (may be NULL) says
 * why, and what would fit; `refused` whose. Without wishes there is always a plan. */
int search_plan_make(struct search_context *context, const struct search_plan_target *target,
                     const struct search_plan_limits *limits, struct search_plan *plan,
                     struct base_diag *diag);

#endif
