/*
 * test_long_words.c - every cycle structure of up to nine moves, without a table and without a job:
 * one word of every class is visited by the window rule, and its structure read by the reference.
 */
#include <check.h>
#include <stdlib.h>

#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

enum { BUCKETS = 1 << 16 };

/* Structures seen, by hash; the 3x3x3 has 41224. */
struct seen {
    const struct puzzle *cube;
    unsigned count;
    bool used[BUCKETS];
    struct cycle_structure structure[BUCKETS];
};

static void see(void *arg, const struct search_walk *walk)
{
    struct seen *seen = arg;
    uint8_t state[PERM_MAX_BYTES];
    struct cycle_structure structure;
    puzzle_apply_word(seen->cube, NULL, walk->word, walk->length, state);
    cycle_of_state(seen->cube, state, &structure);
    size_t at = cycle_hash(&structure) % BUCKETS;
    while (seen->used[at] && !cycle_equal(&seen->structure[at], &structure))
        at = (at + 1) % BUCKETS;
    if (seen->used[at])
        return;
    seen->used[at] = true;
    seen->structure[at] = structure;
    seen->count++;
}

START_TEST(structures_by_length)
{
    static const unsigned known[] = {1, 2, 7, 19, 118, 535, 2245, 5756, 9179, 8826};
    static const uint64_t most_words[] = {0, 0, 0, 0, 0, 0, 11600, 0, 1500000, 17600000};
    struct puzzle *cube = support_builtin("3x3x3");
    struct seen *seen = calloc(1, sizeof *seen);
    struct support_setting setting;
    ck_assert_ptr_nonnull(seen);
    seen->cube = cube;
    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    for (unsigned length = 0; length < sizeof known / sizeof *known; length++) {
        struct support_run run = {.problem = &setting.problem, .each = see, .arg = seen};
        unsigned before = seen->count;
        support_run_window(&run, length);
        ck_assert_msg(seen->count - before == known[length], "length %u: %u structures", length,
                      seen->count - before);
        if (most_words[length])
            ck_assert_uint_le(run.leaves, most_words[length]);
    }
    support_setting_deinit(&setting);
    free(seen);
    puzzle_release(cube);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {structures_by_length};
    return support_suite_run("long_words", tests, 1, NULL, NULL, 600);
}
