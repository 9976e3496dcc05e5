/*
 * support_bits_portable.c - the operations for any machine.
 */
#define SUPPORT_BITS support_bits_portable

#include "tests/support/support_bits_inl.h"
