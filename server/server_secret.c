/*
 * server_secret.c - see server_secret.h.
 */
#include "server/server_secret.h"

#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <string.h>
#include <sys/random.h>

#include "core/base/base_err.h"

_Static_assert(SERVER_DIGEST_SIZE == SHA256_DIGEST_SIZE, "digests are those of SHA-256");

void server_secret_hash(const char *text, size_t length, uint8_t out[SERVER_DIGEST_SIZE])
{
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, length, (const uint8_t *)text);
    sha256_digest(&context, SERVER_DIGEST_SIZE, out);
}

void server_secret_sign(const uint8_t key[SERVER_DIGEST_SIZE], const char *text, size_t length,
                        uint8_t out[SERVER_DIGEST_SIZE])
{
    struct hmac_sha256_ctx context;

    hmac_sha256_set_key(&context, SERVER_DIGEST_SIZE, key);
    hmac_sha256_update(&context, length, (const uint8_t *)text);
    hmac_sha256_digest(&context, SERVER_DIGEST_SIZE, out);
}

bool server_secret_equal(const uint8_t a[SERVER_DIGEST_SIZE], const uint8_t b[SERVER_DIGEST_SIZE])
{
    return memeql_sec(a, b, SERVER_DIGEST_SIZE);
}

int server_secret_random(uint8_t out[SERVER_DIGEST_SIZE])
{
    return getrandom(out, SERVER_DIGEST_SIZE, 0) == SERVER_DIGEST_SIZE ? BASE_OK : BASE_ERR_IO;
}

char *server_secret_print(const uint8_t digest[SERVER_DIGEST_SIZE],
                          char out[SERVER_DIGEST_HEX_BYTES])
{
    static const char HEX[] = "0123456789abcdef";

    for (size_t i = 0; i < SERVER_DIGEST_SIZE; i++) {
        out[2 * i] = HEX[digest[i] >> 4];
        out[2 * i + 1] = HEX[digest[i] & 15];
    }
    out[2 * SERVER_DIGEST_SIZE] = '\0';
    return out;
}

/* -1: no hexadecimal digit. */
static int digit_of(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

int server_secret_parse(const char *text, uint8_t out[SERVER_DIGEST_SIZE])
{
    if (strlen(text) != 2 * SERVER_DIGEST_SIZE)
        return BASE_ERR_SYNTAX;
    for (size_t i = 0; i < SERVER_DIGEST_SIZE; i++) {
        int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);

        if (high < 0 || low < 0)
            return BASE_ERR_SYNTAX;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return BASE_OK;
}
