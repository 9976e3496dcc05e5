/*
 * proto_facelets.h - the 54 letters of a 3x3x3: faces U R F D L B, each row by row as seen in the
 * standard unfolding, a letter naming the face that a sticker belongs to. Solved reads
 * UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB.
 */
#ifndef PROTO_PROTO_FACELETS_H
#define PROTO_PROTO_FACELETS_H

#include <stdint.h>

#include "core/puzzle/puzzle.h"

enum { PROTO_FACELETS_BYTES = 55 };

/* `out` holds PROTO_FACELETS_BYTES. BASE_ERR_UNSUPPORTED: not a state of the built-in 3x3x3. */
int proto_facelets_print(const struct puzzle *puzzle, const uint8_t *state, char *out);

#endif
