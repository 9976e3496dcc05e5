/*
 * test_search_window.c - the window rule: how few words it visits, and that no structure escapes
 * it.
 *
 * With CYCLOSOLVE_SLOW set in the environment the pass over all structures goes to length 8.
 */
#include <check.h>
#include <stdlib.h>

#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

/* Words visited at the last level, after the wrap checks. */
enum { VISITS_4 = 155, VISITS_5 = 1047, VISITS_6 = 11045, VISITS_8 = 1445470 };

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

/* ---- counts ----------------------------------------------------------------------------- */

START_TEST(plain_walks_visit_all_canonical_words)
{
    static const uint64_t counts[] = {1, 18, 243, 3240, 43254, 577368};
    struct support_setting setting;

    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    for (unsigned length = 0; length < 6; length++) {
        struct support_run run = {.problem = &setting.problem};
        support_run_plain(&run, length);
        ck_assert_uint_eq(run.leaves, counts[length]);
    }
    support_setting_deinit(&setting);
}
END_TEST

static uint64_t count_visits(unsigned length)
{
    struct support_setting setting;
    support_setting_init(&setting, cube, NULL);
    struct support_run run = {.problem = &setting.problem};
    support_walk_choose_best(&setting.problem);
    support_run_window(&run, length);
    support_setting_deinit(&setting);
    return run.leaves;
}

/* The signature of the rule: these figures change only with the order of ranks. */
START_TEST(the_window_rule_visits_few_words)
{
    ck_assert_uint_eq(count_visits(4), VISITS_4);
    ck_assert_uint_eq(count_visits(5), VISITS_5);
    ck_assert_uint_eq(count_visits(6), VISITS_6);
    ck_assert_uint_eq(count_visits(8), VISITS_8);
    ck_assert_uint_le(VISITS_6, 11600);
    ck_assert_uint_le(VISITS_8, 1500000);
}
END_TEST

/* ---- structures ------------------------------------------------------------------------- */

enum { SET_SLOTS = 1 << 16 };

/* The structures found so far, by their hashes. */
struct structures {
    const struct puzzle *puzzle;
    bool shortens[PUZZLE_MAX_MOVES][PUZZLE_MAX_MOVES]; /* are the two moves one move, or none? */
    uint64_t slot[SET_SLOTS];                          /* 0: empty */
    unsigned count;
};

static void structures_add(struct structures *set, const uint8_t *state)
{
    struct cycle_structure structure;
    cycle_of_state(set->puzzle, state, &structure);
    uint64_t hash = cycle_hash(&structure) | 1;
    unsigned at = (unsigned)(hash >> 40) % SET_SLOTS;
    while (set->slot[at] != 0 && set->slot[at] != hash)
        at = (at + 1) % SET_SLOTS;
    set->count += set->slot[at] == 0;
    set->slot[at] = hash;
    SUPPORT_EXPECT(set->count < SET_SLOTS);
}

static void structures_add_walk(void *arg, const struct search_walk *walk)
{
    struct structures *set = arg;
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(set->puzzle, NULL, walk->word, walk->length, state);
    structures_add(set, state);
}

static struct structures *structures_new(const struct puzzle *puzzle)
{
    struct structures *set = calloc(1, sizeof *set);
    ck_assert_ptr_nonnull(set);
    set->puzzle = puzzle;
    for (unsigned a = 0; a < puzzle_move_count(puzzle); a++)
        for (unsigned b = 0; b < puzzle_move_count(puzzle); b++) {
            uint8_t word[2] = {(uint8_t)a, (uint8_t)b}, state[PERM_MAX_BYTES];
            puzzle_apply_word(puzzle, NULL, word, 2, state);
            set->shortens[a][b] = perm_is_identity(puzzle_shape(puzzle), state) ||
                                  puzzle_find_transform(puzzle, state) >= 0;
        }
    return set;
}

/* All words behind this one (`last`: its last move, or -1), but for those that two neighbours make
 * shorter. */
static void structures_add_all(struct structures *set, const uint8_t *state, int last,
                               unsigned left)
{
    if (left == 0) {
        structures_add(set, state);
        return;
    }
    for (unsigned m = 0; m < puzzle_move_count(set->puzzle); m++) {
        uint8_t child[PERM_MAX_BYTES];
        if (last >= 0 && set->shortens[last][m])
            continue;
        perm_compose(puzzle_shape(set->puzzle), state, puzzle_move_at(set->puzzle, m)->transform,
                     child);
        structures_add_all(set, child, (int)m, left - 1);
    }
}

