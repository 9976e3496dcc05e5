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
    unsigned carried;  /* of those, the ones that go to other slots */
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

/* ---- laws: cycle_laws.c --------------------------------------------------------------- */

enum { CYCLE_MAX_FIGURES = 3 * PERM_MAX_ORBITS, CYCLE_MAX_COSETS = 64 };

enum cycle_figure_kind { CYCLE_FIGURE_PARITY, CYCLE_FIGURE_CLASS, CYCLE_FIGURE_SUM };

struct cycle_figure {
    uint8_t orbit, kind, modulus;
    bool linked; /* it is in a law that is not one of parities alone or one sum alone */
};

struct cycle_laws {
    const struct perm_shape *shape;
    struct cycle_span span; /* the parities alone */
    unsigned n;
    struct cycle_figure figure[CYCLE_MAX_FIGURES];
    /* [i][j]: a triangular basis of the vectors that words of moves reach; the product of the
     * diagonal says how many cosets they have among all vectors */
    int row[CYCLE_MAX_FIGURES][CYCLE_MAX_FIGURES];
    uint8_t n_classed[PERM_MAX_ORBITS]; /* slots of orbits that have a class, 3 or 4 */
    uint8_t classed[PERM_MAX_ORBITS][4];
    bool any_linked;   /* false also where there are more than CYCLE_MAX_COSETS, and links are not
                          asked for */
    unsigned n_cosets; /* of the linked figures; number 0 is that of the vectors reached */
};

void cycle__laws_init(struct cycle_laws *laws, const struct puzzle *puzzle);

/* The figure that a state of the structure has: `fixed`, plus so many numbers but zero of any
 * value. */
struct cycle_choice {
    unsigned fixed, addends;
};

struct cycle_choice cycle__figure_choice(const struct cycle_laws *laws, unsigned figure,
                                         const struct cycle_structure *structure);

/* The coset that adding `value` to one linked figure leads to. */
unsigned cycle__coset_step(const struct cycle_laws *laws, unsigned coset, unsigned figure,
                           unsigned value);

/* Has a state of the structure figures that moves reach, where those in `ignored` (a bit each) may
 * be anything? Linked figures only. */
bool cycle__links_hold(const struct cycle_laws *laws, const struct cycle_structure *structure,
                       uint64_t ignored);

/* cycle_check without reasons: is no rule violated? */
bool cycle__feasible(const struct puzzle *puzzle, const struct cycle_laws *laws,
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
