/*
 * test_table_coord.c - ranks, and the coordinates of exact and subset tables: every arrangement has
 * one index, and shares it with those it should and no others.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_coord.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_graph.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

/* ---- ranks ------------------------------------------------------------------------------ */

/* Ranks count up, and the arrangements behind them ascend as words do. */
static void check_ranks(unsigned count, unsigned n)
{
    uint8_t values[8], previous[8];
    uint32_t ranks = 1;
    for (unsigned i = 0; i < count; i++)
        ranks *= n - i;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t seen = 0;
        table_unrank(rank, count, n, values);
        for (unsigned i = 0; i < count; i++) {
            SUPPORT_EXPECT(values[i] < n);
            SUPPORT_EXPECT(!(seen >> values[i] & 1));
            seen |= 1u << values[i];
        }
        SUPPORT_EXPECT(table_rank(values, count, n) == rank);
        if (rank > 0)
            SUPPORT_EXPECT(memcmp(previous, values, count) < 0);
        memcpy(previous, values, count);
    }
}

START_TEST(ranks_are_numbers_of_words)
{
    for (unsigned n = 1; n <= 8; n++)
        for (unsigned count = 1; count <= n; count++)
            check_ranks(count, n);
    check_ranks(3, 24);
    check_ranks(4, 12);
}
END_TEST

/* ---- puzzles ---------------------------------------------------------------------------- */

static struct puzzle *part_of(const char *name, const char *faces)
{
    struct puzzle *whole = support_builtin(name);
    struct puzzle *part = support_puzzle_faces(whole, faces);

    puzzle_release(whole);
    return part;
}

enum { N_SMALL = 8 };

/* Small puzzles of all sorts: 1 to 4 orientations, sums kept or not, slots that stay, symmetries
 * that fix slots, that turn frames, that exchange orbits. */
static struct puzzle *small_puzzle(unsigned i)
{
    switch (i) {
    case 0:
        return support_puzzle("a 5", "A a(0 1); B a(1 2); C a(2 3); D a(3 4); E a(4 0)");
    case 1:
        return support_puzzle("a 6", "A a(0 2 3); B a(3 4 5)");
    case 2:
        return support_puzzle("a 5*2", "A a(0 1+1 2+1); B a(2 3+1 4+1)");
    case 3:
        return support_puzzle("a 5*2", "A! a(0 1 2+1); B! a(2 3 4+1)");
    case 4:
        return support_puzzle("a 4*3", "A! a(0 1+1 2); B! a(1 2 3+1)");
    case 5:
        return support_puzzle("a 6*3", "A a(0 1+1 2+2 4); B a(4 2+1 5+2)");
    case 6:
        return support_puzzle("a 4*4", "A! a(0+1 1+3); B! a(1+1 2+3); C! a(2+1 3+3)");
    default:
        return support_puzzle("a 4*2, b 4*2",
                              "A a(0 1 2+1 3+1); B b(0 1 2+1 3+1); C a(0 1) b(0 1)");
    }
}

/* ---- exact ------------------------------------------------------------------------------ */

static struct sym_group *group_of(const struct puzzle *puzzle)
{
    struct sym_group *group = NULL;

    ck_assert_int_eq(sym_group_new(puzzle, &group), 0);
    return group;
}

static struct table_coord *exact_of(const struct sym_group *group, unsigned orbit)
{
    struct table_coord *coord = NULL;

    ck_assert_int_eq(table_coord_new_exact(group, orbit, UINT64_MAX, &coord), 0);
    return coord;
}

static void view_of_node(const struct support_graph *graph, const struct table_coord *coord,
                         uint32_t node, struct table_view *view)
{
    uint8_t state[PERM_MAX_BYTES];
    support_graph_state(graph, node, state);
    table_coord_view(coord, state, view);
}

static bool views_equal(const struct table_coord *coord, const struct table_view *a,
                        const struct table_view *b)
{
    return memcmp(a->piece, b->piece, coord->n) == 0 && memcmp(a->turn, b->turn, coord->n) == 0;
}

/* Symmetric arrangements share a line; the index of one that is its line's representative is read
 * off its turns. */
static void check_exact_node(const struct table_coord *coord, const struct table_view *view)
{
    uint64_t index = table_coord_index(coord, view);
    uint32_t line = (uint32_t)(index / coord->stride), entry = (uint32_t)(index % coord->stride);
    struct table_view representative, image;
    bool is_image = false;
    SUPPORT_EXPECT(line < coord->n_lines);
    SUPPORT_EXPECT(entry < coord->width);
    table_coord_line(coord, line, &representative);
    for (unsigned j = 0; j < coord->n_digits; j++, entry /= coord->mod)
        representative.turn[j] = (uint8_t)(entry % coord->mod);
    for (unsigned s = 0; s < coord->n_syms; s++) {
        table_coord_apply_sym(coord, s, view, &image);
        SUPPORT_EXPECT(table_coord_index(coord, &image) / coord->stride == line);
        is_image = is_image || (memcmp(image.piece, representative.piece, coord->n) == 0 &&
                                memcmp(image.turn, representative.turn, coord->n_digits) == 0);
    }
    ck_assert_msg(is_image, "line %u is no image of the arrangement", line);
}

