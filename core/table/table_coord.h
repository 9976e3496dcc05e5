/*
 * table_coord.h - how a state becomes an index into a table: the kinds `exact` and `approximate`
 * (piece subset) of one orbit.
 *
 * Both number the same thing, an arrangement t of the orbit's movable slots (the *view*; piece and
 * slot numbers below count movable slots only), in two parts:
 *
 *     index = line * stride + entry       line:  where the pieces are
 *                                         entry: how they are turned, sum of digit_j * mod^j
 *
 * because a move changes them in different ways. A table is filled by multiplying from the left,
 *
 *     (m*t).piece[i] = m.piece[t.piece[i]],   (m*t).turn[i] = t.turn[i] + m.turn[t.piece[i]],
 *
 * which sends a whole line to another line and only *translates* its entries. Multiplying from the
 * left walks the same graph as from the right because targets are closed under inversion: d(s) =
 * d(1/s), and (1/s)*m = 1/((1/m)*s).
 *
 *   exact       all slots; lines are classes of permutations under the symmetries that keep the
 * orbit (984 on the cube's corners), so an entry is looked up after the symmetry that takes the
 * permutation to its class representative: an affine map of entries subset      k chosen slots
 * (`pick`); lines number the pieces in them, by Lehmer code. The bound for t = s and for t = 1/s is
 * one for s; so is the bound for any symmetric image
 */
#ifndef CORE_TABLE_TABLE_COORD_H
#define CORE_TABLE_TABLE_COORD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/sym/sym.h"

enum {
    TABLE_MAX_VIEW = 64,       /* slots of an orbit that tables can handle */
    TABLE_EXACT_MAX_SLOTS = 8, /* permutations of so many are listed in memory */
    TABLE_MAX_PICK = 8,
    TABLE_SYM_BITS = 9 /* of table_coord.line_of_perm: SYM_MAX < 2^9 */
};

enum table_coord_kind { TABLE_COORD_EXACT, TABLE_COORD_SUBSET };

/* A symmetry as it acts on the view of the orbit. */
struct table_view_sym {
    uint8_t slot[TABLE_MAX_VIEW]; /* pi */
    uint8_t turn[TABLE_MAX_VIEW]; /* b */
    uint8_t factor[TABLE_MAX_VIEW];
};

struct table_coord {
    enum table_coord_kind kind;
    const struct sym_group *group; /* borrowed: must outlive the coordinate */
    unsigned orbit;
    unsigned n;                      /* slots of the view */
    unsigned mod;                    /* orientations */
    uint8_t slot_of[TABLE_MAX_VIEW]; /* [view]: slot of the orbit */
    uint8_t view_of[256];            /* [slot]: place in the view */
    unsigned n_digits;               /* of an entry */
    uint32_t width;                  /* entries of a line: mod ^ n_digits */
    uint32_t stride;                 /* bytes of a line, >= width */
    uint32_t n_lines;
    uint64_t size;   /* n_lines * stride */
    unsigned n_syms; /* that keep the orbit; [0] is the identity */
    struct table_view_sym *sym;
    /* exact */
    uint32_t
        *line_of_perm; /* [Lehmer rank]: line << TABLE_SYM_BITS | symmetry to its representative */
    uint32_t *rep;     /* [line]: rank of the representative */
    uint16_t *linear;  /* [sym * width + entry]: image of an entry under pi and a alone */
    /* subset */
    unsigned k;
    uint8_t pick[TABLE_MAX_PICK]; /* places in the view; the first `head` of them are the head */
    unsigned head;                /* slots whose pieces number a block of lines */
    uint32_t n_heads, n_tails;    /* line = head rank * n_tails + tail rank */
    unsigned partner;             /* symmetry whose image of the picked slots adds most new ones */
};

/* New. `bytes` limits the table's size. BASE_ERR_RANGE: the orbit has no movable slot or too many
 * for this kind; BASE_ERR_MEMORY_LIMIT; BASE_ERR_NOMEM. */
int table_coord_new_exact(const struct sym_group *group, unsigned orbit, uint64_t bytes,
                          struct table_coord **out);
int table_coord_new_subset(const struct sym_group *group, unsigned orbit, unsigned k,
                           uint64_t bytes, struct table_coord **out);
void table_coord_free(struct table_coord *coord);

/* Bytes of an exact table, and of a subset table with k slots, without making them; UINT64_MAX:
 * impossible. */
uint64_t table_coord_exact_bytes(const struct puzzle *puzzle, unsigned orbit, unsigned n_syms);
uint64_t table_coord_subset_bytes(const struct puzzle *puzzle, unsigned orbit, unsigned k);

/* Can tables of the orbit say anything about states that moves reach from `start`? Not if it moves
 * or turns a slot that no move moves, or breaks the sum of turns that all moves keep: such states
 * have no index. */
bool table_coord_covers(const struct puzzle *puzzle, unsigned orbit, const uint8_t *start);

/* An arrangement of the view. */
struct table_view {
    uint8_t piece[TABLE_MAX_VIEW];
    uint8_t turn[TABLE_MAX_VIEW];
};

void table_coord_view(const struct table_coord *coord, const uint8_t *state,
                      struct table_view *view);
void table_coord_apply_sym(const struct table_coord *coord, unsigned sym,
                           const struct table_view *in, struct table_view *out);

/* Index of the arrangement. */
uint64_t table_coord_index(const struct table_coord *coord, const struct table_view *view);

/* An arrangement with the given line and entry 0 turned: all of it (exact: the representative), or
 * the picked slots only (subset: view->piece[j] belongs to pick[j]). */
void table_coord_line(const struct table_coord *coord, uint32_t line, struct table_view *view);

/* Lehmer rank of `count` distinct values below n, and back. */
uint32_t table_rank(const uint8_t *values, unsigned count, unsigned n);
void table_unrank(uint32_t rank, unsigned count, unsigned n, uint8_t *values);

#endif
