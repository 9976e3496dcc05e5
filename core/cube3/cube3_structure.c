/*
 * cube3_structure.c - weights of codes, and the numbers of structures by their keys.
 */
#include "core/cube3/cube3_structure.h"

#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/cube3/cube3_structure_inl.h"
#include "core/cube3/cube3_structure_int.h"

/*
 * Found by a search at random that mends one or two weights at a time until no key is that of two
 * structures; any others that pass the test serve as well. Pieces in place weigh nothing, so bytes
 * that hold no piece do not matter.
 */
static const uint16_t corner_weight[CUBE3_STRUCTURE_CODES] = {0,   113, 45, 0, 248, 19,  2,   0,
                                                              142, 37,  63, 0, 244, 224, 219, 228};
static const uint16_t edge_weight[CUBE3_STRUCTURE_CODES] = {
    0, 3402, 2359, 2697, 2002, 2949, 2668, 3978, 3991, 3124, 2632, 1878, 0, 0, 0, 1841};

static const struct {
    const uint16_t *weight;
    unsigned pieces, mod;
} orbits[2] = {{corner_weight, 8, 3}, {edge_weight, 12, 2}};

bool cube3_has_structures(const struct puzzle *puzzle)
{
    return cube3_fits(puzzle) && puzzle_orientation_sum_kept(puzzle, CUBE3_CORNERS) &&
           puzzle_orientation_sum_kept(puzzle, CUBE3_EDGES);
}

/* ---- all structures of an orbit ------------------------------------------------------------ */

struct listing {
    unsigned orbit;
    unsigned left; /* pieces that no item has */
    unsigned oriented, number;
    void (*visit)(void *arg, unsigned number, const struct cycle_structure *structure);
    void *arg;
    struct cycle_structure structure;
};

/* Turns sum to zero: one that is not zero cannot, and flips only in pairs. */
static bool sums_to_zero(unsigned orbit, unsigned oriented)
{
    return orbits[orbit].mod == 2 ? oriented % 2 == 0 : oriented != 1;
}

/* All that begin with the items so far and go on with none before `least` (2 * length + oriented).
 * The list so far comes before its continuations. */
static void list_from(struct listing *listing, unsigned least)
{
    struct cycle_structure *structure = &listing->structure;
    if (sums_to_zero(listing->orbit, listing->oriented))
        listing->visit(listing->arg, listing->number++, structure);
    for (unsigned kind = least; kind / 2 <= listing->left; kind++) {
        unsigned length = kind / 2, oriented = kind % 2;
        structure->item[structure->n_items++] =
            (struct cycle_item){(uint8_t)listing->orbit, (uint8_t)length, (uint8_t)oriented};
        listing->left -= length;
        listing->oriented += oriented;
        list_from(listing, kind);
        listing->oriented -= oriented;
        listing->left += length;
        structure->n_items--;
    }
}

void cube3_structures_each(unsigned orbit,
                           void (*visit)(void *arg, unsigned number,
                                         const struct cycle_structure *structure),
                           void *arg)
{
    struct listing listing = {
        .orbit = orbit, .left = orbits[orbit].pieces, .visit = visit, .arg = arg};
    list_from(&listing, 2 * 1 + 1);
}

/* ---- keys ---------------------------------------------------------------------------------- */

struct numbering {
    unsigned orbit, number;
    const struct cycle_structure *structure;
    struct cube3_orbit_structures *out;
};

/* Gives the number to all keys of the structure, which differ by the turns of its oriented cycles:
 * those from item i on are still to be chosen. */
static void number_keys(const struct numbering *numbering, unsigned i, unsigned key, unsigned sum)
{
    const unsigned orbit = numbering->orbit, mod = orbits[orbit].mod;
    if (i == numbering->structure->n_items) {
        if (sum % mod == 0)
            numbering->out->number[key % CUBE3_STRUCTURE_KEYS] = (uint16_t)numbering->number;
        return;
    }
    const struct cycle_item *item = &numbering->structure->item[i];
    for (unsigned turn = item->oriented; turn < (item->oriented ? mod : 1); turn++)
        number_keys(numbering, i + 1,
                    key + item->length *
                              orbits[orbit].weight[cube3_structure_code(orbit, item->length, turn)],
                    sum + turn);
}

static void number_one(void *arg, unsigned number, const struct cycle_structure *structure)
{
    struct numbering *numbering = arg;
    numbering->number = number;
    numbering->structure = structure;
    number_keys(numbering, 0, 0, 0);
}

void cube3_orbit_structures_init(unsigned orbit, struct cube3_orbit_structures *out)
{
    struct numbering numbering = {.orbit = orbit, .out = out};
    memset(out, 0, sizeof *out);
    for (unsigned code = 0; code < CUBE3_STRUCTURE_CODES; code++) {
        out->low[code] = (uint8_t)orbits[orbit].weight[code];
        out->high[code] = (uint8_t)(orbits[orbit].weight[code] >> 8);
    }
    cube3_structures_each(orbit, number_one, &numbering);
}

void cube3_structures_init(struct cube3_structures *out)
{
    for (unsigned orbit = 0; orbit < 2; orbit++)
        cube3_orbit_structures_init(orbit, &out->orbit[orbit]);
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* The number in one orbit. Turns may be any that sum to zero: the first oriented cycles turn by 1,
 * as many of the last by 2 as that takes. */
static int find_in_orbit(const struct cube3_orbit_structures *structures,
                         const struct cycle_structure *wanted, unsigned orbit, uint32_t *out)
{
    const unsigned mod = orbits[orbit].mod;
    unsigned pieces = 0, oriented = 0, key = 0;
    for (unsigned i = 0; i < wanted->n_items; i++)
        if (wanted->item[i].orbit == orbit) {
            pieces += wanted->item[i].length;
            oriented += wanted->item[i].oriented;
        }
    if (pieces > orbits[orbit].pieces || !sums_to_zero(orbit, oriented))
        return BASE_ERR_INFEASIBLE;
    unsigned by_two = (mod - oriented % mod) % mod;
    for (unsigned i = 0; i < wanted->n_items; i++) {
        const struct cycle_item *item = &wanted->item[i];
        if (item->orbit != orbit)
            continue;
        unsigned turn = item->oriented ? 1 + (oriented <= by_two) : 0;
        oriented -= item->oriented;
        key += item->length * orbits[orbit].weight[cube3_structure_code(orbit, item->length, turn)];
    }
    *out = structures->number[key % CUBE3_STRUCTURE_KEYS];
    return 0;
}

int cube3_structure_find(const struct cube3_structures *structures,
                         const struct cycle_structure *wanted, uint32_t *out)
{
    uint32_t corners, edges;
    int code = find_in_orbit(&structures->orbit[0], wanted, CUBE3_CORNERS, &corners);
    if (code == 0)
        code = find_in_orbit(&structures->orbit[1], wanted, CUBE3_EDGES, &edges);
    if (code == 0)
        *out = corners * CUBE3_EDGE_STRUCTURES + edges;
    return code;
}

/* ---- readers ------------------------------------------------------------------------------- */

const struct cube3_reader *cube3_reader_choose(struct cpu_features features)
{
#if defined(__x86_64__)
    if (cpu_has(features, CPU_AVX512))
        return &cube3__reader_avx512;
    if (cpu_has(features, CPU_AVX2))
        return &cube3__reader_avx2;
#elif defined(__aarch64__)
    if (cpu_has(features, CPU_NEON))
        return &cube3__reader_neon;
#endif
    (void)features;
    return &cube3__reader_portable;
}
