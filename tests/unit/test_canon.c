/*
 * test_canon.c - the canonical-sequence machine against all words and all ways of swapping.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/canon/canon.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct canon *machine_of(const struct puzzle *puzzle)
{
    struct canon *canon = NULL;

    ck_assert_int_eq(canon_new(puzzle, &canon), 0);
    ck_assert_uint_eq(canon->n_moves, puzzle_move_count(puzzle));
    return canon;
}

/* ---- counts ----------------------------------------------------------------------------- */

/* Accepted words of `length` letters, by counting paths through the machine. */
static uint64_t count_words(const struct canon *canon, unsigned length)
{
    uint64_t *paths = calloc(canon->n_states, sizeof *paths), total = 0;

    ck_assert_ptr_nonnull(paths);
    paths[CANON_FREE] = 1;
    for (unsigned i = 0; i < length; i++) {
        uint64_t *longer = calloc(canon->n_states, sizeof *longer);
        ck_assert_ptr_nonnull(longer);
        for (unsigned s = 0; s < canon->n_states; s++)
            for (unsigned m = 0; m < canon->n_moves; m++)
                if (canon_allows(canon, s, m))
                    longer[canon_next(canon, s, m)] += paths[s];
        free(paths);
        paths = longer;
    }
    for (unsigned s = 0; s < canon->n_states; s++)
        total += paths[s];
    free(paths);
    return total;
}

static void expect_counts(const struct puzzle *puzzle, const uint64_t *counts, unsigned n)
{
    struct canon *canon = machine_of(puzzle);

    for (unsigned length = 0; length < n; length++)
        ck_assert_msg(count_words(canon, length) == counts[length], "length %u: %llu", length,
                      (unsigned long long)count_words(canon, length));
    canon_free(canon);
}

START_TEST(the_cube_has_its_known_counts)
{
    static const uint64_t counts[] = {1, 18, 243, 3240, 43254, 577368, 7706988};
    struct puzzle *cube = support_builtin("3x3x3");

    expect_counts(cube, counts, 7);
    puzzle_release(cube);
}
END_TEST

START_TEST(words_are_counted_and_grow_by_a_ratio)
{
    struct puzzle *cube = support_builtin("3x3x3"), *small = support_builtin("2x2x2");
    struct canon *canon = machine_of(cube);

    double words[14];
    canon_count_words(canon, 14, words);
    for (unsigned length = 0; length <= 8; length++)
        ck_assert_double_eq_tol(words[length], (double)count_words(canon, length), 0.5);
    ck_assert_double_eq_tol(words[13], words[12] * canon_growth(canon), 1e-3 * words[13]);
    ck_assert_double_eq_tol(canon_growth(canon), 13.348, 0.001);
    canon_free(canon);
    canon = machine_of(small);
    ck_assert_double_eq_tol(canon_growth(canon), 6, 1e-9);
    canon_free(canon);
    puzzle_release(cube);
    puzzle_release(small);
}
END_TEST

START_TEST(faces_that_never_commute_leave_all_words_without_repeats)
{
    static const uint64_t counts[] = {1, 9, 54, 324, 1944, 11664};
    struct puzzle *pocket = support_builtin("2x2x2");

    expect_counts(pocket, counts, 6);
    puzzle_release(pocket);
}
END_TEST

/* ---- against all ways of swapping ------------------------------------------------------- */

enum { MAX_LENGTH = 8 };

/* All words of one length over few moves, numbered in base n_moves; the traces among them. */
struct words {
    const struct puzzle *puzzle;
    struct canon *canon;
    unsigned n_moves, length;
    uint32_t count;
    bool commutes[PUZZLE_MAX_MOVES][PUZZLE_MAX_MOVES];
    bool merges[PUZZLE_MAX_MOVES][PUZZLE_MAX_MOVES];
    bool *seen;
    uint32_t *trace; /* the words of the trace at hand */
};

static void letters_of(const struct words *words, uint32_t number, uint8_t *word)
{
    for (unsigned i = words->length; i-- > 0; number /= words->n_moves)
        word[i] = (uint8_t)(number % words->n_moves);
}

static uint32_t number_of(const struct words *words, const uint8_t *word)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < words->length; i++)
        number = number * words->n_moves + word[i];
    return number;
}

/* Are the two moves, one right after the other, one move that weighs no more, or none? */
static bool pair_merges(const struct puzzle *puzzle, unsigned a, unsigned b)
{
    const struct puzzle_move *first = puzzle_move_at(puzzle, a),
                             *second = puzzle_move_at(puzzle, b);
    uint8_t word[2] = {(uint8_t)a, (uint8_t)b}, state[PERM_MAX_BYTES];

    puzzle_apply_word(puzzle, NULL, word, 2, state);
    int same = puzzle_find_transform(puzzle, state);
    if (first->family != second->family)
        return false;
    return perm_is_identity(puzzle_shape(puzzle), state) ||
           (same >= 0 &&
            puzzle_move_at(puzzle, (unsigned)same)->weight <= first->weight + second->weight);
}

