/*
 * puzzle_builder.c - the only way to make a definition: checks every part as it is added and the
 * whole at the end, so that no layer above has to doubt one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/puzzle/puzzle_int.h"

struct puzzle_builder {
    struct puzzle *puzzle; /* what is there so far */
    bool name_valid;       /* of the puzzle */
};

/* ---- names ---------------------------------------------------------------------------- */

/* Letters, digits, '_' and '-' of ASCII, whatever the locale. */
static bool is_identifier(const char *name)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t length = strlen(name);

    return length > 0 && length < PUZZLE_NAME_BYTES && strspn(name, allowed) == length;
}

/* Anything that prints on one line; a bracketed algorithm holds spaces. */
static bool is_move_name(const char *name)
{
    size_t length = strlen(name);

    if (length == 0 || length >= PUZZLE_NAME_BYTES || name[0] == ' ' || name[length - 1] == ' ')
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c < ' ' || c == 0x7f)
            return false;
    }
    return true;
}

static void copy_name(char out[PUZZLE_NAME_BYTES], const char *name)
{
    snprintf(out, PUZZLE_NAME_BYTES, "%s", name);
}

/* ---- begin and end -------------------------------------------------------------------- */

struct puzzle_builder *puzzle_builder_new(const char *name)
{
    struct puzzle_builder *builder = calloc(1, sizeof *builder);
    struct puzzle *puzzle = calloc(1, sizeof *puzzle);

    if (!builder || !puzzle) {
        free(builder);
        free(puzzle);
        return NULL;
    }
    builder->puzzle = puzzle;
    builder->name_valid = is_identifier(name);
    copy_name(puzzle->name, name);
    puzzle->self = puzzle;
    atomic_init(&puzzle->references, 1);
    return builder;
}

void puzzle_builder_free(struct puzzle_builder *builder)
{
    if (!builder)
        return;
    puzzle__free(builder->puzzle);
    free(builder);
}

/* ---- orbits --------------------------------------------------------------------------- */

static bool orbit_is_taken(const struct puzzle *puzzle, const char *name)
{
    int k = puzzle_find_orbit(puzzle, name, strlen(name));

    return k >= 0 && strlen(puzzle->orbit_name[k]) == strlen(name);
}

int puzzle_builder_add_orbit(struct puzzle_builder *builder, const char *name, unsigned size,
                             unsigned mod, struct base_diag *diag)
{
    struct puzzle *puzzle = builder->puzzle;
    unsigned k = puzzle->shape.n_orbits;

    if (!is_identifier(name))
        return base_diag_set(diag, 0, BASE_ERR_RANGE,
                             "an orbit's name is 1 to %d letters, digits, '_' and '-'",
                             PUZZLE_NAME_BYTES - 1);
    if (puzzle->n_moves > 0)
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "orbit %s comes after a move", name);
    if (orbit_is_taken(puzzle, name))
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT,
                             "two orbits are called %s (upper and lower case count as equal)",
                             name);
    if (perm_shape_add_orbit(&puzzle->shape, size, mod))
        return base_diag_set(diag, 0, BASE_ERR_RANGE,
                             "orbit %s: %u pieces with %u orientations are out of range, or the "
                             "puzzle has more than %d orbits or %d pieces",
                             name, size, mod, PERM_MAX_ORBITS, PERM_MAX_BYTES / 2);
    copy_name(puzzle->orbit_name[k], name);
    return BASE_OK;
}

/* ---- moves ---------------------------------------------------------------------------- */

static int check_move_name(const struct puzzle *puzzle, const char *name, struct base_diag *diag)
{
    if (!is_move_name(name))
        return base_diag_set(diag, 0, BASE_ERR_RANGE,
                             "a move's name is 1 to %d bytes that can be printed",
                             PUZZLE_NAME_BYTES - 1);
    if (puzzle_find_move(puzzle, name, strlen(name)) >= 0)
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "two moves are called %s", name);
    return BASE_OK;
}

static int check_transform(const struct puzzle *puzzle, const char *name, const uint8_t *transform,
                           struct base_diag *diag)
{
    struct base_diag inner;
    int rc = perm_check(&puzzle->shape, transform, &inner);

    if (rc)
        return base_diag_set(diag, inner.position, rc, "move %s: %.140s", name, inner.text);
    if (perm_is_identity(&puzzle->shape, transform))
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "move %s changes nothing", name);
    int same = puzzle_find_transform(puzzle, transform);
    if (same >= 0)
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "move %s does the same as move %s", name,
                             puzzle->move[same].name);
    if (perm_order(&puzzle->shape, transform) == UINT64_MAX)
        return base_diag_set(diag, 0, BASE_ERR_TOO_LARGE, "the order of move %s exceeds 64 bits",
                             name);
    return BASE_OK;
}

static int append_move(struct puzzle *puzzle, const char *name, const uint8_t *transform,
                       unsigned weight)
{
    struct puzzle_move *move = &puzzle->move[puzzle->n_moves];
    uint8_t *copy = base_arena_alloc(&puzzle->arena, puzzle->shape.bytes);

    if (!copy)
        return BASE_ERR_NOMEM;
    memcpy(copy, transform, puzzle->shape.bytes);
    copy_name(move->name, name);
    move->transform = copy;
    move->weight = (uint8_t)weight;
    puzzle->n_moves++;
    return BASE_OK;
}

