/*
 * fuzz_cycle.c - texts of cycle structures: parsed, checked, printed, parsed again. The first byte
 * chooses the puzzle.
 */
#include <stdlib.h>
#include <string.h>

#include "core/cycle/cycle.h"
#include "tests/fuzz/harness.h"

static void print_and_parse(const struct puzzle *puzzle, const struct cycle_structure *structure)
{
    struct cycle_structure again;
    char text[CYCLE_TEXT_BYTES];
    int length = cycle_print(puzzle, structure, text, sizeof text);
    BASE_ASSERT(length > 0 && (size_t)length < sizeof text);
    BASE_ASSERT(cycle_parse(puzzle, text, (size_t)length, &again, NULL) == 0);
    cycle_canonicalise(&again);
    BASE_ASSERT(cycle_equal(structure, &again));
    BASE_ASSERT(cycle_hash(structure) == cycle_hash(&again));
}

/* What is feasible is had by some state, and what is not by none. */
static void count(const struct puzzle *puzzle, const struct cycle_structure *structure,
                  bool feasible)
{
    struct cycle_count states;
    cycle_count_states(puzzle, structure, &states);
    BASE_ASSERT(strlen(states.decimal) < sizeof states.decimal);
    BASE_ASSERT(!feasible == !strcmp(states.decimal, "0"));
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    const struct puzzle *puzzle = fuzz_puzzle(fuzz_byte(&bytes));
    struct cycle_structure structure;
    struct cycle_fault faults[CYCLE_MAX_FAULTS];
    struct base_diag diag = {0};
    if (cycle_parse(puzzle, (const char *)bytes.data, bytes.size, &structure, &diag)) {
        BASE_ASSERT(diag.text[0] && diag.position <= bytes.size);
        return 0;
    }
    size_t n_faults = cycle_check(puzzle, &structure, faults);
    cycle_canonicalise(&structure);
    print_and_parse(puzzle, &structure);
    count(puzzle, &structure, n_faults == 0);
    return 0;
}
