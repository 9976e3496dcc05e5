/*
 * search_sample.c - see search_sample.h.
 */
#include "core/search/search_sample.h"

#include "core/base/base_hash.h"

struct dice {
    uint64_t seed, count;
};

static unsigned roll(struct dice *dice, unsigned sides)
{
    dice->count++;
    return (unsigned)(base_hash(&dice->count, sizeof dice->count, dice->seed) % sides);
}

static void shuffle(struct dice *dice, uint8_t *slot, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        slot[i] = (uint8_t)i;
    for (unsigned i = n; i > 1; i--) {
        unsigned j = roll(dice, i);
        uint8_t last = slot[i - 1];
        slot[i - 1] = slot[j];
        slot[j] = last;
    }
}

/* Lays the orbit's cycles over shuffled slots. An oriented cycle is turned at its first slot.
 * Returns the sum of the turns. */
static unsigned lay_cycles(struct dice *dice, const struct perm_orbit *orbit, unsigned k,
                           const struct cycle_structure *structure, uint8_t *piece, uint8_t *turn)
{
    uint8_t slot[UINT8_MAX];
    unsigned at = 0, sum = 0;
    shuffle(dice, slot, orbit->size);
    for (unsigned i = 0; i < structure->n_items; i++) {
        const struct cycle_item *item = &structure->item[i];
        if (item->orbit != k || at + item->length > orbit->size)
            continue;
        for (unsigned j = 0; j < item->length; j++)
            piece[slot[at + j]] = slot[at + (j + 1) % item->length];
        if (item->oriented && orbit->mod > 1) {
            turn[slot[at]] = (uint8_t)(1 + roll(dice, orbit->mod - 1U));
            sum += turn[slot[at]];
        }
        at += item->length;
    }
    return sum;
}

/* Turns pieces and slots against each other, which changes no cycle's sum. */
static void spread_turns(struct dice *dice, const struct perm_orbit *orbit, const uint8_t *piece,
                         uint8_t *turn)
{
    uint8_t frame[UINT8_MAX];
    for (unsigned i = 0; i < orbit->size; i++)
        frame[i] = (uint8_t)roll(dice, orbit->mod);
    for (unsigned i = 0; i < orbit->size; i++)
        turn[i] = (uint8_t)((turn[i] + frame[piece[i]] + orbit->mod - frame[i]) % orbit->mod);
}

bool search_sample_state(const struct puzzle *puzzle, const struct cycle_structure *structure,
                         uint64_t number, uint8_t *state)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    struct dice dice = {.seed = number};
    perm_identity(shape, state);
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        uint8_t *piece = state + orbit->offset, *turn = piece + orbit->size;
        if (lay_cycles(&dice, orbit, k, structure, piece, turn) % orbit->mod != 0)
            return false;
        spread_turns(&dice, orbit, piece, turn);
    }
    struct cycle_structure made;
    cycle_of_state(puzzle, state, &made);
    return cycle_equal(&made, structure);
}
