/*
 * support_register.h - the functions of core/table/table_structure_inl.h, once for every
 * instruction set.
 */
#ifndef TESTS_SUPPORT_SUPPORT_REGISTER_H
#define TESTS_SUPPORT_SUPPORT_REGISTER_H

#include <stdint.h>

#include "core/cube3/cube3.h"
#include "core/table/table_structure.h"

struct support_register {
    const char *name; /* of the instruction set that the functions were really compiled for */
    uint32_t (*structure[2])(const struct table_structure_keys *keys,
                             const struct cube3 *cube); /* [orbit] */
};

extern const struct support_register support_register_portable;
#if defined(__x86_64__)
extern const struct support_register support_register_avx2, support_register_avx512;
#endif

#endif
