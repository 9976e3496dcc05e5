/*
 * search_checkpoint.h - a search written down, so that another process goes on with it.
 *
 * The bytes are little-endian and opaque to all but this file:
 *
 *     u32 magic "CSck"   u32 version   u64 bytes in all   u64 XXH3 of all that follows
 *
 *     u64 problem        digest of what is searched for
 *     u64 nodes          of all depths
 *     u64 spent_ns       running
 *     u32 n_moves        of the puzzle
 *     u8  lower_bound    no solution is shorter
 *     u8  length         of the words of the depth that is searched
 *     u8  skipped        1: shorter words than min_length were not searched
 *     u8  found_length   of the shortest solution + 1; 0: none yet
 *     f64 expected       nodes of the depth: so far, or to be expected
 *     word incumbent     of no moves: none
 *     u32 n, n words     one of each class found
 *     u32 count          tasks of the depth; 0: it has not begun, and here is the end
 *     u64 frontier       digest of what numbers the tasks and orders the words
 *     u64 tables         digest of the tables that are asked
 *     u8  other_tables   1: tables have come since the depth began
 *     u64 nodes, u64 ns  of the depth
 *     u32 task + 1, word the best one of FIND_ONE; 0 and no word: none
 *     count times        u64 nodes of this depth, u32 share of the work expected, of 2^32
 *     bits               [count]: finished; eight a byte, the first lowest, the last ones 0
 *     u32 n, n branches  u32 task, word, (n_moves + 7) / 8 bytes: a bit per move still to be tried
 *
 *     word: u8 length, moves u8 each
 *
 * A task that is finished has no branches, and all that it has found is among the words. A task
 * without branches that is not finished is to be begun.
 */
#ifndef CORE_SEARCH_SEARCH_CHECKPOINT_H
#define CORE_SEARCH_SEARCH_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/search/search_beam.h"
#include "core/search/search_branch.h"

enum { SEARCH_CHECKPOINT_VERSION = 1 };

struct search_checkpoint_task {
    uint64_t nodes;
    double weight; /* 0 .. 1 */
    bool finished;
};

struct search_checkpoint {
    uint64_t problem, nodes, spent_ns;
    unsigned n_moves, lower_bound, length;
    bool skipped;
    int found_length; /* -1: none */
    double expected;
    struct search_beam_word incumbent;
    uint32_t n_words;
    struct search_beam_word *word; /* owned, like the other arrays */
    uint32_t count;
    uint64_t frontier, tables, depth_nodes, depth_ns;
    bool other_tables;
    bool has_best;
    uint32_t best_task;
    struct search_beam_word best;
    struct search_checkpoint_task *task; /* [count] */
    uint32_t n_branches, branch_capacity;
    struct search_branch *branch;
};

/* New (free), *bytes long; NULL: out of memory. */
uint8_t *search_checkpoint_encode(const struct search_checkpoint *checkpoint, size_t *bytes);

/* Reads bytes from anywhere. New; what is in it is within its ranges, but need not make sense for
 * any job. BASE_ERR_CORRUPT, BASE_ERR_VERSION, BASE_ERR_NOMEM; then *out is NULL. */
int search_checkpoint_decode(const uint8_t *bytes, size_t length, struct search_checkpoint **out);
void search_checkpoint_free(struct search_checkpoint *checkpoint);

#endif
