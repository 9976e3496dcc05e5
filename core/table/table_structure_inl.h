/*
 * table_structure_inl.h - the number of the structure of a 3x3x3 in a register, for the instruction
 * set that the including file is compiled for.
 *
 * In a register all cycles are followed at once: the k-th power of the permutation shows which
 * pieces are in a cycle whose length divides k, and the turns met on the way add up beside it. Both
 * forms compute the same numbers; tests hold them against table_structure_index.
 */
#ifndef CORE_TABLE_TABLE_STRUCTURE_INL_H
#define CORE_TABLE_TABLE_STRUCTURE_INL_H

#include "core/cube3/cube3_inl.h"
#include "core/table/table_structure.h"

/* Number of the structure with this key. */
BASE_INLINE uint32_t table_structure_number(const struct table_structure_keys *keys, uint64_t key)
{
    uint64_t hash = key * keys->multiplier;
    uint32_t displacement = keys->displacement[hash >> keys->bucket_shift];
    return keys->number[((hash >> keys->slot_shift) ^ displacement) & keys->slot_mask];
}

#if CUBE3_AVX2

/* Of each byte: length of its piece's cycle << 4 | sum of the turns along it. */
BASE_INLINE __m128i table_structure_cycles(__m128i slots, unsigned pieces, unsigned mod)
{
    const __m128i home = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m128i ones = _mm_set1_epi8(-1), mods = _mm_set1_epi8((char)mod);
    __m128i piece = _mm_and_si128(slots, _mm_set1_epi8(15));
    __m128i turn = _mm_and_si128(_mm_srli_epi16(slots, 4), _mm_set1_epi8(3));
    __m128i at = piece, sum = turn, cycles = ones;
    for (unsigned k = 1; k <= pieces; k++) {
        __m128i found = _mm_or_si128(sum, _mm_set1_epi8((char)(k << 4)));
        __m128i open = _mm_xor_si128(_mm_cmpeq_epi8(at, home), ones);
        /* Of all powers that are home, the first has the least code. */
        cycles = _mm_min_epu8(cycles, _mm_or_si128(found, open));
        sum = _mm_add_epi8(sum, _mm_shuffle_epi8(turn, at));
        sum = _mm_min_epu8(sum, _mm_sub_epi8(sum, mods));
        at = _mm_shuffle_epi8(piece, at);
    }
    return cycles;
}

BASE_INLINE uint64_t table_structure_sum(__m128i bytes)
{
    __m128i sums = _mm_sad_epu8(bytes, _mm_setzero_si128());
    return (uint64_t)_mm_cvtsi128_si64(sums) + (uint64_t)_mm_extract_epi64(sums, 1);
}

BASE_INLINE uint64_t table_structure_register(const struct table_structure_keys *keys,
                                              const uint8_t *half, unsigned pieces, unsigned mod)
{
    __m128i cycles = table_structure_cycles(cube3_load16(half), pieces, mod);
    __m128i length = _mm_and_si128(_mm_srli_epi16(cycles, 4), _mm_set1_epi8(15));
    __m128i plain = _mm_cmpeq_epi8(_mm_and_si128(cycles, _mm_set1_epi8(15)), _mm_setzero_si128());
    const __m128i *low = (const __m128i *)keys->low, *high = (const __m128i *)keys->high;
    __m128i lows = _mm_blendv_epi8(_mm_shuffle_epi8(_mm_loadu_si128(&low[1]), length),
                                   _mm_shuffle_epi8(_mm_loadu_si128(&low[0]), length), plain);
    __m128i highs = _mm_blendv_epi8(_mm_shuffle_epi8(_mm_loadu_si128(&high[1]), length),
                                    _mm_shuffle_epi8(_mm_loadu_si128(&high[0]), length), plain);
    return table_structure_sum(lows) | table_structure_sum(highs) << 32;
}

#else

BASE_INLINE uint64_t table_structure_register(const struct table_structure_keys *keys,
                                              const uint8_t *half, unsigned pieces, unsigned mod)
{
    uint64_t key = 0;
    unsigned left = (1u << pieces) - 1;
    while (left) {
        unsigned first = (unsigned)__builtin_ctz(left), at = first, length = 0, sum = 0;
        do {
            unsigned slot = half[at];
            left &= ~(1u << at);
            sum += slot >> 4;
            length++;
            at = slot & 15;
        } while (at != first);
        key += keys->weight[2 * length + (sum % mod != 0)];
    }
    return key;
}

#endif

/* The keys must be those of a definition that cube3_fits, of the corners and of the edges. */
BASE_INLINE uint32_t table_structure_of_corners(const struct table_structure_keys *keys,
                                                const struct cube3 *cube)
{
    return table_structure_number(keys, table_structure_register(keys, cube->b, 8, 3));
}

BASE_INLINE uint32_t table_structure_of_edges(const struct table_structure_keys *keys,
                                              const struct cube3 *cube)
{
    const uint8_t *half = cube->b + CUBE3_EDGE_AT;
    return table_structure_number(keys, table_structure_register(keys, half, 12, 2));
}

#endif
