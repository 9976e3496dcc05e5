/*
 * test_table_hash.c - hash tables against breadth-first search over all arrangements, whether they
 * reach all or end early; and the order of a fill's work.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/table/table.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_graph.h"
#include "tests/support/support_hash.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_wings.h"
#include "tests/support/support_word.h"

enum { NO_SCRATCH = 1, AMPLE = 64 << 20 };

static const struct cycle_structure identity;

/* ---- against breadth-first search ------------------------------------------------------- */

/* The least distance of the arrangements that share each index. New, free with free(). */
static uint8_t *least_distances(const struct support_graph *graph, const struct table_hash *hash,
                                const uint8_t *distance)
{
    uint8_t *least = malloc(hash->size);
    ck_assert_ptr_nonnull(least);
    memset(least, SUPPORT_UNREACHED, hash->size);
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        uint8_t state[PERM_MAX_BYTES];
        if (!support_graph_valid(graph, node))
            continue;
        support_graph_state(graph, node, state);
        uint64_t index = table_hash_index(hash, state);
        SUPPORT_EXPECT(index < hash->size);
        if (distance[node] < least[index])
            least[index] = distance[node];
    }
    return least;
}

/* Complete layers are exact. What is farther is "at least that", and vacant only if nothing is
 * farther. */
static void check_entries(const struct support_hashed *filled, const uint8_t *least)
{
    for (uint64_t i = 0; i < filled->hash->size; i++) {
        unsigned bound = table_entry_bound(filled->entries[i]);
        unsigned exact = least[i] < filled->layers ? least[i] : filled->layers;
        if (filled->entries[i] == TABLE_VACANT)
            SUPPORT_EXPECT(least[i] == SUPPORT_UNREACHED);
        else
            SUPPORT_EXPECT(bound == exact);
    }
}

static void check_counts(const struct support_hashed *filled)
{
    uint64_t count[TABLE_FILL_MAX_LAYERS] = {0}, total = 0;
    for (uint64_t i = 0; i < filled->hash->size; i++) {
        if (filled->entries[i] == TABLE_VACANT)
            continue;
        ck_assert_uint_le(filled->entries[i], filled->layers + 1);
        count[filled->entries[i] - 1]++;
        total++;
    }
    ck_assert_mem_eq(count, filled->histogram, sizeof count);
    ck_assert_uint_eq(filled->total, total);
}

/* The farthest distance + 1. */
static unsigned all_layers(const struct support_graph *graph, const uint8_t *distance)
{
    unsigned layers = 0;
    for (uint32_t node = 0; node < graph->n_nodes; node++)
        if (distance[node] != SUPPORT_UNREACHED && distance[node] + 1u > layers)
            layers = distance[node] + 1u;
    return layers;
}

struct compared {
    const struct support_graph *graph;
    const struct sym_group *group;
    const struct cycle_structure *structures;
    size_t n;
    const uint8_t *distance;
};

/* Fills a table of one size with each amount of scratch memory; layers[i]: what it completed. */
static void check_tables(const struct compared *compared, uint64_t size, const uint64_t *scratch,
                         size_t n, unsigned *layers)
{
    struct table_hash *hash = support_hash_new(compared->group, compared->graph->orbit, size);
    uint8_t *least = least_distances(compared->graph, hash, compared->distance);
    for (size_t i = 0; i < n; i++) {
        const struct table_hash_target target = {hash, compared->structures, compared->n,
                                                 scratch[i]};
        struct support_hashed filled;
        support_hash_fill(&target, SUPPORT_FILL_IN_ORDER, &filled);
        check_entries(&filled, least);
        check_counts(&filled);
        layers[i] = filled.layers;
        support_hash_free(&filled);
    }
    free(least);
    table_hash_free(hash);
}

/* Tables with more entries than states, of which all are reached, given the memory; and smaller
 * ones. */
