/*
 * table_product_inl.h - reads the entries of a product table as its fill writes them: its own
 * nxopt.
 */
#ifndef CORE_TABLE_TABLE_PRODUCT_INL_H
#define CORE_TABLE_TABLE_PRODUCT_INL_H

#include "core/table/table_product.h"

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

/* An entry's bound, of the encoding nxopt. */
static inline unsigned table_product_read(const struct table_product *product,
                                          const uint8_t *payload, uint64_t index)
{
    unsigned code = table_product_code(payload, index);
    return code ? table_product_base(product, payload) + code - 1
                : table_product_minimum(product, payload, index);
}

#endif
