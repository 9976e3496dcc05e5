/*
 * proto_request_start.c - can the start be brought to the target at all?
 *
 * A job with restricted moves may ask for what no sequence does, and would search for ever. Two
 * cheap invariants catch what people really ask by mistake: a parity that the moves cannot change,
 * and a piece in a slot that they never touch.
 */
#include "core/base/base_err.h"
#include "proto/proto_request_int.h"

/* A structure with the parities by which start and target differ: one 2-cycle where they do. */
static void parity_difference(const struct proto_request_decoder *decoder,
                              const struct cycle_structure *target, struct cycle_structure *out)
{
    const struct perm_shape *shape = puzzle_shape(decoder->base);

    out->n_items = 0;
    for (unsigned i = 0; i < shape->n_orbits; i++) {
        unsigned start = perm_parity(&shape->orbit[i], decoder->out->start);
        if (start != cycle_parity(target, i))
            cycle_add(decoder->base, out, i, 2, false);
    }
}

/* Of the rules only this one is about parities alone. */
static bool breaks_parity(const struct puzzle *puzzle, const struct cycle_structure *difference)
{
    struct cycle_fault faults[CYCLE_MAX_FAULTS];
    size_t n = cycle_check(puzzle, difference, faults);

    for (size_t i = 0; i < n && i < CYCLE_MAX_FAULTS; i++) {
        if (faults[i].rule == CYCLE_RULE_PARITY)
            return true;
    }
    return false;
}

static bool parities_can_match(const struct proto_request_decoder *decoder)
{
    struct cycle_structure difference;

    for (size_t i = 0; i < decoder->targets.n; i++) {
        parity_difference(decoder, &decoder->targets.items[i], &difference);
        if (!breaks_parity(decoder->out->puzzle, &difference))
            return true;
    }
    return false;
}

static bool orbit_is_stuck(const struct puzzle *puzzle, unsigned orbit, const uint8_t *start)
{
    const struct perm_orbit *shape = &puzzle_shape(puzzle)->orbit[orbit];

    for (unsigned slot = 0; slot < shape->size; slot++) {
        bool home =
            perm_pieces(shape, start)[slot] == slot && perm_orientations(shape, start)[slot] == 0;
        if (!home && !puzzle_slot_movable(puzzle, orbit, slot))
            return true;
    }
    return false;
}

/* The orbit in which an unsolved slot is out of reach of all moves; -1: none. */
static int stuck_orbit(const struct proto_request_decoder *decoder)
{
    const struct puzzle *puzzle = decoder->out->puzzle;

    for (unsigned i = 0; i < puzzle_shape(puzzle)->n_orbits; i++) {
        if (orbit_is_stuck(puzzle, i, decoder->out->start))
            return (int)i;
    }
    return -1;
}

void proto__request_check_start(const struct proto_request_decoder *decoder,
                                const struct proto_json_at *at)
{
    bool to_solve = decoder->targets.n == 1 && decoder->targets.items[0].n_items == 0;
    int stuck = to_solve ? stuck_orbit(decoder) : -1;

    if (!parities_can_match(decoder))
        proto_json_refuse(at, PROTO_PROBLEM_INFEASIBLE_TARGET, cycle_rule_name(CYCLE_RULE_PARITY),
                          "no sequence of the moves changes the parities of the start into those "
                          "of the target");
    if (stuck >= 0)
        proto_json_refuse(at, PROTO_PROBLEM_INFEASIBLE_TARGET, "unreachable-slot",
                          "a piece of the %s is unsolved where none of the moves reaches it",
                          puzzle_orbit_name(decoder->base, (unsigned)stuck));
}
