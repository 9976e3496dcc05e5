/*
 * proto_move.h - the text of algorithms, as people paste it.
 *
 * Accepted, for any puzzle: its own move names, and their aliases (Rw for r), with an amount and a
 * prime in either apostrophe (R R2 R' R2' R3 R3'), with or without white space between them; groups
 * (R U)3'; commutators [A, B]; conjugates [A: B]; // comments up to the end of the line; pauses
 * ('.'); new lines. All else is refused with the position of the offending byte: nothing is
 * guessed. An amount stands right behind its move and is less than the order of the move. Where one
 * name is the beginning of another, the longer one is taken.
 *
 * Moves are applied from left to right.
 */
#ifndef PROTO_PROTO_MOVE_H
#define PROTO_PROTO_MOVE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/base_diag.h"
#include "core/puzzle/puzzle.h"

enum { PROTO_MOVE_MAX_WORD = 10000, PROTO_MOVE_MAX_DEPTH = 32 };

struct proto_move_alg {
    size_t n_items; /* moves, groups and brackets of the text, those within others not counted */
    size_t n_moves;
    uint8_t *moves;                /* indices into the puzzle's moves */
    uint8_t state[PERM_MAX_BYTES]; /* solved * moves, by the reference code */
};

/* Parses `length` bytes. On success free with proto_move_alg_deinit; on failure there is nothing to
 * free and `diag` says where and why. BASE_ERR_SYNTAX, _UNKNOWN_MOVE, _RANGE (an amount),
 * _TOO_LARGE (longer than PROTO_MOVE_MAX_WORD after expansion), _NOMEM. */
int proto_move_parse(const struct puzzle *puzzle, const char *text, size_t length,
                     struct proto_move_alg *out, struct base_diag *diag);
void proto_move_alg_deinit(struct proto_move_alg *alg);

/* The moves' names joined by spaces: new text (free), NULL: out of memory. */
char *proto_move_print(const struct puzzle *puzzle, const uint8_t *moves, size_t n);

#endif
