/*
 * support_cube3_inl.h - included by one file per instruction set, which defines SUPPORT_CUBE3, the
 * name of the object to define, and is compiled with the flags of its suffix.
 */
#ifndef TESTS_SUPPORT_SUPPORT_CUBE3_INL_H
#define TESTS_SUPPORT_SUPPORT_CUBE3_INL_H

#include "core/cube3/cube3_inl.h"
#include "tests/support/support_cube3.h"

static void compose(const struct cube3 *s, const struct cube3 *m, struct cube3 *out)
{
    cube3_compose(s, m, out);
}

static uint64_t exact_index(const struct cube3_exact *exact, const struct cube3 *cube)
{
    return cube3_exact_index(exact, cube);
}

static uint64_t subset_index(const struct cube3_subset *subset, const struct cube3 *cube)
{
    return cube3_subset_index(subset, cube);
}

static uint64_t product_index(const struct cube3_product *product, unsigned axis,
                              const struct cube3 *cube)
{
    return cube3_product_index(product, axis, cube);
}

const struct support_cube3 SUPPORT_CUBE3 = {
    .name = CUBE3_AVX2 ? "avx2" : "portable",
    .compose = compose,
    .exact_index = exact_index,
    .subset_index = subset_index,
    .product_index = product_index,
};

#endif
