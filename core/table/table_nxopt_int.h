/*
 * table_nxopt_int.h - makes and checks payloads of the `nxopt` encoding (table_nxopt_inl.h).
 */
#ifndef CORE_TABLE_TABLE_NXOPT_INT_H
#define CORE_TABLE_TABLE_NXOPT_INT_H

#include "core/table/table_codec.h"
#include "core/table/table_nxopt_inl.h"

/* The base that loses least of the average bound of the table's entries, vacant ones aside. */
void table__nxopt_choose(const uint64_t *histogram, struct table_nxopt *nxopt);
/* BASE_ERR_CORRUPT. */
int table__nxopt_open(const uint8_t *payload, uint64_t bytes, uint64_t n_entries,
                      struct table_nxopt *nxopt);
uint64_t table__nxopt_bytes(uint64_t n_entries);
unsigned table__nxopt_chunks(uint64_t n_entries);
/* Returns how many entries have a bound lower than they are; `payload` may be NULL. */
uint64_t table__nxopt_encode(const struct table_nxopt *nxopt, const uint8_t *entries,
                             uint64_t n_entries, uint8_t *payload, unsigned chunk);

#endif
