/*
 * cycle.h - cycle structures: what a state does to each orbit, up to relabelling.
 *
 * A cycle structure lists, per orbit, cycles (length, oriented). Oriented: the orientation changes
 * along the cycle do not sum to zero. Pieces that are not listed are fixed and unoriented. A
 * structure is a small open value; in canonical form its items are sorted by (orbit, length,
 * oriented), plain before oriented, and hold no (1, plain).
 *
 * Text form: `c: (1+, 5+) / e: (1+, 1+)`. Accepted: an orbit by name or unambiguous prefix in any
 * case; items `N`, `N+`, `No`; several groups per orbit add up; `x12`, `X12` or the multiplication
 * sign after a group, on the same line, repeats it; white space anywhere between tokens; a missing
 * orbit is fixed; an empty list after the colon is allowed; separators between orbits are '/' or a
 * new line. Printed: every orbit by its shortest unambiguous prefix, ascending, plain before `+`,
 * one group; an orbit without cycles prints `c:`; identity is `c: / e:`.
 */
#ifndef CORE_CYCLE_CYCLE_H
#define CORE_CYCLE_CYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_diag.h"
#include "core/puzzle/puzzle.h"

/* Every piece of the largest puzzle may be a cycle of its own, each printed as "1+, "; and
 * 256! * 127^256 has 1046 digits. */
enum { CYCLE_MAX_ITEMS = PERM_MAX_BYTES / 2, CYCLE_TEXT_BYTES = 2048, CYCLE_COUNT_BYTES = 1088 };

struct cycle_item {
    uint8_t orbit;
    uint8_t length;
    uint8_t oriented; /* 0 or 1 */
};

struct cycle_structure {
    uint16_t n_items;
    struct cycle_item item[CYCLE_MAX_ITEMS];
};

/* Adds an item without sorting. BASE_ERR_RANGE: length 0 or above 255, orbit unknown, or too many
 * items. Whether the cycle fits the orbit is left to cycle_check. */
int cycle_add(const struct puzzle *puzzle, struct cycle_structure *structure, unsigned orbit,
              unsigned length, bool oriented);

/* Sorts and drops (1, plain). */
void cycle_canonicalise(struct cycle_structure *structure);

/* Structure of a state (reference code), in canonical form. */
void cycle_of_state(const struct puzzle *puzzle, const uint8_t *state, struct cycle_structure *out);

/* Total order and equality of canonical structures; the hash is stable across machines. */
int cycle_compare(const struct cycle_structure *a, const struct cycle_structure *b);
bool cycle_equal(const struct cycle_structure *a, const struct cycle_structure *b);
uint64_t cycle_hash(const struct cycle_structure *structure);

/* Keeps the items of one orbit only (the projection that a table of that orbit depends on). */
void cycle_project(const struct cycle_structure *structure, unsigned orbit,
                   struct cycle_structure *out);

/* Order of the states: lcm of length * (mod if oriented). For a composite mod it is that of a cycle
 * whose sum generates the whole group. UINT64_MAX if it does not fit. */
uint64_t cycle_order(const struct puzzle *puzzle, const struct cycle_structure *structure);

/* Parity of the structure in one orbit, 0 even or 1 odd. */
unsigned cycle_parity(const struct cycle_structure *structure, unsigned orbit);

struct cycle_count {
    char decimal[CYCLE_COUNT_BYTES]; /* exact */
    double log10;
};

/* Number of states with the structure among those the definition's invariants allow: slots that no
 * move changes stay, pieces that moves only turn keep their slots, and parities and sums of
 * orientations are among those that words of moves have. "0" and -INFINITY if infeasible. */
void cycle_count_states(const struct puzzle *puzzle, const struct cycle_structure *structure,
                        struct cycle_count *out);

/* Number of positions that the invariants allow: 43252003274489856000 for the 3x3x3. */
void cycle_count_positions(const struct puzzle *puzzle, struct cycle_count *out);

/* Calls `visit` with every feasible structure of the definition, in canonical form and in the order
 * of cycle_compare, the identity first (41224 for the 3x3x3; astronomically many for large
 * puzzles). The structure is borrowed for the call. BASE_ERR_CANCELLED as soon as `visit` returns
 * false, else 0. */
int cycle_enumerate(const struct puzzle *puzzle,
                    bool (*visit)(void *arg, const struct cycle_structure *structure), void *arg);

/* ---- feasibility ---------------------------------------------------------------------- */

#define CYCLE_RULE_LIST(X)                                                                         \
    X(NONE, "none", "the structure is feasible")                                                   \
    X(LENGTH, "length", "a cycle has at least one piece and at most as many as the orbit")         \
    X(PIECES, "pieces", "the lengths of an orbit's cycles sum to at most its movable pieces")      \
    X(UNORIENTABLE, "unorientable", "an orbit with one orientation has no oriented cycle")         \
    X(ORIENTATION_SUM, "orientation-sum",                                                          \
      "the orientation changes of an orbit must be able to sum to zero")                           \
    X(PARITY, "parity", "the parities of the orbits must be a combination of the moves' parities") \
    X(LINK, "link", "turns, parities and 3-cycles that moves only change together must agree")

enum cycle_rule {
#define CYCLE_RULE_ENUM(name, wire, text) CYCLE_RULE_##name,
    CYCLE_RULE_LIST(CYCLE_RULE_ENUM)
#undef CYCLE_RULE_ENUM
        CYCLE_RULE_COUNT
};

struct cycle_fault {
    enum cycle_rule rule;
    int orbit;      /* -1: concerns several orbits */
    int item;       /* index into the structure as given, -1: the orbit as a whole */
    char text[200]; /* names the orbit, the figures and the fix */
};

enum { CYCLE_MAX_FAULTS = 16 };

/* All violated rules at once; returns their number (at most CYCLE_MAX_FAULTS written, none if
 * `faults` is NULL). The structure need not be canonical, so that item indices are the caller's; a
 * (1, plain) uses no piece. Restricted move sets are judged by their own invariants; a structure
 * that passes is not proven to be reachable by them. */
size_t cycle_check(const struct puzzle *puzzle, const struct cycle_structure *structure,
                   struct cycle_fault *faults);

const char *cycle_rule_name(enum cycle_rule rule); /* wire name */
const char *cycle_rule_text(enum cycle_rule rule);

/* ---- text ----------------------------------------------------------------------------- */

/* Not canonicalised, so that positions and indices can be reported. BASE_ERR_SYNTAX, _RANGE,
 * _UNKNOWN_ORBIT with the position in `diag`. An orbit that is named twice and a text that names
 * none are refused. */
int cycle_parse(const struct puzzle *puzzle, const char *text, size_t length,
                struct cycle_structure *out, struct base_diag *diag);

/* As snprintf. The structure must be canonical. */
int cycle_print(const struct puzzle *puzzle, const struct cycle_structure *structure, char *out,
                size_t size);

#endif
