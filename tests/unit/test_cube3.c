/*
 * test_cube3.c - the 3x3x3 in a register, for every instruction set, against the reference forms of
 * core/perm and core/table.
 */
#include <check.h>
#include <string.h>

#include "core/cpu/cpu.h"
#include "core/table/table.h"
#include "tests/support/support_cube3.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { ROUNDS = 4000 };

static struct puzzle *cube;
static const struct perm_shape *shape;
static const struct support_cube3 *sets[2];
static unsigned n_sets;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    shape = puzzle_shape(cube);
    n_sets = 0;
    sets[n_sets++] = &support_cube3_portable;
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2))
        sets[n_sets++] = &support_cube3_avx2;
#endif
}

static void teardown(void)
{
    puzzle_release(cube);
}

/* ---- conversion and product ------------------------------------------------------------- */

/* Without the flags of its suffix a file would silently test the portable forms twice. */
START_TEST(every_set_is_what_it_says)
{
    ck_assert_str_eq(support_cube3_portable.name, "portable");
#if defined(__x86_64__)
    ck_assert_msg(strcmp(support_cube3_avx2.name, "avx2") == 0,
                  "tests/support/support_cube3_avx2.c must be compiled with the flags of avx2");
#endif
}
END_TEST

START_TEST(the_orbits_decide_what_fits)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    struct puzzle *part = support_puzzle_faces(cube, "U R");
    struct puzzle *swapped = support_puzzle("a 12*2, b 8*3", "A a(0 1) b(0 1)");
    struct puzzle *third = support_puzzle("a 8*3, b 12*2, c 6*4", "A a(0 1) b(0 1)");
    struct puzzle *alike = support_puzzle("a 8*3, b 12*2", "A a(0 1) b(0 1)");

    ck_assert(cube3_fits(cube));
    ck_assert(cube3_fits(part));
    ck_assert(cube3_fits(alike));
    ck_assert(!cube3_fits(pocket));
    ck_assert(!cube3_fits(swapped));
    ck_assert(!cube3_fits(third));
    puzzle_release(pocket);
    puzzle_release(part);
    puzzle_release(swapped);
    puzzle_release(third);
    puzzle_release(alike);
}
END_TEST

START_TEST(conversion_goes_back_and_forth)
{
    struct support_random random = {1};

    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES], back[PERM_MAX_BYTES];
        struct cube3 packed;
        support_random_arrangement(&random, shape, state);
        cube3_from_state(shape, state, &packed);
        cube3_to_state(shape, &packed, back);
        SUPPORT_EXPECT(perm_equal(shape, state, back));
        for (unsigned i = 8; i < 16; i++)
            SUPPORT_EXPECT(packed.b[i] == i);
        for (unsigned i = 28; i < 32; i++)
            SUPPORT_EXPECT(packed.b[i] == i - 16);
    }
}
END_TEST

START_TEST(products_are_those_of_the_reference)
{
    struct support_random random = {2};

    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t s[PERM_MAX_BYTES], m[PERM_MAX_BYTES], product[PERM_MAX_BYTES];
        struct cube3 packed_s, packed_m, expected, out;
        support_random_arrangement(&random, shape, s);
        support_random_arrangement(&random, shape, m);
        perm_compose(shape, s, m, product);
        cube3_from_state(shape, s, &packed_s);
        cube3_from_state(shape, m, &packed_m);
        cube3_from_state(shape, product, &expected);
        for (unsigned i = 0; i < n_sets; i++) {
            sets[i]->compose(&packed_s, &packed_m, &out);
            ck_assert_msg(memcmp(&out, &expected, sizeof out) == 0, "%s", sets[i]->name);
            out = packed_s; /* the result may replace a factor */
            sets[i]->compose(&out, &packed_m, &out);
            ck_assert_mem_eq(&out, &expected, sizeof out);
        }
    }
}
END_TEST

/* ---- indices ---------------------------------------------------------------------------- */

/* The questions of one coordinate, and of the move set it is made for. */
struct asked {
    struct sym_group *group;
    struct table_coord *coord;
    struct table_questions_cube3 *questions;
};

