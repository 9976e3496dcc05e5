/*
 * support_cube3_portable.c - the operations for any machine.
 */
#define SUPPORT_CUBE3 support_cube3_portable

#include "tests/support/support_cube3_inl.h"
