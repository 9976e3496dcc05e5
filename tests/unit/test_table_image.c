/*
 * test_table_image.c - the chain-and-cycle rule against lists: every arrangement of a small orbit
 * marks what its part shows, for every structure, every set of slots and the whole.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/table/table_image.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_graph.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { MAX_STRUCTURES = 256 };

/* An orbit, all its arrangements, and the structures among them. */
struct listing {
    struct puzzle *puzzle;
    struct sym_group *group;
    struct support_graph *graph;
    unsigned n_structures;
    struct cycle_structure *structure;
    uint8_t *structure_of; /* [node] */
};

static unsigned find_structure(struct listing *listing, const struct cycle_structure *structure)
{
    unsigned i = 0;
    while (i < listing->n_structures && !cycle_equal(&listing->structure[i], structure))
        i++;
    if (i == listing->n_structures) {
        ck_assert_uint_lt(i, MAX_STRUCTURES);
        listing->structure[listing->n_structures++] = *structure;
    }
    return i;
}

/* Takes the puzzle. */
static void listing_init(struct listing *listing, struct puzzle *puzzle)
{
    *listing = (struct listing){.puzzle = puzzle, .graph = support_graph_new(puzzle, 0)};
    listing->structure = malloc(MAX_STRUCTURES * sizeof *listing->structure);
    listing->structure_of = malloc(listing->graph->n_nodes);
    ck_assert(listing->structure && listing->structure_of);
    ck_assert_int_eq(sym_group_new(puzzle, &listing->group), 0);
    for (uint32_t node = 0; node < listing->graph->n_nodes; node++) {
        uint8_t state[PERM_MAX_BYTES];
        struct cycle_structure structure;
        if (!support_graph_valid(listing->graph, node))
            continue;
        support_graph_state(listing->graph, node, state);
        cycle_of_state(puzzle, state, &structure);
        listing->structure_of[node] = (uint8_t)find_structure(listing, &structure);
    }
}

static void listing_deinit(struct listing *listing)
{
    free(listing->structure);
    free(listing->structure_of);
    support_graph_free(listing->graph);
    sym_group_free(listing->group);
    puzzle_release(listing->puzzle);
}

/* ---- what should be marked -------------------------------------------------------------- */

/* marked[index]: which structures an arrangement with this index can have. */
struct marks {
    uint64_t set[MAX_STRUCTURES / 64];
};

static bool marks_have(const struct marks *marks, unsigned structure)
{
    return marks->set[structure / 64] >> structure % 64 & 1;
}

/* By index for subsets. An exact table keeps one of each class of symmetric arrangements. */
static struct marks *list_marks(const struct listing *listing, const struct table_coord *coord)
{
    struct marks *marks = calloc(coord->size, sizeof *marks);
    ck_assert_ptr_nonnull(marks);
    for (uint32_t node = 0; node < listing->graph->n_nodes; node++) {
        uint8_t state[PERM_MAX_BYTES];
        struct table_view view;
        if (!support_graph_valid(listing->graph, node))
            continue;
        support_graph_state(listing->graph, node, state);
        table_coord_view(coord, state, &view);
        unsigned structure = listing->structure_of[node];
        marks[table_coord_index(coord, &view)].set[structure / 64] |= (uint64_t)1 << structure % 64;
    }
    return marks;
}

/* ---- what is marked --------------------------------------------------------------------- */

struct line_marks {
    uint8_t *entry;
    uint32_t width;
    int64_t last;
};

static void mark(void *arg, uint32_t entry)
{
    struct line_marks *line = arg;
    SUPPORT_EXPECT(entry < line->width);
    SUPPORT_EXPECT((int64_t)entry > line->last); /* ascending */
    line->last = entry;
    line->entry[entry] = 1;
}

