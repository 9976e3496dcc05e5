/*
 * table_tans_int.h - inside of the `tans` encoding: words, their choice, and the encoder.
 *
 *     table_tans_tree.c    the tree of words
 *     table_tans_plan.c    which words, how many states, how many entries a block: from a histogram
 *     table_tans_block.c   one block
 *     table_tans.c         payloads: head, blocks, patches
 */
#ifndef CORE_TABLE_TABLE_TANS_INT_H
#define CORE_TABLE_TABLE_TANS_INT_H

#include <stdbool.h>

#include "core/table/table_codec.h"
#include "core/table/table_tans_inl.h"

/* ---- words ------------------------------------------------------------------------------- */

enum {
    TABLE__TREE_LINKS = 2 * ANS_MAX_SYMBOLS, /* children of all inner nodes */
    TABLE__TREE_WORD = 0x8000                /* a link to a word, not to a node */
};

/*
 * A tree whose leaves are the words: every sequence of letters has one way through it from leaf to
 * leaf. A *letter* is the place of a source byte in the order of frequency, the most frequent is 0.
 */
struct table__tree {
    unsigned n_letters;
    unsigned n_words;
    unsigned n_links;
    uint16_t link[TABLE__TREE_LINKS]; /* [node + letter]; the root is node 0 */
    uint16_t parent[ANS_MAX_SYMBOLS]; /* [word]: the place in `link` that leads here */
    double weight[ANS_MAX_SYMBOLS];   /* [word]: probability */
    uint8_t length[ANS_MAX_SYMBOLS];
    uint8_t letter[ANS_MAX_SYMBOLS][TABLE_TANS_WORD];
};

/* The words of one letter. */
void table__tree_init(struct table__tree *tree, const double *probability, unsigned n_letters);
/* Replaces the most probable word that can grow by its n_letters continuations. False: the tree is
 * full. */
bool table__tree_grow(struct table__tree *tree, const double *probability);

/* ---- choice ------------------------------------------------------------------------------ */

/* The source bytes that words are made of, the most frequent first, and what shall become of the
 * others: each is shown as a letter. */
struct table__alphabet {
    unsigned n_letters;
    unsigned marker; /* letter for what has to be patched; 0: blocks say when to look */
    uint8_t byte[TABLE_CODEC_VALUES];
    double probability[TABLE_CODEC_VALUES]; /* [letter], of what is shown */
    uint8_t letter[256];                    /* [source byte] */
};

/* Showing another letter instead saves bits. */
struct table__saving {
    uint8_t from, to; /* letters */
    double bits;
};

struct table__plan {
    struct table__alphabet alphabet;
    struct table__tree tree;
    unsigned log;
    uint16_t freq[ANS_MAX_SYMBOLS];
    unsigned per_block; /* a multiple of the number of lanes */
    double bits;        /* expected, of an entry */
    double lowered;     /* expected, of all entries */
    double cost;        /* the same with a word for speed */
    unsigned n_savings; /* in the order in which they are to be used */
    struct table__saving saving[2 * TABLE_CODEC_VALUES];
};

/* The plan that needs the fewest bits. `count[byte]` of source bytes, 64 numbers, not all 0. */
void table__plan_choose(const uint64_t *count, bool lossless, struct table__plan *plan);

/* ---- one block --------------------------------------------------------------------------- */

enum { TABLE__MAX_PER_BLOCK = 2048 };

struct table_tans_coder {
    struct table__plan plan;
    struct ans_encoder encoder;
    bool lossless;
    /* of each chunk */
    uint64_t *patches;
    uint64_t *first_patch;
    unsigned n_chunks;
};

struct table__block {
    unsigned n_patches;
    unsigned n_lowered;
    uint8_t letter[TABLE__MAX_PER_BLOCK]; /* [slot]: shown */
};

/* Does the block of nothing but the most frequent letter fit? Then every block can be made to. */
bool table__block_can_fit(const struct table_tans_coder *coder);

/* Encodes per_block source bytes. `line`: 64 zero bytes, or NULL to learn only what becomes of
 * the entries. */
void table__block_encode(const struct table_tans_coder *coder, const uint8_t *bytes, uint8_t *line,
                         struct table__block *block);

/* Is the entry to be listed as a patch? */
bool table__block_is_patched(const struct table_tans_coder *coder, const struct table__block *block,
                             unsigned slot, uint8_t byte);

/* ---- payloads ---------------------------------------------------------------------------- */

int table__tans_new(const uint64_t *count, uint64_t n_entries, bool lossless,
                    struct table_tans *tans);
int table__tans_open(const uint8_t *payload, uint64_t bytes, uint64_t n_entries,
                     struct table_tans *tans);
void table__tans_free(struct table_tans *tans);
uint64_t table__tans_expected_bytes(const struct table_tans *tans, uint64_t n_entries);
unsigned table__tans_chunks(const struct table_tans *tans);
/* Returns the number of entries lowered. */
uint64_t table__tans_measure(const struct table_tans *tans, const uint8_t *entries,
                             uint64_t n_entries, unsigned chunk);
uint64_t table__tans_bytes(struct table_tans *tans);
void table__tans_encode(const struct table_tans *tans, const uint8_t *entries, uint64_t n_entries,
                        uint8_t *payload, unsigned chunk);

#endif
