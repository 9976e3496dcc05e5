/*
 * cube3.c - between the register form and the reference form.
 */
#include "core/cube3/cube3.h"

bool cube3_fits(const struct puzzle *puzzle)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    return shape->n_orbits == 2 && shape->orbit[CUBE3_CORNERS].size == 8 &&
           shape->orbit[CUBE3_CORNERS].mod == 3 && shape->orbit[CUBE3_EDGES].size == 12 &&
           shape->orbit[CUBE3_EDGES].mod == 2;
}

void cube3_from_state(const struct perm_shape *shape, const uint8_t *state, struct cube3 *out)
{
    static const unsigned at[2] = {0, CUBE3_EDGE_AT};
    for (unsigned i = 0; i < CUBE3_BYTES; i++)
        out->b[i] = i & 15;
    for (unsigned k = 0; k < 2; k++) {
        const uint8_t *piece = perm_pieces(&shape->orbit[k], state);
        const uint8_t *turn = perm_orientations(&shape->orbit[k], state);
        for (unsigned i = 0; i < shape->orbit[k].size; i++)
            out->b[at[k] + i] = (uint8_t)(piece[i] | turn[i] << 4);
    }
}

void cube3_to_state(const struct perm_shape *shape, const struct cube3 *cube, uint8_t *state)
{
    static const unsigned at[2] = {0, CUBE3_EDGE_AT};
    for (unsigned k = 0; k < 2; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        for (unsigned i = 0; i < orbit->size; i++) {
            state[orbit->offset + i] = cube->b[at[k] + i] & 15;
            state[orbit->offset + orbit->size + i] = cube->b[at[k] + i] >> 4;
        }
    }
}
