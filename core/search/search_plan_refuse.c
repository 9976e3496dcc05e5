/*
 * search_plan_refuse.c - why a wish for a table cannot be met, and what could be had instead.
 */
#include <stdio.h>

#include "core/base/base_err.h"
#include "core/search/search_plan_int.h"
#include "core/table/table_store.h"

enum { SIZE_TEXT = 24, OFFER_TEXT = 80 };

static const char *size_text(uint64_t bytes, char text[SIZE_TEXT])
{
    if (bytes >= UINT64_C(1) << 30)
        snprintf(text, SIZE_TEXT, "%.1f GiB", (double)bytes / (1 << 30));
    else if (bytes >= UINT64_C(1) << 20)
        snprintf(text, SIZE_TEXT, "%.1f MiB", (double)bytes / (1 << 20));
    else
        snprintf(text, SIZE_TEXT, "%.1f KiB", (double)bytes / (1 << 10));
    return text;
}

static uint64_t footprint(const struct planner *planner, uint64_t bytes)
{
    return table_store_footprint(planner->limits->store, bytes);
}

/* The largest table of a subset of the orbit's pieces that fits as it is filled, in words. */
static void offer_subset(const struct planner *planner, unsigned orbit, char text[OFFER_TEXT])
{
    char size[SIZE_TEXT];
    for (unsigned k = TABLE_MAX_PICK; k > 0; k--) {
        uint64_t bytes = search__plan_source_bytes(planner, orbit, k);
        if (bytes == UINT64_MAX || footprint(planner, bytes) > planner->left)
            continue;
        snprintf(text, OFFER_TEXT, "an approximate one of %u pieces (%s) would fit", k,
                 size_text(footprint(planner, bytes), size));
        return;
    }
    snprintf(text, OFFER_TEXT, "only the kind fixed would fit");
}

/* The smallest memory with which the wish could be met; UINT64_MAX: there is no such table. */
static uint64_t least_bytes(const struct planner *planner, const struct search_wish *wish,
                            unsigned orbit)
{
    enum table_encoding encoding = wish->encoding_set ? wish->encoding : TABLE_ENCODING_NXOPT;
    const struct table_structure *steps;
    uint64_t source;
    if (wish->kind == TABLE_KIND_CYCLE_STRUCTURE) {
        if (search_context_steps(planner->context, orbit, &steps) != 0)
            return UINT64_MAX;
        return footprint(planner, table_structure_count(steps));
    }
    if (wish->variant == TABLE_VARIANT_HASH)
        source = table_hash_bytes(planner->context->puzzle, orbit, planner->context->group->count,
                                  TABLE_HASH_LEAST);
    else
        source = search__plan_source_bytes(planner, orbit, wish->kind != TABLE_KIND_EXACT);
    uint64_t bytes = table_encoded_bytes(encoding, source);
    return bytes == UINT64_MAX ? bytes : footprint(planner, bytes);
}

static const char *wished_text(const struct search_wish *wish)
{
    if (wish->variant == TABLE_VARIANT_HASH)
        return "a hash table";
    switch (wish->kind) {
    case TABLE_KIND_EXACT:
        return "an exact table";
    case TABLE_KIND_APPROXIMATE:
        return "an approximate table";
    default:
        return "a cycle_structure table";
    }
}

int search__plan_refuse(struct planner *planner, const struct search_wish *wish, unsigned orbit)
{
    const char *name = puzzle_orbit_name(planner->context->puzzle, orbit);
    uint64_t least = least_bytes(planner, wish, orbit);
    char offer[OFFER_TEXT] = "only the kind fixed would fit", takes[SIZE_TEXT], left[SIZE_TEXT];
    planner->plan->refused = orbit;
    if (wish->kind == TABLE_KIND_EXACT || least == UINT64_MAX)
        offer_subset(planner, orbit, offer);
    if (least == UINT64_MAX)
        return base_diag_set(planner->diag, 0, BASE_ERR_UNSUPPORTED,
                             "the %.30s have too many states for %s; %s", name, wished_text(wish),
                             offer);
    return base_diag_set(planner->diag, 0, BASE_ERR_MEMORY_LIMIT,
                         "%s of the %.30s takes %s at least, and %s are left of the limit; %s",
                         wished_text(wish), name, size_text(least, takes),
                         size_text(planner->left, left), offer);
}

int search__plan_refuse_product(struct planner *planner)
{
    const struct search_plan_limits *limits = planner->limits;
    const struct table_product *product;
    char takes[SIZE_TEXT], left[SIZE_TEXT];
    int code = search_context_product(planner->context, 0, &product);
    planner->plan->refused = PERM_MAX_ORBITS;
    if (code == BASE_ERR_UNSUPPORTED)
        return base_diag_set(planner->diag, 0, code,
                             "product tables need the corners and edges of a cube, and moves that "
                             "they are made for; ask for tables of single orbits");
    if (code != 0)
        return base_diag_set(planner->diag, 0, code, "%s", base_err_text(code));
    struct search_product_size least =
        search__plan_product_size(product, &planner->target->wishes.product);
    bool is_table = footprint(planner, least.bytes) > planner->left;
    uint64_t bytes = is_table ? footprint(planner, least.bytes) : least.bytes + least.fill;
    return base_diag_set(planner->diag, 0, BASE_ERR_MEMORY_LIMIT,
                         "%s the smallest product table in the encoding %s takes %s, and %s are "
                         "left of the limit; tables of single orbits can be smaller",
                         is_table ? "to keep" : "to fill", table_encoding_name(least.encoding),
                         size_text(bytes, takes),
                         size_text(is_table ? planner->left : limits->host, left));
}

int search__plan_refuse_orbit(struct planner *planner, unsigned orbit, const char *why)
{
    planner->plan->refused = orbit;
    return base_diag_set(planner->diag, 0, BASE_ERR_UNSUPPORTED, "%s %s", why,
                         orbit == PERM_MAX_ORBITS
                             ? "the product"
                             : puzzle_orbit_name(planner->context->puzzle, orbit));
}
