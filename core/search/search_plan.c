/*
 * search_plan.c - see the header.
 *
 * Without wishes, every orbit gets its exact table if that is small, else the subset of most pieces
 * that is not larger than LARGEST_TABLE and fits. Small tables are chosen first, so that a tight
 * limit costs the large ones. An orbit of so many pieces that a subset knows few of them gets a
 * hash table instead, if the target's image there can be listed. Where the puzzle has product
 * tables, the coarse one stands beside these, and the fine one is for searches that get long; where
 * it has none, a subset of more pieces is.
 *
 * A table is planned as it is filled, a byte an entry, which is fastest to ask, unless only an
 * encoding fits. The plan is made twice: once so, once with encoded subsets; the latter is taken if
 * it makes room for a larger product table.
 */
#include "core/search/search_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/search/search_plan_int.h"
#include "core/table/table_listing.h"
#include "core/table/table_store.h"

/* 6 edges of the cube make 42.6 MB; 7 make 511 MB and take longer to fill than they save on most
 * jobs. */
enum { LARGEST_TABLE = 128 << 20 };

/* Filling a table pays when a depth costs more than a quarter of its entries in nodes. The fill of
 * products is cheaper an entry, and they are worth more. */
enum {
    ENTRIES_PER_NODE = 4,
    COARSE_WORTH_NODES = 50000000,
    FINE_WORTH_NODES = 300000000,
    MOST_PRODUCT_TARGETS = 8,
    FEW_PIECES = 3,   /* of a subset */
    MANY_PIECES = 16, /* of an orbit: of more, a subset knows less than half; see take_hash */
    LEAST_FLIPS = 6   /* of a fine product; with fewer it is no better than the coarse one */
};

static const enum table_encoding plain[] = {TABLE_ENCODING_NONE, TABLE_ENCODING_NXOPT,
                                            TABLE_ENCODING_TANS};
static const enum table_encoding thrifty[] = {TABLE_ENCODING_NXOPT, TABLE_ENCODING_TANS,
                                              TABLE_ENCODING_NONE};

/* ---- sizes ------------------------------------------------------------------------------- */

/* A table as it is filled, in bytes. */
struct as_filled {
    uint64_t entries;
    uint64_t scratch; /* that the fill takes besides */
};

uint64_t search__plan_source_bytes(const struct planner *planner, unsigned orbit, unsigned k)
{
    struct search_context *context = planner->context;
    const struct table_coord *coord;
    if (k > 0)
        return table_coord_subset_bytes(context->puzzle, orbit, k);
    /* The estimate keeps us from classifying the permutations of an orbit in vain. */
    uint64_t estimate = table_coord_exact_bytes(context->puzzle, orbit, context->group->count);
    if (estimate > planner->limits->host || search_context_coord(context, orbit, 0, &coord) != 0)
        return UINT64_MAX;
    return coord->size;
}

/* What a table takes of the memory limit; UINT64_MAX: it, or its fill, does not fit. */
static uint64_t footprint(const struct planner *planner, const struct as_filled *source,
                          enum table_encoding encoding)
{
    const struct search_plan_limits *limits = planner->limits;
    uint64_t bytes = table_encoded_bytes(encoding, source->entries);
    uint64_t fill = source->scratch + (encoding == TABLE_ENCODING_NONE ? 0 : source->entries);
    if (bytes == UINT64_MAX || bytes > limits->memory || fill > limits->host - bytes)
        return UINT64_MAX;
    return table_store_footprint(limits->store, bytes);
}

static bool take(struct planner *planner, uint64_t bytes, struct search_plan_table *table)
{
    if (bytes > planner->left)
        return false;
    planner->left -= bytes;
    table->bytes = bytes;
    return true;
}

/* The first of the encodings that fits; false: none does. */
static bool take_encoded(struct planner *planner, const struct as_filled *source,
                         const enum table_encoding *encoding, unsigned count,
                         struct search_plan_table *table)
{
    for (unsigned i = 0; i < count; i++)
        if (take(planner, footprint(planner, source, encoding[i]), table)) {
            table->encoding = encoding[i];
            table->worth_nodes = (double)source->entries / ENTRIES_PER_NODE;
            return true;
        }
    return false;
}

