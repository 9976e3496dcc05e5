/*
 * table_product.h - the coordinate of product tables: a joint index over parts of two orbits.
 *
 *   colours   the first orbit's turns, and (fine tables) which of two blocks each slot's piece
 *             belongs to; on the cube: corner twists, and the two tetrads that half turns keep
 *   lines     the second orbit's flips, and which slots hold the pieces of one layer between two
 *             faces; on the cube: edge flips and the four edges of a slice
 *
 *     index = (class * n_layers + layer rank) * 2^flip_bits + visible flips
 *
 * Classes are those of the first orbit's part under the symmetries that keep the layer (16 on the
 * cube: one axis). With all flips the part is closed under moves *from the right*, so exact
 * distances in it can be found by breadth-first search; they bound the distance of the state, of
 * its inverse, and of both seen along the other axes: six questions.
 *
 * A table of fewer flip bits hides the other flips: an entry is the least over them, and a bit less
 * halves the table. Which flips are visible matters little, within 0.03 of the average bound;
 * visible are the low bits of the flips, or, where six or fewer are left, the high ones (measured;
 * sets of slots are better than other linear maps of the flips).
 *
 * The *full line* of a (class, layer) is its 2^11 flips: bits of 32 words. A move permutes slots,
 * so it permutes the *bits of the index* of a bit, which shifts and masks do for 64 entries at once
 * (table_bits_inl.h). That makes the fill an order of magnitude cheaper than going entry by entry.
 *
 * The same coordinate, entry by entry, is the heart of Rokicki's nxopt and Skalski's vcube;
 * Kociemba's phase 1 is the coarse one.
 *
 * Encodings: `none` and `tans` are those of all kinds (table_codec.h). `nxopt` is written by the
 * fill itself, since the bytes of a large table would not fit: 2 bits an entry, and 4 bits for
 * every 256 entries. Codes 1 and 2 are distances base and base + 1, 3 is "at least base + 2", 0 is
 * "below base": the least distance of its 256 neighbours is kept.
 */
#ifndef CORE_TABLE_TABLE_PRODUCT_H
#define CORE_TABLE_TABLE_PRODUCT_H

#include "core/sym/sym.h"
#include "core/table/table_codec.h"

enum {
    TABLE_PRODUCT_COLOURS = 0, /* the orbits that play the two parts */
    TABLE_PRODUCT_LINES = 1,
    TABLE_PRODUCT_MAX_AXES = 8,
    TABLE_PRODUCT_MIN_FLIP_BITS = 2,
    TABLE_PRODUCT_FLIP_BITS = 11, /* all: the last flip follows from the others */
    TABLE_PRODUCT_FLIPS = 1 << TABLE_PRODUCT_FLIP_BITS,
    TABLE_PRODUCT_WORDS = TABLE_PRODUCT_FLIPS / 64,
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
    unsigned flip_bits;            /* visible ones ... */
    unsigned flip_shift;           /* ... from this bit of the flips on */
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
    uint32_t n_layers;                         /* 495 */
    uint16_t layer_rank[4096];                 /* [slots that hold layer pieces]: rank */
    uint16_t *layer_slots;                     /* [rank] */
    uint64_t n_lines;                          /* n_classes * n_layers */
    uint64_t n_entries;                        /* n_lines << flip_bits */
    uint64_t codes_bytes, minima_bytes, bytes; /* of the encoding nxopt */
};

enum { TABLE_PRODUCT_SYM_BITS = 9 };

/* New. BASE_ERR_UNSUPPORTED: the puzzle has no such parts (they are found, and every property used
 * is checked). BASE_ERR_RANGE: flip_bits is not one of TABLE_PRODUCT_MIN_FLIP_BITS .. 11.
 * BASE_ERR_NOMEM. */
int table_product_new(const struct sym_group *group, bool fine, unsigned flip_bits,
                      struct table_product **out);
void table_product_free(struct table_product *product);

/* Payload of a table of so many flip bits and otherwise this coordinate. What `tans` takes is known
 * after the fill; here it takes as much as `none`. */
uint64_t table_product_bytes(const struct table_product *product, unsigned flip_bits,
                             enum table_encoding encoding);

/* Memory that a fill takes besides the payload that it writes, whatever the flip bits. */
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

/* The flips (11 bits or more) that are seen. */
static inline unsigned table_product_visible(const struct table_product *product, unsigned flips)
{
    return flips >> product->flip_shift & ((1u << product->flip_bits) - 1);
}

/* Bound for a state, by reference code: the largest over axes and inverse. `codec` is that of the
 * payload for `none` and `tans`, and NULL for `nxopt`. */
unsigned table_product_bound(const struct table_product *product, const struct table_codec *codec,
                             const uint8_t *payload, const uint8_t *state, const uint8_t *inverse);

#endif
