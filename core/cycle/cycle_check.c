/*
 * cycle_check.c - feasibility with reasons: which rule a structure breaks, where, and what would
 * mend it.
 */
#include <stdarg.h>
#include <stdio.h>

#include "core/base/base_assert.h"
#include "core/cycle/cycle_int.h"

struct check {
    const struct puzzle *puzzle;
    const struct cycle_structure *structure;
    struct cycle_fault *fault;
    size_t n_faults;
};

static const char *plural(unsigned n)
{
    return n == 1 ? "" : "s";
}

static void BASE_PRINTF(5, 6) add_fault(struct check *check, enum cycle_rule rule, int orbit,
                                        int item, const char *format, ...)
{
    va_list args;

    if (check->n_faults++ >= CYCLE_MAX_FAULTS || !check->fault)
        return;
    struct cycle_fault *fault = &check->fault[check->n_faults - 1];
    fault->rule = rule;
    fault->orbit = orbit;
    fault->item = item;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
}

/* ---- items ---------------------------------------------------------------------------- */

static void check_item(struct check *check, unsigned i)
{
    const struct cycle_item *item = &check->structure->item[i];
    const struct perm_orbit *orbit = &puzzle_shape(check->puzzle)->orbit[item->orbit];
    const char *name = puzzle_orbit_name(check->puzzle, item->orbit);

    if (item->length < 1 || item->length > orbit->size)
        add_fault(check, CYCLE_RULE_LENGTH, item->orbit, (int)i,
                  "%s: a cycle of length %u is impossible, lengths are 1 to %u", name, item->length,
                  orbit->size);
    if (item->oriented && orbit->mod == 1)
        add_fault(check, CYCLE_RULE_UNORIENTABLE, item->orbit, (int)i,
                  "%s: the pieces have one orientation, so %u+ must be %u", name, item->length,
                  item->length);
}

/* ---- orbits --------------------------------------------------------------------------- */

static void check_carried(struct check *check, unsigned k, unsigned carried)
{
    const unsigned most = puzzle_carried_count(check->puzzle, k);
    const char *name = puzzle_orbit_name(check->puzzle, k);

    if (carried <= most)
        return;
    if (most == 0)
        add_fault(check, CYCLE_RULE_PIECES, (int)k, -1,
                  "%s: the moves only turn the pieces where they are; cycles have length 1", name);
    else
        add_fault(check, CYCLE_RULE_PIECES, (int)k, -1,
                  "%s: cycles of length 2 and more use %u pieces, but the moves carry only %u of "
                  "them from slot to slot",
                  name, carried, most);
}

static void check_pieces(struct check *check, unsigned k, unsigned pieces)
{
    const unsigned size = puzzle_shape(check->puzzle)->orbit[k].size;
    const unsigned movable = puzzle_movable_count(check->puzzle, k);
    const char *name = puzzle_orbit_name(check->puzzle, k);

    if (pieces <= movable)
        return;
    if (movable == size)
        add_fault(check, CYCLE_RULE_PIECES, (int)k, -1,
                  "%s: cycles use %u of %u pieces; leave out at least %u", name, pieces, size,
                  pieces - movable);
    else
        add_fault(check, CYCLE_RULE_PIECES, (int)k, -1,
                  "%s: cycles use %u pieces, but the moves reach only %u of %u; leave out at "
                  "least %u",
                  name, pieces, movable, size, pieces - movable);
}

static void check_orientations(struct check *check, unsigned k, unsigned oriented)
{
    const unsigned mod = puzzle_shape(check->puzzle)->orbit[k].mod;
    const char *name = puzzle_orbit_name(check->puzzle, k);

    if (mod == 1 || !puzzle_orientation_sum_kept(check->puzzle, k) ||
        cycle__sums_cancel(mod, oriented))
        return;
    if (mod == 2)
        add_fault(
            check, CYCLE_RULE_ORIENTATION_SUM, (int)k, -1,
            "%s: %u oriented cycle%s, but flips sum to zero only over an even number of them; "
            "add or drop one +",
            name, oriented, plural(oriented));
    else
        add_fault(check, CYCLE_RULE_ORIENTATION_SUM, (int)k, -1,
                  "%s: 1 oriented cycle alone cannot sum to zero mod %u; add another one or drop "
                  "its +",
                  name, mod);
}

/* ---- parities ------------------------------------------------------------------------- */

static void print_parities(struct cycle_text *text, const struct puzzle *puzzle, uint32_t orbits,
                           uint32_t odd)
{
    const char *between = "";

    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++) {
        if (!(orbits >> k & 1))
            continue;
        cycle__print(text, "%s%s %s", between, puzzle_orbit_name(puzzle, k),
                     odd >> k & 1 ? "odd" : "even");
        between = ", ";
    }
}

