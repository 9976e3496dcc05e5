/*
 * proto_facelets.c - where the stickers of the built-in 3x3x3 are.
 *
 * Slots are in the order of the definition (puzzle.h); the first facelet of a slot is the one that
 * orientations are measured by.
 */
#include "proto/proto_facelets.h"

#include <string.h>

#include "core/base/base_err.h"

enum { U = 0, R = 9, F = 18, D = 27, L = 36, B = 45 };

/* URF UFL ULB UBR DFR DLF DBL DRB, clockwise */
static const uint8_t corner_facelets[8][3] = {
    {U + 8, R + 0, F + 2}, {U + 6, F + 0, L + 2}, {U + 0, L + 0, B + 2}, {U + 2, B + 0, R + 2},
    {D + 2, F + 8, R + 6}, {D + 0, L + 8, F + 6}, {D + 6, B + 8, L + 6}, {D + 8, R + 8, B + 6},
};

/* UR UF UL UB DR DF DL DB FR FL BR BL */
static const uint8_t edge_facelets[12][2] = {
    {U + 5, R + 1}, {U + 7, F + 1}, {U + 3, L + 1}, {U + 1, B + 1}, {D + 5, R + 7}, {D + 1, F + 7},
    {D + 3, L + 7}, {D + 7, B + 7}, {F + 5, R + 3}, {F + 3, L + 5}, {B + 3, R + 5}, {B + 5, L + 3},
};

static const char solved[] = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

/* Sticker k of the piece shows at facelet k + orientation of its slot. `facelets` is the table of
 * the orbit, `mod` facelets a slot. */
static void paint_orbit(const struct perm_orbit *orbit, const uint8_t *facelets,
                        const uint8_t *state, char *out)
{
    const uint8_t *piece = perm_pieces(orbit, state);
    const uint8_t *turn = perm_orientations(orbit, state);

    for (unsigned slot = 0; slot < orbit->size; slot++) {
        for (unsigned k = 0; k < orbit->mod; k++) {
            unsigned shown_at = facelets[slot * orbit->mod + (k + turn[slot]) % orbit->mod];
            out[shown_at] = solved[facelets[piece[slot] * orbit->mod + k]];
        }
    }
}

int proto_facelets_print(const struct puzzle *puzzle, const uint8_t *state, char *out)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);

    if (strcmp(puzzle_name(puzzle), "3x3x3") != 0)
        return BASE_ERR_UNSUPPORTED;
    memcpy(out, solved, sizeof(solved));
    paint_orbit(&shape->orbit[0], corner_facelets[0], state, out);
    paint_orbit(&shape->orbit[1], edge_facelets[0], state, out);
    return BASE_OK;
}
