/*
 * table_tans.c - payloads of the `tans` encoding: head, blocks, and patches.
 *
 *     | head | blocks | where each group's patches begin, and their number | patches | zeroes |
 *
 * A *group* is 128 blocks; its patches are ascending by block and slot. FORMAT.md has the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_bits.h"
#include "core/base/base_err.h"
#include "core/base/base_mem.h"
#include "core/table/table_tans_int.h"

enum {
    GROUP = 128,
    CHUNK = 8 * GROUP, /* blocks */
    STRIP = 16,        /* blocks whose entries are gathered at once; divides CHUNK */
    LEAST_BLOCKS = 13,
    NO_MARKER = TABLE_CODEC_VALUES, /* a source byte that no block shows */
    PATCH_BYTES = 3,
    SLOT_BITS = 11, /* a patch: block of the group, slot, source byte */
    BYTE_BITS = 6
};

/* The head's fixed part; frequencies, lengths and letters of the words follow. */
struct head {
    uint64_t n_blocks;
    uint64_t n_patches;
    uint32_t blocks_at;
    uint16_t per_block;
    uint16_t n_words;
    uint8_t log;
    uint8_t marker; /* source bytes */
    uint8_t common;
    uint8_t zero[5];
};

_Static_assert(sizeof(struct head) == 32, "written as it is");
_Static_assert(TABLE__MAX_PER_BLOCK <= 1 << SLOT_BITS && TABLE_CODEC_VALUES <= 1 << BYTE_BITS &&
                   (GROUP << SLOT_BITS << BYTE_BITS) <= 1 << 8 * PATCH_BYTES,
               "a patch has room for its parts");

/* ---- layout ------------------------------------------------------------------------------ */

static uint64_t group_count(uint64_t n_blocks)
{
    return (n_blocks + GROUP - 1) / GROUP;
}

static uint64_t payload_bytes(const struct table_tans *tans)
{
    return base_bits_align_up(tans->patches_at + PATCH_BYTES * tans->n_patches, TABLE_CODEC_ALIGN);
}

static bool is_smooth(uint64_t n)
{
    return n % 2 == 0 || n % 3 == 0 || n % 5 == 0 || n % 7 == 0 || n % 11 == 0;
}

/* At least so many blocks that lines of a table, whose lengths are products of small factors, are
 * out of step with them. */
static uint64_t block_count(uint64_t n_entries, unsigned per_block)
{
    uint64_t n = (n_entries + per_block - 1) / per_block;
    if (n < LEAST_BLOCKS)
        return LEAST_BLOCKS;
    while (is_smooth(n))
        n++;
    return n;
}

/* With n_blocks and blocks_at known. The reciprocal is exact for every index below 2^64 / n_blocks:
 * it is too large by less than 1, so the product by less than index / 2^64. */
static void set_layout(struct table_tans *tans)
{
    tans->reciprocal = UINT64_MAX / tans->n_blocks + 1;
    tans->groups_at = tans->blocks_at + tans->n_blocks * TABLE_TANS_BLOCK;
    tans->patches_at = tans->groups_at + 8 * (group_count(tans->n_blocks) + 1);
}

/* ---- reading ----------------------------------------------------------------------------- */

static uint64_t load64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t load_patch(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
}

/* Start of a group's patches; damage cannot lead out of them. */
static uint64_t group_start(const struct table_tans *tans, const uint8_t *payload, uint64_t group)
{
    uint64_t start = load64(payload + tans->groups_at + 8 * group);
    return start < tans->n_patches ? start : tans->n_patches;
}

static uint32_t patch_key(uint64_t block, unsigned slot)
{
    return (uint32_t)(block % GROUP << SLOT_BITS | slot);
}

unsigned table_tans_patched(const struct table_tans *tans, const uint8_t *payload, uint64_t block,
                            unsigned slot, unsigned shown)
{
    const uint8_t *patches = payload + tans->patches_at;
    const uint32_t key = patch_key(block, slot);
    uint64_t low = group_start(tans, payload, block / GROUP);
    uint64_t high = group_start(tans, payload, block / GROUP + 1);

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint32_t patch = load_patch(patches + PATCH_BYTES * middle);
        if (patch >> BYTE_BITS == key)
            return (uint8_t)(patch % (1u << BYTE_BITS) - 1);
        if (patch >> BYTE_BITS < key)
            low = middle + 1;
        else
            high = middle;
    }
    return shown;
}

/* ---- the head ---------------------------------------------------------------------------- */

static struct table_tans_cell cell_of(struct ans_cell cell, uint8_t length)
{
    return (struct table_tans_cell){.next = cell.next,
                                    .mask = (uint16_t)((1u << cell.bits) - 1),
                                    .bits = cell.bits,
                                    .rest = (uint8_t)(63 - cell.bits),
                                    .word = cell.symbol,
                                    .length = length};
}

