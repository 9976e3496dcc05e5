/*
 * search_phases.c - see search_phases.h.
 *
 * Six coordinates, three for each phase, and how the moves change them:
 *
 *     twist  2187    corners     40320   the corners' permutation
 *     flip   2048    outer       40320   that of the eight edges outside the middle slice
 *     middle  495    inner          24   that of the four in it
 *
 * `middle` is which four slots hold the edges of the slice. A distance table is over a pair of
 * coordinates, one of which is always of the slice. Frames are those of the puzzle's definition:
 * which moves keep all six within the subgroup is found by trying.
 */
#include "core/search/search_phases.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_hash.h"
#include "core/base/base_mem.h"
#include "core/cube3/cube3.h"

enum {
    MOVES = 18,
    SLICE_PIECE = 8, /* and those behind it belong to the middle slice */
    COORDINATES = 6,
    PAIRS = 4,
    INNER_MOVES = 10, /* of the subgroup */
    STEP = 512,       /* rows of a move table, or entries of a distance table, at a time */
    UNKNOWN = 255,
    DEEPER = 5,     /* tries begin with first phases so much longer, less one, than they need be */
    MOST_INNER = 18 /* moves that the second phase takes at most */
};

enum coordinate { TWIST, FLIP, MIDDLE, CORNERS, OUTER, INNER };

static const uint32_t sizes[COORDINATES] = {2187, 2048, 495, 40320, 40320, 24};

/* A distance table: entry a * sizes[b] + b. */
static const struct {
    enum coordinate a, b;
} pairs[PAIRS] = {{MIDDLE, TWIST}, {MIDDLE, FLIP}, {INNER, CORNERS}, {INNER, OUTER}};

struct search_phases {
    pthread_mutex_t mutex; /* of whoever makes the tables */
    atomic_int state;      /* enum search_phases_state: release when made, acquire to read */
    unsigned stage;        /* first the move tables, then the distance tables */
    uint32_t next;         /* row of a move table, or entry of the queue */
    uint32_t queued;
    uint32_t *queue;
    bool inner[MOVES]; /* [move]: it is of the subgroup */
    uint32_t solved[COORDINATES];
    uint16_t *moves[COORDINATES]; /* [value * MOVES + move] */
    uint8_t *distance[PAIRS];
};

/* ---- coordinates ------------------------------------------------------------------------- */

/* The bytes of a state. */
struct view {
    uint8_t *corner, *twist, *edge, *flip;
};

static struct view view_of(const struct perm_shape *shape, uint8_t *state)
{
    const struct perm_orbit *corners = &shape->orbit[CUBE3_CORNERS];
    const struct perm_orbit *edges = &shape->orbit[CUBE3_EDGES];
    return (struct view){state + corners->offset, state + corners->offset + corners->size,
                         state + edges->offset, state + edges->offset + edges->size};
}

static uint32_t rank_digits(const uint8_t *digit, unsigned n, unsigned base)
{
    uint32_t rank = 0;
    for (unsigned i = 0; i + 1 < n; i++)
        rank = rank * base + digit[i];
    return rank;
}

/* The last digit makes the sum a multiple of the base. */
static void unrank_digits(uint32_t rank, unsigned n, unsigned base, uint8_t *digit)
{
    unsigned sum = 0;
    for (unsigned i = n - 1; i-- > 0; rank /= base) {
        digit[i] = (uint8_t)(rank % base);
        sum += digit[i];
    }
    digit[n - 1] = (uint8_t)((base - sum % base) % base);
}

/* Of pieces base .. base + n - 1 in n slots. */
static uint32_t rank_permutation(const uint8_t *piece, unsigned n)
{
    uint32_t rank = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned less = 0;
        for (unsigned j = i + 1; j < n; j++)
            less += piece[j] < piece[i];
        rank = rank * (n - i) + less;
    }
    return rank;
}

static void unrank_permutation(uint32_t rank, unsigned n, unsigned base, uint8_t *piece)
{
    for (unsigned i = n; i-- > 0; rank /= n - i) {
        piece[i] = (uint8_t)(rank % (n - i));
        for (unsigned j = i + 1; j < n; j++)
            piece[j] = (uint8_t)(piece[j] + (piece[j] >= piece[i]));
    }
    for (unsigned i = 0; i < n; i++)
        piece[i] = (uint8_t)(piece[i] + base);
}

static uint32_t choose(unsigned n, unsigned k)
{
    uint32_t result = 1;
    if (k > n)
        return 0;
    for (unsigned i = 0; i < k; i++)
        result = result * (n - i) / (i + 1);
    return result;
}

static uint32_t rank_slots(const uint8_t *edge)
{
    uint32_t rank = 0;
    unsigned seen = 0;
    for (unsigned i = 0; i < 12; i++)
        if (edge[i] >= SLICE_PIECE)
            rank += choose(i, ++seen);
    return rank;
}

