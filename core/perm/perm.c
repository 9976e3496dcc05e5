/*
 * perm.c - the reference implementation of perm.h: one loop per definition, no tricks.
 *
 * Every other representation of a state is tested against this file and every solution is verified
 * by it, so it is written to be believed by reading.
 */
#include "core/perm/perm.h"

#include <stddef.h>
#include <string.h>

#include "core/base/base_err.h"

enum { PERM_MAX_SIZE = 255, PERM_MAX_MOD = 127 };

/* A slot of a move: the place that its piece comes from and the turn that the piece gets. */
struct perm_slot {
    unsigned piece;
    unsigned turn;
};

int perm_shape_add_orbit(struct perm_shape *shape, unsigned size, unsigned mod)
{
    if (shape->n_orbits >= PERM_MAX_ORBITS || size < 1 || size > PERM_MAX_SIZE || mod < 1 ||
        mod > PERM_MAX_MOD || shape->bytes + 2 * size > PERM_MAX_BYTES)
        return BASE_ERR_RANGE;
    shape->orbit[shape->n_orbits++] =
        (struct perm_orbit){.size = (uint8_t)size, .mod = (uint8_t)mod, .offset = shape->bytes};
    shape->bytes = (uint16_t)(shape->bytes + 2 * size);
    return BASE_OK;
}

static int perm_check_orbit(const struct perm_orbit *orbit, unsigned number, const uint8_t *state,
                            struct base_diag *diag)
{
    const uint8_t *piece = perm_pieces(orbit, state);
    const uint8_t *orientation = perm_orientations(orbit, state);
    bool seen[PERM_MAX_SIZE] = {false};

    for (unsigned i = 0; i < orbit->size; i++) {
        if (piece[i] >= orbit->size)
            return base_diag_set(diag, orbit->offset + i, BASE_ERR_RANGE,
                                 "orbit %u, slot %u: piece %u of only %u (numbered from 0)", number,
                                 i, piece[i], orbit->size);
        if (seen[piece[i]])
            return base_diag_set(diag, orbit->offset + i, BASE_ERR_CONFLICT,
                                 "orbit %u, slot %u: piece %u is in an earlier slot too", number, i,
                                 piece[i]);
        if (orientation[i] >= orbit->mod)
            return base_diag_set(diag, orbit->offset + orbit->size + i, BASE_ERR_RANGE,
                                 "orbit %u, slot %u: orientation %u of only %u (numbered from 0)",
                                 number, i, orientation[i], orbit->mod);
        seen[piece[i]] = true;
    }
    return BASE_OK;
}

int perm_check(const struct perm_shape *shape, const uint8_t *state, struct base_diag *diag)
{
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        int rc = perm_check_orbit(&shape->orbit[k], k, state, diag);
        if (rc)
            return rc;
    }
    return BASE_OK;
}

void perm_identity(const struct perm_shape *shape, uint8_t *out)
{
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        for (unsigned i = 0; i < orbit->size; i++) {
            out[orbit->offset + i] = (uint8_t)i;
            out[orbit->offset + orbit->size + i] = 0;
        }
    }
}

void perm_compose(const struct perm_shape *shape, const uint8_t *s, const uint8_t *m, uint8_t *out)
{
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        const uint8_t *piece_s = perm_pieces(orbit, s);
        const uint8_t *piece_m = perm_pieces(orbit, m);
        const uint8_t *orientation_s = perm_orientations(orbit, s);
        const uint8_t *orientation_m = perm_orientations(orbit, m);
        uint8_t *piece = out + orbit->offset;
        uint8_t *orientation = piece + orbit->size;

        for (unsigned i = 0; i < orbit->size; i++) {
            piece[i] = piece_s[piece_m[i]];
            orientation[i] = (uint8_t)((orientation_s[piece_m[i]] + orientation_m[i]) % orbit->mod);
        }
    }
}

/* From s * out = identity: the piece that s brought to slot i, out fetches back from there and
 * turns back. */
void perm_invert(const struct perm_shape *shape, const uint8_t *s, uint8_t *out)
{
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        const struct perm_orbit *orbit = &shape->orbit[k];
        const uint8_t *piece_s = perm_pieces(orbit, s);
        const uint8_t *orientation_s = perm_orientations(orbit, s);
        uint8_t *piece = out + orbit->offset;
        uint8_t *orientation = piece + orbit->size;

        for (unsigned i = 0; i < orbit->size; i++) {
            piece[piece_s[i]] = (uint8_t)i;
            orientation[piece_s[i]] = (uint8_t)((orbit->mod - orientation_s[i]) % orbit->mod);
        }
    }
}

/* Square and multiply. */
void perm_power(const struct perm_shape *shape, const uint8_t *s, uint64_t exponent, uint8_t *out)
{
    uint8_t square[PERM_MAX_BYTES];
    uint8_t product[PERM_MAX_BYTES];

    perm_identity(shape, out);
    memcpy(square, s, shape->bytes);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            perm_compose(shape, out, square, product);
            memcpy(out, product, shape->bytes);
        }
        perm_compose(shape, square, square, product);
        memcpy(square, product, shape->bytes);
    }
}

bool perm_equal(const struct perm_shape *shape, const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, shape->bytes) == 0;
}

bool perm_is_identity(const struct perm_shape *shape, const uint8_t *s)
{
    uint8_t identity[PERM_MAX_BYTES];

    perm_identity(shape, identity);
    return perm_equal(shape, s, identity);
}

