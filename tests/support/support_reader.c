/*
 * support_reader.c - see support_reader.h.
 */
#include "tests/support/support_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_random.h"

enum { FAULT_BYTES = 200 };

/* ---- readers ------------------------------------------------------------------------------- */

unsigned support_reader_all(const struct cube3_reader *reader[SUPPORT_READER_MAX])
{
    const uint32_t has = cpu_detect().bits;
    unsigned n = 0;
    for (uint32_t bits = 0; bits < 1u << CPU_FEATURE_COUNT; bits++) {
        if (bits & ~has)
            continue;
        const struct cube3_reader *one = cube3_reader_choose((struct cpu_features){bits});
        unsigned i = 0;
        while (i < n && reader[i] != one)
            i++;
        if (i == n)
            reader[n++] = one;
    }
    return n;
}

const struct cube3_reader *support_reader_named(const char *name)
{
    const struct cube3_reader *reader[SUPPORT_READER_MAX];
    unsigned n = support_reader_all(reader);
    for (unsigned i = 0; i < n; i++)
        if (strcmp(reader[i]->name, name) == 0)
            return reader[i];
    return NULL;
}

/* ---- states -------------------------------------------------------------------------------- */

/* Turns of the oriented cycles of one orbit, by item, that sum to zero. */
static void draw_turns(struct support_random *random, const struct cycle_structure *structure,
                       unsigned orbit, unsigned mod, unsigned *turn)
{
    unsigned sum;
    do {
        sum = 0;
        for (unsigned i = 0; i < structure->n_items; i++) {
            const struct cycle_item *item = &structure->item[i];
            turn[i] = item->oriented ? 1 + support_random_below(random, mod - 1) : 0;
            sum += item->orbit == orbit ? turn[i] : 0;
        }
    } while (sum % mod != 0);
}

/* A random state with the structure: its cycles are laid over the slots in random order. */
static void state_with(struct support_random *random, const struct perm_shape *shape,
                       const struct cycle_structure *structure, uint8_t *state)
{
    perm_identity(shape, state);
    for (unsigned k = 0; k < 2; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        uint8_t *piece = state + orbit->offset, *turns = piece + orbit->size;
        unsigned slot[16], turn[CYCLE_MAX_ITEMS], at = 0;
        for (unsigned i = 0; i < orbit->size; i++)
            slot[i] = i;
        support_random_shuffle(random, slot, orbit->size);
        draw_turns(random, structure, k, orbit->mod, turn);
        for (unsigned i = 0; i < structure->n_items; i++) {
            const struct cycle_item *item = &structure->item[i];
            unsigned sum = turn[i];
            if (item->orbit != k)
                continue;
            for (unsigned j = 0; j < item->length; j++) {
                unsigned part =
                    j + 1 < item->length ? support_random_below(random, orbit->mod) : sum;
                piece[slot[at + j]] = (uint8_t)slot[at + (j + 1) % item->length];
                turns[slot[at + j]] = (uint8_t)part;
                sum = (sum + orbit->mod - part) % orbit->mod;
            }
            at += item->length;
        }
    }
}

/* Makes the sums of turns zero. */
static void mend_sums(const struct perm_shape *shape, uint8_t *state)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        uint8_t *turns = state + orbit->offset + orbit->size;
        unsigned sum = perm_orientation_sum(orbit, state);
        turns[0] = (uint8_t)((turns[0] + orbit->mod - sum % orbit->mod) % orbit->mod);
    }
}

/* ---- checking ------------------------------------------------------------------------------ */

struct check {
    const struct puzzle *cube;
    const struct cube3_reader *reader;
    struct support_random random;
    struct cube3_structures structures;
    unsigned count, size; /* of the batch under way */
    struct cube3_batch batch;
    uint32_t expected[CUBE3_BATCH];
    unsigned done;
    bool seen[CUBE3_STRUCTURES];
    char *fault;
};

static bool flush(struct check *check)
{
    uint32_t number[CUBE3_BATCH];
    check->reader->read(&check->structures, &check->batch, check->count, number);
    for (unsigned i = 0; i < check->count; i++)
        if (number[i] != check->expected[i]) {
            snprintf(check->fault, FAULT_BYTES, "%s: state %u, %u of %u in its batch: %u, not %u",
                     check->reader->name, check->done, i, check->count, number[i],
                     check->expected[i]);
            return false;
        }
    check->done += check->count;
    check->count = 0;
    check->size = 1 + support_random_below(&check->random, CUBE3_BATCH);
    return true;
}

/* Adds a state to the batch, and what its number must be by the reference. */
static bool add(struct check *check, const uint8_t *state)
{
    struct cycle_structure structure;
    struct cube3 packed;
    uint32_t number;
    cycle_of_state(check->cube, state, &structure);
    cube3_from_state(puzzle_shape(check->cube), state, &packed);
    if (cube3_structure_find(&check->structures, &structure, &number) != 0) {
        snprintf(check->fault, FAULT_BYTES, "state %u: its structure has no number", check->done);
        return false;
    }
    cube3_batch_set(&check->batch, check->count, &packed);
    check->expected[check->count++] = number;
    return check->count < check->size || flush(check);
}

/* Every structure has a number of its own. */
static bool add_structure(void *arg, const struct cycle_structure *structure)
{
    struct check *check = arg;
    uint8_t state[PERM_MAX_BYTES];
    struct cycle_structure read;
    uint32_t number;
    state_with(&check->random, puzzle_shape(check->cube), structure, state);
    cycle_of_state(check->cube, state, &read);
    if (!cycle_equal(&read, structure) ||
        cube3_structure_find(&check->structures, structure, &number) != 0 ||
        number >= CUBE3_STRUCTURES || check->seen[number]) {
        snprintf(check->fault, FAULT_BYTES, "structure %u has no state, or no number of its own",
                 check->done + check->count);
        return false;
    }
    check->seen[number] = true;
    return add(check, state);
}

static bool check_all(struct check *check, unsigned rounds)
{
    const struct perm_shape *shape = puzzle_shape(check->cube);
    uint8_t state[PERM_MAX_BYTES];
    if (cycle_enumerate(check->cube, add_structure, check) != 0)
        return false;
    for (unsigned round = 0; round < rounds; round++) {
        if (round % 2)
            support_random_state(&check->random, check->cube, state);
        else
            support_random_arrangement(&check->random, shape, state);
        mend_sums(shape, state);
        if (!add(check, state))
            return false;
    }
    return flush(check);
}

unsigned support_reader_check(const struct puzzle *cube, const struct cube3_reader *reader,
                              unsigned rounds, char *fault)
{
    struct check *check = aligned_alloc(64, (sizeof *check + 63) / 64 * 64);
    if (!check)
        abort();
    memset(check, 0, sizeof *check);
    check->cube = cube;
    check->reader = reader;
    check->random.state = 1;
    check->size = CUBE3_BATCH;
    check->fault = fault;
    cube3_structures_init(&check->structures);
    unsigned done = check_all(check, rounds) ? check->done : 0;
    free(check);
    return done;
}
