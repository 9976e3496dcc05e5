/*
 * test_search_set.c - solutions and what belongs to them: classes, counts, the easiest word;
 * against every word of the length.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/search/search_rank.h"
#include "core/search/search_set.h"
#include "tests/support/support_brute.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"
#include "tests/support/support_words.h"

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

/* A set for one target, and what it borrows. */
struct fixture {
    struct cycle_structure target;
    uint8_t start[PERM_MAX_BYTES];
    struct engine_spec spec; /* the same job, for brute force */
    struct search_context *context;
    struct sym_group *group;
    struct search_problem problem;
    struct search_set *set;
};

/* `start`: a word, "" for a cycle job. */
static void fixture_init(struct fixture *fixture, const struct puzzle *puzzle, const char *text,
                         const char *start)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->target = support_cycle(puzzle, text);
    support_word_state(puzzle, start, fixture->start);
    fixture->spec = support_spec_all(puzzle, &fixture->target);
    fixture->spec.start = fixture->start;
    fixture->group = support_brute_group(&fixture->spec);
    ck_assert_int_eq(search_context_new(puzzle, &fixture->target, 1, &fixture->context), 0);
    fixture->problem = (struct search_problem){.context = fixture->context,
                                               .puzzle = puzzle,
                                               .shape = puzzle_shape(puzzle),
                                               .n_moves = puzzle_move_count(puzzle),
                                               .is_cycle_job = *start == '\0',
                                               .targets = &fixture->target,
                                               .n_targets = 1,
                                               .start = fixture->start,
                                               .group = fixture->group};
    ck_assert_int_eq(search_set_new(&fixture->problem, 0, &fixture->set), 0);
}

static void fixture_deinit(struct fixture *fixture)
{
    search_set_free(fixture->set);
    search_context_release(fixture->context);
    sym_group_free(fixture->group);
}

static void add(struct fixture *fixture, const char *text, bool replace)
{
    uint8_t word[SUPPORT_MAX_WORD];
    unsigned length = support_word_parse(fixture->problem.puzzle, text, word);
    ck_assert_int_eq(search_set_add(fixture->set, word, length, replace), 0);
}

static void expect_counts(const struct fixture *fixture, unsigned length, uint64_t sequences,
                          uint64_t canonical, uint64_t classes)
{
    struct search_set_counts counts;
    search_set_counts(fixture->set, length, &counts);
    ck_assert_uint_eq(counts.sequences, sequences);
    ck_assert_uint_eq(counts.canonical, canonical);
    ck_assert_uint_eq(counts.classes, classes);
    ck_assert_uint_eq(search_set_size(fixture->set, length), sequences);
}

/* ---- memory ------------------------------------------------------------------------------- */

/* What does not fit is said, and what is there is sound: every class has a word. */
START_TEST(memory_has_a_limit)
{
    enum { ROOM = 1 << 13, WORDS = 400 };
    struct fixture fixture;
    struct support_random random = {99};
    unsigned refused = 0;
    fixture_init(&fixture, cube, "c: (1+, 5+) / e: (7)", "");
    search_set_free(fixture.set);
    ck_assert_int_eq(search_set_new(&fixture.problem, ROOM, &fixture.set), 0);
    for (unsigned i = 0; i < WORDS; i++) {
        uint8_t word[SUPPORT_MAX_WORD + 2], turn[2];
        support_random_word(&random, cube, turn, 2); /* A B U R B' A': a conjugate of U R */
        for (unsigned j = 0; j < 2; j++) {
            word[j] = turn[j];
            word[5 - j] = puzzle_move_at(cube, turn[j])->inverse;
        }
        ck_assert_uint_eq(support_word_parse(cube, "U R", word + 2), 2);
        int code = search_set_add(fixture.set, word, 6, false);
        ck_assert(code == 0 || code == BASE_ERR_MEMORY_LIMIT);
        refused += code != 0;
    }
    ck_assert_uint_gt(refused, 0);
    ck_assert_uint_gt(search_set_classes(fixture.set), 0);
    for (uint32_t c = 0; c < search_set_classes(fixture.set); c++) {
        struct search_word best;
        double rank;
        search_set_best(fixture.set, c, &best, &rank);
        ck_assert_uint_eq(best.length, 6);
        ck_assert_uint_eq(best.class_index, c);
    }
    fixture_deinit(&fixture);
}
END_TEST

/* ---- classes ------------------------------------------------------------------------------ */

