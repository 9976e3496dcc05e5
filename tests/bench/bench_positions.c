/*
 * bench_positions.c - the twelve random positions on which public solvers are timed
 * (tests/data/random_states_12.tsv), each for at most twenty seconds on two threads. Solving them
 * is not required yet: the table says how far the search gets.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_bench.h"
#include "tests/support/support_word.h"

enum { SECONDS = 20 };

static void measure(struct support_engine *here, const struct puzzle *cube, const char *number,
                    int optimal, const char *scramble)
{
    struct cycle_structure solved = support_cycle(cube, "c: / e:");
    struct engine_spec spec = support_spec_one(cube, &solved);
    struct support_job job;
    uint8_t start[PERM_MAX_BYTES];
    support_word_state(cube, scramble, start);
    spec.start = start;
    spec.limits.seconds = SECONDS;
    const struct engine_result *result = support_job_run(here, &spec, &job);
    ck_assert(result->length < 0 || result->length == optimal);
    printf("%8s  %7d  %-8s  %11u  %12llu  %7.2f  %8.2f\n", number, optimal,
           result->length < 0 ? "no" : "yes", result->lower_bound,
           (unsigned long long)result->nodes, result->seconds,
           (double)result->nodes / result->seconds * 1e-6);
    support_job_release(&job);
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct support_engine here;
    FILE *file = fopen("tests/data/random_states_12.tsv", "r");
    char line[1024];
    ck_assert_msg(file != NULL, "run from the root of the repository");
    support_engine_open(&here, NULL);
    printf("position  optimal  solved    lower bound         nodes  seconds  Mnodes/s\n");
    while (fgets(line, sizeof line, file)) {
        char *rest = line;
        if (line[0] == '#' || strncmp(line, "number", 6) == 0)
            continue;
        const char *number = strsep(&rest, "\t"), *optimal = strsep(&rest, "\t");
        ck_assert(rest != NULL);
        measure(&here, cube, number, (int)strtol(optimal, NULL, 10), strsep(&rest, "\t"));
    }
    support_engine_close(&here);
    fclose(file);
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
