/*
 * test_search_leaves.c - the last level of walks without tables: leaves that are read in batches
 * have the structures of the words that are visited, those that are kept are the targets', whatever
 * kernel and reader; and the structures of all words up to a length are those that are known.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_hash.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_reader.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
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

static void structure_of(const char *word, struct cycle_structure *structure)
{
    uint8_t state[PERM_MAX_BYTES];
    support_word_state(cube, word, state);
    cycle_of_state(cube, state, structure);
}

/* Calls `check` with every kernel and reader. */
static void with_all(struct search_problem *problem, void (*check)(struct search_problem *))
{
    const struct cube3_reader *reader[SUPPORT_READER_MAX];
    unsigned n = support_reader_all(reader);
    for (unsigned kernel = 0; kernel < SUPPORT_KERNEL_COUNT; kernel++) {
        if (!support_walk_choose(problem, (enum support_kernel)kernel))
            continue;
        ck_assert_ptr_nonnull(problem->reader);
        for (unsigned i = 0; i < n; i++) {
            problem->reader = reader[i];
            check(problem);
        }
        search_problem_deinit(problem);
    }
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Numbers in the order of their coming, and in any. */
struct numbers {
    uint64_t digest, sum;
};

static void add_number(struct numbers *numbers, uint32_t number)
{
    numbers->digest = base_hash_mix(numbers->digest, number);
    numbers->sum += base_hash_mix(1, number);
}

static void read_some(void *arg, const uint32_t *number, unsigned count)
{
    SUPPORT_EXPECT(count > 0 && count <= CUBE3_BATCH);
    for (unsigned i = 0; i < count; i++)
        add_number(arg, number[i]);
}

static void visit_one(void *arg, const struct search_walk *walk)
{
    const struct search_problem *problem = walk->problem;
    uint8_t state[PERM_MAX_BYTES];
    struct cycle_structure structure;
    uint32_t number;
    puzzle_apply_word(problem->puzzle, problem->start, walk->word, walk->length, state);
    cycle_of_state(problem->puzzle, state, &structure);
    SUPPORT_EXPECT(cube3_structure_find(problem->context->structures, &structure, &number) == 0);
    add_number(arg, number);
}

static void check_reads(const struct search_problem *problem,
                        void (*walks)(struct support_run *, unsigned), unsigned length)
{
    struct numbers visited = {0}, read = {0};
    struct support_run one = {.problem = problem, .each = visit_one, .arg = &visited};
    struct support_run other = {.problem = problem, .read = read_some, .arg = &read};
    walks(&one, length);
    walks(&other, length);
    ck_assert_uint_eq(other.leaves, one.leaves);
    ck_assert_uint_eq(other.nodes, one.nodes);
    ck_assert_uint_eq(read.digest, visited.digest);
}

static void check_lengths(struct search_problem *problem)
{
    for (unsigned length = 0; length <= 3; length++)
        check_reads(problem, support_run_plain, length);
    for (unsigned length = 4; length <= 5; length++)
        check_reads(problem, support_run_window, length);
}

START_TEST(what_is_read_is_what_is_visited)
{
    struct support_setting setting;
    struct puzzle *part = support_puzzle_faces(cube, "U R F");

    support_setting_init(&setting, cube, NULL);
    with_all(&setting.problem, check_lengths);
    support_setting_deinit(&setting);
    support_setting_init(&setting, part, NULL);
    with_all(&setting.problem, check_lengths);
    support_setting_deinit(&setting);
    puzzle_release(part);
}
END_TEST

START_TEST(what_is_read_below_a_start_is_what_is_visited)
{
    struct support_setting setting;
    uint8_t start[PERM_MAX_BYTES];

    support_setting_init(&setting, cube, NULL);
    support_word_state(cube, "R U2 F' L D B2", start);
    setting.problem.start = start;
    support_walk_choose_best(&setting.problem);
    check_reads(&setting.problem, support_run_plain, 3);
    support_setting_deinit(&setting);
}
END_TEST

/* One root, a few nodes at a time, given away in halves now and then. */
static void run_in_pieces(struct support_run *run, const struct search_root *root,
                          struct support_random *random)
{
    enum { MAX_WALKS = 16 };
    struct search_walk *walk[MAX_WALKS] = {support_walk_new(run->problem, support_run_leaf(run))};
    bool ended;
    unsigned n = search_walk_start(walk[0], root, &ended);
    if (n == 0)
        search_walk_free(walk[0]);
    while (n > 0) {
        unsigned i = support_random_below(random, n);
        if (search_walk_run(walk[i], support_random_below(random, 90)) == SEARCH_WALK_DONE) {
            search_walk_free(walk[i]);
            walk[i] = walk[--n];
        } else if (n < MAX_WALKS && support_random_below(random, 3) == 0) {
            walk[n] = support_walk_new(run->problem, support_run_leaf(run));
            if (search_walk_split(walk[i], walk[n]))
                n++;
            else
                search_walk_free(walk[n]);
        }
    }
}

START_TEST(walks_in_pieces_read_each_word_once)
{
    struct support_random random = {4};
    struct support_setting setting;
    struct numbers whole = {0}, pieces = {0};

    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    struct support_run one = {.problem = &setting.problem, .read = read_some, .arg = &whole};
    struct support_run other = {.problem = &setting.problem, .read = read_some, .arg = &pieces};
    support_run_window(&one, 6);
    for (unsigned c = 0; c < setting.context->window->n_classes; c++) {
        struct search_root root = support_root_window(setting.context, c, 6);
        run_in_pieces(&other, &root, &random);
    }
    ck_assert_uint_eq(other.leaves, one.leaves);
    ck_assert_uint_eq(pieces.sum, whole.sum);
    support_setting_deinit(&setting);
}
END_TEST

/* ---- judging ------------------------------------------------------------------------------- */

/* The words that are visited, or of all words those that lead to a target. */
struct words {
    bool all;
    uint64_t count, digest;
};

static void add_word(void *arg, const struct search_walk *walk)
{
    struct words *words = arg;
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(walk->problem->puzzle, walk->problem->start, walk->word, walk->length, state);
    bool is_target = search_problem_is_target(walk->problem, state);
    if (words->all && !is_target)
        return;
    SUPPORT_EXPECT(is_target);
    words->count++;
    words->digest = base_hash_mix(words->digest, base_hash(walk->word, walk->length, 0));
}

static uint64_t check_kept(const struct search_problem *problem,
                           void (*walks)(struct support_run *, unsigned), unsigned length)
{
    struct words kept = {.all = false}, known = {.all = true};
    struct support_run run = {.problem = problem, .each = add_word, .arg = &kept};
    struct search_problem open = *problem;
    support_walk_visit_all(&open);
    walks(&run, length);
    run = (struct support_run){.problem = &open, .each = add_word, .arg = &known};
    walks(&run, length);
    ck_assert_uint_eq(kept.count, known.count);
    ck_assert_uint_eq(kept.digest, known.digest);
    return kept.count;
}

static void check_targets(struct search_problem *problem)
{
    if (problem->kernel == &search__kernel_generic)
        return; /* judges leaves by the pieces in place alone */
    for (unsigned length = 1; length <= 3; length++)
        check_kept(problem, support_run_plain, length);
    ck_assert_uint_gt(check_kept(problem, support_run_window, 5), 0);
}

START_TEST(leaves_that_are_kept_are_the_targets)
{
    struct cycle_structure target[3];
    struct support_setting setting;

    structure_of("U R U' D2 B", &target[0]);
    structure_of("U R2 F L2", &target[1]);
    structure_of("U D", &target[2]);
    support_setting_init(&setting, cube, target);
    setting.problem.n_targets = 3;
    with_all(&setting.problem, check_targets);
    support_setting_deinit(&setting);
}
END_TEST

START_TEST(leaves_of_scrambles_that_are_kept_are_the_targets)
{
    static const struct cycle_structure identity;
    struct support_setting setting;
    uint8_t start[PERM_MAX_BYTES];

    support_setting_init(&setting, cube, &identity);
    support_word_state(cube, "R U2 F'", start);
    setting.problem.start = start;
    setting.problem.is_cycle_job = false;
    support_walk_choose_best(&setting.problem);
    ck_assert_uint_eq(check_kept(&setting.problem, support_run_plain, 2), 0);
    ck_assert_uint_eq(check_kept(&setting.problem, support_run_plain, 3), 1);
    support_setting_deinit(&setting);
}
END_TEST

/* Numbers say nothing of a twisted corner: such words are visited, and judged by whoever asks. */
START_TEST(starts_that_no_moves_reach_are_not_read)
{
    struct cycle_structure target = {.n_items = 1, .item = {{0, 1, 1}}};
    struct support_setting setting;
    struct words words = {.all = true};
    uint8_t start[PERM_MAX_BYTES];

    support_setting_init(&setting, cube, &target);
    support_word_state(cube, "R U2", start);
    start[puzzle_shape(cube)->orbit[0].offset + 8] ^= 1;
    setting.problem.start = start;
    setting.problem.is_cycle_job = false;
    support_walk_choose_best(&setting.problem);
    ck_assert_ptr_null(setting.problem.reader);
    ck_assert_ptr_null(setting.problem.is_target);
    struct support_run run = {.problem = &setting.problem, .each = add_word, .arg = &words};
    support_run_plain(&run, 2);
    ck_assert_uint_eq(words.count, 1);
    support_setting_deinit(&setting);
}
END_TEST

/* ---- all structures ------------------------------------------------------------------------ */

struct seen {
    unsigned count;
    bool number[CUBE3_STRUCTURES];
};

static void see(void *arg, const uint32_t *number, unsigned count)
{
    struct seen *seen = arg;
    for (unsigned i = 0; i < count; i++) {
        seen->count += !seen->number[number[i]];
        seen->number[number[i]] = true;
    }
}

/* tests/data/structure_lengths_3x3.tsv has them one by one, up to nine moves. */
START_TEST(structures_by_length)
{
    static const unsigned known[] = {1, 2, 7, 19, 118, 535, 2245, 5756, 9179};
    struct seen *seen = calloc(1, sizeof *seen);
    struct support_setting setting;
    ck_assert_ptr_nonnull(seen);

    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    for (unsigned length = 0; length < BASE_COUNT(known); length++) {
        struct support_run run = {.problem = &setting.problem, .read = see, .arg = seen};
        unsigned before = seen->count;
        support_run_window(&run, length);
        ck_assert_msg(seen->count - before == known[length], "length %u: %u structures", length,
                      seen->count - before);
    }
    support_setting_deinit(&setting);
    free(seen);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_read_is_what_is_visited,
        what_is_read_below_a_start_is_what_is_visited,
        walks_in_pieces_read_each_word_once,
        leaves_that_are_kept_are_the_targets,
        leaves_of_scrambles_that_are_kept_are_the_targets,
        starts_that_no_moves_reach_are_not_read,
        structures_by_length,
    };
    return support_suite_run("search_leaves", tests, BASE_COUNT(tests), setup, teardown, 60);
}
