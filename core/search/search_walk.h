/*
 * search_walk.h - a depth-first search below one prefix, to one depth, that can stop anywhere, go
 * on later on another thread, and give half of what is left to another walk.
 *
 *     word:   prefix ........ | word[base] ............ word[at-1] | todo(at) ->
 *             fixed             being varied                         moves still to try here
 *
 * A frame keeps the moves still to be tried below it; states lie in one array, two a frame: the
 * state and its inverse, which lossy tables are asked for as well.
 */
#ifndef CORE_SEARCH_SEARCH_WALK_H
#define CORE_SEARCH_SEARCH_WALK_H

#include "core/search/search_problem.h"

struct search_frame {
    struct canon_moves todo;
    uint32_t row; /* of the window table: the last k-1 moves */
    uint16_t canon;
    bool judged; /* what is in `todo` has passed the bounds */
};

struct search_walk;
struct search_wide;

/* What is done with leaves that no bound excludes. */
struct search_leaf {
    /* Returns true to end the walk. */
    bool (*visit)(void *arg, const struct search_walk *walk);
    void *arg;
    /* If set, it is called instead, with the numbers of the structures of some leaves, in the order
     * of the search; their words are not known. Only where the context has structures and the
     * problem no target. */
    void (*read)(void *arg, const uint32_t *number, unsigned count);
};

struct search_walk {
    const struct search_problem *problem;
    const struct sym_window *window; /* NULL: plain canonical words */
    struct search_leaf leaf;
    uint32_t task;
    unsigned least;                         /* window rule: least rank + 1 of every window */
    const uint16_t *wrap[SYM_WINDOW_MAX_K]; /* as sym_window_wrap_head says of the prefix */
    unsigned length;                        /* of the words */
    unsigned base;                          /* length of the fixed part */
    unsigned at;                            /* length of the current word */
    uint64_t asked[SEARCH_MAX_TABLES];      /* questions to each table since they were last taken */
    uint64_t nodes;                         /* states composed since search_walk_take_nodes */
    struct search_walk *next;               /* for lists of the owner */
    uint8_t word[PUZZLE_MAX_WORD];
    struct search_frame frame[PUZZLE_MAX_WORD];
    uint8_t *states;          /* (length + 1) * 2 * kernel->state_bytes, aligned to 64 */
    struct search_wide *wide; /* owned; of the kernels that have it, made when first used */
    bool is_wide;             /* it is used, frames are not: search_cube3_wide.h */
    unsigned n_batch;         /* leaves to be read; 0 between runs */
    struct cube3_batch batch;
};

enum search_walk_result { SEARCH_WALK_PAUSED, SEARCH_WALK_DONE, SEARCH_WALK_ENDED };

/* An expansion loop for one representation of states and one instruction set. */
struct search_kernel {
    const char *name;
    size_t state_bytes;
    void (*set_root)(const struct search_problem *problem, const uint8_t *state, uint8_t *at);
    /* Goes on for about `budget` nodes. DONE: nothing is left; ENDED: the leaf's visitor said so.
     */
    enum search_walk_result (*run)(struct search_walk *walk, uint64_t budget);
    /* The same for wide walks, or NULL. */
    enum search_walk_result (*run_wide)(struct search_walk *walk, uint64_t budget);
};

extern const struct search_kernel search__kernel_generic, search__kernel_cube3_portable;
#if defined(__x86_64__)
extern const struct search_kernel search__kernel_cube3_avx2;
#endif

/* What a walk starts from. */
struct search_root {
    const uint8_t *prefix;
    unsigned prefix_length;
    unsigned canon; /* state of the machine after the prefix */
    unsigned length;
    uint32_t task;
    const struct sym_window *window;
    unsigned least;
};

/* New; can hold words up to SEARCH_MAX_LENGTH. NULL: out of memory. */
struct search_walk *search_walk_new(const struct search_problem *problem);
void search_walk_free(struct search_walk *walk);

/* Puts the walk behind a word that begins with the root's prefix, all but what is to be tried
 * there: the frame, or the stack of a wide walk. */
void search_walk_place(struct search_walk *walk, const struct search_root *root,
                       const uint8_t *word, unsigned at);

/* Puts the walk at a root. False: the root itself is excluded by a bound or the rule, or is a leaf
 * (which has been visited: *ended says what the visitor returned), so there is nothing to run. */
bool search_walk_start(struct search_walk *walk, const struct search_root *root, bool *ended);

enum search_walk_result search_walk_run(struct search_walk *walk, uint64_t budget);

/* Moves half of the shallowest open branch to `other`. False: there is nothing to give. */
bool search_walk_split(struct search_walk *walk, struct search_walk *other);

/* Order of the search: is the walk's current word behind `word` (of the same length)? */
bool search_walk_is_behind(const struct search_walk *walk, const uint8_t *word);

/* Visits the leaf that the walk stands on; true: the walk is to end. */
bool search_walk_found(struct search_walk *walk);

/* The same if the words that wrap around pass the rule. */
bool search_walk_visit_leaf(struct search_walk *walk);

/* Moves whose window with the last k-1 moves has at least the rank `least`. */
struct canon_moves search_window_moves(const struct sym_window *window, uint32_t row,
                                       unsigned least);

#endif
