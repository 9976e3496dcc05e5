/*
 * table_product_portable.c - the hot pass of a product table's fill, for any machine.
 */
#include "core/table/table_product_pull_inl.h"

void table__product_pull_portable(const struct table_product_own *own, uint32_t class_index)
{
    table_product_pull_class(own, class_index);
}
