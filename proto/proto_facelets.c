/*
 * proto_facelets.c - where the stickers of the built-in 3x3x3 are: painted, and read.
 *
 * Slots are in the order of the definition (puzzle.h); the first facelet of a slot is the one that
 * orientations are measured by.
 */
#include "proto/proto_facelets.h"

#include <stdbool.h>
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

static const char letters[] = "URFDLB";
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

/* ---- reading -------------------------------------------------------------------------- */

static int check_letters(const char *text, size_t length, struct base_diag *diag)
{
    size_t good = 0;

    while (good < length && text[good] && strchr(letters, text[good]))
        good++;
    if (good < length && good < sizeof(solved) - 1)
        return base_diag_set(diag, good, BASE_ERR_SYNTAX, "the letters are U, R, F, D, L and B");
    if (length != sizeof(solved) - 1)
        return base_diag_set(diag, good, BASE_ERR_SYNTAX, "there are %zu facelets instead of 54",
                             length);
    return BASE_OK;
}

/* Are the stickers at a slot those of the piece, turned? */
static bool slot_shows(const char *text, const uint8_t *slot, const uint8_t *home, unsigned mod,
                       unsigned turn)
{
    for (unsigned k = 0; k < mod; k++)
        if (text[slot[(k + turn) % mod]] != solved[home[k]])
            return false;
    return true;
}

static bool read_slot(const char *text, const struct perm_orbit *orbit, const uint8_t *facelets,
                      unsigned slot, uint8_t *state)
{
    unsigned mod = orbit->mod;

    for (unsigned piece = 0; piece < orbit->size; piece++) {
        for (unsigned turn = 0; turn < mod; turn++) {
            if (!slot_shows(text, facelets + slot * mod, facelets + piece * mod, mod, turn))
                continue;
            state[orbit->offset + slot] = (uint8_t)piece;
            state[orbit->offset + orbit->size + slot] = (uint8_t)turn;
            return true;
        }
    }
    return false;
}

static int read_orbit(const char *text, const struct perm_orbit *orbit, const uint8_t *facelets,
                      uint8_t *state, struct base_diag *diag)
{
    unsigned seen = 0, sum = 0;

    for (unsigned slot = 0; slot < orbit->size; slot++) {
        size_t at = facelets[slot * orbit->mod];
        if (!read_slot(text, orbit, facelets, slot, state))
            return base_diag_set(diag, at, BASE_ERR_SYNTAX, "no piece has the stickers shown here");
        if (seen >> perm_pieces(orbit, state)[slot] & 1)
            return base_diag_set(diag, at, BASE_ERR_SYNTAX, "the piece shown here is there twice");
        seen |= 1U << perm_pieces(orbit, state)[slot];
        sum += perm_orientations(orbit, state)[slot];
    }
    if (sum % orbit->mod)
        return base_diag_set(
            diag, 0, BASE_ERR_INFEASIBLE,
            orbit->mod == 3 ? "a corner is twisted: the twists of all corners add up to whole turns"
                            : "an edge is flipped: flipped edges come in pairs");
    return BASE_OK;
}

static int check_centres(const char *text, struct base_diag *diag)
{
    for (size_t at = 4; at < sizeof(solved) - 1; at += 9)
        if (text[at] != solved[at])
            return base_diag_set(diag, at, BASE_ERR_SYNTAX,
                                 "this centre is %c, for faces are named "
                                 "by their centres",
                                 solved[at]);
    return BASE_OK;
}

int proto_facelets_parse(const struct puzzle *puzzle, const char *text, size_t length,
                         uint8_t *state, struct base_diag *diag)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    int code;

    if (strcmp(puzzle_name(puzzle), "3x3x3") != 0)
        return base_diag_set(diag, 0, BASE_ERR_UNSUPPORTED, "facelets are known of the 3x3x3 only");
    code = check_letters(text, length, diag);
    if (!code)
        code = check_centres(text, diag);
    if (!code)
        code = read_orbit(text, &shape->orbit[0], corner_facelets[0], state, diag);
    if (!code)
        code = read_orbit(text, &shape->orbit[1], edge_facelets[0], state, diag);
    if (!code && perm_parity(&shape->orbit[0], state) != perm_parity(&shape->orbit[1], state))
        return base_diag_set(diag, 0, BASE_ERR_INFEASIBLE,
                             "two pieces are swapped: corners and "
                             "edges must both be an even, or both an odd, permutation");
    return code;
}
