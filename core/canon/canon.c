/*
 * canon.c - builds the canonical-sequence machine by breadth-first search over its states.
 */
#include "core/canon/canon.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"

enum { CANON_WORDS = PUZZLE_MAX_MOVES / 64 };

/* What the machine is made from: relations between moves. */
struct canon_relations {
    unsigned n_moves;
    struct canon_moves commutes[PUZZLE_MAX_MOVES];
    struct canon_moves merges[PUZZLE_MAX_MOVES]; /* [g]: moves that need not follow g */
};

static void moves_add(struct canon_moves *set, unsigned move)
{
    set->bits[move >> 6] |= (uint64_t)1 << (move & 63);
}

/* Every move below `move`. */
static struct canon_moves moves_below(unsigned move)
{
    struct canon_moves set = {{0}};
    for (unsigned w = 0; w < CANON_WORDS; w++) {
        if (move >= 64 * (w + 1))
            set.bits[w] = ~(uint64_t)0;
        else if (move > 64 * w)
            set.bits[w] = ((uint64_t)1 << (move - 64 * w)) - 1;
    }
    return set;
}

/* May `b` right after `a` be left out of the search, because the two together are nothing, or one
 * move that weighs no more? */
static bool move_merges(const struct puzzle *puzzle, unsigned a, unsigned b)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    const struct puzzle_move *first = puzzle_move_at(puzzle, a);
    const struct puzzle_move *second = puzzle_move_at(puzzle, b);
    if (first->family != second->family)
        return false;
    uint8_t product[PERM_MAX_BYTES];
    perm_compose(shape, first->transform, second->transform, product);
    if (perm_is_identity(shape, product))
        return true;
    int move = puzzle_find_transform(puzzle, product);
    return move >= 0 &&
           puzzle_move_at(puzzle, (unsigned)move)->weight <= first->weight + second->weight;
}

static void relations_init(struct canon_relations *relations, const struct puzzle *puzzle)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    memset(relations, 0, sizeof *relations);
    relations->n_moves = puzzle_move_count(puzzle);
    for (unsigned a = 0; a < relations->n_moves; a++) {
        for (unsigned b = 0; b < relations->n_moves; b++) {
            uint8_t ab[PERM_MAX_BYTES], ba[PERM_MAX_BYTES];
            const uint8_t *ta = puzzle_move_at(puzzle, a)->transform;
            const uint8_t *tb = puzzle_move_at(puzzle, b)->transform;
            perm_compose(shape, ta, tb, ab);
            perm_compose(shape, tb, ta, ba);
            if (perm_equal(shape, ab, ba))
                moves_add(&relations->commutes[a], b);
            if (move_merges(puzzle, a, b))
                moves_add(&relations->merges[a], b);
        }
    }
}

static struct canon_moves forbidden_after(const struct canon_relations *relations,
                                          const struct canon_moves *forbidden, unsigned move)
{
    struct canon_moves below = moves_below(move);
    struct canon_moves result;
    for (unsigned w = 0; w < CANON_WORDS; w++)
        result.bits[w] =
            (relations->commutes[move].bits[w] & (forbidden->bits[w] | below.bits[w])) |
            relations->merges[move].bits[w];
    return result;
}

/* The states found so far, as sets of forbidden moves. */
struct canon_states {
    struct canon_moves *forbidden;
    unsigned count, capacity;
};

/* Index of a state, added if new; negative on error. Linear search: machines have tens of states.
 */
static int states_find(struct canon_states *states, const struct canon_moves *forbidden)
{
    for (unsigned i = 0; i < states->count; i++)
        if (memcmp(&states->forbidden[i], forbidden, sizeof *forbidden) == 0)
            return (int)i;
    if (states->count == CANON_MAX_STATES)
        return BASE_ERR_TOO_LARGE;
    if (states->count == states->capacity) {
        unsigned capacity = states->capacity ? 2 * states->capacity : 64;
        struct canon_moves *grown = realloc(states->forbidden, capacity * sizeof *grown);
        if (!grown)
            return BASE_ERR_NOMEM;
        states->forbidden = grown;
        states->capacity = capacity;
    }
    states->forbidden[states->count] = *forbidden;
    return (int)states->count++;
}

