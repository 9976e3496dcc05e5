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
 * parities are those of the structure, whose feasibility is asked first. Where moves link the sums
 * of several orbits, or a sum to a permutation, the sums of all of them are counted together.
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

/* Multiplies by the permutations of n carried pieces with the cycles of the orbit, of which only so
 * many of length 1 (and oriented: plain ones are not listed) are among them. */
static void multiply_permutations(struct number *x, unsigned n, const struct cycle_structure *orbit,
                                  unsigned singles)
{
    unsigned left = n - singles;

    multiply_factorial(x, n);
    divide_kind(x, 1, singles);
    for (unsigned i = 0, count; i < orbit->n_items; i += count) {
        const struct cycle_item *item = &orbit->item[i];
        for (count = 1; i + count < orbit->n_items && !memcmp(item, item + count, sizeof *item);)
            count++;
        if (item->length == 1)
            continue;
        divide_kind(x, item->length, count);
        left -= item->length * count;
    }
    divide_kind(x, 1, left);
}

/* Multiplies by n over k. */
static void multiply_choices(struct number *x, unsigned n, unsigned k)
{
    for (unsigned i = 1; i <= k; i++) {
        number_multiply(x, n + 1 - i);
        number_divide(x, i);
    }
}

/* The oriented cycles of length 1 are shared out in all ways among the pieces that moves carry and
 * those that they only turn. */
static void multiply_places(struct number *x, const struct puzzle *puzzle, unsigned k,
                            const struct cycle_structure *orbit)
{
    const unsigned carried = puzzle_carried_count(puzzle, k);
    const unsigned turned = puzzle_movable_count(puzzle, k) - carried;
    const struct cycle_tally tally = cycle__tally(orbit, k);
    const unsigned singles = tally.pieces - tally.carried;
    struct number sum = {0};

    for (unsigned among = 0; among <= singles; among++) {
        struct number term = *x;
        if (tally.carried + among > carried || singles - among > turned)
            continue;
        multiply_permutations(&term, carried, orbit, among);
        multiply_choices(&term, turned, singles - among);
        number_combine(&sum, 1, &term, 1);
    }
    *x = sum;
}

static bool is_linked(const struct cycle_laws *laws, unsigned k)
{
    for (unsigned i = 0; laws->any_linked && i < laws->n; i++) {
        if (laws->figure[i].orbit == k && laws->figure[i].kind == CYCLE_FIGURE_SUM)
            return laws->figure[i].linked;
    }
    return false;
}

/* `structure` is canonical: equal cycles are neighbours. Sums that are linked to others come later:
 * multiply_links. */
static void multiply_orbit(struct number *x, const struct puzzle *puzzle,
                           const struct cycle_laws *laws, unsigned k,
                           const struct cycle_structure *structure)
{
    const unsigned mod = puzzle_shape(puzzle)->orbit[k].mod;
    const struct cycle_tally tally = cycle__tally(structure, k);
    struct cycle_structure orbit;

    cycle_project(structure, k, &orbit);
    multiply_places(x, puzzle, k, &orbit);
    multiply_power(x, mod, tally.pieces - orbit.n_items);
    if (tally.oriented > 0 && !is_linked(laws, k))
        multiply_sums(x, mod, tally.oriented, puzzle_orientation_sum_kept(puzzle, k));
}

/* ---- links ---------------------------------------------------------------------------- */

/* [coset]: ways to come there. */
struct ways {
    struct number number[CYCLE_MAX_COSETS];
};

/* One more addend: to every way each value from `low` to `high` of the figure. */
static void ways_step(const struct cycle_laws *laws, unsigned figure, unsigned low, unsigned high,
                      struct ways *ways)
{
    struct ways to;

    for (unsigned coset = 0; coset < laws->n_cosets; coset++)
        number_set(&to.number[coset], 0);
    for (unsigned coset = 0; coset < laws->n_cosets; coset++) {
        for (unsigned v = low; ways->number[coset].n > 0 && v <= high; v++)
            number_combine(&to.number[cycle__coset_step(laws, coset, figure, v)], 1,
                           &ways->number[coset], 1);
    }
    for (unsigned coset = 0; coset < laws->n_cosets; coset++)
        ways->number[coset] = to.number[coset];
}

/* Of an even permutation with a 3-cycle the places count both classes, alike; of sums none is
 * counted yet. */
static void multiply_links(struct number *x, const struct cycle_laws *laws,
                           const struct cycle_structure *structure)
{
    struct ways ways;
    unsigned classes = 1;

    for (unsigned coset = 0; coset < laws->n_cosets; coset++)
        number_set(&ways.number[coset], 0);
    ways.number[0] = *x;
    for (unsigned i = 0; i < laws->n; i++) {
        const struct cycle_choice choice = cycle__figure_choice(laws, i, structure);
        if (!laws->figure[i].linked)
            continue;
        ways_step(laws, i, choice.fixed, choice.fixed, &ways);
        for (unsigned a = 0; a < choice.addends; a++)
            ways_step(laws, i, 1, laws->figure[i].modulus - 1u, &ways);
        if (laws->figure[i].kind == CYCLE_FIGURE_CLASS && choice.addends > 0)
            classes *= 2;
    }
    *x = ways.number[0];
    number_divide(x, classes);
}

/* ---- contract ------------------------------------------------------------------------- */

void cycle_count_states(const struct puzzle *puzzle, const struct cycle_structure *structure,
                        struct cycle_count *out)
{
    struct cycle_structure canonical = *structure;
    struct cycle_laws laws;
    struct number x = {0};

    cycle__laws_init(&laws, puzzle);
    cycle_canonicalise(&canonical);
    number_set(&x, cycle__feasible(puzzle, &laws, &canonical));
    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits && x.n > 0; k++)
        multiply_orbit(&x, puzzle, &laws, k, &canonical);
    if (laws.any_linked && x.n > 0)
        multiply_links(&x, &laws, &canonical);
    number_print(&x, out);
}

/* All arrangements of the movable pieces, of which one in as many is reached as the vectors reached
 * have cosets. */
void cycle_count_positions(const struct puzzle *puzzle, struct cycle_count *out)
{
    struct cycle_laws laws;
    struct number x = {0};

    cycle__laws_init(&laws, puzzle);
    number_set(&x, 1);
    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++) {
        multiply_factorial(&x, puzzle_carried_count(puzzle, k));
        multiply_power(&x, puzzle_shape(puzzle)->orbit[k].mod, puzzle_movable_count(puzzle, k));
    }
    for (unsigned i = 0; i < laws.n; i++)
        number_divide(&x, (unsigned)laws.row[i][i]);
    number_print(&x, out);
}
