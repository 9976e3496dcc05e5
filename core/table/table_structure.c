/*
 * table_structure.c - the structures of an orbit, their numbers, and the breadth-first search.
 */
#include "core/table/table_structure.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_mem.h"
#include "core/table/table_fill.h"
#include "core/table/table_structure_inl.h"
#include "core/table/table_structure_int.h"

struct table_structure {
    struct table__orbit orbit;
    struct table__keys keys;
    uint32_t count;
    /* how a state is read */
    unsigned n_words;
    uint64_t movable[4]; /* slots of the orbit, one bit each */
    struct perm_orbit place;
    struct cube3_orbit_structures *cube3; /* owned; NULL: the puzzle fits no register */
    /* one of them */
    struct table__lattice *lattice;
    struct table__characters *characters;
};

/* ---- what the moves do ------------------------------------------------------------------ */

static void add_cycle(struct table__move *move, unsigned length, unsigned sum)
{
    unsigned at = move->n++;
    for (; at > 0 && (move->length[at - 1] > length ||
                      (move->length[at - 1] == length && move->sum[at - 1] > sum));
         at--) {
        move->length[at] = move->length[at - 1];
        move->sum[at] = move->sum[at - 1];
    }
    move->length[at] = (uint8_t)length;
    move->sum[at] = (uint8_t)sum;
}

static void read_move(const struct perm_orbit *place, const uint8_t *transform,
                      struct table__move *move)
{
    bool seen[UINT8_MAX] = {false};
    memset(move, 0, sizeof *move);
    for (unsigned i = 0; i < place->size; i++) {
        unsigned sum;
        if (seen[i])
            continue;
        unsigned length = perm_walk_cycle(place, transform, i, seen, &sum);
        if (length > 1 || sum != 0)
            add_cycle(move, length, sum);
    }
}

static bool is_new(const struct table__orbit *orbit, const struct table__move *move)
{
    for (unsigned i = 0; i < orbit->n_moves; i++) {
        if (memcmp(&orbit->move[i], move, sizeof *move) == 0)
            return false;
    }
    return move->n > 0;
}

static int orbit_init(struct table__orbit *orbit, const struct puzzle *puzzle, unsigned number)
{
    const struct perm_orbit *place = &puzzle_shape(puzzle)->orbit[number];
    *orbit = (struct table__orbit){.orbit = number,
                                   .n = puzzle_movable_count(puzzle, number),
                                   .mod = place->mod,
                                   .sum_kept = puzzle_orientation_sum_kept(puzzle, number)};
    if (orbit->n > TABLE__MAX_PIECES)
        return BASE_ERR_TOO_LARGE;
    orbit->move = calloc(puzzle_move_count(puzzle) + 1, sizeof *orbit->move);
    if (!orbit->move)
        return BASE_ERR_NOMEM;
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        read_move(place, puzzle_move_at(puzzle, m)->transform, &orbit->move[orbit->n_moves]);
        orbit->n_moves += is_new(orbit, &orbit->move[orbit->n_moves]);
    }
    return BASE_OK;
}

/* ---- all structures --------------------------------------------------------------------- */

/* As cycle_check: one sum that is not zero cannot make a total of zero, and mod 2 only an even
 * number of them can. */
bool table__orbit_allows(const struct table__orbit *orbit, const struct table__cycles *cycles)
{
    unsigned pieces = 0, oriented = 0;
    for (unsigned length = 1; length <= orbit->n; length++) {
        pieces += length * ((unsigned)cycles->count[0][length] + cycles->count[1][length]);
        oriented += cycles->count[1][length];
    }
    if (pieces != orbit->n || (orbit->mod == 1 && oriented > 0))
        return false;
    return !orbit->sum_kept || (orbit->mod == 2 ? oriented % 2 == 0 : oriented != 1);
}

struct listing {
    const struct table__orbit *orbit;
    bool (*visit)(void *arg, uint32_t number, const struct table__cycles *cycles);
    void *arg;
    uint32_t number;
    struct table__cycles cycles;
};

/* All that begin with the cycles so far and go on with cycles no smaller than `least` (2 * length +
 * oriented); the pieces left are plain. The list so far comes before its continuations. */
static bool list_from(struct listing *listing, unsigned least)
{
    const struct table__orbit *orbit = listing->orbit;
    struct table__cycles *cycles = &listing->cycles;

    if (table__orbit_allows(orbit, cycles) &&
        !listing->visit(listing->arg, listing->number++, cycles))
        return false;
    for (unsigned kind = least; kind / 2 <= cycles->count[0][1]; kind++) {
        unsigned length = kind / 2, oriented = kind % 2;
        if (oriented && orbit->mod == 1)
            continue;
        cycles->count[0][1] = (uint8_t)(cycles->count[0][1] - length);
        cycles->count[oriented][length]++;
        bool more = list_from(listing, kind);
        cycles->count[oriented][length]--;
        cycles->count[0][1] = (uint8_t)(cycles->count[0][1] + length);
        if (!more)
            return false;
    }
    return true;
}