static bool pair_commutes(const struct puzzle *puzzle, unsigned a, unsigned b)
{
    uint8_t ab[2] = {(uint8_t)a, (uint8_t)b}, ba[2] = {(uint8_t)b, (uint8_t)a};
    uint8_t first[PERM_MAX_BYTES], second[PERM_MAX_BYTES];

    puzzle_apply_word(puzzle, NULL, ab, 2, first);
    puzzle_apply_word(puzzle, NULL, ba, 2, second);
    return perm_equal(puzzle_shape(puzzle), first, second);
}

static void words_init(struct words *words, const struct puzzle *puzzle, unsigned length)
{
    *words = (struct words){.puzzle = puzzle, .canon = machine_of(puzzle), .length = length};
    words->n_moves = puzzle_move_count(puzzle);
    words->count = 1;
    for (unsigned i = 0; i < length; i++)
        words->count *= words->n_moves;
    words->seen = calloc(words->count, sizeof *words->seen);
    words->trace = malloc(words->count * sizeof *words->trace);
    SUPPORT_EXPECT(words->seen && words->trace);
    for (unsigned a = 0; a < words->n_moves; a++)
        for (unsigned b = 0; b < words->n_moves; b++) {
            words->commutes[a][b] = pair_commutes(puzzle, a, b);
            words->merges[a][b] = pair_merges(puzzle, a, b);
            SUPPORT_EXPECT(canon_commute(words->canon, a, b) == words->commutes[a][b]);
        }
}

static void words_deinit(struct words *words)
{
    canon_free(words->canon);
    free(words->seen);
    free(words->trace);
}

/* Collects the trace of an unseen word; *reducible: two neighbours merge in some word of it. */
static uint32_t collect_trace(struct words *words, uint32_t first, bool *reducible)
{
    uint32_t count = 1;
    words->trace[0] = first;
    words->seen[first] = true;
    *reducible = false;
    for (uint32_t at = 0; at < count; at++) {
        uint8_t word[MAX_LENGTH];
        letters_of(words, words->trace[at], word);
        for (unsigned i = 0; i + 1 < words->length; i++) {
            uint8_t a = word[i], b = word[i + 1];
            *reducible = *reducible || words->merges[a][b];
            if (!words->commutes[a][b])
                continue;
            word[i] = b, word[i + 1] = a;
            uint32_t other = number_of(words, word);
            word[i] = a, word[i + 1] = b;
            if (!words->seen[other]) {
                words->seen[other] = true;
                words->trace[count++] = other;
            }
        }
    }
    return count;
}

/* The least word of a trace is the normal form of all, and accepted unless the trace is reducible;
 * no other word of it is accepted. */
static void check_trace(const struct words *words, uint32_t least, uint32_t count, bool reducible)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t word[MAX_LENGTH];
        letters_of(words, words->trace[i], word);
        bool accepted = canon_accepts(words->canon, word, words->length);
        ck_assert_msg(accepted == (words->trace[i] == least && !reducible), "word %u of length %u",
                      (unsigned)words->trace[i], words->length);
        canon_normalise(words->canon, word, words->length);
        SUPPORT_EXPECT(number_of(words, word) == least);
    }
}

/* Words are taken in ascending order, so the first of a trace is its least. */
static void check_all_words(const struct puzzle *puzzle, unsigned length)
{
    struct words words;
    uint64_t accepted = 0;
    words_init(&words, puzzle, length);
    for (uint32_t w = 0; w < words.count; w++) {
        bool reducible;
        if (words.seen[w])
            continue;
        uint32_t count = collect_trace(&words, w, &reducible);
        check_trace(&words, w, count, reducible);
        accepted += !reducible;
    }
    ck_assert_uint_eq(count_words(words.canon, length), accepted);
    words_deinit(&words);
}

/* All lengths up to the one given. */
static void check_puzzle(struct puzzle *puzzle, unsigned longest)
{
    for (unsigned length = 0; length <= longest; length++)
        check_all_words(puzzle, length);
    puzzle_release(puzzle);
}

START_TEST(commuting_need_not_be_transitive)
{
    /* A and B commute, B and C commute, A and C do not; three faces of order 3 likewise. */
    check_puzzle(support_puzzle("a 5", "A a(0 1); B a(3 4); C a(1 2)"), 8);
    check_puzzle(support_puzzle("a 8", "A a(0 1 2); B a(4 5 6); C a(2 3)"), 6);
    check_puzzle(support_puzzle("a 8", "C a(2 3); B a(4 5 6); A a(0 1 2)"), 6);
}
END_TEST

