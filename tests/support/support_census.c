/*
 * support_census.c - see support_census.h.
 */
#include "tests/support/support_census.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cycle/cycle.h"
#include "tests/support/support_ball.h"
#include "tests/support/support_expect.h"

enum { MAX_STRUCTURES = 4096 };

/* Structures in the order of cycle_compare, and how many states have them. */
struct census {
    const struct puzzle *puzzle;
    unsigned n;
    struct cycle_structure structure[MAX_STRUCTURES];
    uint64_t states[MAX_STRUCTURES];
};

static void add_state(struct census *census, const struct cycle_structure *structure)
{
    unsigned low = 0, high = census->n;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (cycle_compare(&census->structure[middle], structure) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == census->n || !cycle_equal(&census->structure[low], structure)) {
        unsigned behind = census->n++ - low;
        SUPPORT_EXPECT(census->n <= MAX_STRUCTURES);
        memmove(census->structure + low + 1, census->structure + low,
                behind * sizeof *census->structure);
        memmove(census->states + low + 1, census->states + low, behind * sizeof *census->states);
        census->structure[low] = *structure;
        census->states[low] = 0;
    }
    census->states[low]++;
}

struct listing {
    const struct census *census;
    unsigned at;
};

static bool compare_next(void *arg, const struct cycle_structure *structure)
{
    struct listing *listing = arg;
    const struct census *census = listing->census;
    char text[CYCLE_TEXT_BYTES], states[24];
    struct cycle_count count;
    cycle_print(census->puzzle, structure, text, sizeof text);
    ck_assert_msg(listing->at < census->n &&
                      cycle_equal(&census->structure[listing->at], structure),
                  "%s: %s", puzzle_name(census->puzzle), text);
    cycle_count_states(census->puzzle, structure, &count);
    snprintf(states, sizeof states, "%" PRIu64, census->states[listing->at++]);
    ck_assert_msg(strcmp(count.decimal, states) == 0, "%s: %s instead of %s", text, count.decimal,
                  states);
    return true;
}

void support_census_check(struct puzzle *puzzle, size_t positions)
{
    struct census *census = calloc(1, sizeof *census);
    struct listing listing = {census, 0};
    struct support_ball ball;
    struct cycle_structure structure;
    struct cycle_count count;
    ck_assert_ptr_nonnull(census);
    census->puzzle = puzzle;
    support_ball_init(&ball, puzzle, NULL, SUPPORT_BALL_MAX_RADIUS);
    ck_assert_uint_eq(ball.count, positions);
    for (size_t i = 0; i < ball.count; i++) {
        cycle_of_state(puzzle, ball.state + i * ball.bytes, &structure);
        add_state(census, &structure);
    }
    cycle_count_positions(puzzle, &count);
    ck_assert_uint_eq(strtoull(count.decimal, NULL, 10), positions);
    ck_assert_int_eq(cycle_enumerate(puzzle, compare_next, &listing), 0);
    ck_assert_uint_eq(listing.at, census->n);
    support_ball_deinit(&ball);
    free(census);
    puzzle_release(puzzle);
}
