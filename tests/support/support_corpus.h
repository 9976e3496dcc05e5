/*
 * support_corpus.h - real tables of the 3x3x3 as sources for the encodings, for tests and
 * benchmarks: filled anew, in plain memory.
 */
#ifndef TESTS_SUPPORT_SUPPORT_CORPUS_H
#define TESTS_SUPPORT_SUPPORT_CORPUS_H

#include <stdint.h>

/* Of the tables, the small ones have 2 to 3 million entries, the others 42 million. */
enum { SUPPORT_CORPUS_SMALL = 3, SUPPORT_CORPUS_COUNT = 5 };

struct support_corpus {
    const char *name; /* static */
    uint64_t n_entries;
    uint8_t *entries;
    uint64_t histogram[64]; /* by distance; the rest of the entries is vacant */
};

/* New: table number `i`, the small ones first. 0 or an error of the library. */
int support_corpus_init(unsigned i, struct support_corpus *out);
void support_corpus_deinit(struct support_corpus *corpus);

/* Shannon entropy of what is stored, in bits an entry. */
double support_corpus_entropy(const uint64_t *histogram, uint64_t n_entries);

#endif