static void unrank_slots(uint32_t rank, uint8_t *edge)
{
    unsigned slice = 12, outer = SLICE_PIECE, left = 4;
    for (unsigned i = 12; i-- > 0;) {
        bool is_slice = left > 0 && rank >= choose(i, left);
        if (is_slice)
            rank -= choose(i, left--);
        edge[i] = (uint8_t)(is_slice ? --slice : --outer);
    }
}

static uint32_t read_coordinate(const struct perm_shape *shape, enum coordinate which,
                                uint8_t *state)
{
    struct view view = view_of(shape, state);
    switch (which) {
    case TWIST:
        return rank_digits(view.twist, 8, 3);
    case FLIP:
        return rank_digits(view.flip, 12, 2);
    case MIDDLE:
        return rank_slots(view.edge);
    case CORNERS:
        return rank_permutation(view.corner, 8);
    case OUTER:
        return rank_permutation(view.edge, SLICE_PIECE);
    default:
        return rank_permutation(view.edge + SLICE_PIECE, 4);
    }
}

/* A state with this value, otherwise solved. */
static void write_coordinate(const struct perm_shape *shape, enum coordinate which, uint32_t value,
                             uint8_t *state)
{
    perm_identity(shape, state);
    struct view view = view_of(shape, state);
    switch (which) {
    case TWIST:
        unrank_digits(value, 8, 3, view.twist);
        break;
    case FLIP:
        unrank_digits(value, 12, 2, view.flip);
        break;
    case MIDDLE:
        unrank_slots(value, view.edge);
        break;
    case CORNERS:
        unrank_permutation(value, 8, 0, view.corner);
        break;
    case OUTER:
        unrank_permutation(value, SLICE_PIECE, 0, view.edge);
        break;
    default:
        unrank_permutation(value, 4, SLICE_PIECE, view.edge + SLICE_PIECE);
        break;
    }
}

static bool is_inner(const struct puzzle *puzzle, unsigned move)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    uint8_t state[PERM_MAX_BYTES], solved[PERM_MAX_BYTES];
    memcpy(state, puzzle_move_at(puzzle, move)->transform, shape->bytes);
    perm_identity(shape, solved);
    for (enum coordinate c = TWIST; c <= MIDDLE; c++)
        if (read_coordinate(shape, c, state) != read_coordinate(shape, c, solved))
            return false;
    return true;
}

bool search_phases_fits(const struct search_problem *problem)
{
    const struct puzzle *puzzle = problem->puzzle;
    unsigned inner = 0, faces = 0;
    if (!cube3_fits(puzzle) || puzzle_move_count(puzzle) != MOVES || problem->n_targets == 0)
        return false;
    for (unsigned m = 0; m < MOVES; m++) {
        uint8_t square[PERM_MAX_BYTES], fourth[PERM_MAX_BYTES];
        const uint8_t *move = puzzle_move_at(puzzle, m)->transform;
        perm_compose(problem->shape, move, move, square);
        perm_compose(problem->shape, square, square, fourth);
        faces += perm_is_identity(problem->shape, fourth);
        inner += is_inner(puzzle, m);
    }
    return inner == INNER_MOVES && faces == MOVES;
}

/* ---- tables ------------------------------------------------------------------------------ */

struct search_phases *search_phases_new(void)
{
    struct search_phases *phases = calloc(1, sizeof *phases);
    if (!phases)
        return NULL;
    pthread_mutex_init(&phases->mutex, NULL);
    atomic_init(&phases->state, SEARCH_PHASES_GROWING);
    return phases;
}

void search_phases_free(struct search_phases *phases)
{
    if (!phases)
        return;
    for (unsigned c = 0; c < COORDINATES; c++)
        free(phases->moves[c]);
    for (unsigned p = 0; p < PAIRS; p++)
        free(phases->distance[p]);
    free(phases->queue);
    pthread_mutex_destroy(&phases->mutex);
    free(phases);
}

static bool begin(struct search_phases *phases, const struct puzzle *puzzle)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    uint8_t solved[PERM_MAX_BYTES];
    size_t largest = 0;
    bool ok = true;
    perm_identity(shape, solved);
    for (unsigned m = 0; m < MOVES; m++)
        phases->inner[m] = is_inner(puzzle, m);
    for (unsigned c = 0; c < COORDINATES; c++) {
        phases->solved[c] = read_coordinate(shape, (enum coordinate)c, solved);
        phases->moves[c] = malloc(sizes[c] * MOVES * sizeof *phases->moves[c]);
        ok = ok && phases->moves[c];
    }
    for (unsigned p = 0; p < PAIRS; p++) {
        size_t size = (size_t)sizes[pairs[p].a] * sizes[pairs[p].b];
        largest = size > largest ? size : largest;
        phases->distance[p] = malloc(size);
        ok = ok && phases->distance[p];
        if (phases->distance[p])
            memset(phases->distance[p], UNKNOWN, size);
    }
    phases->queue = malloc(largest * sizeof *phases->queue);
    return ok && phases->queue;
}