/* ---- cycles --------------------------------------------------------------------------- */

unsigned perm_walk_cycle(const struct perm_orbit *orbit, const uint8_t *s, unsigned slot,
                         bool *seen, unsigned *turn)
{
    const uint8_t *piece = perm_pieces(orbit, s);
    const uint8_t *orientation = perm_orientations(orbit, s);
    unsigned length = 0;
    unsigned sum = 0;
    unsigned at = slot;

    do {
        seen[at] = true;
        sum += orientation[at];
        length++;
        at = piece[at];
    } while (at != slot);
    if (turn)
        *turn = sum % orbit->mod;
    return length;
}

static uint64_t perm_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t perm_lcm(uint64_t a, uint64_t b)
{
    uint64_t product;

    if (a == UINT64_MAX || b == UINT64_MAX)
        return UINT64_MAX;
    if (__builtin_mul_overflow(a / perm_gcd(a, b), b, &product))
        return UINT64_MAX;
    return product;
}

/* Once round a cycle turns its pieces by `turn`; they are home again after mod / gcd rounds. */
static uint64_t perm_orbit_order(const struct perm_orbit *orbit, const uint8_t *s)
{
    bool seen[PERM_MAX_SIZE] = {false};
    uint64_t order = 1;

    for (unsigned i = 0; i < orbit->size; i++) {
        unsigned turn;

        if (seen[i])
            continue;
        unsigned length = perm_walk_cycle(orbit, s, i, seen, &turn);
        order = perm_lcm(order, length * (orbit->mod / perm_gcd(orbit->mod, turn)));
    }
    return order;
}

uint64_t perm_order(const struct perm_shape *shape, const uint8_t *s)
{
    uint64_t order = 1;

    for (unsigned k = 0; k < shape->n_orbits; k++)
        order = perm_lcm(order, perm_orbit_order(&shape->orbit[k], s));
    return order;
}

static struct perm_slot perm_slot_at(const struct perm_orbit *orbit, const uint8_t *s, unsigned i)
{
    return (struct perm_slot){perm_pieces(orbit, s)[i], perm_orientations(orbit, s)[i]};
}

static bool perm_slot_equal(struct perm_slot a, struct perm_slot b)
{
    return a.piece == b.piece && a.turn == b.turn;
}

/* The slot of base^(n+1) from that of base^n: one more step along the cycle. */
static struct perm_slot perm_slot_step(const struct perm_orbit *orbit, const uint8_t *base,
                                       struct perm_slot slot)
{
    struct perm_slot step = perm_slot_at(orbit, base, slot.piece);

    return (struct perm_slot){step.piece, (slot.turn + step.turn) % orbit->mod};
}

/* Slot i of base^n equals that of `power` for n = *residue modulo *period only. */
static bool perm_slot_log(const struct perm_orbit *orbit, const uint8_t *base, const uint8_t *power,
                          unsigned i, uint64_t *residue, uint64_t *period)
{
    const struct perm_slot home = {i, 0};
    const struct perm_slot wanted = perm_slot_at(orbit, power, i);
    struct perm_slot at = home;
    bool found = false;

    *residue = 0;
    *period = 0;
    do {
        if (perm_slot_equal(at, wanted)) {
            *residue = *period;
            found = true;
        }
        at = perm_slot_step(orbit, base, at);
        ++*period;
    } while (!perm_slot_equal(at, home));
    return found;
}

/* Narrows n modulo *modulus to what also is `residue` modulo `period`, by trying (the Chinese
 * remainder theorem with at most a cycle's worth of steps). */
static bool perm_log_narrow(uint64_t *n, uint64_t *modulus, uint64_t residue, uint64_t period)
{
    uint64_t both = perm_lcm(*modulus, period);

    if (both == UINT64_MAX)
        return false;
    for (uint64_t tries = both / *modulus; tries > 0; tries--, *n += *modulus) {
        if (*n % period == residue) {
            *modulus = both;
            return true;
        }
    }
    return false;
}

bool perm_log(const struct perm_shape *shape, const uint8_t *base, const uint8_t *power,
              uint64_t *n)
{
    uint64_t result = 0;
    uint64_t modulus = 1;

    for (unsigned k = 0; k < shape->n_orbits; k++) {
        for (unsigned i = 0; i < shape->orbit[k].size; i++) {
            uint64_t residue;
            uint64_t period;

            if (!perm_slot_log(&shape->orbit[k], base, power, i, &residue, &period) ||
                !perm_log_narrow(&result, &modulus, residue, period))
                return false;
        }
    }
    if (n)
        *n = result;
    return true;
}

/* A cycle of length n is a product of n - 1 exchanges. */
unsigned perm_parity(const struct perm_orbit *orbit, const uint8_t *s)
{
    bool seen[PERM_MAX_SIZE] = {false};
    unsigned exchanges = 0;

    for (unsigned i = 0; i < orbit->size; i++) {
        if (!seen[i])
            exchanges += perm_walk_cycle(orbit, s, i, seen, NULL) - 1;
    }
    return exchanges % 2;
}

unsigned perm_orientation_sum(const struct perm_orbit *orbit, const uint8_t *s)
{
    const uint8_t *orientation = perm_orientations(orbit, s);
    unsigned sum = 0;

    for (unsigned i = 0; i < orbit->size; i++)
        sum += orientation[i];
    return sum % orbit->mod;
}
