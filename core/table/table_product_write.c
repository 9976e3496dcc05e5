/*
 * table_product_write.c - what a fill writes of its full lines: the visible flips, as bytes or as
 * codes.
 */
#include <string.h>

#include "core/table/table_product_fill_int.h"

enum { GROUP = 256, GROUP_BYTES = GROUP / 4, NO_MINIMUM = 15, ALL_NONE = 0xff, ALL_FAR = 0xff };

/* ---- visible flips ----------------------------------------------------------------------- */

static unsigned visible_words(const struct table_product *product)
{
    return product->flip_bits > 6 ? 1u << (product->flip_bits - 6) : 1;
}

/* The low flips: the words of a line that differ in hidden flips, one over the other. */
static void project_low(const uint64_t *full, unsigned n_words, uint64_t *out)
{
    memcpy(out, full, n_words * sizeof *out);
    for (unsigned w = n_words; w < TABLE_PRODUCT_WORDS; w++)
        out[w & (n_words - 1)] |= full[w];
}

/* The high flips, at least five of them hidden: one bit for several halves of a word. */
static void project_high(const uint64_t *full, unsigned shift, uint64_t *out)
{
    *out = 0;
    for (unsigned x = 0; x < TABLE_PRODUCT_FLIPS; x += 32)
        if ((uint32_t)(full[x >> 6] >> (x & 32)))
            *out |= (uint64_t)1 << (x >> shift);
}

static void project(const struct table_product *product, const uint64_t *full, uint64_t *out)
{
    if (product->flip_shift == 0)
        project_low(full, visible_words(product), out);
    else
        project_high(full, product->flip_shift, out);
}

/* ---- codes ------------------------------------------------------------------------------- */

static size_t line_bytes(const struct table_product *product)
{
    return (size_t)1 << product->flip_bits >> 2;
}

/* Bits of the low half of x, two bits apart. */
static inline uint64_t spread(uint64_t x)
{
    x &= 0xffffffff;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
}

/* Turns the codes of the entries in `bits`, which are all 3, into `code`. */
static void write_codes(uint8_t *line, size_t size, const uint64_t *bits, unsigned code)
{
    for (size_t at = 0; at < size; at += 16, bits++) {
        uint64_t pair[2] = {0, 0};
        size_t part = size - at < sizeof pair ? size - at : sizeof pair;
        if (!*bits)
            continue;
        memcpy(pair, line + at, part);
        pair[0] ^= spread(*bits) * (3 ^ code);
        pair[1] ^= spread(*bits >> 32) * (3 ^ code);
        memcpy(line + at, pair, part);
    }
}

/* Keeps the least distance of a group; they come in ascending order. */
static void note_minimum(const struct table_product_own *own, uint64_t group, unsigned distance)
{
    uint8_t *pair = own->payload + own->product->codes_bytes + (group >> 1);
    const unsigned shift = (unsigned)(group & 1) * 4;
    /* Relaxed: classes may share a byte, or even a group, but all who set a minimum in one pass set
     * the same, and no other bits are touched. */
    if ((__atomic_load_n(pair, __ATOMIC_RELAXED) >> shift & NO_MINIMUM) == NO_MINIMUM)
        __atomic_fetch_and(pair, (uint8_t) ~((NO_MINIMUM ^ distance) << shift), __ATOMIC_RELAXED);
}

static void write_minima(const struct table_product_own *own, uint64_t line, const uint64_t *bits,
                         unsigned distance)
{
    uint64_t first = line << own->product->flip_bits;
    for (unsigned w = 0; w < visible_words(own->product); w++)
        if (bits[w])
            note_minimum(own, (first + 64 * w) / GROUP, distance);
}

void table__product_raise(const struct table_product_own *own, uint32_t class_index)
{
    const size_t bytes = own->product->n_layers * line_bytes(own->product);
    const size_t end = (class_index + 1) * bytes;
    for (size_t at = class_index * bytes, stop; at < end; at = stop) {
        unsigned ones = 0;
        stop = (at | (GROUP_BYTES - 1)) + 1;
        stop = stop < end ? stop : end;
        for (size_t i = at; i < stop; i++) {
            unsigned low = own->payload[i] & 0x55, high = own->payload[i] >> 1 & 0x55;
            ones |= low & ~high;
            own->payload[i] = (uint8_t)(high | (low & high) << 1); /* 1 to 0, 2 to 1 */
        }
        if (ones)
            note_minimum(own, at / GROUP_BYTES, own->base - 1);
    }
}

/* ---- payload ----------------------------------------------------------------------------- */

void table__product_clear_minima(const struct table_product_own *own)
{
    if (!own->is_bytes)
        memset(own->payload + own->product->codes_bytes, ALL_NONE, own->product->minima_bytes);
}

void table__product_clear_codes(const struct table_product_own *own, uint32_t class_index)
{
    const size_t bytes = own->product->n_layers * line_bytes(own->product);
    if (!own->is_bytes)
        memset(own->payload + class_index * bytes, ALL_FAR, bytes);
}

static void write_bytes(uint8_t *line, unsigned n_words, const uint64_t *bits, unsigned distance)
{
    for (unsigned w = 0; w < n_words; w++)
        for (uint64_t rest = bits[w]; rest; rest &= rest - 1)
            line[64 * w + (unsigned)__builtin_ctzll(rest)] = (uint8_t)(distance + 1);
}

unsigned table__product_write(const struct table_product_own *own, uint64_t line,
                              const uint64_t *before, const uint64_t *fresh, unsigned distance)
{
    const struct table_product *product = own->product;
    const unsigned n_words = visible_words(product);
    uint64_t seen[TABLE_PRODUCT_WORDS], bits[TABLE_PRODUCT_WORDS];
    unsigned count = 0;
    project(product, before, seen);
    project(product, fresh, bits);
    for (unsigned w = 0; w < n_words; w++) {
        bits[w] &= ~seen[w];
        count += (unsigned)__builtin_popcountll(bits[w]);
    }
    if (count == 0)
        return 0;
    if (own->is_bytes) {
        write_bytes(own->payload + (line << product->flip_bits), n_words, bits, distance);
        return count;
    }
    /* 3: the newest layer is the one behind the codes; it is needed only to be counted. */
    unsigned code = own->base == TABLE_PRODUCT_NO_BASE ? 0 : distance - own->base + 1;
    write_codes(own->payload + line * line_bytes(product), line_bytes(product), bits, code);
    if (code == 0)
        write_minima(own, line, bits, distance);
    return count;
}