/* Rows of a move table. True: it is complete. */
static bool make_moves(struct search_phases *phases, const struct puzzle *puzzle, unsigned c)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    uint8_t state[PERM_MAX_BYTES], moved[PERM_MAX_BYTES];
    uint32_t end = phases->next + STEP < sizes[c] ? phases->next + STEP : sizes[c];
    for (; phases->next < end; phases->next++) {
        write_coordinate(shape, (enum coordinate)c, phases->next, state);
        for (unsigned m = 0; m < MOVES; m++) {
            if (c >= CORNERS && !phases->inner[m])
                continue;
            perm_compose(shape, state, puzzle_move_at(puzzle, m)->transform, moved);
            phases->moves[c][phases->next * MOVES + m] =
                (uint16_t)read_coordinate(shape, (enum coordinate)c, moved);
        }
    }
    return end == sizes[c];
}

static void reach(struct search_phases *phases, unsigned p, uint32_t entry, unsigned distance)
{
    if (phases->distance[p][entry] != UNKNOWN)
        return;
    phases->distance[p][entry] = (uint8_t)distance;
    phases->queue[phases->queued++] = entry;
}

/* Entries in the order of their distances. True: the table is complete. */
static bool make_distances(struct search_phases *phases, unsigned p)
{
    const uint16_t *by_a = phases->moves[pairs[p].a], *by_b = phases->moves[pairs[p].b];
    uint32_t size = sizes[pairs[p].b];
    if (phases->queued == 0)
        reach(phases, p, phases->solved[pairs[p].a] * size + phases->solved[pairs[p].b], 0);
    uint32_t end = phases->queued - phases->next > STEP ? phases->next + STEP : phases->queued;
    for (; phases->next < end; phases->next++) {
        uint32_t entry = phases->queue[phases->next], a = entry / size, b = entry % size;
        unsigned distance = phases->distance[p][entry] + 1U;
        for (unsigned m = 0; m < MOVES; m++)
            if (pairs[p].a == MIDDLE || phases->inner[m])
                reach(phases, p, by_a[a * MOVES + m] * size + by_b[b * MOVES + m], distance);
    }
    return phases->next == phases->queued;
}

/* A step of the stage, and on to the next if that was its last. */
static void make_step(struct search_phases *phases, const struct puzzle *puzzle)
{
    enum search_phases_state state = SEARCH_PHASES_GROWING;
    if (!phases->queue && !begin(phases, puzzle))
        state = SEARCH_PHASES_FAILED;
    else if (phases->stage < COORDINATES ? make_moves(phases, puzzle, phases->stage)
                                         : make_distances(phases, phases->stage - COORDINATES)) {
        phases->stage++;
        phases->next = phases->queued = 0;
    }
    if (phases->stage == COORDINATES + PAIRS)
        state = SEARCH_PHASES_READY;
    atomic_store_explicit(&phases->state, (int)state, memory_order_release);
}

enum search_phases_state search_phases_state(const struct search_phases *phases)
{
    return (enum search_phases_state)atomic_load_explicit(&phases->state, memory_order_acquire);
}

enum search_phases_state search_phases_make(struct search_phases *phases,
                                            const struct puzzle *puzzle)
{
    int state = atomic_load_explicit(&phases->state, memory_order_acquire);
    if (state == SEARCH_PHASES_GROWING && pthread_mutex_trylock(&phases->mutex) == 0) {
        if (atomic_load_explicit(&phases->state, memory_order_relaxed) == SEARCH_PHASES_GROWING)
            make_step(phases, puzzle);
        state = atomic_load_explicit(&phases->state, memory_order_relaxed);
        pthread_mutex_unlock(&phases->mutex);
    }
    return (enum search_phases_state)state;
}

/* ---- searching --------------------------------------------------------------------------- */

struct run {
    const struct search_phases *phases;
    const struct search_problem *problem;
    const uint8_t *state;
    uint64_t nodes; /* left */
    unsigned most;
    unsigned at; /* moves of the first phase */
    uint8_t order[MOVES];
    uint8_t word[PUZZLE_MAX_WORD];
};

static unsigned bound(const struct search_phases *phases, unsigned first, const uint32_t value[3])
{
    unsigned p = first == TWIST ? 0 : 2; /* the pairs of that phase; the slice comes last */
    unsigned a = phases->distance[p][value[2] * sizes[pairs[p].b] + value[0]];
    unsigned b = phases->distance[p + 1][value[2] * sizes[pairs[p + 1].b] + value[1]];
    return a > b ? a : b;
}

