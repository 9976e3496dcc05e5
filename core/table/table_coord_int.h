/*
 * table_coord_int.h - what the files that build coordinates share.
 */
#ifndef CORE_TABLE_TABLE_COORD_INT_H
#define CORE_TABLE_TABLE_COORD_INT_H

#include "core/table/table_coord.h"

/* Sets the view and the symmetries of a zeroed coordinate. BASE_ERR_RANGE, BASE_ERR_NOMEM. */
int table__coord_init(struct table_coord *coord, const struct sym_group *group, unsigned orbit);

/* Entry with these digits. */
uint32_t table__entry(const struct table_coord *coord, const uint8_t *digits);

/* Exact tables: rank of the image of a permutation under a symmetry, pi * piece * 1/pi. */
uint32_t table__image_rank(const struct table_coord *coord, unsigned sym, const uint8_t *piece);

/* base ^ exponent, and n!/(n-k)!; UINT64_MAX if it does not fit. */
uint64_t table__power(unsigned base, unsigned exponent);
uint64_t table__arrangements(unsigned n, unsigned k);

#endif
