/*
 * table_structure_prime.c - numbers modulo small primes.
 */
#include "core/base/base_assert.h"
#include "core/table/table_structure_int.h"

uint32_t table__structure_power(uint32_t base, uint64_t exponent, uint32_t prime)
{
    uint32_t power = 1;
    for (base %= prime; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = table__multiply(power, base, prime);
        base = table__multiply(base, base, prime);
    }
    return power;
}

/* By Fermat. */
uint32_t table__inverse(uint32_t a, uint32_t prime)
{
    BASE_ASSERT(a % prime != 0);
    return table__structure_power(a, prime - 2, prime);
}

static bool is_prime(uint32_t n)
{
    for (uint32_t d = 2; d * d <= n; d++) {
        if (n % d == 0)
            return false;
    }
    return n > 1;
}

/* One in about thirty candidates is a prime, so the end is not near. */
uint32_t table__prime_below(uint32_t limit, unsigned mod)
{
    uint32_t candidate = (limit - 2) / mod * mod + 1;
    while (!is_prime(candidate))
        candidate -= mod;
    return candidate;
}

/* Its powers below `mod` are not 1. */
uint32_t table__root_of_unity(uint32_t prime, unsigned mod)
{
    for (uint32_t base = 1;; base++) {
        uint32_t root = table__structure_power(base, (prime - 1) / mod, prime);
        unsigned order = 1;
        for (uint32_t power = root; power != 1; power = table__multiply(power, root, prime))
            order++;
        if (order == mod)
            return root;
    }
}
