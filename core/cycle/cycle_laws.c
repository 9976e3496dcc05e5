/*
 * cycle_laws.c - what all moves keep, as one lattice.
 *
 * A state has a vector of *figures*, of each orbit
 *
 *     parity   mod 2     of its permutation
 *     class    mod 3     of an even permutation of three or four pieces: those of four permute the
 *                        three ways to pair them, cyclically, those of three the pieces; 3-cycles
 *                        inverse to each other have the classes 1 and 2, all else has 0
 *     sum      mod m     of its orientations
 *
 * The figures of a product are the sums of those of its factors. All permutations of n pieces with
 * their orientations, or all even ones, have no other figures (their groups' commutative quotients
 * are made of these), so where an orbit's moves mix all of its pieces nothing is missing. Not seen
 * are laws about a part of an orbit: of pieces that moves never exchange with the rest, or of
 * single ones among several that only turn.
 *
 * The vectors that words reach, taken as whole numbers with each modulus as a vector of its own,
 * are a lattice. It is kept as a triangular basis (Hermite's normal form), by which any vector is
 * reduced to the least one of its coset; those that reduce to zero are reached.
 */
#include <string.h>

#include "core/cycle/cycle_int.h"

enum { CLASSES = 3 };

/* ---- figures -------------------------------------------------------------------------- */

/* How far round the first of the three has gone. */
static unsigned class_of_three(const uint8_t *piece, const uint8_t *slot)
{
    for (unsigned shift = 0; shift < CLASSES; shift++)
        if (piece[slot[0]] == slot[shift])
            return shift;
    return 0;
}

/* Slots 0 and 3 are a pair and the other two are one; whose partner is slot 3 in the image? */
static unsigned class_of_four(const uint8_t *piece, const uint8_t *slot)
{
    uint8_t a = piece[slot[0]], b = piece[slot[3]];

    for (unsigned partner = 0; partner < CLASSES; partner++) {
        bool has_a = a == slot[partner] || a == slot[3];
        bool has_b = b == slot[partner] || b == slot[3];
        if (has_a == has_b)
            return partner;
    }
    return 0;
}

static unsigned class_of(const struct cycle_laws *laws, unsigned k, const uint8_t *transform)
{
    const uint8_t *piece = perm_pieces(&laws->shape->orbit[k], transform);

    return laws->n_classed[k] == CLASSES ? class_of_three(piece, laws->classed[k])
                                         : class_of_four(piece, laws->classed[k]);
}

static void figures_of(const struct cycle_laws *laws, const uint8_t *transform,
                       int vector[CYCLE_MAX_FIGURES])
{
    for (unsigned i = 0; i < laws->n; i++) {
        const struct cycle_figure *figure = &laws->figure[i];
        const struct perm_orbit *orbit = &laws->shape->orbit[figure->orbit];

        if (figure->kind == CYCLE_FIGURE_PARITY)
            vector[i] = (int)perm_parity(orbit, transform);
        else if (figure->kind == CYCLE_FIGURE_CLASS)
            vector[i] = (int)class_of(laws, figure->orbit, transform);
        else
            vector[i] = (int)perm_orientation_sum(orbit, transform);
    }
}

static void add_figure(struct cycle_laws *laws, unsigned k, enum cycle_figure_kind kind,
                       unsigned modulus)
{
    if (modulus > 1)
        laws->figure[laws->n++] = (struct cycle_figure){
            .orbit = (uint8_t)k, .kind = (uint8_t)kind, .modulus = (uint8_t)modulus};
}

static bool is_carried(const struct puzzle *puzzle, unsigned k, unsigned slot)
{
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++)
        if (perm_pieces(&puzzle_shape(puzzle)->orbit[k],
                        puzzle_move_at(puzzle, m)->transform)[slot] != slot)
            return true;
    return false;
}

static bool all_even(const struct puzzle *puzzle, unsigned k)
{
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++)
        if (perm_parity(&puzzle_shape(puzzle)->orbit[k], puzzle_move_at(puzzle, m)->transform))
            return false;
    return true;
}

