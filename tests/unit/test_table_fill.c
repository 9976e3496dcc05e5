/*
 * test_table_fill.c - filled tables against breadth-first search over all arrangements, known
 * distributions, and bounds along known solutions.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/table/table.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_fill.h"
#include "tests/support/support_graph.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static const struct cycle_structure identity;

static struct sym_group *group_of(const struct puzzle *puzzle)
{
    struct sym_group *group = NULL;

    ck_assert_int_eq(sym_group_new(puzzle, &group), 0);
    return group;
}

/* k = 0: exact. */
static struct table_coord *coord_of(const struct sym_group *group, unsigned orbit, unsigned k)
{
    struct table_coord *coord = NULL;
    int code = k == 0 ? table_coord_new_exact(group, orbit, UINT64_MAX, &coord)
                      : table_coord_new_subset(group, orbit, k, UINT64_MAX, &coord);
    ck_assert_int_eq(code, 0);
    return coord;
}

/* ---- known distributions ---------------------------------------------------------------- */

/* Arrangements at each distance: the entries of a line count once for every permutation in it. */
static void weigh_lines(const struct table_coord *coord, const struct support_filled *filled,
                        uint64_t *count)
{
    uint32_t perms = 1, *members = calloc(coord->n_lines, sizeof *members);
    ck_assert_ptr_nonnull(members);
    for (unsigned i = 2; i <= coord->n; i++)
        perms *= i;
    for (uint32_t rank = 0; rank < perms; rank++)
        members[coord->line_of_perm[rank] >> TABLE_SYM_BITS]++;
    for (uint32_t line = 0; line < coord->n_lines; line++)
        for (uint32_t e = 0; e < coord->width; e++) {
            uint8_t entry = filled->entries[(uint64_t)line * coord->stride + e];
            SUPPORT_EXPECT(entry != TABLE_VACANT);
            SUPPORT_EXPECT(entry <= filled->layers);
            count[entry - 1] += members[line];
        }
    free(members);
}

static void expect_distribution(const struct puzzle *puzzle, const uint64_t *expected,
                                unsigned layers)
{
    struct sym_group *group = group_of(puzzle);
    struct table_coord *coord = coord_of(group, 0, 0);
    struct support_filled filled;
    uint64_t count[TABLE_FILL_MAX_LAYERS] = {0}, total = 0;

    support_fill(coord, &identity, 1, SUPPORT_FILL_IN_ORDER, &filled);
    ck_assert_uint_eq(filled.layers, layers);
    weigh_lines(coord, &filled, count);
    for (unsigned d = 0; d < layers; d++) {
        ck_assert_msg(count[d] == expected[d], "distance %u: %llu", d,
                      (unsigned long long)count[d]);
        total += filled.histogram[d];
    }
    ck_assert_uint_eq(filled.total, total);
    ck_assert_uint_eq(filled.total, (uint64_t)coord->n_lines * coord->width);
    support_fill_free(&filled);
    table_coord_free(coord);
    sym_group_free(group);
}

START_TEST(the_corners_of_the_cube_are_distributed_as_known)
{
    static const uint64_t known[] = {1,       18,      243,      2874,     28000,    205416,
                                     1168516, 5402628, 20776176, 45391616, 15139616, 64736};
    struct puzzle *cube = support_builtin("3x3x3");

    expect_distribution(cube, known, 12);
    puzzle_release(cube);
}
END_TEST

START_TEST(the_pocket_cube_is_distributed_as_known)
{
    static const uint64_t known[] = {1,     9,      54,     321,     1847,   9992,
                                     50136, 227536, 870072, 1887748, 623800, 2644};
    struct puzzle *pocket = support_builtin("2x2x2");

    expect_distribution(pocket, known, 12);
    puzzle_release(pocket);
}
END_TEST

/* ---- against breadth-first search ------------------------------------------------------- */

/* A table, and the distances that it is about. */
struct compared {
    const struct support_graph *graph;
    const struct table_coord *coord;
    const uint8_t *distance;
    struct support_filled filled;
};

