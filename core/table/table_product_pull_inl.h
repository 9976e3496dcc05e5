/*
 * table_product_pull_inl.h - the hot pass of a product table's fill, for the instruction set of the
 * including file.
 */
#ifndef CORE_TABLE_TABLE_PRODUCT_PULL_INL_H
#define CORE_TABLE_TABLE_PRODUCT_PULL_INL_H

#include <string.h>

#include "core/table/table_product_fill_int.h"

/* The first orbit's part after a move from the right: slot j receives what was in slot m.piece[j].
 */
static inline uint32_t pull_class(const struct table_product *product,
                                  const struct table_product_parts *rep, unsigned move)
{
    const struct perm_orbit *orbit =
        &puzzle_shape(product->group->puzzle)->orbit[TABLE_PRODUCT_COLOURS];
    const uint8_t *transform = puzzle_move_at(product->group->puzzle, move)->transform;
    const uint8_t *piece = perm_pieces(orbit, transform);
    const uint8_t *turn = perm_orientations(orbit, transform);
    struct table_product_parts moved;
    for (unsigned j = 0; j < orbit->size; j++) {
        moved.colour[j] = rep->colour[piece[j]];
        moved.turn[j] = (uint8_t)((rep->turn[piece[j]] + turn[j]) % 3);
    }
    return product->class_of[table_product_raw(product, &moved)];
}

/* Pulls along one move into all lines of a class. */
static inline void pull_move(const struct table_product_own *own, uint32_t class_index,
                             uint32_t from_class, const struct table_line_map *map)
{
    const struct table_product *product = own->product;
    const uint64_t first = (uint64_t)class_index * product->n_layers;
    const uint64_t from = (uint64_t)from_class * product->n_layers;
    for (uint32_t r = 0; r < product->n_layers; r++) {
        uint32_t to = map->layer_to[r];
        if (!own->has_newest[from + to] || own->is_full[first + r])
            continue;
        BASE_ALIGNED(32) uint64_t bits[TABLE_PRODUCT_WORDS];
        unsigned flips = map->constant ^ (map->by_layer & product->layer_slots[to]);
        table_bits_translate(own->now + (from + to) * TABLE_PRODUCT_WORDS,
                             flips & (TABLE_PRODUCT_FLIPS - 1), bits);
        table_bits_run(bits, &map->program);
        uint64_t *next = own->next + (first + r) * TABLE_PRODUCT_WORDS;
        for (unsigned w = 0; w < TABLE_PRODUCT_WORDS; w++)
            next[w] |= bits[w];
    }
}

BASE_INLINE void table_product_pull_class(const struct table_product_own *own, uint32_t class_index)
{
    const struct table_product *product = own->product;
    struct table_product_parts rep;
    table_product_raw_parts(product, product->rep[class_index], &rep);
    for (unsigned m = 0; m < own->n_moves; m++) {
        uint32_t found = pull_class(product, &rep, m);
        unsigned h = found & ((1u << TABLE_PRODUCT_SYM_BITS) - 1);
        pull_move(own, class_index, found >> TABLE_PRODUCT_SYM_BITS,
                  &own->map[m * product->n_syms + h]);
    }
}

#endif
