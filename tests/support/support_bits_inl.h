/*
 * support_bits_inl.h - included by one file per instruction set, which defines SUPPORT_BITS, the
 * name of the object to define, and is compiled with the flags of its suffix.
 */
#ifndef TESTS_SUPPORT_SUPPORT_BITS_INL_H
#define TESTS_SUPPORT_SUPPORT_BITS_INL_H

#include "tests/support/support_bits.h"

static void run(uint64_t *w, const struct table_bits_program *program)
{
    table_bits_run(w, program);
}

static void translate(const uint64_t *in, unsigned c, uint64_t *out)
{
    table_bits_translate(in, c, out);
}

const struct support_bits SUPPORT_BITS = {
#ifdef __AVX2__
    .name = "avx2",
#else
    .name = "portable",
#endif
    .run = run,
    .translate = translate,
};

#endif
