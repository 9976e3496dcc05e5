/*
 * table_bits_inl.h - permuting the index bits of a set of 2^11 numbers, for the instruction set of
 * the including file.
 *
 * A set is 2048 bits in 32 words: number x is bit (x mod 64) of word (x div 64). The numbers are
 * the flips of twelve slots with an even sum, slot 11 left out because it follows from the others.
 * Permuting slots permutes the bits of x, so the set is rearranged; a permutation is run as a few
 * exchanges of two slots:
 *
 *     both below 6        inside every word: one masked shift moves 64 numbers
 *     one below 6         between pairs of words
 *     both from 6 on      whole words change places
 *     one of them is 11   numbers change places where the parity of the others says that the two
 * slots differ
 */
#ifndef CORE_TABLE_TABLE_BITS_INL_H
#define CORE_TABLE_TABLE_BITS_INL_H

#include <stdint.h>

#include "core/base/base_attr.h"

enum { TABLE_BITS_WORDS = 32, TABLE_BITS_SLOTS = 12, TABLE_BITS_LOW = 6, TABLE_BITS_IMPLIED = 11 };

/* Exchanges of two slots a < b, in the order in which they are run. */
struct table_bits_program {
    uint8_t count;
    uint8_t a[TABLE_BITS_SLOTS], b[TABLE_BITS_SLOTS];
};

/* Four words at a time; compilers turn it into what the instruction set has. */
typedef uint64_t table_bits_vector __attribute__((vector_size(32), may_alias));
enum { TABLE_BITS_VECTORS = TABLE_BITS_WORDS / 4 };

/* Positions of a word whose bit `a` is 0, and those whose number has an odd number of ones. */
static const uint64_t table_bits_zero[TABLE_BITS_LOW] = {0x5555555555555555, 0x3333333333333333,
                                                         0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff,
                                                         0x0000ffff0000ffff, 0x00000000ffffffff};
static const uint64_t table_bits_odd = 0x6996966996696996;

/* Macros, because returning a vector by value has no fixed calling convention on machines without
 * the registers. */
#define TABLE_BITS_ALL(x) ((table_bits_vector){x, x, x, x})
/* Of four words in a row the second and third have a number with an odd number of ones, or the
 * others if 4v has. */
#define TABLE_BITS_ODD_WORDS(v)                                                                    \
    (__builtin_parity(v) ? (table_bits_vector){~(uint64_t)0, 0, 0, ~(uint64_t)0}                   \
                         : (table_bits_vector){0, ~(uint64_t)0, ~(uint64_t)0, 0})

BASE_INLINE void table_bits_low_low(table_bits_vector *w, unsigned a, unsigned b)
{
    const unsigned shift = (1u << b) - (1u << a);
    const table_bits_vector mask = TABLE_BITS_ALL(~table_bits_zero[a] & table_bits_zero[b]);
    for (unsigned v = 0; v < TABLE_BITS_VECTORS; v++) {
        table_bits_vector moved = ((w[v] >> shift) ^ w[v]) & mask;
        w[v] ^= moved ^ (moved << shift);
    }
}

BASE_INLINE void table_bits_low_high(uint64_t *w, unsigned a, unsigned b)
{
    const unsigned shift = 1u << a, step = 1u << (b - TABLE_BITS_LOW);
    const uint64_t mask = table_bits_zero[a];
    for (unsigned base = 0; base < TABLE_BITS_WORDS; base += 2 * step)
        for (unsigned i = base; i < base + step; i++) {
            uint64_t moved = ((w[i] >> shift) ^ w[i + step]) & mask;
            w[i + step] ^= moved;
            w[i] ^= moved << shift;
        }
}

BASE_INLINE void table_bits_high_high(uint64_t *w, unsigned a, unsigned b)
{
    const unsigned one = 1u << (a - TABLE_BITS_LOW), other = 1u << (b - TABLE_BITS_LOW);
    for (unsigned i = 0; i < TABLE_BITS_WORDS; i++)
        if ((i & one) && !(i & other)) {
            unsigned j = i ^ one ^ other;
            uint64_t word = w[i];
            w[i] = w[j];
            w[j] = word;
        }
}

BASE_INLINE void table_bits_low_implied(table_bits_vector *w, unsigned a)
{
    const unsigned shift = 1u << a;
    const table_bits_vector zero = TABLE_BITS_ALL(table_bits_zero[a]);
    const table_bits_vector odd = TABLE_BITS_ALL(table_bits_odd);
    for (unsigned v = 0; v < TABLE_BITS_VECTORS; v++) {
        table_bits_vector mask = zero & (odd ^ TABLE_BITS_ODD_WORDS(v));
        table_bits_vector moved = ((w[v] >> shift) ^ w[v]) & mask;
        w[v] ^= moved ^ (moved << shift);
    }
}

BASE_INLINE void table_bits_high_implied(uint64_t *w, unsigned a)
{
    const unsigned step = 1u << (a - TABLE_BITS_LOW);
    for (unsigned i = 0; i < TABLE_BITS_WORDS; i++) {
        if (i & step)
            continue;
        uint64_t mask = __builtin_parity(i) ? ~table_bits_odd : table_bits_odd;
        uint64_t moved = (w[i] ^ w[i + step]) & mask;
        w[i] ^= moved;
        w[i + step] ^= moved;
    }
}

/* w[x] becomes w[P x], P the program's permutation. 32-byte aligned. */
BASE_INLINE void table_bits_run(uint64_t *w, const struct table_bits_program *program)
{
    table_bits_vector *vectors = (table_bits_vector *)(void *)w;
    for (unsigned i = 0; i < program->count; i++) {
        unsigned a = program->a[i], b = program->b[i];
        if (b == TABLE_BITS_IMPLIED && a < TABLE_BITS_LOW)
            table_bits_low_implied(vectors, a);
        else if (b == TABLE_BITS_IMPLIED)
            table_bits_high_implied(w, a);
        else if (b < TABLE_BITS_LOW)
            table_bits_low_low(vectors, a, b);
        else if (a < TABLE_BITS_LOW)
            table_bits_low_high(w, a, b);
        else
            table_bits_high_high(w, a, b);
    }
}

/* out[x] = in[x XOR c]; c < 2^11. */
BASE_INLINE void table_bits_translate(const uint64_t *in, unsigned c, uint64_t *out)
{
    table_bits_vector *vectors = (table_bits_vector *)(void *)out;
    for (unsigned i = 0; i < TABLE_BITS_WORDS; i++)
        out[i] = in[i ^ c >> TABLE_BITS_LOW];
    for (unsigned a = 0; a < TABLE_BITS_LOW; a++) {
        if (!(c >> a & 1))
            continue;
        const unsigned shift = 1u << a;
        const table_bits_vector zero = TABLE_BITS_ALL(table_bits_zero[a]);
        for (unsigned v = 0; v < TABLE_BITS_VECTORS; v++)
            vectors[v] = (vectors[v] & zero) << shift | ((vectors[v] >> shift) & zero);
    }
}

#endif
