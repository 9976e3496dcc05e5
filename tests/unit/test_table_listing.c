/*
 * test_table_listing.c - the listing of a target's image against all arrangements of small orbits,
 * and against counts of states in large ones.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_listing.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_graph.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_wings.h"
#include "tests/support/support_word.h"

/* A listing with its arrangements as states of the puzzle, everything else solved. */
struct listed {
    struct puzzle *puzzle;
    unsigned orbit;
    uint64_t size;
    size_t bytes; /* of a state */
    uint8_t *state;
};

static void state_of(const struct puzzle *puzzle, unsigned orbit, const struct table_view *view,
                     uint8_t *state)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    const struct perm_orbit *at = &shape->orbit[orbit];
    uint8_t slot_of[256];
    unsigned n = 0;

    perm_identity(shape, state);
    for (unsigned slot = 0; slot < at->size; slot++)
        if (puzzle_slot_movable(puzzle, orbit, slot))
            slot_of[n++] = (uint8_t)slot;
    for (unsigned i = 0; i < n; i++) {
        SUPPORT_EXPECT(view->piece[i] < n);
        state[at->offset + slot_of[i]] = slot_of[view->piece[i]];
        state[at->offset + at->size + slot_of[i]] = view->turn[i];
    }
    SUPPORT_EXPECT(perm_check(shape, state, NULL) == 0);
}

static void listed_init(struct listed *listed, struct puzzle *puzzle, unsigned orbit,
                        const struct cycle_structure *structures, size_t n)
{
    struct table_listing *listing = NULL;
    uint64_t count;

    *listed = (struct listed){.puzzle = puzzle, .orbit = orbit};
    listed->bytes = puzzle_shape(puzzle)->bytes;
    ck_assert_int_eq(table_listing_new(puzzle, orbit, structures, n, &listing, NULL), 0);
    ck_assert_int_eq(table_listing_count(puzzle, orbit, structures, n, &count), 0);
    listed->size = table_listing_size(listing);
    ck_assert_uint_eq(listed->size, count);
    listed->state = malloc(listed->size * listed->bytes + 1);
    ck_assert_ptr_nonnull(listed->state);
    for (uint64_t rank = 0; rank < listed->size; rank++) {
        struct table_view view;
        table_listing_at(listing, rank, &view);
        state_of(puzzle, orbit, &view, listed->state + rank * listed->bytes);
    }
    table_listing_free(listing);
}

static int compare(const void *a, const void *b, void *bytes)
{
    return memcmp(a, b, *(const size_t *)bytes);
}

/* Every state has one of the structures in the orbit, and none comes twice. */
static void check_states(struct listed *listed, const struct cycle_structure *structures, size_t n)
{
    const bool kept = puzzle_orientation_sum_kept(listed->puzzle, listed->orbit);
    const struct perm_orbit *orbit = &puzzle_shape(listed->puzzle)->orbit[listed->orbit];

    qsort_r(listed->state, listed->size, listed->bytes, compare, &listed->bytes);
    for (uint64_t i = 0; i < listed->size; i++) {
        const uint8_t *state = listed->state + i * listed->bytes;
        struct cycle_structure has, wants;
        bool found = false;
        SUPPORT_EXPECT(i == 0 || memcmp(state - listed->bytes, state, listed->bytes) != 0);
        SUPPORT_EXPECT(!kept || perm_orientation_sum(orbit, state) == 0);
        cycle_of_state(listed->puzzle, state, &has);
        for (size_t s = 0; !found && s < n; s++) {
            cycle_project(&structures[s], listed->orbit, &wants);
            cycle_canonicalise(&wants);
            found = cycle_equal(&has, &wants);
        }
        SUPPORT_EXPECT(found);
    }
}

static uint64_t check_listing(struct puzzle *puzzle, unsigned orbit,
                              const struct cycle_structure *structures, size_t n)
{
    struct listed listed;
    listed_init(&listed, puzzle, orbit, structures, n);
    check_states(&listed, structures, n);
    free(listed.state);
    return listed.size;
}