static unsigned bound_of(uint8_t entry)
{
    return entry == TABLE_VACANT ? SUPPORT_UNREACHED : entry - 1u;
}

static uint64_t index_of(const struct compared *compared, uint32_t node)
{
    uint8_t state[PERM_MAX_BYTES];
    struct table_view view;
    support_graph_state(compared->graph, node, state);
    table_coord_view(compared->coord, state, &view);
    return table_coord_index(compared->coord, &view);
}

/* Every entry is the least distance of the arrangements that share it; in an exact table, the
 * distance of each of them. */
static void check_entries(const struct compared *compared)
{
    const struct table_coord *coord = compared->coord;
    uint8_t *least = malloc(coord->size);
    ck_assert_ptr_nonnull(least);
    memset(least, SUPPORT_UNREACHED, coord->size);
    for (uint32_t node = 0; node < compared->graph->n_nodes; node++) {
        if (!support_graph_valid(compared->graph, node))
            continue;
        uint64_t index = index_of(compared, node);
        if (compared->distance[node] < least[index])
            least[index] = compared->distance[node];
        SUPPORT_EXPECT(coord->kind != TABLE_COORD_EXACT ||
                       bound_of(compared->filled.entries[index]) == compared->distance[node]);
    }
    for (uint64_t line = 0; line < coord->n_lines; line++)
        for (uint32_t e = 0; e < coord->stride; e++) {
            uint64_t index = line * coord->stride + e;
            SUPPORT_EXPECT(bound_of(compared->filled.entries[index]) == least[index]);
        }
    free(least);
}

static void check_counts(const struct compared *compared)
{
    const struct table_coord *coord = compared->coord;
    uint64_t count[TABLE_FILL_MAX_LAYERS] = {0}, total = 0;
    unsigned layers = 0;
    for (uint64_t i = 0; i < coord->size; i++) {
        uint8_t entry = compared->filled.entries[i];
        if (entry == TABLE_VACANT)
            continue;
        count[entry - 1]++;
        total++;
        layers = entry > layers ? entry : layers;
    }
    ck_assert_mem_eq(count, compared->filled.histogram, sizeof count);
    ck_assert_uint_eq(compared->filled.total, total);
    ck_assert_uint_eq(compared->filled.layers, layers);
}

