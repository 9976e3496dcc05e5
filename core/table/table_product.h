/*
 * table_product.h - the coordinate of product tables: a joint index over parts of two orbits.
 *
 *   colours   the first orbit's turns, and (fine tables) which of two blocks each slot's piece
 * belongs to; on the cube: corner twists, and the two tetrads that half turns keep lines     the
 * second orbit's flips, and which slots hold the pieces of one layer between two faces; on the
 * cube: edge flips and the four edges of a slice
 *
 *     index = (class * n_layers + layer rank) * 2^11 + flips
 *
 * Classes are those of the first orbit's part under the symmetries that keep the layer (16 on the
 * cube: one axis). The part is closed under moves *from the right*, so exact distances in it can be
 * found by breadth-first search; they bound the distance of the state, of its inverse, and of both
 * seen along the other axes: six questions.
 *
 * A line is the 2^11 flips of one (class, layer): bits of 32 words. A move permutes slots, so it
 * permutes the *bits of the index* of a bit, which shifts and masks do for 64 entries at once
 * (table_product_bits_inl.h). That makes the fill an order of magnitude cheaper than going entry by
 * entry.
 *
 * The same coordinate, entry by entry, is the heart of Rokicki's nxopt and Skalski's vcube;
 * Kociemba's phase 1 is the coarse one.
 *
 * Encoding: 2 bits an entry, and 4 bits for every 256 entries: codes 1 and 2 are distances base and
 * base + 1, 3 is "at least base + 2", 0 is "below base": the least distance of its 256 neighbours
 * is kept.
 */
#ifndef CORE_TABLE_TABLE_PRODUCT_H
#define CORE_TABLE_TABLE_PRODUCT_H

#include "core/sym/sym.h"

enum {
    TABLE_PRODUCT_COLOURS = 0, /* the orbits that play the two parts */
    TABLE_PRODUCT_LINES = 1,
    TABLE_PRODUCT_MAX_AXES = 8,
    TABLE_PRODUCT_FLIPS = 1 << 11,
    TABLE_PRODUCT_WORDS = TABLE_PRODUCT_FLIPS / 64,
    TABLE_PRODUCT_LINE_BYTES = TABLE_PRODUCT_FLIPS / 4,
    TABLE_PRODUCT_TAIL_BYTES = 64 /* behind the minima; byte 0 is the base */
};

/* A symmetry as it acts on the two parts. */
struct table_product_sym {
    uint16_t sym;        /* in the group */
    uint8_t colour_swap; /* does it exchange the blocks of the first orbit? */
    uint8_t turn_of[2];  /* first orbit: b of the pieces of a block */
    uint8_t flip_of[2];  /* second orbit: b of the pieces in (1) and out of (0) the layer */
};

struct table_product {
    const struct sym_group *group; /* borrowed */
    bool fine;                     /* with blocks */
    uint16_t block;                /* first orbit: slots of block 1 */
    uint16_t layer;                /* second orbit: slots of the layer */
    unsigned n_syms;               /* that keep the layer; [0] is the identity */
    struct table_product_sym *sym;
    unsigned n_axes;
    uint16_t axis[TABLE_PRODUCT_MAX_AXES]; /* symmetries of the group that take the axes to the
                                              first; [0]: identity */
    uint32_t n_turns;                      /* 3^7 */
    uint32_t n_raw;                        /* blocks * n_turns */
    uint16_t block_rank[256];              /* [slots that hold block 1]: rank */
    uint8_t *block_slots;                  /* [rank] */
    uint32_t
        *class_of; /* [raw]: class << TABLE_PRODUCT_SYM_BITS | symmetry to its representative */
    uint32_t *rep; /* [class]: raw */
    uint32_t n_classes;
    uint32_t n_layers;         /* 495 */
    uint16_t layer_rank[4096]; /* [slots that hold layer pieces]: rank */
    uint16_t *layer_slots;     /* [rank] */
    uint64_t n_lines;          /* n_classes * n_layers */
    uint64_t codes_bytes, minima_bytes, bytes;
};

enum { TABLE_PRODUCT_SYM_BITS = 9 };

/* New. BASE_ERR_UNSUPPORTED: the puzzle has no such parts (they are found, and every property used
 * is checked). BASE_ERR_NOMEM. */
int table_product_new(const struct sym_group *group, bool fine, struct table_product **out);
void table_product_free(struct table_product *product);

/* Memory that a fill takes besides the table. */
uint64_t table_product_scratch(const struct table_product *product);

/* The first orbit's part and the second's, of a state. */
struct table_product_parts {
    uint8_t colour[8], turn[8];
    uint16_t layer, flips; /* sets of slots; flips: all 12 bits */
};
void table_product_parts_of(const struct table_product *product, const uint8_t *state,
                            struct table_product_parts *parts);
uint32_t table_product_raw(const struct table_product *product,
                           const struct table_product_parts *parts);
void table_product_raw_parts(const struct table_product *product, uint32_t raw,
                             struct table_product_parts *parts);

/* Index of a state seen along the first axis; reference code. */
uint64_t table_product_index(const struct table_product *product, const uint8_t *state);

/* Bound for a state: the largest over axes and inverse. `payload` is the table's. */
unsigned table_product_bound(const struct table_product *product, const uint8_t *payload,
                             const uint8_t *state, const uint8_t *inverse);

/* An entry's code, what code 1 means, and the least of the entry's neighbours. */
static inline unsigned table_product_code(const uint8_t *payload, uint64_t index)
{
    return payload[index >> 2] >> 2 * (index & 3) & 3;
}

static inline unsigned table_product_base(const struct table_product *product,
                                          const uint8_t *payload)
{
    return payload[product->codes_bytes + product->minima_bytes];
}

static inline unsigned table_product_minimum(const struct table_product *product,
                                             const uint8_t *payload, uint64_t index)
{
    uint8_t pair = payload[product->codes_bytes + (index >> 9)];
    return pair >> (index >> 8 & 1) * 4 & 15;
}

/* An entry's bound. */
static inline unsigned table_product_read(const struct table_product *product,
                                          const uint8_t *payload, uint64_t index)
{
    unsigned code = table_product_code(payload, index);
    return code ? table_product_base(product, payload) + code - 1
                : table_product_minimum(product, payload, index);
}

#endif