int puzzle_builder_add_move(struct puzzle_builder *builder, const char *name,
                            const uint8_t *transform, unsigned weight, struct base_diag *diag)
{
    struct puzzle *puzzle = builder->puzzle;
    int rc = check_move_name(puzzle, name, diag);

    if (!rc)
        rc = check_transform(puzzle, name, transform, diag);
    if (rc)
        return rc;
    if (weight < 1 || weight > UINT8_MAX)
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "move %s: weight %u is not 1 to %d", name,
                             weight, UINT8_MAX);
    if (puzzle->n_moves == PUZZLE_MAX_MOVES)
        return base_diag_set(diag, 0, BASE_ERR_TOO_LARGE,
                             "move %s: there are %d moves already, powers and inverses included",
                             name, PUZZLE_MAX_MOVES);
    return append_move(puzzle, name, transform, weight);
}

int puzzle_builder_add_alias(struct puzzle_builder *builder, const char *alias, const char *name,
                             struct base_diag *diag)
{
    struct puzzle *puzzle = builder->puzzle;
    int move = puzzle_find_move(puzzle, name, strlen(name));
    int rc = check_move_name(puzzle, alias, diag);

    if (rc)
        return rc;
    if (move < 0)
        return base_diag_set(diag, 0, BASE_ERR_UNKNOWN_MOVE, "alias %s: there is no move %s", alias,
                             name);
    if (puzzle->n_aliases == PUZZLE_MAX_ALIASES)
        return base_diag_set(diag, 0, BASE_ERR_TOO_LARGE, "alias %s: there are %d already", alias,
                             PUZZLE_MAX_ALIASES);
    copy_name(puzzle->alias[puzzle->n_aliases].name, alias);
    puzzle->alias[puzzle->n_aliases++].transform = puzzle->move[move].transform;
    return BASE_OK;
}

/* Name of the power k of a base of order n: U, U2, U3 forwards and U', U2', ... backwards,
 * whichever is shorter. */
static void print_power_name(char *out, size_t size, const char *base, uint64_t k, uint64_t n)
{
    bool backwards = n - k < k;
    uint64_t steps = backwards ? n - k : k;

    if (steps == 1)
        snprintf(out, size, "%s%s", base, backwards ? "'" : "");
    else
        snprintf(out, size, "%s%llu%s", base, (unsigned long long)steps, backwards ? "'" : "");
}

int puzzle_builder_add_face(struct puzzle_builder *builder, const char *name,
                            const uint8_t *transform, struct base_diag *diag)
{
    const struct perm_shape *shape = &builder->puzzle->shape;
    char power_name[2 * PUZZLE_NAME_BYTES];
    uint8_t power[PERM_MAX_BYTES];
    uint8_t next[PERM_MAX_BYTES];
    int rc = puzzle_builder_add_move(builder, name, transform, 1, diag);

    if (rc)
        return rc;
    const uint64_t order = perm_order(shape, transform);
    memcpy(power, transform, shape->bytes);
    for (uint64_t k = 2; k < order && !rc; k++) {
        perm_compose(shape, power, transform, next);
        memcpy(power, next, shape->bytes);
        print_power_name(power_name, sizeof power_name, name, k, order);
        rc = puzzle_builder_add_move(builder, power_name, power, 1, diag);
    }
    return rc;
}

/* ---- finishing ------------------------------------------------------------------------ */

/* X' for X, and X for X'. */
static void print_inverse_name(char *out, size_t size, const char *name)
{
    size_t length = strlen(name);

    if (length > 1 && name[length - 1] == '\'')
        snprintf(out, size, "%.*s", (int)(length - 1), name);
    else
        snprintf(out, size, "%s'", name);
}

static int add_missing_inverses(struct puzzle_builder *builder, struct base_diag *diag)
{
    struct puzzle *puzzle = builder->puzzle;
    const unsigned given = puzzle->n_moves;
    uint8_t inverse[PERM_MAX_BYTES];
    char name[PUZZLE_NAME_BYTES + 1];

    for (unsigned i = 0; i < given; i++) {
        const struct puzzle_move *move = &puzzle->move[i];

        perm_invert(&puzzle->shape, move->transform, inverse);
        if (puzzle_find_transform(puzzle, inverse) >= 0)
            continue;
        print_inverse_name(name, sizeof name, move->name);
        if (puzzle_find_move(puzzle, name, strlen(name)) >= 0)
            return base_diag_set(diag, 0, BASE_ERR_CONFLICT,
                                 "move %s is not the inverse of %s, which has no other name", name,
                                 move->name);
        int rc = puzzle_builder_add_move(builder, name, inverse, move->weight, diag);
        if (rc)
            return rc;
    }
    return BASE_OK;
}

static int complete(struct puzzle_builder *builder, struct base_diag *diag)
{
    const struct puzzle *puzzle = builder->puzzle;

    if (!builder->name_valid)
        return base_diag_set(diag, 0, BASE_ERR_RANGE,
                             "a puzzle's name is 1 to %d letters, digits, '_' and '-'",
                             PUZZLE_NAME_BYTES - 1);
    if (puzzle->shape.n_orbits == 0)
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "the puzzle has no orbits");
    if (puzzle->n_moves == 0)
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "the puzzle has no moves");
    return add_missing_inverses(builder, diag);
}

int puzzle_builder_finish(struct puzzle_builder *builder, struct puzzle **out,
                          struct base_diag *diag)
{
    int rc = complete(builder, diag);

    if (!rc) {
        puzzle__analyse(builder->puzzle);
        *out = builder->puzzle;
        builder->puzzle = NULL;
    }
    puzzle_builder_free(builder);
    return rc;
}
