/*
 * support_wings.h - the 24 wings of the 4x4x4: an orbit without orientations that no table can
 * number.
 */
#ifndef TESTS_SUPPORT_SUPPORT_WINGS_H
#define TESTS_SUPPORT_SUPPORT_WINGS_H

#include "core/puzzle/puzzle.h"

/* New. Moves turn one layer of an axis by quarters: those of "X1" ... "X4", "Y1" ... "Z4" that
 * `layers` names, separated by spaces; NULL: all 12, with powers 36 moves. A turn of an outer layer
 * is two 4-cycles, of an inner one a single one. Fails the running test if it cannot. */
struct puzzle *support_wings(const char *layers);

#endif
