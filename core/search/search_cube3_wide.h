/*
 * search_cube3_wide.h - a walk of the 3x3x3 that advances several branches at once, for searches
 * with a large product table.
 *
 * Nodes that are still to be expanded lie on a stack. A *batch* takes the 32 topmost, makes all
 * their children (about three hundred) and asks the table for all of them, one question a child and
 * round: first all addresses, then all prefetches, then the answers. So there are always many reads
 * of memory under way, also when few children are left of each parent, and what is on the stack
 * stays as deep as in a search depth first.
 *
 * What a node costs is these reads: a large table misses the TLB each time, and a walk through page
 * tables that are not in the cache either takes half a microsecond, of which a handful overlap. A
 * prefetch waits for its walk, so nothing but prefetches is to lie between them. They pass the
 * second level of cache by, which is to hold what indices are computed from and page tables. And
 * each round ends with the wait for its last reads, so batches are not to be small. Measured on a
 * busy machine, each against the version before: prefetches apart from the computation of
 * addresses, and fewer questions to other tables, 15 % less time; batches of 32 nodes rather than
 * 16, 11 % (of 64: no more); past the second level, 15 %.
 *
 *     stack    | shallow ....................... deep | <- top
 *                 split gives these away      batch: expand, ask, push what is left
 *
 * A product table's question (the state or its inverse, along one axis) is the distance of a part
 * of the state, which makes three things known before anything is asked:
 *
 *   one move changes the answers for the state by one at most: a question whose answer was two
 * below what would prune need not be asked, and one whose answer was just what the parent had left
 * is asked first
 *
 *   the inverse of s * m is (1/m) * (1/s). Moves that leave the part of the solved state alone (on
 * the cube half turns, along every axis) leave the inverse's answer as it was: it need not be
 * asked, and if it was all that the parent had left, these moves need not be made
 *
 *   moves that differ by such a move (the two quarter turns of a face) lead to the same answers for
 * the inverse: they are asked together, before the state is even composed
 *
 * That half turns need not be tried where the inverse's answer is all that is left is known from
 * Tronto's nissy (H48), that answers for the inverse may be inherited from Rokicki's nxopt and
 * Skalski's vcube.
 *
 * The order in which words are visited is not that of a search depth first. Who wants the first
 * word only says so by ending the walk: it goes on with what is before that word in the order.
 */
#ifndef CORE_SEARCH_SEARCH_CUBE3_WIDE_H
#define CORE_SEARCH_SEARCH_CUBE3_WIDE_H

#include "core/search/search_branch.h"

enum {
    SEARCH_WIDE_BATCH = 32,
    SEARCH_WIDE_MAX_MOVES = 32, /* of the puzzle */
    SEARCH_WIDE_MAX_LENGTH = 40,
    SEARCH_WIDE_MAX_CHILDREN = SEARCH_WIDE_BATCH * SEARCH_WIDE_MAX_MOVES,
    SEARCH_WIDE_UNKNOWN = 200 /* an upper bound that says nothing */
};

/* What is known of the answers of one side (the state's or the inverse's), axis by axis: bounds of
 * the true ones. */
struct search_wide_known {
    uint8_t low[4], high[4];
};

struct BASE_ALIGNED(64) search_wide_node {
    struct cube3 cube[2]; /* the state and its inverse */
    struct search_wide_known known[2];
    uint32_t row; /* as in search_frame */
    uint16_t canon;
    uint8_t at;
    uint8_t word[SEARCH_WIDE_MAX_LENGTH];
};

/* One side of a child, or of several at once, while it is being judged. */
struct BASE_ALIGNED(64) search_wide_item {
    struct cube3 cube;
    struct search_wide_known known;
    uint64_t index;
    uint32_t moves; /* of a group: the children that have the same answers for their inverses; the
                       cube is the first one's inverse */
    uint8_t queue;  /* axes still to be asked, two bits each, the next one lowest; then 3 */
    uint8_t parent; /* in the batch */
    uint8_t left;
    uint8_t move; /* of a child */
    uint16_t group;
};

/* Moves that do the same to the answers for the inverse. */
struct search_wide_class {
    uint32_t moves;
    uint8_t keeps; /* the axes along which they leave them as they were */
};

struct search_wide {
    struct search_wide_node *stack; /* owned */
    unsigned top, capacity;
    unsigned batch; /* nodes of a batch: SEARCH_WIDE_BATCH, or fewer for measurements */
    bool has_first; /* the walk is to end with the first word: this, or one before it */
    uint8_t first[SEARCH_WIDE_MAX_LENGTH];
    const struct table *product;
    unsigned product_number; /* in the problem */
    unsigned base;           /* of its codes */
    bool is_consistent;      /* one move changes its answers by one at most: no flip is hidden */
    unsigned n_others;
    uint8_t other[SEARCH_MAX_TABLES]; /* numbers of the other tables */
    /* [number]: an answer that is not too rare; it is asked of children with fewer moves left */
    uint8_t most[SEARCH_MAX_TABLES];
    unsigned n_classes;
    struct search_wide_class class[SEARCH_WIDE_MAX_MOVES];
    /* the batch under way: parents, groups of children by their inverses, children by their states,
     * nodes made of those that have passed */
    struct search_wide_node parent[SEARCH_WIDE_BATCH];
    struct search_wide_item own[SEARCH_WIDE_BATCH]; /* what all children of a parent begin with */
    bool out_of_reach[SEARCH_WIDE_BATCH];
    struct search_wide_item group[SEARCH_WIDE_MAX_CHILDREN];
    struct search_wide_item child[SEARCH_WIDE_MAX_CHILDREN];
    struct search_wide_node node[SEARCH_WIDE_MAX_CHILDREN];
    const void *line[SEARCH_WIDE_MAX_CHILDREN]; /* of an active item: where its answer is */
    uint16_t active[SEARCH_WIDE_MAX_CHILDREN];  /* items that are still asked */
    uint16_t kept[SEARCH_WIDE_MAX_CHILDREN];    /* those that have passed */
    unsigned n_active, n_kept;
};

/* Can words of this length be searched wide? Only with a product table as the fill writes it. */
bool search_wide_fits(const struct search_problem *problem, unsigned length);

/* New, empty. NULL: out of memory. */
struct search_wide *search_wide_new(const struct search_problem *problem);
void search_wide_free(struct search_wide *wide);

/* Puts the walk's root (its first frame and states) on the empty stack. */
void search_wide_start(struct search_walk *walk);

/* Puts the children of that root, by the moves its frame has to try, on the empty stack. Those that
 * are leaves are visited at once. */
void search_wide_resume(struct search_walk *walk);

/* As search_walk_visit_branches. */
void search_wide_visit_branches(const struct search_walk *walk,
                                const struct search_branch_visitor *visitor);

/* As search_walk_split and search_walk_is_behind. */
bool search_wide_split(struct search_wide *wide, struct search_wide *other);
bool search_wide_is_behind(const struct search_wide *wide, const uint8_t *word);

#endif
