/*
 * ans.c - tables of the coder. See ans.h.
 */
#include "core/ans/ans.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/base_err.h"

static bool is_in_range(unsigned n, unsigned log)
{
    return log >= ANS_MIN_LOG && log <= ANS_MAX_LOG && n >= 1 && n <= ANS_MAX_SYMBOLS &&
           n <= 1u << log;
}

/* ---- frequencies ------------------------------------------------------------------------- */

/* Frequencies on their way, and what a message gains or loses, in units of log(2) bits, when one of
 * them changes by 1. */
struct shares {
    const double *weight;
    unsigned n;
    uint16_t *freq;
    double gain[ANS_MAX_SYMBOLS]; /* when it grows */
    double loss[ANS_MAX_SYMBOLS]; /* when it shrinks; the last state stays */
};

static void set(struct shares *shares, unsigned i, unsigned freq)
{
    shares->freq[i] = (uint16_t)freq;
    shares->gain[i] = shares->weight[i] * log1p(1.0 / freq);
    shares->loss[i] = freq > 1 ? shares->weight[i] * log1p(1.0 / (freq - 1)) : INFINITY;
}

static unsigned most_gain(const struct shares *shares)
{
    unsigned best = 0;
    for (unsigned i = 1; i < shares->n; i++)
        if (shares->gain[i] > shares->gain[best])
            best = i;
    return best;
}

static unsigned least_loss(const struct shares *shares)
{
    unsigned best = 0;
    for (unsigned i = 1; i < shares->n; i++)
        if (shares->loss[i] < shares->loss[best])
            best = i;
    return best;
}

static void grow(struct shares *shares, unsigned i)
{
    set(shares, i, shares->freq[i] + 1u);
}

static void shrink(struct shares *shares, unsigned i)
{
    set(shares, i, shares->freq[i] - 1u);
}

/* Each about what is its due; returns the sum. */
static unsigned set_all(struct shares *shares, unsigned states)
{
    double total = 0;
    unsigned given = 0;
    for (unsigned i = 0; i < shares->n; i++)
        total += shares->weight[i];
    for (unsigned i = 0; i < shares->n; i++) {
        double due = floor(shares->weight[i] / total * states + 0.5);
        set(shares, i, due > 1 ? (unsigned)due : 1);
        given += shares->freq[i];
    }
    return given;
}

/* Starts from what is due, mends the sum where it costs least, and moves states from one symbol to
 * another as long as that gains anything. The sum of weight * log(freq) is concave, so that finds
 * the best there is. */
int ans_normalise(const double *weight, unsigned n, unsigned log, uint16_t *freq)
{
    if (!is_in_range(n, log))
        return BASE_ERR_RANGE;
    struct shares shares = {.weight = weight, .n = n, .freq = freq};
    unsigned given = set_all(&shares, 1u << log);
    for (; given < 1u << log; given++)
        grow(&shares, most_gain(&shares));
    for (; given > 1u << log; given--)
        shrink(&shares, least_loss(&shares));
    for (;;) {
        unsigned to = most_gain(&shares), from = least_loss(&shares);
        if (shares.gain[to] <= shares.loss[from])
            return 0;
        grow(&shares, to);
        shrink(&shares, from);
    }
}

double ans_cost(unsigned freq, unsigned log)
{
    return log - log2(freq);
}

/* ---- tables ------------------------------------------------------------------------------ */

/*
 * Gives every state its symbol: the states are visited in steps of an odd number a little above
 * 5/8 of them, which reaches each once and scatters those of a symbol evenly.
 */
static int spread(uint8_t *symbol, const uint16_t *freq, unsigned n, unsigned log)
{
    if (!is_in_range(n, log))
        return BASE_ERR_CORRUPT;
    const unsigned states = 1u << log, step = states / 2 + states / 8 + 3;
    unsigned given = 0, at = 0;
    for (unsigned i = 0; i < n; i++) {
        if (freq[i] == 0 || freq[i] > states - given)
            return BASE_ERR_CORRUPT;
        given += freq[i];
        for (unsigned k = 0; k < freq[i]; k++) {
            symbol[at] = (uint8_t)i;
            at = (at + step) % states;
        }
    }
    return given == states ? 0 : BASE_ERR_CORRUPT;
}

/* The k-th state of a symbol, counted from 0 upwards, stands for the number x = freq + k; doubled
 * until it has log+1 bits it is the least state that leads here, plus 2^log. */
int ans_decoder_init(struct ans_cell *cell, const uint16_t *freq, unsigned n, unsigned log)
{
    uint8_t symbol[ANS_MAX_STATES];
    uint16_t x[ANS_MAX_SYMBOLS];
    int code = spread(symbol, freq, n, log);
    if (code != 0)
        return code;
    memcpy(x, freq, n * sizeof *x);
    for (unsigned state = 0; state < 1u << log; state++) {
        unsigned number = x[symbol[state]]++;
        unsigned bits = log - (31u - (unsigned)__builtin_clz(number));
        cell[state] = (struct ans_cell){.next = (uint16_t)((number << bits) - (1u << log)),
                                        .bits = (uint8_t)bits,
                                        .symbol = symbol[state]};
    }
    return 0;
}

int ans_encoder_init(struct ans_encoder *encoder, const uint16_t *freq, unsigned n, unsigned log)
{
    uint8_t symbol[ANS_MAX_STATES];
    uint16_t filled[ANS_MAX_SYMBOLS];
    int code = spread(symbol, freq, n, log);
    if (code != 0)
        return code;
    encoder->log = log;
    for (unsigned i = 0, first = 0; i < n; first += freq[i], i++) {
        encoder->freq[i] = freq[i];
        encoder->first[i] = filled[i] = (uint16_t)first;
    }
    for (unsigned state = 0; state < 1u << log; state++)
        encoder->state[filled[symbol[state]]++] = (uint16_t)state;
    return 0;
}