/* Bounds asked through table_bound, of states and of their inverses, never exceed the distance. */
static void check_bounds(const struct compared *compared)
{
    struct support_random random = {77};
    const struct perm_shape *shape = puzzle_shape(compared->graph->puzzle);
    struct table table;
    support_fill_table_init(&table, compared->coord, &compared->filled);
    for (unsigned round = 0; round < 3000; round++) {
        uint32_t node = support_random_below(&random, compared->graph->n_nodes);
        uint8_t state[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
        if (!support_graph_valid(compared->graph, node))
            continue;
        support_graph_state(compared->graph, node, state);
        perm_invert(shape, state, inverse);
        unsigned bound = table_bound(&table, state, inverse);
        SUPPORT_EXPECT(bound <= compared->distance[node]);
        SUPPORT_EXPECT(bound >= bound_of(compared->filled.entries[index_of(compared, node)]));
        SUPPORT_EXPECT(compared->coord->kind != TABLE_COORD_EXACT ||
                       bound == compared->distance[node]);
    }
    support_fill_table_deinit(&table);
}

static void check_table(const struct support_graph *graph, const struct sym_group *group,
                        unsigned k, const uint8_t *distance,
                        const struct cycle_structure *structures, size_t n)
{
    struct table_coord *coord = coord_of(group, graph->orbit, k);
    struct compared compared = {.graph = graph, .coord = coord, .distance = distance};
    support_fill(coord, structures, n, SUPPORT_FILL_IN_ORDER, &compared.filled);
    check_entries(&compared);
    check_counts(&compared);
    check_bounds(&compared);
    support_fill_free(&compared.filled);
    table_coord_free(coord);
}

enum { ALL_KINDS = 0x1f }; /* bit 0: exact; bit k: k slots */

/* The tables of some kinds for one target. */
static void check_target(const struct support_graph *graph, const struct sym_group *group,
                         unsigned kinds, const struct cycle_structure *structures, size_t n)
{
    uint8_t *distance = support_graph_distances(graph, structures, n);
    for (unsigned k = 0; k <= graph->n; k++)
        if (kinds >> k & 1)
            check_table(graph, group, k, distance, structures, n);
    free(distance);
}

/* The structure of a random state; unreachable from some arrangements, where parities differ. */
static void random_structure(struct support_random *random, const struct puzzle *puzzle,
                             struct cycle_structure *structure)
{
    uint8_t state[PERM_MAX_BYTES];
    support_random_state(random, puzzle, state);
    cycle_of_state(puzzle, state, structure);
}

static void check_orbit(const struct puzzle *puzzle, unsigned orbit, unsigned targets)
{
    struct support_random random = {orbit + 21};
    struct support_graph *graph = support_graph_new(puzzle, orbit);
    struct sym_group *group = group_of(puzzle);
    check_target(graph, group, ALL_KINDS, &identity, 1);
    for (unsigned i = 0; i < targets; i++) {
        struct cycle_structure structures[2];
        random_structure(&random, puzzle, &structures[0]);
        random_structure(&random, puzzle, &structures[1]);
        check_target(graph, group, ALL_KINDS, structures, 1 + i % 2);
    }
    sym_group_free(group);
    support_graph_free(graph);
}

/* Takes the puzzle. */
static void check_puzzle(struct puzzle *puzzle, unsigned targets)
{
    for (unsigned orbit = 0; orbit < puzzle_shape(puzzle)->n_orbits; orbit++)
        if (puzzle_movable_count(puzzle, orbit) > 0)
            check_orbit(puzzle, orbit, targets);
    puzzle_release(puzzle);
}

START_TEST(one_orientation)
{
    check_puzzle(support_puzzle("a 6", "A a(0 1); B a(1 2); C a(2 3); D a(3 4); E a(4 5)"), 4);
    check_puzzle(support_puzzle("a 7", "A a(0 2 3 5); B a(3 4 5)"), 4);
    check_puzzle(support_puzzle("a 7", "A a(0 1 2 3 4 5 6); B! a(0 1)"), 4);
}
END_TEST

START_TEST(two_orientations)
{
    check_puzzle(support_puzzle("a 5*2", "A a(0 1+1 2+1); B a(2 3+1 4+1)"), 4);
    check_puzzle(support_puzzle("a 5*2", "A! a(0 1 2+1); B! a(2 3 4+1)"), 4);
    check_puzzle(support_puzzle("a 6*2", "A a(0 1+1 2+1 3); B a(3 4+1 5+1)"), 3);
    check_puzzle(support_puzzle("a 6*2", "A! a(0 1+1); B! a(1 2+1); C! a(2 3+1); D! a(3 4+1)"), 3);
}
END_TEST

START_TEST(three_and_more_orientations)
{
    check_puzzle(support_puzzle("a 4*3", "A! a(0 1+1 2); B! a(1 2 3+1)"), 4);
    check_puzzle(support_puzzle("a 5*3", "A a(0 1+1 2+2); B a(2 3+1 4+2)"), 4);
    check_puzzle(support_puzzle("a 3*3", "A! a(0 1+1); B! a(1 2+1); C! a(2 0+1)"), 4);
    check_puzzle(support_puzzle("a 4*4", "A! a(0+1 1+3); B! a(1+1 2+3); C! a(2+1 3+3)"), 4);
    check_puzzle(support_puzzle("a 4*5", "A! a(0 1+1 2+4); B! a(2 3+2)"), 4);
    check_puzzle(support_puzzle("a 4*6", "A! a(0 1+2 2+4); B! a(1 2 3)"), 4);
}
END_TEST

START_TEST(several_orbits)
{
    check_puzzle(
        support_puzzle("a 4*2, b 4*2", "A a(0 1 2+1 3+1); B b(0 1 2+1 3+1); C a(0 1) b(0 1)"), 3);
    check_puzzle(support_puzzle("a 6, b 6*2", "A a(0 2 3) b(0 1+1 2+1); B a(3 4 5) b(2 3+1 5+1)"),
                 3);
}
END_TEST

/* Two parts of one orbit that no move connects: whole arrangements can be out of reach. */
START_TEST(orbits_in_parts)
{
    check_puzzle(support_puzzle("a 6", "A a(0 1 2); B a(3 4 5)"), 4);
    check_puzzle(support_puzzle("a 5*3", "A! a(0 1+1); B! a(2 3 4+1)"), 4);
    check_puzzle(support_puzzle("a 6*2", "A a(0 1+1 2+1); B a(3 4+1 5+1)"), 4);
}
END_TEST

START_TEST(restricted_pocket_cubes)
{
    static const char *const moves[] = {"U2 R2", "U R2", "U R"};
    struct puzzle *pocket = support_builtin("2x2x2");

    for (size_t i = 0; i < 3; i++)
        check_puzzle(support_puzzle_only(pocket, moves[i]), 1);
    puzzle_release(pocket);
}
END_TEST

START_TEST(the_pocket_cube)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct support_random random = {8};
    struct support_graph *graph = support_graph_new(pocket, 0);
    struct sym_group *group = group_of(pocket);
    struct cycle_structure structure;

    check_target(graph, group, 1 << 0 | 1 << 4, &identity, 1);
    random_structure(&random, pocket, &structure);
    check_target(graph, group, 1 << 0, &structure, 1);
    sym_group_free(group);
    support_graph_free(graph);
    puzzle_release(pocket);
}
END_TEST