/* ---- small orbits: all arrangements ------------------------------------------------------ */

static uint64_t count_nodes(const struct support_graph *graph,
                            const struct cycle_structure *structures, size_t n)
{
    uint64_t count = 0;
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        bool has = false;
        for (size_t s = 0; !has && support_graph_valid(graph, node) && s < n; s++)
            has = support_graph_has_structure(graph, node, &structures[s]);
        count += has;
    }
    return count;
}

/* The structures of random arrangements, which need not be reachable: one, and three together, one
 * of them twice. */
static void check_orbit(struct puzzle *puzzle, unsigned orbit)
{
    struct support_random random = {17};
    struct support_graph *graph = support_graph_new(puzzle, orbit);

    for (unsigned round = 0; round < 12; round++) {
        struct cycle_structure structures[4];
        uint8_t state[PERM_MAX_BYTES];
        size_t n = round % 2 ? 4 : 1;
        for (size_t i = 0; i < 3; i++) {
            support_random_arrangement(&random, puzzle_shape(puzzle), state);
            cycle_of_state(puzzle, state, &structures[i]);
        }
        structures[3] = structures[1];
        ck_assert_uint_eq(check_listing(puzzle, orbit, structures, n),
                          count_nodes(graph, structures, n));
    }
    support_graph_free(graph);
}

/* Takes the puzzle. */
static void check_puzzle(struct puzzle *puzzle)
{
    for (unsigned orbit = 0; orbit < puzzle_shape(puzzle)->n_orbits; orbit++)
        check_orbit(puzzle, orbit);
    puzzle_release(puzzle);
}

START_TEST(small_orbits_are_listed_as_enumeration_finds_them)
{
    check_puzzle(support_puzzle("a 7", "A a(0 1 2 3); B a(3 4 5 6)"));
    check_puzzle(support_puzzle("a 8", "A a(0 2 3 5); B a(3 4 5)"));
    check_puzzle(support_puzzle("a 5*2", "A a(0 1+1 2+1); B a(2 3+1 4+1)"));
    check_puzzle(support_puzzle("a 5*2", "A! a(0 1 2+1); B! a(2 3 4+1)"));
    check_puzzle(support_puzzle("a 5*3", "A a(0 1+1 2+2); B a(2 3+1 4+2)"));
    check_puzzle(support_puzzle("a 4*3", "A! a(0 1+1 2); B! a(1 2 3+1)"));
    check_puzzle(support_puzzle("a 4*4", "A! a(0+1 1+3); B! a(1+1 2+3); C! a(2+1 3+3)"));
    check_puzzle(support_puzzle("a 4*6", "A! a(0 1+2 2+4); B! a(1 2 3)"));
    check_puzzle(support_puzzle("a 3*7, b 6", "A a(0 1+1 2+6) b(0 1 2 3); B b(2 3 4 5)"));
}
END_TEST

/* Whether all structures of an orbit together are all its arrangements. */
START_TEST(all_structures_together_are_all_arrangements)
{
    struct puzzle *puzzle = support_puzzle("a 5*3", "A a(0 1+1 2+2); B a(2 3+1 4+2); C! a(0 1)");
    struct support_graph *graph = support_graph_new(puzzle, 0);
    struct cycle_structure *structures = calloc(256, sizeof *structures);
    size_t n = 0;
    ck_assert_ptr_nonnull(structures);
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        uint8_t state[PERM_MAX_BYTES];
        bool known = !support_graph_valid(graph, node);
        support_graph_state(graph, node, state);
        cycle_of_state(puzzle, state, &structures[n]);
        for (size_t i = 0; !known && i < n; i++)
            known = cycle_equal(&structures[i], &structures[n]);
        n += !known;
        ck_assert_uint_lt(n, 256);
    }
    ck_assert_uint_eq(check_listing(puzzle, 0, structures, n), 120 * 81);
    free(structures);
    support_graph_free(graph);
    puzzle_release(puzzle);
}
END_TEST