/* Every index is the image of some arrangement, so exactly the arrangements' classes have one. */
static void check_exact(const struct puzzle *puzzle, unsigned orbit)
{
    struct support_graph *graph = support_graph_new(puzzle, orbit);
    struct sym_group *group = group_of(puzzle);
    struct table_coord *coord = exact_of(group, orbit);
    uint8_t *hit = calloc(coord->size, 1);
    uint64_t hits = 0;
    ck_assert_ptr_nonnull(hit);
    SUPPORT_EXPECT(coord->n == graph->n);
    SUPPORT_EXPECT(coord->stride >= coord->width);
    SUPPORT_EXPECT(coord->size == (uint64_t)coord->n_lines * coord->stride);
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        struct table_view view;
        if (!support_graph_valid(graph, node))
            continue;
        view_of_node(graph, coord, node, &view);
        check_exact_node(coord, &view);
        uint64_t index = table_coord_index(coord, &view);
        hits += !hit[index];
        hit[index] = 1;
    }
    SUPPORT_EXPECT(hits == (uint64_t)coord->n_lines * coord->width);
    free(hit);
    table_coord_free(coord);
    sym_group_free(group);
    support_graph_free(graph);
}

START_TEST(exact_indices_are_classes)
{
    for (unsigned i = 0; i < N_SMALL; i++) {
        struct puzzle *puzzle = small_puzzle(i);
        for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++)
            check_exact(puzzle, k);
        puzzle_release(puzzle);
    }
}
END_TEST

START_TEST(exact_indices_of_restricted_cubes_are_classes)
{
    static const char *const faces[] = {"U", "U R"};

    for (size_t i = 0; i < sizeof faces / sizeof faces[0]; i++) {
        struct puzzle *puzzle = part_of("2x2x2", faces[i]);
        check_exact(puzzle, 0);
        puzzle_release(puzzle);
    }
}
END_TEST

/* Number of classes of the permutations of n slots under the symmetries, by Burnside's lemma. */
static unsigned burnside(const struct table_coord *coord)
{
    uint64_t fixed = 0;
    uint8_t piece[8];
    uint32_t perms = 1;
    for (unsigned i = 2; i <= coord->n; i++)
        perms *= i;
    for (unsigned s = 0; s < coord->n_syms; s++) {
        const uint8_t *slot = coord->sym[s].slot;
        for (uint32_t rank = 0; rank < perms; rank++) {
            bool is_fixed = true;
            table_unrank(rank, coord->n, coord->n, piece);
            for (unsigned i = 0; is_fixed && i < coord->n; i++)
                is_fixed = piece[slot[i]] == slot[piece[i]];
            fixed += is_fixed;
        }
    }
    return (unsigned)(fixed / coord->n_syms);
}

START_TEST(the_corners_have_984_lines)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct sym_group *group = group_of(cube);
    struct table_coord *coord = exact_of(group, 0);
    struct support_random random = {4};

    ck_assert_uint_eq(coord->n_lines, 984);
    ck_assert_uint_eq(coord->n_syms, 48);
    ck_assert_uint_eq(coord->width, 2187);
    ck_assert_uint_eq(coord->stride, 2192);
    ck_assert_uint_eq(burnside(coord), 984);
    ck_assert_uint_ge(table_coord_exact_bytes(cube, 0, 48), coord->size);
    for (unsigned round = 0; round < 500; round++) {
        uint8_t state[PERM_MAX_BYTES];
        struct table_view view;
        support_random_state(&random, cube, state);
        table_coord_view(coord, state, &view);
        check_exact_node(coord, &view);
    }
    table_coord_free(coord);
    sym_group_free(group);
    puzzle_release(cube);
}
END_TEST

START_TEST(estimates_of_exact_tables_suffice)
{
    static const char *const faces[] = {"U R F", "U R", "U R D", "U D", "U", "U R F D", "U R D L"};

    for (size_t i = 0; i < sizeof faces / sizeof faces[0]; i++) {
        struct puzzle *puzzle = part_of("3x3x3", faces[i]);
        struct sym_group *group = group_of(puzzle);
        struct table_coord *coord = exact_of(group, 0);
        ck_assert_uint_eq(burnside(coord), coord->n_lines);
        ck_assert_msg(table_coord_exact_bytes(puzzle, 0, coord->n_syms) >= coord->size,
                      "<%s>: %llu bytes, estimated %llu", faces[i], (unsigned long long)coord->size,
                      (unsigned long long)table_coord_exact_bytes(puzzle, 0, coord->n_syms));
        table_coord_free(coord);
        sym_group_free(group);
        puzzle_release(puzzle);
    }
}
END_TEST

