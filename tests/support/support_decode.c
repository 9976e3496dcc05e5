/*
 * support_decode.c - see support_decode.h. Everything is done the way FORMAT.md says it, bit by
 * bit.
 */
#include "tests/support/support_decode.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, MAX_STATES = 2048, MAX_SLOTS = 2048 };

static uint8_t bound_of(unsigned source_byte)
{
    return source_byte == 0 ? 255 : (uint8_t)(source_byte - 1);
}

static void decode_none(const uint8_t *payload, uint64_t n, uint8_t *bound)
{
    for (uint64_t i = 0; i < n; i++)
        bound[i] = bound_of(payload[i]);
}

static void decode_nxopt(const uint8_t *payload, uint64_t n, uint8_t *bound)
{
    const unsigned base = payload[0];
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *line = payload + LINE + i / 254 * LINE;
        unsigned j = i % 254, code = line[j / 4] >> 2 * (j % 4) & 3, minimum = line[63] >> 4;
        if (code > 0)
            bound[i] = (uint8_t)(base + code - 1);
        else if (minimum == 0)
            bound[i] = 0;
        else
            bound[i] = (uint8_t)(minimum + (base > 16 ? base - 16 : 0));
    }
}

void support_decode_product(const uint8_t *payload, uint64_t n, uint8_t *bound)
{
    const uint8_t *minima = payload + n / 4, *tail = minima + (n + 511) / 512;
    ck_assert_uint_eq(n % 4, 0);
    ck_assert_uint_le(tail[0], 15);
    for (unsigned i = 1; i < 64; i++)
        ck_assert_uint_eq(tail[i], 0);
    for (uint64_t i = 0; i < n; i++) {
        unsigned code = payload[i / 4] >> 2 * (i % 4) & 3;
        uint64_t group = i / 256;
        uint8_t pair = minima[group / 2];
        if (code > 0)
            bound[i] = (uint8_t)(tail[0] + code - 1);
        else
            bound[i] = group % 2 == 0 ? pair & 15 : pair >> 4;
    }
}

/* ---- tans -------------------------------------------------------------------------------- */

struct state {
    unsigned word, bits, next;
};

struct tans {
    uint64_t n_blocks, n_patches;
    uint32_t blocks_at;
    uint16_t per_block, n_words;
    unsigned log, marker, common;
    uint16_t freq[256];
    const uint8_t *length;
    const uint8_t *word[256];
    struct state state[MAX_STATES];
    const uint8_t *blocks, *groups, *patches;
};

static void read_head(const uint8_t *payload, struct tans *tans)
{
    memcpy(&tans->n_blocks, payload, 8);
    memcpy(&tans->n_patches, payload + 8, 8);
    memcpy(&tans->blocks_at, payload + 16, 4);
    memcpy(&tans->per_block, payload + 20, 2);
    memcpy(&tans->n_words, payload + 22, 2);
    tans->log = payload[24];
    tans->marker = payload[25];
    tans->common = payload[26];
    memcpy(tans->freq, payload + 32, 2u * tans->n_words);
    tans->length = payload + 32 + 2 * tans->n_words;
    const uint8_t *word = payload + 32 + 3 * tans->n_words;
    for (unsigned i = 0; i < tans->n_words; word += tans->length[i], i++)
        tans->word[i] = word;
    tans->blocks = payload + tans->blocks_at;
    tans->groups = tans->blocks + LINE * tans->n_blocks;
    tans->patches = tans->groups + 8 * ((tans->n_blocks + 127) / 128 + 1);
}

