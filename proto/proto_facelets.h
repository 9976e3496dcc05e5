/*
 * proto_facelets.h - the 54 letters of a 3x3x3: faces U R F D L B, each row by row as seen in the
 * standard unfolding, a letter naming the face that a sticker belongs to. Solved reads
 * UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB.
 */
#ifndef PROTO_PROTO_FACELETS_H
#define PROTO_PROTO_FACELETS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/base_diag.h"
#include "core/puzzle/puzzle.h"

enum { PROTO_FACELETS_BYTES = 55 };

/* `out` holds PROTO_FACELETS_BYTES. BASE_ERR_UNSUPPORTED: not a state of the built-in 3x3x3. */
int proto_facelets_print(const struct puzzle *puzzle, const uint8_t *state, char *out);

/* Reads `length` bytes into `state`. BASE_ERR_UNSUPPORTED: not for this puzzle; BASE_ERR_SYNTAX:
 * not 54 of the letters, or stickers that no piece has, with the position; BASE_ERR_INFEASIBLE: all
 * pieces are there, but turns do not lead there. */
int proto_facelets_parse(const struct puzzle *puzzle, const char *text, size_t length,
                         uint8_t *state, struct base_diag *diag);

#endif
