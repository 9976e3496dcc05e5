/*
 * test_search_phases.c - words in two phases lead to the solved state, keep to their limits and are
 * the same whenever they are asked for; states of a structure have that structure; a beam's words
 * fall to the shortest.
 */
#include <check.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/search/search_beam.h"
#include "core/search/search_phases.h"
#include "core/search/search_sample.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

enum { TRIES = 30, SHORT = 4, SAMPLES = 4, STEP = 30 };

static struct puzzle *cube;
static struct cycle_structure solved;
static struct support_setting setting;

static void setup(void)
{
    cube = support_builtin("3x3x3");
    solved = (struct cycle_structure){.n_items = 0};
    support_setting_init(&setting, cube, &solved);
    support_walk_choose_best(&setting.problem);
}

static void teardown(void)
{
    support_setting_deinit(&setting);
    puzzle_release(cube);
}

/* ---- two phases -------------------------------------------------------------------------- */

static struct search_phases *make_phases(void)
{
    struct search_phases *phases = search_phases_new();
    unsigned steps = 0;
    ck_assert_ptr_nonnull(phases);
    ck_assert(search_phases_fits(&setting.problem));
    ck_assert_int_eq(search_phases_state(phases), SEARCH_PHASES_GROWING);
    while (search_phases_make(phases, cube) == SEARCH_PHASES_GROWING)
        steps++;
    ck_assert_int_eq(search_phases_state(phases), SEARCH_PHASES_READY);
    ck_assert_uint_gt(steps, 1000); /* each is a short one */
    return phases;
}

static int try_once(const struct search_phases *phases, const uint8_t *state, uint64_t number,
                    unsigned most, uint8_t *word)
{
    const struct search_phases_try task = {.problem = &setting.problem,
                                           .state = state,
                                           .number = number,
                                           .nodes = 100000,
                                           .most = most};
    return search_phases_try(phases, &task, word);
}

/* Each try asks for a shorter word than the last. Returns the shortest. */
static unsigned check_tries(const struct search_phases *phases, const uint8_t *state)
{
    unsigned best = PUZZLE_MAX_WORD;
    for (uint64_t number = 0; number < TRIES && best > 0; number++) {
        uint8_t word[PUZZLE_MAX_WORD], again[PUZZLE_MAX_WORD], end[PERM_MAX_BYTES];
        int length = try_once(phases, state, number, best - 1, word);
        ck_assert_int_eq(try_once(phases, state, number, best - 1, again), length);
        if (length < 0)
            continue;
        ck_assert_mem_eq(word, again, (size_t)length);
        ck_assert_uint_lt((unsigned)length, best);
        puzzle_apply_word(cube, state, word, (unsigned)length, end);
        ck_assert(perm_is_identity(puzzle_shape(cube), end));
        best = (unsigned)length;
    }
    return best;
}

START_TEST(random_states_in_two_phases)
{
    struct search_phases *phases = make_phases();
    struct support_random random = {7};
    for (unsigned i = 0; i < 8; i++) {
        uint8_t word[60], state[PERM_MAX_BYTES];
        support_random_word(&random, cube, word, sizeof word);
        puzzle_apply_word(cube, NULL, word, sizeof word, state);
        ck_assert_uint_le(check_tries(phases, state), 25);
    }
    search_phases_free(phases);
}
END_TEST

/* No word is shorter than the optimum, and a limit below it finds none. */
START_TEST(near_states_in_two_phases)
{
    struct search_phases *phases = make_phases();
    uint8_t state[PERM_MAX_BYTES], word[PUZZLE_MAX_WORD];
    support_word_state(cube, "R F U", state);
    ck_assert_uint_ge(check_tries(phases, state), 3);
    for (uint64_t number = 0; number < TRIES; number++)
        ck_assert_int_lt(try_once(phases, state, number, 2, word), 0);
    perm_identity(puzzle_shape(cube), state);
    ck_assert_uint_eq(check_tries(phases, state), 0);
    search_phases_free(phases);
}
END_TEST