/* ---- large orbits: counts ----------------------------------------------------------------- */

static struct cycle_structure parse(const struct puzzle *puzzle, const char *text)
{
    struct cycle_structure structure;
    ck_assert_int_eq(cycle_parse(puzzle, text, strlen(text), &structure, NULL), 0);
    cycle_canonicalise(&structure);
    return structure;
}

static uint64_t count_of(const struct puzzle *puzzle, const struct cycle_structure *structure)
{
    struct cycle_count count;
    char *end;
    cycle_count_states(puzzle, structure, &count);
    uint64_t number = strtoull(count.decimal, &end, 10);
    ck_assert(*end == '\0' && number != UINT64_MAX);
    return number;
}

START_TEST(large_orbits_have_as_many_as_are_counted)
{
    static const char *const of_wings[] = {"w:",        "w: (2)", "w: (3)",
                                           "w: (2, 2)", "w: (4)", "w: (2, 3)"};
    static const char *const of_edges[] = {"e:",          "e: (1+, 1+)",    "e: (1+) x12",
                                           "e: (3)",      "e: (3+, 1+)",    "e: (2, 2)",
                                           "e: (2+, 2+)", "e: (1+, 1+, 3)", "e: (2+, 2, 1+)"};
    static const char *const of_corners[] = {"c: (1+) x8", "c: (1+, 1+, 1+)", "c: (3+, 1+)",
                                             "c: (2+, 2, 1+)", "c: (5+, 1+)"};
    struct puzzle *wings = support_wings(NULL), *cube = support_builtin("3x3x3");
    for (size_t i = 0; i < sizeof of_wings / sizeof of_wings[0]; i++) {
        struct cycle_structure structure = parse(wings, of_wings[i]);
        ck_assert_uint_eq(check_listing(wings, 0, &structure, 1), count_of(wings, &structure));
    }
    for (size_t i = 0; i < sizeof of_edges / sizeof of_edges[0]; i++) {
        struct cycle_structure structure = parse(cube, of_edges[i]);
        ck_assert_uint_eq(check_listing(cube, 1, &structure, 1), count_of(cube, &structure));
    }
    for (size_t i = 0; i < sizeof of_corners / sizeof of_corners[0]; i++) {
        struct cycle_structure structure = parse(cube, of_corners[i]);
        ck_assert_uint_eq(check_listing(cube, 0, &structure, 1), count_of(cube, &structure));
    }
    puzzle_release(wings);
    puzzle_release(cube);
}
END_TEST

/* Only the orbit's items count, whatever order they are in, and equal projections count once. */
START_TEST(structures_are_cut_down_to_the_orbit)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct cycle_structure structures[4] = {parse(cube, "c: (3) / e: (1+, 1+)"),
                                            parse(cube, "c: (1+, 1+) / e: (1+, 1+)"),
                                            parse(cube, "c: (3) / e: (3)"),
                                            {0}};

    ck_assert_int_eq(cycle_add(cube, &structures[3], 1, 3, false), 0);
    ck_assert_int_eq(cycle_add(cube, &structures[3], 0, 5, false), 0);
    ck_assert_int_eq(cycle_add(cube, &structures[3], 1, 1, false), 0);
    /* two flipped edges: 66; three-cycles of edges, plain: 12 * 11 * 10 / 3 * 4 = 1760 */
    ck_assert_uint_eq(check_listing(cube, 1, structures, 2), 66);
    ck_assert_uint_eq(check_listing(cube, 1, structures, 4), 66 + 1760);
    puzzle_release(cube);
}
END_TEST

/* ---- what is refused ---------------------------------------------------------------------- */

