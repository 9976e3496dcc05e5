/*
 * support_codec.c - see support_codec.h.
 */
#include "tests/support/support_codec.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_mem.h"
#include "tests/support/support_random.h"

enum { THREADS = 4 };

const char *support_form_name(enum support_form form)
{
    static const char *const names[SUPPORT_FORM_COUNT] = {"none", "nxopt", "tans", "tans lossless"};
    return names[form];
}

enum table_encoding support_form_encoding(enum support_form form)
{
    static const enum table_encoding encodings[SUPPORT_FORM_COUNT] = {
        TABLE_ENCODING_NONE, TABLE_ENCODING_NXOPT, TABLE_ENCODING_TANS, TABLE_ENCODING_TANS};
    return encodings[form];
}

/* One of the two passes; `payload` is NULL in the first. */
struct pass {
    struct table_codec *codec;
    const uint8_t *entries;
    uint8_t *payload;
    unsigned *order;
    unsigned count;
    atomic_uint next;
};

static void *run_some(void *arg)
{
    struct pass *pass = arg;
    unsigned i;
    while ((i = atomic_fetch_add(&pass->next, 1)) < pass->count)
        if (pass->payload)
            table_codec_encode(pass->codec, pass->entries, pass->payload, pass->order[i]);
        else
            table_codec_measure(pass->codec, pass->entries, pass->order[i]);
    return NULL;
}

static void run(struct pass *pass, enum support_order order)
{
    pthread_t thread[THREADS];
    atomic_store(&pass->next, 0);
    if (order != SUPPORT_ON_THREADS) {
        run_some(pass);
        return;
    }
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_some, pass), 0);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}

void support_encode(enum support_form form, const uint8_t *entries, uint64_t n,
                    const uint64_t *histogram, enum support_order order,
                    struct support_encoded *out)
{
    const struct table_codec_options options = {.lossless = form == SUPPORT_TANS_LOSSLESS};
    struct support_random random = {77};
    struct pass pass = {.entries = entries};

    ck_assert_int_eq(
        table_codec_new(support_form_encoding(form), histogram, n, &options, &pass.codec), 0);
    pass.count = table_codec_chunks(pass.codec);
    pass.order = malloc(pass.count * sizeof *pass.order);
    ck_assert_ptr_nonnull(pass.order);
    for (unsigned i = 0; i < pass.count; i++)
        pass.order[i] = i;
    if (order != SUPPORT_IN_ORDER)
        support_random_shuffle(&random, pass.order, pass.count);
    run(&pass, order);
    out->codec = pass.codec;
    out->bytes = table_codec_bytes(pass.codec);
    out->payload = pass.payload = base_mem_new(out->bytes, TABLE_CODEC_ALIGN);
    ck_assert_ptr_nonnull(pass.payload);
    run(&pass, order);
    free(pass.order);
}

void support_encode_free(struct support_encoded *encoded)
{
    table_codec_free(encoded->codec);
    base_mem_free(encoded->payload);
}

void support_histogram(const uint8_t *entries, uint64_t n, uint64_t histogram[64])
{
    memset(histogram, 0, 64 * sizeof *histogram);
    for (uint64_t i = 0; i < n; i++)
        if (entries[i] != 0)
            histogram[entries[i] - 1]++;
}
