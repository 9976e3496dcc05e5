/*
 * bench_codec.c - the encodings on real tables: bits an entry against the entropy, speed of
 * encoding, and the time of a random read with and without prefetch. The hash is that of the
 * values read; it is the same for `none` and lossless `tans`.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/base/base_mem.h"
#include "core/table/table_codec_inl.h"
#include "tests/support/support_corpus.h"

enum { READS = 1 << 22, AHEAD = 16 };

struct form {
    const char *name;
    enum table_encoding encoding;
    bool lossless;
};

static const struct form forms[] = {{"none", TABLE_ENCODING_NONE, false},
                                    {"nxopt", TABLE_ENCODING_NXOPT, false},
                                    {"tans", TABLE_ENCODING_TANS, false},
                                    {"tans lossless", TABLE_ENCODING_TANS, true}};

static uint64_t *random_indices(uint64_t n_entries)
{
    uint64_t *index = malloc((READS + AHEAD) * sizeof *index);
    for (uint64_t i = 0; index && i < READS + AHEAD; i++)
        index[i] = base_hash_mix(1, i) % n_entries;
    return index;
}

struct read_time {
    double ns;
    uint64_t hash;
};

/* Makes the next index depend on the last value, so that reads cannot overlap. */
static inline uint64_t after(uint64_t index, uint64_t value)
{
    __asm__ volatile("" : "+r"(value)); /* the compiler no longer knows that it is below 256 */
    return index + (value >> 8);
}

static struct read_time read_plain(const struct table_codec *codec, const uint8_t *payload,
                                   const uint64_t *index)
{
    uint64_t start = base_clock_thread_cpu_ns(), hash = 0, value = 0;
    for (unsigned i = 0; i < READS; i++) {
        value = table_codec_bound(codec, payload, after(index[i], value));
        hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    }
    return (struct read_time){(double)(base_clock_thread_cpu_ns() - start) / READS, hash};
}

static struct read_time read_prefetched(const struct table_codec *codec, const uint8_t *payload,
                                        const uint64_t *index)
{
    uint64_t start = base_clock_thread_cpu_ns(), hash = 0, value = 0;
    for (unsigned i = 0; i < READS; i++) {
        table_codec_prefetch(codec, payload, index[i + AHEAD]);
        value = table_codec_bound(codec, payload, after(index[i], value));
        hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    }
    return (struct read_time){(double)(base_clock_thread_cpu_ns() - start) / READS, hash};
}

static int run_form(const struct support_corpus *corpus, const uint64_t *index,
                    const struct form *form)
{
    const struct table_codec_options options = {.lossless = form->lossless};
    const double n = (double)corpus->n_entries;
    struct table_codec *codec;
    uint64_t start = base_clock_thread_cpu_ns();
    int code =
        table_codec_new(form->encoding, corpus->histogram, corpus->n_entries, &options, &codec);
    if (code != 0)
        return code;
    double choose = base_clock_seconds(base_clock_thread_cpu_ns() - start);
    start = base_clock_thread_cpu_ns();
    for (unsigned i = 0; i < table_codec_chunks(codec); i++)
        table_codec_measure(codec, corpus->entries, i);
    uint64_t bytes = table_codec_bytes(codec);
    uint8_t *payload = base_mem_new(bytes, TABLE_CODEC_ALIGN);
    if (!payload) {
        table_codec_free(codec);
        return BASE_ERR_NOMEM;
    }
    for (unsigned i = 0; i < table_codec_chunks(codec); i++)
        table_codec_encode(codec, corpus->entries, payload, i);
    double encode = base_clock_seconds(base_clock_thread_cpu_ns() - start);
    struct read_time ahead = read_prefetched(codec, payload, index);
    struct read_time plain = read_plain(codec, payload, index);
    double bits = 8 * (double)bytes / n;
    printf("  %-14s %7.4f %7.3f %9.4f%% %7.1f %7.0f %8.1f %8.1f  %016llx%s\n", form->name, bits,
           bits / support_corpus_entropy(corpus->histogram, corpus->n_entries),
           100 * (double)table_codec_lowered(codec) / n, choose * 1e3, n / 1e6 / encode, plain.ns,
           ahead.ns, (unsigned long long)plain.hash, plain.hash == ahead.hash ? "" : " DIFFERS");
    base_mem_free(payload);
    table_codec_free(codec);
    return 0;
}

static int run_corpus(unsigned i)
{
    struct support_corpus corpus;
    int code = support_corpus_init(i, &corpus);
    uint64_t *index = code == 0 ? random_indices(corpus.n_entries) : NULL;
    if (code == 0 && !index)
        code = BASE_ERR_NOMEM;
    if (code == 0)
        printf("%s: %llu entries, entropy %.4f bits\n", corpus.name,
               (unsigned long long)corpus.n_entries,
               support_corpus_entropy(corpus.histogram, corpus.n_entries));
    for (size_t form = 0; code == 0 && form < BASE_COUNT(forms); form++)
        code = run_form(&corpus, index, &forms[form]);
    free(index);
    support_corpus_deinit(&corpus);
    return code;
}

int main(void)
{
    printf("  %-14s %7s %7s %10s %7s %7s %8s %8s\n", "encoding", "bits", "/ H", "lowered",
           "plan ms", "MB/s", "read ns", "ahead ns");
    for (unsigned i = 0; i < SUPPORT_CORPUS_COUNT; i++) {
        int code = run_corpus(i);
        if (code != 0) {
            fprintf(stderr, "%s\n", base_err_text(code));
            return 1;
        }
    }
    return 0;
}
