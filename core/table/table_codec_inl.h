/*
 * table_codec_inl.h - reads one entry of an encoded table: a bound, and the line to prefetch.
 *
 * Loops that know the encoding call table_none_bound, table_nxopt_bound or table_tans_bound
 * themselves; table_codec_bound decides at every call.
 */
#ifndef CORE_TABLE_TABLE_CODEC_INL_H
#define CORE_TABLE_TABLE_CODEC_INL_H

#include "core/table/table_codec.h"
#include "core/table/table_nxopt_inl.h"
#include "core/table/table_tans_inl.h"

struct table_codec {
    enum table_encoding encoding;
    bool lossless;
    uint64_t n_entries;
    struct table_nxopt nxopt;
    struct table_tans tans;
    /* of an encoder */
    unsigned n_chunks;
    uint64_t *lowered; /* [chunk] */
};

static inline unsigned table_none_bound(const uint8_t *payload, uint64_t index)
{
    return (uint8_t)(payload[index] - 1);
}

/* Lower bound of the entry's distance; 255: vacant (none and tans). */
static inline unsigned table_codec_bound(const struct table_codec *codec, const uint8_t *payload,
                                         uint64_t index)
{
    switch (codec->encoding) {
    case TABLE_ENCODING_NXOPT:
        return table_nxopt_bound(&codec->nxopt, payload, index);
    case TABLE_ENCODING_TANS:
        return table_tans_bound(&codec->tans, payload, index);
    default:
        return table_none_bound(payload, index);
    }
}

/* The cache line that table_codec_bound is going to read. */
static inline const void *table_codec_line(const struct table_codec *codec, const uint8_t *payload,
                                           uint64_t index)
{
    switch (codec->encoding) {
    case TABLE_ENCODING_NXOPT:
        return table_nxopt_line(payload, index);
    case TABLE_ENCODING_TANS:
        return table_tans_line(&codec->tans, payload, index);
    default:
        return payload + index;
    }
}

static inline void table_codec_prefetch(const struct table_codec *codec, const uint8_t *payload,
                                        uint64_t index)
{
    __builtin_prefetch(table_codec_line(codec, payload, index));
}

#endif
