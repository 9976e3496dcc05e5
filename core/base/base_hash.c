/*
 * base_hash.c - XXH3 behind our own name, so that nothing else depends on the library.
 *
 * XXH3 (Yann Collet, github.com/Cyan4973/xxHash) reads its input as little-endian numbers, so a
 * digest of bytes is the same everywhere; base_hash_mix serialises its numbers for the same reason.
 */
#include "core/base/base_hash.h"

#include <xxhash.h>

uint64_t base_hash(const void *data, size_t bytes, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, bytes, seed);
}

uint64_t base_hash_mix(uint64_t digest, uint64_t value)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
    return base_hash(bytes, sizeof bytes, digest);
}
