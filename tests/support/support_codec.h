/*
 * support_codec.h - encodes whole tables for tests.
 */
#ifndef TESTS_SUPPORT_SUPPORT_CODEC_H
#define TESTS_SUPPORT_SUPPORT_CODEC_H

#include "core/table/table_codec.h"

/* An encoding with its options. */
enum support_form { SUPPORT_NONE, SUPPORT_NXOPT, SUPPORT_TANS, SUPPORT_TANS_LOSSLESS };
enum { SUPPORT_FORM_COUNT = 4 };

const char *support_form_name(enum support_form form);
enum table_encoding support_form_encoding(enum support_form form);

enum support_order { SUPPORT_IN_ORDER, SUPPORT_SHUFFLED, SUPPORT_ON_THREADS };

struct support_encoded {
    struct table_codec *codec;
    uint8_t *payload;
    uint64_t bytes;
};

/* Encodes n entries with the parameters for `histogram`; what fails, fails the running test. */
void support_encode(enum support_form form, const uint8_t *entries, uint64_t n,
                    const uint64_t *histogram, enum support_order order,
                    struct support_encoded *out);
void support_encode_free(struct support_encoded *encoded);

/* The true histogram of the entries. */
void support_histogram(const uint8_t *entries, uint64_t n, uint64_t histogram[64]);

#endif
