/*
 * cube3_structure_inl.h - reads cycle structures, for the instruction set that the including file
 * is compiled for; cube3_structure.h says what codes, weights and keys are.
 *
 * With vectors of bytes (core/cube3/cube3_vector_inl.h) all pieces of several states are followed
 * at once. The next power is one shuffle, the turns that are met are added beside it; compared with
 * the numbers of the bytes it shows which pieces are home, and of all k the first gives the least
 * code. Corners of two states share sixteen bytes. Without vectors cycles are walked over one by
 * one. All forms give the same numbers, bit for bit.
 */
#ifndef CORE_CUBE3_CUBE3_STRUCTURE_INL_H
#define CORE_CUBE3_CUBE3_STRUCTURE_INL_H

#include <string.h>

#include "core/cube3/cube3_structure.h"
#include "core/cube3/cube3_vector_inl.h"

enum { CUBE3_CORNER_STEPS = 4, CUBE3_EDGE_STEPS = 6 };

/* Code of the pieces of a cycle. */
BASE_INLINE unsigned cube3_structure_code(unsigned orbit, unsigned length, unsigned turn)
{
    if (orbit == CUBE3_CORNERS)
        return length <= CUBE3_CORNER_STEPS ? (length - 1) * 4 + turn : 15;
    return length <= CUBE3_EDGE_STEPS ? (length - 1) * 2 + turn : 15;
}

#if CUBE3_VECTOR_BYTES

/* Codes << 4 of all corners; of every sixteen bytes the last eight are of a state of their own,
 * whose pieces are 8 .. 15. */
BASE_INLINE cube3_vector cube3_corner_codes(cube3_vector slots)
{
    const cube3_vector home = cube3_vector_home(), turns = cube3_vector_all(0x30);
    cube3_vector at = slots, codes = cube3_vector_all(0xf0);
    for (unsigned k = 0; k < CUBE3_CORNER_STEPS; k++) {
        if (k > 0) {
            cube3_vector sum =
                cube3_vector_add(cube3_vector_shuffle(slots, at), cube3_vector_and(at, turns));
            at = cube3_vector_min(sum, cube3_vector_sub(sum, turns));
        }
        cube3_vector here = cube3_vector_xor(home, cube3_vector_all((uint8_t)(k << 6)));
        codes = cube3_vector_least_home(codes, cube3_vector_xor(at, here));
    }
    return codes;
}

BASE_INLINE cube3_vector cube3_edge_codes(cube3_vector slots)
{
    const cube3_vector home = cube3_vector_home(), flips = cube3_vector_all(0x10);
    cube3_vector at = slots, codes = cube3_vector_all(0xf0);
    for (unsigned k = 0; k < CUBE3_EDGE_STEPS; k++) {
        if (k > 0)
            at = cube3_vector_xor(cube3_vector_shuffle(slots, at), cube3_vector_and(at, flips));
        cube3_vector here = cube3_vector_xor(home, cube3_vector_all((uint8_t)(k << 5)));
        codes = cube3_vector_least_home(codes, cube3_vector_xor(at, here));
    }
    return codes;
}

/* Of every eight bytes: the sum of their weights. */
BASE_INLINE cube3_vector cube3_corner_sums(const struct cube3_orbit_structures *structures,
                                           cube3_vector slots)
{
    cube3_vector codes = cube3_vector_high_nibbles(cube3_corner_codes(slots));
    return cube3_vector_sums(cube3_vector_shuffle(cube3_vector_repeat(structures->low), codes));
}

BASE_INLINE cube3_vector cube3_edge_sums(const struct cube3_orbit_structures *structures,
                                         cube3_vector slots)
{
    cube3_vector codes = cube3_vector_high_nibbles(cube3_edge_codes(slots));
    return cube3_vector_sums_of_two(
        cube3_vector_shuffle(cube3_vector_repeat(structures->low), codes),
        cube3_vector_shuffle(cube3_vector_repeat(structures->high), codes));
}

BASE_INLINE unsigned cube3_structure_of_corners(const struct cube3_orbit_structures *structures,
                                                const struct cube3 *cube)
{
    cube3_vector sums = cube3_corner_sums(structures, cube3_vector_load16(cube->b));
    return structures->number[cube3_vector_first(sums) % CUBE3_STRUCTURE_KEYS];
}

