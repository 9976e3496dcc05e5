/*
 * test_table_trail.c - the rule of closed trails against all states of small orbits: a count of
 * arcs fits a structure exactly if some state of the structure has these arcs.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/table/table_trail.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"

enum { MOST_PIECES = 6, MOST_STRUCTURES = 128, MOST_ARCS = 12376, ORBIT = 1 };

/* All counts of arcs of one orbit, all structures, and which pairs some state has. */
struct small_orbit {
    unsigned n, mod;
    unsigned n_structures;
    uint64_t structure[MOST_STRUCTURES]; /* [i]: digits of base 8, see cycles_key */
    unsigned n_arcs;
    struct table_arcs arcs[MOST_ARCS]; /* ascending by arcs_key */
    uint64_t key[MOST_ARCS];
    bool seen[MOST_STRUCTURES][MOST_ARCS];
};

static struct small_orbit small;

/* ---- all counts of arcs ------------------------------------------------------------------ */

static uint64_t arcs_key(const struct table_arcs *arcs)
{
    uint64_t key = 0;
    for (unsigned kind = 0; kind < TABLE_TRAIL_KINDS; kind++)
        for (unsigned turn = 0; turn < TABLE_TRAIL_MAX_MOD; turn++)
            key = key * 8 + arcs->count[kind][turn];
    return key;
}

/* Distributes `left` arcs over the kinds and turns from `at` on, in ascending order of the key. */
static void list_arcs(struct table_arcs *arcs, unsigned at, unsigned left)
{
    unsigned kind = at / small.mod, turn = at % small.mod;
    if (kind == TABLE_TRAIL_KINDS) {
        if (left > 0)
            return;
        ck_assert_uint_lt(small.n_arcs, MOST_ARCS);
        small.key[small.n_arcs] = arcs_key(arcs);
        small.arcs[small.n_arcs++] = *arcs;
        return;
    }
    for (unsigned count = 0; count <= left; count++) {
        arcs->count[kind][turn] = (uint8_t)count;
        list_arcs(arcs, at + 1, left - count);
    }
    arcs->count[kind][turn] = 0;
}