/* ---- tables of one orbit ----------------------------------------------------------------- */

static const char *spelled(enum table_encoding encoding)
{
    switch (encoding) {
    case TABLE_ENCODING_NXOPT:
        return ", at two bits an entry";
    case TABLE_ENCODING_TANS:
        return ", coded near their entropy";
    default:
        return "";
    }
}

static bool take_exact(struct planner *planner, const enum table_encoding *encoding, unsigned count,
                       struct search_plan_table *table)
{
    const struct as_filled source = {.entries =
                                         search__plan_source_bytes(planner, table->orbit, 0)};
    if (!take_encoded(planner, &source, encoding, count, table))
        return false;
    table->kind = TABLE_KIND_EXACT;
    snprintf(table->why, sizeof table->why, "every state of the orbit fits, up to symmetry%s",
             spelled(table->encoding));
    return true;
}

/* The subset of most pieces within `largest` bytes as filled. */
static bool take_subset(struct planner *planner, uint64_t largest,
                        const enum table_encoding *encoding, unsigned count,
                        struct search_plan_table *table)
{
    for (unsigned k = TABLE_MAX_PICK; k > 0; k--) {
        const struct as_filled source = {.entries =
                                             search__plan_source_bytes(planner, table->orbit, k)};
        if (source.entries > largest || !take_encoded(planner, &source, encoding, count, table))
            continue;
        table->kind = TABLE_KIND_APPROXIMATE;
        table->k = k;
        snprintf(table->why, sizeof table->why,
                 "%u pieces: the most within %s%s; asked for the state, its inverse and a "
                 "symmetric image",
                 k, planner->left < largest ? "the memory limit" : "what fills quickly",
                 spelled(table->encoding));
        return true;
    }
    return false;
}

/* Under the same limit, searches of wings visit up to twenty times fewer nodes with a hash table
 * than with a subset, and its fill takes a tenth of the time or less. The edges of the cube: fewer
 * nodes by up to four times, but the register asks subsets faster (bench_variants). Orbits of 12 to
 * 16 pieces without symmetries: about the same nodes, looked at once by hand. The table is the
 * largest within LARGEST_TABLE: of 36 moves, a further layer would take twenty times its size.
 * Sizes are powers of two, so that jobs with other limits can share it. */
static bool take_hash(struct planner *planner, const enum table_encoding *encoding, unsigned count,
                      struct search_plan_table *table)
{
    const struct search_context *context = planner->context;
    for (uint64_t most = LARGEST_TABLE; most >= TABLE_HASH_LEAST; most /= 2) {
        struct as_filled source = {.entries = table_hash_bytes(context->puzzle, table->orbit,
                                                               context->group->count, most)};
        if (source.entries == UINT64_MAX)
            return false;
        source.scratch = table_hash_scratch(source.entries);
        if (!take_encoded(planner, &source, encoding, count, table))
            continue;
        table->kind = TABLE_KIND_APPROXIMATE;
        table->entries = source.entries;
        snprintf(
            table->why, sizeof table->why,
            "a hash of all %u pieces%s: too many for a subset to tell much, and the target has "
            "few states here",
            puzzle_movable_count(context->puzzle, table->orbit), spelled(table->encoding));
        return true;
    }
    return false;
}

static int listing_check(const struct planner *planner, unsigned orbit, struct base_diag *diag)
{
    return table_listing_check(planner->context->puzzle, orbit, planner->target->structures,
                               planner->target->n, diag);
}

/* Is a subset poor, and a hash possible? */
static bool suits_hash(const struct planner *planner, unsigned orbit)
{
    return puzzle_movable_count(planner->context->puzzle, orbit) > MANY_PIECES &&
           listing_check(planner, orbit, NULL) == 0;
}

static bool take_usual_hash(struct planner *planner, struct search_plan_table *table)
{
    return suits_hash(planner, table->orbit) &&
           take_hash(planner, planner->encoding, BASE_COUNT(plain), table);
}

