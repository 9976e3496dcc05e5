/*
 * test_cycle_count.c - how many states have a structure, and the list of all structures.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cycle/cycle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

static struct cycle_structure parse(const struct puzzle *puzzle, const char *text)
{
    struct cycle_structure structure;
    struct base_diag diag;
    int rc = cycle_parse(puzzle, text, strlen(text), &structure, &diag);

    ck_assert_msg(rc == 0, "%s: %s", text, diag.text);
    cycle_canonicalise(&structure);
    return structure;
}

/* ---- counting and enumerating --------------------------------------------------------- */

static void expect_count(const struct puzzle *puzzle, const char *text, const char *states)
{
    struct cycle_structure structure = parse(puzzle, text);
    struct cycle_count count;

    cycle_count_states(puzzle, &structure, &count);
    ck_assert_msg(strcmp(count.decimal, states) == 0, "%s: %s", text, count.decimal);
}

START_TEST(states_are_counted_exactly)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct cycle_count count;

    expect_count(cube, "c: / e:", "1");
    expect_count(cube, "c: (1+, 5+) / e: (1+, 1+)", "43110144");
    expect_count(cube, "e: (1+)x12", "1");
    expect_count(cube, "e: (1+)", "0");
    expect_count(cube, "c: (3) / e: (2)", "0");
    expect_count(cube, "c: (9)", "0");
    cycle_count_positions(cube, &count);
    ck_assert_str_eq(count.decimal, "43252003274489856000");
    ck_assert_double_eq_tol(count.log10, log10(43252003274489856000.0), 1e-12);
    cycle_count_positions(pocket, &count);
    ck_assert_str_eq(count.decimal, "3674160");
    expect_count(pocket, "c: (8)", "0");
    puzzle_release(pocket);
}
END_TEST

START_TEST(no_states_have_no_logarithm)
{
    struct cycle_structure structure = parse(cube, "c: (1+)");
    struct cycle_count count;

    cycle_count_states(cube, &structure, &count);
    ck_assert_str_eq(count.decimal, "0");
    ck_assert(isinf(count.log10) && count.log10 < 0);
}
END_TEST

struct survey {
    const struct puzzle *puzzle;
    struct cycle_structure last;
    unsigned structures;
    unsigned stop_after; /* 0: never */
    unsigned __int128 states;
};

static unsigned __int128 to_number(const char *decimal)
{
    unsigned __int128 value = 0;

    for (; *decimal; decimal++)
        value = value * 10 + (unsigned)(*decimal - '0');
    return value;
}

static bool survey(void *arg, const struct cycle_structure *structure)
{
    struct survey *all = arg;
    struct cycle_structure again;
    struct cycle_count count;
    char text[CYCLE_TEXT_BYTES];

    if (all->structures++ > 0)
        ck_assert_int_lt(cycle_compare(&all->last, structure), 0);
    all->last = *structure;
    int length = cycle_print(all->puzzle, structure, text, sizeof text);
    ck_assert_int_eq(cycle_parse(all->puzzle, text, (size_t)length, &again, NULL), 0);
    ck_assert(cycle_equal(&again, structure));
    ck_assert_uint_eq(cycle_check(all->puzzle, structure, NULL), 0);
    cycle_count_states(all->puzzle, structure, &count);
    all->states += to_number(count.decimal);
    return all->structures != all->stop_after;
}

START_TEST(all_structures_of_the_cube_are_enumerated)
{
    struct survey all = {.puzzle = cube};

    ck_assert_int_eq(cycle_enumerate(cube, survey, &all), 0);
    ck_assert_uint_eq(all.structures, 41224);
    ck_assert(all.states == to_number("43252003274489856000"));
}
END_TEST

START_TEST(enumeration_stops_when_told)
{
    struct survey all = {.puzzle = cube, .stop_after = 100};

    ck_assert_int_eq(cycle_enumerate(cube, survey, &all), BASE_ERR_CANCELLED);
    ck_assert_uint_eq(all.structures, 100);
}
END_TEST