START_TEST(every_small_commuting_graph_is_right)
{
    /* Four moves on the corners of a square, five around a pentagon, six in a row. */
    check_puzzle(support_puzzle("a 8", "A a(0 1); B a(1 2); C a(2 3); D a(3 0)"), 7);
    check_puzzle(support_puzzle("a 5", "A a(0 1); C a(2 3); E a(4 0); B a(1 2); D a(3 4)"), 6);
    check_puzzle(
        support_puzzle("a 7", "F a(5 6); B a(1 2); D a(3 4); A a(0 1); E a(4 5); C a(2 3)"), 6);
}
END_TEST

START_TEST(without_half_turns_two_quarter_turns_stay)
{
    struct puzzle *puzzle = support_puzzle("a 6", "U! a(0 1 2 3); D! a(4 5)");
    struct canon *canon = machine_of(puzzle);
    uint8_t word[SUPPORT_MAX_WORD];

    ck_assert(canon_accepts(canon, word, support_word_parse(puzzle, "U U", word)));
    ck_assert(canon_accepts(canon, word, support_word_parse(puzzle, "U U D", word)));
    ck_assert(!canon_accepts(canon, word, support_word_parse(puzzle, "U D U", word)));
    ck_assert(!canon_accepts(canon, word, support_word_parse(puzzle, "U U'", word)));
    ck_assert(!canon_accepts(canon, word, support_word_parse(puzzle, "U D U'", word)));
    canon_free(canon);
    check_puzzle(puzzle, 7);
    check_puzzle(support_puzzle("a 6", "U! a(0 1 2 3); D! a(4 5); R! a(3 4)"), 6);
}
END_TEST

START_TEST(families_may_be_of_any_order)
{
    check_puzzle(support_puzzle("a 7, b 3", "U a(0 1 2 3 4 5 6); D b(0 1 2)"), 5);
    check_puzzle(support_puzzle("a 9", "U a(0 1 2 3 4 5 6); D a(6 7 8)"), 5);
    check_puzzle(support_puzzle("a 12", "U! a(0 1 2 3 4 5 6); D a(7 8 9 10 11)"), 5);
}
END_TEST

/* A puzzle of the 2x2x2's U moves and of algorithms. */
static struct puzzle *with_algorithms(const char *const *algorithm, unsigned n, unsigned weight)
{
    struct puzzle *pocket = support_builtin("2x2x2"), *derived = NULL;
    struct puzzle_choice choice[8];
    uint8_t transform[8][PERM_MAX_BYTES];

    for (unsigned i = 0; i < n; i++) {
        support_word_state(pocket, algorithm[i], transform[i]);
        choice[i] = (struct puzzle_choice){algorithm[i], transform[i], weight};
    }
    ck_assert_int_eq(puzzle_derive(pocket, choice, n, &derived, NULL), 0);
    puzzle_release(pocket);
    return derived;
}

START_TEST(algorithms_may_be_moves)
{
    static const char *const list[] = {"U", "U2", "R F R'", "R F2 R'", "R U R' U'"};

    check_puzzle(with_algorithms(list, 5, 1), 5);
}
END_TEST

START_TEST(a_move_too_heavy_does_not_replace_two)
{
    static const char *const names[] = {"U", "U2"};
    struct puzzle *pocket = support_builtin("2x2x2"), *heavy = NULL;
    struct puzzle_choice choice[2];
    uint8_t word[SUPPORT_MAX_WORD];

    for (unsigned i = 0; i < 2; i++) {
        int move = puzzle_find_move(pocket, names[i], strlen(names[i]));
        choice[i] = (struct puzzle_choice){
            names[i], puzzle_move_at(pocket, (unsigned)move)->transform, 1 + 2 * i};
    }
    ck_assert_int_eq(puzzle_derive(pocket, choice, 2, &heavy, NULL), 0);
    struct canon *canon = machine_of(heavy);
    ck_assert(canon_accepts(canon, word, support_word_parse(heavy, "U U", word)));
    ck_assert(!canon_accepts(canon, word, support_word_parse(heavy, "U U2", word)));
    ck_assert(!canon_accepts(canon, word, support_word_parse(heavy, "U U'", word)));
    canon_free(canon);
    puzzle_release(pocket);
    check_puzzle(heavy, 7);
}
END_TEST

/* ---- the machine itself ----------------------------------------------------------------- */

START_TEST(after_a_move_only_its_family_is_barred)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct canon *canon = machine_of(cube);

    for (unsigned a = 0; a < 18; a++)
        for (unsigned b = 0; b < 18; b++)
            ck_assert_int_eq(canon_allows(canon, canon->after[a], b), a / 3 != b / 3);
    for (unsigned m = 0; m < 18; m++)
        ck_assert(canon_allows(canon, CANON_FREE, m));
    canon_free(canon);
    puzzle_release(cube);
}
END_TEST