static void add_figures(struct cycle_laws *laws, const struct puzzle *puzzle, unsigned k)
{
    const unsigned carried = puzzle_carried_count(puzzle, k);
    const bool classed = (carried == 3 || carried == 4) && all_even(puzzle, k);

    for (unsigned slot = 0; classed && slot < laws->shape->orbit[k].size; slot++)
        if (is_carried(puzzle, k, slot))
            laws->classed[k][laws->n_classed[k]++] = (uint8_t)slot;
    add_figure(laws, k, CYCLE_FIGURE_PARITY, carried >= 2 ? 2 : 1);
    add_figure(laws, k, CYCLE_FIGURE_CLASS, classed ? CLASSES : 1);
    add_figure(laws, k, CYCLE_FIGURE_SUM,
               puzzle_movable_count(puzzle, k) > 0 ? laws->shape->orbit[k].mod : 1);
}

/* ---- the lattice ---------------------------------------------------------------------- */

static int remainder_of(int x, int modulus)
{
    return (x % modulus + modulus) % modulus;
}

/* a -= factor * b, from figure `from` on and but for multiples of the moduli behind it. */
static void subtract(const struct cycle_laws *laws, int *a, int factor, const int *b, unsigned from)
{
    a[from] -= factor * b[from];
    for (unsigned j = from + 1; j < laws->n; j++)
        a[j] = remainder_of(a[j] - factor * b[j], laws->figure[j].modulus);
}

/* Euclid's algorithm on the leading figures of the vector and the row; what is left of the vector
 * goes on to the next row. */
static void lattice_add(struct cycle_laws *laws, int vector[CYCLE_MAX_FIGURES])
{
    int other[CYCLE_MAX_FIGURES];

    for (unsigned i = 0; i < laws->n; i++) {
        int *row = laws->row[i];
        while (vector[i] != 0) {
            subtract(laws, row, row[i] / vector[i], vector, i);
            memcpy(other, row, sizeof other);
            memcpy(row, vector, sizeof other);
            memcpy(vector, other, sizeof other);
        }
    }
}

/* Takes as much as there is of each row out of those above it, so that a free figure is in its own
 * row alone. */
static void lattice_reduce(struct cycle_laws *laws)
{
    for (unsigned i = 0; i < laws->n; i++) {
        for (unsigned j = i + 1; j < laws->n; j++)
            subtract(laws, laws->row[i], laws->row[i][j] / laws->row[j][j], laws->row[j], j);
    }
}

static void lattice_init(struct cycle_laws *laws, const struct puzzle *puzzle)
{
    int vector[CYCLE_MAX_FIGURES] = {0};

    memset(laws->row, 0, sizeof laws->row);
    for (unsigned i = 0; i < laws->n; i++)
        laws->row[i][i] = laws->figure[i].modulus;
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        figures_of(laws, puzzle_move_at(puzzle, m)->transform, vector);
        lattice_add(laws, vector);
    }
    lattice_reduce(laws);
}

/* Is the figure free, or kept, whatever the others are? */
static bool is_alone(const struct cycle_laws *laws, unsigned i)
{
    for (unsigned j = 0; j < laws->n; j++) {
        if (j != i && (laws->row[i][j] != 0 || laws->row[j][i] != 0))
            return false;
    }
    return laws->row[i][i] == 1 || laws->row[i][i] == laws->figure[i].modulus;
}

/* Relations of parities alone, and sums that are free or kept alone, are what the rules `parity`
 * and `orientation-sum` say. */
static bool needs_link(const struct cycle_laws *laws, unsigned i)
{
    if (laws->figure[i].kind == CYCLE_FIGURE_PARITY)
        return false;
    return !is_alone(laws, i) ||
           (laws->figure[i].kind == CYCLE_FIGURE_CLASS && laws->row[i][i] != 1);
}

/* With a figure all that share a row with it are linked, parities too. */
static void find_links(struct cycle_laws *laws)
{
    bool more = true;

    for (unsigned i = 0; i < laws->n; i++)
        laws->figure[i].linked = needs_link(laws, i);
    while (more) {
        more = false;
        for (unsigned i = 0; i < laws->n; i++)
            for (unsigned j = i + 1; j < laws->n; j++)
                if (laws->row[i][j] != 0 && laws->figure[i].linked != laws->figure[j].linked)
                    more = laws->figure[i].linked = laws->figure[j].linked = true;
    }
    laws->n_cosets = 1;
    laws->any_linked = false;
    for (unsigned i = 0; i < laws->n; i++) {
        laws->any_linked |= laws->figure[i].linked;
        if (laws->figure[i].linked && laws->n_cosets <= CYCLE_MAX_COSETS)
            laws->n_cosets *= (unsigned)laws->row[i][i];
    }
    if (laws->n_cosets > CYCLE_MAX_COSETS)
        laws->any_linked = false;
}

