/*
 * fuzz_checkpoint.c - bytes of checkpoints: what is read is written as it was. Unless the first
 * byte is odd, the input is a body only and gets a good head, checksum included.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_hash.h"
#include "core/search/search_checkpoint.h"
#include "tests/fuzz/harness.h"

enum { HEAD = 24 };

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void read_and_write(const uint8_t *data, size_t size)
{
    struct search_checkpoint *checkpoint = NULL;
    size_t written;
    if (search_checkpoint_decode(data, size, &checkpoint)) {
        BASE_ASSERT(!checkpoint);
        return;
    }
    uint8_t *again = search_checkpoint_encode(checkpoint, &written);
    BASE_ASSERT(again && written == size && !memcmp(again, data, size));
    free(again);
    search_checkpoint_free(checkpoint);
}

static void read_body(const uint8_t *body, size_t size)
{
    uint8_t *data = malloc(HEAD + size);
    BASE_ASSERT(data);
    if (size)
        memcpy(data + HEAD, body, size);
    memcpy(data, "CSck", 4);
    put(data + 4, SEARCH_CHECKPOINT_VERSION, 4);
    put(data + 8, HEAD + size, 8);
    put(data + 16, base_hash(data + HEAD, size, 0), 8);
    read_and_write(data, HEAD + size);
    free(data);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    if (fuzz_byte(&bytes) & 1)
        read_and_write(bytes.data, bytes.size);
    else
        read_body(bytes.data, bytes.size);
    return 0;
}
