/*
 * support_wings.c - see support_wings.h.
 *
 * A wing is at a point whose coordinates are 1 or -1 once and 3 or -3 twice; a layer is where one
 * coordinate has one of the values -3, -1, 1, 3, and turning it by a quarter exchanges the other
 * two coordinates and negates one of them.
 */
#include "tests/support/support_wings.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { WINGS = 24, AXES = 3, LAYERS = 4 };

struct point {
    int at[AXES];
};

static unsigned list_points(struct point *point)
{
    unsigned count = 0;
    for (int x = -3; x <= 3; x += 2)
        for (int y = -3; y <= 3; y += 2)
            for (int z = -3; z <= 3; z += 2)
                if ((abs(x) == 1) + (abs(y) == 1) + (abs(z) == 1) == 1)
                    point[count++] = (struct point){{x, y, z}};
    return count;
}

static unsigned find_point(const struct point *point, const struct point *wanted)
{
    unsigned i = 0;
    while (memcmp(point[i].at, wanted->at, sizeof wanted->at) != 0)
        i++;
    return i;
}

/* The piece at every point of the layer goes to its image. */
static void turn_layer(const struct point *point, unsigned axis, unsigned layer, uint8_t *transform)
{
    for (unsigned i = 0; i < WINGS; i++) {
        struct point image = point[i];
        unsigned b = (axis + 1) % AXES, c = (axis + 2) % AXES;
        if (point[i].at[axis] == 2 * (int)layer - 3) {
            image.at[b] = -point[i].at[c];
            image.at[c] = point[i].at[b];
        }
        transform[find_point(point, &image)] = (uint8_t)i;
        transform[WINGS + i] = 0;
    }
}

struct puzzle *support_wings(const char *layers)
{
    struct point point[WINGS];
    struct puzzle_builder *builder = puzzle_builder_new("wings");
    struct puzzle *puzzle = NULL;

    ck_assert_uint_eq(list_points(point), WINGS);
    ck_assert_ptr_nonnull(builder);
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "wings", WINGS, 1, NULL), 0);
    for (unsigned layer = 0; layer < LAYERS; layer++)
        for (unsigned axis = 0; axis < AXES; axis++) {
            const char name[] = {"XYZ"[axis], (char)('1' + layer), '\0'};
            uint8_t transform[2 * WINGS];
            if (layers && !strstr(layers, name))
                continue;
            turn_layer(point, axis, layer, transform);
            ck_assert_int_eq(puzzle_builder_add_face(builder, name, transform, NULL), 0);
        }
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    return puzzle;
}
