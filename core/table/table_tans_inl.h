/*
 * table_tans_inl.h - reads the `tans` encoding (FORMAT.md): blocks of 512 bits with a fixed number
 * of entries each.
 *
 * A block takes its entries from all over the table, every n_blocks-th one, so that all blocks are
 * alike: neighbours in a table resemble each other, and blocks of neighbours would differ far too
 * much in size. Within a block four *lanes* are coded on their own and a read decodes part of one:
 *
 *     | patched, middle | lane 0 -->      <-- lane 1 | lane 2 -->      <-- lane 3 |
 *     0                 10                         middle                        512
 *
 * Slot s of the block is entry s / 4 of lane s % 4. Lanes in pairs run towards each other, so that
 * one number, the middle, tells where all four begin. What a lane codes are *words*, sequences of
 * entries (W. Tunstall's trees, 1967): fewer steps than entries, and probable entries may take less
 * than a bit.
 *
 * Entries that are rare or did not fit are shown as others in their block and listed as patches
 * beside the blocks. What is shown tells when to look there: it is the *marker*, which is rare, or
 * in a block that says so the *common* value.
 */
#ifndef CORE_TABLE_TABLE_TANS_INL_H
#define CORE_TABLE_TABLE_TANS_INL_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/ans/ans.h"
#include "core/base/base_attr.h"

enum {
    TABLE_TANS_BLOCK = 64, /* bytes */
    TABLE_TANS_BLOCK_BITS = 512,
    TABLE_TANS_HEAD_BITS = 10, /* bit 0: patched; bits 1 .. 9: middle */
    TABLE_TANS_LANES = 4,
    TABLE_TANS_MAX_LOG = 11, /* five steps' bits fit what one 64-bit load at any bit yields: 57 */
    TABLE_TANS_STEPS = 5,
    TABLE_TANS_WORD = 16 /* entries of a word at most */
};

/* What a state decodes to: struct ans_cell, with what would otherwise be computed at every step. */
struct table_tans_cell {
    uint16_t next;
    uint16_t mask; /* 2^bits - 1 */
    uint8_t bits;
    uint8_t rest; /* 63 - bits */
    uint8_t word;
    uint8_t length;
};

struct table_tans_words {
    struct table_tans_cell cell[1 << TABLE_TANS_MAX_LOG];
    uint8_t bound[ANS_MAX_SYMBOLS][TABLE_TANS_WORD];
};

struct table_tans {
    struct table_tans_words *words; /* owned */
    struct table_tans_coder *coder; /* owned; NULL unless encoding */
    uint64_t n_blocks;
    uint64_t reciprocal; /* slot = the upper half of index * reciprocal */
    uint32_t blocks_at;  /* bytes from the start of the payload */
    uint8_t log;         /* 2^log states */
    uint8_t marker;      /* bounds */
    uint8_t common;
    uint32_t per_block;
    struct table_tans_cell start; /* takes a lane's first state for its next one */
    uint64_t groups_at;
    uint64_t patches_at;
    uint64_t n_patches;
};

/* Slow path of table_tans_bound: the patched bound of a slot, or `shown` if it has none. */
BASE_COLD unsigned table_tans_patched(const struct table_tans *tans, const uint8_t *payload,
                                      uint64_t block, unsigned slot, unsigned shown);

static inline uint64_t table_tans_slot(const struct table_tans *tans, uint64_t index)
{
    return (uint64_t)((unsigned __int128)index * tans->reciprocal >> 64);
}

static inline const uint8_t *table_tans_line(const struct table_tans *tans, const uint8_t *payload,
                                             uint64_t index)
{
    uint64_t block = index - table_tans_slot(tans, index) * tans->n_blocks;
    return payload + tans->blocks_at + block * TABLE_TANS_BLOCK;
}

/* Byte of a line; damaged lines may lead out of it. */
static inline int table_tans_clamp(int byte)
{
    return byte < 0 ? 0 : byte > TABLE_TANS_BLOCK ? TABLE_TANS_BLOCK : byte;
}

/* 57 or more bits of a line from bit `at` upwards, the first of them lowest. Reads at most 8 bytes
 * behind the line. */
static inline uint64_t table_tans_above(const uint8_t *line, int at)
{
    uint64_t bits;
    memcpy(&bits, line + table_tans_clamp(at >> 3), sizeof bits);
    return le64toh(bits) >> (at & 7);
}

/* 57 or more bits of a line from bit `at - 1` downwards, the first of them highest. Reads at most 8
 * bytes before the line. */
static inline uint64_t table_tans_below(const uint8_t *line, int at)
{
    uint64_t bits;
    memcpy(&bits, line + table_tans_clamp((at + 7) >> 3) - 8, sizeof bits);
    return le64toh(bits) << (-at & 7);
}

/* Entry number `left` of the lane that begins at bit `at` and runs upwards, or downwards. */
BASE_INLINE unsigned table_tans_walk(const struct table_tans *tans, const uint8_t *line, int at,
                                     bool upwards, unsigned left)
{
    const struct table_tans_words *words = tans->words;
    struct table_tans_cell cell = tans->start;

    for (;;) {
        uint64_t window = upwards ? table_tans_above(line, at) : table_tans_below(line, at);
        for (int step = 0; step < TABLE_TANS_STEPS; step++) {
            uint64_t fresh = upwards ? window & cell.mask : window >> 1 >> cell.rest;
            window = upwards ? window >> cell.bits : window << cell.bits;
            at += upwards ? cell.bits : -(int)cell.bits;
            cell = words->cell[cell.next + fresh];
            if (left < cell.length)
                return words->bound[cell.word][left];
            left -= cell.length;
        }
    }
}

/* Entry of a slot as the block shows it. */
static inline unsigned table_tans_shown(const struct table_tans *tans, const uint8_t *line,
                                        unsigned slot)
{
    const unsigned lane = slot % TABLE_TANS_LANES, left = slot / TABLE_TANS_LANES;
    const int middle = (line[0] | line[1] << 8) >> 1 & 511;

    if (lane % 2 == 0)
        return table_tans_walk(tans, line, lane == 0 ? TABLE_TANS_HEAD_BITS : middle, true, left);
    return table_tans_walk(tans, line, lane == 1 ? middle : TABLE_TANS_BLOCK_BITS, false, left);
}

/* Lower bound of an entry; exact unless it was lowered to fit; 255: vacant. */
static inline unsigned table_tans_bound(const struct table_tans *tans, const uint8_t *payload,
                                        uint64_t index)
{
    uint64_t slot = table_tans_slot(tans, index), block = index - slot * tans->n_blocks;
    const uint8_t *line = payload + tans->blocks_at + block * TABLE_TANS_BLOCK;
    unsigned shown = table_tans_shown(tans, line, (unsigned)slot);

    /* Without && and ||: one branch, and that one predictable. */
    if (BASE_UNLIKELY((shown == tans->marker) | ((shown == tans->common) & line[0])))
        return table_tans_patched(tans, payload, block, (unsigned)slot, shown);
    return shown;
}

#endif