/* The target is the structures listed; `marks` says which entries should be marked. */
static void check_target(const struct listing *listing, const struct table_coord *coord,
                         const struct marks *marks, const unsigned *target, unsigned n)
{
    struct cycle_structure *structures = malloc(n * sizeof *structures);
    uint8_t *entry = malloc(coord->stride);
    struct table_image *image = NULL;
    ck_assert(structures && entry);
    for (unsigned i = 0; i < n; i++)
        structures[i] = listing->structure[target[i]];
    SUPPORT_EXPECT(table_image_new(coord, structures, n, &image) == 0);
    for (uint32_t line = 0; line < coord->n_lines; line++) {
        struct line_marks marked = {entry, coord->width, -1};
        memset(entry, 0, coord->stride);
        table_image_mark(image, line, mark, &marked);
        for (uint32_t e = 0; e < coord->width; e++) {
            bool expected = false;
            for (unsigned i = 0; i < n; i++)
                expected = expected || marks_have(&marks[line * coord->stride + e], target[i]);
            if (entry[e] != expected)
                ck_abort_msg("structure %u of %u, n = %u, mod = %u, line %u, entry %u: %d",
                             target[0], n, coord->n, coord->mod, (unsigned)line, (unsigned)e,
                             entry[e]);
        }
    }
    table_image_free(image);
    free(structures);
    free(entry);
}

/* Every structure by itself, and some unions. */
static void check_coord(const struct listing *listing, const struct table_coord *coord)
{
    struct support_random random = {coord->k + 7};
    struct marks *marks = list_marks(listing, coord);
    for (unsigned i = 0; i < listing->n_structures; i++)
        check_target(listing, coord, marks, &i, 1);
    for (unsigned round = 0; round < 6; round++) {
        unsigned target[4];
        for (unsigned i = 0; i < 4; i++)
            target[i] = support_random_below(&random, listing->n_structures);
        check_target(listing, coord, marks, target, 2 + round % 3);
    }
    free(marks);
}

/* All sets of k slots: the coordinate's own choice is one of them, put there by hand. */
static void check_subsets(const struct listing *listing, unsigned k)
{
    struct table_coord *coord = NULL;
    ck_assert_int_eq(table_coord_new_subset(listing->group, 0, k, UINT64_MAX, &coord), 0);
    for (unsigned set = 0; set < 1u << coord->n; set++) {
        if ((unsigned)__builtin_popcount(set) != k)
            continue;
        for (unsigned i = 0, j = 0; i < coord->n; i++)
            if (set >> i & 1)
                coord->pick[j++] = (uint8_t)i;
        check_coord(listing, coord);
    }
    table_coord_free(coord);
}

/* Takes the puzzle. */
static void check_puzzle(struct puzzle *puzzle, bool sum_kept)
{
    struct listing listing;
    struct table_coord *exact = NULL;
    ck_assert_int_eq(puzzle_orientation_sum_kept(puzzle, 0), sum_kept);
    listing_init(&listing, puzzle);
    for (unsigned k = 1; k <= listing.graph->n; k++)
        check_subsets(&listing, k);
    ck_assert_int_eq(table_coord_new_exact(listing.group, 0, UINT64_MAX, &exact), 0);
    check_coord(&listing, exact);
    table_coord_free(exact);
    listing_deinit(&listing);
}

/* ---- all small orbits ------------------------------------------------------------------- */

START_TEST(one_orientation)
{
    check_puzzle(support_puzzle("a 3", "A a(0 1 2)"), true);
    check_puzzle(support_puzzle("a 4", "A a(0 1 2); B! a(2 3)"), true);
    check_puzzle(support_puzzle("a 5", "A a(0 1 2); B! a(2 3 4)"), true);
    check_puzzle(support_puzzle("a 6", "A a(0 1 2 3); B! a(3 4 5)"), true);
}
END_TEST

START_TEST(two_orientations)
{
    check_puzzle(support_puzzle("a 3*2", "A! a(0 1+1 2+1)"), true);
    check_puzzle(support_puzzle("a 4*2", "A! a(0 1+1 2+1); B! a(2 3)"), true);
    check_puzzle(support_puzzle("a 5*2", "A! a(0 1+1 2+1); B! a(2 3 4)"), true);
    check_puzzle(support_puzzle("a 3*2", "A! a(0 1 2+1)"), false);
    check_puzzle(support_puzzle("a 4*2", "A! a(0 1+1 2+1); B! a(2 3+1)"), false);
    check_puzzle(support_puzzle("a 5*2", "A! a(0 1 2+1); B! a(2 3 4)"), false);
}
END_TEST

