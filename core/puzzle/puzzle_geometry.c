/*
 * puzzle_geometry.c - space, and from turns in space to moves of a definition.
 */
#include "core/puzzle/puzzle_geometry_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"

/* ---- scalars -------------------------------------------------------------------------- */

static struct puzzle_scalar scalar_sum(struct puzzle_scalar a, struct puzzle_scalar b)
{
    return (struct puzzle_scalar){a.whole + b.whole, a.golden + b.golden};
}

static struct puzzle_scalar scalar_times(int factor, struct puzzle_scalar a)
{
    return (struct puzzle_scalar){factor * a.whole, factor * a.golden};
}

/* By phi^2 = phi + 1. */
static struct puzzle_scalar scalar_product(struct puzzle_scalar a, struct puzzle_scalar b)
{
    int square = a.golden * b.golden;

    return (struct puzzle_scalar){a.whole * b.whole + square,
                                  a.whole * b.golden + a.golden * b.whole + square};
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* The sign of p + q * sqrt(5), where 2 * (whole + golden * phi) is p + q * sqrt(5). */
static int scalar_sign(struct puzzle_scalar a)
{
    int p = 2 * a.whole + a.golden, q = a.golden;

    if (sign(p) * sign(q) >= 0)
        return sign(p) ? sign(p) : sign(q);
    return p * p > 5 * q * q ? sign(p) : sign(q);
}

int puzzle__scalar_compare(struct puzzle_scalar a, struct puzzle_scalar b)
{
    return scalar_sign(scalar_sum(a, scalar_times(-1, b)));
}

/* ---- vectors -------------------------------------------------------------------------- */

struct puzzle_vector puzzle__vector(int x, int y, int z)
{
    return (struct puzzle_vector){{{x, 0}, {y, 0}, {z, 0}}};
}

struct puzzle_vector puzzle__vector_sum(int a, const struct puzzle_vector *u, int b,
                                        const struct puzzle_vector *v)
{
    struct puzzle_vector sum;

    for (unsigned i = 0; i < PUZZLE_AXES; i++)
        sum.at[i] = scalar_sum(scalar_times(a, u->at[i]), scalar_times(b, v->at[i]));
    return sum;
}

struct puzzle_vector puzzle__vector_negative(const struct puzzle_vector *v)
{
    return puzzle__vector_sum(-1, v, 0, v);
}

struct puzzle_scalar puzzle__vector_dot(const struct puzzle_vector *u,
                                        const struct puzzle_vector *v)
{
    struct puzzle_scalar sum = {0, 0};

    for (unsigned i = 0; i < PUZZLE_AXES; i++)
        sum = scalar_sum(sum, scalar_product(u->at[i], v->at[i]));
    return sum;
}

bool puzzle__vector_equal(const struct puzzle_vector *u, const struct puzzle_vector *v)
{
    return memcmp(u, v, sizeof *u) == 0;
}

struct puzzle_vector puzzle__vector_cross(const struct puzzle_vector *u,
                                          const struct puzzle_vector *v)
{
    struct puzzle_vector cross;

    for (unsigned i = 0; i < PUZZLE_AXES; i++) {
        unsigned j = (i + 1) % PUZZLE_AXES, k = (i + 2) % PUZZLE_AXES;
        struct puzzle_scalar back = scalar_product(u->at[k], v->at[j]);
        cross.at[i] = scalar_sum(scalar_product(u->at[j], v->at[k]), scalar_times(-1, back));
    }
    return cross;
}

bool puzzle__vector_clockwise(const struct puzzle_vector *u, const struct puzzle_vector *v,
                              const struct puzzle_vector *w)
{
    const struct puzzle_vector cross = puzzle__vector_cross(u, v);

    return scalar_sign(puzzle__vector_dot(&cross, w)) < 0;
}

/*
 * Rodrigues' formula for an axis n of length l and a clockwise angle t:
 *
 *     v -> cos t v + (1 - cos t) / l^2 (n * v) n - sin t / l (n x v)
 *
 * whose three factors have the denominator in common that is listed here:
 *
 *     t    l^2       cos t            (1 - cos t) / l^2     sin t / l
 *     90   1         0                1                     1
 *     120  3         -1/2             1/2                   1/2
 *     72   phi + 2   (phi - 1) / 2    (2 - phi) / 2         1/2
 */
static const struct {
    struct puzzle_scalar along, onto; /* factors of v and of (n * v) n */
    int across;                       /* of n x v, negative */
    int denominator;
} turns[] = {
    [PUZZLE_TURN_QUARTER] = {{0, 0}, {1, 0}, 1, 1},
    [PUZZLE_TURN_THIRD] = {{-1, 0}, {1, 0}, 1, 2},
    [PUZZLE_TURN_FIFTH] = {{-1, 1}, {2, -1}, 1, 2},
};

static int divide_exactly(int x, int divisor)
{
    BASE_ASSERT(x % divisor == 0);
    return x / divisor;
}

struct puzzle_vector puzzle__vector_turn(enum puzzle_turn turn, const struct puzzle_vector *axis,
                                         const struct puzzle_vector *v)
{
    const struct puzzle_vector across = puzzle__vector_cross(axis, v);
    const struct puzzle_scalar onto = scalar_product(turns[turn].onto, puzzle__vector_dot(axis, v));
    struct puzzle_vector image;

    for (unsigned i = 0; i < PUZZLE_AXES; i++) {
        struct puzzle_scalar sum = scalar_product(turns[turn].along, v->at[i]);
        sum = scalar_sum(sum, scalar_product(onto, axis->at[i]));
        sum = scalar_sum(sum, scalar_times(-turns[turn].across, across.at[i]));
        image.at[i].whole = divide_exactly(sum.whole, turns[turn].denominator);
        image.at[i].golden = divide_exactly(sum.golden, turns[turn].denominator);
    }
    return image;
}

/* ---- definitions ---------------------------------------------------------------------- */

void puzzle__geometry_begin(struct puzzle_geometry *geometry, const char *name,
                            enum puzzle_turn turn)
{
    *geometry = (struct puzzle_geometry){.builder = puzzle_builder_new(name), .turn = turn};
    geometry->error = geometry->builder ? BASE_OK : BASE_ERR_NOMEM;
}

void puzzle__geometry_add_orbit(struct puzzle_geometry *geometry, const char *name, unsigned mod,
                                const struct puzzle_piece *pieces, unsigned n)
{
    BASE_ASSERT(mod <= PUZZLE_MAX_STICKERS);
    if (!geometry->error)
        geometry->error = perm_shape_add_orbit(&geometry->shape, n, mod);
    if (!geometry->error)
        geometry->error = puzzle_builder_add_orbit(geometry->builder, name, n, mod, NULL);
    if (geometry->error)
        return;
    memcpy(geometry->piece + geometry->n_pieces, pieces, n * sizeof *pieces);
    geometry->n_pieces += n;
}

static bool is_in_layer(const struct puzzle_layer *layer, const struct puzzle_piece *piece)
{
    struct puzzle_scalar height = puzzle__vector_dot(&piece->position, &layer->axis);

    return puzzle__scalar_compare(layer->low, height) <= 0 &&
           puzzle__scalar_compare(height, layer->high) <= 0;
}

/* The slot of an orbit at a position. Turns lead from slots to slots, or the geometry is wrong. */
static unsigned find_slot(const struct puzzle_piece *slot, unsigned n,
                          const struct puzzle_vector *position)
{
    unsigned i = 0;

    while (i < n && !puzzle__vector_equal(&slot[i].position, position))
        i++;
    BASE_ASSERT(i < n);
    return i;
}

static unsigned find_sticker(const struct puzzle_piece *slot, unsigned mod,
                             const struct puzzle_vector *sticker)
{
    unsigned j = 0;

    while (j < mod && !puzzle__vector_equal(&slot->sticker[j], sticker))
        j++;
    BASE_ASSERT(j < mod);
    return j;
}

static void turn_orbit(const struct puzzle_geometry *geometry, const struct perm_orbit *orbit,
                       const struct puzzle_layer *layer, uint8_t *transform)
{
    const struct puzzle_piece *slot = geometry->piece + orbit->offset / 2;

    for (unsigned i = 0; i < orbit->size; i++) {
        unsigned to = i, turn = 0;
        if (is_in_layer(layer, &slot[i])) {
            struct puzzle_vector position =
                puzzle__vector_turn(geometry->turn, &layer->axis, &slot[i].position);
            struct puzzle_vector sticker =
                puzzle__vector_turn(geometry->turn, &layer->axis, &slot[i].sticker[0]);
            to = find_slot(slot, orbit->size, &position);
            turn = orbit->mod > 1 ? find_sticker(&slot[to], orbit->mod, &sticker) : 0;
        }
        transform[orbit->offset + to] = (uint8_t)i;
        transform[orbit->offset + orbit->size + to] = (uint8_t)turn;
    }
}

void puzzle__geometry_add_layer(struct puzzle_geometry *geometry, const char *name,
                                const struct puzzle_layer *layer)
{
    uint8_t transform[PERM_MAX_BYTES];

    if (geometry->error)
        return;
    for (unsigned k = 0; k < geometry->shape.n_orbits; k++)
        turn_orbit(geometry, &geometry->shape.orbit[k], layer, transform);
    geometry->error = puzzle_builder_add_face(geometry->builder, name, transform, NULL);
}

void puzzle__geometry_add_alias(struct puzzle_geometry *geometry, const char *alias,
                                const char *name)
{
    if (!geometry->error)
        geometry->error = puzzle_builder_add_alias(geometry->builder, alias, name, NULL);
}

int puzzle__geometry_finish(struct puzzle_geometry *geometry, struct puzzle **out)
{
    if (!geometry->error)
        return puzzle_builder_finish(geometry->builder, out, NULL);
    puzzle_builder_free(geometry->builder);
    return geometry->error;
}
