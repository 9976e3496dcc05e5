/*
 * test_table_structure.c - tables of cycle structures: against brute force on small orbits, one
 * engine against the other on larger ones; numbers of structures in all forms, and limits.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cpu/cpu.h"
#include "core/table/table_fill.h"
#include "core/table/table_structure.h"
#include "core/table/table_structure_int.h"
#include "tests/support/support_conjugates.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_register.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static const struct table__engines by_lattice = {.lattice = true};
static const struct table__engines by_characters = {.characters = true};
static const struct table__engines by_any = {.lattice = true, .characters = true};

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

/* ---- numbers ------------------------------------------------------------------------------ */

struct count {
    const struct table_structure *structure;
    uint32_t n;
};

static bool check_number(void *arg, const struct cycle_structure *structure)
{
    struct count *count = arg;
    uint32_t number = UINT32_MAX;
    ck_assert_int_eq(table_structure_find(count->structure, structure, &number), 0);
    ck_assert_uint_eq(number, count->n++);
    return true;
}

/* The only orbit has odd moves, so every structure of it is one of the puzzle. */
static void check_order(const char *orbit, const char *moves)
{
    struct puzzle *puzzle = support_puzzle(orbit, moves);
    struct table_structure *structure = make(puzzle, 0, by_any);
    struct count count = {structure, 0};
    ck_assert_int_eq(cycle_enumerate(puzzle, check_number, &count), 0);
    ck_assert_uint_eq(count.n, table_structure_count(structure));
    table_structure_free(structure);
    puzzle_release(puzzle);
}

START_TEST(numbers_are_those_of_the_canonical_order)
{
    check_order("a 12", "A a(0 1); B a(1 2 3 4 5 6 7 8 9 10 11)");
    check_order("a 9*2", "A! a(0 1 2 3); B! a(3 4+1 5 6+1 7 8)");
    check_order("a 7*2", "A! a(0+1 1 2 3); B! a(3 4+1 5 6+1)");
    check_order("a 8*3", "A! a(0 1 2 3); B! a(3 4 5+1 6+2); C! a(6 7)");
    check_order("a 6*5", "A! a(0 1 2 3); B! a(3 4+1 5 2)");
}
END_TEST

START_TEST(the_cube_has_140_and_588)
{
    struct puzzle *cube = support_builtin("3x3x3"), *pocket = support_builtin("2x2x2");
    struct table_structure *structure = make(cube, 0, by_any);
    ck_assert_uint_eq(table_structure_count(structure), 140);
    table_structure_free(structure);
    structure = make(cube, 1, by_any);
    ck_assert_uint_eq(table_structure_count(structure), 588);
    table_structure_free(structure);
    structure = make(pocket, 0, by_any); /* one corner stays */
    ck_assert_uint_eq(table_structure_count(structure), 80);
    table_structure_free(structure);
    puzzle_release(cube);
    puzzle_release(pocket);
}
END_TEST

/* table_structure_index of states and the number of the structure as cycle_of_state gives it. */
static void check_index(const struct puzzle *puzzle, unsigned orbit)
{
    struct table_structure *structure = make(puzzle, orbit, by_any);
    struct support_random random = {orbit + 5};

    for (unsigned round = 0; round < 3000; round++) {
        struct cycle_structure cycles;
        uint8_t state[PERM_MAX_BYTES], word[100];
        uint32_t number;
        unsigned length = round % BASE_COUNT(word);
        support_random_word(&random, puzzle, word, length);
        puzzle_apply_word(puzzle, NULL, word, length, state);
        cycle_of_state(puzzle, state, &cycles);
        ck_assert_int_eq(table_structure_find(structure, &cycles, &number), 0);
        SUPPORT_EXPECT(table_structure_index(structure, state) == number);
        SUPPORT_EXPECT(number < table_structure_count(structure));
    }
    table_structure_free(structure);
}

