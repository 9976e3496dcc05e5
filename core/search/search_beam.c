/*
 * search_beam.c - see search_beam.h.
 *
 * A level is made in three steps: all moves of all its states are given a score, the best of them
 * are chosen by counting, and only those become states of the next level. States that are equal
 * have equal hashes and only the first of them gets a score.
 */
#include "core/search/search_beam.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "core/search/search_walk.h"

enum {
    FIRST_WIDTH = 64,
    WIDEST_ROUND = 4,  /* it keeps 64 * 4^4 = 16 384 states a level, and so do all that follow */
    AHEAD = 1,         /* moves above its bound that a state is walked ahead, at most */
    WALK_NODES = 4096, /* what that may cost */
    SCORES = 1 << 16
};

/* A state that is kept: entry i of every array. */
struct beam_level {
    uint32_t count;
    uint8_t *states; /* [count * shape->bytes] */
    uint8_t *words;  /* [count * PUZZLE_MAX_WORD] */
    uint8_t *bounds;
    uint16_t *canons;
};

/* A state that might be. */
struct beam_child {
    uint32_t parent;
    uint16_t score;
    uint8_t move, bound;
};

enum beam_step { BEAM_WALK, BEAM_SCORE, BEAM_CHOOSE };

struct search_beam {
    struct search_problem problem;
    unsigned least, most; /* moves of the words looked for */
    unsigned round, at;   /* moves that lead to the states of this level */
    uint32_t width;
    enum beam_step step;
    uint32_t next;   /* of this level's states, to be walked from or to be scored */
    unsigned longer; /* than the state's bound is the next walk from it */
    bool walking;
    struct beam_level level, other;
    struct beam_child *child; /* [width * n_moves] */
    uint32_t n_children;
    uint64_t *seen; /* hashes of this level's children, open addressing; 0: vacant */
    uint64_t seen_mask;
    uint32_t *first; /* [SCORES + 1] */
    struct search_walk *walk;
    bool found;
    struct search_beam_word word;
};

/* ---- memory ------------------------------------------------------------------------------ */

static void level_free(struct beam_level *level)
{
    free(level->states);
    free(level->words);
    free(level->bounds);
    free(level->canons);
    *level = (struct beam_level){0};
}

static bool level_make(const struct search_beam *beam, struct beam_level *level)
{
    level_free(level);
    level->states = malloc((size_t)beam->width * beam->problem.shape->bytes);
    level->words = malloc((size_t)beam->width * PUZZLE_MAX_WORD);
    level->bounds = malloc(beam->width);
    level->canons = malloc(beam->width * sizeof *level->canons);
    return level->states && level->words && level->bounds && level->canons;
}

static bool round_make(struct search_beam *beam)
{
    size_t children = (size_t)beam->width * beam->problem.n_moves, seen = 1;
    while (seen < 2 * children)
        seen *= 2;
    free(beam->child);
    free(beam->seen);
    beam->child = malloc(children * sizeof *beam->child);
    beam->seen = malloc(seen * sizeof *beam->seen);
    beam->seen_mask = seen - 1;
    return level_make(beam, &beam->level) && level_make(beam, &beam->other) && beam->child &&
           beam->seen;
}

void search_beam_free(struct search_beam *beam)
{
    if (!beam)
        return;
    level_free(&beam->level);
    level_free(&beam->other);
    free(beam->child);
    free(beam->seen);
    free(beam->first);
    search_walk_free(beam->walk);
    free(beam);
}

/* ---- levels ------------------------------------------------------------------------------ */

static void begin_level(struct search_beam *beam)
{
    beam->step = BEAM_WALK;
    beam->next = 0;
    beam->walking = false;
    beam->longer = 0;
}

static bool begin_round(struct search_beam *beam)
{
    const struct search_problem *problem = &beam->problem;
    unsigned doublings = 2 * (beam->round < WIDEST_ROUND ? beam->round : WIDEST_ROUND);
    beam->width = (uint32_t)FIRST_WIDTH << doublings;
    if (beam->round <= WIDEST_ROUND && !round_make(beam))
        return false;
    beam->at = 0;
    beam->level.count = 1;
    memcpy(beam->level.states, problem->start, problem->shape->bytes);
    beam->level.canons[0] = CANON_FREE;
    beam->level.bounds[0] = (uint8_t)search_problem_bound(problem, problem->start);
    begin_level(beam);
    return true;
}

