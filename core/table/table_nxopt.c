/*
 * table_nxopt.c - makes and checks payloads of the `nxopt` encoding.
 */
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_nxopt_int.h"

enum { CHUNK = 4096, MINIMA = 16, MAX_BASE = 62 };

/* ---- base -------------------------------------------------------------------------------- */

static double power(double x, unsigned n)
{
    double product = 1;
    for (; n > 0; n >>= 1, x *= x)
        if (n & 1)
            product *= x;
    return product;
}

static void set_base(struct table_nxopt *nxopt, unsigned base)
{
    nxopt->base = (uint8_t)base;
    nxopt->origin = (uint8_t)(base > MINIMA ? base - MINIMA : 0);
}

/*
 * What entries of a table lose on average with this base, times their number. Entries above base +
 * 2 lose what they are above it. An entry v below the base loses v minus the least of its line: in
 * a line of others drawn at random that is the sum over u < v of the chance that one is u or less.
 */
static double expected_loss(const uint64_t *histogram, double total, unsigned base)
{
    double loss = 0, at_most = 0, sum = 0;
    for (unsigned v = 0; v < TABLE_CODEC_VALUES; v++) {
        double count = (double)histogram[v];
        if (v > base + 2)
            loss += count * (v - base - 2);
        if (v < base)
            loss += count * sum;
        at_most += count / total;
        sum += 1 - power(1 - at_most, TABLE_NXOPT_PER_LINE - 1);
    }
    return loss;
}

void table__nxopt_choose(const uint64_t *histogram, struct table_nxopt *nxopt)
{
    double total = 0, least = 0;
    unsigned best = 0;
    for (unsigned v = 0; v < TABLE_CODEC_VALUES; v++)
        total += (double)histogram[v];
    for (unsigned base = 0; total > 0 && base <= MAX_BASE - 2; base++) {
        double loss = expected_loss(histogram, total, base);
        if (base == 0 || loss < least) {
            least = loss;
            best = base;
        }
    }
    set_base(nxopt, best);
}

/* ---- payload ----------------------------------------------------------------------------- */

static uint64_t line_count(uint64_t n_entries)
{
    return (n_entries + TABLE_NXOPT_PER_LINE - 1) / TABLE_NXOPT_PER_LINE;
}

uint64_t table__nxopt_bytes(uint64_t n_entries)
{
    return TABLE_NXOPT_HEAD + line_count(n_entries) * TABLE_NXOPT_LINE;
}

unsigned table__nxopt_chunks(uint64_t n_entries)
{
    return (unsigned)((line_count(n_entries) + CHUNK - 1) / CHUNK);
}

int table__nxopt_open(const uint8_t *payload, uint64_t bytes, uint64_t n_entries,
                      struct table_nxopt *nxopt)
{
    if (bytes != table__nxopt_bytes(n_entries) || payload[0] > MAX_BASE - 2)
        return BASE_ERR_CORRUPT;
    for (unsigned i = 1; i < TABLE_NXOPT_HEAD; i++)
        if (payload[i] != 0)
            return BASE_ERR_CORRUPT;
    set_base(nxopt, payload[0]);
    return 0;
}

/* Vacant entries, worth 255, get the highest code. */
static unsigned code_of(const struct table_nxopt *nxopt, unsigned bound)
{
    unsigned above = bound - nxopt->base;
    return bound < nxopt->base ? 0 : above < 2 ? above + 1 : 3;
}

/* The largest minimum that can be stored and does not exceed `least`. */
static unsigned minimum_of(const struct table_nxopt *nxopt, unsigned least)
{
    unsigned above = least > nxopt->origin ? least - nxopt->origin : 0;
    return above < MINIMA ? above : MINIMA - 1;
}

/* Returns how many of the line's n entries are worth less than before. */
static unsigned encode_line(const struct table_nxopt *nxopt, const uint8_t *entries, unsigned n,
                            uint8_t line[TABLE_NXOPT_LINE])
{
    const unsigned most = nxopt->base + 2u;
    unsigned least = nxopt->base, n_least = 0, n_below = 0, n_above = 0;
    memset(line, 0, TABLE_NXOPT_LINE);
    for (unsigned i = 0; i < n; i++) {
        uint8_t bound = (uint8_t)(entries[i] - 1);
        line[i / 4] |= (uint8_t)(code_of(nxopt, bound) << i % 4 * 2);
        n_above += bound > most && entries[i] != 0;
        n_below += bound < nxopt->base;
        if (bound < least) {
            least = bound;
            n_least = 0;
        }
        n_least += bound == least;
    }
    unsigned minimum = minimum_of(nxopt, least);
    line[TABLE_NXOPT_LINE - 1] |= (uint8_t)(minimum << 4);
    if (n_below == 0)
        return n_above;
    return n_above + n_below - (table_nxopt_below(nxopt, minimum) == least ? n_least : 0);
}

uint64_t table__nxopt_encode(const struct table_nxopt *nxopt, const uint8_t *entries,
                             uint64_t n_entries, uint8_t *payload, unsigned chunk)
{
    uint64_t first = (uint64_t)chunk * CHUNK, end = first + CHUNK, lowered = 0;
    if (end > line_count(n_entries))
        end = line_count(n_entries);
    for (uint64_t number = first; number < end; number++) {
        uint64_t index = number * TABLE_NXOPT_PER_LINE, left = n_entries - index;
        unsigned n = left < TABLE_NXOPT_PER_LINE ? (unsigned)left : TABLE_NXOPT_PER_LINE;
        uint8_t line[TABLE_NXOPT_LINE];
        lowered += encode_line(nxopt, entries + index, n, line);
        if (payload)
            memcpy(payload + TABLE_NXOPT_HEAD + number * TABLE_NXOPT_LINE, line, sizeof line);
    }
    if (payload && chunk == 0)
        payload[0] = nxopt->base;
    return lowered;
}