bool table__orbit_each(const struct table__orbit *orbit,
                       bool (*visit)(void *arg, uint32_t number,
                                     const struct table__cycles *cycles),
                       void *arg)
{
    struct listing listing = {.orbit = orbit, .visit = visit, .arg = arg};
    listing.cycles.count[0][1] = (uint8_t)orbit->n;
    return list_from(&listing, 2 * 1 + 1);
}

static bool count_one(void *arg, uint32_t number, const struct table__cycles *cycles)
{
    uint32_t *count = arg;
    (void)cycles;
    *count = number + 1;
    return *count <= TABLE_STRUCTURE_MAX_COUNT;
}

/* ---- life ------------------------------------------------------------------------------- */

/* What does not fit is refused before the keys are made. */
static int make_engine(struct table_structure *structure, struct table__engines engines)
{
    const struct table__orbit *orbit = &structure->orbit;
    int code = BASE_ERR_TOO_LARGE;

    if (engines.lattice)
        code = table__lattice_new(orbit, structure->count, &structure->lattice);
    bool by_characters =
        code == BASE_ERR_TOO_LARGE && engines.characters && table__characters_fit(orbit);
    if (code != BASE_OK && !by_characters)
        return code;
    code = table__keys_init(&structure->keys, orbit, structure->count);
    if (code == BASE_OK && by_characters)
        code = table__characters_new(orbit, &structure->keys, structure->count,
                                     &structure->characters);
    return code;
}

struct renumbering {
    const struct table_structure *structure;
    uint32_t number[CUBE3_EDGE_STRUCTURES]; /* [of core/cube3]: ours */
};

/* Structures that the orbit does not have, because some pieces cannot move, are those of no state.
 */
static void renumber_one(void *arg, unsigned number, const struct cycle_structure *structure)
{
    struct renumbering *renumbering = arg;
    if (table_structure_find(renumbering->structure, structure, &renumbering->number[number]) != 0)
        renumbering->number[number] = 0;
}

static int make_cube3(struct table_structure *structure)
{
    struct renumbering renumbering = {.structure = structure};
    struct cube3_orbit_structures *cube3 = base_mem_new(sizeof *cube3, 64);
    structure->cube3 = cube3;
    if (!cube3)
        return BASE_ERR_NOMEM;
    cube3_orbit_structures_init(structure->orbit.orbit, cube3);
    cube3_structures_each(structure->orbit.orbit, renumber_one, &renumbering);
    for (unsigned key = 0; key < CUBE3_STRUCTURE_KEYS; key++)
        cube3->number[key] = (uint16_t)renumbering.number[cube3->number[key]];
    structure->keys.open.cube3 = cube3;
    return BASE_OK;
}

static int init(struct table_structure *structure, const struct puzzle *puzzle, unsigned orbit,
                struct table__engines engines)
{
    structure->place = puzzle_shape(puzzle)->orbit[orbit];
    for (unsigned slot = 0; slot < structure->place.size; slot++) {
        if (puzzle_slot_movable(puzzle, orbit, slot)) {
            structure->movable[slot / 64] |= UINT64_C(1) << slot % 64;
            structure->n_words = slot / 64 + 1;
        }
    }
    int code = orbit_init(&structure->orbit, puzzle, orbit);
    if (code)
        return code;
    if (!table__orbit_each(&structure->orbit, count_one, &structure->count))
        return BASE_ERR_TOO_LARGE;
    code = make_engine(structure, engines);
    return code == 0 && cube3_has_structures(puzzle) ? make_cube3(structure) : code;
}

int table__structure_new(const struct puzzle *puzzle, unsigned orbit, struct table__engines engines,
                         struct table_structure **out)
{
    struct table_structure *structure = calloc(1, sizeof *structure);
    *out = NULL;
    if (!structure)
        return BASE_ERR_NOMEM;
    int code = init(structure, puzzle, orbit, engines);
    if (code)
        table_structure_free(structure);
    else
        *out = structure;
    return code;
}

int table_structure_new(const struct puzzle *puzzle, unsigned orbit, struct table_structure **out)
{
    return table__structure_new(puzzle, orbit, (struct table__engines){true, true}, out);
}

void table_structure_free(struct table_structure *structure)
{
    if (!structure)
        return;
    table__characters_free(structure->characters);
    table__lattice_free(structure->lattice);
    table__keys_deinit(&structure->keys);
    base_mem_free(structure->cube3);
    free(structure->orbit.move);
    free(structure);
}

uint32_t table_structure_count(const struct table_structure *structure)
{
    return structure->count;
}

