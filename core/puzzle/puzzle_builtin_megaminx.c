/*
 * puzzle_builtin_megaminx.c - the megaminx, from its twelve faces.
 *
 * The normals of a dodecahedron's faces are the corners of an icosahedron: (0, 1, phi) with all
 * signs and cyclic exchanges. Two faces are neighbours if the product of their normals is phi, and
 * otherwise it is -phi; a piece shows faces that are neighbours of each other, and is at the sum of
 * their normals.
 *
 * Names as in cubing.js and Qter: around U, clockwise, F L BL BR R; below them FL between F and L,
 * DL, B, DR and FR; and D.
 */
#include "core/base/base_attr.h"
#include "core/puzzle/puzzle_geometry_int.h"

enum { FACES = 12, CORNERS = 20, EDGES = 30 };
enum { U, R, F, L, BL, BR, FR, FL, DR, DL, B, D };

static const char *const names[FACES] = {"U",  "R",  "F",  "L",  "BL", "BR",
                                         "FR", "FL", "DR", "DL", "B",  "D"};

/* Opposite faces: the second is the negative of the first. */
static const uint8_t opposite[][2] = {{U, D}, {F, B}, {L, DR}, {BL, FR}, {BR, FL}, {R, DL}};

static void set_normals(struct puzzle_vector *normal)
{
    static const uint8_t ring[] = {F, L, BL, BR, R};

    normal[U] = (struct puzzle_vector){{{0, 0}, {1, 0}, {0, 1}}};
    normal[F] = (struct puzzle_vector){{{0, 0}, {-1, 0}, {0, 1}}};
    for (unsigned i = 1; i < BASE_COUNT(ring); i++)
        normal[ring[i]] = puzzle__vector_turn(PUZZLE_TURN_FIFTH, &normal[U], &normal[ring[i - 1]]);
    for (unsigned i = 0; i < BASE_COUNT(opposite); i++)
        normal[opposite[i][1]] = puzzle__vector_negative(&normal[opposite[i][0]]);
}

static bool are_neighbours(const struct puzzle_vector *a, const struct puzzle_vector *b)
{
    const struct puzzle_scalar zero = {0, 0};

    return !puzzle__vector_equal(a, b) &&
           puzzle__scalar_compare(puzzle__vector_dot(a, b), zero) > 0;
}

/* ---- pieces --------------------------------------------------------------------------- */

static struct puzzle_piece edge(const struct puzzle_vector *a, const struct puzzle_vector *b)
{
    return (struct puzzle_piece){puzzle__vector_sum(1, a, 1, b), {*a, *b}};
}

/* Stickers clockwise from that of `a` on. */
static struct puzzle_piece corner(const struct puzzle_vector *a, const struct puzzle_vector *b,
                                  const struct puzzle_vector *c)
{
    struct puzzle_vector position = puzzle__vector_sum(1, a, 1, b);

    position = puzzle__vector_sum(1, &position, 1, c);
    if (puzzle__vector_clockwise(a, b, c))
        return (struct puzzle_piece){position, {*a, *b, *c}};
    return (struct puzzle_piece){position, {*a, *c, *b}};
}

/* Pieces in the order of the faces they show, the first of which has the sticker that orientations
 * are counted by. */
static void add_orbits(struct puzzle_geometry *puzzle, const struct puzzle_vector *normal)
{
    struct puzzle_piece corners[CORNERS], edges[EDGES];
    unsigned n_corners = 0, n_edges = 0;

    for (unsigned a = 0; a < FACES; a++) {
        for (unsigned b = a + 1; b < FACES; b++) {
            if (!are_neighbours(&normal[a], &normal[b]))
                continue;
            edges[n_edges++] = edge(&normal[a], &normal[b]);
            for (unsigned c = b + 1; c < FACES; c++) {
                if (are_neighbours(&normal[a], &normal[c]) &&
                    are_neighbours(&normal[b], &normal[c]))
                    corners[n_corners++] = corner(&normal[a], &normal[b], &normal[c]);
            }
        }
    }
    puzzle__geometry_add_orbit(puzzle, "corners", 3, corners, n_corners);
    puzzle__geometry_add_orbit(puzzle, "edges", 2, edges, n_edges);
}

/* Above a face its edges are at 2 phi + 2 and its corners at 3 phi + 2; the next pieces are the
 * edges at its corners, at 2 phi. */
int puzzle__megaminx_new(const char *name, struct puzzle **out)
{
    struct puzzle_geometry puzzle;
    struct puzzle_vector normal[FACES];

    set_normals(normal);
    puzzle__geometry_begin(&puzzle, name, PUZZLE_TURN_FIFTH);
    add_orbits(&puzzle, normal);
    for (unsigned i = 0; i < FACES; i++) {
        const struct puzzle_layer layer = {normal[i], {2, 2}, {2, 3}};
        puzzle__geometry_add_layer(&puzzle, names[i], &layer);
    }
    return puzzle__geometry_finish(&puzzle, out);
}
