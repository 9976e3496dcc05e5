/*
 * cube3_vector_inl.h - vectors of bytes in rows of sixteen, for the instruction set that the
 * including file is compiled for.
 *
 * CUBE3_VECTOR_BYTES is 64 with AVX-512, 32 with AVX2, 16 in files that define CUBE3_NEON to 1
 * (that is part of every AArch64, so the compiler's own macro would make its portable forms
 * vectors, too), and 0 where there are none.
 */
#ifndef CORE_CUBE3_CUBE3_VECTOR_INL_H
#define CORE_CUBE3_CUBE3_VECTOR_INL_H

#include <stdint.h>

#include "core/base/base_attr.h"

#ifndef CUBE3_NEON
#define CUBE3_NEON 0
#endif

#if defined(__AVX512BW__)

#include <immintrin.h>

#define CUBE3_VECTOR_BYTES 64
#define CUBE3_VECTOR_NAME "avx512"
#define cube3_vector __m512i

#define cube3_vector_load(bytes) _mm512_load_si512(bytes)
#define cube3_vector_store(bytes, v) _mm512_store_si512(bytes, v)
#define cube3_vector_all(byte) _mm512_set1_epi8((char)(byte))
#define cube3_vector_and(a, b) _mm512_and_si512(a, b)
#define cube3_vector_xor(a, b) _mm512_xor_si512(a, b)
#define cube3_vector_add(a, b) _mm512_add_epi8(a, b)
#define cube3_vector_sub(a, b) _mm512_sub_epi8(a, b)
#define cube3_vector_min(a, b) _mm512_min_epu8(a, b)
#define cube3_vector_shuffle(row, at) _mm512_shuffle_epi8(row, at)
#define cube3_vector_high_nibbles(v) _mm512_srli_epi16(v, 4)
#define cube3_vector_sums(v) _mm512_sad_epu8(v, _mm512_setzero_si512())

BASE_INLINE __m512i cube3_vector_load16(const uint8_t *bytes)
{
    return _mm512_zextsi128_si512(_mm_load_si128((const __m128i *)bytes));
}

BASE_INLINE __m512i cube3_vector_repeat(const uint8_t *bytes)
{
    return _mm512_broadcast_i32x4(_mm_load_si128((const __m128i *)bytes));
}

BASE_INLINE __m512i cube3_vector_second_half(uint8_t byte)
{
    uint64_t all = 0x0101010101010101u * (uint64_t)byte;
    return _mm512_broadcast_i32x4(_mm_set_epi64x((long long)all, 0));
}

BASE_INLINE __m512i cube3_vector_least_home(__m512i codes, __m512i found)
{
    __mmask64 home = _mm512_testn_epi8_mask(found, _mm512_set1_epi8(15));
    return _mm512_mask_min_epu8(codes, home, codes, found);
}

BASE_INLINE __m512i cube3_vector_sums_of_two(__m512i low, __m512i high)
{
    __m512i sums = cube3_vector_sums(high);
    return _mm512_add_epi64(cube3_vector_sums(low), _mm512_slli_epi64(sums, 8));
}

BASE_INLINE __m512i cube3_vector_pair_sums(__m512i a, __m512i b)
{
    return _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}

BASE_INLINE uint64_t cube3_vector_first(__m512i v)
{
    return (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(v));
}

#elif defined(__AVX2__)

#include <immintrin.h>

#define CUBE3_VECTOR_BYTES 32
#define CUBE3_VECTOR_NAME "avx2"
#define cube3_vector __m256i

#define cube3_vector_load(bytes) _mm256_load_si256((const __m256i *)(const void *)(bytes))
#define cube3_vector_store(bytes, v) _mm256_store_si256((__m256i *)(void *)(bytes), v)
#define cube3_vector_all(byte) _mm256_set1_epi8((char)(byte))
#define cube3_vector_and(a, b) _mm256_and_si256(a, b)
#define cube3_vector_xor(a, b) _mm256_xor_si256(a, b)
#define cube3_vector_add(a, b) _mm256_add_epi8(a, b)
#define cube3_vector_sub(a, b) _mm256_sub_epi8(a, b)
#define cube3_vector_min(a, b) _mm256_min_epu8(a, b)
#define cube3_vector_shuffle(row, at) _mm256_shuffle_epi8(row, at)
#define cube3_vector_high_nibbles(v) _mm256_srli_epi16(v, 4)
#define cube3_vector_sums(v) _mm256_sad_epu8(v, _mm256_setzero_si256())

BASE_INLINE __m256i cube3_vector_load16(const uint8_t *bytes)
{
    return _mm256_zextsi128_si256(_mm_load_si128((const __m128i *)bytes));
}

BASE_INLINE __m256i cube3_vector_repeat(const uint8_t *bytes)
{
    return _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)bytes));
}

