/*
 * support_cube3.h - the operations of core/cube3/cube3_inl.h as functions, once for every
 * instruction set, so that a test can hold them against each other and the reference.
 */
#ifndef TESTS_SUPPORT_SUPPORT_CUBE3_H
#define TESTS_SUPPORT_SUPPORT_CUBE3_H

#include <stdint.h>

#include "core/cube3/cube3.h"

struct support_cube3 {
    const char *name; /* of the instruction set that the functions were really compiled for */
    void (*compose)(const struct cube3 *s, const struct cube3 *m, struct cube3 *out);
    uint64_t (*exact_index)(const struct cube3_exact *exact, const struct cube3 *cube);
    uint64_t (*subset_index)(const struct cube3_subset *subset, const struct cube3 *cube);
    uint64_t (*product_index)(const struct cube3_product *product, unsigned axis,
                              const struct cube3 *cube);
};

extern const struct support_cube3 support_cube3_portable;
#if defined(__x86_64__)
extern const struct support_cube3 support_cube3_avx2;
#endif

#endif
