/*
 * test_long_words.c - every cycle structure of up to ten moves, without a table and without a job:
 * one word of every class is composed by the window rule, and its structure read in the register.
 * How many there are of nine moves and fewer is known (tests/data); of ten it is what this found.
 */
#include <check.h>
#include <stdlib.h>

#include "tests/support/support_suite.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

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

START_TEST(structures_by_length)
{
    static const unsigned known[] = {1, 2, 7, 19, 118, 535, 2245, 5756, 9179, 8826, 6756};
    static const uint64_t words[] = {[6] = 11045, [8] = 1445470, [9] = 17131472, [10] = 206357305};
    struct puzzle *cube = support_builtin("3x3x3");
    struct seen *seen = calloc(1, sizeof *seen);
    struct support_setting setting;
    ck_assert_ptr_nonnull(seen);
    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    for (unsigned length = 0; length < BASE_COUNT(known); length++) {
        struct support_run run = {.problem = &setting.problem, .read = see, .arg = seen};
        unsigned before = seen->count;
        support_run_window(&run, length);
        ck_assert_msg(seen->count - before == known[length],
                      "length %u: %u structures of %llu words", length, seen->count - before,
                      (unsigned long long)run.leaves);
        if (words[length])
            ck_assert_uint_eq(run.leaves, words[length]);
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
