/*
 * support_register_avx2.c - the functions for AVX2; compiled with its flags, called only where the
 * processor has it.
 */
#define SUPPORT_REGISTER support_register_avx2

#include "tests/support/support_register_inl.h"