static void check_target(const struct support_graph *graph, const struct sym_group *group,
                         const struct cycle_structure *structures, size_t n)
{
    static const uint64_t scratch[] = {NO_SCRATCH, 1 << 14, 1 << 16, AMPLE};
    uint8_t *distance = support_graph_distances(graph, structures, n);
    const struct compared compared = {graph, group, structures, n, distance};
    unsigned layers[4];
    check_tables(&compared, 2 * graph->n_nodes + 1000, scratch, 4, layers);
    ck_assert_uint_eq(layers[0], all_layers(graph, distance) > 0);
    ck_assert_uint_eq(layers[3], all_layers(graph, distance));
    check_tables(&compared, graph->n_nodes / 9 + 10, scratch + 2, 2, layers);
    check_tables(&compared, 97, scratch + 2, 2, layers);
    check_tables(&compared, 1, scratch + 3, 1, layers);
    free(distance);
}

static void random_structure(struct support_random *random, const struct puzzle *puzzle,
                             struct cycle_structure *structure)
{
    uint8_t state[PERM_MAX_BYTES];
    support_random_state(random, puzzle, state);
    cycle_of_state(puzzle, state, structure);
}

static void check_orbit(const struct puzzle *puzzle, unsigned orbit, unsigned targets)
{
    struct support_random random = {orbit + 31};
    struct support_graph *graph = support_graph_new(puzzle, orbit);
    struct sym_group *group = support_hash_group(puzzle);
    check_target(graph, group, &identity, 1);
    for (unsigned i = 0; i < targets; i++) {
        struct cycle_structure structures[3];
        for (unsigned s = 0; s < 3; s++)
            random_structure(&random, puzzle, &structures[s]);
        check_target(graph, group, structures, i % 2 ? 3 : 1);
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
    check_puzzle(support_puzzle("a 6", "A a(0 1); B a(1 2); C a(2 3); D a(3 4); E a(4 5)"), 3);
    check_puzzle(support_puzzle("a 7", "A a(0 2 3 5); B a(3 4 5)"), 3);
    check_puzzle(support_puzzle("a 7", "A a(0 1 2 3 4 5 6); B! a(0 1)"), 3);
    check_puzzle(support_puzzle("a 8", "A a(0 1 2 3); B a(2 3 4 5); C a(4 5 6 7)"), 2);
}
END_TEST

START_TEST(two_orientations)
{
    check_puzzle(support_puzzle("a 5*2", "A a(0 1+1 2+1); B a(2 3+1 4+1)"), 3);
    check_puzzle(support_puzzle("a 5*2", "A! a(0 1 2+1); B! a(2 3 4+1)"), 3);
    check_puzzle(support_puzzle("a 6*2", "A a(0 1+1 2+1 3); B a(3 4+1 5+1)"), 2);
}
END_TEST

START_TEST(three_and_more_orientations)
{
    check_puzzle(support_puzzle("a 4*3", "A! a(0 1+1 2); B! a(1 2 3+1)"), 3);
    check_puzzle(support_puzzle("a 5*3", "A a(0 1+1 2+2); B a(2 3+1 4+2)"), 3);
    check_puzzle(support_puzzle("a 3*3", "A! a(0 1+1); B! a(1 2+1); C! a(2 0+1)"), 3);
    check_puzzle(support_puzzle("a 4*4", "A! a(0+1 1+3); B! a(1+1 2+3); C! a(2+1 3+3)"), 3);
    check_puzzle(support_puzzle("a 4*5", "A! a(0 1+1 2+4); B! a(2 3+2)"), 2);
    check_puzzle(support_puzzle("a 4*6", "A! a(0 1+2 2+4); B! a(1 2 3)"), 3);
}
END_TEST

START_TEST(several_orbits_and_orbits_in_parts)
{
    check_puzzle(
        support_puzzle("a 4*2, b 4*2", "A a(0 1 2+1 3+1); B b(0 1 2+1 3+1); C a(0 1) b(0 1)"), 2);
    check_puzzle(support_puzzle("a 6, b 6*2", "A a(0 2 3) b(0 1+1 2+1); B a(3 4 5) b(2 3+1 5+1)"),
                 2);
    check_puzzle(support_puzzle("a 6", "A a(0 1 2); B a(3 4 5)"), 2);
    check_puzzle(support_puzzle("a 5*3", "A! a(0 1+1); B! a(2 3 4+1)"), 2);
}
END_TEST

START_TEST(restricted_pocket_cubes)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    check_puzzle(support_puzzle_only(pocket, "U R2"), 1);
    puzzle_release(pocket);
}
END_TEST