START_TEST(states_have_the_number_of_their_structure)
{
    struct puzzle *puzzle = support_builtin("3x3x3");
    struct puzzle *part = support_puzzle_only(puzzle, "U R2");
    for (unsigned orbit = 0; orbit < 2; orbit++) {
        check_index(puzzle, orbit);
        check_index(part, orbit);
    }
    puzzle_release(puzzle);
    puzzle_release(part);
    puzzle = support_puzzle("a 5*6, b 200*2, c 13",
                            "A! a(0 1+5 2) b(3 70+1 140); B! b(140 199 3+1 68) c(0 1 2 3 4 5 6);"
                            "C! a(2 3+1) b(199+1 198) c(6 7) c(8 9 10 11 12)");
    for (unsigned orbit = 0; orbit < 3; orbit++)
        check_index(puzzle, orbit);
    puzzle_release(puzzle);
    puzzle = support_puzzle("a 20*3", "A a(0 1 2+1 3+2 4); B a(4 5 6 7 8); C a(8 9 10 11 12);"
                                      "D a(12 13 14 15 16); E a(16 17 18 19 3)");
    check_index(puzzle, 0);
    puzzle_release(puzzle);
}
END_TEST

/* States that have no structure in the table get some number of one. */
START_TEST(numbers_stay_below_the_count)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct puzzle *part = support_puzzle_only(cube, "U R2");
    struct table_structure *structure = make(part, 1, by_any);
    struct support_random random = {9};
    for (unsigned round = 0; round < 3000; round++) {
        uint8_t state[PERM_MAX_BYTES];
        support_random_arrangement(&random, puzzle_shape(cube), state);
        SUPPORT_EXPECT(table_structure_index(structure, state) < table_structure_count(structure));
    }
    table_structure_free(structure);
    puzzle_release(part);
    puzzle_release(cube);
}
END_TEST

/* Without the flags of its suffix a file would silently test the portable forms twice. */
START_TEST(every_set_is_what_it_says)
{
    ck_assert_str_eq(support_register_portable.name, "portable");
#if defined(__x86_64__)
    ck_assert_str_eq(support_register_avx2.name, "avx2");
    ck_assert_str_eq(support_register_avx512.name, "avx512");
#endif
}
END_TEST

static void check_register(const struct puzzle *puzzle, const struct support_register *set)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    struct support_random random = {3};

    for (unsigned orbit = 0; orbit < 2; orbit++) {
        struct table_structure *structure = make(puzzle, orbit, by_any);
        const struct table_structure_keys *keys = table_structure_keys(structure);
        for (unsigned round = 0; round < 4000; round++) {
            uint8_t state[PERM_MAX_BYTES], word[8];
            struct cube3 packed;
            support_random_word(&random, puzzle, word, sizeof word);
            if (round % 2)
                support_random_state(&random, puzzle, state);
            else
                puzzle_apply_word(puzzle, NULL, word, round / 2 % sizeof word, state);
            cube3_from_state(shape, state, &packed);
            ck_assert_msg(set->structure[orbit](keys, &packed) ==
                              table_structure_index(structure, state),
                          "%s, orbit %u, round %u", set->name, orbit, round);
        }
        table_structure_free(structure);
    }
}

START_TEST(registers_have_the_number_of_their_state)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct puzzle *part = support_puzzle_faces(cube, "U R");

    check_register(cube, &support_register_portable);
    check_register(part, &support_register_portable);
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2)) {
        check_register(cube, &support_register_avx2);
        check_register(part, &support_register_avx2);
    }
    if (cpu_has(cpu_detect(), CPU_AVX512)) {
        check_register(cube, &support_register_avx512);
        check_register(part, &support_register_avx512);
    }
#endif
    puzzle_release(part);
    puzzle_release(cube);
}
END_TEST

/* ---- limits ------------------------------------------------------------------------------- */

static void check_refused(const char *orbit, const char *moves)
{
    struct puzzle *puzzle = support_puzzle(orbit, moves);
    struct table_structure *structure;
    ck_assert_int_eq(table_structure_new(puzzle, 0, &structure), BASE_ERR_TOO_LARGE);
    ck_assert_ptr_null(structure);
    puzzle_release(puzzle);
}