static bool take_steps(struct planner *planner, struct search_plan_table *table)
{
    const struct table_structure *steps;
    if (search_context_steps(planner->context, table->orbit, &steps) != 0 ||
        !take(planner,
              footprint(planner, &(struct as_filled){.entries = table_structure_count(steps)},
                        TABLE_ENCODING_NONE),
              table))
        return false;
    table->kind = TABLE_KIND_CYCLE_STRUCTURE;
    table->encoding = TABLE_ENCODING_NONE;
    snprintf(table->why, sizeof table->why, "steps between cycle structures: nothing better fits");
    return true;
}

/* Of few pieces a subset says less than the structure of all. */
static bool take_usual_subset(struct planner *planner, struct search_plan_table *table)
{
    uint64_t left = planner->left;
    if (!table_is_askable(planner->context->puzzle, table->orbit, 1) ||
        !take_subset(planner, LARGEST_TABLE, planner->encoding, BASE_COUNT(plain), table))
        return false;
    if (table->k >= FEW_PIECES ||
        table->k == puzzle_movable_count(planner->context->puzzle, table->orbit))
        return true;
    planner->left = left;
    return false;
}

static void choose(struct planner *planner, struct search_plan_table *table)
{
    const struct puzzle *puzzle = planner->context->puzzle;
    unsigned orbit = table->orbit;
    table->kind = TABLE_KIND_FIXED;
    if (!table_coord_covers(puzzle, orbit, planner->target->start))
        snprintf(table->why, sizeof table->why,
                 "the start has pieces where no move can bring them");
    else if (!(table_is_askable(puzzle, orbit, 0) &&
               search__plan_source_bytes(planner, orbit, 0) <= LARGEST_TABLE &&
               take_exact(planner, plain, BASE_COUNT(plain), table)) &&
             !take_usual_hash(planner, table) && !take_usual_subset(planner, table) &&
             !take_steps(planner, table))
        snprintf(table->why, sizeof table->why, "no table fits into the memory limit");
}

/* ---- wishes ------------------------------------------------------------------------------ */

static bool take_approximate(struct planner *planner, enum table_variant variant,
                             const enum table_encoding *encoding, unsigned count,
                             struct search_plan_table *table)
{
    if (variant == TABLE_VARIANT_NONE && suits_hash(planner, table->orbit) &&
        take_hash(planner, encoding, count, table))
        return true;
    if (variant == TABLE_VARIANT_HASH)
        return take_hash(planner, encoding, count, table);
    return take_subset(planner, UINT64_MAX, encoding, count, table);
}

static int grant(struct planner *planner, const struct search_wish *wish,
                 struct search_plan_table *table)
{
    const enum table_encoding *encoding = wish->encoding_set ? &wish->encoding : plain;
    unsigned count = wish->encoding_set ? 1 : BASE_COUNT(plain);
    bool fits = false;
    table->wished = true;
    table->kind = TABLE_KIND_FIXED;
    if (!table_coord_covers(planner->context->puzzle, table->orbit, planner->target->start))
        return search__plan_refuse_orbit(planner, table->orbit,
                                         "the start has pieces where no move can bring them, so no "
                                         "table can answer for the");
    planner->plan->refused = table->orbit;
    int code = wish->variant == TABLE_VARIANT_HASH
                   ? listing_check(planner, table->orbit, planner->diag)
                   : 0;
    if (code != 0)
        return code == BASE_ERR_TOO_LARGE ? BASE_ERR_UNSUPPORTED : code;
    if (wish->kind == TABLE_KIND_EXACT)
        fits = take_exact(planner, encoding, count, table);
    else if (wish->kind == TABLE_KIND_APPROXIMATE)
        fits = take_approximate(planner, wish->variant, encoding, count, table);
    else if (wish->kind == TABLE_KIND_CYCLE_STRUCTURE)
        fits = take_steps(planner, table);
    if (!fits && wish->kind != TABLE_KIND_FIXED)
        return search__plan_refuse(planner, wish, table->orbit);
    snprintf(table->why, sizeof table->why, "asked for%s",
             wish->encoding_set ? "" : "; the encoding is the fastest that fits");
    return 0;
}

/* ---- product tables ---------------------------------------------------------------------- */