static int canon_add_rows(struct canon *canon, const struct canon_states *states)
{
    size_t rows = states->capacity;
    uint16_t *next = realloc(canon->next, rows * canon->n_moves * sizeof *next);
    if (next)
        canon->next = next;
    return next ? 0 : BASE_ERR_NOMEM;
}

static int canon_explore(struct canon *canon, const struct canon_relations *relations,
                         struct canon_states *states)
{
    const struct canon_moves none = {{0}};
    int code = states_find(states, &none);
    for (unsigned m = 0; code >= 0 && m < canon->n_moves; m++) {
        code = states_find(states, &relations->merges[m]);
        if (code >= 0)
            canon->after[m] = (uint16_t)code;
    }
    for (unsigned s = 0; code >= 0 && s < states->count; s++) {
        code = canon_add_rows(canon, states);
        for (unsigned m = 0; code >= 0 && m < canon->n_moves; m++) {
            struct canon_moves from = states->forbidden[s];
            struct canon_moves to = forbidden_after(relations, &from, m);
            code = states_find(states, &to);
            /* canon->next has states->capacity rows; s is below that even if states_find grew it.
             */
            if (code >= 0)
                canon->next[s * canon->n_moves + m] = (uint16_t)code;
        }
    }
    return code < 0 ? code : 0;
}

static int canon_set_allowed(struct canon *canon, const struct canon_states *states)
{
    struct canon_moves all = moves_below(canon->n_moves);
    canon->n_states = states->count;
    canon->allowed = calloc(states->count, sizeof *canon->allowed);
    if (!canon->allowed)
        return BASE_ERR_NOMEM;
    for (unsigned s = 0; s < states->count; s++)
        for (unsigned w = 0; w < CANON_WORDS; w++)
            canon->allowed[s].bits[w] = all.bits[w] & ~states->forbidden[s].bits[w];
    return 0;
}

int canon_new(const struct puzzle *puzzle, struct canon **out)
{
    struct canon *canon = calloc(1, sizeof *canon);
    struct canon_relations *relations = malloc(sizeof *relations);
    struct canon_states states = {0};
    int code = BASE_ERR_NOMEM;
    if (canon && relations) {
        relations_init(relations, puzzle);
        canon->n_moves = relations->n_moves;
        canon->after = calloc(canon->n_moves, sizeof *canon->after);
        canon->commutes = calloc(canon->n_moves, sizeof *canon->commutes);
        if (canon->after && canon->commutes) {
            memcpy(canon->commutes, relations->commutes, canon->n_moves * sizeof *canon->commutes);
            code = canon_explore(canon, relations, &states);
        }
        if (code == 0)
            code = canon_set_allowed(canon, &states);
    }
    free(states.forbidden);
    free(relations);
    if (code != 0) {
        canon_free(canon);
        canon = NULL;
    }
    *out = canon;
    return code;
}

void canon_free(struct canon *canon)
{
    if (!canon)
        return;
    free(canon->allowed);
    free(canon->next);
    free(canon->after);
    free(canon->commutes);
    free(canon);
}

bool canon_accepts(const struct canon *canon, const uint8_t *word, unsigned length)
{
    unsigned state = CANON_FREE;
    for (unsigned i = 0; i < length; i++) {
        if (!canon_allows(canon, state, word[i]))
            return false;
        state = canon_next(canon, state, word[i]);
    }
    return true;
}

/* Greedy: the next letter is the least of those that commute with everything before them. */
void canon_normalise(const struct canon *canon, uint8_t *word, unsigned length)
{
    for (unsigned at = 0; at < length; at++) {
        unsigned best = at;
        for (unsigned i = at + 1; i < length; i++) {
            bool free = word[i] < word[best];
            for (unsigned j = at; free && j < i; j++)
                free = canon_commute(canon, word[j], word[i]);
            if (free)
                best = i;
        }
        uint8_t letter = word[best];
        memmove(word + at + 1, word + at, best - at);
        word[at] = letter;
    }
}
