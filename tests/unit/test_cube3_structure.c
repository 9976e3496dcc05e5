/*
 * test_cube3_structure.c - cycle structures of the 3x3x3 in a register: their numbers, and every
 * reader against the reference.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_reader.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

/* ---- numbers ------------------------------------------------------------------------------- */

START_TEST(definitions_that_keep_their_sums_have_structures)
{
    struct puzzle *part = support_puzzle_faces(cube, "U R");
    struct puzzle *pocket = support_builtin("2x2x2");
    struct puzzle *twisting = support_puzzle("a 8*3, b 12*2", "A! a(0+1) b(0 1)");
    struct puzzle *flipping = support_puzzle("a 8*3, b 12*2", "A! a(0 1) b(0+1)");

    ck_assert(cube3_has_structures(cube));
    ck_assert(cube3_has_structures(part));
    ck_assert(!cube3_has_structures(pocket));
    ck_assert(!cube3_has_structures(twisting));
    ck_assert(!cube3_has_structures(flipping));
    puzzle_release(part);
    puzzle_release(pocket);
    puzzle_release(twisting);
    puzzle_release(flipping);
}
END_TEST

struct seen {
    struct cycle_structure last;
    unsigned count;
};

static void see(void *arg, unsigned number, const struct cycle_structure *structure)
{
    struct seen *seen = arg;
    SUPPORT_EXPECT(number == seen->count);
    SUPPORT_EXPECT(number == 0 ? structure->n_items == 0
                               : cycle_compare(&seen->last, structure) < 0);
    seen->last = *structure;
    seen->count++;
}

START_TEST(numbers_ascend_as_structures_do)
{
    struct seen corners = {.count = 0}, edges = {.count = 0};

    cube3_structures_each(CUBE3_CORNERS, see, &corners);
    cube3_structures_each(CUBE3_EDGES, see, &edges);
    ck_assert_uint_eq(corners.count, CUBE3_CORNER_STRUCTURES);
    ck_assert_uint_eq(edges.count, CUBE3_EDGE_STRUCTURES);
}
END_TEST

static int find(const char *text, uint32_t *number)
{
    static struct cube3_structures structures;
    struct cycle_structure structure;
    ck_assert_int_eq(cycle_parse(cube, text, strlen(text), &structure, NULL), 0);
    cycle_canonicalise(&structure);
    cube3_structures_init(&structures);
    return cube3_structure_find(&structures, &structure, number);
}

START_TEST(structures_that_an_orbit_does_not_allow_have_no_number)
{
    uint32_t number = 1;

    ck_assert_int_eq(find("c: / e:", &number), 0);
    ck_assert_uint_eq(number, 0);
    ck_assert_int_eq(find("c: (1+) / e:", &number), BASE_ERR_INFEASIBLE);
    ck_assert_int_eq(find("c: / e: (1+, 2, 3+, 4+)", &number), BASE_ERR_INFEASIBLE);
    ck_assert_int_eq(find("c: (4, 5) / e:", &number), BASE_ERR_INFEASIBLE);
    ck_assert_int_eq(find("c: / e: (6, 7)", &number), BASE_ERR_INFEASIBLE);
    ck_assert_int_eq(find("c: (3, 5) / e: (5, 7)", &number), 0);
    /* Parity binds the orbits, not one alone. */
    ck_assert_int_eq(find("c: (2) / e:", &number), 0);
    ck_assert_uint_lt(number, CUBE3_STRUCTURES);
}
END_TEST

/* ---- readers ------------------------------------------------------------------------------- */

START_TEST(features_choose_the_reader)
{
    const struct cube3_reader *reader[SUPPORT_READER_MAX];
    const struct cpu_features has = cpu_detect();
    unsigned n = support_reader_all(reader);

    ck_assert_str_eq(reader[0]->name, "portable");
    ck_assert_uint_eq(n, 1u + cpu_has(has, CPU_AVX2) + cpu_has(has, CPU_AVX512) +
                             cpu_has(has, CPU_NEON));
    ck_assert_int_eq(support_reader_named("avx2") != NULL, cpu_has(has, CPU_AVX2));
    ck_assert_int_eq(support_reader_named("avx512") != NULL, cpu_has(has, CPU_AVX512));
    ck_assert_int_eq(support_reader_named("neon") != NULL, cpu_has(has, CPU_NEON));
}
END_TEST

START_TEST(every_reader_reads_what_the_reference_does)
{
    const struct cube3_reader *reader[SUPPORT_READER_MAX];
    unsigned n = support_reader_all(reader);
    char fault[200] = "";

    for (unsigned i = 0; i < n; i++)
        ck_assert_msg(support_reader_check(cube, reader[i], 20000, fault) == 41224 + 20000, "%s",
                      fault);
}
END_TEST

/* Of states whose sums are not zero a number says nothing, but it is one. */
START_TEST(numbers_are_in_range)
{
    static struct cube3_structures structures;
    const struct cube3_reader *reader[SUPPORT_READER_MAX];
    struct cube3_batch batch;
    uint32_t number[CUBE3_BATCH];
    unsigned n = support_reader_all(reader);

    cube3_structures_init(&structures);
    for (unsigned i = 0; i < n; i++)
        for (unsigned turned = 0; turned < 81; turned++) {
            for (unsigned at = 0; at < CUBE3_BATCH; at++) {
                struct cube3 packed;
                uint8_t state[PERM_MAX_BYTES];
                perm_identity(puzzle_shape(cube), state);
                cube3_from_state(puzzle_shape(cube), state, &packed);
                packed.b[at % 8] = (uint8_t)(packed.b[at % 8] | turned % 3 << 4);
                packed.b[(at + 3) % 8] = (uint8_t)(packed.b[(at + 3) % 8] | turned / 3 % 3 << 4);
                packed.b[CUBE3_EDGE_AT + at % 12] ^= turned & 16;
                cube3_batch_set(&batch, at, &packed);
            }
            reader[i]->read(&structures, &batch, CUBE3_BATCH, number);
            for (unsigned at = 0; at < CUBE3_BATCH; at++)
                SUPPORT_EXPECT(number[at] < CUBE3_STRUCTURES);
        }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        definitions_that_keep_their_sums_have_structures,
        numbers_ascend_as_structures_do,
        structures_that_an_orbit_does_not_allow_have_no_number,
        features_choose_the_reader,
        every_reader_reads_what_the_reference_does,
        numbers_are_in_range,
    };
    return support_suite_run("cube3_structure", tests, BASE_COUNT(tests), setup, teardown, 60);
}
