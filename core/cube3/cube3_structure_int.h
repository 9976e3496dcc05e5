/*
 * cube3_structure_int.h - one reader per instruction set.
 */
#ifndef CORE_CUBE3_CUBE3_STRUCTURE_INT_H
#define CORE_CUBE3_CUBE3_STRUCTURE_INT_H

#include "core/cube3/cube3_structure.h"

extern const struct cube3_reader cube3__reader_portable;
#if defined(__x86_64__)
extern const struct cube3_reader cube3__reader_avx2, cube3__reader_avx512;
#elif defined(__aarch64__)
extern const struct cube3_reader cube3__reader_neon;
#endif

#endif