/* ---- against every state of a small puzzle ---------------------------------------------- */

/* Orbit "a": four pieces of which one stays, `mod` orientations; orbit "b": three pieces with two.
 * The moves reach every state that the invariants allow. */
struct small {
    unsigned mod;
    bool sum_kept; /* of orbit a */
    bool linked;   /* an exchange in a comes with one in b */
};

static const struct small smalls[] = {
    {1, true, true},  {2, true, false}, {2, false, true},  {3, true, true},
    {3, false, true}, {4, true, true},  {4, false, false}, {6, true, true},
};

static struct puzzle *build_small(const struct small *small)
{
    struct puzzle_builder *builder = puzzle_builder_new("small");
    struct puzzle *puzzle = NULL;
    const uint8_t back = (uint8_t)(small->mod - 1);
    uint8_t turn[14] = {0, 1, 2, 3, 1, small->sum_kept ? back : 0, 0, 0, 0, 1, 2, 0, 0, 0};
    uint8_t exchange[14] = {1, 0, 2, 3, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0};
    uint8_t rotate[14] = {1, 2, 0, 3, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0};
    uint8_t flip[14] = {0, 1, 2, 3, 0, 0, 0, 0, 0, 1, 2, 1, 1, 0};
    uint8_t other[14] = {0, 1, 2, 3, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0};
    uint8_t alone[14] = {0, 1, 2, 3, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0};

    if (small->linked)
        memcpy(exchange + 8, alone + 8, 3);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "a", 4, small->mod, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "b", 3, 2, NULL), 0);
    if (small->mod > 1)
        ck_assert_int_eq(puzzle_builder_add_move(builder, "T", turn, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "X", exchange, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "R", rotate, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "F", flip, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "O", other, 1, NULL), 0);
    if (!small->linked)
        ck_assert_int_eq(puzzle_builder_add_move(builder, "A", alone, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    return puzzle;
}

enum { SMALL_STATES = 6 * 216 * 6 * 8, SMALL_BYTES = 14 };

/* All states by closure: each found state is multiplied by each move. */
struct closure {
    unsigned n;
    uint8_t state[SMALL_STATES][SMALL_BYTES];
    bool known[12 * 216 * 9 * 8]; /* by rank */
};

/* Injective on the states of a small puzzle: two slots fix a permutation of three. */
static size_t rank_of(const uint8_t *s)
{
    size_t rank = (size_t)s[0] * 3 + s[1];

    for (unsigned i = 4; i < 7; i++)
        rank = rank * 6 + s[i];
    rank = (rank * 3 + s[8]) * 3 + s[9];
    for (unsigned i = 11; i < 14; i++)
        rank = rank * 2 + s[i];
    return rank;
}

static void discover(struct closure *closure, const uint8_t *state)
{
    bool *known = &closure->known[rank_of(state)];

    if (!*known) {
        ck_assert_uint_lt(closure->n, SMALL_STATES);
        memcpy(closure->state[closure->n++], state, SMALL_BYTES);
    }
    *known = true;
}

static struct closure *close_small(const struct puzzle *puzzle)
{
    struct closure *closure = calloc(1, sizeof *closure);
    uint8_t next[SMALL_BYTES];

    ck_assert_ptr_nonnull(closure);
    perm_identity(puzzle_shape(puzzle), next);
    discover(closure, next);
    for (unsigned i = 0; i < closure->n; i++) {
        for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
            perm_compose(puzzle_shape(puzzle), closure->state[i],
                         puzzle_move_at(puzzle, m)->transform, next);
            discover(closure, next);
        }
    }
    return closure;
}

struct tally {
    const struct puzzle *puzzle;
    struct cycle_structure structure[400];
    unsigned states[400];
    unsigned n;
};

static bool collect(void *arg, const struct cycle_structure *structure)
{
    struct tally *tally = arg;

    ck_assert_uint_lt(tally->n, 400);
    tally->structure[tally->n++] = *structure;
    return true;
}

