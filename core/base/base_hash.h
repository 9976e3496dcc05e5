/*
 * base_hash.h - 64-bit hashes that are the same on every machine (XXH3 of libxxhash): digests of
 * definitions, names of table files, checksums of table chunks. Not cryptographic.
 */
#ifndef CORE_BASE_BASE_HASH_H
#define CORE_BASE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t base_hash(const void *data, size_t bytes, uint64_t seed);

/* Mixes one number into a running digest. */
uint64_t base_hash_mix(uint64_t digest, uint64_t value);

#endif
