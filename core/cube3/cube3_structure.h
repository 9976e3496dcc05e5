/*
 * cube3_structure.h - cycle structures of the 3x3x3 as numbers, read from states in a register.
 *
 * The powers of a permutation show which pieces are home after k steps, so the first such k is the
 * length of a piece's cycle, and the turns that came along say whether the cycle is oriented. Every
 * piece is given a *code* of length and turn; what is not home after 4 steps (corners) or 6 (edges)
 * is one cycle, whose length and turn follow from the others, and has one code. Each code has a
 * *weight*, and the weights of all pieces of an orbit sum to its *key*: chosen so that two states
 * of the orbit have the same key only if they have the same structure.
 *
 *     code of a corner   (k - 1) * 4 + turn, 15 for what is left
 *             an edge    (k - 1) * 2 + flip, 15 for what is left
 *
 * All this is for definitions that keep the sums of turns (cube3_has_structures), and for states
 * whose sums are zero. Of other states the number says nothing, but is in range.
 *
 * How instruction sets do it is in cube3_structure_inl.h.
 */
#ifndef CORE_CUBE3_CUBE3_STRUCTURE_H
#define CORE_CUBE3_CUBE3_STRUCTURE_H

#include "core/cpu/cpu.h"
#include "core/cube3/cube3.h"
#include "core/cycle/cycle.h"

enum {
    CUBE3_CORNER_STRUCTURES = 140, /* that an orbit alone allows */
    CUBE3_EDGE_STRUCTURES = 588,
    CUBE3_STRUCTURES = CUBE3_CORNER_STRUCTURES * CUBE3_EDGE_STRUCTURES,
    CUBE3_STRUCTURE_KEYS = 4096,
    CUBE3_STRUCTURE_CODES = 16,
    CUBE3_BATCH = 64
};

/* The structures of one orbit. */
struct BASE_ALIGNED(64) cube3_orbit_structures {
    uint8_t low[CUBE3_STRUCTURE_CODES];    /* [code]: weight of a piece, its low byte */
    uint8_t high[CUBE3_STRUCTURE_CODES];   /* its high byte; 0 for corners */
    uint16_t number[CUBE3_STRUCTURE_KEYS]; /* [key modulo so many] */
};

/* Of both: a structure's number is that of its corners * CUBE3_EDGE_STRUCTURES + that of its edges.
 * Parity makes about half of the numbers those of no state. */
struct cube3_structures {
    struct cube3_orbit_structures orbit[2];
};

/* cube3_fits, and all moves keep both sums of turns. */
bool cube3_has_structures(const struct puzzle *puzzle);

/* Numbers the structures in the order of cycle_compare, the identity first. */
void cube3_orbit_structures_init(unsigned orbit, struct cube3_orbit_structures *out);
void cube3_structures_init(struct cube3_structures *out);

/* Calls `visit` with all structures of one orbit, ascending; they are borrowed for the call. */
void cube3_structures_each(unsigned orbit,
                           void (*visit)(void *arg, unsigned number,
                                         const struct cycle_structure *structure),
                           void *arg);

/* Number of a canonical structure. BASE_ERR_INFEASIBLE: an orbit alone does not allow it. */
int cube3_structure_find(const struct cube3_structures *structures,
                         const struct cycle_structure *wanted, uint32_t *out);

/* ---- many states at once ------------------------------------------------------------------- */

/* Corners and edges as in struct cube3, without what fills the register. */
struct BASE_ALIGNED(64) cube3_batch {
    uint8_t corners[CUBE3_BATCH][8];
    uint8_t edges[CUBE3_BATCH][16];
};

struct cube3_reader {
    const char *name;
    /* Writes the numbers of the first `count` states; what is behind them in `number`, which has
     * CUBE3_BATCH places, is undefined afterwards. All of the batch must have been written once. */
    void (*read)(const struct cube3_structures *structures, const struct cube3_batch *batch,
                 unsigned count, uint32_t *number);
};

/* The best that the features allow. */
const struct cube3_reader *cube3_reader_choose(struct cpu_features features);

/* Puts a state into the batch. */
static inline void cube3_batch_set(struct cube3_batch *batch, unsigned at, const struct cube3 *cube)
{
    for (unsigned i = 0; i < 8; i++)
        batch->corners[at][i] = cube->b[i];
    for (unsigned i = 0; i < 16; i++)
        batch->edges[at][i] = cube->b[CUBE3_EDGE_AT + i];
}

#endif