/* Is it the first time that this level has this state? Hashes break ties between scores as well:
 * each round breaks them in another way. */
static bool see(struct search_beam *beam, const uint8_t *state, uint64_t *hash)
{
    *hash = base_hash(state, beam->problem.shape->bytes, beam->round) | 1;
    uint64_t at = *hash >> 20 & beam->seen_mask;
    while (beam->seen[at] != 0) {
        if (beam->seen[at] == *hash)
            return false;
        at = (at + 1) & beam->seen_mask;
    }
    beam->seen[at] = *hash;
    return true;
}

/* The sum of the tables' bounds guides, the largest of them excludes. */
static void judge(const struct search_problem *problem, const uint8_t *state,
                  const uint8_t *inverse, unsigned *sum, unsigned *most)
{
    *sum = *most = 0;
    for (unsigned t = 0; t < problem->n_tables; t++) {
        unsigned bound = table_bound(problem->table[t], state, inverse);
        *sum += bound;
        if (bound > *most)
            *most = bound;
    }
}

static void score_child(struct search_beam *beam, const uint8_t *state, const uint8_t *inverse,
                        struct beam_child child)
{
    uint64_t hash;
    unsigned sum, bound;
    if (!see(beam, state, &hash))
        return;
    judge(&beam->problem, state, inverse, &sum, &bound);
    if (beam->at + 1 + bound > beam->most)
        return;
    unsigned score = sum << 8 | (unsigned)(hash >> 56);
    child.bound = (uint8_t)bound;
    child.score = (uint16_t)(score < SCORES ? score : SCORES - 1);
    beam->child[beam->n_children++] = child;
}

static void score_children(struct search_beam *beam, uint32_t parent)
{
    const struct search_problem *problem = &beam->problem;
    const uint8_t *state = beam->level.states + (size_t)parent * problem->shape->bytes;
    uint8_t inverse[PERM_MAX_BYTES], child[PERM_MAX_BYTES], child_inverse[PERM_MAX_BYTES];
    perm_invert(problem->shape, state, inverse);
    for (unsigned m = 0; m < problem->n_moves; m++) {
        if (!canon_allows(problem->context->canon, beam->level.canons[parent], m))
            continue;
        const struct puzzle_move *move = puzzle_move_at(problem->puzzle, m);
        const struct puzzle_move *back = puzzle_move_at(problem->puzzle, move->inverse);
        perm_compose(problem->shape, state, move->transform, child);
        perm_compose(problem->shape, back->transform, inverse, child_inverse);
        score_child(beam, child, child_inverse,
                    (struct beam_child){.parent = parent, .move = (uint8_t)m});
    }
}

/* first[s]: where children of this score go. */
static void count_scores(struct search_beam *beam)
{
    uint32_t sum = 0;
    memset(beam->first, 0, (SCORES + 1) * sizeof *beam->first);
    for (uint32_t i = 0; i < beam->n_children; i++)
        beam->first[beam->child[i].score + 1]++;
    for (unsigned s = 0; s <= SCORES; s++) {
        sum += beam->first[s];
        beam->first[s] = sum;
    }
}

static void keep_child(struct search_beam *beam, const struct beam_child *child, uint32_t at)
{
    const struct search_problem *problem = &beam->problem;
    const struct beam_level *from = &beam->level;
    struct beam_level *to = &beam->other;
    size_t bytes = problem->shape->bytes;
    perm_compose(problem->shape, from->states + child->parent * bytes,
                 puzzle_move_at(problem->puzzle, child->move)->transform, to->states + at * bytes);
    memcpy(to->words + (size_t)at * PUZZLE_MAX_WORD,
           from->words + (size_t)child->parent * PUZZLE_MAX_WORD, beam->at);
    to->words[(size_t)at * PUZZLE_MAX_WORD + beam->at] = child->move;
    to->bounds[at] = child->bound;
    to->canons[at] =
        (uint16_t)canon_next(problem->context->canon, from->canons[child->parent], child->move);
}

