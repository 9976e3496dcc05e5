/*
 * bench_products.c - product tables of every size: what they take, what filling them costs one
 * thread, and the bound they give for random states, by one question and by all six. The coarse
 * ones in every encoding; the fine ones, which take up to a minute and 5 GB each, with
 * CYCLOSOLVE_SLOW set in the environment.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_product.h"
#include "tests/support/support_word.h"

enum { STATES = 100000, FEWEST = 5 };

struct averages {
    double one, six;
    uint64_t hash;
};

static struct puzzle *cube;
static struct sym_group *group;

/* One question is the state seen along the first axis. */
static struct averages measure_bounds(const struct support_product *filled)
{
    struct support_random random = {1234};
    struct averages sum = {0, 0, 0};
    for (unsigned i = 0; i < STATES; i++) {
        uint8_t state[PERM_MAX_BYTES];
        support_random_state(&random, cube, state);
        uint64_t index = table_product_index(filled->product, state);
        unsigned one = support_product_entry(filled, index);
        unsigned six = support_product_bound(filled, state);
        sum.one += one;
        sum.six += six;
        sum.hash = base_hash_mix(sum.hash, 16 * one + six);
    }
    sum.one /= STATES;
    sum.six /= STATES;
    return sum;
}

static void report(const struct support_product *filled, const char *target, double seconds)
{
    struct averages average = measure_bounds(filled);
    char base[8] = "-";
    if (filled->form == SUPPORT_NXOPT)
        snprintf(base, sizeof base, "%u", support_product_base(filled));
    printf("%-6s  %2u flips  %-9s  %-5s  %8.1f MiB  %5.3f bits  %7.1f s  base %-2s  %7.4f  %7.4f  "
           "%016llx\n",
           filled->product->fine ? "fine" : "coarse", filled->product->flip_bits, target,
           support_form_name(filled->form), (double)filled->bytes / (1 << 20),
           8 * (double)filled->bytes / (double)filled->product->n_entries, seconds, base,
           average.one, average.six, (unsigned long long)average.hash);
}

static void measure(bool fine, unsigned flip_bits, const char *target, bool is_encoded)
{
    struct cycle_structure structure = support_cycle(
        cube, strcmp(target, "solved") == 0 ? "c: / e:"
                                            : "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, "
                                              "1+, 1+)");
    for (unsigned form = is_encoded ? SUPPORT_NONE : SUPPORT_NXOPT; form <= SUPPORT_NXOPT; form++) {
        struct support_product filled;
        support_product_init(&filled, group, fine, flip_bits);
        filled.form = (enum support_form)form;
        uint64_t began = base_clock_thread_cpu_ns();
        support_product_fill(&filled, &structure, 1, SUPPORT_FILL_IN_ORDER, SUPPORT_FILL_IN_ORDER);
        double seconds = base_clock_seconds(base_clock_thread_cpu_ns() - began);
        report(&filled, target, seconds);
        if (form == SUPPORT_NONE) {
            support_product_encode(&filled, SUPPORT_TANS);
            report(&filled, target, base_clock_seconds(base_clock_thread_cpu_ns() - began));
        }
        support_product_deinit(&filled);
    }
}

static void body(void)
{
    cube = support_builtin("3x3x3");
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    printf("table             target     form        size       an entry   CPU time             "
           "one      six\n");
    for (unsigned bits = FEWEST; bits <= TABLE_PRODUCT_FLIP_BITS; bits++)
        measure(false, bits, "solved", true);
    measure(false, FEWEST, "superflip", false);
    measure(false, TABLE_PRODUCT_FLIP_BITS, "superflip", false);
    if (getenv("CYCLOSOLVE_SLOW")) {
        for (unsigned bits = FEWEST; bits <= TABLE_PRODUCT_FLIP_BITS; bits++)
            measure(true, bits, "solved", bits == FEWEST || bits == 7);
        measure(true, FEWEST, "superflip", false);
        measure(true, TABLE_PRODUCT_FLIP_BITS, "superflip", false);
    }
    sym_group_free(group);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
