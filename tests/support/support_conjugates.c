/*
 * support_conjugates.c - see support_conjugates.h.
 *
 * Arrangements are numbered. Conjugating by a few that generate all of them, again and again, gives
 * the classes, and the conjugates of a move are the members of its class. One member of each class
 * is multiplied with all of these.
 */
#include "tests/support/support_conjugates.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_expect.h"

enum { MAX_STATES = 1 << 20, MAX_SIZE = 8, BYTES = 2 * MAX_SIZE };

struct brute {
    const struct puzzle *puzzle;
    const struct perm_shape *shape;
    unsigned n, mod;
    uint32_t n_turnings; /* mod ^ n */
    uint32_t n_states;
    uint32_t *class_of; /* [state]: number of its class, 0: not known yet */
    uint32_t n_classes;
    uint32_t *member; /* states by class */
    uint32_t *first;  /* [class], from 1; and the end */
};

/* ---- arrangements ------------------------------------------------------------------------ */

static uint32_t number_of(const struct brute *brute, const uint8_t *state)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < brute->n; i++) {
        unsigned smaller = 0;
        for (unsigned k = i + 1; k < brute->n; k++)
            smaller += state[k] < state[i];
        number = number * (brute->n - i) + smaller;
    }
    for (unsigned i = 0; i < brute->n; i++)
        number = number * brute->mod + state[brute->n + i];
    return number;
}

static void state_of(const struct brute *brute, uint32_t number, uint8_t *state)
{
    for (unsigned i = brute->n; i-- > 0; number /= brute->mod)
        state[brute->n + i] = (uint8_t)(number % brute->mod);
    for (unsigned i = brute->n; i-- > 0; number /= brute->n - i) {
        state[i] = (uint8_t)(number % (brute->n - i));
        for (unsigned k = i + 1; k < brute->n; k++)
            state[k] = (uint8_t)(state[k] + (state[k] >= state[i]));
    }
}

static void conjugate(const struct brute *brute, const uint8_t *state, const uint8_t *by,
                      uint8_t *out)
{
    uint8_t inverse[BYTES], product[BYTES];
    perm_invert(brute->shape, by, inverse);
    perm_compose(brute->shape, inverse, state, product);
    perm_compose(brute->shape, product, by, out);
}

/* Exchanges of neighbours, and a turn of the first piece. */
static void generator(const struct brute *brute, unsigned i, uint8_t *out)
{
    perm_identity(brute->shape, out);
    if (i == 0) {
        out[brute->n] = (uint8_t)(1 % brute->mod);
    } else {
        out[i] = (uint8_t)(i - 1);
        out[i - 1] = (uint8_t)i;
    }
}

/* ---- classes ----------------------------------------------------------------------------- */

/* Adds all conjugates of the states from `begin` on to `member`; returns the end. */
static uint32_t close_class(struct brute *brute, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end; at++) {
        uint8_t state[BYTES];
        state_of(brute, brute->member[at], state);
        for (unsigned i = 0; i < brute->n; i++) {
            uint8_t by[BYTES], image[BYTES];
            generator(brute, i, by);
            conjugate(brute, state, by, image);
            uint32_t number = number_of(brute, image);
            if (brute->class_of[number] == 0) {
                brute->class_of[number] = brute->n_classes;
                brute->member[end++] = number;
            }
        }
    }
    return end;
}

static void find_classes(struct brute *brute)
{
    uint32_t end = 0;
    for (uint32_t s = 0; s < brute->n_states; s++) {
        uint8_t state[BYTES];
        if (brute->class_of[s] != 0)
            continue;
        state_of(brute, s, state);
        SUPPORT_EXPECT(number_of(brute, state) == s);
        brute->class_of[s] = ++brute->n_classes;
        brute->first[brute->n_classes] = end;
        brute->member[end] = s;
        end = close_class(brute, end, end + 1);
    }
    brute->first[brute->n_classes + 1] = end;
    ck_assert_uint_eq(end, brute->n_states);
}