static void choose_children(struct search_beam *beam)
{
    count_scores(beam);
    for (uint32_t i = 0; i < beam->n_children; i++) {
        uint32_t at = beam->first[beam->child[i].score]++;
        if (at < beam->width)
            keep_child(beam, &beam->child[i], at);
    }
    struct beam_level level = beam->level;
    beam->level = beam->other;
    beam->other = level;
    beam->level.count = beam->n_children < beam->width ? beam->n_children : beam->width;
    beam->at++;
    begin_level(beam);
}

/* ---- walking ahead ----------------------------------------------------------------------- */

static bool take_word(void *arg, const struct search_walk *walk)
{
    struct search_beam *beam = arg;
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(beam->problem.puzzle, beam->problem.start, walk->word, walk->length, state);
    if (!search_problem_is_target(&beam->problem, state))
        return false;
    beam->found = true;
    beam->word.length = (uint8_t)walk->length;
    memcpy(beam->word.move, walk->word, walk->length);
    return true;
}

/* Puts the walk on the state, for the next number of moves ahead. False: that was the last. */
static bool begin_walk(struct search_beam *beam, uint32_t i)
{
    unsigned ahead = beam->level.bounds[i] + beam->longer++;
    if (beam->longer > AHEAD + 1 || beam->at + ahead > beam->most)
        return false;
    if (beam->at + ahead < beam->least)
        return true;
    const struct search_root root = {.prefix = beam->level.words + (size_t)i * PUZZLE_MAX_WORD,
                                     .prefix_length = beam->at,
                                     .canon = beam->level.canons[i],
                                     .length = beam->at + ahead};
    bool ended;
    beam->walking = search_walk_start(beam->walk, &root, &ended);
    return true;
}

/* A walk that has not come to its end by then is given up. */
static void walk_ahead(struct search_beam *beam)
{
    if (beam->walking) {
        beam->walking = false;
        (void)search_walk_run(beam->walk, WALK_NODES);
    } else if (!begin_walk(beam, beam->next)) {
        beam->longer = 0;
        beam->next++;
    }
}

/* ---- running ------------------------------------------------------------------------------- */

struct search_beam *search_beam_new(const struct search_problem *problem, unsigned most)
{
    struct search_beam *beam = calloc(1, sizeof *beam);
    if (!beam)
        return NULL;
    beam->problem = *problem;
    beam->most = most;
    beam->first = malloc((SCORES + 1) * sizeof *beam->first);
    beam->walk = search_walk_new(&beam->problem);
    if (!beam->first || !beam->walk || !begin_round(beam)) {
        search_beam_free(beam);
        return NULL;
    }
    beam->walk->leaf = (struct search_leaf){.visit = take_word, .arg = beam};
    return beam;
}

/* What is left of a level when all its states have been walked from: their children. */
static void end_walks(struct search_beam *beam)
{
    beam->step = BEAM_SCORE;
    beam->next = beam->n_children = 0;
    memset(beam->seen, 0, (beam->seen_mask + 1) * sizeof *beam->seen);
}

/* A little work: a walk, or a state's children. False: there is no memory for the next round. */
static bool step(struct search_beam *beam)
{
    if (beam->step == BEAM_WALK) {
        if (beam->next < beam->level.count)
            walk_ahead(beam);
        else
            end_walks(beam);
    } else if (beam->step == BEAM_SCORE) {
        if (beam->next < beam->level.count)
            score_children(beam, beam->next++);
        else
            beam->step = BEAM_CHOOSE;
    } else {
        choose_children(beam);
    }
    if (beam->level.count > 0)
        return true;
    beam->round++;
    return begin_round(beam);
}

enum search_beam_result search_beam_run(struct search_beam *beam, unsigned least, uint64_t until_ns)
{
    beam->least = least;
    while (base_clock_ns() < until_ns) {
        if (!step(beam))
            return SEARCH_BEAM_FAILED;
        if (beam->found) {
            beam->found = false;
            beam->most = beam->word.length - 1U;
            return SEARCH_BEAM_FOUND;
        }
    }
    return SEARCH_BEAM_PAUSED;
}

void search_beam_lower(struct search_beam *beam, unsigned most)
{
    if (most < beam->most)
        beam->most = most;
}

const struct search_beam_word *search_beam_word(const struct search_beam *beam)
{
    return &beam->word;
}

const struct search_problem *search_beam_problem(const struct search_beam *beam)
{
    return &beam->problem;
}

unsigned search_beam_round(const struct search_beam *beam)
{
    return beam->round;
}