START_TEST(class_of_two)
{
    struct fixture fixture;
    fixture_init(&fixture, cube, "c: (1+, 5+) / e: (7)", "");
    add(&fixture, "U R", true);
    expect_counts(&fixture, 2, 48, 48, 1);
    add(&fixture, "L' B'", true); /* known */
    expect_counts(&fixture, 2, 48, 48, 1);
    expect_counts(&fixture, 3, 0, 0, 0);
    ck_assert_uint_eq(search_set_classes(fixture.set), 1);
    fixture_deinit(&fixture);
}
END_TEST

START_TEST(class_with_commuting_moves)
{
    struct fixture fixture;
    struct cycle_structure structure;
    uint8_t state[PERM_MAX_BYTES];
    char text[CYCLE_TEXT_BYTES];
    support_word_state(cube, "U R D", state);
    cycle_of_state(cube, state, &structure);
    cycle_print(cube, &structure, text, sizeof text);
    fixture_init(&fixture, cube, text, "");
    add(&fixture, "U R D", true);
    expect_counts(&fixture, 3, 144, 96, 1);
    fixture_deinit(&fixture);
}
END_TEST

START_TEST(empty_word)
{
    struct fixture fixture;
    struct search_word best;
    double rank;
    fixture_init(&fixture, cube, "c: / e:", "");
    add(&fixture, "", true);
    expect_counts(&fixture, 0, 1, 1, 1);
    search_set_best(fixture.set, 0, &best, &rank);
    ck_assert(best.length == 0 && rank >= 0 && rank <= 0);
    fixture_deinit(&fixture);
}
END_TEST

/* "R2 L2 U2 D2" and "U2 D2 R2 L2" have one effect: replacement leads from class to class. */
START_TEST(replacement)
{
    struct fixture fixture;
    struct cycle_structure structure;
    uint8_t state[PERM_MAX_BYTES];
    char text[CYCLE_TEXT_BYTES];
    static const char *const word = "R2 L2 U2 D2 F";
    support_word_state(cube, word, state);
    cycle_of_state(cube, state, &structure);
    cycle_print(cube, &structure, text, sizeof text);
    fixture_init(&fixture, cube, text, "");
    add(&fixture, word, false);
    struct search_set_counts alone, all;
    search_set_counts(fixture.set, 5, &alone);
    ck_assert_uint_eq(alone.classes, 1);
    fixture_deinit(&fixture);
    fixture_init(&fixture, cube, text, "");
    add(&fixture, word, true);
    search_set_counts(fixture.set, 5, &all);
    ck_assert_uint_ge(all.sequences, alone.sequences);
    add(&fixture, "U2 D2 R2 L2 F", false);
    expect_counts(&fixture, 5, all.sequences, all.canonical, all.classes);
    fixture_deinit(&fixture);
}
END_TEST

START_TEST(not_a_solution)
{
    struct fixture fixture;
    uint8_t word[SUPPORT_MAX_WORD];
    fixture_init(&fixture, cube, "c: (1+, 5+) / e: (7)", "");
    unsigned length = support_word_parse(cube, "U L2", word);
    ck_assert_int_eq(search_set_add(fixture.set, word, length, true), BASE_ERR_INTERNAL);
    fixture_deinit(&fixture);
}
END_TEST

/* Words two of whose moves could be one are not asked for; nor is a class of them. */
START_TEST(not_reduced)
{
    struct fixture fixture;
    fixture_init(&fixture, cube, "c: (4) / e: (4)", "");
    add(&fixture, "U D U2 D'", false);
    expect_counts(&fixture, 4, 0, 0, 0);
    ck_assert_uint_eq(search_set_classes(fixture.set), 0);
    fixture_deinit(&fixture);
}
END_TEST

/* No rotation and no inverse of words where the start is not solved. */
START_TEST(scramble)
{
    struct fixture fixture;
    fixture_init(&fixture, cube, "c: / e:", "U R");
    add(&fixture, "R' U'", true);
    expect_counts(&fixture, 2, 1, 1, 1);
    fixture_deinit(&fixture);
    fixture_init(&fixture, cube, "c: / e:", "U D");
    add(&fixture, "D' U'", true);
    expect_counts(&fixture, 2, 2, 1, 1);
    fixture_deinit(&fixture);
    fixture_init(&fixture, cube, "c: / e:", "U2 D2 F2 B2 L2 R2");
    add(&fixture, "R2 L2 B2 F2 D2 U2", true); /* all 6 orders of the axes, 2^3 of each */
    expect_counts(&fixture, 6, 48, 6, 1);
    fixture_deinit(&fixture);
}
END_TEST

/* ---- all words of a length ---------------------------------------------------------------- */

/* Adds every solution of a length, in random order if `stride` is not 1: the counts are those of
 * brute force, and the best of the classes are the easiest words. */
