/*
 * cycle_int.h - what the files of this folder share: the figures that decide feasibility, and text
 * written piece by piece into a buffer of fixed size.
 */
#ifndef CORE_CYCLE_CYCLE_INT_H
#define CORE_CYCLE_CYCLE_INT_H

#include "core/base/base_attr.h"
#include "core/cycle/cycle.h"

/* ---- feasibility ---------------------------------------------------------------------- */

/* What a structure asks of one orbit. */
struct cycle_tally {
    unsigned pieces;   /* that are in a listed cycle; a (1, plain) is not one */
    unsigned oriented; /* cycles */
};

struct cycle_tally cycle__tally(const struct cycle_structure *structure, unsigned orbit);

/* Can `oriented` cycles have sums that are non-zero each and zero together, mod `mod`? */
bool cycle__sums_cancel(unsigned mod, unsigned oriented);

/*
 * The parities that words of moves can have: a vector space over GF(2), one bit an orbit, in
 * reduced row echelon form - each row has a pivot, a bit that no other row has.
 */
struct cycle_span {
    unsigned rank;
    uint32_t row[PERM_MAX_ORBITS];
    uint32_t pivot[PERM_MAX_ORBITS]; /* one bit each */
};

void cycle__span_init(struct cycle_span *span, const struct puzzle *puzzle);

/* What is left of a vector without its part in the span; 0: it is in the span. Free of pivots. */
uint32_t cycle__span_rest(const struct cycle_span *span, uint32_t vector);

/* Parities of a structure, one bit an orbit. */
uint32_t cycle__parities(const struct puzzle *puzzle, const struct cycle_structure *structure);

/* cycle_check without reasons: is no rule violated? */
bool cycle__feasible(const struct puzzle *puzzle, const struct cycle_span *span,
                     const struct cycle_structure *structure);

/* ---- text ----------------------------------------------------------------------------- */

/* `used` counts on beyond `size`, as snprintf does. */
struct cycle_text {
    char *out;
    size_t size;
    size_t used;
};

void cycle__print(struct cycle_text *text, const char *format, ...) BASE_PRINTF(2, 3);

#endif
