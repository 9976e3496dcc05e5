/*
 * support_decode.h - decoders of table payloads that are slow, and independent: written from
 * core/table/FORMAT.md alone, sharing no code with the program.
 */
#ifndef TESTS_SUPPORT_SUPPORT_DECODE_H
#define TESTS_SUPPORT_SUPPORT_DECODE_H

#include <stdint.h>

/* Writes the bounds of all n entries of a well-formed payload of the encoding with this name. */
void support_decode(const char *encoding, const uint8_t *payload, uint64_t n, uint8_t *bound);

/* The same for nxopt of the kind product. */
void support_decode_product(const uint8_t *payload, uint64_t n, uint8_t *bound);

#endif
