/*
 * puzzle.c - reading a definition.
 */
#include "core/puzzle/puzzle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/puzzle/puzzle_int.h"

/* ---- references ----------------------------------------------------------------------- */

void puzzle__free(struct puzzle *puzzle)
{
    if (!puzzle)
        return;
    base_arena_deinit(&puzzle->arena);
    free(puzzle);
}

/* Relaxed: whoever acquires holds a reference already, so the definition cannot go away meanwhile,
 * and its content was published together with that reference. */
struct puzzle *puzzle_acquire(const struct puzzle *puzzle)
{
    atomic_fetch_add_explicit(&puzzle->self->references, 1, memory_order_relaxed);
    return puzzle->self;
}

/* Release, so that this thread's reads come before the count drops; acquire, so that the thread
 * that frees comes after every other thread's release. */
void puzzle_release(const struct puzzle *puzzle)
{
    if (!puzzle)
        return;
    unsigned before = atomic_fetch_sub_explicit(&puzzle->self->references, 1, memory_order_acq_rel);
    BASE_ASSERT(before > 0);
    if (before == 1)
        puzzle__free(puzzle->self);
}

/* ---- names and orbits ----------------------------------------------------------------- */

const char *puzzle_name(const struct puzzle *puzzle)
{
    return puzzle->name;
}

const struct perm_shape *puzzle_shape(const struct puzzle *puzzle)
{
    return &puzzle->shape;
}

const char *puzzle_orbit_name(const struct puzzle *puzzle, unsigned orbit)
{
    return puzzle->orbit_name[orbit];
}

int puzzle_find_orbit(const struct puzzle *puzzle, const char *name, size_t length)
{
    int found = BASE_ERR_UNKNOWN_ORBIT;
    unsigned matches = 0;

    for (unsigned k = 0; k < puzzle->shape.n_orbits && length > 0; k++) {
        size_t full = strlen(puzzle->orbit_name[k]);

        if (length > full || strncasecmp(puzzle->orbit_name[k], name, length) != 0)
            continue;
        if (length == full)
            return (int)k;
        found = (int)k;
        matches++;
    }
    return matches == 1 ? found : BASE_ERR_UNKNOWN_ORBIT;
}

bool puzzle_orientation_sum_kept(const struct puzzle *puzzle, unsigned orbit)
{
    return puzzle->orientation_sum_kept[orbit];
}

unsigned puzzle_movable_count(const struct puzzle *puzzle, unsigned orbit)
{
    return puzzle->movable_count[orbit];
}

unsigned puzzle_carried_count(const struct puzzle *puzzle, unsigned orbit)
{
    return puzzle->carried_count[orbit];
}

bool puzzle_slot_movable(const struct puzzle *puzzle, unsigned orbit, unsigned slot)
{
    return puzzle->movable[puzzle->shape.orbit[orbit].offset + slot];
}

/* ---- moves ---------------------------------------------------------------------------- */

unsigned puzzle_move_count(const struct puzzle *puzzle)
{
    return puzzle->n_moves;
}

const struct puzzle_move *puzzle_move_at(const struct puzzle *puzzle, unsigned move)
{
    return &puzzle->move[move];
}

unsigned puzzle_family_count(const struct puzzle *puzzle)
{
    return puzzle->n_families;
}

int puzzle_find_move(const struct puzzle *puzzle, const char *name, size_t length)
{
    for (unsigned i = 0; i < puzzle->n_moves; i++) {
        const char *known = puzzle->move[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return (int)i;
    }
    for (unsigned i = 0; i < puzzle->n_aliases; i++) {
        const char *known = puzzle->alias[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return puzzle_find_transform(puzzle, puzzle->alias[i].transform);
    }
    return BASE_ERR_UNKNOWN_MOVE;
}

unsigned puzzle_alias_count(const struct puzzle *puzzle)
{
    return puzzle->n_aliases;
}

const char *puzzle_alias_at(const struct puzzle *puzzle, unsigned alias, unsigned *move)
{
    *move = puzzle->alias[alias].move;
    return puzzle->alias[alias].name;
}

int puzzle_find_transform(const struct puzzle *puzzle, const uint8_t *transform)
{
    for (unsigned i = 0; i < puzzle->n_moves; i++) {
        if (perm_equal(&puzzle->shape, puzzle->move[i].transform, transform))
            return (int)i;
    }
    return BASE_ERR_UNKNOWN_MOVE;
}

/* ---- comparing ------------------------------------------------------------------------ */

static bool puzzle_orbit_equal(const struct perm_orbit *a, const struct perm_orbit *b)
{
    return a->size == b->size && a->mod == b->mod;
}

bool puzzle_equal(const struct puzzle *a, const struct puzzle *b)
{
    if (a->digest != b->digest || a->shape.n_orbits != b->shape.n_orbits ||
        a->n_moves != b->n_moves)
        return false;
    for (unsigned k = 0; k < a->shape.n_orbits; k++) {
        if (!puzzle_orbit_equal(&a->shape.orbit[k], &b->shape.orbit[k]))
            return false;
    }
    for (unsigned i = 0; i < a->n_moves; i++) {
        if (a->move[i].weight != b->move[i].weight ||
            !perm_equal(&a->shape, a->move[i].transform, b->move[i].transform))
            return false;
    }
    return true;
}

uint64_t puzzle_digest(const struct puzzle *puzzle)
{
    return puzzle->digest;
}

/* ---- words ---------------------------------------------------------------------------- */

void puzzle_apply_word(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *word,
                       unsigned length, uint8_t *out)
{
    uint8_t state[PERM_MAX_BYTES];

    if (start)
        memmove(out, start, puzzle->shape.bytes);
    else
        perm_identity(&puzzle->shape, out);
    for (unsigned i = 0; i < length; i++) {
        memcpy(state, out, puzzle->shape.bytes);
        perm_compose(&puzzle->shape, state, puzzle->move[word[i]].transform, out);
    }
}

int puzzle_word_print(const struct puzzle *puzzle, const uint8_t *word, unsigned length, char *out,
                      size_t size)
{
    size_t used = 0;

    if (size > 0)
        out[0] = '\0';
    for (unsigned i = 0; i < length; i++) {
        bool room = used < size;
        used += (size_t)snprintf(room ? out + used : NULL, room ? size - used : 0, "%s%s",
                                 i ? " " : "", puzzle->move[word[i]].name);
    }
    return (int)used;
}
