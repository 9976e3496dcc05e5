/*
 * support_bits.h - the operations of core/table/table_bits_inl.h as functions, once for every
 * instruction set.
 */
#ifndef TESTS_SUPPORT_SUPPORT_BITS_H
#define TESTS_SUPPORT_SUPPORT_BITS_H

#include "core/table/table_bits_inl.h"

struct support_bits {
    const char *name; /* of the instruction set that the functions were really compiled for */
    void (*run)(uint64_t *w, const struct table_bits_program *program);
    void (*translate)(const uint64_t *in, unsigned c, uint64_t *out);
};

extern const struct support_bits support_bits_portable;
#if defined(__x86_64__)
extern const struct support_bits support_bits_avx2;
#endif

#endif