START_TEST(images_too_large_are_refused_with_the_way_out)
{
    struct puzzle *wings = support_wings(NULL);
    struct cycle_structure structures[2] = {parse(wings, "w: (5)"), parse(wings, "w:")};
    struct table_listing *listing = NULL;
    struct base_diag diag = {0};
    uint64_t count;

    /* 24 * 23 * 22 * 21 * 20 / 5 */
    ck_assert_int_eq(table_listing_count(wings, 0, structures, 2, &count), 0);
    ck_assert_uint_eq(count, 1020096 + 1);
    ck_assert_int_eq(table_listing_new(wings, 0, structures, 2, &listing, &diag), 0);
    ck_assert_uint_eq(table_listing_size(listing), 1020096 + 1);
    table_listing_free(listing);

    structures[1] = parse(wings, "w: (2, 3)");
    ck_assert_int_eq(table_listing_new(wings, 0, structures, 2, &listing, &diag),
                     BASE_ERR_TOO_LARGE);
    ck_assert_ptr_null(listing);
    ck_assert_ptr_nonnull(strstr(diag.text, "piece subset"));
    ck_assert_ptr_nonnull(strstr(diag.text, "wings"));
    ck_assert_ptr_nonnull(strstr(diag.text, "1.87e+06"));

    structures[0] = parse(wings, "w: (24)");
    ck_assert_int_eq(table_listing_count(wings, 0, structures, 1, &count), 0);
    ck_assert_uint_eq(count, UINT64_MAX);
    ck_assert_int_eq(table_listing_new(wings, 0, structures, 1, &listing, &diag),
                     BASE_ERR_TOO_LARGE);
    ck_assert_ptr_nonnull(strstr(diag.text, "2.59e+22"));
    puzzle_release(wings);
}
END_TEST

START_TEST(what_the_orbit_cannot_have_is_an_empty_list)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct cycle_structure structure = {0};
    ck_assert_int_eq(cycle_add(pocket, &structure, 0, 1, true), 0);
    ck_assert_uint_eq(check_listing(pocket, 0, &structure, 1), 0); /* the sum is kept */
    ck_assert_int_eq(cycle_add(pocket, &structure, 0, 7, false), 0);
    ck_assert_uint_eq(check_listing(pocket, 0, &structure, 1), 0); /* seven pieces can move */
    ck_assert_uint_eq(check_listing(pocket, 0, NULL, 0), 0);
    puzzle_release(pocket);

    struct puzzle *plain = support_puzzle("a 4", "A a(0 1 2 3)");
    memset(&structure, 0, sizeof structure);
    ck_assert_int_eq(cycle_add(plain, &structure, 0, 2, true), 0);
    ck_assert_uint_eq(check_listing(plain, 0, &structure, 1), 0); /* nothing can be turned */
    puzzle_release(plain);
}
END_TEST

START_TEST(orbits_that_tables_cannot_handle_are_refused)
{
    struct puzzle *puzzle = support_puzzle("a 2, b 3", "A a(0 1)");
    const struct cycle_structure identity = {0};
    struct table_listing *listing = NULL;
    struct base_diag diag = {0};
    ck_assert_int_eq(table_listing_new(puzzle, 1, &identity, 1, &listing, &diag), BASE_ERR_RANGE);
    ck_assert_ptr_nonnull(strstr(diag.text, "0 movable"));
    puzzle_release(puzzle);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        small_orbits_are_listed_as_enumeration_finds_them,
        all_structures_together_are_all_arrangements,
        large_orbits_have_as_many_as_are_counted,
        structures_are_cut_down_to_the_orbit,
        images_too_large_are_refused_with_the_way_out,
        what_the_orbit_cannot_have_is_an_empty_list,
        orbits_that_tables_cannot_handle_are_refused,
    };

    return support_suite_run("table_listing", tests, sizeof tests / sizeof tests[0], NULL, NULL,
                             120);
}