/* A set of orbits of which every move changes an even number of parities, with the bit `odd`,
 * which is not a pivot, and else only pivots: each row that has that bit brings in its own. */
static uint32_t conserved_set(const struct cycle_span *span, uint32_t odd)
{
    uint32_t set = odd;

    for (unsigned i = 0; i < span->rank; i++) {
        if (span->row[i] & odd)
            set |= span->pivot[i];
    }
    return set;
}

static void add_parity_fault(struct check *check, uint32_t set, uint32_t parities)
{
    char orbits[80];
    struct cycle_text text = {orbits, sizeof orbits, 0};

    print_parities(&text, check->puzzle, set, parities);
    if ((set & (set - 1)) == 0)
        add_fault(check, CYCLE_RULE_PARITY, __builtin_ctz(set), -1,
                  "%s: every move is even there; add or drop one cycle of even length", orbits);
    else
        add_fault(check, CYCLE_RULE_PARITY, -1, -1,
                  "%s: every move changes an even number of these; add or drop one cycle of even "
                  "length in one of them",
                  orbits);
}

/* Every bit of the rest is a conserved set that the structure violates: the set holds that bit of
 * the rest and no other, and a vector of the span meets it evenly. */
static void check_parities(struct check *check, const struct cycle_span *span)
{
    uint32_t parities = cycle__parities(check->puzzle, check->structure);

    for (uint32_t rest = cycle__span_rest(span, parities); rest; rest &= rest - 1)
        add_parity_fault(check, conserved_set(span, rest & (~rest + 1)), parities);
}

/* ---- links ---------------------------------------------------------------------------- */

static void print_figure(struct cycle_text *text, const struct check *check,
                         const struct cycle_figure *figure, struct cycle_choice choice)
{
    const char *name = puzzle_orbit_name(check->puzzle, figure->orbit);

    if (figure->kind == CYCLE_FIGURE_PARITY)
        cycle__print(text, "%s %s", name, choice.fixed ? "odd" : "even");
    else if (figure->kind == CYCLE_FIGURE_CLASS)
        cycle__print(text, "%s with%s a 3-cycle", name, choice.addends ? "" : "out");
    else
        cycle__print(text, "%s with %u oriented cycle%s", name, choice.addends,
                     plural(choice.addends));
}

/* Names the least set of figures that do not agree: those without any one of which there would be
 * no conflict. */
static void check_links(struct check *check, const struct cycle_laws *laws)
{
    char figures[140];
    struct cycle_text text = {figures, sizeof figures, 0};
    uint64_t ignored = 0;

    if (!laws->any_linked || cycle__links_hold(laws, check->structure, 0))
        return;
    for (unsigned i = 0; i < laws->n; i++) {
        uint64_t more = ignored | (uint64_t)1 << i;
        if (!laws->figure[i].linked)
            continue;
        if (!cycle__links_hold(laws, check->structure, more)) {
            ignored = more;
            continue;
        }
        if (text.used > 0)
            cycle__print(&text, ", ");
        print_figure(&text, check, &laws->figure[i],
                     cycle__figure_choice(laws, i, check->structure));
    }
    add_fault(check, CYCLE_RULE_LINK, -1, -1, "%.139s: the moves never give these together",
              figures);
}

/* ---- together ------------------------------------------------------------------------- */

size_t cycle_check(const struct puzzle *puzzle, const struct cycle_structure *structure,
                   struct cycle_fault *faults)
{
    struct check check = {puzzle, structure, faults, 0};
    struct cycle_laws laws;
    const unsigned n_orbits = puzzle_shape(puzzle)->n_orbits;

    for (unsigned i = 0; i < structure->n_items; i++) {
        BASE_ASSERT(structure->item[i].orbit < n_orbits);
        check_item(&check, i);
    }
    for (unsigned k = 0; k < n_orbits; k++) {
        struct cycle_tally tally = cycle__tally(structure, k);
        check_pieces(&check, k, tally.pieces);
        if (tally.pieces <= puzzle_movable_count(puzzle, k))
            check_carried(&check, k, tally.carried);
        check_orientations(&check, k, tally.oriented);
    }
    cycle__laws_init(&laws, puzzle);
    check_parities(&check, &laws.span);
    if (check.n_faults == 0)
        check_links(&check, &laws);
    return check.n_faults;
}

/* ---- names ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *text;
} rules[] = {
#define RULE_ROW(name, wire, text) {wire, text},
    CYCLE_RULE_LIST(RULE_ROW)
#undef RULE_ROW
};

const char *cycle_rule_name(enum cycle_rule rule)
{
    BASE_ASSERT((unsigned)rule < CYCLE_RULE_COUNT);
    return rules[rule].name;
}

const char *cycle_rule_text(enum cycle_rule rule)
{
    BASE_ASSERT((unsigned)rule < CYCLE_RULE_COUNT);
    return rules[rule].text;
}