static unsigned arcs_index(const struct table_arcs *arcs)
{
    uint64_t key = arcs_key(arcs);
    unsigned low = 0, high = small.n_arcs;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (small.key[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    SUPPORT_EXPECT(small.key[low] == key);
    return low;
}

/* ---- all states ------------------------------------------------------------------------- */

/* How many cycles of each (length, oriented), eight a digit. */
static uint64_t cycles_key(const uint8_t *piece, const uint8_t *turn)
{
    uint64_t key = 0;
    unsigned seen = 0;
    for (unsigned first = 0; first < small.n; first++) {
        unsigned length = 0, sum = 0;
        for (unsigned i = first; !(seen >> i & 1); i = piece[i]) {
            seen |= 1u << i;
            length++;
            sum += turn[i];
        }
        if (length > 0)
            key += (uint64_t)1 << 3 * (2 * (length - 1) + (sum % small.mod != 0));
    }
    return key;
}

static unsigned structure_index(uint64_t key)
{
    for (unsigned i = 0; i < small.n_structures; i++)
        if (small.structure[i] == key)
            return i;
    ck_assert_uint_lt(small.n_structures, MOST_STRUCTURES);
    small.structure[small.n_structures] = key;
    return small.n_structures++;
}

static void note_state(const uint8_t *piece, const uint8_t *turn, unsigned colours)
{
    struct table_arcs arcs = {{{0}}};
    for (unsigned i = 0; i < small.n; i++)
        arcs.count[2 * (colours >> i & 1) + (colours >> piece[i] & 1)][turn[i]]++;
    small.seen[structure_index(cycles_key(piece, turn))][arcs_index(&arcs)] = true;
}

/* All turns of one permutation under one colouring. */
static void note_turns(const uint8_t *piece, unsigned colours)
{
    uint8_t turn[MOST_PIECES] = {0};
    for (unsigned i = 0; i < small.n;) {
        note_state(piece, turn, colours);
        for (i = 0; i < small.n && ++turn[i] == small.mod; i++)
            turn[i] = 0;
    }
}

/* All permutations that begin with the first `placed` pieces as they are. */
static void note_perms(uint8_t *piece, unsigned placed, unsigned colours)
{
    if (placed == small.n)
        note_turns(piece, colours);
    for (unsigned i = placed; i < small.n; i++) {
        uint8_t held = piece[placed];
        piece[placed] = piece[i];
        piece[i] = held;
        note_perms(piece, placed + 1, colours);
        piece[i] = piece[placed];
        piece[placed] = held;
    }
}

/* ---- the rule --------------------------------------------------------------------------- */

/* Cycles of the tested orbit in any order, unlisted where they are fixed, among those of another
 * orbit. */
static void structure_of(uint64_t key, struct cycle_structure *structure)
{
    memset(structure, 0, sizeof *structure);
    structure->item[structure->n_items++] = (struct cycle_item){0, 3, 1};
    for (unsigned digit = 1; digit < 2 * MOST_PIECES; digit++)
        for (unsigned count = key >> 3 * digit & 7; count > 0; count--)
            structure->item[structure->n_items++] =
                (struct cycle_item){ORBIT, (uint8_t)(digit / 2 + 1), digit & 1};
    structure->item[structure->n_items++] = (struct cycle_item){ORBIT + 1, 2, 0};
}

/* Twice, in different orders: the second answer may come from memory. */
static void check_structure(unsigned index)
{
    struct support_random random = {index + 1};
    struct cycle_structure structure;
    struct table_trail_rule *rule = NULL;
    structure_of(small.structure[index], &structure);
    ck_assert_int_eq(table_trail_rule_new(&structure, ORBIT, small.n, small.mod, &rule), 0);
    for (unsigned round = 0; round < 2 * small.n_arcs; round++) {
        unsigned a = round < small.n_arcs ? round : support_random_below(&random, small.n_arcs);
        struct table_arcs arcs = small.arcs[a];
        bool fits = table_trail_rule_fits(rule, &arcs);
        if (fits != small.seen[index][a])
            ck_abort_msg("n = %u, mod %u, structure %llo, arcs %llo: fits %d", small.n, small.mod,
                         (unsigned long long)small.structure[index],
                         (unsigned long long)small.key[a], fits);
        SUPPORT_EXPECT(memcmp(&arcs, &small.arcs[a], sizeof arcs) == 0);
    }
    table_trail_rule_free(rule);
}

/* Every colouring of few pieces, of more pieces one for each number of pieces of colour 1: what
 * slots they are makes no difference to counts. */
static void check_orbit(unsigned n, unsigned mod)
{
    uint8_t piece[MOST_PIECES];
    struct table_arcs arcs = {{{0}}};
    memset(&small, 0, sizeof small);
    small.n = n;
    small.mod = mod;
    list_arcs(&arcs, 0, n);
    for (unsigned i = 0; i < n; i++)
        piece[i] = (uint8_t)i;
    for (unsigned colours = 0; colours < 1u << n; colours++)
        if (n < MOST_PIECES || (colours & (colours + 1)) == 0)
            note_perms(piece, 0, colours);
    for (unsigned i = 0; i < small.n_structures; i++)
        check_structure(i);
}

START_TEST(one_turn)
{
    for (unsigned n = 1; n <= MOST_PIECES; n++)
        check_orbit(n, 1);
}
END_TEST

START_TEST(two_turns)
{
    for (unsigned n = 1; n <= MOST_PIECES; n++)
        check_orbit(n, 2);
}
END_TEST

START_TEST(three_turns)
{
    for (unsigned n = 1; n < MOST_PIECES; n++)
        check_orbit(n, 3);
}
END_TEST

START_TEST(three_turns_of_six_pieces)
{
    check_orbit(MOST_PIECES, 3);
}
END_TEST

/* ---- large orbits ------------------------------------------------------------------------ */

/* Arcs of a state of the 3x3x3's orbits always fit its own structure. */
static void check_random(unsigned n, unsigned mod, unsigned ones)
{
    struct support_random random = {n * 31 + ones};
    struct perm_shape shape = {0};
    ck_assert_int_eq(perm_shape_add_orbit(&shape, n, mod), 0);
    for (unsigned round = 0; round < 300; round++) {
        uint8_t state[PERM_MAX_BYTES];
        bool seen[12] = {false};
        struct cycle_structure structure = {0};
        struct table_arcs arcs = {{{0}}};
        struct table_trail_rule *rule = NULL;
        support_random_arrangement(&random, &shape, state);
        for (unsigned i = 0; i < n; i++) {
            unsigned turn, length;
            arcs.count[2 * (i < ones) + (state[i] < ones)][state[n + i]]++;
            if (seen[i])
                continue;
            length = perm_walk_cycle(&shape.orbit[0], state, i, seen, &turn);
            if (length > 1 || turn != 0)
                structure.item[structure.n_items++] =
                    (struct cycle_item){0, (uint8_t)length, turn != 0};
        }
        ck_assert_int_eq(table_trail_rule_new(&structure, 0, n, mod, &rule), 0);
        SUPPORT_EXPECT(table_trail_rule_fits(rule, &arcs));
        table_trail_rule_free(rule);
    }
}

START_TEST(states_of_large_orbits_fit_their_structure)
{
    check_random(8, 3, 4);
    check_random(8, 3, 0);
    check_random(12, 2, 4);
    check_random(12, 3, 6);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        one_turn,
        two_turns,
        three_turns,
        three_turns_of_six_pieces,
        states_of_large_orbits_fit_their_structure,
    };

    return support_suite_run("table_trail", tests, sizeof tests / sizeof tests[0], NULL, NULL, 60);
}
