/*
 * support_order.c - see support_order.h.
 */
#include "tests/support/support_order.h"

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_random.h"

enum { MAX_POINTS = 160, ENOUGH_SIFTED = 30, N_WARM_UP = 60 };

/* Images of the points; products from left to right. */
typedef uint8_t image[MAX_POINTS];

/* Level b moves point b and keeps those below; to[p]: an element that takes b to p, if has[p]. */
struct chain {
    unsigned n;
    struct level {
        bool has[MAX_POINTS];
        image to[MAX_POINTS], back[MAX_POINTS];
        image *generator;
        unsigned n_generators;
        unsigned orbit_size;
    } * level;
};

static void multiply(unsigned n, const uint8_t *a, const uint8_t *b, uint8_t *out)
{
    image product;
    for (unsigned i = 0; i < n; i++)
        product[i] = b[a[i]];
    memcpy(out, product, n);
}

static void invert(unsigned n, const uint8_t *a, uint8_t *out)
{
    for (unsigned i = 0; i < n; i++)
        out[a[i]] = (uint8_t)i;
}

/* ---- the chain --------------------------------------------------------------------------- */

static void level_add_point(struct chain *chain, struct level *level, unsigned point,
                            const uint8_t *element)
{
    memcpy(level->to[point], element, chain->n);
    invert(chain->n, element, level->back[point]);
    level->has[point] = true;
    level->orbit_size++;
}

static void level_grow(struct chain *chain, unsigned b)
{
    struct level *level = &chain->level[b];
    unsigned before;
    do {
        before = level->orbit_size;
        for (unsigned p = 0; p < chain->n; p++)
            for (unsigned g = 0; level->has[p] && g < level->n_generators; g++) {
                unsigned to = level->generator[g][p];
                image element;
                multiply(chain->n, level->to[p], level->generator[g], element);
                if (!level->has[to])
                    level_add_point(chain, level, to, element);
            }
    } while (level->orbit_size > before);
}

/* Divides by elements of the chain; what is left goes in where it stops, and below. False: nothing
 * was left. */
static bool sift(struct chain *chain, uint8_t *element)
{
    for (unsigned b = 0; b < chain->n; b++) {
        struct level *level = &chain->level[b];
        unsigned to = element[b];
        if (level->has[to]) {
            multiply(chain->n, element, level->back[to], element);
            continue;
        }
        for (unsigned up = 0; up <= b; up++) {
            struct level *above = &chain->level[up];
            bool keeps = true;
            for (unsigned p = 0; keeps && p < up; p++)
                keeps = element[p] == p;
            if (!keeps)
                continue;
            above->generator = realloc(above->generator, (above->n_generators + 1) * sizeof(image));
            ck_assert_ptr_nonnull(above->generator);
            memcpy(above->generator[above->n_generators++], element, chain->n);
            level_grow(chain, up);
        }
        return true;
    }
    return false;
}

static void chain_init(struct chain *chain, unsigned n)
{
    image identity = {0};
    chain->n = n;
    chain->level = calloc(n, sizeof *chain->level);
    ck_assert_ptr_nonnull(chain->level);
    for (unsigned i = 0; i < n; i++)
        identity[i] = (uint8_t)i;
    for (unsigned b = 0; b < n; b++)
        level_add_point(chain, &chain->level[b], b, identity);
}

static void chain_deinit(struct chain *chain)
{
    for (unsigned b = 0; b < chain->n; b++)
        free(chain->level[b].generator);
    free(chain->level);
}

/* ---- the puzzle -------------------------------------------------------------------------- */

/* The piece in slot s turned o goes, by the inverse of the convention of perm.h, where a move takes
 * it from. Point: orbit's first + slot * mod + orientation. */
static unsigned points_of(const struct perm_shape *shape, const uint8_t *state, uint8_t *out)
{
    unsigned first = 0;
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        ck_assert_uint_le(first + orbit->size * orbit->mod, MAX_POINTS);
        for (unsigned i = 0; i < orbit->size; i++)
            for (unsigned o = 0; o < orbit->mod; o++)
                out[first + i * orbit->mod + o] =
                    (uint8_t)(first + perm_pieces(orbit, state)[i] * orbit->mod +
                              (o + perm_orientations(orbit, state)[i]) % orbit->mod);
        first += orbit->size * orbit->mod;
    }
    return first;
}

/* Product replacement: a list of generators in which products take the place of factors. */
static void random_element(unsigned n, struct support_random *random, image *pool, unsigned count,
                           uint8_t *out)
{
    unsigned a = support_random_below(random, count), b = support_random_below(random, count - 1);
    b += b >= a;
    multiply(n, pool[a], pool[b], pool[a]);
    multiply(n, out, pool[a], out);
}

static void print_product(const struct chain *chain, char decimal[SUPPORT_ORDER_BYTES])
{
    uint8_t digit[SUPPORT_ORDER_BYTES] = {1};
    unsigned n = 1;
    for (unsigned b = 0; b < chain->n; b++) {
        unsigned carry = 0;
        for (unsigned i = 0; i < n || carry; i++) {
            ck_assert_uint_lt(i, SUPPORT_ORDER_BYTES - 1);
            carry += digit[i] * chain->level[b].orbit_size;
            digit[i] = (uint8_t)(carry % 10);
            carry /= 10;
            n = i >= n ? i + 1 : n;
        }
    }
    for (unsigned i = 0; i < n; i++)
        decimal[i] = (char)('0' + digit[n - 1 - i]);
    decimal[n] = '\0';
}

void support_order(const struct puzzle *puzzle, char decimal[SUPPORT_ORDER_BYTES])
{
    struct support_random random = {1};
    struct chain chain;
    image pool[PUZZLE_MAX_MOVES], element, rest;
    const unsigned count = puzzle_move_count(puzzle);
    unsigned n = 0;
    for (unsigned m = 0; m < count; m++)
        n = points_of(puzzle_shape(puzzle), puzzle_move_at(puzzle, m)->transform, pool[m]);
    chain_init(&chain, n);
    for (unsigned m = 0; m < count; m++) {
        memcpy(rest, pool[m], n);
        sift(&chain, rest);
    }
    memcpy(element, pool[0], n);
    for (unsigned i = 0; i < N_WARM_UP; i++)
        random_element(n, &random, pool, count, element);
    for (unsigned sifted = 0; sifted < ENOUGH_SIFTED; sifted++) {
        random_element(n, &random, pool, count, element);
        memcpy(rest, element, n);
        if (sift(&chain, rest))
            sifted = 0;
    }
    print_product(&chain, decimal);
    chain_deinit(&chain);
}
