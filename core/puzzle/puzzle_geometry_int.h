/*
 * puzzle_geometry_int.h - definitions made from solid geometry rather than typed.
 *
 * A puzzle is pieces in space and layers that turn. A piece has a position and the normals of its
 * stickers; a layer is all pieces whose height above an axis lies within two bounds. What a turn
 * does to orbits, slots and orientations follows.
 *
 * Arithmetic is exact: coordinates are a + b*phi with whole a and b, phi the golden ratio, which
 * holds the dodecahedron as well as cubes and tetrahedra. There is no tolerance to choose.
 */
#ifndef CORE_PUZZLE_PUZZLE_GEOMETRY_INT_H
#define CORE_PUZZLE_PUZZLE_GEOMETRY_INT_H

#include "core/puzzle/puzzle.h"

/* ---- space ---------------------------------------------------------------------------- */

enum { PUZZLE_AXES = 3 };

struct puzzle_scalar {
    int whole, golden; /* whole + golden * phi */
};

struct puzzle_vector {
    struct puzzle_scalar at[PUZZLE_AXES];
};

/* Figures stay below about 1000, so that no product or square of them overflows. */
struct puzzle_vector puzzle__vector(int x, int y, int z);
struct puzzle_vector puzzle__vector_negative(const struct puzzle_vector *v);

/* a * u + b * v */
struct puzzle_vector puzzle__vector_sum(int a, const struct puzzle_vector *u, int b,
                                        const struct puzzle_vector *v);
struct puzzle_scalar puzzle__vector_dot(const struct puzzle_vector *u,
                                        const struct puzzle_vector *v);
struct puzzle_vector puzzle__vector_cross(const struct puzzle_vector *u,
                                          const struct puzzle_vector *v);
bool puzzle__vector_equal(const struct puzzle_vector *u, const struct puzzle_vector *v);

/* Negative, zero or positive, as a - b is. */
int puzzle__scalar_compare(struct puzzle_scalar a, struct puzzle_scalar b);

/* Do u, v and w follow each other clockwise, as seen from where they point to? */
bool puzzle__vector_clockwise(const struct puzzle_vector *u, const struct puzzle_vector *v,
                              const struct puzzle_vector *w);

/* What a full turn is cut into, and with it the length of axes: cube faces (1), cube corners
 * (square root of 3), dodecahedron faces (square root of phi + 2). */
enum puzzle_turn { PUZZLE_TURN_QUARTER, PUZZLE_TURN_THIRD, PUZZLE_TURN_FIFTH };

/* Clockwise about the axis, as seen from where it points to. */
struct puzzle_vector puzzle__vector_turn(enum puzzle_turn turn, const struct puzzle_vector *axis,
                                         const struct puzzle_vector *v);

/* ---- pieces and layers ---------------------------------------------------------------- */

enum { PUZZLE_MAX_STICKERS = 3 };

/* The first sticker is the one that orientations are counted by: a piece is turned j times if its
 * first sticker is where that of slot's sticker j is. In an orbit with mod 3 stickers go clockwise.
 * An orbit with mod 1 needs none. */
struct puzzle_piece {
    struct puzzle_vector position;
    struct puzzle_vector sticker[PUZZLE_MAX_STICKERS];
};

struct puzzle_geometry {
    struct puzzle_builder *builder;
    struct perm_shape shape;
    enum puzzle_turn turn;
    int error; /* the first one; calls after it do nothing */
    unsigned n_pieces;
    struct puzzle_piece piece[PERM_MAX_BYTES / 2]; /* orbits one after another */
};

/* Out of memory and all that the builder refuses comes out of puzzle__geometry_finish. */
void puzzle__geometry_begin(struct puzzle_geometry *geometry, const char *name,
                            enum puzzle_turn turn);

/* Orbits come before layers. `mod` is at most PUZZLE_MAX_STICKERS. */
void puzzle__geometry_add_orbit(struct puzzle_geometry *geometry, const char *name, unsigned mod,
                                const struct puzzle_piece *pieces, unsigned n);

/* The turn of all pieces with low <= position * axis <= high, and its powers. */
struct puzzle_layer {
    struct puzzle_vector axis;
    struct puzzle_scalar low, high;
};

void puzzle__geometry_add_layer(struct puzzle_geometry *geometry, const char *name,
                                const struct puzzle_layer *layer);

void puzzle__geometry_add_alias(struct puzzle_geometry *geometry, const char *alias,
                                const char *name);

/* As puzzle_builder_finish; to be called once whatever happened. */
int puzzle__geometry_finish(struct puzzle_geometry *geometry, struct puzzle **out);

/* ---- the puzzles ---------------------------------------------------------------------- */

/* See puzzle_builtin.h for what they are. */
int puzzle__cube_new(const char *name, struct puzzle **out); /* "NxNxN" */
int puzzle__pyraminx_new(const char *name, struct puzzle **out);
int puzzle__skewb_new(const char *name, struct puzzle **out);
int puzzle__megaminx_new(const char *name, struct puzzle **out);

#endif
