/*
 * table_product_avx2.c - the hot pass of a product table's fill, for AVX2; run only where the
 * processor has it.
 */
#include "core/table/table_product_pull_inl.h"

void table__product_pull_avx2(const struct table_product_own *own, uint32_t class_index)
{
    table_product_pull_class(own, class_index);
}