static void build_states(struct tans *tans)
{
    const unsigned states = 1u << tans->log;
    unsigned at = 0;
    for (unsigned w = 0; w < tans->n_words; w++)
        for (unsigned k = 0; k < tans->freq[w]; k++) {
            tans->state[at].word = w;
            at = (at + states / 2 + states / 8 + 3) % states;
        }
    for (unsigned w = 0; w < tans->n_words; w++) {
        unsigned x = tans->freq[w];
        for (unsigned s = 0; s < states; s++) {
            if (tans->state[s].word != w)
                continue;
            unsigned t = 0;
            while (x << t < states)
                t++;
            tans->state[s].bits = t;
            tans->state[s].next = (x << t) - states;
            x++;
        }
    }
}

static unsigned bit(const uint8_t *block, unsigned i)
{
    return block[i / 8] >> i % 8 & 1;
}

/* Takes `count` bits at the position, which moves up or down. */
static unsigned take(const uint8_t *block, unsigned *position, bool upwards, unsigned count)
{
    unsigned number = 0;
    if (!upwards)
        *position -= count;
    for (unsigned i = 0; i < count; i++)
        number |= bit(block, *position + i) << i;
    if (upwards)
        *position += count;
    return number;
}

/* Source bytes of a lane's slots. */
static void read_lane(const struct tans *tans, const uint8_t *block, unsigned lane, uint8_t *shown)
{
    unsigned middle = 0, entry = 0;
    for (unsigned i = 0; i < 9; i++)
        middle |= bit(block, 1 + i) << i;
    const bool upwards = lane == 0 || lane == 2;
    unsigned position = lane == 0 ? 10 : lane == 3 ? 512 : middle;
    unsigned state = take(block, &position, upwards, tans->log);
    for (;;) {
        const struct state *read = &tans->state[state];
        for (unsigned i = 0; i < tans->length[read->word]; i++, entry++) {
            if (entry == tans->per_block / 4u)
                return;
            shown[4 * entry + lane] = tans->word[read->word][i];
        }
        if (entry == tans->per_block / 4u)
            return;
        state = read->next + take(block, &position, upwards, read->bits);
    }
}

static unsigned find_patch(const struct tans *tans, uint64_t block, unsigned slot, unsigned shown)
{
    uint64_t from, to;
    memcpy(&from, tans->groups + 8 * (block / 128), 8);
    memcpy(&to, tans->groups + 8 * (block / 128 + 1), 8);
    for (; from < to; from++) {
        const uint8_t *p = tans->patches + 3 * from;
        unsigned patch = p[0] + 256u * p[1] + 65536u * p[2];
        if (patch / 64 == block % 128 * 2048 + slot)
            return patch % 64;
    }
    return shown;
}

static void decode_tans(const uint8_t *payload, uint64_t n, uint8_t *bound)
{
    struct tans tans = {0};
    uint8_t shown[MAX_SLOTS];
    uint64_t last;

    read_head(payload, &tans);
    build_states(&tans);
    for (uint64_t b = 0; b < tans.n_blocks; b++) {
        const uint8_t *block = tans.blocks + LINE * b;
        for (unsigned lane = 0; lane < 4; lane++)
            read_lane(&tans, block, lane, shown);
        for (unsigned slot = 0; slot < tans.per_block; slot++) {
            uint64_t index = slot * tans.n_blocks + b;
            unsigned byte = shown[slot];
            if (index >= n)
                continue;
            if (byte == tans.marker || (bit(block, 0) && byte == tans.common))
                byte = find_patch(&tans, b, slot, byte);
            bound[index] = bound_of(byte);
        }
    }
    memcpy(&last, tans.groups + 8 * ((tans.n_blocks + 127) / 128), 8);
    ck_assert_uint_eq(last, tans.n_patches);
}

void support_decode(const char *encoding, const uint8_t *payload, uint64_t n, uint8_t *bound)
{
    if (strcmp(encoding, "none") == 0)
        decode_none(payload, n, bound);
    else if (strcmp(encoding, "nxopt") == 0)
        decode_nxopt(payload, n, bound);
    else if (strcmp(encoding, "tans") == 0)
        decode_tans(payload, n, bound);
    else
        ck_abort_msg("no such encoding: %s", encoding);
}
