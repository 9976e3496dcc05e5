/*
 * bench_words.c - words a second under the window rule, without a table: visited only, and with the
 * structure of each read by the reference code.
 */
#include <check.h>
#include <stdio.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

struct reader {
    const struct puzzle *cube;
    uint64_t sum; /* of the hashes of all structures */
};

static void read_structure(void *arg, const struct search_walk *walk)
{
    struct reader *reader = arg;
    uint8_t state[PERM_MAX_BYTES];
    struct cycle_structure structure;
    puzzle_apply_word(reader->cube, NULL, walk->word, walk->length, state);
    cycle_of_state(reader->cube, state, &structure);
    reader->sum += cycle_hash(&structure);
}

static void measure(struct support_setting *setting, unsigned length, bool reading)
{
    struct support_bench_times times = {.count = 0};
    struct support_run run = {.problem = NULL};
    struct reader reader = {.cube = setting->problem.puzzle};
    for (unsigned i = 0; i < SUPPORT_BENCH_RUNS; i++) {
        reader.sum = 0;
        run = (struct support_run){
            .problem = &setting->problem, .each = reading ? read_structure : NULL, .arg = &reader};
        uint64_t began = base_clock_ns();
        support_run_window(&run, length);
        support_bench_add(&times, support_bench_since(began));
    }
    double seconds = support_bench_median(&times);
    printf("%6u  %-9s  %10llu  %8.3f  %7.2f  %016llx\n", length, reading ? "read" : "not read",
           (unsigned long long)run.leaves, seconds, (double)run.leaves / seconds * 1e-6,
           (unsigned long long)(reading ? reader.sum : run.digest));
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct support_setting setting;
    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    printf("length  structure       words   seconds  Mwords/s  answers (%s, one thread)\n",
           search_kernel_name(setting.problem.kernel));
    for (unsigned length = 8; length <= 9; length++)
        for (unsigned reading = 0; reading < 2; reading++)
            measure(&setting, length, reading != 0);
    support_setting_deinit(&setting);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
