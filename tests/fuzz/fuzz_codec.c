/*
 * fuzz_codec.c - payloads of encoded tables. An encoding, a number of entries and their source
 * bytes are made from the input and encoded: the bounds are the entries, or lower where that is
 * allowed. Then the rest of the input is written over the payload: whatever it holds, it is refused
 * when opened, or no reading leads out of it.
 */
#include <string.h>

#include "core/base/base_mem.h"
#include "core/table/table_codec_inl.h"
#include "tests/fuzz/harness.h"

enum { MAX_ENTRIES = 20000, DISTANCES = 63 };

struct source {
    enum table_encoding encoding;
    bool lossless;
    uint32_t n;
    uint8_t *entry;
    uint64_t histogram[TABLE_CODEC_VALUES];
};

/* Entries cluster around a distance, as those of tables do; a few are anything. */
static void make_source(struct fuzz_bytes *bytes, struct source *source)
{
    unsigned kind = fuzz_byte(bytes);
    uint32_t number = fuzz_number(bytes), mixed = number;
    unsigned middle = fuzz_byte(bytes) % DISTANCES, spread = 1 + fuzz_byte(bytes) % DISTANCES;
    *source = (struct source){
        kind % TABLE_ENCODING_COUNT, kind & 64, 1 + number % MAX_ENTRIES, NULL, {0}};
    source->entry = base_mem_new(source->n, TABLE_CODEC_ALIGN);
    BASE_ASSERT(source->entry);
    for (uint32_t i = 0; i < source->n; i++) {
        mixed = mixed * 1664525 + 1013904223;
        unsigned distance = (middle + (mixed >> 24) % spread * (mixed >> 8 & 1)) % (DISTANCES + 1);
        source->entry[i] = (uint8_t)distance;
        if (distance)
            source->histogram[distance - 1]++;
    }
}

static uint8_t *encode(const struct source *source, uint64_t *size)
{
    const struct table_codec_options options = {.lossless = source->lossless};
    struct table_codec *codec;
    BASE_ASSERT(!table_codec_new(source->encoding, source->histogram, source->n, &options, &codec));
    for (unsigned i = 0; i < table_codec_chunks(codec); i++)
        table_codec_measure(codec, source->entry, i);
    *size = table_codec_bytes(codec);
    uint8_t *payload = base_mem_new(*size, TABLE_CODEC_ALIGN);
    BASE_ASSERT(payload);
    for (unsigned i = 0; i < table_codec_chunks(codec); i++)
        table_codec_encode(codec, source->entry, payload, i);
    table_codec_free(codec);
    return payload;
}

static void compare(const struct source *source, const uint8_t *payload, uint64_t size)
{
    struct table_codec *codec;
    bool exact = source->encoding == TABLE_ENCODING_NONE ||
                 (source->encoding == TABLE_ENCODING_TANS && source->lossless);
    BASE_ASSERT(table_codec_open(source->encoding, payload, size, source->n, &codec) == 0);
    for (uint32_t i = 0; i < source->n; i++) {
        unsigned bound = table_codec_bound(codec, payload, i);
        unsigned truth = (uint8_t)(source->entry[i] - 1);
        BASE_ASSERT(exact ? bound == truth : bound <= truth);
    }
    table_codec_free(codec);
}

/* Runs of bytes at places of the payload, most of them in its head. */
static void damage(struct fuzz_bytes *bytes, uint8_t *payload, uint64_t size)
{
    while (bytes->size) {
        uint64_t at = fuzz_byte(bytes);
        unsigned length = fuzz_byte(bytes);
        if (length & 128)
            at = (at << 8 | fuzz_byte(bytes)) % size;
        for (length = length % 16 + 1; length && bytes->size; length--, at++)
            payload[at % size] = fuzz_byte(bytes);
    }
}

static unsigned read_all(const struct source *source, const uint8_t *payload, uint64_t size,
                         uint32_t n)
{
    struct table_codec *codec;
    unsigned sum = 0;
    if (table_codec_open(source->encoding, payload, size, n, &codec))
        return 0;
    for (uint32_t i = 0; i < n; i++)
        sum += table_codec_bound(codec, payload, i);
    table_codec_free(codec);
    return sum;
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct source source;
    uint64_t payload_bytes;
    make_source(&bytes, &source);
    uint8_t *payload = encode(&source, &payload_bytes);
    compare(&source, payload, payload_bytes);
    uint32_t other_n = fuzz_byte(&bytes) & 1 ? source.n : source.n + fuzz_byte(&bytes) - 128;
    damage(&bytes, payload, payload_bytes);
    read_all(&source, payload, payload_bytes, other_n ? other_n : 1);
    base_mem_free(payload);
    base_mem_free(source.entry);
    return 0;
}
