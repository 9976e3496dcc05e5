/*
 * support_cube3_avx2.c - the operations for AVX2; compiled with its flags, called only where the
 * processor has it.
 */
#define SUPPORT_CUBE3 support_cube3_avx2

#include "tests/support/support_cube3_inl.h"
