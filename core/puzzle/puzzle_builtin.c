/*
 * puzzle_builtin.c - the definitions that come with the program, as tables to be read.
 *
 * A move is a set of cycles: the piece in each listed slot goes to the next one and is turned by
 * the figure under its destination. Slots and frames are Kociemba's (kociemba.org/cube.htm, but for
 * the order of the last two edges): a corner counts how its U or D sticker is turned against the U
 * or D face, clockwise; an edge is flipped by quarter turns of F and B and by no others. The
 * builder checks and completes all of it.
 */
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "core/puzzle/puzzle.h"

enum { CYCLE_LENGTH = 4, CYCLES_PER_FACE = 2 };

struct builtin_orbit {
    const char *name;
    uint8_t size;
    uint8_t mod;
};

struct builtin_cycle {
    uint8_t orbit;
    uint8_t slot[CYCLE_LENGTH];
    uint8_t turn[CYCLE_LENGTH]; /* of the piece that arrives there */
};

struct builtin_face {
    const char *name;
    struct builtin_cycle cycle[CYCLES_PER_FACE];
};

/* The puzzle of the first so many orbits and faces; cycles of other orbits are left out. */
struct builtin {
    const char *name;
    const struct builtin_orbit *orbit;
    const struct builtin_face *face;
    uint8_t n_orbits;
    uint8_t n_faces;
};

/* ---- the cube ------------------------------------------------------------------------- */

enum { CORNERS, EDGES };
enum { URF, UFL, ULB, UBR, DFR, DLF, DBL, DRB };
enum { UR, UF, UL, UB, DR, DF, DL, DB, FR, FL, BR, BL };

static const struct builtin_orbit cube_orbits[] = {
    [CORNERS] = {"corners", 8, 3},
    [EDGES] = {"edges", 12, 2},
};

/* clang-format off */
static const struct builtin_face cube_faces[] = {
    {"U", {{CORNERS, {URF, UFL, ULB, UBR}, {0, 0, 0, 0}},
           {EDGES,   {UR,  UF,  UL,  UB }, {0, 0, 0, 0}}}},
    {"R", {{CORNERS, {URF, UBR, DRB, DFR}, {2, 1, 2, 1}},
           {EDGES,   {UR,  BR,  DR,  FR }, {0, 0, 0, 0}}}},
    {"F", {{CORNERS, {UFL, URF, DFR, DLF}, {2, 1, 2, 1}},
           {EDGES,   {UF,  FR,  DF,  FL }, {1, 1, 1, 1}}}},
    {"D", {{CORNERS, {DFR, DRB, DBL, DLF}, {0, 0, 0, 0}},
           {EDGES,   {DR,  DB,  DL,  DF }, {0, 0, 0, 0}}}},
    {"L", {{CORNERS, {ULB, UFL, DLF, DBL}, {2, 1, 2, 1}},
           {EDGES,   {UL,  FL,  DL,  BL }, {0, 0, 0, 0}}}},
    {"B", {{CORNERS, {UBR, ULB, DBL, DRB}, {2, 1, 2, 1}},
           {EDGES,   {UB,  BL,  DB,  BR }, {1, 1, 1, 1}}}},
};
/* clang-format on */

static const struct builtin builtins[] = {
    {"3x3x3", cube_orbits, cube_faces, .n_orbits = 2, .n_faces = 6},
    {"2x2x2", cube_orbits, cube_faces, .n_orbits = 1, .n_faces = 3},
};

/* ---- from table to definition --------------------------------------------------------- */

static void apply_cycle(const struct perm_shape *shape, const struct builtin_cycle *cycle,
                        uint8_t *transform)
{
    const struct perm_orbit *orbit = &shape->orbit[cycle->orbit];
    uint8_t *piece = transform + orbit->offset;
    uint8_t *orientation = piece + orbit->size;

    for (unsigned i = 0; i < CYCLE_LENGTH; i++) {
        unsigned to = (i + 1) % CYCLE_LENGTH;
        piece[cycle->slot[to]] = cycle->slot[i];
        orientation[cycle->slot[to]] = cycle->turn[to];
    }
}

static int add_face(struct puzzle_builder *builder, const struct perm_shape *shape,
                    const struct builtin_face *face)
{
    uint8_t transform[PERM_MAX_BYTES];

    perm_identity(shape, transform);
    for (unsigned i = 0; i < CYCLES_PER_FACE; i++) {
        if (face->cycle[i].orbit < shape->n_orbits)
            apply_cycle(shape, &face->cycle[i], transform);
    }
    return puzzle_builder_add_face(builder, face->name, transform, NULL);
}

static int fill(struct puzzle_builder *builder, const struct builtin *builtin)
{
    struct perm_shape shape = {0};
    int rc = BASE_OK;

    for (unsigned k = 0; k < builtin->n_orbits && !rc; k++) {
        const struct builtin_orbit *orbit = &builtin->orbit[k];
        rc = perm_shape_add_orbit(&shape, orbit->size, orbit->mod);
        if (!rc)
            rc = puzzle_builder_add_orbit(builder, orbit->name, orbit->size, orbit->mod, NULL);
    }
    for (unsigned i = 0; i < builtin->n_faces && !rc; i++)
        rc = add_face(builder, &shape, &builtin->face[i]);
    return rc;
}

static int build(const struct builtin *builtin, struct puzzle **out)
{
    struct puzzle_builder *builder = puzzle_builder_new(builtin->name);

    if (!builder)
        return BASE_ERR_NOMEM;
    int rc = fill(builder, builtin);
    if (rc) {
        puzzle_builder_free(builder);
        return rc;
    }
    return puzzle_builder_finish(builder, out, NULL);
}

size_t puzzle_builtin_count(void)
{
    return BASE_COUNT(builtins);
}

const char *puzzle_builtin_name(size_t index)
{
    BASE_ASSERT(index < BASE_COUNT(builtins));
    return builtins[index].name;
}

int puzzle_builtin_new(const char *name, struct puzzle **out)
{
    for (size_t i = 0; i < BASE_COUNT(builtins); i++) {
        if (strcmp(builtins[i].name, name) == 0)
            return build(&builtins[i], out);
    }
    return BASE_ERR_UNKNOWN_PUZZLE;
}