static bool structures_equal(const struct structures *a, const struct structures *b)
{
    unsigned common = 0;
    for (unsigned i = 0; i < SET_SLOTS; i++) {
        unsigned at = (unsigned)(a->slot[i] >> 40) % SET_SLOTS;
        if (a->slot[i] == 0)
            continue;
        while (b->slot[at] != 0 && b->slot[at] != a->slot[i])
            at = (at + 1) % SET_SLOTS;
        common += b->slot[at] != 0;
    }
    return common == a->count && common == b->count;
}

/* After every length the rule has found exactly the structures that words of up to this length
 * have. Takes the puzzle. */
static void check_finds_all(struct puzzle *puzzle, unsigned longest)
{
    struct structures *found = structures_new(puzzle), *all = structures_new(puzzle);
    struct support_setting setting;
    support_setting_init(&setting, puzzle, NULL);
    support_walk_choose_best(&setting.problem);
    for (unsigned length = 0; length <= longest; length++) {
        struct support_run run = {
            .problem = &setting.problem, .each = structures_add_walk, .arg = found};
        support_run_window(&run, length);
        structures_add_all(all, setting.solved, -1, length);
        ck_assert_msg(structures_equal(found, all), "length %u: %u of %u structures", length,
                      found->count, all->count);
    }
    support_setting_deinit(&setting);
    free(found);
    free(all);
    puzzle_release(puzzle);
}

START_TEST(the_window_rule_finds_all_structures)
{
    check_finds_all(puzzle_acquire(cube), 5);
}
END_TEST

START_TEST(the_window_rule_holds_for_restricted_moves)
{
    check_finds_all(support_puzzle_faces(cube, "U R"), 8);
    check_finds_all(support_puzzle_faces(cube, "U R F"), 6);
    check_finds_all(support_puzzle_faces(cube, "U R D"), 6);
    check_finds_all(support_puzzle_faces(cube, "U D"), 8);
    check_finds_all(support_puzzle_only(cube, "U2 R2 F2 D2 L2 B2"), 7);
    check_finds_all(support_puzzle_only(cube, "U R"), 8);
    check_finds_all(support_builtin("2x2x2"), 6);
}
END_TEST

START_TEST(the_window_rule_holds_for_other_puzzles)
{
    check_finds_all(support_puzzle("a 7", "A a(0 1 2 3); B! a(2 3 4) a(0 5)"), 8);
    check_finds_all(support_puzzle("a 7", "A a(0 1); B a(1 2); C a(2 3); D a(3 4); E a(4 5)"), 8);
    check_finds_all(
        support_puzzle("a 5*4, b 6*3", "A! a(0 1 2+1) b(0 1+1); B! a(2 3 4+1) b(1 2 3 4 5)"), 8);
    check_finds_all(
        support_puzzle("a 6, b 6",
                       "A a(0 1 2 3) b(0 1 2); B b(0 1 2 3) a(0 4 5); C b(3 4 5) a(2 3 4)"),
        6);
}
END_TEST

/* New structures at every length, in one pass over the words that the rule leaves. */
static void check_exact_lengths(const unsigned *counts, unsigned n)
{
    struct structures *found = structures_new(cube);
    struct support_setting setting;
    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    for (unsigned length = 0, before = 0; length < n; before = found->count, length++) {
        struct support_run run = {
            .problem = &setting.problem, .each = structures_add_walk, .arg = found};
        support_run_window(&run, length);
        ck_assert_msg(found->count - before == counts[length], "length %u: %u", length,
                      found->count - before);
    }
    support_setting_deinit(&setting);
    free(found);
}

START_TEST(structures_of_every_length_are_as_many_as_known)
{
    static const unsigned counts[] = {1, 2, 7, 19, 118, 535, 2245, 5756, 9179};

    check_exact_lengths(counts, getenv("CYCLOSOLVE_SLOW") ? 9 : 7);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        plain_walks_visit_all_canonical_words,   the_window_rule_visits_few_words,
        the_window_rule_finds_all_structures,    the_window_rule_holds_for_restricted_moves,
        the_window_rule_holds_for_other_puzzles, structures_of_every_length_are_as_many_as_known,
    };

    return support_suite_run("search_window", tests, sizeof tests / sizeof tests[0], setup,
                             teardown, 120);
}