/* ---- symmetries of the view ------------------------------------------------------------- */

START_TEST(symmetries_of_the_view_are_those_of_the_state)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct sym_group *group = group_of(cube);
    struct support_random random = {8};

    for (unsigned orbit = 0; orbit < 2; orbit++) {
        struct table_coord *coord = NULL;
        ck_assert_int_eq(table_coord_new_subset(group, orbit, 3, UINT64_MAX, &coord), 0);
        ck_assert_uint_eq(coord->n_syms, group->count);
        for (unsigned s = 0; s < coord->n_syms; s++) {
            uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
            struct table_view view, of_image, image_of_view;
            support_random_state(&random, cube, state);
            sym_apply(group, s, state, image);
            table_coord_view(coord, state, &view);
            table_coord_view(coord, image, &of_image);
            table_coord_apply_sym(coord, s, &view, &image_of_view);
            ck_assert(views_equal(coord, &of_image, &image_of_view));
        }
        table_coord_free(coord);
    }
    sym_group_free(group);
    puzzle_release(cube);
}
END_TEST

/* ---- subsets ---------------------------------------------------------------------------- */

/* What the picked slots hold, as a number of its own making. */
static uint64_t content_of(const struct table_coord *coord, const struct table_view *view)
{
    uint64_t content = 0;
    for (unsigned j = 0; j < coord->k; j++)
        content = (content * coord->n + view->piece[coord->pick[j]]) * coord->mod +
                  view->turn[coord->pick[j]];
    return content;
}

struct by_content {
    uint64_t content, index;
};

static int order_by_content(const void *a, const void *b)
{
    const struct by_content *x = a, *y = b;
    return x->content < y->content ? -1 : x->content > y->content;
}

static int order_by_index(const void *a, const void *b)
{
    const struct by_content *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Equal contents have equal indices and unequal ones unequal. */
static void check_one_to_one(struct by_content *pair, size_t n)
{
    qsort(pair, n, sizeof *pair, order_by_content);
    for (size_t i = 1; i < n; i++)
        SUPPORT_EXPECT(pair[i].content != pair[i - 1].content ||
                       pair[i].index == pair[i - 1].index);
    qsort(pair, n, sizeof *pair, order_by_index);
    for (size_t i = 1; i < n; i++)
        SUPPORT_EXPECT(pair[i].index != pair[i - 1].index ||
                       pair[i].content == pair[i - 1].content);
}

static void check_subset(const struct puzzle *puzzle, unsigned orbit, unsigned k)
{
    struct support_graph *graph = support_graph_new(puzzle, orbit);
    struct sym_group *group = group_of(puzzle);
    struct table_coord *coord = NULL;
    struct by_content *pair = malloc(graph->n_nodes * sizeof *pair);
    size_t n = 0;
    ck_assert_ptr_nonnull(pair);
    SUPPORT_EXPECT(table_coord_new_subset(group, orbit, k, UINT64_MAX, &coord) == 0);
    SUPPORT_EXPECT(coord->size == table_coord_subset_bytes(puzzle, orbit, k));
    SUPPORT_EXPECT(coord->n_lines == coord->n_heads * coord->n_tails);
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        struct table_view view, line;
        if (!support_graph_valid(graph, node))
            continue;
        view_of_node(graph, coord, node, &view);
        uint64_t index = table_coord_index(coord, &view);
        SUPPORT_EXPECT(index < coord->size);
        table_coord_line(coord, (uint32_t)(index / coord->stride), &line);
        for (unsigned j = 0; j < k; j++)
            SUPPORT_EXPECT(line.piece[j] == view.piece[coord->pick[j]]);
        pair[n++] = (struct by_content){content_of(coord, &view), index};
    }
    check_one_to_one(pair, n);
    free(pair);
    table_coord_free(coord);
    sym_group_free(group);
    support_graph_free(graph);
}

START_TEST(subset_indices_are_contents)
{
    for (unsigned i = 0; i < N_SMALL; i++) {
        struct puzzle *puzzle = small_puzzle(i);
        for (unsigned orbit = 0; orbit < puzzle_shape(puzzle)->n_orbits; orbit++)
            for (unsigned k = 1; k <= puzzle_movable_count(puzzle, orbit); k++)
                check_subset(puzzle, orbit, k);
        puzzle_release(puzzle);
    }
}
END_TEST