static bool run_phase(struct run *run, unsigned first, const uint32_t value[3], unsigned canon,
                      unsigned at, unsigned left);

/* Behind a word that leads into the subgroup: the second phase, shortest first. */
static bool run_second(struct run *run, unsigned canon, unsigned at)
{
    const struct search_phases *phases = run->phases;
    uint8_t state[PERM_MAX_BYTES];
    uint32_t value[3];
    puzzle_apply_word(run->problem->puzzle, run->state, run->word, at, state);
    for (unsigned c = 0; c < 3; c++)
        value[c] = read_coordinate(run->problem->shape, (enum coordinate)(CORNERS + c), state);
    unsigned most = run->most - at < MOST_INNER ? run->most - at : MOST_INNER;
    for (unsigned left = bound(phases, CORNERS, value); left <= most && run->nodes > 0; left++)
        if (run_phase(run, CORNERS, value, canon, at, left)) {
            run->at = at + left;
            return true;
        }
    return false;
}

/* Words of exactly `left` more moves, of the first phase or the second. */
static bool run_phase(struct run *run, unsigned first, const uint32_t value[3], unsigned canon,
                      unsigned at, unsigned left)
{
    const struct search_phases *phases = run->phases;
    const struct canon *machine = run->problem->context->canon;
    if (left == 0 && first == CORNERS)
        return true;
    if (left == 0) /* a word that ends in the subgroup's moves is a shorter one's second phase */
        return (at == 0 || !phases->inner[run->word[at - 1]]) && run_second(run, canon, at);
    for (unsigned i = 0; i < MOVES && run->nodes > 0; i++) {
        unsigned move = run->order[i];
        uint32_t next[3];
        if ((first == CORNERS && !phases->inner[move]) || !canon_allows(machine, canon, move))
            continue;
        for (unsigned c = 0; c < 3; c++)
            next[c] = phases->moves[first + c][value[c] * MOVES + move];
        run->nodes--;
        if (bound(phases, first, next) >= left)
            continue;
        run->word[at] = (uint8_t)move;
        if (run_phase(run, first, next, canon_next(machine, canon, move), at + 1, left - 1))
            return true;
    }
    return false;
}

static void shuffle(struct run *run, uint64_t number)
{
    for (unsigned m = 0; m < MOVES; m++)
        run->order[m] = (uint8_t)m;
    for (unsigned i = MOVES; i > 1; i--) {
        unsigned j = (unsigned)(base_hash(&i, sizeof i, number) % i);
        uint8_t move = run->order[i - 1];
        run->order[i - 1] = run->order[j];
        run->order[j] = move;
    }
}

/* First phases, shortest first, but for the `deeper` shortest. */
static bool run_first(struct run *run, unsigned deeper)
{
    uint8_t state[PERM_MAX_BYTES];
    uint32_t value[3];
    memcpy(state, run->state, run->problem->shape->bytes);
    for (unsigned c = 0; c < 3; c++)
        value[c] = read_coordinate(run->problem->shape, (enum coordinate)c, state);
    for (unsigned left = bound(run->phases, TWIST, value) + deeper;
         left <= run->most && run->nodes > 0; left++)
        if (run_phase(run, TWIST, value, CANON_FREE, 0, left))
            return true;
    return false;
}

/* Turns the word of the image of the inverse into that of the state. */
static void invert_word(const struct puzzle *puzzle, uint8_t *word, unsigned length)
{
    uint8_t copy[PUZZLE_MAX_WORD];
    memcpy(copy, word, length);
    for (unsigned i = 0; i < length; i++)
        word[i] = puzzle_move_at(puzzle, copy[length - 1 - i])->inverse;
}

/* Any symmetry will do: a third of them each leads to one of the three axes. */
int search_phases_try(const struct search_phases *phases, const struct search_phases_try *task,
                      uint8_t word[PUZZLE_MAX_WORD])
{
    const struct search_problem *problem = task->problem;
    const struct sym_group *group = problem->context->group;
    uint64_t noise = base_hash(&task->number, sizeof task->number, 0);
    unsigned sym = (unsigned)((noise >> 8) % group->count);
    bool inverse = noise & 1;
    uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
    struct run run = {.phases = phases,
                      .problem = problem,
                      .state = image,
                      .nodes = task->nodes,
                      .most = task->most};
    if (inverse)
        perm_invert(problem->shape, task->state, state);
    else
        memcpy(state, task->state, problem->shape->bytes);
    sym_apply(group, sym, state, image);
    shuffle(&run, noise);
    if (!run_first(&run, (unsigned)(noise >> 32) % DEEPER))
        return -1;
    const struct sym *back = &group->sym[group->sym[sym].inverse];
    for (unsigned i = 0; i < run.at; i++)
        word[i] = back->move[run.word[i]];
    if (inverse)
        invert_word(problem->puzzle, word, run.at);
    return (int)run.at;
}
