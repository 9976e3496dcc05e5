/*
 * table_structure_inl.h - the number of the structure of a 3x3x3 in a register, for the instruction
 * set that the including file is compiled for: core/cube3 reads the structure, and the table's own
 * numbers stand in place of those it knows.
 */
#ifndef CORE_TABLE_TABLE_STRUCTURE_INL_H
#define CORE_TABLE_TABLE_STRUCTURE_INL_H

#include "core/cube3/cube3_structure_inl.h"
#include "core/table/table_structure.h"

/* Number of the structure with this key. */
BASE_INLINE uint32_t table_structure_number(const struct table_structure_keys *keys, uint64_t key)
{
    uint64_t hash = key * keys->multiplier;
    uint32_t displacement = keys->displacement[hash >> keys->bucket_shift];
    return keys->number[((hash >> keys->slot_shift) ^ displacement) & keys->slot_mask];
}

/* The keys must have been made for the corners, or the edges, of a definition that
 * cube3_has_structures. */
BASE_INLINE uint32_t table_structure_of_corners(const struct table_structure_keys *keys,
                                                const struct cube3 *cube)
{
    return cube3_structure_of_corners(keys->cube3, cube);
}

BASE_INLINE uint32_t table_structure_of_edges(const struct table_structure_keys *keys,
                                              const struct cube3 *cube)
{
    return cube3_structure_of_edges(keys->cube3, cube);
}

#endif