/* All 3 674 160 states. The less scratch memory, the fewer layers; they are right all the same. */
START_TEST(the_pocket_cube)
{
    static const uint64_t scratch[] = {20000, 400000, AMPLE};
    unsigned layers[3];
    struct puzzle *pocket = support_builtin("2x2x2");
    struct support_graph *graph = support_graph_new(pocket, 0);
    struct sym_group *group = support_hash_group(pocket);
    uint8_t *distance = support_graph_distances(graph, &identity, 1);
    const struct compared compared = {graph, group, &identity, 1, distance};
    check_tables(&compared, 3000017, scratch, 3, layers);
    ck_assert_uint_eq(layers[0], 7);
    ck_assert_uint_eq(layers[1], 9);
    ck_assert_uint_eq(layers[2], 12);
    free(distance);
    sym_group_free(group);
    support_graph_free(graph);
    puzzle_release(pocket);
}
END_TEST

/* Distances above what an entry can say: one piece that turns by one of 127. */
START_TEST(what_is_too_far_for_an_entry_is_at_least_the_most)
{
    struct puzzle *puzzle = support_puzzle("a 1*127", "A! a(0+1)");
    struct support_graph *graph = support_graph_new(puzzle, 0);
    struct sym_group *group = support_hash_group(puzzle);
    uint8_t *distance = support_graph_distances(graph, &identity, 1);
    const struct compared compared = {graph, group, &identity, 1, distance};
    const uint64_t scratch = AMPLE;
    unsigned layers;
    ck_assert_uint_eq(all_layers(graph, distance), 64);
    check_tables(&compared, 100000, &scratch, 1, &layers);
    ck_assert_uint_eq(layers, TABLE_HASH_MAX_BOUND);
    free(distance);
    sym_group_free(group);
    support_graph_free(graph);
    puzzle_release(puzzle);
}
END_TEST

START_TEST(an_impossible_target_leaves_the_table_vacant)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct sym_group *group = support_hash_group(pocket);
    struct table_hash *hash = support_hash_new(group, 0, 1000);
    struct cycle_structure structure = {0};
    ck_assert_int_eq(cycle_add(pocket, &structure, 0, 1, true), 0);
    for (uint64_t scratch = NO_SCRATCH; scratch <= AMPLE; scratch += AMPLE - NO_SCRATCH) {
        const struct table_hash_target target = {hash, &structure, 1, scratch};
        struct support_hashed filled;
        support_hash_fill(&target, SUPPORT_FILL_IN_ORDER, &filled);
        ck_assert_uint_eq(filled.layers, 0);
        ck_assert_uint_eq(filled.total, 0);
        ck_assert_uint_eq(support_hash_vacant(&filled), 1000);
        support_hash_free(&filled);
    }
    table_hash_free(hash);
    sym_group_free(group);
    puzzle_release(pocket);
}
END_TEST

/* ---- order of the work ------------------------------------------------------------------ */

static void check_order(const struct table_hash_target *target)
{
    struct support_hashed in_order, other;
    support_hash_fill(target, SUPPORT_FILL_IN_ORDER, &in_order);
    for (unsigned how = SUPPORT_FILL_SHUFFLED; how <= SUPPORT_FILL_THREADS; how++) {
        support_hash_fill(target, (enum support_fill_how)how, &other);
        ck_assert_int_eq(memcmp(in_order.entries, other.entries, target->hash->size), 0);
        ck_assert_mem_eq(in_order.histogram, other.histogram, sizeof other.histogram);
        ck_assert_uint_eq(in_order.total, other.total);
        ck_assert_uint_eq(in_order.layers, other.layers);
        support_hash_free(&other);
    }
    support_hash_free(&in_order);
}

