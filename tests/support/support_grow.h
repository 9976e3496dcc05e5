/*
 * support_grow.h - whole tables in a store, filled and encoded on two threads.
 */
#ifndef TESTS_SUPPORT_SUPPORT_GROW_H
#define TESTS_SUPPORT_SUPPORT_GROW_H

#include "core/table/table_grow.h"
#include "core/table/table_store.h"

/* A new table of the store, filled and sealed; there must be none yet. Close it with table_close.
 * What fails, fails the running test. */
struct table *support_grow(struct table_store *store, const struct table_spec *spec);

#endif
