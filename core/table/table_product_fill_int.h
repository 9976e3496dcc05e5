/*
 * table_product_fill_int.h - the state of a product table's fill; its hot pass, compiled per
 * instruction set; and how the payload is written.
 *
 * A fill goes over full lines, that is with all flips, whatever the table keeps of them. Two sets
 * of bits are enough, what had been reached before the running layer and what has been reached
 * after it: a line pulls from all that its neighbours had reached, which adds nothing but what was
 * reached last.
 */
#ifndef CORE_TABLE_TABLE_PRODUCT_FILL_INT_H
#define CORE_TABLE_TABLE_PRODUCT_FILL_INT_H

#include "core/table/table_bits_inl.h"
#include "core/table/table_product.h"

/* How a move, followed by a symmetry, acts on lines. */
struct table_line_map {
    struct table_bits_program program;
    uint16_t constant;  /* flips added whatever the layer */
    uint16_t by_layer;  /* all ones or zero: are the flips of the image's layer added as well? */
    uint16_t *layer_to; /* [layer rank]: rank of the image */
};

struct table_product_own {
    const struct table_product *product;
    uint8_t *payload;
    bool is_bytes; /* the encoding of the payload is none; else nxopt */
    unsigned n_moves;
    struct table_line_map *map;               /* [move * n_syms + symmetry] */
    uint16_t *layer_to;                       /* their layer_to, n_layers each */
    uint64_t *now, *next;                     /* [line * 32]: reached before and after the layer */
    uint8_t *has_newest, *has_next, *is_full; /* [line] */
    /* nxopt */
    unsigned base;  /* TABLE_PRODUCT_NO_BASE until it is known */
    bool is_rising; /* the base has been raised by one, and codes are to follow */
    /* the target */
    unsigned n_targets;
    uint8_t *class_fits; /* [target * n_classes + class] */
    uint64_t *line_fits; /* [target * n_layers * 32 + layer rank * 32]: bits of flips */
};

enum { TABLE_PRODUCT_NO_BASE = 255 };

/* Pulls along all moves into the lines of a class: adds to `next` what is one move from `now`,
 * where a neighbour has anything newest and the line is not full. */
typedef void table_product_pull(const struct table_product_own *own, uint32_t class_index);

table_product_pull table__product_pull_portable;
#if defined(__x86_64__)
table_product_pull table__product_pull_avx2;
#endif

/* Make an empty table of the payload, where everything is far: the minima at first, because classes
 * may share their bytes; the codes class by class. */
void table__product_clear_minima(const struct table_product_own *own);
void table__product_clear_codes(const struct table_product_own *own, uint32_t class_index);

/* Writes a layer's share of a line. `before` and `fresh` are full: what had been reached, and what
 * is at this distance. Returns how many entries that gives. */
unsigned table__product_write(const struct table_product_own *own, uint64_t line,
                              const uint64_t *before, const uint64_t *fresh, unsigned distance);

/* The codes of a class follow a base that has been raised by one: 1 becomes 0, 2 becomes 1. */
void table__product_raise(const struct table_product_own *own, uint32_t class_index);

#endif