void cycle__laws_init(struct cycle_laws *laws, const struct puzzle *puzzle)
{
    laws->shape = puzzle_shape(puzzle);
    laws->n = 0;
    memset(laws->n_classed, 0, sizeof laws->n_classed);
    for (unsigned k = 0; k < laws->shape->n_orbits; k++)
        add_figures(laws, puzzle, k);
    lattice_init(laws, puzzle);
    find_links(laws);
    cycle__span_init(&laws->span, puzzle);
}

/* ---- cosets --------------------------------------------------------------------------- */

/* Cosets are numbered by their least vectors, linked figures only, mixed radix. */
static unsigned coset_of(const struct cycle_laws *laws, int vector[CYCLE_MAX_FIGURES])
{
    unsigned number = 0, radix = 1;

    for (unsigned i = 0; i < laws->n; i++) {
        if (!laws->figure[i].linked)
            continue;
        int top = laws->row[i][i];
        vector[i] = remainder_of(vector[i], laws->figure[i].modulus);
        subtract(laws, vector, vector[i] / top, laws->row[i], i);
        number += radix * (unsigned)vector[i];
        radix *= (unsigned)top;
    }
    return number;
}

unsigned cycle__coset_step(const struct cycle_laws *laws, unsigned coset, unsigned figure,
                           unsigned value)
{
    int vector[CYCLE_MAX_FIGURES] = {0};

    for (unsigned i = 0; i < laws->n; i++) {
        if (!laws->figure[i].linked)
            continue;
        vector[i] = (int)(coset % (unsigned)laws->row[i][i]);
        coset /= (unsigned)laws->row[i][i];
    }
    vector[figure] += (int)value;
    return coset_of(laws, vector);
}

struct cycle_choice cycle__figure_choice(const struct cycle_laws *laws, unsigned i,
                                         const struct cycle_structure *structure)
{
    const struct cycle_figure *figure = &laws->figure[i];
    struct cycle_choice choice = {0};

    if (figure->kind == CYCLE_FIGURE_PARITY)
        choice.fixed = cycle_parity(structure, figure->orbit);
    if (figure->kind == CYCLE_FIGURE_SUM)
        choice.addends = cycle__tally(structure, figure->orbit).oriented;
    for (unsigned j = 0; j < structure->n_items && figure->kind == CYCLE_FIGURE_CLASS; j++)
        choice.addends |=
            structure->item[j].orbit == figure->orbit && structure->item[j].length == 3;
    return choice;
}

/* From the cosets in `set` to those that one of the values low ... high leads to. */
static void step_all(const struct cycle_laws *laws, unsigned figure, unsigned low, unsigned high,
                     bool set[CYCLE_MAX_COSETS])
{
    bool to[CYCLE_MAX_COSETS] = {false};

    for (unsigned coset = 0; coset < laws->n_cosets; coset++) {
        for (unsigned v = low; set[coset] && v <= high; v++)
            to[cycle__coset_step(laws, coset, figure, v)] = true;
    }
    memcpy(set, to, sizeof to);
}

/* Two numbers but zero have any sum, mod 3 and more, and more of them no others; mod 2 two of them
 * are nothing. */
static unsigned addends_that_count(unsigned modulus, unsigned addends)
{
    if (modulus == 2)
        return addends % 2;
    return addends < 2 ? addends : 2;
}

bool cycle__links_hold(const struct cycle_laws *laws, const struct cycle_structure *structure,
                       uint64_t ignored)
{
    bool reached[CYCLE_MAX_COSETS] = {true};

    for (unsigned i = 0; i < laws->n; i++) {
        struct cycle_choice choice = cycle__figure_choice(laws, i, structure);
        if (!laws->figure[i].linked)
            continue;
        const unsigned modulus = laws->figure[i].modulus;
        bool any = ignored >> i & 1;
        step_all(laws, i, any ? 0 : choice.fixed, any ? modulus - 1 : choice.fixed, reached);
        for (unsigned a = addends_that_count(modulus, choice.addends); a > 0 && !any; a--)
            step_all(laws, i, 1, modulus - 1, reached);
    }
    return reached[0];
}
