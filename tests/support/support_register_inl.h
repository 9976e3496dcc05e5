/*
 * support_register_inl.h - included by one file per instruction set, which defines
 * SUPPORT_REGISTER, the name of the object to define, and is compiled with the flags of its suffix.
 */
#ifndef TESTS_SUPPORT_SUPPORT_REGISTER_INL_H
#define TESTS_SUPPORT_SUPPORT_REGISTER_INL_H

#include "core/table/table_structure_inl.h"
#include "tests/support/support_register.h"

static uint32_t of_corners(const struct table_structure_keys *keys, const struct cube3 *cube)
{
    return table_structure_of_corners(keys, cube);
}

static uint32_t of_edges(const struct table_structure_keys *keys, const struct cube3 *cube)
{
    return table_structure_of_edges(keys, cube);
}

const struct support_register SUPPORT_REGISTER = {
    .name = CUBE3_VECTOR_NAME,
    .structure = {of_corners, of_edges},
};

#endif
