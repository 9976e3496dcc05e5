/*
 * cycle_count.c - how many states have a structure, exactly.
 *
 * In one orbit with n movable pieces and m orientations, with cycles of lengths l_1 ... l_c (fixed
 * pieces included) of which r are oriented:
 *
 *     permutations   n! / product over kinds of cycle (length^count * count!)
 *     orientations   product of m^(l_i - 1): all of a cycle but the last, which makes its sum
 *     sums           the ways to give r cycles non-zero sums - with total zero where the moves keep
 *                    the total
 *
 * where cycles of one length, plain and oriented, are two kinds. The orbits multiply; their
 * parities are those of the structure, whose feasibility is asked first.
 *
 * Numbers are kept in base 10^9. Every division is exact: what has been divided out so far always
 * divides the whole.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/cycle/cycle_int.h"

/* ---- exact numbers -------------------------------------------------------------------- */

enum { LIMB_BASE = 1000000000, LIMB_DIGITS = 9, MAX_LIMBS = (CYCLE_COUNT_BYTES - 1) / LIMB_DIGITS };

/* Least significant limb first; `n` limbs, the last of them non-zero; zero has none. */
struct number {
    unsigned n;
    uint32_t limb[MAX_LIMBS];
};

static void number_set(struct number *x, uint32_t value)
{
    x->n = value != 0;
    x->limb[0] = value;
}

static void push_limb(struct number *x, uint32_t limb)
{
    BASE_ASSERT(x->n < MAX_LIMBS);
    x->limb[x->n++] = limb;
}

/* x = x * factor + addend * other; factors are small (below 2^16), `other` may be NULL. */
static void number_combine(struct number *x, uint32_t factor, const struct number *other,
                           uint32_t addend)
{
    uint64_t carry = 0;
    unsigned n = other && other->n > x->n ? other->n : x->n;

    for (unsigned i = 0; i < n || carry > 0; i++) {
        if (i < x->n)
            carry += (uint64_t)x->limb[i] * factor;
        if (other && i < other->n)
            carry += (uint64_t)other->limb[i] * addend;
        if (i < x->n)
            x->limb[i] = (uint32_t)(carry % LIMB_BASE);
        else
            push_limb(x, (uint32_t)(carry % LIMB_BASE));
        carry /= LIMB_BASE;
    }
    while (x->n > 0 && x->limb[x->n - 1] == 0)
        x->n--;
}

static void number_multiply(struct number *x, uint32_t factor)
{
    number_combine(x, factor, NULL, 0);
}

static void number_divide(struct number *x, uint32_t divisor)
{
    uint64_t rest = 0;

    for (unsigned i = x->n; i-- > 0;) {
        rest = rest * LIMB_BASE + x->limb[i];
        x->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    BASE_ASSERT(rest == 0);
    while (x->n > 0 && x->limb[x->n - 1] == 0)
        x->n--;
}

static void number_print(const struct number *x, struct cycle_count *out)
{
    struct cycle_text text = {out->decimal, sizeof out->decimal, 0};

    if (x->n == 0) {
        cycle__print(&text, "0");
        out->log10 = -INFINITY;
        return;
    }
    cycle__print(&text, "%" PRIu32, x->limb[x->n - 1]);
    for (unsigned i = x->n - 1; i-- > 0;)
        cycle__print(&text, "%09" PRIu32, x->limb[i]);

    /* Each limb is a fraction of the one before it; after three a double is full. */
    double lead = 0;
    for (unsigned i = x->n > 3 ? x->n - 3 : 0; i < x->n; i++)
        lead = lead / LIMB_BASE + x->limb[i];
    out->log10 = log10(lead) + LIMB_DIGITS * (x->n - 1.0);
}

/* ---- one orbit ------------------------------------------------------------------------ */

static void multiply_factorial(struct number *x, unsigned n)
{
    for (unsigned i = 2; i <= n; i++)
        number_multiply(x, i);
}

static void multiply_power(struct number *x, unsigned base, unsigned exponent)
{
    while (exponent-- > 0)
        number_multiply(x, base);
}

/* Divides by length^count * count! of a kind of cycle, one cycle after the other. */
static void divide_kind(struct number *x, unsigned length, unsigned count)
{
    for (unsigned i = 1; i <= count; i++) {
        number_divide(x, length);
        number_divide(x, i);
    }
}

/*
 * Multiplies by the ways to choose r non-zero sums mod m whose total is zero (or anything). The
 * ways with total zero and those with any other are followed from cycle to cycle: a new sum makes a
 * zero total out of each other one in one way, and out of zero in none.
 */
static void multiply_sums(struct number *x, unsigned mod, unsigned oriented, bool total_zero)
{
    struct number zero = *x;
    struct number other = {0};

    if (!total_zero) {
        multiply_power(x, mod - 1, oriented);
        return;
    }
    for (unsigned i = 0; i < oriented; i++) {
        const struct number before = other;
        number_combine(&other, mod - 2, &zero, mod - 1);
        zero = before;
    }
    *x = zero;
}

/* `structure` is canonical: equal cycles are neighbours. */
static void multiply_orbit(struct number *x, const struct puzzle *puzzle, unsigned k,
                           const struct cycle_structure *structure)
{
    const unsigned mod = puzzle_shape(puzzle)->orbit[k].mod;
    const unsigned movable = puzzle_movable_count(puzzle, k);
    const struct cycle_tally tally = cycle__tally(structure, k);
    struct cycle_structure orbit;

    cycle_project(structure, k, &orbit);
    multiply_factorial(x, movable);
    divide_kind(x, 1, movable - tally.pieces);
    for (unsigned i = 0, count; i < orbit.n_items; i += count) {
        const struct cycle_item *item = &orbit.item[i];
        for (count = 1; i + count < orbit.n_items && !memcmp(item, item + count, sizeof *item);)
            count++;
        divide_kind(x, item->length, count);
    }
    multiply_power(x, mod, tally.pieces - orbit.n_items);
    if (tally.oriented > 0)
        multiply_sums(x, mod, tally.oriented, puzzle_orientation_sum_kept(puzzle, k));
}

/* ---- contract ------------------------------------------------------------------------- */

void cycle_count_states(const struct puzzle *puzzle, const struct cycle_structure *structure,
                        struct cycle_count *out)
{
    struct cycle_structure canonical = *structure;
    struct cycle_span span;
    struct number x = {0};

    cycle__span_init(&span, puzzle);
    cycle_canonicalise(&canonical);
    number_set(&x, cycle__feasible(puzzle, &span, &canonical));
    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits && x.n > 0; k++)
        multiply_orbit(&x, puzzle, k, &canonical);
    number_print(&x, out);
}

/* All arrangements of all movable pieces, but that kept sums fix the last orientation of an orbit
 * and that the moves' parities are only a part of what the orbits could have. */
void cycle_count_positions(const struct puzzle *puzzle, struct cycle_count *out)
{
    struct cycle_span span;
    struct number x = {0};
    unsigned free_parities = 0;

    cycle__span_init(&span, puzzle);
    number_set(&x, 1);
    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++) {
        const unsigned movable = puzzle_movable_count(puzzle, k);
        const bool fixed_last = movable > 0 && puzzle_orientation_sum_kept(puzzle, k);

        multiply_factorial(&x, movable);
        multiply_power(&x, puzzle_shape(puzzle)->orbit[k].mod, movable - fixed_last);
        free_parities += movable >= 2;
    }
    for (unsigned i = span.rank; i < free_parities; i++)
        number_divide(&x, 2);
    number_print(&x, out);
}
