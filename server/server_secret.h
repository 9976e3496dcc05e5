/*
 * server_secret.h - the little cryptography that tokens need, from nettle: SHA-256 and its HMAC,
 * random bytes of the kernel, comparison in constant time.
 */
#ifndef SERVER_SERVER_SECRET_H
#define SERVER_SERVER_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SERVER_DIGEST_SIZE = 32, SERVER_DIGEST_HEX_BYTES = 2 * SERVER_DIGEST_SIZE + 1 };

void server_secret_hash(const char *text, size_t length, uint8_t out[SERVER_DIGEST_SIZE]);

void server_secret_sign(const uint8_t key[SERVER_DIGEST_SIZE], const char *text, size_t length,
                        uint8_t out[SERVER_DIGEST_SIZE]);

/* The time it takes does not depend on where they differ. */
bool server_secret_equal(const uint8_t a[SERVER_DIGEST_SIZE], const uint8_t b[SERVER_DIGEST_SIZE]);

/* BASE_ERR_IO: the kernel gives none. */
int server_secret_random(uint8_t out[SERVER_DIGEST_SIZE]);

/* Lower case, with a NUL. Returns `out`. */
char *server_secret_print(const uint8_t digest[SERVER_DIGEST_SIZE],
                          char out[SERVER_DIGEST_HEX_BYTES]);

/* Exactly 64 hexadecimal digits in either case. BASE_ERR_SYNTAX. */
int server_secret_parse(const char *text, uint8_t out[SERVER_DIGEST_SIZE]);

#endif
