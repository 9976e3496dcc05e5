/*
 * test_table_bits.c - sets of 2^11 numbers, rearranged number by number and by every instruction
 * set's words.
 */
#include <check.h>
#include <string.h>

#include "core/cpu/cpu.h"
#include "tests/support/support_bits.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"

enum { NUMBERS = 1 << 11, ROUNDS = 500 };

static const struct support_bits *sets[2];
static unsigned n_sets;

static void setup(void)
{
    n_sets = 0;
    sets[n_sets++] = &support_bits_portable;
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2))
        sets[n_sets++] = &support_bits_avx2;
#endif
}

static bool has(const uint64_t *set, unsigned x)
{
    return set[x / 64] >> x % 64 & 1;
}

static void put(uint64_t *set, unsigned x)
{
    set[x / 64] |= (uint64_t)1 << x % 64;
}

static void random_set(struct support_random *random, uint64_t *set)
{
    for (unsigned w = 0; w < TABLE_BITS_WORDS; w++)
        for (unsigned byte = 0; byte < 8; byte++)
            set[w] = set[w] << 8 | support_random_below(random, 256);
}

/* All twelve flips, the last one from the others. */
static unsigned with_implied(unsigned x)
{
    return x | (unsigned)__builtin_parity(x) << TABLE_BITS_IMPLIED;
}

static unsigned exchange(unsigned flips, unsigned a, unsigned b)
{
    unsigned differ = (flips >> a ^ flips >> b) & 1;
    return flips ^ differ << a ^ differ << b;
}

/* Without the flags of its suffix a file would silently test the portable form twice. */
START_TEST(every_set_is_what_it_says)
{
    ck_assert_str_eq(support_bits_portable.name, "portable");
#if defined(__x86_64__)
    ck_assert_str_eq(support_bits_avx2.name, "avx2");
#endif
}
END_TEST

static void check_program(struct support_random *random, const struct table_bits_program *program)
{
    BASE_ALIGNED(32) uint64_t before[TABLE_BITS_WORDS], after[TABLE_BITS_WORDS];
    uint64_t expected[TABLE_BITS_WORDS] = {0};
    random_set(random, before);
    for (unsigned x = 0; x < NUMBERS; x++) {
        /* w[x] becomes w[E1 x], then w[E2 x]: the last exchange comes first. */
        unsigned from = with_implied(x);
        for (unsigned i = program->count; i-- > 0;)
            from = exchange(from, program->a[i], program->b[i]);
        if (has(before, from % NUMBERS))
            put(expected, x);
    }
    for (unsigned i = 0; i < n_sets; i++) {
        memcpy(after, before, sizeof after);
        sets[i]->run(after, program);
        ck_assert_msg(memcmp(after, expected, sizeof after) == 0, "%s", sets[i]->name);
    }
}

START_TEST(every_exchange)
{
    struct support_random random = {1};

    for (unsigned b = 1; b < TABLE_BITS_SLOTS; b++)
        for (unsigned a = 0; a < b; a++) {
            struct table_bits_program program = {1, {(uint8_t)a}, {(uint8_t)b}};
            check_program(&random, &program);
        }
}
END_TEST

START_TEST(random_programs)
{
    struct support_random random = {2};

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct table_bits_program program = {0};
        program.count = (uint8_t)support_random_below(&random, TABLE_BITS_SLOTS + 1);
        for (unsigned i = 0; i < program.count; i++) {
            program.b[i] = (uint8_t)(1 + support_random_below(&random, TABLE_BITS_SLOTS - 1));
            program.a[i] = (uint8_t)support_random_below(&random, program.b[i]);
        }
        check_program(&random, &program);
    }
}
END_TEST

static void check_translation(struct support_random *random, unsigned c)
{
    BASE_ALIGNED(32) uint64_t in[TABLE_BITS_WORDS], out[TABLE_BITS_WORDS];
    uint64_t expected[TABLE_BITS_WORDS] = {0};
    random_set(random, in);
    for (unsigned x = 0; x < NUMBERS; x++)
        if (has(in, x ^ c))
            put(expected, x);
    for (unsigned i = 0; i < n_sets; i++) {
        memset(out, 0xff, sizeof out);
        sets[i]->translate(in, c, out);
        ck_assert_msg(memcmp(out, expected, sizeof out) == 0, "%s, c = %x", sets[i]->name, c);
    }
}

START_TEST(every_translation)
{
    struct support_random random = {3};

    for (unsigned c = 0; c < NUMBERS; c++)
        check_translation(&random, c);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        every_set_is_what_it_says,
        every_exchange,
        random_programs,
        every_translation,
    };

    return support_suite_run("table_bits", tests, sizeof tests / sizeof tests[0], setup, NULL, 60);
}