static void brute_init(struct brute *brute, const struct puzzle *puzzle)
{
    *brute = (struct brute){.puzzle = puzzle, .shape = puzzle_shape(puzzle), .n_states = 1};
    ck_assert_uint_eq(brute->shape->n_orbits, 1);
    brute->n = brute->shape->orbit[0].size;
    brute->mod = brute->shape->orbit[0].mod;
    ck_assert_uint_le(brute->n, MAX_SIZE);
    ck_assert_uint_eq(puzzle_movable_count(puzzle, 0), brute->n);
    for (unsigned i = 1; i <= brute->n; i++) {
        brute->n_states *= i * brute->mod;
        ck_assert_uint_le(brute->n_states, MAX_STATES);
    }
    brute->class_of = calloc(brute->n_states, sizeof *brute->class_of);
    brute->member = calloc(brute->n_states, sizeof *brute->member);
    brute->first = calloc(brute->n_states + 2, sizeof *brute->first);
    ck_assert(brute->class_of && brute->member && brute->first);
    find_classes(brute);
}

static void brute_deinit(struct brute *brute)
{
    free(brute->class_of);
    free(brute->member);
    free(brute->first);
}

/* ---- the graph --------------------------------------------------------------------------- */

/* Number of the state's structure; n if it is none of them. */
static unsigned structure_number(const struct brute *brute, const struct support_conjugates *graph,
                                 const uint8_t *state)
{
    struct cycle_structure structure;
    unsigned i = 0;
    cycle_of_state(brute->puzzle, state, &structure);
    while (i < graph->n && !cycle_equal(&graph->structure[i], &structure))
        i++;
    return i;
}

/* The structure of one member of each class that keeps the sum, where the moves do. */
static void list_structures(struct brute *brute, struct support_conjugates *graph,
                            unsigned *structure_of)
{
    for (uint32_t c = 1; c <= brute->n_classes; c++) {
        uint8_t state[BYTES];
        state_of(brute, brute->member[brute->first[c]], state);
        structure_of[c] = UINT32_MAX;
        if (puzzle_orientation_sum_kept(brute->puzzle, 0) &&
            perm_orientation_sum(&brute->shape->orbit[0], state) != 0)
            continue;
        structure_of[c] = structure_number(brute, graph, state);
        if (structure_of[c] == graph->n) {
            ck_assert_uint_lt(graph->n, SUPPORT_CONJUGATES_MAX);
            cycle_of_state(brute->puzzle, state, &graph->structure[graph->n++]);
        }
    }
}

static void join(const struct brute *brute, struct support_conjugates *graph,
                 const unsigned *structure_of, uint32_t class, uint32_t moves)
{
    uint8_t state[BYTES], conjugated[BYTES], product[BYTES];
    state_of(brute, brute->member[brute->first[class]], state);
    for (uint32_t i = brute->first[moves]; i < brute->first[moves + 1]; i++) {
        state_of(brute, brute->member[i], conjugated);
        perm_compose(brute->shape, state, conjugated, product);
        unsigned to = structure_of[brute->class_of[number_of(brute, product)]];
        SUPPORT_EXPECT(to < graph->n);
        graph->adjacent[structure_of[class]][to] = true;
    }
}

struct support_conjugates *support_conjugates_new(const struct puzzle *puzzle)
{
    struct support_conjugates *graph = calloc(1, sizeof *graph);
    struct brute brute;

    ck_assert_ptr_nonnull(graph);
    brute_init(&brute, puzzle);
    unsigned *structure_of = calloc(brute.n_classes + 1, sizeof *structure_of);
    ck_assert_ptr_nonnull(structure_of);
    list_structures(&brute, graph, structure_of);
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        uint32_t moves = brute.class_of[number_of(&brute, puzzle_move_at(puzzle, m)->transform)];
        for (uint32_t c = 1; c <= brute.n_classes; c++) {
            if (structure_of[c] != UINT32_MAX)
                join(&brute, graph, structure_of, c, moves);
        }
    }
    free(structure_of);
    brute_deinit(&brute);
    return graph;
}

void support_conjugates_distances(const struct support_conjugates *graph, const bool *marked,
                                  uint8_t *distance)
{
    bool more = true;
    for (unsigned i = 0; i < graph->n; i++)
        distance[i] = marked[i] ? 0 : UINT8_MAX;
    for (unsigned d = 0; more; d++) {
        more = false;
        for (unsigned i = 0; i < graph->n; i++) {
            for (unsigned k = 0; distance[i] == d && k < graph->n; k++) {
                if (graph->adjacent[i][k] && distance[k] == UINT8_MAX) {
                    distance[k] = (uint8_t)(d + 1);
                    more = true;
                }
            }
        }
    }
}
