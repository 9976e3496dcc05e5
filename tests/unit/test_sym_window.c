/*
 * test_sym_window.c - window ranks against states: every word's effect is made, and its class found
 * by trying all symmetric images and their inverses.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/sym/sym_window.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

/* ---- a table of states ------------------------------------------------------------------ */

/* Sorted states, each once. */
struct states {
    size_t bytes, count;
    uint8_t *state;
};

static size_t order_bytes; /* qsort has no argument for it; each test is its own process */

static int order_states(const void *a, const void *b)
{
    return memcmp(a, b, order_bytes);
}

static void states_sort(struct states *states)
{
    size_t kept = 0;
    order_bytes = states->bytes;
    qsort(states->state, states->count, states->bytes, order_states);
    for (size_t i = 0; i < states->count; i++) {
        uint8_t *state = states->state + i * states->bytes;
        if (kept > 0 &&
            memcmp(state, states->state + (kept - 1) * states->bytes, states->bytes) == 0)
            continue;
        memmove(states->state + kept++ * states->bytes, state, states->bytes);
    }
    states->count = kept;
}

/* Place of a state; -1: it is not there. */
static long states_find(const struct states *states, const uint8_t *state)
{
    order_bytes = states->bytes;
    const uint8_t *found =
        bsearch(state, states->state, states->count, states->bytes, order_states);
    return found ? (found - states->state) / (long)states->bytes : -1;
}

static void letters_of(const struct sym_window *window, uint32_t number, unsigned length,
                       uint8_t *word)
{
    for (unsigned i = length; i-- > 0; number /= window->n_moves)
        word[i] = (uint8_t)(number % window->n_moves);
}

/* The effects of all words of `length` letters, appended. */
static void states_add_words(struct states *states, const struct puzzle *puzzle,
                             const struct sym_window *window, unsigned length)
{
    size_t n = 1;
    for (unsigned i = 0; i < length; i++)
        n *= window->n_moves;
    states->state = realloc(states->state, (states->count + n) * states->bytes);
    ck_assert_ptr_nonnull(states->state);
    for (uint32_t w = 0; w < n; w++) {
        uint8_t word[8], state[PERM_MAX_BYTES];
        letters_of(window, w, length, word);
        puzzle_apply_word(puzzle, NULL, word, length, state);
        memcpy(states->state + states->count++ * states->bytes, state, states->bytes);
    }
}

/* ---- the class of a state --------------------------------------------------------------- */