/* With all memory wanted, and with so little that a set is full in the middle of a layer. */
START_TEST(chunks_may_be_run_in_any_order_by_any_thread)
{
    static const uint64_t scratch[] = {60000, 200000, 600000, 2000000};
    struct puzzle *pocket = support_builtin("2x2x2"), *wings = support_wings("X4 Y4 Z4 X3");
    struct sym_group *of_pocket = support_hash_group(pocket), *of_wings = support_hash_group(wings);
    struct table_hash *pocket_hash = support_hash_new(of_pocket, 0, 100003);
    struct table_hash *wings_hash = support_hash_new(of_wings, 0, 300007);
    struct cycle_structure cycles[2] = {{0}, {0}};
    ck_assert_int_eq(cycle_add(wings, &cycles[0], 0, 3, false), 0);
    ck_assert_int_eq(cycle_add(wings, &cycles[1], 0, 2, false), 0);
    for (size_t i = 0; i < sizeof scratch / sizeof scratch[0]; i++) {
        check_order(&(struct table_hash_target){pocket_hash, &identity, 1, scratch[i]});
        check_order(&(struct table_hash_target){wings_hash, cycles, 2, scratch[i]});
    }
    table_hash_free(pocket_hash);
    table_hash_free(wings_hash);
    sym_group_free(of_pocket);
    sym_group_free(of_wings);
    puzzle_release(pocket);
    puzzle_release(wings);
}
END_TEST

/* After every pass what is set is final, and what is vacant is farther. */
START_TEST(growing_tables_are_admissible)
{
    struct puzzle *puzzle = support_puzzle("a 8", "A a(0 1 2 3); B a(2 3 4 5); C a(4 5 6 7)");
    struct support_graph *graph = support_graph_new(puzzle, 0);
    struct sym_group *group = support_hash_group(puzzle);
    struct table_hash *hash = support_hash_new(group, 0, 100003);
    const struct table_hash_target target = {hash, &identity, 1, AMPLE};
    uint8_t *distance = support_graph_distances(graph, &identity, 1);
    uint8_t *least = least_distances(graph, hash, distance), *entries = calloc(hash->size, 1);
    struct table_fill *fill = NULL;
    bool more = true;

    ck_assert_int_eq(table_fill_new_hash(&target, entries, &fill, NULL), 0);
    ck_assert_uint_eq(table_fill_layers(fill), 0);
    while (more) {
        for (unsigned i = 0; i < table_fill_chunks(fill); i++)
            table_fill_run(fill, i);
        more = table_fill_next(fill);
        for (uint64_t i = 0; i < hash->size; i++)
            SUPPORT_EXPECT(least[i] < table_fill_layers(fill) ? entries[i] == least[i] + 1
                                                              : entries[i] == TABLE_VACANT);
    }
    ck_assert_uint_eq(table_fill_layers(fill), all_layers(graph, distance));
    table_fill_free(fill);
    free(entries);
    free(least);
    free(distance);
    table_hash_free(hash);
    sym_group_free(group);
    support_graph_free(graph);
    puzzle_release(puzzle);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        one_orientation,
        two_orientations,
        three_and_more_orientations,
        several_orbits_and_orbits_in_parts,
        restricted_pocket_cubes,
        the_pocket_cube,
        what_is_too_far_for_an_entry_is_at_least_the_most,
        an_impossible_target_leaves_the_table_vacant,
        chunks_may_be_run_in_any_order_by_any_thread,
        growing_tables_are_admissible,
    };

    return support_suite_run("table_hash", tests, sizeof tests / sizeof tests[0], NULL, NULL, 120);
}
