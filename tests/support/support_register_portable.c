/*
 * support_register_portable.c - the functions for any machine.
 */
#define SUPPORT_REGISTER support_register_portable

#include "tests/support/support_register_inl.h"