/* A move that takes all of so many pieces in cycles of five, another that moves all one on. */
static void check_chain(unsigned pieces, const char *orientations, bool refused)
{
    char orbit[32], moves[2048];
    size_t used = 0;
    snprintf(orbit, sizeof orbit, "a %u%s", pieces, orientations);
    for (unsigned at = 0; at + 4 < pieces + 3; at += 4) {
        unsigned first = at + 4 < pieces ? at : pieces - 5;
        used +=
            (size_t)snprintf(moves + used, sizeof moves - used, "%sM%u a(%u %u %u %u %u)",
                             at ? "; " : "", at, first, first + 1, first + 2, first + 3, first + 4);
    }
    if (refused) {
        check_refused(orbit, moves);
        return;
    }
    struct puzzle *puzzle = support_puzzle(orbit, moves);
    struct table_structure *structure = make(puzzle, 0, by_any);
    ck_assert_uint_gt(table_structure_memory(structure), table_structure_count(structure));
    table_structure_free(structure);
    puzzle_release(puzzle);
}

START_TEST(large_orbits_are_refused)
{
    check_chain(30, "*2", false);
    check_chain(31, "*2", true);
    check_chain(41, "", false);
    check_chain(42, "", true);
    check_refused("a 17*2", "A a(0 1) a(2 3); B! a(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)");
    check_refused("a 10*4", "A! a(0 1 2) a(3 4 5) a(6 7 8 9); B a(0 3 6)");
    check_refused("a 70",
                  "A! a(0 1); B! a(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 "
                  "22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 "
                  "46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69)");
}
END_TEST

START_TEST(an_orbit_without_moves_has_one_structure)
{
    struct puzzle *puzzle = support_puzzle("a 3, b 4*2", "A a(0 1 2)");
    struct table_structure *structure = make(puzzle, 1, by_any);
    struct cycle_structure solved = {0}, turned = {1, {{1, 1, 1}}};
    uint64_t histogram[TABLE_FILL_MAX_LAYERS];
    uint8_t entry, state[PERM_MAX_BYTES];

    ck_assert_uint_eq(table_structure_count(structure), 1);
    perm_identity(puzzle_shape(puzzle), state);
    ck_assert_uint_eq(table_structure_index(structure, state), 0);
    ck_assert_int_eq(table_structure_fill(structure, &solved, 1, &entry, histogram), 0);
    ck_assert_uint_eq(entry, 1);
    ck_assert_uint_eq(histogram[0], 1);
    ck_assert_int_eq(table_structure_fill(structure, &turned, 1, &entry, histogram), 0);
    ck_assert_uint_eq(entry, TABLE_VACANT);
    ck_assert_uint_eq(histogram[0], 0);
    table_structure_free(structure);
    puzzle_release(puzzle);
}
END_TEST

START_TEST(impossible_structures_are_told)
{
    static const char *const texts[] = {
        "c: (1+) / e:", "c: (8, 2) / e:", "c: (9) / e:", "c: (250) / e: (2, 2)"};
    struct puzzle *cube = support_builtin("3x3x3");
    struct table_structure *structure = make(cube, 0, by_any);
    struct cycle_structure target;
    uint32_t number = 77;

    for (unsigned i = 0; i < BASE_COUNT(texts); i++) {
        ck_assert_int_eq(cycle_parse(cube, texts[i], strlen(texts[i]), &target, NULL), 0);
        ck_assert_int_eq(table_structure_find(structure, &target, &number), BASE_ERR_INFEASIBLE);
    }
    ck_assert_uint_eq(number, 77);
    table_structure_free(structure);
    puzzle_release(cube);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        one_orientation,
        two_orientations,
        three_orientations,
        more_orientations,
        engines_agree,
        numbers_are_those_of_the_canonical_order,
        the_cube_has_140_and_588,
        states_have_the_number_of_their_structure,
        numbers_stay_below_the_count,
        every_set_is_what_it_says,
        registers_have_the_number_of_their_state,
        large_orbits_are_refused,
        an_orbit_without_moves_has_one_structure,
        impossible_structures_are_told,
    };
    return support_suite_run("table_structure", tests, BASE_COUNT(tests), NULL, NULL, 240);
}
