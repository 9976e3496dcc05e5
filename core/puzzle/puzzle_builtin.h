/*
 * puzzle_builtin.h - the definitions that come with the program. They are made from geometry when
 * asked for.
 *
 *     name      orbits (pieces * orientations)                 layers that turn
 *     3x3x3     corners 8*3, edges 12*2                        U R F D L B
 *     2x2x2     corners 8*3                                    U R F (the corner DBL stays)
 *     4x4x4     corners 8*3, edges 24, centers 24              X, 2X, x of each face X
 *     5x5x5     corners 8*3, edges 12*2, wings 24,             X, 2X, x of each face X
 *               x-centers 24, t-centers 24
 *     pyraminx  corners 4*3, edges 6*2                         U L R B (no tips)
 *     skewb     corners 4*3, fixed-corners 4*3, centers 6      U R L F: about ULB DRB DLF URF
 *     megaminx  corners 20*3, edges 30*2                       U R F L BL BR FR FL DR DL B D
 *
 * A move turns one layer, clockwise as seen from outside, by any amount: its index is 3 * face +
 * amount - 1 on the 3x3x3. On the big cubes X is the layer at face X, 2X the one behind it and x
 * (aliases Xw, 2Xw, 2x) both. The middle layers of a 5x5x5 stay, so nothing is turned as a whole; a
 * 4x4x4 has none, and turning it all round is moves like others. Corners of cubes are in the order
 * URF UFL ULB UBR DFR DLF DBL DRB, edges in the order UR UF UL UB DR DF DL DB FR FL BR BL. Centers
 * are told apart.
 */
#ifndef CORE_PUZZLE_PUZZLE_BUILTIN_H
#define CORE_PUZZLE_PUZZLE_BUILTIN_H

#include "core/puzzle/puzzle.h"

/* Number of built-in definitions, and the name of one (static). */
size_t puzzle_builtin_count(void);
const char *puzzle_builtin_name(size_t index);

/* New definition of that name. BASE_ERR_UNKNOWN_PUZZLE, BASE_ERR_NOMEM. */
int puzzle_builtin_new(const char *name, struct puzzle **out);

#endif