static int questions_of(const struct table_coord *coord, struct table_questions_cube3 **out)
{
    struct table_spec spec = {.coord = coord};
    return table_questions_cube3_new(&spec, out);
}

/* k = 0: exact corners; else k edges. */
static void asked_init(struct asked *asked, const struct puzzle *puzzle, unsigned k)
{
    ck_assert_int_eq(sym_group_new(puzzle, &asked->group), 0);
    if (k == 0)
        ck_assert_int_eq(
            table_coord_new_exact(asked->group, CUBE3_CORNERS, UINT64_MAX, &asked->coord), 0);
    else
        ck_assert_int_eq(
            table_coord_new_subset(asked->group, CUBE3_EDGES, k, UINT64_MAX, &asked->coord), 0);
    ck_assert_int_eq(questions_of(asked->coord, &asked->questions), 0);
    ck_assert_ptr_nonnull(asked->questions);
    ck_assert_int_eq(asked->questions->kind == TABLE_KIND_EXACT, k == 0);
}

static void asked_deinit(struct asked *asked)
{
    table_questions_cube3_free(asked->questions);
    table_coord_free(asked->coord);
    sym_group_free(asked->group);
}

static void check_exact(const struct asked *asked, const struct table_view *view,
                        const struct cube3 *packed)
{
    uint64_t expected = table_coord_index(asked->coord, view);
    ck_assert_uint_lt(expected, asked->coord->size);
    for (unsigned i = 0; i < n_sets; i++) {
        uint64_t index = sets[i]->exact_index(&asked->questions->exact, packed);
        ck_assert_msg(index == expected, "%s: %llu instead of %llu", sets[i]->name,
                      (unsigned long long)index, (unsigned long long)expected);
    }
}

static void check_subset(const struct asked *asked, const struct table_view *view,
                         const struct cube3 *packed, unsigned question)
{
    struct table_view image = *view;
    if (question == 1)
        table_coord_apply_sym(asked->coord, asked->coord->partner, view, &image);
    uint64_t expected = table_coord_index(asked->coord, &image);
    ck_assert_uint_lt(expected, asked->coord->size);
    for (unsigned i = 0; i < n_sets; i++) {
        uint64_t index = sets[i]->subset_index(&asked->questions->subset[question], packed);
        ck_assert_msg(index == expected, "%s, k = %u, question %u: %llu instead of %llu",
                      sets[i]->name, asked->coord->k, question, (unsigned long long)index,
                      (unsigned long long)expected);
    }
}

static void check_indices(const struct puzzle *puzzle, unsigned k, unsigned rounds)
{
    struct support_random random = {k + 3};
    struct asked asked;
    asked_init(&asked, puzzle, k);
    for (unsigned round = 0; round < rounds; round++) {
        uint8_t state[PERM_MAX_BYTES];
        struct table_view view;
        struct cube3 packed;
        support_random_state(&random, puzzle, state);
        cube3_from_state(shape, state, &packed);
        table_coord_view(asked.coord, state, &view);
        if (k == 0)
            check_exact(&asked, &view, &packed);
        for (unsigned q = 0; k > 0 && q < asked.questions->n_questions; q++)
            check_subset(&asked, &view, &packed, q);
    }
    asked_deinit(&asked);
}

START_TEST(exact_indices_are_those_of_the_coordinate)
{
    check_indices(cube, 0, ROUNDS);
}
END_TEST

START_TEST(subset_indices_are_those_of_the_coordinate)
{
    for (unsigned k = 1; k <= TABLE_MAX_PICK; k++) {
        if (table_coord_subset_bytes(cube, CUBE3_EDGES, k) != UINT64_MAX)
            check_indices(cube, k, ROUNDS / 4);
    }
    ck_assert_uint_eq(table_coord_subset_bytes(cube, CUBE3_EDGES, 6), 42577920);
    ck_assert_uint_eq(table_coord_subset_bytes(cube, CUBE3_EDGES, 7), 510935040);
    ck_assert_uint_eq(table_coord_subset_bytes(cube, CUBE3_EDGES, 8), 5109350400u);
}
END_TEST

