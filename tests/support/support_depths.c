/*
 * support_depths.c - see support_depths.h.
 */
#include "tests/support/support_depths.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COORDS = 2 * PERM_MAX_ORBITS, MAX_TUPLES = 1 << 26, MAX_VALUES = 1 << 16 };

/* Values are the pieces or the orientations of one orbit, numbered as they are found. */
struct coord {
    const struct perm_orbit *orbit;
    bool is_turns;
    unsigned n;
    uint8_t *value;   /* [n * size] */
    uint32_t *next;   /* [n * n_moves] */
    uint32_t *bucket; /* [2 * MAX_VALUES]: number + 1 */
    uint32_t stride;  /* in a tuple's number */
};

struct depths {
    unsigned n_moves, n_coords;
    struct coord coord[MAX_COORDS];
    uint32_t n_tuples;
};

/* ---- coordinates ------------------------------------------------------------------------- */

static uint32_t coord_find(struct coord *coord, const uint8_t *value)
{
    const unsigned size = coord->orbit->size;
    uint64_t hash = 14695981039346656037u;
    for (unsigned i = 0; i < size; i++)
        hash = (hash ^ value[i]) * 1099511628211u;
    uint32_t at = (uint32_t)(hash >> 20) % (2 * MAX_VALUES);
    for (; coord->bucket[at]; at = (at + 1) % (2 * MAX_VALUES))
        if (memcmp(coord->value + (size_t)(coord->bucket[at] - 1) * size, value, size) == 0)
            return coord->bucket[at] - 1;
    ck_assert_uint_lt(coord->n, MAX_VALUES);
    memcpy(coord->value + (size_t)coord->n * size, value, size);
    coord->bucket[at] = ++coord->n;
    return coord->n - 1;
}

static void coord_apply(const struct coord *coord, const uint8_t *value, const uint8_t *move,
                        uint8_t *out)
{
    const uint8_t *piece = perm_pieces(coord->orbit, move);
    const uint8_t *turn = perm_orientations(coord->orbit, move);
    for (unsigned i = 0; i < coord->orbit->size; i++) {
        out[i] = value[piece[i]];
        if (coord->is_turns)
            out[i] = (uint8_t)((out[i] + turn[i]) % coord->orbit->mod);
    }
}

static void coord_init(struct coord *coord, const struct puzzle *puzzle, unsigned orbit,
                       bool is_turns)
{
    const unsigned n_moves = puzzle_move_count(puzzle);
    uint8_t value[UINT8_MAX];
    *coord = (struct coord){.orbit = &puzzle_shape(puzzle)->orbit[orbit], .is_turns = is_turns};
    coord->value = malloc((size_t)MAX_VALUES * coord->orbit->size);
    coord->next = malloc((size_t)MAX_VALUES * n_moves * sizeof *coord->next);
    coord->bucket = calloc(2 * MAX_VALUES, sizeof *coord->bucket);
    ck_assert(coord->value && coord->next && coord->bucket);
    for (unsigned i = 0; i < coord->orbit->size; i++)
        value[i] = is_turns ? 0 : (uint8_t)i;
    coord_find(coord, value);
    for (uint32_t at = 0; at < coord->n; at++)
        for (unsigned m = 0; m < n_moves; m++) {
            coord_apply(coord, coord->value + (size_t)at * coord->orbit->size,
                        puzzle_move_at(puzzle, m)->transform, value);
            coord->next[at * n_moves + m] = coord_find(coord, value);
        }
}

static void coord_deinit(struct coord *coord)
{
    free(coord->value);
    free(coord->next);
    free(coord->bucket);
}

/* One coordinate of the pairs of values of two. */
static void coord_merge(struct coord *into, struct coord *other, unsigned n_moves)
{
    const unsigned n = into->n * other->n;
    uint32_t *next = malloc((size_t)n * n_moves * sizeof *next);
    ck_assert_ptr_nonnull(next);
    for (unsigned i = 0; i < n; i++)
        for (unsigned m = 0; m < n_moves; m++)
            next[i * n_moves + m] = other->next[i / into->n * n_moves + m] * into->n +
                                    into->next[i % into->n * n_moves + m];
    coord_deinit(other);
    free(into->next);
    into->next = next;
    into->n = n;
}

/* Numbers of tuples: the sum of all coordinates' values times what the tables are multiplied with
 * here. */
static void number_tuples(struct depths *depths)
{
    uint64_t tuples = 1;
    for (unsigned c = 0; c < depths->n_coords; c++) {
        struct coord *coord = &depths->coord[c];
        ck_assert_uint_le(tuples * coord->n, MAX_TUPLES);
        for (unsigned i = 0; i < coord->n * depths->n_moves; i++)
            coord->next[i] *= (uint32_t)tuples;
        tuples *= coord->n;
    }
    depths->n_tuples = (uint32_t)tuples;
}

/* Few large coordinates are quicker than many small ones. */
static void depths_init(struct depths *depths, const struct puzzle *puzzle)
{
    *depths = (struct depths){.n_moves = puzzle_move_count(puzzle)};
    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++)
        for (unsigned is_turns = 0; is_turns < 2; is_turns++) {
            struct coord *coord = &depths->coord[depths->n_coords];
            coord_init(coord, puzzle, k, is_turns);
            if (depths->n_coords > 0 && coord[-1].n * coord->n <= MAX_VALUES)
                coord_merge(&coord[-1], coord, depths->n_moves);
            else
                depths->n_coords++;
        }
    number_tuples(depths);
}

static void depths_deinit(struct depths *depths)
{
    for (unsigned c = 0; c < depths->n_coords; c++)
        coord_deinit(&depths->coord[c]);
}

/* ---- the search -------------------------------------------------------------------------- */

/* Where the tables of moves have a tuple's values. */
static void tuple_rows(const struct depths *depths, uint32_t tuple, const uint32_t *row[MAX_COORDS])
{
    for (unsigned c = 0; c < depths->n_coords; c++) {
        row[c] = depths->coord[c].next + (size_t)(tuple % depths->coord[c].n) * depths->n_moves;
        tuple /= depths->coord[c].n;
    }
}

unsigned support_depths(const struct puzzle *puzzle, uint64_t count[SUPPORT_MAX_DEPTH])
{
    struct depths depths;
    unsigned n_depths = 0;
    depths_init(&depths, puzzle);
    bool *seen = calloc(depths.n_tuples, sizeof *seen);
    uint32_t *queue = malloc(depths.n_tuples * sizeof *queue);
    ck_assert(seen && queue);
    uint32_t from = 0, to = 1; /* the depth that was found last */
    queue[0] = 0;
    seen[0] = true;
    while (from < to) {
        uint32_t end = to;
        ck_assert_uint_lt(n_depths, SUPPORT_MAX_DEPTH);
        count[n_depths++] = to - from;
        for (; from < to; from++) {
            const uint32_t *row[MAX_COORDS];
            tuple_rows(&depths, queue[from], row);
            for (unsigned m = 0; m < depths.n_moves; m++) {
                uint32_t next = 0;
                for (unsigned c = 0; c < depths.n_coords; c++)
                    next += row[c][m];
                if (!seen[next]) {
                    seen[next] = true;
                    queue[end++] = next;
                }
            }
        }
        to = end;
    }
    free(seen);
    free(queue);
    depths_deinit(&depths);
    return n_depths;
}