/* ---- order of the work ------------------------------------------------------------------ */

static void check_order(const struct sym_group *group, unsigned orbit, unsigned k,
                        const struct cycle_structure *structure)
{
    struct table_coord *coord = coord_of(group, orbit, k);
    struct support_filled in_order, other;
    support_fill(coord, structure, 1, SUPPORT_FILL_IN_ORDER, &in_order);
    for (unsigned how = SUPPORT_FILL_SHUFFLED; how <= SUPPORT_FILL_THREADS; how++) {
        support_fill(coord, structure, 1, (enum support_fill_how)how, &other);
        ck_assert_int_eq(memcmp(in_order.entries, other.entries, coord->size), 0);
        ck_assert_mem_eq(in_order.histogram, other.histogram, sizeof other.histogram);
        ck_assert_uint_eq(in_order.total, other.total);
        support_fill_free(&other);
    }
    support_fill_free(&in_order);
    table_coord_free(coord);
}

START_TEST(chunks_may_be_run_in_any_order_by_any_thread)
{
    struct puzzle *cube = support_builtin("3x3x3"), *pocket = support_builtin("2x2x2");
    struct sym_group *of_cube = group_of(cube), *of_pocket = group_of(pocket);
    struct cycle_structure structure;
    struct support_random random = {3};

    random_structure(&random, cube, &structure);
    check_order(of_cube, 1, 4, &structure);
    check_order(of_cube, 0, 3, &structure);
    random_structure(&random, pocket, &structure);
    check_order(of_pocket, 0, 0, &structure);
    check_order(of_pocket, 0, 0, &identity);
    check_order(of_pocket, 0, 4, &identity);
    sym_group_free(of_cube);
    sym_group_free(of_pocket);
    puzzle_release(cube);
    puzzle_release(pocket);
}
END_TEST