/* They are filled in nxopt, which is what makes the large ones possible. */
struct search_product_size search__plan_product_size(const struct table_product *product,
                                                     const struct search_wish *wish)
{
    enum table_encoding encoding = wish->encoding_set ? wish->encoding : TABLE_ENCODING_NXOPT;
    bool made_from_entries = encoding == TABLE_ENCODING_TANS;
    return (struct search_product_size){
        .encoding = encoding,
        .bytes = made_from_entries ? table_encoded_bytes(encoding, product->n_entries)
                                   : table_product_bytes(product, product->flip_bits, encoding),
        .fill = table_product_scratch(product) + (made_from_entries ? product->n_entries : 0)};
}

/* With k = 0 the coarse one, else the fine one of so many flip bits. */
static bool take_product(struct planner *planner, unsigned k, const struct search_wish *wish,
                         struct search_plan_table *table)
{
    const struct search_plan_limits *limits = planner->limits;
    const struct table_product *product;
    if (planner->target->n > MOST_PRODUCT_TARGETS ||
        search_context_product(planner->context, k, &product) != 0)
        return false;
    struct search_product_size size = search__plan_product_size(product, wish);
    if (size.bytes > limits->memory || size.fill > limits->host - size.bytes ||
        !take(planner, table_store_footprint(limits->store, size.bytes), table))
        return false;
    table->kind = TABLE_KIND_PRODUCT;
    table->encoding = size.encoding;
    table->k = k;
    table->worth_nodes = k ? FINE_WORTH_NODES : COARSE_WORTH_NODES;
    if (k == 0)
        snprintf(table->why, sizeof table->why,
                 "corner twists, a layer and all edge flips, along three axes");
    else
        snprintf(table->why, sizeof table->why,
                 "corner twists and blocks, a layer and %u of 11 edge flips: for searches that get "
                 "long",
                 k);
    return true;
}

/* The coarse one, and the largest fine one that fits beside it and is larger. */
static void choose_products(struct planner *planner)
{
    static const struct search_wish none;
    struct search_plan *plan = planner->plan;
    if (plan->n < SEARCH_PLAN_MAX && take_product(planner, 0, &none, &plan->table[plan->n]))
        plan->n++;
    for (unsigned k = TABLE_PRODUCT_FLIP_BITS; k >= LEAST_FLIPS && plan->n < SEARCH_PLAN_MAX; k--)
        if (take_product(planner, k, &none, &plan->table[plan->n])) {
            plan->n++;
            return;
        }
}

/* The largest that fits. */
static int grant_product(struct planner *planner)
{
    const struct search_wish *wish = &planner->target->wishes.product;
    struct search_plan *plan = planner->plan;
    if (plan->n == SEARCH_PLAN_MAX)
        return base_diag_set(planner->diag, 0, BASE_ERR_UNSUPPORTED, "there are too many tables");
    struct search_plan_table *table = &plan->table[plan->n];
    for (unsigned k = TABLE_PRODUCT_FLIP_BITS + 1; k-- > 0;)
        if (take_product(planner, k, wish, table)) {
            table->wished = true;
            snprintf(table->why, sizeof table->why, "asked for: the largest that fits");
            plan->n++;
            return 0;
        }
    return search__plan_refuse_product(planner);
}

/* ---- all --------------------------------------------------------------------------------- */

/* Orbits by what their exact table would take, smallest first. */
static unsigned sort_orbits(const struct search_context *context, unsigned *order)
{
    const struct perm_shape *shape = puzzle_shape(context->puzzle);
    uint64_t size[PERM_MAX_ORBITS];
    unsigned n = 0;
    for (unsigned orbit = 0; orbit < shape->n_orbits && n < SEARCH_PLAN_MAX; orbit++) {
        if (puzzle_movable_count(context->puzzle, orbit) == 0)
            continue;
        uint64_t bytes = table_coord_exact_bytes(context->puzzle, orbit, context->group->count);
        unsigned at = n++;
        for (; at > 0 && size[at - 1] > bytes; at--) {
            size[at] = size[at - 1];
            order[at] = order[at - 1];
        }
        size[at] = bytes;
        order[at] = orbit;
    }
    return n;
}

