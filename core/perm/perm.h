/*
 * perm.h - permutations with orientation as byte arrays: the portable reference
 * against which every kernel is checked and by which every solution is verified.
 *
 * A state (or a move: both are group elements) of a puzzle is one byte array. Orbit k
 * occupies `size` bytes of pieces, then `size` bytes of orientations, from `offset`:
 *
 *     piece[i]        the piece (named by its home slot) that is in slot i
 *     orientation[i]  how the piece in slot i is turned, 0 .. mod-1
 *
 * The product s*m means "apply m after s" and reads
 *
 *     piece'[i] = piece_s[piece_m[i]]
 *     orientation'[i] = orientation_s[piece_m[i]] + orientation_m[i]   (mod)
 *
 * which is the convention of the KPuzzle format (a move's permutation[i] is the slot whose
 * piece comes to slot i, its orientationDelta[i] belongs to the destination).
 */
#ifndef CORE_PERM_PERM_H
#define CORE_PERM_PERM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/base_diag.h"

enum { PERM_MAX_ORBITS = 16, PERM_MAX_BYTES = 512 };

struct perm_orbit {
    uint8_t size;    /* pieces, 1 .. 255 */
    uint8_t mod;     /* orientations, 1 .. 127 */
    uint16_t offset; /* of the pieces in the byte array */
};

struct perm_shape {
    uint8_t n_orbits;
    uint16_t bytes; /* of a whole state, <= PERM_MAX_BYTES */
    struct perm_orbit orbit[PERM_MAX_ORBITS];
};

/* Appends an orbit. BASE_ERR_RANGE: too many orbits or bytes, or a size or mod out of range. */
int perm_shape_add_orbit(struct perm_shape *shape, unsigned size, unsigned mod);

static inline const uint8_t *perm_pieces(const struct perm_orbit *orbit, const uint8_t *state)
{
    return state + orbit->offset;
}

static inline const uint8_t *perm_orientations(const struct perm_orbit *orbit, const uint8_t *state)
{
    return state + orbit->offset + orbit->size;
}

/* Is it a bijection with orientations in range in every orbit? `diag` (may be NULL) says where not.
 */
int perm_check(const struct perm_shape *shape, const uint8_t *state, struct base_diag *diag);

/* `out` of these must not alias an input. All arrays are shape->bytes long. */
void perm_identity(const struct perm_shape *shape, uint8_t *out);
void perm_compose(const struct perm_shape *shape, const uint8_t *s, const uint8_t *m, uint8_t *out);
void perm_invert(const struct perm_shape *shape, const uint8_t *s, uint8_t *out);

/* out = s applied `exponent` times (0: identity). */
void perm_power(const struct perm_shape *shape, const uint8_t *s, uint64_t exponent, uint8_t *out);

bool perm_equal(const struct perm_shape *shape, const uint8_t *a, const uint8_t *b);
bool perm_is_identity(const struct perm_shape *shape, const uint8_t *s);

/* Least n >= 1 with s^n = identity, orientations included; UINT64_MAX if it does not fit. */
uint64_t perm_order(const struct perm_shape *shape, const uint8_t *s);

/* Is `power` = base^n for some n? If so *n (may be NULL) is the least such n >= 0. False also where
 * the order of `base` does not fit. */
bool perm_log(const struct perm_shape *shape, const uint8_t *base, const uint8_t *power,
              uint64_t *n);

/* Walks the cycle through `slot`: returns its length, sets seen[i] for its slots and *turn (may be
 * NULL) to the sum of the orientations along it, mod `mod`. `seen` has orbit->size entries. */
unsigned perm_walk_cycle(const struct perm_orbit *orbit, const uint8_t *s, unsigned slot,
                         bool *seen, unsigned *turn);

/* Least common multiple of numbers >= 1; UINT64_MAX if it does not fit or a is that already. */
uint64_t perm_lcm(uint64_t a, uint64_t b);

/* Parity of the permutation of one orbit: 0 even, 1 odd. */
unsigned perm_parity(const struct perm_orbit *orbit, const uint8_t *s);

/* Sum of the orientations of one orbit, mod `mod`. */
unsigned perm_orientation_sum(const struct perm_orbit *orbit, const uint8_t *s);

#endif
