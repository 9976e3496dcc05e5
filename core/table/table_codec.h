/*
 * table_codec.h - how the entries of a finished table are stored: the encodings.
 *
 *     none   one byte an entry
 *     nxopt  2 bits an entry, lower bounds of the entries (table_nxopt_int.h)
 *     tans   near the entropy of the entries, exact or almost (table_tans_int.h)
 *
 * The *source* of an encoding is n bytes of a filled table: 0 for a vacant entry, v + 1 for the
 * distance v. Entries are numbered by byte, unused bytes at the ends of lines included. To encode:
 *
 *     table_codec_new
 *     table_codec_measure   every chunk once, in any order, on any threads
 *     table_codec_bytes     one thread; then make a payload of that size
 *     table_codec_encode    every chunk once, in any order, on any threads
 *
 * and from then on, or after table_codec_open, any thread may read with table_codec_inl.h. A codec
 * holds the coding tables only, never the payload. FORMAT.md says what the payload looks like.
 */
#ifndef CORE_TABLE_TABLE_CODEC_H
#define CORE_TABLE_TABLE_CODEC_H

#include <stdbool.h>
#include <stdint.h>

enum table_encoding {
    TABLE_ENCODING_NONE,
    TABLE_ENCODING_NXOPT,
    TABLE_ENCODING_TANS,
    TABLE_ENCODING_COUNT
};

enum {
    TABLE_CODEC_VALUES = 64, /* that a source byte can have: vacant and the distances 0 .. 62 */
    TABLE_CODEC_ALIGN = 64,  /* of a payload in memory */
    TABLE_CODEC_MAX_LOG = 34 /* n_entries <= 2^this */
};

/* "none", "nxopt", "tans". Static. */
const char *table_encoding_name(enum table_encoding encoding);
/* BASE_ERR_NOT_FOUND: no encoding has this name. */
int table_encoding_parse(const char *name, enum table_encoding *out);

/* All zero is the default. */
struct table_codec_options {
    /* tans: every bound equals the entry. Else a few are lower, which saves some space. */
    bool lossless;
};

struct table_codec;

/*
 * New: parameters for a table with `histogram[v]` entries of distance v (64 numbers; the rest of
 * the n_entries is vacant). The histogram only decides how well the entries are stored; a payload
 * is right for any entries. `options` may be NULL. BASE_ERR_RANGE: n_entries is 0 or too large, or
 * the histogram has more, or distances of 63 and more; BASE_ERR_NOMEM.
 */
int table_codec_new(enum table_encoding encoding, const uint64_t *histogram, uint64_t n_entries,
                    const struct table_codec_options *options, struct table_codec **out);
void table_codec_free(struct table_codec *codec);

/* Payload size that the histogram lets expect, within about 2 %. */
uint64_t table_codec_expected_bytes(const struct table_codec *codec);

unsigned table_codec_chunks(const struct table_codec *codec);
/* `entries`: n_entries bytes, the same in both passes. */
void table_codec_measure(struct table_codec *codec, const uint8_t *entries, unsigned chunk);
/* Exact, once every chunk has been measured. */
uint64_t table_codec_bytes(struct table_codec *codec);
/* `payload`: table_codec_bytes zero bytes, aligned to TABLE_CODEC_ALIGN. */
void table_codec_encode(const struct table_codec *codec, const uint8_t *entries, uint8_t *payload,
                        unsigned chunk);

/* Entries whose bound is lower than they are, once every chunk has been measured. */
uint64_t table_codec_lowered(const struct table_codec *codec);

/*
 * New: for reading an existing payload. The head of the payload is checked; the rest of it cannot
 * lead a reader out of the payload, whatever it holds. BASE_ERR_CORRUPT: this is no payload of this
 * encoding with n_entries; BASE_ERR_NOMEM.
 */
int table_codec_open(enum table_encoding encoding, const uint8_t *payload, uint64_t bytes,
                     uint64_t n_entries, struct table_codec **out);

enum table_encoding table_codec_encoding(const struct table_codec *codec);

#endif
