/*
 * table_nxopt_inl.h - reads the `nxopt` encoding (FORMAT.md): 254 entries of 2 bits in a line of 64
 * bytes, and the line's own minimum in its last 4 bits.
 *
 *     code 1, 2, 3   base, base + 1, base + 2 (or more, or vacant)
 *     code 0         less than base, and not less than the line's minimum
 *
 * The idea is that of the tables in H. Kociemba's optimal solver and T. Rokicki's nxopt.
 */
#ifndef CORE_TABLE_TABLE_NXOPT_INL_H
#define CORE_TABLE_TABLE_NXOPT_INL_H

#include <stdint.h>

enum {
    TABLE_NXOPT_LINE = 64,
    TABLE_NXOPT_PER_LINE = 254,
    TABLE_NXOPT_HEAD = 64 /* bytes before the lines */
};

struct table_nxopt {
    uint8_t base;
    uint8_t origin; /* minimum m > 0 means the bound origin + m; m = 0 the bound 0 */
};

/* The bound that a line's minimum stands for. */
static inline unsigned table_nxopt_below(const struct table_nxopt *nxopt, unsigned minimum)
{
    return minimum ? nxopt->origin + minimum : 0;
}

static inline const uint8_t *table_nxopt_line(const uint8_t *payload, uint64_t index)
{
    return payload + TABLE_NXOPT_HEAD + index / TABLE_NXOPT_PER_LINE * TABLE_NXOPT_LINE;
}

static inline unsigned table_nxopt_bound(const struct table_nxopt *nxopt, const uint8_t *payload,
                                         uint64_t index)
{
    const uint8_t *line = table_nxopt_line(payload, index);
    unsigned at = (unsigned)(index % TABLE_NXOPT_PER_LINE);
    unsigned code = line[at / 4] >> at % 4 * 2 & 3;
    unsigned below = table_nxopt_below(nxopt, line[TABLE_NXOPT_LINE - 1] >> 4);

    return code ? nxopt->base + code - 1 : below;
}

#endif