static int words_init(struct table_tans *tans, const uint16_t *freq, const uint8_t *length,
                      const uint8_t *byte, unsigned n_words)
{
    struct ans_cell cell[1 << TABLE_TANS_MAX_LOG];
    int code = ans_decoder_init(cell, freq, n_words, tans->log);
    if (code != 0)
        return code;
    for (unsigned state = 0; state < 1u << tans->log; state++)
        tans->words->cell[state] = cell_of(cell[state], length[cell[state].symbol]);
    for (unsigned i = 0; i < n_words; byte += length[i], i++)
        for (unsigned k = 0; k < length[i]; k++)
            tans->words->bound[i][k] = (uint8_t)(byte[k] - 1);
    tans->start = cell_of((struct ans_cell){.bits = tans->log}, 0);
    return 0;
}

static uint32_t letters_total(const uint8_t *length, unsigned n_words)
{
    uint32_t total = 0;
    for (unsigned i = 0; i < n_words; i++)
        total += length[i];
    return total;
}

static uint32_t head_bytes(unsigned n_words, uint32_t letters)
{
    return (uint32_t)base_bits_align_up(sizeof(struct head) + 3u * n_words + letters,
                                        TABLE_CODEC_ALIGN);
}

/* Words and bytes as they are stored. */
struct dictionary {
    uint16_t freq[ANS_MAX_SYMBOLS];
    uint8_t length[ANS_MAX_SYMBOLS];
    uint8_t byte[ANS_MAX_SYMBOLS * TABLE_TANS_WORD];
    uint32_t letters;
};

static void dictionary_of_plan(const struct table__plan *plan, struct dictionary *dictionary)
{
    const struct table__tree *tree = &plan->tree;
    dictionary->letters = 0;
    for (unsigned i = 0; i < tree->n_words; i++) {
        dictionary->freq[i] = plan->freq[i];
        dictionary->length[i] = tree->length[i];
        for (unsigned k = 0; k < tree->length[i]; k++)
            dictionary->byte[dictionary->letters++] = plan->alphabet.byte[tree->letter[i][k]];
    }
}

/* As a source byte. */
static uint8_t marker_of_plan(const struct table__plan *plan)
{
    const struct table__alphabet *alphabet = &plan->alphabet;
    return alphabet->marker ? alphabet->byte[alphabet->marker] : NO_MARKER;
}

static void write_head(const struct table_tans *tans, uint8_t *payload)
{
    const struct table__plan *plan = &tans->coder->plan;
    const unsigned n_words = plan->tree.n_words;
    struct head head = {.n_blocks = tans->n_blocks,
                        .n_patches = tans->n_patches,
                        .blocks_at = tans->blocks_at,
                        .per_block = (uint16_t)tans->per_block,
                        .n_words = (uint16_t)n_words,
                        .log = tans->log,
                        .marker = marker_of_plan(plan),
                        .common = plan->alphabet.byte[0]};
    struct dictionary dictionary;

    dictionary_of_plan(plan, &dictionary);
    memcpy(payload, &head, sizeof head);
    payload += sizeof head;
    memcpy(payload, dictionary.freq, 2u * n_words);
    memcpy(payload + 2u * n_words, dictionary.length, n_words);
    memcpy(payload + 3u * n_words, dictionary.byte, dictionary.letters);
}

/* Is the fixed part one of a payload of so many bytes and entries? */
static bool head_is_plausible(const struct head *head, uint64_t bytes, uint64_t n_entries)
{
    static const uint8_t zero[sizeof head->zero];
    if (head->n_blocks < LEAST_BLOCKS || head->n_blocks > bytes / TABLE_TANS_BLOCK ||
        head->n_patches > bytes || head->blocks_at > bytes)
        return false;
    if (head->per_block == 0 || head->per_block > TABLE__MAX_PER_BLOCK ||
        head->per_block % TABLE_TANS_LANES != 0 || head->n_blocks * head->per_block < n_entries ||
        head->n_blocks > UINT64_MAX / n_entries)
        return false;
    return head->n_words >= 1 && head->n_words <= ANS_MAX_SYMBOLS &&
           head->log <= TABLE_TANS_MAX_LOG && head->marker <= NO_MARKER &&
           head->common < TABLE_CODEC_VALUES && memcmp(head->zero, zero, sizeof zero) == 0;
}

/* Reads the words behind the fixed part. */
static int read_words(const struct head *head, const uint8_t *payload, uint64_t bytes,
                      struct table_tans *tans)
{
    const unsigned n = head->n_words;
    const uint8_t *at = payload + sizeof *head;
    uint16_t freq[ANS_MAX_SYMBOLS];

