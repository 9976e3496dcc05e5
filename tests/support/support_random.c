/*
 * support_random.c - see support_random.h. The generator is Marsaglia's xorshift64* (2003; the
 * multiplier is Vigna's).
 */
#include "tests/support/support_random.h"

enum { STATE_WORD = 50 };

unsigned support_random_below(struct support_random *random, unsigned limit)
{
    uint64_t x = random->state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (unsigned)((x * 0x2545f4914f6cdd1du >> 33) % limit);
}

void support_random_word(struct support_random *random, const struct puzzle *puzzle, uint8_t *word,
                         unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        word[i] = (uint8_t)support_random_below(random, puzzle_move_count(puzzle));
}

void support_random_state(struct support_random *random, const struct puzzle *puzzle,
                          uint8_t *state)
{
    uint8_t word[STATE_WORD];

    support_random_word(random, puzzle, word, STATE_WORD);
    puzzle_apply_word(puzzle, NULL, word, STATE_WORD, state);
}

void support_random_arrangement(struct support_random *random, const struct perm_shape *shape,
                                uint8_t *state)
{
    perm_identity(shape, state);
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        uint8_t *piece = state + orbit->offset;
        for (unsigned i = 0; i < orbit->size; i++) {
            unsigned other = support_random_below(random, i + 1);
            uint8_t held = piece[i];
            piece[i] = piece[other];
            piece[other] = held;
            piece[orbit->size + i] = (uint8_t)support_random_below(random, orbit->mod);
        }
    }
}

void support_random_shuffle(struct support_random *random, unsigned *numbers, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        unsigned other = support_random_below(random, i + 1);
        unsigned held = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = held;
    }
}
