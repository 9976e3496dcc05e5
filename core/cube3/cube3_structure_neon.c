/*
 * cube3_structure_neon.c - the reader for NEON.
 */
#define CUBE3_NEON 1

#include "core/cube3/cube3_structure_inl.h"
#include "core/cube3/cube3_structure_int.h"

static void read_batch(const struct cube3_structures *structures, const struct cube3_batch *batch,
                       unsigned count, uint32_t *number)
{
    cube3_structures_of_batch(structures, batch, count, number);
}

const struct cube3_reader cube3__reader_neon = {.name = CUBE3_VECTOR_NAME, .read = read_batch};
