/*
 * test_table_structure.c - tables of cycle structures: against brute force on small orbits, one
 * engine against the other on larger ones.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_fill.h"
#include "core/table/table_structure.h"
#include "core/table/table_structure_int.h"
#include "tests/support/support_conjugates.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static const struct table__engines by_lattice = {.lattice = true};
static const struct table__engines by_characters = {.characters = true};

static struct table_structure *make(const struct puzzle *puzzle, unsigned orbit,
                                    struct table__engines engines)
{
    struct table_structure *structure = NULL;
    ck_assert_int_eq(table__structure_new(puzzle, orbit, engines, &structure), 0);
    return structure;
}

/* ---- against brute force ------------------------------------------------------------------ */

/* The table of the marked structures, in the numbering of the graph. */
static void check_marked(const struct table_structure *structure,
                         const struct support_conjugates *graph, const bool *marked)
{
    struct cycle_structure target[SUPPORT_CONJUGATES_MAX];
    uint8_t distance[SUPPORT_CONJUGATES_MAX], entries[SUPPORT_CONJUGATES_MAX];
    uint64_t histogram[TABLE_FILL_MAX_LAYERS], expected[TABLE_FILL_MAX_LAYERS] = {0};
    unsigned n = 0;

    for (unsigned i = 0; i < graph->n; i++) {
        if (marked[i])
            target[n++] = graph->structure[i];
    }
    support_conjugates_distances(graph, marked, distance);
    memset(entries, 0xa5, sizeof entries);
    ck_assert_int_eq(table_structure_fill(structure, target, n, entries, histogram), 0);
    for (unsigned i = 0; i < graph->n; i++) {
        uint32_t number;
        ck_assert_int_eq(table_structure_find(structure, &graph->structure[i], &number), 0);
        if (entries[number] != (uint8_t)(distance[i] + 1))
            ck_abort_msg("structure %u: entry %u, distance %u", i, entries[number], distance[i]);
        if (distance[i] < UINT8_MAX)
            expected[distance[i]]++;
    }
    ck_assert_mem_eq(histogram, expected, sizeof expected);
}

static void check_graph(const struct table_structure *structure,
                        const struct support_conjugates *graph)
{
    struct support_random random = {graph->n};
    bool marked[SUPPORT_CONJUGATES_MAX] = {false};

    ck_assert_uint_eq(table_structure_count(structure), graph->n);
    check_marked(structure, graph, marked);
    for (unsigned i = 0; i < graph->n; i++) {
        marked[i] = true;
        check_marked(structure, graph, marked);
        marked[i] = false;
    }
    for (unsigned round = 0; round < 20; round++) {
        memset(marked, 0, sizeof marked);
        for (unsigned i = 0; i < 3; i++)
            marked[support_random_below(&random, graph->n)] = true;
        check_marked(structure, graph, marked);
    }
}

/* `single`: every move is one cycle, so there are two engines. */
static void check_small(const char *orbit, const char *moves, bool single)
{
    struct puzzle *puzzle = support_puzzle(orbit, moves);
    struct support_conjugates *graph = support_conjugates_new(puzzle);
    struct table_structure *structure = make(puzzle, 0, by_characters);

    check_graph(structure, graph);
    table_structure_free(structure);
    if (single) {
        structure = make(puzzle, 0, by_lattice);
        check_graph(structure, graph);
        table_structure_free(structure);
    } else {
        ck_assert_int_eq(table__structure_new(puzzle, 0, by_lattice, &structure),
                         BASE_ERR_TOO_LARGE);
        ck_assert_ptr_null(structure);
    }
    free(graph);
    puzzle_release(puzzle);
}

START_TEST(one_orientation)
{
    check_small("a 6", "A a(0 1); B a(1 2 3 4 5)", true);
    check_small("a 7", "A a(0 1 2); B a(2 3 4); C a(4 5 6)", true);
    check_small("a 7", "A a(0 1 2 3); B a(3 4 5 6)", false);
    check_small("a 7", "A a(0 1 2 3 4); B a(2 3 4 5 6)", true);
    check_small("a 7", "A a(0 1) a(2 3); B a(1 2 3 4 5 6)", false);
    check_small("a 8", "A a(0 1 2 3) a(4 5 6 7); B a(1 4 5) a(2 7)", false);
    check_small("a 8", "A! a(0 1 2 3) a(4 5 6 7); B a(1 2) a(3 4) a(5 6)", false);
    check_small("a 8", "A! a(0 1 2 3); B! a(4 5 6 7 1 2)", true);
    check_small("a 8", "A! a(0 1 2 3 4 5 6); B! a(5 6 7)", true);
}
END_TEST

START_TEST(two_orientations)
{
    check_small("a 5*2", "A! a(0 1 2 3); B! a(1+1 2 3+1 4)", true);
    check_small("a 6*2", "A! a(0 1 2 3 4); B a(3 4+1 5+1)", true);
    check_small("a 6*2", "A a(0 1 2 3); B a(2 3 4 5)", false);
    check_small("a 5*2", "A! a(0+1 1+1) a(2+1 3); B! a(1 2 3 4)", false);
    check_small("a 5*2", "A! a(0+1 1 2); B! a(2 3 4)", true);
    check_small("a 4*2", "A! a(0+1); B! a(0 1 2 3+1)", true);
    check_small("a 4*2", "A! a(0+1) a(1+1); B! a(0 1 2); C! a(2 3) a(0+1) a(1+1)", false);
}
END_TEST

