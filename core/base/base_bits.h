/*
 * base_bits.h - small arithmetic on bit sets and sizes.
 */
#ifndef CORE_BASE_BASE_BITS_H
#define CORE_BASE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Index of the lowest set bit. `set` must not be 0. */
static inline unsigned base_bits_lowest(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

/* `set` without its lowest bit; 0 stays 0. */
static inline uint64_t base_bits_drop_lowest(uint64_t set)
{
    return set & (set - 1);
}

static inline unsigned base_bits_count(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

/*
 * Visits the members of a set in ascending order:
 *
 *     BASE_BITS_EACH(face, faces)
 *         turn(face);
 *
 * `set` is evaluated once; `index` is an unsigned that the loop declares.
 */
#define BASE_BITS_EACH(index, set)                                                                 \
    for (uint64_t index##_left = (set), index##_once = 1; index##_left && index##_once;            \
         index##_left = base_bits_drop_lowest(index##_left))                                       \
        for (unsigned index = (index##_once = 0, base_bits_lowest(index##_left)); !index##_once;   \
             index##_once = 1)

static inline bool base_bits_is_power_of_two(uint64_t n)
{
    return n && !(n & (n - 1));
}

/* Least multiple of `power` (a power of two) that is >= n. The result must fit. */
static inline uint64_t base_bits_align_up(uint64_t n, uint64_t power)
{
    return (n + power - 1) & ~(power - 1);
}

#endif