static void check_product(const struct table_product *product,
                          const struct table_questions_cube3 *questions)
{
    struct support_random random = {11};
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t state[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
        struct cube3 packed;
        support_random_state(&random, cube, state);
        cube3_from_state(shape, state, &packed);
        for (unsigned a = 0; a < product->n_axes; a++) {
            sym_apply(product->group, product->axis[a], state, image);
            uint64_t expected = table_product_index(product, image);
            for (unsigned i = 0; i < n_sets; i++)
                ck_assert_uint_eq(sets[i]->product_index(&questions->product, a, &packed),
                                  expected);
        }
    }
}

START_TEST(product_indices_are_those_of_the_coordinate)
{
    struct sym_group *group;
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    for (unsigned fine = 0; fine < 2; fine++) {
        struct table_product *product;
        struct table_questions_cube3 *questions;
        ck_assert_int_eq(table_product_new(group, fine != 0, TABLE_PRODUCT_FLIP_BITS, &product), 0);
        const struct table_spec spec = {.product = product};
        ck_assert_int_eq(table_questions_cube3_new(&spec, &questions), 0);
        ck_assert_uint_eq(questions->n_questions, 3);
        check_product(product, questions);
        table_questions_cube3_free(questions);
        table_product_free(product);
    }
    sym_group_free(group);
}
END_TEST

START_TEST(restricted_moves_leave_slots_out)
{
    static const char *const faces[] = {"U R F", "U R", "U R D", "R F L", "U", "F B L"};

    for (size_t i = 0; i < sizeof faces / sizeof faces[0]; i++) {
        struct puzzle *puzzle = support_puzzle_faces(cube, faces[i]);
        unsigned movable = puzzle_movable_count(puzzle, CUBE3_EDGES);
        for (unsigned k = 0; k <= 6 && k <= movable; k++)
            check_indices(puzzle, k, ROUNDS / 10);
        puzzle_release(puzzle);
    }
    struct puzzle *half = support_puzzle_only(cube, "U2 R2 F2 D2 L2 B2");
    for (unsigned k = 0; k <= 6; k++)
        check_indices(half, k, ROUNDS / 10);
    puzzle_release(half);
}
END_TEST

START_TEST(six_edges_and_their_image_are_all_edges)
{
    struct asked asked;
    bool seen[12] = {false};

    asked_init(&asked, cube, 6);
    ck_assert_uint_eq(asked.questions->n_questions, 2);
    for (unsigned j = 0; j < 6; j++) {
        unsigned slot = asked.coord->pick[j];
        seen[slot] = seen[asked.coord->sym[asked.coord->partner].slot[slot]] = true;
    }
    for (unsigned slot = 0; slot < 12; slot++)
        ck_assert(seen[slot]);
    asked_deinit(&asked);
}
END_TEST

START_TEST(other_tables_are_not_asked_in_the_register)
{
    struct table_questions_cube3 *questions = NULL;
    struct table_coord *coord = NULL;
    struct sym_group *group = NULL;
    struct puzzle *pocket = support_builtin("2x2x2");

    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    ck_assert_int_eq(table_coord_new_subset(group, CUBE3_CORNERS, 3, UINT64_MAX, &coord), 0);
    ck_assert_int_eq(questions_of(coord, &questions), 0);
    ck_assert_ptr_null(questions);
    table_coord_free(coord);
    sym_group_free(group);
    ck_assert_int_eq(sym_group_new(pocket, &group), 0);
    ck_assert_int_eq(table_coord_new_exact(group, 0, UINT64_MAX, &coord), 0);
    ck_assert_int_eq(questions_of(coord, &questions), 0);
    ck_assert_ptr_null(questions);
    table_coord_free(coord);
    sym_group_free(group);
    puzzle_release(pocket);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        every_set_is_what_it_says,
        the_orbits_decide_what_fits,
        conversion_goes_back_and_forth,
        products_are_those_of_the_reference,
        exact_indices_are_those_of_the_coordinate,
        subset_indices_are_those_of_the_coordinate,
        product_indices_are_those_of_the_coordinate,
        restricted_moves_leave_slots_out,
        six_edges_and_their_image_are_all_edges,
        other_tables_are_not_asked_in_the_register,
    };

    return support_suite_run("cube3", tests, sizeof tests / sizeof tests[0], setup, teardown, 60);
}
