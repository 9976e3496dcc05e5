/*
 * support_puzzle.h - small definitions for tests, as one writes them down.
 *
 *     support_puzzle("a 5*3, b 4", "U a(0 1 2+1) b(0 1); R a(2 3 4)")
 *
 * Orbits: name, pieces, and "*orientations" unless one. Moves: the piece in each listed slot goes
 * to the next; "2+1" turns the piece that arrives in slot 2 by one. A move stands for all its
 * powers (puzzle_builder_add_face); with '!' behind its name for itself and its inverse alone.
 */
#ifndef TESTS_SUPPORT_SUPPORT_PUZZLE_H
#define TESTS_SUPPORT_SUPPORT_PUZZLE_H

#include "core/puzzle/puzzle.h"

/* New; fails the running test if the texts are no definition. */
struct puzzle *support_puzzle(const char *orbits, const char *moves);

/* New: the same orbits, and these moves of it ("U R2 F'", closed under inverse). */
struct puzzle *support_puzzle_only(const struct puzzle *puzzle, const char *moves);

/* New: those of the families these moves belong to ("U R": all powers of both). */
struct puzzle *support_puzzle_faces(const struct puzzle *puzzle, const char *faces);

#endif