/* After every layer what is set is final, and what is vacant is farther. */
START_TEST(growing_tables_are_admissible)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct sym_group *group = group_of(pocket);
    struct table_coord *coord = coord_of(group, 0, 3);
    struct support_filled filled;
    struct table_image *image = NULL;
    struct table_fill *fill = NULL;
    uint8_t *entries = calloc(coord->size, 1);
    bool more = true;

    support_fill(coord, &identity, 1, SUPPORT_FILL_IN_ORDER, &filled);
    ck_assert_int_eq(table_image_new(coord, &identity, 1, &image), 0);
    ck_assert_int_eq(table_fill_new(coord, image, entries, &fill), 0);
    ck_assert_uint_eq(table_fill_layers(fill), 0);
    while (more) {
        for (unsigned i = 0; i < table_fill_chunks(fill); i++)
            table_fill_run(fill, i);
        more = table_fill_next(fill);
        unsigned layers = table_fill_layers(fill);
        for (uint64_t i = 0; i < coord->size; i++) {
            bool is_set = filled.entries[i] != TABLE_VACANT && filled.entries[i] <= layers;
            SUPPORT_EXPECT(entries[i] == (is_set ? filled.entries[i] : TABLE_VACANT));
        }
    }
    ck_assert_uint_eq(table_fill_layers(fill), filled.layers);
    table_fill_free(fill);
    table_image_free(image);
    free(entries);
    support_fill_free(&filled);
    table_coord_free(coord);
    sym_group_free(group);
    puzzle_release(pocket);
}
END_TEST

/* A target that the orbit cannot have: nothing is marked, all is unreachable. */
START_TEST(an_impossible_target_leaves_the_table_vacant)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct sym_group *group = group_of(pocket);
    struct cycle_structure structure = {0};

    ck_assert_int_eq(cycle_add(pocket, &structure, 0, 1, true), 0);
    for (unsigned k = 0; k <= 7; k += 7) {
        struct table_coord *coord = coord_of(group, 0, k);
        struct support_filled filled;
        struct table table;
        uint8_t state[PERM_MAX_BYTES];
        support_fill(coord, &structure, 1, SUPPORT_FILL_IN_ORDER, &filled);
        ck_assert_uint_eq(filled.total, 0);
        ck_assert_uint_eq(filled.layers, 0);
        support_fill_table_init(&table, coord, &filled);
        perm_identity(puzzle_shape(pocket), state);
        ck_assert_uint_eq(table_bound(&table, state, state), TABLE_UNREACHABLE);
        support_fill_table_deinit(&table);
        support_fill_free(&filled);
        table_coord_free(coord);
    }
    sym_group_free(group);
    puzzle_release(pocket);
}
END_TEST

/* Translations of entries must work for the most orientations a subset accepts. */
START_TEST(many_orientations_are_filled_or_refused)
{
    static const unsigned mods[] = {7, 16, 17, 40, 64, 65, 127};

    for (size_t i = 0; i < sizeof mods / sizeof mods[0]; i++) {
        char orbit[16];
        snprintf(orbit, sizeof orbit, "a 3*%u", mods[i]);
        struct puzzle *puzzle = support_puzzle(orbit, "A! a(0 1+1 2+1)");
        struct sym_group *group = group_of(puzzle);
        struct table_coord *coord = NULL;
        if (table_coord_new_subset(group, 0, 3, UINT64_MAX, &coord) == 0) {
            struct support_filled filled;
            support_fill(coord, &identity, 1, SUPPORT_FILL_IN_ORDER, &filled);
            ck_assert_uint_ge(filled.total, 1);
            support_fill_free(&filled);
        }
        table_coord_free(coord);
        sym_group_free(group);
        puzzle_release(puzzle);
    }
}
END_TEST

/* ---- bounds along solutions ------------------------------------------------------------- */

/* The state after every prefix of a solution is at most the rest of it away from the target. */
static void check_along(const struct table *table, const struct puzzle *puzzle,
                        const uint8_t *start, const uint8_t *word, unsigned length)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    for (unsigned at = 0; at <= length; at++) {
        uint8_t state[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
        puzzle_apply_word(puzzle, start, word, at, state);
        perm_invert(shape, state, inverse);
        unsigned bound = table_bound(table, state, inverse);
        if (bound > length - at)
            ck_abort_msg("bound %u with %u of %u moves left", bound, length - at, length);
    }
}