    if (head_bytes(n, 0) > bytes)
        return BASE_ERR_CORRUPT;
    memcpy(freq, at, 2u * n);
    const uint8_t *length = at + 2u * n, *byte = at + 3u * n;
    for (unsigned i = 0; i < n; i++)
        if (length[i] < 1 || length[i] > TABLE_TANS_WORD)
            return BASE_ERR_CORRUPT;
    uint32_t letters = letters_total(length, n);
    if (head_bytes(n, letters) != head->blocks_at || head->blocks_at > bytes)
        return BASE_ERR_CORRUPT;
    for (uint32_t i = 0; i < letters; i++)
        if (byte[i] >= TABLE_CODEC_VALUES)
            return BASE_ERR_CORRUPT;
    return words_init(tans, freq, length, byte, n);
}

int table__tans_open(const uint8_t *payload, uint64_t bytes, uint64_t n_entries,
                     struct table_tans *tans)
{
    struct head head;
    if (bytes < sizeof head)
        return BASE_ERR_CORRUPT;
    memcpy(&head, payload, sizeof head);
    if (!head_is_plausible(&head, bytes, n_entries))
        return BASE_ERR_CORRUPT;
    *tans = (struct table_tans){.n_blocks = head.n_blocks,
                                .n_patches = head.n_patches,
                                .blocks_at = head.blocks_at,
                                .per_block = head.per_block,
                                .log = head.log,
                                .marker = (uint8_t)(head.marker - 1),
                                .common = (uint8_t)(head.common - 1)};
    set_layout(tans);
    if (payload_bytes(tans) != bytes)
        return BASE_ERR_CORRUPT;
    tans->words = base_mem_new(sizeof *tans->words, BASE_CACHE_LINE);
    if (!tans->words)
        return BASE_ERR_NOMEM;
    return read_words(&head, payload, bytes, tans);
}

/* ---- new --------------------------------------------------------------------------------- */

/* Makes the entries per block few enough for the worst block, and no more than are needed. */
static void settle_blocks(struct table_tans *tans, uint64_t n_entries)
{
    struct table__plan *plan = &tans->coder->plan;
    while (plan->per_block > TABLE_TANS_LANES && !table__block_can_fit(tans->coder))
        plan->per_block -= TABLE_TANS_LANES;
    tans->n_blocks = block_count(n_entries, plan->per_block);
    uint64_t used = (n_entries + tans->n_blocks - 1) / tans->n_blocks;
    plan->per_block = (unsigned)base_bits_align_up(used, TABLE_TANS_LANES);
    tans->per_block = plan->per_block;
}

static int chunks_init(struct table_tans_coder *coder, uint64_t n_blocks)
{
    coder->n_chunks = (unsigned)((n_blocks + CHUNK - 1) / CHUNK);
    coder->patches = calloc(coder->n_chunks, sizeof *coder->patches);
    coder->first_patch = calloc(coder->n_chunks, sizeof *coder->first_patch);
    return coder->patches && coder->first_patch ? 0 : BASE_ERR_NOMEM;
}

static int coder_init(struct table_tans_coder *coder, const uint64_t *count, bool lossless)
{
    coder->lossless = lossless;
    table__plan_choose(count, lossless, &coder->plan);
    return ans_encoder_init(&coder->encoder, coder->plan.freq, coder->plan.tree.n_words,
                            coder->plan.log);
}

int table__tans_new(const uint64_t *count, uint64_t n_entries, bool lossless,
                    struct table_tans *tans)
{
    struct dictionary dictionary;
    tans->words = base_mem_new(sizeof *tans->words, BASE_CACHE_LINE);
    tans->coder = calloc(1, sizeof *tans->coder);
    if (!tans->words || !tans->coder)
        return BASE_ERR_NOMEM;
    int code = coder_init(tans->coder, count, lossless);
    if (code != 0)
        return code;
    const struct table__plan *plan = &tans->coder->plan;
    settle_blocks(tans, n_entries);
    dictionary_of_plan(plan, &dictionary);
    tans->blocks_at = head_bytes(plan->tree.n_words, dictionary.letters);
    tans->log = (uint8_t)plan->log;
    tans->marker = (uint8_t)(marker_of_plan(plan) - 1);
    tans->common = (uint8_t)(plan->alphabet.byte[0] - 1);
    set_layout(tans);
    code =
        words_init(tans, dictionary.freq, dictionary.length, dictionary.byte, plan->tree.n_words);
    return code != 0 ? code : chunks_init(tans->coder, tans->n_blocks);
}

void table__tans_free(struct table_tans *tans)
{
    if (tans->coder) {
        free(tans->coder->patches);
        free(tans->coder->first_patch);
        free(tans->coder);
    }
    base_mem_free(tans->words);
}