/* The least of all images of a state and of its inverse. */
static void class_of(const struct sym_group *group, const uint8_t *state, uint8_t *least)
{
    const struct perm_shape *shape = puzzle_shape(group->puzzle);
    uint8_t inverse[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
    perm_invert(shape, state, inverse);
    memcpy(least, state, shape->bytes);
    for (unsigned s = 0; s < 2 * group->count; s++) {
        sym_apply(group, s / 2, s % 2 ? inverse : state, image);
        if (memcmp(image, least, shape->bytes) < 0)
            memcpy(least, image, shape->bytes);
    }
}

/* What the ranks should be, found from the states. */
struct expected {
    const struct sym_window *window;
    struct states shorter, effects, classes;
    uint32_t *word_class; /* [word]: place among the classes, UINT32_MAX: a shorter word will do */
    uint32_t *words;      /* [class] */
    uint32_t *least;      /* [class]: its least word */
};

static void expected_init(struct expected *expected, const struct sym_group *group,
                          const struct sym_window *window)
{
    const struct puzzle *puzzle = group->puzzle;
    size_t bytes = puzzle_shape(puzzle)->bytes;
    *expected = (struct expected){.window = window};
    expected->shorter.bytes = expected->effects.bytes = expected->classes.bytes = bytes;
    for (unsigned length = 0; length < window->k; length++)
        states_add_words(&expected->shorter, puzzle, window, length);
    states_add_words(&expected->effects, puzzle, window, window->k);
    states_sort(&expected->shorter);
    states_sort(&expected->effects);
    expected->classes.state = malloc(expected->effects.count * bytes);
    ck_assert_ptr_nonnull(expected->classes.state);
    size_t kept = 0;
    for (size_t e = 0; e < expected->effects.count; e++) {
        uint8_t *effect = expected->effects.state + e * bytes;
        if (states_find(&expected->shorter, effect) >= 0)
            continue;
        class_of(group, effect, expected->classes.state + kept * bytes);
        memmove(expected->effects.state + kept++ * bytes, effect, bytes);
    }
    expected->effects.count = expected->classes.count = kept;
}

/* Class of every word, by way of its effect; and the words of every class. */
static void expected_count(struct expected *expected, const struct puzzle *puzzle)
{
    const struct sym_window *window = expected->window;
    struct states all = {expected->classes.bytes, expected->classes.count, NULL};
    all.state = malloc(all.count * all.bytes + 1);
    expected->word_class = malloc(window->n_words * sizeof *expected->word_class);
    expected->words = calloc(all.count + 1, sizeof *expected->words);
    expected->least = malloc((all.count + 1) * sizeof *expected->least);
    ck_assert(all.state && expected->word_class && expected->words && expected->least);
    memcpy(all.state, expected->classes.state, all.count * all.bytes);
    states_sort(&all);
    for (uint32_t w = 0; w < window->n_words; w++) {
        uint8_t word[8], state[PERM_MAX_BYTES];
        letters_of(window, w, window->k, word);
        puzzle_apply_word(puzzle, NULL, word, window->k, state);
        long effect = states_find(&expected->effects, state);
        expected->word_class[w] = UINT32_MAX;
        if (effect < 0)
            continue;
        long class = states_find(&all, expected->classes.state + (size_t)effect * all.bytes);
        expected->word_class[w] = (uint32_t) class;
        if (expected->words[class]++ == 0)
            expected->least[class] = w;
    }
    free(expected->classes.state);
    expected->classes = all;
}

static void expected_deinit(struct expected *expected)
{
    free(expected->shorter.state);
    free(expected->effects.state);
    free(expected->classes.state);
    free(expected->word_class);
    free(expected->words);
    free(expected->least);
}

/* ---- comparing -------------------------------------------------------------------------- */

static void check_ranks(const struct expected *expected)
{
    const struct sym_window *window = expected->window;
    SUPPORT_EXPECT(window->n_effects == expected->effects.count);
    SUPPORT_EXPECT(window->n_classes == expected->classes.count);
    for (uint32_t w = 0; w < window->n_words; w++) {
        uint32_t class = expected->word_class[w];
        if (class == UINT32_MAX) {
            SUPPORT_EXPECT(window->rank[w] == SYM_WINDOW_NO_RANK);
            SUPPORT_EXPECT(window->effect[w] == UINT32_MAX);
            continue;
        }
        SUPPORT_EXPECT(window->rank[w] >= 1);
        SUPPORT_EXPECT(window->rank[w] <= window->n_classes);
        unsigned rank = window->rank[w] - 1u;
        SUPPORT_EXPECT(window->class_words[rank] == expected->words[class]);
        SUPPORT_EXPECT(sym_window_word(window, window->prefix + (size_t)rank * window->k) ==
                       expected->least[class]);
    }
}

static void check_order(const struct sym_window *window)
{
    for (unsigned c = 0; c < window->n_classes; c++) {
        uint32_t word = sym_window_word(window, window->prefix + (size_t)c * window->k);
        SUPPORT_EXPECT(window->rank[word] == c + 1);
        if (c > 0)
            SUPPORT_EXPECT(window->class_words[c] <= window->class_words[c - 1]);
    }
}

/* The words of an effect are all words that have it, ascending. */
static void check_effects(const struct expected *expected, const struct puzzle *puzzle)
{
    const struct sym_window *window = expected->window;
    uint32_t ranked = 0;
    for (uint32_t e = 0; e < window->n_effects; e++) {
        uint8_t first[PERM_MAX_BYTES];
        for (uint32_t i = window->effect_first[e]; i < window->effect_first[e + 1]; i++) {
            uint8_t word[8], state[PERM_MAX_BYTES];
            uint32_t w = window->effect_words[i];
            letters_of(window, w, window->k, word);
            puzzle_apply_word(puzzle, NULL, word, window->k, state);
            if (i == window->effect_first[e])
                memcpy(first, state, sizeof first);
            else
                SUPPORT_EXPECT(window->effect_words[i - 1] < w);
            SUPPORT_EXPECT(perm_equal(puzzle_shape(puzzle), state, first));
            SUPPORT_EXPECT(window->effect[w] == e);
            ranked++;
        }
    }
    uint32_t expected_ranked = 0;
    for (uint32_t w = 0; w < window->n_words; w++)
        expected_ranked += expected->word_class[w] != UINT32_MAX;
    SUPPORT_EXPECT(ranked == expected_ranked);
}

static struct sym_window *window_of(const struct sym_group *group)
{
    struct sym_window *window = NULL;

    ck_assert_int_eq(sym_window_new(group, &window), 0);
    ck_assert_uint_eq(window->n_moves, puzzle_move_count(group->puzzle));
    ck_assert_uint_eq(window->k, sym_window_length(window->n_moves));
    ck_assert_uint_eq(window->n_rows * window->n_moves, window->n_words);
    return window;
}

static void check_group(const struct sym_group *group)
{
    struct sym_window *window = window_of(group);
    struct expected expected;

    expected_init(&expected, group, window);
    expected_count(&expected, group->puzzle);
    check_ranks(&expected);
    check_order(window);
    check_effects(&expected, group->puzzle);
    expected_deinit(&expected);
    sym_window_free(window);
}

/* Releases the puzzle. */
static void check_puzzle(struct puzzle *puzzle)
{
    struct sym_group *group = NULL;

    ck_assert_int_eq(sym_group_new(puzzle, &group), 0);
    check_group(group);
    sym_group_free(group);
    puzzle_release(puzzle);
}

START_TEST(the_cube_has_509_classes)
{
    struct sym_group *group = NULL;
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    struct sym_window *window = window_of(group);

    ck_assert_uint_eq(window->k, 4);
    ck_assert_uint_eq(window->n_classes, 509);
    /* 43 254 canonical words of 4 moves have 43 239 effects (R2 L2 U2 D2 = U2 D2 R2 L2). */
    ck_assert_uint_eq(window->n_effects, 43239);
    check_order(window);
    sym_window_free(window);
    sym_group_free(group);
}
END_TEST

START_TEST(the_classes_of_the_cube_are_those_of_its_states)
{
    check_puzzle(puzzle_acquire(cube));
}
END_TEST

START_TEST(restricted_moves_have_theirs)
{
    static const char *const faces[] = {"U R", "U R F", "U R D", "U D", "U"};

    for (size_t i = 0; i < sizeof faces / sizeof faces[0]; i++)
        check_puzzle(support_puzzle_faces(cube, faces[i]));
    check_puzzle(support_puzzle_only(cube, "U2 R2 F2 D2 L2 B2"));
    check_puzzle(support_puzzle_only(cube, "U R"));
    check_puzzle(support_builtin("2x2x2"));
}
END_TEST

START_TEST(other_puzzles_have_theirs)
{
    check_puzzle(support_puzzle("a 7", "A a(0 1 2 3); B! a(2 3 4) a(0 5)"));
    check_puzzle(support_puzzle("a 6, b 6", "A a(0 1 2) b(0 1); B b(0 1 2) a(0 1)"));
    check_puzzle(support_puzzle("a 5*4", "A! a(0 1 2+1); B! a(2 3 4+1)"));
    /* So many moves that windows are shorter: 19 to 49 have k = 3, more k = 2. */
    check_puzzle(support_puzzle("a 24", "A a(0 1 2 3 4 5 6 7 8 9 10 11 12); B a(12 13 14 15 16 17 "
                                        "18 19 20 21 22)"));
}
END_TEST

START_TEST(fewer_symmetries_make_more_classes)
{
    struct puzzle *puzzle = support_puzzle_faces(cube, "U R F");
    struct sym_group *group = NULL;

    ck_assert_int_eq(sym_group_new(puzzle, &group), 0);
    group->count = 1; /* the identity comes first */
    check_group(group);
    sym_group_free(group);
    puzzle_release(puzzle);
}
END_TEST

/* ---- words by name ---------------------------------------------------------------------- */

static unsigned rank_of(const struct sym_window *window, const struct puzzle *puzzle,
                        const char *text)
{
    uint8_t word[SUPPORT_MAX_WORD];
    ck_assert_uint_eq(support_word_parse(puzzle, text, word), window->k);
    return window->rank[sym_window_word(window, word)];
}

START_TEST(words_that_a_shorter_one_replaces_have_no_rank)
{
    struct sym_group *group = NULL;
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    struct sym_window *window = window_of(group);

    ck_assert_uint_eq(rank_of(window, cube, "U U R F"), SYM_WINDOW_NO_RANK);
    ck_assert_uint_eq(rank_of(window, cube, "R U D U"), SYM_WINDOW_NO_RANK);
    ck_assert_uint_eq(rank_of(window, cube, "U R R' F"), SYM_WINDOW_NO_RANK);
    ck_assert_uint_ne(rank_of(window, cube, "U R U R"), SYM_WINDOW_NO_RANK);
    ck_assert_uint_eq(rank_of(window, cube, "U D R F"), rank_of(window, cube, "D U R F"));
    ck_assert_uint_eq(rank_of(window, cube, "U D R F"), rank_of(window, cube, "F' R' D' U'"));
    ck_assert_uint_eq(rank_of(window, cube, "R2 L2 U2 D2"), rank_of(window, cube, "U2 D2 R2 L2"));
    ck_assert_uint_ne(rank_of(window, cube, "R2 L2 U2 D2"), SYM_WINDOW_NO_RANK);
    sym_window_free(window);
    sym_group_free(group);
}
END_TEST

START_TEST(lengths_follow_from_the_number_of_moves)
{
    static const struct {
        unsigned moves, k;
    } known[] = {{1, 4}, {2, 4}, {9, 4}, {18, 4}, {19, 3}, {49, 3}, {50, 2}, {128, 2}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        ck_assert_uint_eq(sym_window_length(known[i].moves), known[i].k);
}
END_TEST

/* Every window that crosses the end, and no other, decides. */
START_TEST(wrapping_windows_are_those_that_cross_the_end)
{
    struct puzzle *puzzle = support_puzzle_faces(cube, "U R");
    struct sym_group *group = NULL;
    SUPPORT_EXPECT(sym_group_new(puzzle, &group) == 0);
    struct sym_window *window = window_of(group);

    for (unsigned length = window->k; length <= 6; length++) {
        uint32_t n = 1;
        for (unsigned i = 0; i < length; i++)
            n *= window->n_moves;
        for (uint32_t w = 0; w < n; w++) {
            uint8_t word[16];
            unsigned least = UINT16_MAX;
            letters_of(window, w, length, word);
            memcpy(word + length, word, window->k);
            for (unsigned start = length - window->k + 1; start < length; start++) {
                unsigned rank = window->rank[sym_window_word(window, word + start)];
                least = rank < least ? rank : least;
            }
            SUPPORT_EXPECT(sym_window_wraps(window, word, length, least));
            SUPPORT_EXPECT(!sym_window_wraps(window, word, length, least + 1));
        }
    }
    sym_window_free(window);
    sym_group_free(group);
    puzzle_release(puzzle);
}
END_TEST

/* For every last move of a word, the rank of each window that crosses the end. */
static void check_wrap_ranks(const struct sym_window *window, uint8_t *word, unsigned length)
{
    memcpy(word + length, word, window->k);
    for (unsigned j = 1; j < window->k; j++) {
        uint32_t row = 0;
        for (unsigned i = length + j - window->k; i + 1 < length; i++)
            row = row * window->n_moves + word[i];
        const uint16_t *ranks =
            sym_window_wrap_head(window, word, j) + (size_t)row * window->n_moves;
        for (unsigned m = 0; m < window->n_moves; m++) {
            word[length - 1] = (uint8_t)m;
            uint32_t number = sym_window_word(window, word + length + j - window->k);
            SUPPORT_EXPECT(ranks[m] == window->rank[number]);
        }
    }
}

START_TEST(ranks_around_the_end_are_those_of_their_windows)
{
    struct support_random random = {5};
    struct puzzle *part = support_puzzle_faces(cube, "U R");
    struct puzzle *const puzzles[] = {cube, part};

    for (unsigned p = 0; p < 2; p++) {
        struct sym_group *group = NULL;
        ck_assert_int_eq(sym_group_new(puzzles[p], &group), 0);
        struct sym_window *window = window_of(group);
        for (unsigned round = 0; round < 2000; round++) {
            uint8_t word[32];
            unsigned length = window->k + 1 + support_random_below(&random, 8);
            support_random_word(&random, puzzles[p], word, length);
            check_wrap_ranks(window, word, length);
        }
        sym_window_free(window);
        sym_group_free(group);
    }
    puzzle_release(part);
}
END_TEST

START_TEST(rows_hold_the_moves_before)
{
    struct sym_group *group = NULL;
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    struct sym_window *window = window_of(group);
    uint8_t word[SUPPORT_MAX_WORD];
    unsigned length = support_word_parse(cube, "U R2 F' D L B2 U' R", word);
    uint32_t row = sym_window_word(window, word) % window->n_rows;

    for (unsigned at = window->k; at < length; at++) {
        ck_assert_uint_eq(row * window->n_moves + word[at],
                          sym_window_word(window, word + at - window->k + 1));
        row = sym_window_shift(window, row, word[at]);
    }
    sym_window_free(window);
    sym_group_free(group);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        the_cube_has_509_classes,
        the_classes_of_the_cube_are_those_of_its_states,
        restricted_moves_have_theirs,
        other_puzzles_have_theirs,
        fewer_symmetries_make_more_classes,
        words_that_a_shorter_one_replaces_have_no_rank,
        lengths_follow_from_the_number_of_moves,
        wrapping_windows_are_those_that_cross_the_end,
        ranks_around_the_end_are_those_of_their_windows,
        rows_hold_the_moves_before,
    };

    return support_suite_run("sym_window", tests, sizeof tests / sizeof tests[0], setup, teardown,
                             60);
}
