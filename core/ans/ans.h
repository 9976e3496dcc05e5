/*
 * ans.h - table asymmetric numeral systems: an entropy coder that comes within a fraction of a bit
 * of the entropy and whose decoder does one table look-up a symbol.
 *
 * The coder's whole memory is a state, a number below 2^log. Every symbol owns as many of the
 * states as its frequency says; decoding reads the symbol off the state, and the next state is
 * `next` plus `bits` fresh bits:
 *
 *     state --cell[state]--> symbol, next, bits      state' = next + (bits taken from the stream)
 *
 * Encoding runs the other way, so a message is encoded from its last symbol to its first and
 * decoded from its first to its last. The last symbol costs nothing: it only chooses among the
 * states of its own to begin with.
 *
 * Where the bits of a message are stored is the caller's business.
 *
 * Sources: J. Duda, "Asymmetric numeral systems" (arXiv 0902.0271 and 1311.2540); the way states
 * are spread over the symbols is that of Y. Collet's Finite State Entropy.
 */
#ifndef CORE_ANS_ANS_H
#define CORE_ANS_ANS_H

#include <stdint.h>

enum {
    ANS_MIN_LOG = 5,
    ANS_MAX_LOG = 12,
    ANS_MAX_STATES = 1 << ANS_MAX_LOG,
    ANS_MAX_SYMBOLS = 256
};

/* What a state decodes to. next + 2^bits <= 2^log. */
struct ans_cell {
    uint16_t next;
    uint8_t bits;
    uint8_t symbol;
};

struct ans_encoder {
    unsigned log;
    uint16_t freq[ANS_MAX_SYMBOLS];
    uint16_t first[ANS_MAX_SYMBOLS];
    uint16_t state[ANS_MAX_STATES]; /* [first of the symbol + k]: its k-th state, ascending */
};

/*
 * Frequencies of n symbols that sum to 2^log, each at least 1, such that a message in which the
 * symbols occur in proportion to `weight` is as short as integer frequencies allow. Weights are not
 * negative and not all zero. BASE_ERR_RANGE: n or log out of range, or more symbols than states.
 */
int ans_normalise(const double *weight, unsigned n, unsigned log, uint16_t *freq);

/* Bits that a symbol of this frequency takes on average. */
double ans_cost(unsigned freq, unsigned log);

/* Fills cell[2^log]. BASE_ERR_CORRUPT: n or log out of range, a frequency is 0, or they do not sum
 * to 2^log. */
int ans_decoder_init(struct ans_cell *cell, const uint16_t *freq, unsigned n, unsigned log);

/* The encoder for the same frequencies; the same errors. */
int ans_encoder_init(struct ans_encoder *encoder, const uint16_t *freq, unsigned n, unsigned log);

/* State after the last symbol of a message: that of the symbol's states from which the symbol
 * before it is encoded with the fewest bits. */
static inline unsigned ans_encode_last(const struct ans_encoder *encoder, unsigned symbol)
{
    return encoder->state[encoder->first[symbol]];
}

/* Puts a symbol in front of what `state` stands for. Returns the state from which a decoder reads
 * the symbol; it then needs *bits bits of the value *value to come to `state`. */
static inline unsigned ans_encode(const struct ans_encoder *encoder, unsigned state,
                                  unsigned symbol, unsigned *value, unsigned *bits)
{
    unsigned x = state + (1u << encoder->log), freq = encoder->freq[symbol];
    /* The one shift that brings x, of log+1 bits, into freq .. 2*freq-1. */
    unsigned shift = (unsigned)(__builtin_clz(freq) - __builtin_clz(x));
    shift -= x >> shift < freq;
    *bits = shift;
    *value = x & ((1u << shift) - 1);
    return encoder->state[encoder->first[symbol] + (x >> shift) - freq];
}

#endif
