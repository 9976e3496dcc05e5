/*
 * cube3_structure_avx512.c - the reader for AVX-512; compiled with its flags, called only where the
 * processor has it.
 */
#include "core/cube3/cube3_structure_inl.h"
#include "core/cube3/cube3_structure_int.h"

static void read_batch(const struct cube3_structures *structures, const struct cube3_batch *batch,
                       unsigned count, uint32_t *number)
{
    cube3_structures_of_batch(structures, batch, count, number);
}

const struct cube3_reader cube3__reader_avx512 = {.name = CUBE3_VECTOR_NAME, .read = read_batch};