START_TEST(three_orientations)
{
    check_small("a 5*3", "A a(0 1+1 2+2); B a(2 3 4)", true);
    check_small("a 5*3", "A a(0 1+1 2+2) a(3 4); B a(2 3 4)", false);
    check_small("a 4*3", "A! a(0 1+1 2+1); B! a(0 1 2 3)", true);
    check_small("a 4*3", "A! a(0+1); B! a(0+1 1) a(2 3+2)", false);
    check_small("a 5*3", "A! a(0+1) a(1+2); B! a(0 1) a(2 3); C! a(3+1 4+2)", false);
    check_small("a 4*3", "A! a(0+2); B! a(1 2 3 0)", true);
}
END_TEST

START_TEST(more_orientations)
{
    check_small("a 4*4", "A! a(0 1+1 2+3); B! a(1 2 3)", true);
    check_small("a 4*4", "A! a(0 1+1 2+1); B! a(1 2) a(3+2)", false);
    check_small("a 4*4", "A! a(0 1+1 2+1); B! a(1 2 3)", true);
    check_small("a 3*6", "A! a(0+2 1); B! a(1 2+3)", true);
    check_small("a 3*5", "A! a(0+2 1) a(2+3); B! a(1 2)", false);
    check_small("a 1*12", "A! a(0+3)", true);
    check_small("a 2*12", "A! a(0+3) a(1+2); B! a(0 1+3)", false);
}
END_TEST

/* ---- one engine against the other --------------------------------------------------------- */

static void check_same(const struct table_structure *a, const struct table_structure *b,
                       const struct cycle_structure *targets, unsigned n)
{
    const uint32_t count = table_structure_count(a);
    uint64_t histogram_a[TABLE_FILL_MAX_LAYERS], histogram_b[TABLE_FILL_MAX_LAYERS];
    uint8_t *entries_a = malloc(count), *entries_b = malloc(count);

    ck_assert(entries_a && entries_b);
    ck_assert_uint_eq(table_structure_count(b), count);
    ck_assert_int_eq(table_structure_fill(a, targets, n, entries_a, histogram_a), 0);
    ck_assert_int_eq(table_structure_fill(b, targets, n, entries_b, histogram_b), 0);
    ck_assert_mem_eq(entries_a, entries_b, count);
    ck_assert_mem_eq(histogram_a, histogram_b, sizeof histogram_a);
    free(entries_a);
    free(entries_b);
}

/* Tables of `rounds` random structures, and of those where all cycles have a divisor. */
static void check_engines(const char *orbit, const char *moves, unsigned rounds)
{
    struct puzzle *puzzle = support_puzzle(orbit, moves);
    struct table_structure *lattice = make(puzzle, 0, by_lattice);
    struct table_structure *characters = make(puzzle, 0, by_characters);
    struct support_random random = {rounds};
    const struct perm_orbit *place = &puzzle_shape(puzzle)->orbit[0];
    struct cycle_structure target[3];

    for (unsigned round = 0; round < rounds; round++) {
        uint8_t state[PERM_MAX_BYTES];
        for (unsigned i = 0; i < BASE_COUNT(target); i++) {
            do
                support_random_arrangement(&random, puzzle_shape(puzzle), state);
            while (puzzle_orientation_sum_kept(puzzle, 0) &&
                   perm_orientation_sum(place, state) != 0);
            cycle_of_state(puzzle, state, &target[i]);
        }
        check_same(lattice, characters, target, 1 + round % BASE_COUNT(target));
    }
    for (unsigned length = 1; length <= place->size; length++) {
        for (unsigned oriented = 0; oriented < 2 && oriented < place->mod; oriented++) {
            target[0].n_items = 0;
            for (unsigned used = length; used <= place->size; used += length)
                ck_assert_int_eq(cycle_add(puzzle, target, 0, length, oriented), 0);
            cycle_canonicalise(target);
            check_same(lattice, characters, target, 1);
        }
    }
    table_structure_free(lattice);
    table_structure_free(characters);
    puzzle_release(puzzle);
}

START_TEST(engines_agree)
{
    check_engines("a 12", "A! a(0 1 2 3); B! a(3 4 5 6 7 8 9); C! a(9 10 11)", 30);
    check_engines("a 16", "A! a(0 1 2 3 4); B! a(4 5 6 7 8); C! a(8 9 10 11 12 13 14)", 30);
    check_engines("a 24",
                  "A! a(0 1 2 3); B! a(3 4 5 6) ; C! a(6 7 8 9); D! a(9 10 11 12); E! a(12 13 14 "
                  "15); F! a(15 16 17 18); G! a(18 19 20 21); H! a(21 22 23 0)",
                  30);
    check_engines("a 12*2", "A! a(0 1 2 3 4); B! a(4 5 6 7+1 8+1); C! a(8 9 10 11 1)", 30);
    check_engines("a 11*2", "A! a(0 1 2 3+1); B! a(4 5 6 7+1 8+1); C! a(8 9 10)", 30);
    check_engines("a 9*3", "A! a(0 1 2 3+1 4+2); B! a(4 5 6 7+1 8+2)", 30);
    check_engines("a 8*3", "A! a(0 1 2 3); B! a(4 5 6 7+1 3+1)", 30);
    check_engines("a 6*4", "A! a(0 1 2 3); B! a(4 5 3+1)", 30);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        one_orientation, two_orientations, three_orientations, more_orientations, engines_agree,
    };
    return support_suite_run("table_structure", tests, BASE_COUNT(tests), NULL, NULL, 120);
}