BASE_INLINE __m256i cube3_vector_second_half(uint8_t byte)
{
    uint64_t all = 0x0101010101010101u * (uint64_t)byte;
    return _mm256_broadcastsi128_si256(_mm_set_epi64x((long long)all, 0));
}

BASE_INLINE __m256i cube3_vector_least_home(__m256i codes, __m256i found)
{
    __m256i piece = _mm256_and_si256(found, _mm256_set1_epi8(15));
    __m256i away = _mm256_cmpgt_epi8(piece, _mm256_setzero_si256());
    return _mm256_min_epu8(codes, _mm256_or_si256(found, away));
}

BASE_INLINE __m256i cube3_vector_sums_of_two(__m256i low, __m256i high)
{
    __m256i sums = cube3_vector_sums(high);
    return _mm256_add_epi64(cube3_vector_sums(low), _mm256_slli_epi64(sums, 8));
}

BASE_INLINE __m256i cube3_vector_pair_sums(__m256i a, __m256i b)
{
    return _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

BASE_INLINE uint64_t cube3_vector_first(__m256i v)
{
    return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(v));
}

#elif CUBE3_NEON

#include <arm_neon.h>

#define CUBE3_VECTOR_BYTES 16
#define CUBE3_VECTOR_NAME "neon"
#define cube3_vector uint8x16_t

#define cube3_vector_load(bytes) vld1q_u8((const uint8_t *)(bytes))
#define cube3_vector_store(bytes, v) vst1q_u64(bytes, vreinterpretq_u64_u8(v))
#define cube3_vector_all(byte) vdupq_n_u8(byte)
#define cube3_vector_and(a, b) vandq_u8(a, b)
#define cube3_vector_xor(a, b) veorq_u8(a, b)
#define cube3_vector_add(a, b) vaddq_u8(a, b)
#define cube3_vector_sub(a, b) vsubq_u8(a, b)
#define cube3_vector_min(a, b) vminq_u8(a, b)
#define cube3_vector_high_nibbles(v) vshrq_n_u8(v, 4)
#define cube3_vector_load16(bytes) vld1q_u8(bytes)
#define cube3_vector_repeat(bytes) vld1q_u8(bytes)

/* Only the low four bits of an index count, as with the others. */
BASE_INLINE uint8x16_t cube3_vector_shuffle(uint8x16_t row, uint8x16_t at)
{
    return vqtbl1q_u8(row, vandq_u8(at, vdupq_n_u8(15)));
}

BASE_INLINE uint8x16_t cube3_vector_second_half(uint8_t byte)
{
    return vcombine_u8(vdup_n_u8(0), vdup_n_u8(byte));
}

BASE_INLINE uint8x16_t cube3_vector_least_home(uint8x16_t codes, uint8x16_t found)
{
    uint8x16_t away = vtstq_u8(found, vdupq_n_u8(15));
    return vminq_u8(codes, vorrq_u8(found, away));
}

BASE_INLINE uint8x16_t cube3_vector_sums(uint8x16_t v)
{
    return vreinterpretq_u8_u64(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(v))));
}

BASE_INLINE uint8x16_t cube3_vector_sums_of_two(uint8x16_t low, uint8x16_t high)
{
    uint64x2_t sums = vreinterpretq_u64_u8(cube3_vector_sums(high));
    uint64x2_t all = vaddq_u64(vreinterpretq_u64_u8(cube3_vector_sums(low)), vshlq_n_u64(sums, 8));
    return vreinterpretq_u8_u64(all);
}

BASE_INLINE uint8x16_t cube3_vector_pair_sums(uint8x16_t a, uint8x16_t b)
{
    uint64x2_t x = vreinterpretq_u64_u8(a), y = vreinterpretq_u64_u8(b);
    return vreinterpretq_u8_u64(vpaddq_u64(x, y));
}

BASE_INLINE uint64_t cube3_vector_first(uint8x16_t v)
{
    return vgetq_lane_u64(vreinterpretq_u64_u8(v), 0);
}

#else

#define CUBE3_VECTOR_BYTES 0
#define CUBE3_VECTOR_NAME "portable"

#endif

/*
 * What they do:
 *
 *   home          0 .. 15, in every row
 *   second_half   the byte in the last eight of every row, else 0
 *   shuffle       the row's bytes at these places; the high bits of a place say nothing, but bit 7
 *                 must be clear
 *   least_home    the lesser of code and found where the low four bits of found are 0
 *   high_nibbles  byte >> 4, of bytes whose low four bits are 0
 *   sums          of every eight bytes, as a 64-bit number
 *   sums_of_two   of low + 256 * high
 *   pair_sums     of the two numbers of every row: a's first, b's first, a's second, ...
 */
#if CUBE3_VECTOR_BYTES

BASE_INLINE cube3_vector cube3_vector_home(void)
{
    static const BASE_ALIGNED(16)
        uint8_t home[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return cube3_vector_repeat(home);
}

#endif

#endif