START_TEST(the_normal_form_is_the_same_for_all_orders)
{
    struct support_random random = {1};
    struct puzzle *cube = support_builtin("3x3x3");
    struct canon *canon = machine_of(cube);

    for (unsigned round = 0; round < 300; round++) {
        enum { LENGTH = 20 };
        uint8_t word[LENGTH], other[LENGTH], again[LENGTH];
        support_random_word(&random, cube, word, LENGTH);
        memcpy(other, word, LENGTH);
        for (unsigned step = 0; step < 200; step++) {
            unsigned i = support_random_below(&random, LENGTH - 1);
            uint8_t held = other[i];
            if (!canon_commute(canon, other[i], other[i + 1]))
                continue;
            other[i] = other[i + 1];
            other[i + 1] = held;
        }
        canon_normalise(canon, word, LENGTH);
        canon_normalise(canon, other, LENGTH);
        ck_assert_mem_eq(word, other, LENGTH);
        memcpy(again, word, LENGTH);
        canon_normalise(canon, again, LENGTH);
        ck_assert_mem_eq(word, again, LENGTH);
    }
    canon_free(canon);
    puzzle_release(cube);
}
END_TEST

/* More than 64 moves fill both words of a set: a face of order 67 and one of order 3. */
START_TEST(sets_of_more_than_64_moves_work)
{
    enum { ORDER = 67 };
    static const uint64_t counts[] = {1, 68, 264, 66 * 2 * 66 + 2 * 66 * 2};
    struct puzzle_builder *builder = puzzle_builder_new("wheel");
    struct puzzle *puzzle = NULL;
    uint8_t wheel[2 * (ORDER + 2)] = {0}, knob[2 * (ORDER + 2)] = {0};
    for (unsigned i = 0; i < ORDER + 2; i++) {
        wheel[i] = (uint8_t)(i < ORDER ? (i + 1) % ORDER : i);
        knob[i] = (uint8_t)i;
    }
    knob[ORDER - 1] = ORDER, knob[ORDER] = ORDER + 1, knob[ORDER + 1] = ORDER - 1;
    ck_assert_int_eq(puzzle_builder_add_orbit(builder, "a", ORDER + 2, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_face(builder, "W", wheel, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_face(builder, "K", knob, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    expect_counts(puzzle, counts, 4);
    check_puzzle(puzzle, 3);
}
END_TEST

/* ---- built-in puzzles --------------------------------------------------------------------- */

/* Up to three moves all canonical words have effects of their own, so there are as many as
 * positions (tests/data/positions_by_depth.json). */
START_TEST(the_megaminx_has_its_known_counts)
{
    static const uint64_t counts[] = {1, 48, 1536, 43520};
    struct puzzle *puzzle = support_builtin("megaminx");
    expect_counts(puzzle, counts, 4);
    puzzle_release(puzzle);
}
END_TEST

/* U or D, R or L, F or B: the axis that a move of a big cube turns about. */
static char axis_of(const struct puzzle *puzzle, unsigned move)
{
    const char *name = puzzle_move_at(puzzle, move)->name;
    char face = name[strspn(name, "2")];
    return strchr("UDud", face) ? 'U' : strchr("RLrl", face) ? 'R' : 'F';
}

static void check_parallel_layers(struct puzzle *puzzle)
{
    struct canon *canon = machine_of(puzzle);
    for (unsigned a = 0; a < canon->n_moves; a++)
        for (unsigned b = 0; b < canon->n_moves; b++)
            SUPPORT_EXPECT(canon_commute(canon, a, b) ==
                           (axis_of(puzzle, a) == axis_of(puzzle, b)));
    canon_free(canon);
    puzzle_release(puzzle);
}

START_TEST(parallel_layers_commute)
{
    check_parallel_layers(support_builtin("4x4x4"));
    check_parallel_layers(support_builtin("5x5x5"));
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        the_cube_has_its_known_counts,
        words_are_counted_and_grow_by_a_ratio,
        faces_that_never_commute_leave_all_words_without_repeats,
        commuting_need_not_be_transitive,
        every_small_commuting_graph_is_right,
        without_half_turns_two_quarter_turns_stay,
        families_may_be_of_any_order,
        algorithms_may_be_moves,
        a_move_too_heavy_does_not_replace_two,
        after_a_move_only_its_family_is_barred,
        the_normal_form_is_the_same_for_all_orders,
        sets_of_more_than_64_moves_work,
        the_megaminx_has_its_known_counts,
        parallel_layers_commute,
    };

    return support_suite_run("canon", tests, sizeof tests / sizeof tests[0], NULL, NULL, 60);
}
