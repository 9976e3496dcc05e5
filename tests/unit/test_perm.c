/*
 * test_perm.c - the group laws on random elements of a shape with every kind of orbit, and the
 * numbers read off an element against their definitions.
 */
#include <check.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/perm/perm.h"
#include "tests/support/support_suite.h"

static struct perm_shape shape;
static uint64_t seed;

static void setup(void)
{
    static const uint8_t orbits[][2] = {{8, 3}, {12, 2}, {1, 1}, {24, 1}, {7, 6}, {2, 127}};

    shape = (struct perm_shape){0};
    seed = 1;
    for (size_t k = 0; k < sizeof orbits / sizeof orbits[0]; k++)
        ck_assert_int_eq(perm_shape_add_orbit(&shape, orbits[k][0], orbits[k][1]), 0);
}

/* xorshift64 (Marsaglia): the same elements in every run. */
static unsigned random_below(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed % n);
}

static void random_element(uint8_t *s)
{
    perm_identity(&shape, s);
    for (unsigned k = 0; k < shape.n_orbits; k++) {
        uint8_t *piece = s + shape.orbit[k].offset;
        for (unsigned i = shape.orbit[k].size; i-- > 0;) {
            unsigned j = random_below(i + 1);
            uint8_t held = piece[i];
            piece[i] = piece[j];
            piece[j] = held;
            piece[shape.orbit[k].size + i] = (uint8_t)random_below(shape.orbit[k].mod);
        }
    }
}

/* base^n by n products. */
static void slow_power(const uint8_t *base, unsigned n, uint8_t *out)
{
    uint8_t next[PERM_MAX_BYTES];

    perm_identity(&shape, out);
    while (n-- > 0) {
        perm_compose(&shape, out, base, next);
        memcpy(out, next, shape.bytes);
    }
}

START_TEST(shapes_pack_their_orbits)
{
    ck_assert_uint_eq(shape.n_orbits, 6);
    ck_assert_uint_eq(shape.bytes, 2 * (8 + 12 + 1 + 24 + 7 + 2));
    ck_assert_uint_eq(shape.orbit[1].offset, 16);
    ck_assert_uint_eq(shape.orbit[5].offset, 104);
}
END_TEST

START_TEST(shapes_have_limits)
{
    struct perm_shape full = {0};

    ck_assert_int_eq(perm_shape_add_orbit(&full, 0, 1), BASE_ERR_RANGE);
    ck_assert_int_eq(perm_shape_add_orbit(&full, 256, 1), BASE_ERR_RANGE);
    ck_assert_int_eq(perm_shape_add_orbit(&full, 1, 0), BASE_ERR_RANGE);
    ck_assert_int_eq(perm_shape_add_orbit(&full, 1, 128), BASE_ERR_RANGE);
    ck_assert_int_eq(perm_shape_add_orbit(&full, 255, 127), 0);
    ck_assert_int_eq(perm_shape_add_orbit(&full, 2, 1), BASE_ERR_RANGE);
    ck_assert_int_eq(perm_shape_add_orbit(&full, 1, 1), 0);
    ck_assert_uint_eq(full.bytes, PERM_MAX_BYTES);

    full = (struct perm_shape){0};
    for (unsigned k = 0; k < PERM_MAX_ORBITS; k++)
        ck_assert_int_eq(perm_shape_add_orbit(&full, 1, 1), 0);
    ck_assert_int_eq(perm_shape_add_orbit(&full, 1, 1), BASE_ERR_RANGE);
}
END_TEST