START_TEST(three_orientations)
{
    check_puzzle(support_puzzle("a 3*3", "A! a(0 1+1 2+2)"), true);
    check_puzzle(support_puzzle("a 4*3", "A! a(0 1+1 2+2); B! a(2 3)"), true);
    check_puzzle(support_puzzle("a 5*3", "A! a(0+1 1+1 2+1); B! a(2 3 4)"), true);
    check_puzzle(support_puzzle("a 3*3", "A! a(0 1+1 2+1)"), false);
    check_puzzle(support_puzzle("a 4*3", "A! a(0 1+1 2+2); B! a(2 3+1)"), false);
    check_puzzle(support_puzzle("a 5*3", "A! a(0 1+1 2+2); B! a(2 3 4+1)"), false);
}
END_TEST

START_TEST(four_orientations)
{
    check_puzzle(support_puzzle("a 3*4", "A! a(0 1+1 2+3)"), true);
    check_puzzle(support_puzzle("a 4*4", "A! a(0 1+2 2+2); B! a(2 3)"), true);
    check_puzzle(support_puzzle("a 5*4", "A! a(0 1+2 2+2); B! a(2 3 4)"), true);
    check_puzzle(support_puzzle("a 3*4", "A! a(0 1+1 2+1)"), false);
    check_puzzle(support_puzzle("a 4*4", "A! a(0 1+1 2+2); B! a(2 3)"), false);
    check_puzzle(support_puzzle("a 5*4", "A! a(0 1+1 2+2); B! a(2 3 4)"), false);
}
END_TEST

START_TEST(slots_that_nothing_moves_do_not_count)
{
    check_puzzle(support_puzzle("a 7*3", "A! a(1 2+1 4+2); B! a(4 5)"), true);
    check_puzzle(support_puzzle("a 6", "A a(0 2 3); B a(3 5)"), true);
}
END_TEST

/* ---- structures that the moves cannot have ---------------------------------------------- */

/* Lengths that do not fit into the movable slots leave nothing marked. */
START_TEST(structures_too_large_mark_nothing)
{
    struct listing listing;
    struct cycle_structure structure = {0};
    struct table_coord *exact = NULL;
    struct table_image *image = NULL;
    uint8_t entry[4096] = {0};
    listing_init(&listing, support_puzzle("a 8*3", "A! a(1 2+1 4+2); B! a(4 5)"));
    ck_assert_int_eq(table_coord_new_exact(listing.group, 0, UINT64_MAX, &exact), 0);
    ck_assert_int_eq(cycle_add(listing.puzzle, &structure, 0, 3, false), 0);
    ck_assert_int_eq(cycle_add(listing.puzzle, &structure, 0, 3, false), 0);
    ck_assert_int_eq(table_image_new(exact, &structure, 1, &image), 0);
    for (uint32_t line = 0; line < exact->n_lines; line++) {
        struct line_marks marked = {entry, exact->width, -1};
        table_image_mark(image, line, mark, &marked);
        ck_assert_int_eq(marked.last, -1);
    }
    table_image_free(image);
    table_coord_free(exact);
    listing_deinit(&listing);
}
END_TEST

/* ---- trails ----------------------------------------------------------------------------- */

START_TEST(trails_are_cycles_and_chains)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct sym_group *group = NULL;
    struct table_coord *coord = NULL;
    struct table_trails trails;
    /* 0 -> 1 -> 0 closed, 2 -> 3 -> 4 and 6 -> 5 open, 7 -> 7 closed. */
    struct table_partial partial = {6, {2, 0, 3, 1, 6, 7}, {3, 1, 4, 0, 5, 7}};

    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    ck_assert_int_eq(table_coord_new_subset(group, 1, 6, UINT64_MAX, &coord), 0);
    table_trails_find(coord, &partial, &trails);
    ck_assert_uint_eq(trails.n_closed, 2);
    ck_assert_uint_eq(trails.closed[0], 2);
    ck_assert_uint_eq(trails.members[0], 1 << 1 | 1 << 3);
    ck_assert_uint_eq(trails.closed[1], 1);
    ck_assert_uint_eq(trails.members[1], 1 << 5);
    ck_assert_uint_eq(trails.n_chains, 2);
    ck_assert_uint_eq(trails.chain[0], 3);
    ck_assert_uint_eq(trails.chain[1], 2);
    table_coord_free(coord);
    sym_group_free(group);
    puzzle_release(cube);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        one_orientation,
        two_orientations,
        three_orientations,
        four_orientations,
        slots_that_nothing_moves_do_not_count,
        structures_too_large_mark_nothing,
        trails_are_cycles_and_chains,
    };

    return support_suite_run("table_image", tests, sizeof tests / sizeof tests[0], NULL, NULL, 60);
}