START_TEST(puzzles_without_two_phases)
{
    struct puzzle *faces = support_puzzle_faces(cube, "U R F"), *small = support_builtin("2x2x2");
    struct search_problem problem = setting.problem;
    problem.puzzle = faces;
    ck_assert(!search_phases_fits(&problem));
    problem.puzzle = small;
    problem.shape = puzzle_shape(small);
    ck_assert(!search_phases_fits(&problem));
    puzzle_release(faces);
    puzzle_release(small);
}
END_TEST

/* ---- samples ----------------------------------------------------------------------------- */

/* Of some rows, and each number the same again. */
START_TEST(samples_have_the_structure)
{
    struct support_structure row;
    unsigned rows = 0, made = 0, differ = 0;
    FILE *file = support_structures_open();
    while (support_structures_next(file, cube, &row)) {
        uint8_t state[PERM_MAX_BYTES], last[PERM_MAX_BYTES];
        if (rows++ % STEP != 0)
            continue;
        memset(last, 0, sizeof last);
        for (uint64_t number = 0; number < 6 * SAMPLES; number++) {
            struct cycle_structure structure;
            if (!search_sample_state(cube, &row.structure, number, state))
                continue;
            cycle_of_state(cube, state, &structure);
            SUPPORT_EXPECT(cycle_equal(&structure, &row.structure));
            SUPPORT_EXPECT(perm_check(puzzle_shape(cube), state, NULL) == 0);
            made++;
            differ += memcmp(state, last, puzzle_shape(cube)->bytes) != 0;
            memcpy(last, state, sizeof last);
        }
    }
    fclose(file);
    ck_assert_uint_gt(rows, 3000);
    ck_assert_uint_gt(made, rows / STEP * SAMPLES);
    ck_assert_uint_gt(differ, made / 2);
}
END_TEST

/* ---- the beam ---------------------------------------------------------------------------- */

/* Runs until a word of `least` moves is found, in moments of so many nanoseconds; the words, each
 * behind the other, go to `lengths`. */
static unsigned run_beam(const struct search_problem *problem, unsigned least, uint64_t moment,
                         unsigned lengths[SEARCH_MAX_LENGTH])
{
    struct search_beam *beam = search_beam_new(problem, SEARCH_MAX_LENGTH - 1);
    unsigned n = 0;
    ck_assert_ptr_nonnull(beam);
    do {
        enum search_beam_result result = search_beam_run(beam, least, base_clock_ns() + moment);
        ck_assert(result != SEARCH_BEAM_FAILED);
        if (result == SEARCH_BEAM_PAUSED)
            continue;
        const struct search_beam_word *word = search_beam_word(beam);
        uint8_t state[PERM_MAX_BYTES];
        puzzle_apply_word(cube, problem->start, word->move, word->length, state);
        ck_assert(search_problem_is_target(problem, state));
        ck_assert(n == 0 || word->length < lengths[n - 1]);
        lengths[n++] = word->length;
    } while (n == 0 || lengths[n - 1] > least);
    ck_assert_uint_eq(lengths[n - 1], least);
    search_beam_free(beam);
    return n;
}

/* Without a table a beam as wide as a level finds what is near. */
START_TEST(a_beam_falls_to_the_shortest)
{
    unsigned once[SEARCH_MAX_LENGTH], pieces[SEARCH_MAX_LENGTH];
    uint8_t start[PERM_MAX_BYTES];
    struct search_problem problem = setting.problem;
    support_word_state(cube, "R F U2 B'", start);
    problem.start = start;
    problem.is_cycle_job = false;
    unsigned n = run_beam(&problem, SHORT, 1000000000, once);
    ck_assert_uint_eq(run_beam(&problem, SHORT, 20000, pieces), n);
    ck_assert_mem_eq(once, pieces, n * sizeof *once);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {random_states_in_two_phases, near_states_in_two_phases,
                                  puzzles_without_two_phases, samples_have_the_structure,
                                  a_beam_falls_to_the_shortest};
    return support_suite_run("search_phases", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
