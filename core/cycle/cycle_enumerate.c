/*
 * cycle_enumerate.c - every feasible structure of a definition, once.
 *
 * A structure in canonical form is an ascending list of items, so a depth-first walk that appends
 * items no smaller than the last one meets each list once and in the order of cycle_compare.
 */
#include "core/base/base_err.h"
#include "core/cycle/cycle_int.h"

struct walk {
    const struct puzzle *puzzle;
    struct cycle_laws laws;
    unsigned free_pieces[PERM_MAX_ORBITS]; /* movable and in no cycle yet */
    struct cycle_structure structure;
    bool (*visit)(void *arg, const struct cycle_structure *structure);
    void *arg;
};

/* An item in figures that may step beyond those of a struct cycle_item. */
struct step {
    unsigned orbit;
    unsigned length;
    bool oriented;
};

/* The least item that is not below `step`, fits into the free pieces and is not oriented where
 * nothing can be; its orbit is n_orbits if there is none. */
static struct step first_that_fits(const struct walk *walk, struct step step)
{
    const struct perm_shape *shape = puzzle_shape(walk->puzzle);

    for (; step.orbit < shape->n_orbits; step = (struct step){step.orbit + 1, 1, true}) {
        if (step.oriented && shape->orbit[step.orbit].mod == 1)
            step = (struct step){step.orbit, step.length + 1, false};
        if (step.length <= walk->free_pieces[step.orbit])
            break;
    }
    return step;
}

static struct step successor(struct step step)
{
    return (struct step){step.orbit, step.length + step.oriented, !step.oriented};
}

static bool walk_from(struct walk *walk, struct step least);

static bool walk_with(struct walk *walk, struct step step)
{
    struct cycle_structure *structure = &walk->structure;

    structure->item[structure->n_items++] =
        (struct cycle_item){(uint8_t)step.orbit, (uint8_t)step.length, step.oriented};
    walk->free_pieces[step.orbit] -= step.length;
    bool more = walk_from(walk, step);
    walk->free_pieces[step.orbit] += step.length;
    structure->n_items--;
    return more;
}

/* False: the visitor has had enough. Recursion is as deep as a structure has items. */
static bool walk_from(struct walk *walk, struct step least)
{
    const unsigned n_orbits = puzzle_shape(walk->puzzle)->n_orbits;

    if (cycle__feasible(walk->puzzle, &walk->laws, &walk->structure) &&
        !walk->visit(walk->arg, &walk->structure))
        return false;
    for (struct step step = first_that_fits(walk, least); step.orbit < n_orbits;
         step = first_that_fits(walk, successor(step))) {
        if (!walk_with(walk, step))
            return false;
    }
    return true;
}

int cycle_enumerate(const struct puzzle *puzzle,
                    bool (*visit)(void *arg, const struct cycle_structure *structure), void *arg)
{
    struct walk walk = {.puzzle = puzzle, .visit = visit, .arg = arg};

    cycle__laws_init(&walk.laws, puzzle);
    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++)
        walk.free_pieces[k] = puzzle_movable_count(puzzle, k);
    return walk_from(&walk, (struct step){0, 1, true}) ? BASE_OK : BASE_ERR_CANCELLED;
}