START_TEST(picked_slots_and_partner_see_as_much_as_can_be)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct sym_group *group = group_of(cube);

    for (unsigned k = 1; k <= 8; k++) {
        struct table_coord *coord = NULL;
        uint32_t seen = 0, picked = 0;
        ck_assert_int_eq(table_coord_new_subset(group, 1, k, UINT64_MAX, &coord), 0);
        for (unsigned j = 0; j < k; j++) {
            ck_assert_uint_lt(coord->pick[j], 12);
            picked |= 1u << coord->pick[j];
            seen |= 1u << coord->sym[coord->partner].slot[coord->pick[j]];
        }
        ck_assert_int_eq(__builtin_popcount(picked), (int)k);
        ck_assert_int_eq(__builtin_popcount(picked | seen), k < 6 ? 2 * (int)k : 12);
        table_coord_free(coord);
    }
    sym_group_free(group);
    puzzle_release(cube);
}
END_TEST

/* ---- refusals --------------------------------------------------------------------------- */

static void expect_exact(const struct puzzle *puzzle, unsigned orbit, uint64_t bytes, int code)
{
    struct sym_group *group = group_of(puzzle);
    struct table_coord *coord = NULL;

    ck_assert_int_eq(table_coord_new_exact(group, orbit, bytes, &coord), code);
    ck_assert_int_eq(coord == NULL, code != 0);
    table_coord_free(coord);
    sym_group_free(group);
}

static void expect_subset(const struct puzzle *puzzle, unsigned orbit, unsigned k, uint64_t bytes,
                          int code)
{
    struct sym_group *group = group_of(puzzle);
    struct table_coord *coord = NULL;

    ck_assert_int_eq(table_coord_new_subset(group, orbit, k, bytes, &coord), code);
    ck_assert_int_eq(coord == NULL, code != 0);
    if (code == BASE_ERR_RANGE)
        ck_assert_uint_eq(table_coord_subset_bytes(puzzle, orbit, k), UINT64_MAX);
    table_coord_free(coord);
    sym_group_free(group);
}

START_TEST(what_does_not_fit_is_refused)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct puzzle *still = support_puzzle("a 4, b 70, c 4", "A a(0 1); B b(0 1)");

    expect_exact(cube, 0, 984 * 2192, 0);
    expect_exact(cube, 0, 984 * 2192 - 1, BASE_ERR_MEMORY_LIMIT);
    expect_exact(cube, 1, UINT64_MAX, BASE_ERR_RANGE);
    expect_exact(still, 0, UINT64_MAX, 0);
    expect_exact(still, 2, UINT64_MAX, BASE_ERR_RANGE);
    expect_subset(cube, 1, 6, 42577920, 0);
    expect_subset(cube, 1, 6, 42577919, BASE_ERR_MEMORY_LIMIT);
    expect_subset(cube, 1, 0, UINT64_MAX, BASE_ERR_RANGE);
    expect_subset(cube, 1, 9, UINT64_MAX, BASE_ERR_RANGE);
    expect_subset(cube, 0, 9, UINT64_MAX, BASE_ERR_RANGE);
    expect_subset(still, 0, 3, UINT64_MAX, BASE_ERR_RANGE);
    expect_subset(still, 2, 1, UINT64_MAX, BASE_ERR_RANGE);
    puzzle_release(cube);
    puzzle_release(still);
}
END_TEST

/* A single cycle through the first `slots` slots of an orbit. */
static struct puzzle *wheel(unsigned slots)
{
    struct puzzle_builder *builder = puzzle_builder_new("wheel");
    struct puzzle *puzzle = NULL;
    uint8_t transform[2 * 70] = {0};

    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "a", 70, 1, NULL), 0);
    for (unsigned i = 0; i < 70; i++)
        transform[i] = (uint8_t)(i < slots ? (i + 1) % slots : i);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "A", transform, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    return puzzle;
}

START_TEST(sixty_four_movable_slots_are_the_most)
{
    struct puzzle *full = wheel(64), *over = wheel(65);

    expect_subset(full, 0, 2, UINT64_MAX, 0);
    expect_subset(over, 0, 2, UINT64_MAX, BASE_ERR_RANGE);
    expect_exact(full, 0, UINT64_MAX, BASE_ERR_RANGE);
    puzzle_release(full);
    puzzle_release(over);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        ranks_are_numbers_of_words,
        exact_indices_are_classes,
        exact_indices_of_restricted_cubes_are_classes,
        the_corners_have_984_lines,
        estimates_of_exact_tables_suffice,
        symmetries_of_the_view_are_those_of_the_state,
        subset_indices_are_contents,
        picked_slots_and_partner_see_as_much_as_can_be,
        what_does_not_fit_is_refused,
        sixty_four_movable_slots_are_the_most,
    };

    return support_suite_run("table_coord", tests, sizeof tests / sizeof tests[0], NULL, NULL, 60);
}
