/*
 * puzzle_builtin_cube.c - cubes, from the names of their pieces.
 *
 * R, U and F are the axes. Along an axis the layers of an n-layer cube are at 1-n, 3-n, ... n-1, so
 * that all coordinates are whole; `outer` is n-1 and `inner` the layer next to it. A piece is named
 * by the faces it shows, and where it is follows from the name:
 *
 *     corner    URF    outer (U + R + F)
 *     edge      UR     outer (U + R)                       odd n
 *     wing      UR     outer (U + R) + inner (U x R), so that UR and RU are the two at one edge
 *     x-center  URF    outer U + inner (R + F)
 *     t-center  UR     outer U + inner R                   odd n
 *
 * Corners and edges are in Kociemba's order and frames (kociemba.org/cube.htm, but for the order of
 * the last two edges): a corner counts how its U or D sticker is turned against the U or D face,
 * clockwise; an edge is flipped by quarter turns of F and B and by no others. Wings have no
 * orientation: where one is says how it is turned. Centers are told apart, as on a supercube.
 */
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_attr.h"
#include "core/puzzle/puzzle_geometry_int.h"

enum { FACES = 6, CORNERS = 8, EDGES = 12, OTHERS = 24 };

static const char faces[] = "URFDLB";
static const char corners[CORNERS][4] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"};
static const char edges[EDGES][3] = {"UR", "UF", "UL", "UB", "DR", "DF",
                                     "DL", "DB", "FR", "FL", "BR", "BL"};

static struct puzzle_vector face(char letter)
{
    switch (letter) {
    case 'U':
        return puzzle__vector(0, 1, 0);
    case 'D':
        return puzzle__vector(0, -1, 0);
    case 'R':
        return puzzle__vector(1, 0, 0);
    case 'L':
        return puzzle__vector(-1, 0, 0);
    case 'F':
        return puzzle__vector(0, 0, 1);
    default:
        BASE_ASSERT(letter == 'B');
        return puzzle__vector(0, 0, -1);
    }
}

/* The faces of a name from letter `first` on, round about. */
static void stickers_of(struct puzzle_piece *piece, const char *name, unsigned first)
{
    size_t n = strlen(name);

    for (unsigned i = 0; i < n; i++)
        piece->sticker[i] = face(name[(first + i) % n]);
}

/* position += factor * v */
static void move_by(struct puzzle_piece *piece, int factor, const struct puzzle_vector *v)
{
    piece->position = puzzle__vector_sum(1, &piece->position, factor, v);
}

/* ---- orbits --------------------------------------------------------------------------- */

static struct puzzle_piece corner(const char *name, int outer)
{
    struct puzzle_piece piece = {0};

    stickers_of(&piece, name, 0);
    for (unsigned i = 0; name[i]; i++)
        move_by(&piece, outer, &piece.sticker[i]);
    return piece;
}

static struct puzzle_piece wing(const char *name, unsigned first, int outer, int inner)
{
    struct puzzle_piece piece = {0};
    struct puzzle_vector third;

    stickers_of(&piece, name, first);
    third = puzzle__vector_cross(&piece.sticker[0], &piece.sticker[1]);
    move_by(&piece, outer, &piece.sticker[0]);
    move_by(&piece, outer, &piece.sticker[1]);
    move_by(&piece, inner, &third);
    return piece;
}

static struct puzzle_piece center(const char *name, unsigned first, int outer, int inner)
{
    struct puzzle_piece piece = {0};

    stickers_of(&piece, name, first);
    move_by(&piece, outer, &piece.sticker[0]);
    for (unsigned i = 1; name[i]; i++)
        move_by(&piece, inner, &piece.sticker[i]);
    return piece;
}

static void add_corners(struct puzzle_geometry *cube, int outer)
{
    struct puzzle_piece piece[CORNERS];

    for (unsigned i = 0; i < CORNERS; i++)
        piece[i] = corner(corners[i], outer);
    puzzle__geometry_add_orbit(cube, "corners", 3, piece, CORNERS);
}

