/*
 * puzzle_derive.c - a definition with other moves.
 *
 * Goes through the builder like every definition. The moves are handed to it in the order that
 * puzzle_derive promises: first those of the puzzle, in its order, as far as they are chosen or the
 * inverse of a chosen one, then the new ones. The builder closes the new ones under inverse.
 */
#include <string.h>

#include "core/base/base_err.h"
#include "core/puzzle/puzzle_int.h"

struct derive {
    const struct puzzle *puzzle;
    const struct puzzle_choice *choice;
    size_t n;
    struct puzzle_builder *builder;
    struct base_diag *diag;
};

/* Two choices that do the same are one move; the lighter one serves a search better, the first of
 * equals keeps its name. NULL: none does what `transform` does. */
static const struct puzzle_choice *lightest_choice(const struct derive *derive,
                                                   const uint8_t *transform)
{
    const struct puzzle_choice *best = NULL;

    for (size_t i = 0; i < derive->n; i++) {
        const struct puzzle_choice *choice = &derive->choice[i];
        if (perm_equal(&derive->puzzle->shape, choice->transform, transform) &&
            (!best || choice->weight < best->weight))
            best = choice;
    }
    return best;
}

static int add_orbits(const struct derive *derive)
{
    const struct puzzle *puzzle = derive->puzzle;
    int rc = BASE_OK;

    for (unsigned k = 0; k < puzzle->shape.n_orbits && !rc; k++)
        rc = puzzle_builder_add_orbit(derive->builder, puzzle->orbit_name[k],
                                      puzzle->shape.orbit[k].size, puzzle->shape.orbit[k].mod,
                                      derive->diag);
    return rc;
}

/* An inverse that comes in for closure keeps the puzzle's name and gets the weight of the choice.
 */
static int add_known(const struct derive *derive, const struct puzzle_move *move)
{
    const struct puzzle_move *inverse = puzzle_move_at(derive->puzzle, move->inverse);
    const struct puzzle_choice *choice = lightest_choice(derive, move->transform);
    const char *name = choice ? choice->name : move->name;

    if (!choice)
        choice = lightest_choice(derive, inverse->transform);
    if (!choice)
        return BASE_OK;
    return puzzle_builder_add_move(derive->builder, name, move->transform, choice->weight,
                                   derive->diag);
}

static bool is_new(const struct derive *derive, size_t i)
{
    const struct puzzle_choice *choice = &derive->choice[i];

    return puzzle_find_transform(derive->puzzle, choice->transform) < 0 &&
           lightest_choice(derive, choice->transform) == choice;
}

static int add_moves(const struct derive *derive)
{
    int rc = BASE_OK;

    for (unsigned i = 0; i < derive->puzzle->n_moves && !rc; i++)
        rc = add_known(derive, &derive->puzzle->move[i]);
    for (size_t i = 0; i < derive->n && !rc; i++) {
        if (is_new(derive, i))
            rc = puzzle_builder_add_move(derive->builder, derive->choice[i].name,
                                         derive->choice[i].transform, derive->choice[i].weight,
                                         derive->diag);
    }
    return rc;
}

int puzzle_derive(const struct puzzle *puzzle, const struct puzzle_choice *choices, size_t n,
                  struct puzzle **out, struct base_diag *diag)
{
    struct derive derive = {puzzle, choices, n, puzzle_builder_new(puzzle->name), diag};

    if (!derive.builder)
        return BASE_ERR_NOMEM;
    int rc = add_orbits(&derive);
    if (!rc)
        rc = add_moves(&derive);
    if (rc) {
        puzzle_builder_free(derive.builder);
        return rc;
    }
    return puzzle_builder_finish(derive.builder, out, diag);
}
