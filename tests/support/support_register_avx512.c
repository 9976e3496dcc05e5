/*
 * support_register_avx512.c - the functions for AVX-512; compiled with its flags, called only where
 * the processor has it.
 */
#define SUPPORT_REGISTER support_register_avx512

#include "tests/support/support_register_inl.h"
