/*
 * table_product_fill_int.h - the state of a product table's fill, and its hot pass, compiled per
 * instruction set.
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
    unsigned n_moves;
    struct table_line_map *map;               /* [move * n_syms + symmetry] */
    uint16_t *layer_to;                       /* their layer_to, n_layers each */
    uint64_t *newest, *next, *visited;        /* [line * 32] */
    uint8_t *has_newest, *has_next, *is_full; /* [line] */
    unsigned base;                            /* TABLE_PRODUCT_NO_BASE until it is known */
    /* the target */
    unsigned n_targets;
    uint8_t *class_fits; /* [target * n_classes + class] */
    uint64_t *line_fits; /* [target * n_layers * 32 + layer rank * 32]: bits of flips */
};

enum { TABLE_PRODUCT_NO_BASE = 255 };

/* Pulls along all moves into the lines of a class: next = reached from newest, not masked by what
 * is visited. */
typedef void table_product_pull(const struct table_product_own *own, uint32_t class_index);

table_product_pull table__product_pull_portable;
#if defined(__x86_64__)
table_product_pull table__product_pull_avx2;
#endif

#endif