START_TEST(products_obey_the_group_laws)
{
    uint8_t a[PERM_MAX_BYTES], b[PERM_MAX_BYTES], c[PERM_MAX_BYTES];
    uint8_t ab[PERM_MAX_BYTES], bc[PERM_MAX_BYTES], left[PERM_MAX_BYTES], right[PERM_MAX_BYTES];

    for (unsigned round = 0; round < 200; round++) {
        random_element(a);
        random_element(b);
        random_element(c);
        perm_compose(&shape, a, b, ab);
        perm_compose(&shape, b, c, bc);
        perm_compose(&shape, ab, c, left);
        perm_compose(&shape, a, bc, right);
        ck_assert(perm_equal(&shape, left, right));
        ck_assert_int_eq(perm_check(&shape, ab, NULL), 0);

        perm_invert(&shape, a, b);
        ck_assert_int_eq(perm_check(&shape, b, NULL), 0);
        perm_compose(&shape, a, b, left);
        perm_compose(&shape, b, a, right);
        ck_assert(perm_is_identity(&shape, left));
        ck_assert(perm_is_identity(&shape, right));
    }
}
END_TEST

/* By hand: a takes the piece of slot 0 to slot 1 and turns it by 1; b exchanges slots 1 and 2. */
START_TEST(the_second_factor_is_applied_last)
{
    struct perm_shape three = {0};
    const uint8_t a[6] = {1, 0, 2, 0, 1, 0};
    const uint8_t b[6] = {0, 2, 1, 0, 0, 2};
    const uint8_t expected[6] = {1, 2, 0, 0, 0, 0};
    uint8_t product[6];

    perm_shape_add_orbit(&three, 3, 3);
    perm_compose(&three, a, b, product);
    ck_assert_mem_eq(product, expected, 6);
}
END_TEST

START_TEST(powers_equal_repeated_products)
{
    uint8_t a[PERM_MAX_BYTES], fast[PERM_MAX_BYTES], slow[PERM_MAX_BYTES];

    random_element(a);
    for (unsigned n = 0; n < 70; n++) {
        perm_power(&shape, a, n, fast);
        slow_power(a, n, slow);
        ck_assert(perm_equal(&shape, fast, slow));
    }
}
END_TEST

START_TEST(orders_are_the_least_exponents)
{
    uint8_t a[PERM_MAX_BYTES], power[PERM_MAX_BYTES];

    for (unsigned round = 0; round < 200; round++) {
        random_element(a);
        uint64_t order = perm_order(&shape, a);
        ck_assert_uint_lt(order, UINT32_MAX);
        perm_power(&shape, a, (unsigned)order, power);
        ck_assert(perm_is_identity(&shape, power));
        for (unsigned prime = 2; prime <= 127; prime++) {
            if (order % prime)
                continue;
            perm_power(&shape, a, (unsigned)(order / prime), power);
            ck_assert(!perm_is_identity(&shape, power));
        }
    }
    perm_identity(&shape, a);
    ck_assert_uint_eq(perm_order(&shape, a), 1);
}
END_TEST

/* Sixteen pieces whose orientations count to sixteen different primes. */
START_TEST(an_order_that_does_not_fit_is_said_to)
{
    static const uint8_t primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 101, 127};
    struct perm_shape long_shape = {0};
    uint8_t s[PERM_MAX_BYTES];

    for (unsigned k = 0; k < 16; k++)
        ck_assert_int_eq(perm_shape_add_orbit(&long_shape, 1, primes[k]), 0);
    perm_identity(&long_shape, s);
    for (unsigned k = 0; k < 16; k++)
        s[long_shape.orbit[k].offset + 1] = 1;
    ck_assert_uint_eq(perm_order(&long_shape, s), UINT64_MAX);
    ck_assert(!perm_log(&long_shape, s, s, NULL));
    ck_assert_uint_eq(perm_lcm(UINT64_MAX, 1), UINT64_MAX);
    ck_assert_uint_eq(perm_lcm(12, 18), 36);
}
END_TEST

START_TEST(logarithms_invert_powers)
{
    uint8_t a[PERM_MAX_BYTES], b[PERM_MAX_BYTES];

    for (unsigned round = 0; round < 200; round++) {
        uint64_t n = UINT64_MAX;
        random_element(a);
        unsigned wanted = random_below((unsigned)perm_order(&shape, a));
        perm_power(&shape, a, wanted, b);
        ck_assert(perm_log(&shape, a, b, &n));
        ck_assert_uint_eq(n, wanted);
        random_element(b);
        ck_assert(!perm_log(&shape, a, b, &n));
    }
}
END_TEST

