/*
 * cpu_detect.c - asks the processor.
 *
 * On x86 a vector extension is usable only if the processor has it *and* the operating system saves
 * its registers at a context switch, which XCR0 tells (Intel SDM volume 1, chapters 13 and 14).
 */
#include "core/cpu/cpu_int.h"

#if defined(__x86_64__)
#include <cpuid.h>

struct leaf {
    unsigned a, b, c, d;
};

/* All-zero if the processor has no such leaf. */
static struct leaf read_leaf(unsigned number)
{
    struct leaf leaf = {0};
    if (!__get_cpuid_count(number, 0, &leaf.a, &leaf.b, &leaf.c, &leaf.d))
        leaf = (struct leaf){0};
    return leaf;
}

static uint64_t read_xcr0(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool all(unsigned value, unsigned bits)
{
    return (value & bits) == bits;
}

uint32_t cpu__detect_raw(void)
{
    enum { OSXSAVE = 1 << 27, AVX = 1 << 28, POPCNT = 1 << 23, LZCNT = 1 << 5 };
    enum { BMI1 = 1 << 3, AVX2 = 1 << 5, BMI2 = 1 << 8, VBMI = 1 << 1 };
    const unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; /* F, DQ, BW, VL */
    const uint64_t ymm_state = 0x6, zmm_state = 0xe6;                  /* of XCR0 */
    struct leaf one = read_leaf(1), seven = read_leaf(7), extended = read_leaf(0x80000001);
    uint64_t xcr0 = one.c & OSXSAVE ? read_xcr0() : 0;
    bool ymm = (xcr0 & ymm_state) == ymm_state, zmm = (xcr0 & zmm_state) == zmm_state;
    uint32_t bits = 0;

    if (seven.b & BMI2)
        bits |= CPU_BMI2;
    if (ymm && all(one.c, AVX | POPCNT) && all(seven.b, AVX2 | BMI1) && extended.c & LZCNT)
        bits |= CPU_AVX2;
    if (zmm && all(seven.b, avx512))
        bits |= CPU_AVX512;
    if (zmm && seven.c & VBMI)
        bits |= CPU_AVX512_VBMI;
    return bits;
}

#elif defined(__aarch64__)

uint32_t cpu__detect_raw(void)
{
    return CPU_NEON; /* part of the base architecture */
}

#else

uint32_t cpu__detect_raw(void)
{
    return 0;
}

#endif