BASE_INLINE unsigned cube3_structure_of_edges(const struct cube3_orbit_structures *structures,
                                              const struct cube3 *cube)
{
    cube3_vector sums = cube3_edge_sums(structures, cube3_vector_load16(cube->b + CUBE3_EDGE_AT));
    uint64_t key = cube3_vector_first(cube3_vector_pair_sums(sums, sums));
    return structures->number[key % CUBE3_STRUCTURE_KEYS];
}

/* As many states as there are corners in a vector: their edges take two. The sums of edges come in
 * the order 0, n/2, 1, n/2 + 1, ... */
BASE_INLINE void cube3_structures_of_vector(const struct cube3_structures *structures,
                                            const struct cube3_batch *batch, unsigned first,
                                            uint32_t *number)
{
    enum { STATES = CUBE3_VECTOR_BYTES / 8 };
    const struct cube3_orbit_structures *corners = &structures->orbit[CUBE3_CORNERS];
    const struct cube3_orbit_structures *edges = &structures->orbit[CUBE3_EDGES];
    BASE_ALIGNED(64) uint64_t corner_key[STATES];
    BASE_ALIGNED(64) uint64_t edge_key[STATES];
    cube3_vector second = cube3_vector_second_half(8);
    cube3_vector slots = cube3_vector_xor(cube3_vector_load(batch->corners[first]), second);
    cube3_vector_store(corner_key, cube3_corner_sums(corners, slots));
    cube3_vector low = cube3_edge_sums(edges, cube3_vector_load(batch->edges[first]));
    cube3_vector high = cube3_edge_sums(edges, cube3_vector_load(batch->edges[first + STATES / 2]));
    cube3_vector_store(edge_key, cube3_vector_pair_sums(low, high));
    for (unsigned i = 0; i < STATES; i++) {
        unsigned at = i / 2 + i % 2 * (STATES / 2);
        unsigned c = corners->number[corner_key[at] % CUBE3_STRUCTURE_KEYS];
        unsigned e = edges->number[edge_key[i] % CUBE3_STRUCTURE_KEYS];
        number[first + at] = c * CUBE3_EDGE_STRUCTURES + e;
    }
}

BASE_INLINE void cube3_structures_of_batch(const struct cube3_structures *structures,
                                           const struct cube3_batch *batch, unsigned count,
                                           uint32_t *number)
{
    for (unsigned first = 0; first < count; first += CUBE3_VECTOR_BYTES / 8)
        cube3_structures_of_vector(structures, batch, first, number);
}

#else

/* The number of an orbit's structure, its cycles walked over one by one. */
BASE_INLINE unsigned cube3_structure_walk(const struct cube3_orbit_structures *structures,
                                          const uint8_t *slots, unsigned orbit)
{
    const unsigned mod = orbit == CUBE3_CORNERS ? 3 : 2;
    unsigned key = 0, left = orbit == CUBE3_CORNERS ? 0xff : 0xfff;
    while (left) {
        unsigned first = (unsigned)__builtin_ctz(left), at = first, length = 0, turn = 0;
        do {
            left &= ~(1u << at);
            turn += slots[at] >> 4;
            turn = turn >= mod ? turn - mod : turn;
            length++;
            at = slots[at] & 15;
        } while (at != first);
        unsigned code = cube3_structure_code(orbit, length, turn);
        key += length * (structures->low[code] | (unsigned)structures->high[code] << 8);
    }
    return structures->number[key % CUBE3_STRUCTURE_KEYS];
}

BASE_INLINE unsigned cube3_structure_of_corners(const struct cube3_orbit_structures *structures,
                                                const struct cube3 *cube)
{
    return cube3_structure_walk(structures, cube->b, CUBE3_CORNERS);
}

BASE_INLINE unsigned cube3_structure_of_edges(const struct cube3_orbit_structures *structures,
                                              const struct cube3 *cube)
{
    return cube3_structure_walk(structures, cube->b + CUBE3_EDGE_AT, CUBE3_EDGES);
}

BASE_INLINE void cube3_structures_of_batch(const struct cube3_structures *structures,
                                           const struct cube3_batch *batch, unsigned count,
                                           uint32_t *number)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned c = cube3_structure_walk(&structures->orbit[CUBE3_CORNERS], batch->corners[i],
                                          CUBE3_CORNERS);
        unsigned e =
            cube3_structure_walk(&structures->orbit[CUBE3_EDGES], batch->edges[i], CUBE3_EDGES);
        number[i] = c * CUBE3_EDGE_STRUCTURES + e;
    }
}

#endif

#endif
