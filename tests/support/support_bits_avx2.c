/*
 * support_bits_avx2.c - the operations for AVX2; compiled with its flags, called only where the
 * processor has it.
 */
#define SUPPORT_BITS support_bits_avx2

#include "tests/support/support_bits_inl.h"