static bool all_covered(const struct planner *planner)
{
    bool covered = true;
    for (unsigned i = 0; i < planner->plan->n; i++)
        covered =
            covered && table_coord_covers(planner->context->puzzle, planner->plan->table[i].orbit,
                                          planner->target->start);
    return covered;
}

/* A wish for an orbit that no move changes has no table in the plan. */
static int check_orbits(struct planner *planner)
{
    const struct search_wishes *wishes = &planner->target->wishes;
    const struct puzzle *puzzle = planner->context->puzzle;
    for (unsigned orbit = 0; orbit < puzzle_shape(puzzle)->n_orbits; orbit++)
        if (wishes->orbit[orbit].set && wishes->orbit[orbit].kind != TABLE_KIND_FIXED &&
            puzzle_movable_count(puzzle, orbit) == 0)
            return search__plan_refuse_orbit(planner, orbit,
                                             "there is no table, because no move changes the");
    return 0;
}

static int grant_orbits(struct planner *planner)
{
    const struct search_wishes *wishes = &planner->target->wishes;
    struct search_plan *plan = planner->plan;
    unsigned n = plan->n;
    int code = check_orbits(planner);
    for (unsigned i = 0; i < n && code == 0; i++)
        if (wishes->orbit[plan->table[i].orbit].set)
            code = grant(planner, &wishes->orbit[plan->table[i].orbit], &plan->table[i]);
    return code;
}

static void choose_orbits(struct planner *planner, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!planner->target->wishes.orbit[planner->plan->table[i].orbit].set)
            choose(planner, &planner->plan->table[i]);
}

static int grant_wished_product(struct planner *planner)
{
    if (!all_covered(planner))
        return search__plan_refuse_orbit(planner, PERM_MAX_ORBITS,
                                         "the start has pieces where no move can bring them, so no "
                                         "table can answer for");
    return grant_product(planner);
}

/* Wishes come first, so that what is left is planned around them. A wish for a product means the
 * largest beside what the orbits get; only where none fits there, these have to stand back. */
static int make(struct planner *planner, const enum table_encoding *encoding, bool product_first)
{
    const struct search_wishes *wishes = &planner->target->wishes;
    struct search_plan *plan = planner->plan;
    unsigned order[PERM_MAX_ORBITS];
    memset(plan, 0, sizeof *plan);
    planner->left = planner->limits->memory;
    planner->encoding = encoding;
    unsigned n = plan->n = sort_orbits(planner->context, order);
    for (unsigned i = 0; i < n; i++)
        plan->table[i].orbit = order[i];
    int code = grant_orbits(planner);
    if (code == 0 && wishes->product.set && product_first)
        code = grant_wished_product(planner);
    if (code != 0)
        return code;
    choose_orbits(planner, n);
    if (wishes->product.set && !product_first)
        return grant_wished_product(planner);
    if (!search_wishes_any(wishes) && all_covered(planner))
        choose_products(planner);
    return 0;
}

static uint64_t product_bytes(const struct search_plan *plan)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < plan->n; i++)
        bytes += plan->table[i].kind == TABLE_KIND_PRODUCT ? plan->table[i].bytes : 0;
    return bytes;
}

static void scale_worth(struct search_plan *plan, double factor)
{
    for (unsigned i = 0; i < plan->n; i++)
        plan->table[i].worth_nodes *= factor < 0 ? INFINITY : factor > 0 ? factor : 1;
}

int search_plan_make(struct search_context *context, const struct search_plan_target *target,
                     const struct search_plan_limits *limits, struct search_plan *plan,
                     struct base_diag *diag)
{
    struct search_plan thrift;
    struct planner planner = {
        .context = context, .target = target, .limits = limits, .plan = plan, .diag = diag};
    int code = make(&planner, plain, false);
    if (code == BASE_ERR_MEMORY_LIMIT && plan->refused == PERM_MAX_ORBITS)
        code = make(&planner, plain, true);
    if (code != 0)
        return code;
    planner.plan = &thrift;
    planner.diag = NULL;
    if (make(&planner, thrifty, false) == 0 && product_bytes(&thrift) > product_bytes(plan))
        *plan = thrift;
    scale_worth(plan, limits->fill_factor);
    return 0;
}
