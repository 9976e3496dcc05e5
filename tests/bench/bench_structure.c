/*
 * bench_structure.c - tables of cycle structures: processor time to make the graph of an orbit and
 * to fill a table, and of one index of a random state of the 3x3x3.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "core/cpu/cpu.h"
#include "core/table/table_fill.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_register.h"
#include "tests/support/support_word.h"

enum { STATES = 4096, ROUNDS = 50 };

static double seconds_since(uint64_t began)
{
    return (double)(base_clock_thread_cpu_ns() - began) * 1e-9;
}

/* ---- graphs and tables ------------------------------------------------------------------- */

struct orbit_case {
    const char *name, *orbit, *moves;
};

/* Cycles that reach all pieces, as many as make a connected orbit. */
static const struct orbit_case cases[] = {
    {"corners of the 3x3x3", "a 8*3", "A a(0 1+1 2+2 3); B a(2 3 4 5); C a(4 5 6 7)"},
    {"edges of the 3x3x3", "a 12*2",
     "A a(0 1+1 2+1 3); B a(2 4 5 6); C a(5 7 8 9); D a(8 9 10 11)"},
    {"24 pieces, (4)", "a 24",
     "A! a(0 1 2 3); B! a(3 4 5 6); C! a(6 7 8 9); D! a(9 10 11 12); E! a(12 13 14 15);"
     "F! a(15 16 17 18); G! a(18 19 20 21); H! a(21 22 23 0)"},
    {"24 pieces, (4,4)", "a 24",
     "A! a(0 1 2 3) a(4 5 6 7); B! a(7 8 9 10) a(11 12 13 14); C! a(14 15 16 17) a(18 19 20 21);"
     "D! a(21 22 23 0) a(1 5 9 13)"},
    {"24 pieces, (4,4) (4) (4,4,4) and halves", "a 24",
     "A a(0 1 2 3) a(4 5 6 7); B a(7 8 9 10); C a(10 11 12 13) a(14 15 16 17) a(18 19 20 21);"
     "D a(21 22 23 0)"},
    {"20 pieces of 3, (5)", "a 20*3",
     "A a(0 1+1 2+2 3 4); B a(4 5 6 7 8); C a(8 9 10 11 12); D a(12 13 14 15 16);"
     "E a(16 17 18 19 0)"},
    {"30 pieces of 2, (5)", "a 30*2",
     "A a(0 1+1 2+1 3 4); B a(4 5 6 7 8); C a(8 9 10 11 12); D a(12 13 14 15 16);"
     "E a(16 17 18 19 20); F a(20 21 22 23 24); G a(24 25 26 27 28); H a(28 29 0 1 2)"},
};

static void print_case(const struct orbit_case *one)
{
    struct puzzle *puzzle = support_puzzle(one->orbit, one->moves);
    struct cycle_structure target = {0};
    uint64_t histogram[TABLE_FILL_MAX_LAYERS];
    struct support_bench_times make = {.count = 0}, fill = {.count = 0};
    uint64_t hash = 0;
    uint32_t count = 0;
    double mbytes = 0;

    for (unsigned run = 0; run < SUPPORT_BENCH_RUNS; run++) {
        struct table_structure *structure;
        uint64_t began = base_clock_thread_cpu_ns();
        ck_assert_int_eq(table_structure_new(puzzle, 0, &structure), 0);
        support_bench_add(&make, seconds_since(began));
        count = table_structure_count(structure);
        mbytes = (double)table_structure_memory(structure) * 1e-6;
        uint8_t *entries = malloc(count);
        ck_assert_ptr_nonnull(entries);
        began = base_clock_thread_cpu_ns();
        ck_assert_int_eq(table_structure_fill(structure, &target, 1, entries, histogram), 0);
        support_bench_add(&fill, seconds_since(began));
        hash = base_hash(entries, count, 0);
        free(entries);
        table_structure_free(structure);
    }
    printf("%-40s  %10u  %8.2f  %9.2f  %9.2f  %016llx\n", one->name, count, mbytes,
           support_bench_median(&make) * 1e3, support_bench_median(&fill) * 1e3,
           (unsigned long long)hash);
    puzzle_release(puzzle);
}

/* ---- indices ----------------------------------------------------------------------------- */

/* The same states in both forms. */
struct states {
    uint8_t plain[STATES][64];
    struct cube3 packed[STATES];
};

/* Nanoseconds an index. Which state comes next depends on the last index, as far as the compiler
 * knows, so that no two overlap. */
static double time_index(const struct table_structure *structure, unsigned orbit,
                         const struct support_register *set, const struct states *states,
                         uint32_t *sum)
{
    const struct table_structure_keys *keys = table_structure_keys(structure);
    struct support_bench_times times = {.count = 0};

    for (unsigned run = 0; run < SUPPORT_BENCH_RUNS; run++) {
        uint32_t last = 0;
        *sum = 0;
        uint64_t began = base_clock_thread_cpu_ns();
        for (unsigned i = 0; i < ROUNDS * STATES; i++) {
            unsigned at = (i + (last >> 24)) % STATES;
            last = set ? set->structure[orbit](keys, &states->packed[at])
                       : table_structure_index(structure, states->plain[at]);
            *sum += last;
            __asm__ volatile("" : "+r"(last));
        }
        support_bench_add(&times, seconds_since(began));
    }
    return support_bench_median(&times) * 1e9 / (ROUNDS * STATES);
}

static void print_index(const struct puzzle *cube, unsigned orbit, const char *name,
                        const struct support_register *set, const struct states *states)
{
    struct table_structure *structure;
    uint32_t sum;

    ck_assert_int_eq(table_structure_new(cube, orbit, &structure), 0);
    double ns = time_index(structure, orbit, set, states, &sum);
    printf("%-40s  %-10s  %8.1f  %08x\n", puzzle_orbit_name(cube, orbit), name, ns, sum);
    table_structure_free(structure);
}

static void print_indices(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct support_random random = {1};
    static struct states states;

    ck_assert_uint_le(puzzle_shape(cube)->bytes, sizeof states.plain[0]);
    for (unsigned i = 0; i < STATES; i++) {
        support_random_state(&random, cube, states.plain[i]);
        cube3_from_state(puzzle_shape(cube), states.plain[i], &states.packed[i]);
    }
    for (unsigned orbit = 0; orbit < 2; orbit++) {
        print_index(cube, orbit, "any puzzle", NULL, &states);
        print_index(cube, orbit, "portable", &support_register_portable, &states);
#if defined(__x86_64__)
        if (cpu_has(cpu_detect(), CPU_AVX2))
            print_index(cube, orbit, "avx2", &support_register_avx2, &states);
        if (cpu_has(cpu_detect(), CPU_AVX512))
            print_index(cube, orbit, "avx512", &support_register_avx512, &states);
#endif
    }
    puzzle_release(cube);
}

static void body(void)
{
    printf("%-40s  %10s  %8s  %9s  %9s  %16s\n", "orbit", "structures", "MB", "make, ms",
           "fill, ms", "answers");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        print_case(&cases[i]);
    printf("\n%-40s  %-10s  %8s  %8s\n", "index of a random state", "form", "ns", "answers");
    print_indices();
}

int main(void)
{
    return support_bench_main(body);
}