static void add_edges(struct puzzle_geometry *cube, int outer)
{
    struct puzzle_piece piece[EDGES];

    for (unsigned i = 0; i < EDGES; i++)
        piece[i] = corner(edges[i], outer);
    puzzle__geometry_add_orbit(cube, "edges", 2, piece, EDGES);
}

static void add_wings(struct puzzle_geometry *cube, const char *name, int outer, int inner)
{
    struct puzzle_piece piece[OTHERS];

    for (unsigned i = 0; i < OTHERS; i++)
        piece[i] = wing(edges[i / 2], i % 2, outer, inner);
    puzzle__geometry_add_orbit(cube, name, 1, piece, OTHERS);
}

static void add_x_centers(struct puzzle_geometry *cube, const char *name, int outer, int inner)
{
    struct puzzle_piece piece[OTHERS];

    for (unsigned i = 0; i < OTHERS; i++)
        piece[i] = center(corners[i / 3], i % 3, outer, inner);
    puzzle__geometry_add_orbit(cube, name, 1, piece, OTHERS);
}

static void add_t_centers(struct puzzle_geometry *cube, const char *name, int outer, int inner)
{
    struct puzzle_piece piece[OTHERS];

    for (unsigned i = 0; i < OTHERS; i++)
        piece[i] = center(edges[i / 2], i % 2, outer, inner);
    puzzle__geometry_add_orbit(cube, name, 1, piece, OTHERS);
}

/* People call the wings and the x-centers of the 4x4x4 its edges and centers; on the 5x5x5, which
 * has more of both, they tell them apart. */
static void add_orbits(struct puzzle_geometry *cube, unsigned n)
{
    int outer = (int)n - 1, inner = (int)n - 3;

    add_corners(cube, outer);
    if (n % 2 == 1)
        add_edges(cube, outer);
    if (n >= 4) {
        add_wings(cube, n % 2 == 1 ? "wings" : "edges", outer, inner);
        add_x_centers(cube, n % 2 == 1 ? "x-centers" : "centers", outer, inner);
    }
    if (n == 5)
        add_t_centers(cube, "t-centers", outer, inner);
}

/* ---- moves ---------------------------------------------------------------------------- */

static void add_layer(struct puzzle_geometry *cube, char letter, const char *name, int low,
                      int high)
{
    const struct puzzle_layer layer = {face(letter), {low, 0}, {high, 0}};

    puzzle__geometry_add_layer(cube, name, &layer);
}

/* R, and where the layer behind it turns as well, 2R for that alone and r, Rw or 2Rw for both
 * (SiGN). */
static void add_face(struct puzzle_geometry *cube, char letter, unsigned n)
{
    const char plain[] = {letter, '\0'}, second[] = {'2', letter, '\0'};
    const char wide[] = {(char)(letter - 'A' + 'a'), '\0'};
    int outer = (int)n - 1, inner = (int)n - 3;

    add_layer(cube, letter, plain, outer, outer);
    if (n < 4)
        return;
    add_layer(cube, letter, second, inner, inner);
    add_layer(cube, letter, wide, inner, outer);
    puzzle__geometry_add_alias(cube, (const char[]){letter, 'w', '\0'}, wide);
    puzzle__geometry_add_alias(cube, (const char[]){'2', letter, 'w', '\0'}, wide);
    puzzle__geometry_add_alias(cube, (const char[]){'2', wide[0], '\0'}, wide);
}

/* Opposite faces of a 2x2x2 are the same but for a turn of the whole, so it has U, R and F only and
 * the corner DBL stays. The middle layers of odd cubes stay, and with them the whole. */
int puzzle__cube_new(const char *name, struct puzzle **out)
{
    unsigned n = (unsigned)(name[0] - '0');
    struct puzzle_geometry cube;

    BASE_ASSERT(n >= 2 && n <= 5);
    puzzle__geometry_begin(&cube, name, PUZZLE_TURN_QUARTER);
    add_orbits(&cube, n);
    for (unsigned i = 0; i < (n == 2 ? FACES / 2 : FACES); i++)
        add_face(&cube, faces[i], n);
    return puzzle__geometry_finish(&cube, out);
}