uint64_t table__tans_expected_bytes(const struct table_tans *tans, uint64_t n_entries)
{
    double bits = tans->coder->plan.bits * (double)n_entries;
    uint64_t blocks = tans->n_blocks * TABLE_TANS_BLOCK;
    uint64_t coded = bits / 8 > (double)blocks ? (uint64_t)(bits / 8) : blocks;
    return base_bits_align_up(coded + tans->patches_at - blocks, TABLE_CODEC_ALIGN);
}

/* ---- encoding ---------------------------------------------------------------------------- */

/* Entries of some consecutive blocks, block by block. */
struct strip {
    unsigned n; /* blocks */
    uint8_t byte[STRIP][TABLE__MAX_PER_BLOCK];
};

/* Slots behind the last entry hold the common value, the cheapest. */
static void gather(const struct table_tans *tans, const uint8_t *entries, uint64_t n_entries,
                   uint64_t block, struct strip *strip)
{
    const uint8_t filler = (uint8_t)(tans->common + 1);
    for (unsigned slot = 0; slot < tans->per_block; slot++) {
        uint64_t index = slot * tans->n_blocks + block;
        for (unsigned i = 0; i < strip->n; i++, index++)
            strip->byte[i][slot] = index < n_entries ? entries[index] : filler;
    }
}

/* Where a chunk's patches go. */
struct patch_writer {
    uint8_t *groups, *patches; /* NULL: only counts */
    uint64_t n;
    uint64_t lowered;
};

static void write_patches(const struct table_tans *tans, uint64_t number, const uint8_t *bytes,
                          const struct table__block *block, struct patch_writer *writer)
{
    uint64_t next = writer->n;
    for (unsigned slot = 0; next < writer->n + block->n_patches; slot++) {
        if (!table__block_is_patched(tans->coder, block, slot, bytes[slot]))
            continue;
        uint32_t patch = patch_key(number, slot) << BYTE_BITS | bytes[slot];
        uint8_t *at = writer->patches + PATCH_BYTES * next++;
        for (unsigned i = 0; i < PATCH_BYTES; i++)
            at[i] = (uint8_t)(patch >> 8 * i);
    }
}

static void encode_block(const struct table_tans *tans, uint64_t number, const uint8_t *bytes,
                         uint8_t *line, struct patch_writer *writer)
{
    struct table__block block;
    table__block_encode(tans->coder, bytes, line, &block);
    if (line) {
        if (number % GROUP == 0)
            memcpy(writer->groups + 8 * (number / GROUP), &writer->n, 8);
        write_patches(tans, number, bytes, &block, writer);
    }
    writer->n += block.n_patches;
    writer->lowered += block.n_lowered;
}

/* Both passes; `payload` is NULL in the first. */
static void run_chunk(const struct table_tans *tans, const uint8_t *entries, uint64_t n_entries,
                      uint8_t *payload, unsigned chunk, struct patch_writer *writer)
{
    struct strip strip;
    uint64_t first = (uint64_t)chunk * CHUNK, end = first + CHUNK;
    if (end > tans->n_blocks)
        end = tans->n_blocks;
    for (uint64_t block = first; block < end; block += STRIP) {
        strip.n = end - block < STRIP ? (unsigned)(end - block) : STRIP;
        gather(tans, entries, n_entries, block, &strip);
        for (unsigned i = 0; i < strip.n; i++) {
            uint64_t offset = tans->blocks_at + (block + i) * TABLE_TANS_BLOCK;
            encode_block(tans, block + i, strip.byte[i], payload ? payload + offset : NULL, writer);
        }
    }
}

unsigned table__tans_chunks(const struct table_tans *tans)
{
    return tans->coder->n_chunks;
}

uint64_t table__tans_measure(const struct table_tans *tans, const uint8_t *entries,
                             uint64_t n_entries, unsigned chunk)
{
    struct patch_writer writer = {0};
    run_chunk(tans, entries, n_entries, NULL, chunk, &writer);
    tans->coder->patches[chunk] = writer.n;
    return writer.lowered;
}

uint64_t table__tans_bytes(struct table_tans *tans)
{
    struct table_tans_coder *coder = tans->coder;
    tans->n_patches = 0;
    for (unsigned i = 0; i < coder->n_chunks; i++) {
        coder->first_patch[i] = tans->n_patches;
        tans->n_patches += coder->patches[i];
    }
    return payload_bytes(tans);
}

void table__tans_encode(const struct table_tans *tans, const uint8_t *entries, uint64_t n_entries,
                        uint8_t *payload, unsigned chunk)
{
    struct patch_writer writer = {.groups = payload + tans->groups_at,
                                  .patches = payload + tans->patches_at,
                                  .n = tans->coder->first_patch[chunk]};
    run_chunk(tans, entries, n_entries, payload, chunk, &writer);
    if (chunk == 0)
        write_head(tans, payload);
    if (chunk == tans->coder->n_chunks - 1)
        memcpy(writer.groups + 8 * group_count(tans->n_blocks), &tans->n_patches, 8);
}
