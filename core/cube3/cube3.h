/*
 * cube3.h - the 3x3x3 in one 256-bit register.
 *
 *     byte   0 .. 7    corner in slot i: piece | twist << 4
 *            8 .. 15   the number of the byte (shuffles leave them alone)
 *           16 .. 27   edge in slot i: piece | flip << 4
 *           28 .. 31   12 .. 15
 *
 * Shuffle instructions work on the two halves separately and use only the low four bits of an index
 * byte, so a move is its own shuffle mask. The idea of a cube as one shuffled vector is Andrew
 * Skalski's (vcube).
 *
 * Any definition with the 3x3x3's orbits fits, whatever its moves; cube3_inl.h has the operations.
 */
#ifndef CORE_CUBE3_CUBE3_H
#define CORE_CUBE3_CUBE3_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/base_attr.h"
#include "core/puzzle/puzzle.h"

enum { CUBE3_CORNERS = 0, CUBE3_EDGES = 1, CUBE3_EDGE_AT = 16, CUBE3_BYTES = 32 };

struct BASE_ALIGNED(32) cube3 {
    uint8_t b[CUBE3_BYTES];
};

/* Orbit 0: 8 pieces of 3 orientations; orbit 1: 12 of 2; no other. */
bool cube3_fits(const struct puzzle *puzzle);

void cube3_from_state(const struct perm_shape *shape, const uint8_t *state, struct cube3 *out);
void cube3_to_state(const struct perm_shape *shape, const struct cube3 *cube, uint8_t *state);

/*
 * How an index of an exact corner table is computed (what it means is table_coord.h's business,
 * which fills this in): rank the view's permutation, look up its line and symmetry, apply the
 * symmetry to the twists, read them as a number.
 */
enum { CUBE3_SYM_BITS = 9 };

struct BASE_ALIGNED(16) cube3_sym {
    uint8_t turn[16];    /* [slot]: b */
    uint8_t product[16]; /* [orientation]: times a */
    uint8_t from[16];    /* [slot]: the slot whose turn comes here: pi inverse */
};

struct cube3_exact {
    const uint32_t *line_of_perm; /* borrowed: line << CUBE3_SYM_BITS | symmetry */
    struct cube3_sym *sym;        /* owned */
    uint32_t stride;
    uint8_t select[16];   /* [place in the view]: slot */
    uint8_t relabel[16];  /* [piece]: its number in the view */
    uint16_t head[4096];  /* rank part of the first four pieces of the view, three bits each */
    uint16_t tail[4096];  /* of the last four */
    uint16_t weight[256]; /* [set of slots]: sum of the weights of their digits */
};

/* How an index of an edge subset table is computed, for the state or its image under a symmetry. */
struct cube3_subset {
    BASE_ALIGNED(16)
    uint8_t label[16];  /* [piece]: its image's number in the view | its turn << 4 */
    uint8_t turn[16];   /* [slot]: its turn << 4 */
    uint8_t select[16]; /* head slots to bytes 0.., tail slots to bytes 4.., 0x80 elsewhere */
    uint32_t n_tails;
    uint8_t k, head_count, tail_count;
    const uint16_t *head;     /* borrowed; [four bits a piece]: rank of the head */
    const uint64_t *relative; /* borrowed; [head rank]: four bits a piece, its number among those
                                 the head leaves */
    const uint16_t *tail;     /* borrowed; [four bits a relative number]: rank of the tail */
};

/* How an index of a product table is computed: the cube is seen along one of the axes, the corners'
 * part names a class and the symmetry that takes it to its representative, and the edges follow
 * that symmetry. */
struct BASE_ALIGNED(16) cube3_axis {
    uint8_t corner_block[16];   /* [piece]: does its image belong to block 1? */
    uint8_t corner_turn[16];    /* [slot] and [piece]: b */
    uint8_t corner_product[16]; /* [orientation]: times a */
    uint8_t corner_from[16];    /* [slot]: the slot that comes here */
};

/* The edges along an axis, and then under one of the symmetries that keep the layer. */
struct BASE_ALIGNED(16) cube3_edge_view {
    uint8_t label[16]; /* [piece]: is its image of the layer? | what it adds to flips << 4 */
    uint8_t turn[16];  /* [slot]: what it adds to flips << 4 */
    uint8_t from[16];  /* [slot]: the slot that comes here */
};

enum { CUBE3_MAX_AXES = 3, CUBE3_LEFT_MOVES = 32 };

struct cube3_product {
    struct cube3_axis axis[CUBE3_MAX_AXES];
    struct cube3_edge_view *view[CUBE3_MAX_AXES]; /* [axis]: of all symmetries; [0] owns them all */
    unsigned n_axes;
    const uint32_t *class_of;   /* borrowed: class << CUBE3_SYM_BITS | symmetry */
    const uint16_t *layer_rank; /* borrowed: [set of 12 slots] */
    uint32_t n_layers;
    unsigned flip_bits, flip_shift, flip_mask; /* how many flips are seen, from which one on */
    /* [axis]: of the first 32 moves, those that leave this axis' part of any state alone that is
     * multiplied by them from the left; [move]: those that do the same to it as this one */
    uint32_t keeps[CUBE3_MAX_AXES];
    uint32_t same[CUBE3_MAX_AXES][CUBE3_LEFT_MOVES];
    uint32_t block[256];  /* [set of 8 slots]: what it adds to the corners' part */
    uint16_t weight[256]; /* [set of 8 slots]: sum of the weights of their digits */
};

#endif