uint64_t table_structure_memory(const struct table_structure *structure)
{
    uint64_t engine = structure->lattice ? table__lattice_memory(structure->lattice)
                                         : table__characters_memory(structure->characters);
    return sizeof *structure + table__keys_memory(&structure->keys) +
           (structure->cube3 ? sizeof *structure->cube3 : 0) +
           structure->orbit.n_moves * sizeof structure->orbit.move[0] + engine;
}

const struct table_structure_keys *table_structure_keys(const struct table_structure *structure)
{
    return &structure->keys.open;
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* A cycle's sum is kept reduced on the way: dividing at its end takes longer than the walk. */
uint32_t table_structure_index(const struct table_structure *structure, const uint8_t *state)
{
    const uint8_t *piece = perm_pieces(&structure->place, state);
    const uint8_t *turn = perm_orientations(&structure->place, state);
    const uint64_t *weight = structure->keys.open.weight;
    const unsigned mod = structure->place.mod;
    uint64_t left[4], key = 0;

    memcpy(left, structure->movable, sizeof left);
    for (unsigned word = 0; word < structure->n_words; word++) {
        while (left[word]) {
            const unsigned first = 64 * word + (unsigned)__builtin_ctzll(left[word]);
            unsigned at = first, length = 0, sum = 0;
            do {
                left[at / 64] &= ~(UINT64_C(1) << at % 64);
                sum += turn[at];
                sum = sum >= mod ? sum - mod : sum;
                length++;
                at = piece[at];
            } while (at != first);
            key += weight[2 * length + (sum != 0)];
        }
    }
    return table_structure_number(&structure->keys.open, key);
}

int table_structure_find(const struct table_structure *structure,
                         const struct cycle_structure *wanted, uint32_t *out)
{
    struct table__cycles cycles = {0};
    unsigned pieces = 0;

    for (unsigned i = 0; i < wanted->n_items; i++) {
        const struct cycle_item *item = &wanted->item[i];
        if (item->orbit != structure->orbit.orbit)
            continue;
        pieces += item->length;
        if (pieces > structure->orbit.n)
            return BASE_ERR_INFEASIBLE;
        cycles.count[item->oriented][item->length]++;
    }
    cycles.count[0][1] = (uint8_t)(structure->orbit.n - pieces);
    if (!table__orbit_allows(&structure->orbit, &cycles))
        return BASE_ERR_INFEASIBLE;
    *out = table__keys_number(&structure->keys, &cycles);
    return BASE_OK;
}

/* ---- filling ---------------------------------------------------------------------------- */

static uint64_t mark_targets(const struct table_structure *structure,
                             const struct cycle_structure *targets, size_t n, uint8_t *entries)
{
    uint64_t marked = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t number;
        if (table_structure_find(structure, &targets[i], &number) == BASE_OK) {
            marked += entries[number] == TABLE_VACANT;
            entries[number] = 1;
        }
    }
    return marked;
}

static uint64_t deepen(const struct table_structure *structure, void *work, uint8_t *entries,
                       unsigned layer)
{
    if (structure->lattice)
        return table__lattice_deepen(structure->lattice, work, entries, layer);
    return table__characters_deepen(structure->characters, work, entries, layer);
}

static uint64_t work_bytes(const struct table_structure *structure)
{
    if (structure->lattice)
        return table__lattice_work_bytes(structure->lattice);
    return table__characters_work_bytes(structure->characters);
}

/* An entry cannot say more than `most`, so what is beyond says just that, be it reachable or not:
 * no orbit that is accepted is known to have such distances. */
static uint64_t settle_rest(const struct table_structure *structure, uint8_t *entries,
                            unsigned most)
{
    uint64_t settled = 0;
    for (uint32_t i = 0; i < structure->count; i++) {
        if (entries[i] == TABLE_VACANT) {
            entries[i] = (uint8_t)(most + 1);
            settled++;
        }
    }
    return settled;
}

int table_structure_fill(const struct table_structure *structure,
                         const struct cycle_structure *targets, size_t n, uint8_t *entries,
                         uint64_t *histogram)
{
    const unsigned most = TABLE_FILL_MAX_LAYERS - 2; /* distance */
    unsigned distance = 0;
    void *work = calloc(1, work_bytes(structure));

    if (!work)
        return BASE_ERR_NOMEM;
    memset(entries, TABLE_VACANT, structure->count);
    memset(histogram, 0, TABLE_FILL_MAX_LAYERS * sizeof *histogram);
    histogram[0] = mark_targets(structure, targets, n, entries);
    while (histogram[distance] > 0 && distance < most) {
        histogram[distance + 1] = deepen(structure, work, entries, distance + 1);
        distance++;
    }
    if (histogram[distance] > 0)
        histogram[distance] += settle_rest(structure, entries, most);
    free(work);
    return BASE_OK;
}