/* The residues of two orbits must agree: a 4-cycle's square with a 2-cycle's first power. */
START_TEST(logarithms_need_all_orbits_to_agree)
{
    struct perm_shape two = {0};
    const uint8_t base[12] = {1, 2, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    const uint8_t mixed[12] = {2, 3, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0};
    uint8_t square[12];
    uint64_t n;

    perm_shape_add_orbit(&two, 4, 2);
    perm_shape_add_orbit(&two, 2, 1);
    perm_power(&two, base, 2, square);
    ck_assert(perm_log(&two, base, square, &n));
    ck_assert_uint_eq(n, 2);
    ck_assert(!perm_log(&two, base, mixed, &n));
}
END_TEST

START_TEST(parities_and_sums_are_homomorphisms)
{
    uint8_t a[PERM_MAX_BYTES], b[PERM_MAX_BYTES], ab[PERM_MAX_BYTES];

    for (unsigned round = 0; round < 100; round++) {
        random_element(a);
        random_element(b);
        perm_compose(&shape, a, b, ab);
        for (unsigned k = 0; k < shape.n_orbits; k++) {
            const struct perm_orbit *orbit = &shape.orbit[k];
            ck_assert_uint_eq(perm_parity(orbit, ab),
                              perm_parity(orbit, a) ^ perm_parity(orbit, b));
            ck_assert_uint_eq(perm_orientation_sum(orbit, ab),
                              (perm_orientation_sum(orbit, a) + perm_orientation_sum(orbit, b)) %
                                  orbit->mod);
        }
    }
}
END_TEST

START_TEST(cycles_are_walked_once)
{
    struct perm_shape one = {0};
    const uint8_t s[12] = {1, 2, 0, 4, 3, 5, 1, 1, 2, 0, 2, 2};
    bool seen[6] = {false};
    unsigned turn;

    perm_shape_add_orbit(&one, 6, 3);
    ck_assert_uint_eq(perm_walk_cycle(&one.orbit[0], s, 1, seen, &turn), 3);
    ck_assert_uint_eq(turn, 1);
    ck_assert(seen[0] && seen[1] && seen[2] && !seen[3] && !seen[5]);
    ck_assert_uint_eq(perm_walk_cycle(&one.orbit[0], s, 3, seen, &turn), 2);
    ck_assert_uint_eq(turn, 2);
    ck_assert_uint_eq(perm_walk_cycle(&one.orbit[0], s, 5, seen, NULL), 1);
    ck_assert_uint_eq(perm_parity(&one.orbit[0], s), 1);
    ck_assert_uint_eq(perm_order(&one, s), 18);
}
END_TEST

START_TEST(checks_say_where)
{
    struct base_diag diag;
    uint8_t s[PERM_MAX_BYTES];

    random_element(s);
    ck_assert_int_eq(perm_check(&shape, s, &diag), 0);
    s[16 + 12 + 5] = 2;
    ck_assert_int_eq(perm_check(&shape, s, &diag), BASE_ERR_RANGE);
    ck_assert_uint_eq(diag.position, 33);
    s[3] = 8;
    ck_assert_int_eq(perm_check(&shape, s, &diag), BASE_ERR_RANGE);
    ck_assert_uint_eq(diag.position, 3);
    s[3] = s[0];
    ck_assert_int_eq(perm_check(&shape, s, &diag), BASE_ERR_CONFLICT);
    ck_assert_uint_eq(diag.position, 3);
    ck_assert_ptr_nonnull(strstr(diag.text, "slot 3"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        shapes_pack_their_orbits,
        shapes_have_limits,
        products_obey_the_group_laws,
        the_second_factor_is_applied_last,
        powers_equal_repeated_products,
        orders_are_the_least_exponents,
        an_order_that_does_not_fit_is_said_to,
        logarithms_invert_powers,
        logarithms_need_all_orbits_to_agree,
        parities_and_sums_are_homomorphisms,
        cycles_are_walked_once,
        checks_say_where,
    };

    return support_suite_run("perm", tests, sizeof tests / sizeof tests[0], setup, NULL, 10);
}