static void check_all(const struct puzzle *puzzle, const char *text, const char *start,
                      unsigned length, unsigned stride)
{
    struct fixture fixture;
    struct support_words words;
    fixture_init(&fixture, puzzle, text, start);
    support_words_init(&words, &fixture.spec, length);
    for (size_t first = 0; first < stride; first++)
        for (size_t i = first; i < words.count; i += stride)
            ck_assert_int_eq(search_set_add(fixture.set, words.word + i * length, length, false),
                             0);
    expect_counts(&fixture, length, words.count, support_words_canonical(&words),
                  support_words_classes(&words, fixture.group, fixture.problem.is_cycle_job));
    for (size_t i = 0; i < words.count; i++) {
        struct search_word word, best;
        double rank;
        search_set_word(fixture.set, length, i, &word);
        ck_assert(support_words_have(&words, word.move));
        search_set_best(fixture.set, word.class_index, &best, &rank);
        double mine = search_rank(puzzle, word.move, length);
        ck_assert(rank <= mine);
        if (rank >= mine)
            ck_assert_int_le(search_word_compare_text(puzzle, best.move, word.move, length), 0);
    }
    support_words_deinit(&words);
    fixture_deinit(&fixture);
}

START_TEST(all_words)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    check_all(cube, "c: (1+, 5+) / e: (7)", "", 2, 1);
    check_all(cube, "c: (1+, 5+) / e: (7)", "", 4, 7); /* above the optimum */
    check_all(cube, "c: (4) / e: (4)", "", 3, 3);
    check_all(cube, "c: (4, 4) / e: (4, 4)", "", 4, 1);
    check_all(cube, "c: / e:", "", 4, 1);
    check_all(cube, "c: / e:", "U2 D2", 2, 1);
    check_all(cube, "c: (4) / e: (4)", "U2 D2", 3, 5);
    check_all(pocket, "c: (1+, 5+)", "", 5, 11);
    check_all(pocket, "c:", "", 6, 1);
    puzzle_release(pocket);
}
END_TEST

START_TEST(all_words_of_small_puzzles)
{
    struct puzzle *orbits =
        support_puzzle("a 4*2, b 4*2", "P a(0 1 2+1); Q b(0 1 2+1); R a(2 3) b(2 3)");
    struct puzzle *chain = support_puzzle("a 7", "P a(0 1 2); S a(2 3); T a(3 4); Q a(4 5 6)");
    check_all(orbits, "a: (3) / b: (3)", "", 6, 5);
    check_all(orbits, "a: (2+) / b: (2+)", "", 5, 1);
    check_all(chain, "a: (3, 2)", "", 4, 3);
    check_all(chain, "a: (7)", "", 5, 1);
    check_all(chain, "a: (3)", "P S", 4, 1);
    puzzle_release(chain);
    puzzle_release(orbits);
}
END_TEST

/* ---- ease --------------------------------------------------------------------------------- */

static double rank_of(const char *text)
{
    uint8_t word[SUPPORT_MAX_WORD];
    return search_rank(cube, word, support_word_parse(cube, text, word));
}

START_TEST(ease)
{
    ck_assert(rank_of("") < rank_of("U"));
    ck_assert(rank_of("U") < rank_of("U'"));
    ck_assert(rank_of("U'") < rank_of("U2"));
    ck_assert(rank_of("R U R' U'") < rank_of("L U L' U'"));
    ck_assert(rank_of("R U R' U'") < rank_of("B U B' U'"));
    ck_assert(rank_of("R U") < rank_of("R F"));
    ck_assert(rank_of("R U R'") < rank_of("R U R' U'"));
}
END_TEST

START_TEST(order_of_texts)
{
    uint8_t a[SUPPORT_MAX_WORD], b[SUPPORT_MAX_WORD];
    static const char *const sorted[] = {"B", "B'", "B2", "D", "R", "R2", "U", "U'", "U2"};
    for (unsigned i = 0; i < 9; i++)
        for (unsigned j = 0; j < 9; j++) {
            support_word_parse(cube, sorted[i], a);
            support_word_parse(cube, sorted[j], b);
            int order = search_word_compare_text(cube, a, b, 1);
            ck_assert_int_eq(order < 0, i < j);
            ck_assert_int_eq(order > 0, i > j);
        }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {class_of_two,   class_with_commuting_moves,
                                  empty_word,     replacement,
                                  not_a_solution, not_reduced,
                                  scramble,       all_words,
                                  ease,           all_words_of_small_puzzles,
                                  order_of_texts, memory_has_a_limit};
    return support_suite_run("search_set", tests, sizeof tests / sizeof *tests, setup, teardown,
                             60);
}