/* All rotations of the word are solutions as well. */
static void check_solution(const struct table *table, const struct puzzle *puzzle, uint8_t *word,
                           unsigned length)
{
    for (unsigned turn = 0; turn < length; turn++) {
        uint8_t first = word[0];
        check_along(table, puzzle, NULL, word, length);
        memmove(word, word + 1, length - 1);
        word[length - 1] = first;
    }
}

static void check_structure(const struct sym_group *group, const struct table_coord *coord,
                            const struct support_structure *row)
{
    struct support_filled filled;
    struct table table;
    uint8_t word[SUPPORT_MAX_WORD];
    unsigned length = support_word_parse(group->puzzle, row->example, word);
    support_fill(coord, &row->structure, 1, SUPPORT_FILL_IN_ORDER, &filled);
    support_fill_table_init(&table, coord, &filled);
    check_solution(&table, group->puzzle, word, length);
    support_fill_table_deinit(&table);
    support_fill_free(&filled);
}

/* Every so many rows of the file that have an example. */
static void check_structures(unsigned orbit, unsigned k, unsigned step)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct sym_group *group = group_of(cube);
    struct table_coord *coord = coord_of(group, orbit, k);
    struct support_structure row;
    FILE *file = support_structures_open();
    unsigned checked = 0;
    for (unsigned number = 0; support_structures_next(file, cube, &row); number++) {
        if (number % step != step / 2 || row.example[0] == '\0')
            continue;
        check_structure(group, coord, &row);
        checked++;
    }
    ck_assert_uint_ge(checked, 2);
    fclose(file);
    table_coord_free(coord);
    sym_group_free(group);
    puzzle_release(cube);
}

START_TEST(subsets_are_admissible_along_solutions)
{
    check_structures(1, 4, 200);
    check_structures(0, 4, 200);
}
END_TEST

START_TEST(exact_corners_are_admissible_along_solutions)
{
    check_structures(0, 0, 1100);
}
END_TEST

/* A scramble may lie outside the group that the moves generate, where a map of moves has several
 * relabellings behind it that differ. */
START_TEST(exact_corners_are_admissible_outside_the_group)
{
    static const char *const moves[] = {"F2 B2 U2 D2", "F B"};
    struct puzzle *cube = support_builtin("3x3x3");
    struct support_random random = {99};

    for (size_t i = 0; i < 2; i++) {
        struct puzzle *part = support_puzzle_only(cube, moves[i]);
        struct sym_group *group = group_of(part);
        struct table_coord *coord = coord_of(group, 0, 0);
        for (unsigned round = 0; round < 8; round++) {
            enum { LENGTH = 2 };
            uint8_t start[PERM_MAX_BYTES], end[PERM_MAX_BYTES], word[LENGTH];
            struct cycle_structure target;
            struct support_filled filled;
            struct table table;
            support_random_state(&random, cube, start);
            support_random_word(&random, part, word, LENGTH);
            puzzle_apply_word(part, start, word, LENGTH, end);
            cycle_of_state(part, end, &target);
            support_fill(coord, &target, 1, SUPPORT_FILL_IN_ORDER, &filled);
            support_fill_table_init(&table, coord, &filled);
            check_along(&table, part, start, word, LENGTH);
            support_fill_table_deinit(&table);
            support_fill_free(&filled);
        }
        table_coord_free(coord);
        sym_group_free(group);
        puzzle_release(part);
    }
    puzzle_release(cube);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        the_corners_of_the_cube_are_distributed_as_known,
        the_pocket_cube_is_distributed_as_known,
        one_orientation,
        two_orientations,
        three_and_more_orientations,
        several_orbits,
        orbits_in_parts,
        restricted_pocket_cubes,
        the_pocket_cube,
        chunks_may_be_run_in_any_order_by_any_thread,
        growing_tables_are_admissible,
        an_impossible_target_leaves_the_table_vacant,
        many_orientations_are_filled_or_refused,
        subsets_are_admissible_along_solutions,
        exact_corners_are_admissible_along_solutions,
        exact_corners_are_admissible_outside_the_group,
    };

    return support_suite_run("table_fill", tests, sizeof tests / sizeof tests[0], NULL, NULL, 120);
}
