/*
 * table_codec.c - one face for the three encodings.
 */
#include "core/table/table_codec.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_codec_inl.h"
#include "core/table/table_nxopt_int.h"
#include "core/table/table_tans_int.h"

enum { NONE_CHUNK = 1 << 20 };

#define MAX_ENTRIES ((uint64_t)1 << TABLE_CODEC_MAX_LOG)

static const char *const names[TABLE_ENCODING_COUNT] = {[TABLE_ENCODING_NONE] = "none",
                                                        [TABLE_ENCODING_NXOPT] = "nxopt",
                                                        [TABLE_ENCODING_TANS] = "tans"};

const char *table_encoding_name(enum table_encoding encoding)
{
    return names[encoding];
}

int table_encoding_parse(const char *name, enum table_encoding *out)
{
    for (int i = 0; i < TABLE_ENCODING_COUNT; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (enum table_encoding)i;
            return 0;
        }
    return BASE_ERR_NOT_FOUND;
}

/* ---- life -------------------------------------------------------------------------------- */

/* Occurrences of every source byte; false: the histogram cannot be that of such a table. */
static bool count_bytes(const uint64_t *histogram, uint64_t n_entries, uint64_t *count)
{
    uint64_t vacant = n_entries;
    for (unsigned v = 0; v < TABLE_CODEC_VALUES - 1; v++) {
        if (histogram[v] > vacant)
            return false;
        vacant -= histogram[v];
        count[v + 1] = histogram[v];
    }
    count[0] = vacant;
    return histogram[TABLE_CODEC_VALUES - 1] == 0;
}

static unsigned none_chunks(uint64_t n_entries)
{
    return (unsigned)((n_entries + NONE_CHUNK - 1) / NONE_CHUNK);
}

static int init(struct table_codec *codec, const uint64_t *histogram)
{
    uint64_t count[TABLE_CODEC_VALUES];
    if (!count_bytes(histogram, codec->n_entries, count))
        return BASE_ERR_RANGE;
    int code = 0;
    switch (codec->encoding) {
    case TABLE_ENCODING_NXOPT:
        table__nxopt_choose(histogram, &codec->nxopt);
        codec->n_chunks = table__nxopt_chunks(codec->n_entries);
        break;
    case TABLE_ENCODING_TANS:
        code = table__tans_new(count, codec->n_entries, codec->lossless, &codec->tans);
        codec->n_chunks = code == 0 ? table__tans_chunks(&codec->tans) : 0;
        break;
    default:
        codec->n_chunks = none_chunks(codec->n_entries);
    }
    codec->lowered = calloc(codec->n_chunks + 1u, sizeof *codec->lowered);
    return code == 0 && !codec->lowered ? BASE_ERR_NOMEM : code;
}

/* A codec with nothing but what it is about. */
static int allocate(enum table_encoding encoding, uint64_t n_entries, struct table_codec **out)
{
    *out = NULL;
    if (n_entries == 0 || n_entries > MAX_ENTRIES)
        return BASE_ERR_RANGE;
    struct table_codec *codec = calloc(1, sizeof *codec);
    if (!codec)
        return BASE_ERR_NOMEM;
    codec->encoding = encoding;
    codec->n_entries = n_entries;
    *out = codec;
    return 0;
}

/* Hands the codec over, or frees it. */
static int finish(int code, struct table_codec *codec, struct table_codec **out)
{
    if (code != 0) {
        table_codec_free(codec);
        codec = NULL;
    }
    *out = codec;
    return code;
}

int table_codec_new(enum table_encoding encoding, const uint64_t *histogram, uint64_t n_entries,
                    const struct table_codec_options *options, struct table_codec **out)
{
    struct table_codec *codec;
    int code = allocate(encoding, n_entries, out);
    if (code != 0)
        return code;
    codec = *out;
    codec->lossless = options && options->lossless;
    return finish(init(codec, histogram), codec, out);
}

static int open_payload(struct table_codec *codec, const uint8_t *payload, uint64_t bytes)
{
    switch (codec->encoding) {
    case TABLE_ENCODING_NXOPT:
        return table__nxopt_open(payload, bytes, codec->n_entries, &codec->nxopt);
    case TABLE_ENCODING_TANS:
        return table__tans_open(payload, bytes, codec->n_entries, &codec->tans);
    default:
        return bytes == codec->n_entries ? 0 : BASE_ERR_CORRUPT;
    }
}

int table_codec_open(enum table_encoding encoding, const uint8_t *payload, uint64_t bytes,
                     uint64_t n_entries, struct table_codec **out)
{
    int code = allocate(encoding, n_entries, out);
    if (code != 0)
        return code == BASE_ERR_RANGE ? BASE_ERR_CORRUPT : code;
    return finish(open_payload(*out, payload, bytes), *out, out);
}

void table_codec_free(struct table_codec *codec)
{
    if (!codec)
        return;
    table__tans_free(&codec->tans);
    free(codec->lowered);
    free(codec);
}

enum table_encoding table_codec_encoding(const struct table_codec *codec)
{
    return codec->encoding;
}

/* ---- encoding ---------------------------------------------------------------------------- */

uint64_t table_codec_expected_bytes(const struct table_codec *codec)
{
    switch (codec->encoding) {
    case TABLE_ENCODING_NXOPT:
        return table__nxopt_bytes(codec->n_entries);
    case TABLE_ENCODING_TANS:
        return table__tans_expected_bytes(&codec->tans, codec->n_entries);
    default:
        return codec->n_entries;
    }
}

unsigned table_codec_chunks(const struct table_codec *codec)
{
    return codec->n_chunks;
}

/* Every thread writes to elements of its own. */
void table_codec_measure(struct table_codec *codec, const uint8_t *entries, unsigned chunk)
{
    uint64_t lowered = 0;
    if (codec->encoding == TABLE_ENCODING_NXOPT)
        lowered = table__nxopt_encode(&codec->nxopt, entries, codec->n_entries, NULL, chunk);
    else if (codec->encoding == TABLE_ENCODING_TANS)
        lowered = table__tans_measure(&codec->tans, entries, codec->n_entries, chunk);
    codec->lowered[chunk] = lowered;
}

uint64_t table_codec_bytes(struct table_codec *codec)
{
    if (codec->encoding == TABLE_ENCODING_TANS)
        return table__tans_bytes(&codec->tans);
    return table_codec_expected_bytes(codec);
}

static void none_encode(const uint8_t *entries, uint64_t n_entries, uint8_t *payload,
                        unsigned chunk)
{
    uint64_t first = (uint64_t)chunk * NONE_CHUNK, left = n_entries - first;
    memcpy(payload + first, entries + first, left < NONE_CHUNK ? left : NONE_CHUNK);
}

void table_codec_encode(const struct table_codec *codec, const uint8_t *entries, uint8_t *payload,
                        unsigned chunk)
{
    switch (codec->encoding) {
    case TABLE_ENCODING_NXOPT:
        (void)table__nxopt_encode(&codec->nxopt, entries, codec->n_entries, payload, chunk);
        break;
    case TABLE_ENCODING_TANS:
        table__tans_encode(&codec->tans, entries, codec->n_entries, payload, chunk);
        break;
    default:
        none_encode(entries, codec->n_entries, payload, chunk);
    }
}

uint64_t table_codec_lowered(const struct table_codec *codec)
{
    uint64_t total = 0;
    for (unsigned chunk = 0; chunk < codec->n_chunks; chunk++)
        total += codec->lowered[chunk];
    return total;
}