static void tally_state(struct tally *tally, const uint8_t *state)
{
    struct cycle_structure structure;

    cycle_of_state(tally->puzzle, state, &structure);
    for (unsigned i = 0; i < tally->n; i++) {
        if (cycle_equal(&structure, &tally->structure[i])) {
            tally->states[i]++;
            return;
        }
    }
    ck_abort_msg("a state has a structure that was not enumerated");
}

static void check_small(const struct small *small)
{
    struct tally *tally = calloc(1, sizeof *tally);
    struct puzzle *puzzle = build_small(small);
    struct closure *closure = close_small(puzzle);
    struct cycle_count count;
    char decimal[20];

    ck_assert_ptr_nonnull(tally);
    tally->puzzle = puzzle;
    ck_assert_int_eq(cycle_enumerate(puzzle, collect, tally), 0);
    for (unsigned i = 0; i < closure->n; i++)
        tally_state(tally, closure->state[i]);
    for (unsigned i = 0; i < tally->n; i++) {
        cycle_count_states(puzzle, &tally->structure[i], &count);
        snprintf(decimal, sizeof decimal, "%u", tally->states[i]);
        ck_assert_str_eq(count.decimal, decimal);
    }
    cycle_count_positions(puzzle, &count);
    snprintf(decimal, sizeof decimal, "%u", closure->n);
    ck_assert_str_eq(count.decimal, decimal);
    free(closure);
    free(tally);
    puzzle_release(puzzle);
}

START_TEST(small_puzzles_are_counted_state_by_state)
{
    for (size_t i = 0; i < sizeof smalls / sizeof smalls[0]; i++)
        check_small(&smalls[i]);
}
END_TEST

/* ---- the largest numbers -------------------------------------------------------------- */

/* 255 pieces with 127 orientations, whose sum is not kept: 255! * 127^255 positions; the structures
 * reach the limits of items and of text. */
static struct puzzle *build_large(void)
{
    struct puzzle_builder *builder = puzzle_builder_new("large");
    struct puzzle *puzzle = NULL;
    uint8_t turn[510] = {0};

    for (unsigned i = 0; i < 255; i++)
        turn[i] = (uint8_t)((i + 1) % 255);
    turn[255] = 1;
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "pieces", 255, 127, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "T", turn, 1, NULL), 0);
    for (unsigned i = 0; i < 255; i++)
        turn[i] = (uint8_t)i;
    ck_assert_int_eq(puzzle_builder_add_move(builder, "S", turn, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    return puzzle;
}

START_TEST(the_largest_puzzle_fits)
{
    struct puzzle *puzzle = build_large();
    struct cycle_structure structure;
    struct cycle_structure again;
    struct cycle_count count;
    uint8_t state[PERM_MAX_BYTES];
    char text[CYCLE_TEXT_BYTES];

    perm_identity(puzzle_shape(puzzle), state);
    memset(state + 255, 1, 255);
    cycle_of_state(puzzle, state, &structure);
    ck_assert_uint_eq(structure.n_items, 255);
    int length = cycle_print(puzzle, &structure, text, sizeof text);
    ck_assert_int_lt(length, (int)sizeof text);
    ck_assert_int_eq(cycle_parse(puzzle, text, (size_t)length, &again, NULL), 0);
    ck_assert(cycle_equal(&structure, &again));

    /* 126^255 */
    cycle_count_states(puzzle, &structure, &count);
    ck_assert_double_eq_tol(count.log10, 255 * log10(126), 1e-9);
    ck_assert_uint_eq(strlen(count.decimal), 536);
    cycle_count_positions(puzzle, &count);
    ck_assert_double_eq_tol(count.log10, lgamma(256) / log(10) + 255 * log10(127) - log10(2), 1e-9);
    puzzle_release(puzzle);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        states_are_counted_exactly,
        no_states_have_no_logarithm,
        all_structures_of_the_cube_are_enumerated,
        enumeration_stops_when_told,
        small_puzzles_are_counted_state_by_state,
        the_largest_puzzle_fits,
    };

    return support_suite_run("cycle_count", tests, sizeof tests / sizeof tests[0], setup, teardown,
                             60);
}
