/*
 * puzzle_builtin_tetrad.c - pyraminx and skewb: the puzzles that turn about four axes, to every
 * other corner of a cube.
 *
 *     F = URF  ( 1,  1,  1)      The edges of a tetrahedron with its vertices there are above the
 *     U = ULB  (-1,  1, -1)      faces of the cube, so that both puzzles are made of the corners
 *     R = DRB  ( 1, -1, -1)      and the faces of the cube. A turn takes what is on its side of the
 *     L = DLF  (-1, -1,  1)      middle: the cut of a skewb, and of a pyraminx without its tips.
 */
#include "core/base/base_attr.h"
#include "core/puzzle/puzzle_geometry_int.h"

enum { AXES = 4, SIDES = 6 };

static struct puzzle_vector side(unsigned i)
{
    static const int at[SIDES][PUZZLE_AXES] = {{0, 1, 0},  {1, 0, 0},  {0, 0, 1},
                                               {0, -1, 0}, {-1, 0, 0}, {0, 0, -1}};

    return puzzle__vector(at[i][0], at[i][1], at[i][2]);
}

static void add_turns(struct puzzle_geometry *puzzle, const struct puzzle_vector *axis,
                      const char *const *name)
{
    for (unsigned i = 0; i < AXES; i++) {
        const struct puzzle_layer layer = {axis[i], {1, 0}, {3, 0}};
        puzzle__geometry_add_layer(puzzle, name[i], &layer);
    }
}

/* ---- pyraminx ------------------------------------------------------------------------- */

/* A corner shows the faces opposite to the three other ones. */
static struct puzzle_piece pyraminx_corner(const struct puzzle_vector *axis, unsigned i)
{
    const struct puzzle_vector *first = &axis[i == 0 ? 1 : 0];
    struct puzzle_piece piece = {.position = axis[i]};
    struct puzzle_vector opposite = puzzle__vector_negative(first);

    for (unsigned j = 0; j < PUZZLE_MAX_STICKERS; j++) {
        piece.sticker[j] = opposite;
        opposite = puzzle__vector_turn(PUZZLE_TURN_THIRD, &axis[i], &opposite);
    }
    return piece;
}

/* An edge shows the faces opposite to the two corners that it does not join. */
static struct puzzle_piece pyraminx_edge(const struct puzzle_vector *axis, unsigned i)
{
    struct puzzle_piece piece = {.position = side(i)};
    unsigned n = 0;

    for (unsigned a = 0; a < AXES; a++) {
        if (puzzle__vector_dot(&piece.position, &axis[a]).whole < 0)
            piece.sticker[n++] = puzzle__vector_negative(&axis[a]);
    }
    return piece;
}

/* U is up and the face between L and R in front, so that a clockwise U takes L to B to R. */
int puzzle__pyraminx_new(const char *name, struct puzzle **out)
{
    static const char *const names[AXES] = {"U", "L", "R", "B"};
    enum { U, L, R, B };
    struct puzzle_geometry puzzle;
    struct puzzle_vector axis[AXES];
    struct puzzle_piece corner[AXES], edge[SIDES];

    axis[U] = puzzle__vector(1, 1, 1);
    axis[L] = puzzle__vector(1, -1, -1);
    axis[B] = puzzle__vector_turn(PUZZLE_TURN_THIRD, &axis[U], &axis[L]);
    axis[R] = puzzle__vector_turn(PUZZLE_TURN_THIRD, &axis[U], &axis[B]);
    for (unsigned i = 0; i < AXES; i++)
        corner[i] = pyraminx_corner(axis, i);
    for (unsigned i = 0; i < SIDES; i++)
        edge[i] = pyraminx_edge(axis, i);
    puzzle__geometry_begin(&puzzle, name, PUZZLE_TURN_THIRD);
    puzzle__geometry_add_orbit(&puzzle, "corners", 3, corner, AXES);
    puzzle__geometry_add_orbit(&puzzle, "edges", 2, edge, SIDES);
    add_turns(&puzzle, axis, names);
    return puzzle__geometry_finish(&puzzle, out);
}

/* ---- skewb ---------------------------------------------------------------------------- */

/* Stickers clockwise from that of U or D on. */
static struct puzzle_piece skewb_corner(const struct puzzle_vector *position)
{
    struct puzzle_piece piece = {.position = *position};
    struct puzzle_vector sticker = puzzle__vector(0, position->at[1].whole, 0);

    for (unsigned j = 0; j < PUZZLE_MAX_STICKERS; j++) {
        piece.sticker[j] = sticker;
        sticker = puzzle__vector_turn(PUZZLE_TURN_THIRD, position, &sticker);
    }
    return piece;
}

/* The corners on the axes stay where they are and turn; the four others, opposite to them, move.
 * R, U and L are what the regulations of the World Cube Association call so; their B, about DBL,
 * moves the fixed corners, and is F here with the whole turned. */
int puzzle__skewb_new(const char *name, struct puzzle **out)
{
    static const char *const names[AXES] = {"U", "R", "L", "F"};
    const struct puzzle_vector axis[AXES] = {puzzle__vector(-1, 1, -1), puzzle__vector(1, -1, -1),
                                             puzzle__vector(-1, -1, 1), puzzle__vector(1, 1, 1)};
    struct puzzle_geometry puzzle;
    struct puzzle_piece corner[AXES], fixed[AXES], center[SIDES] = {0};

    for (unsigned i = 0; i < AXES; i++) {
        const struct puzzle_vector opposite = puzzle__vector_negative(&axis[i]);
        fixed[i] = skewb_corner(&axis[i]);
        corner[i] = skewb_corner(&opposite);
    }
    for (unsigned i = 0; i < SIDES; i++)
        center[i].position = side(i);
    puzzle__geometry_begin(&puzzle, name, PUZZLE_TURN_THIRD);
    puzzle__geometry_add_orbit(&puzzle, "corners", 3, corner, AXES);
    puzzle__geometry_add_orbit(&puzzle, "fixed-corners", 3, fixed, AXES);
    puzzle__geometry_add_orbit(&puzzle, "centers", 1, center, SIDES);
    add_turns(&puzzle, axis, names);
    return puzzle__geometry_finish(&puzzle, out);
}
