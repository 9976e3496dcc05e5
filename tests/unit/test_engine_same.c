/*
 * test_engine_same.c - one job, one answer: threads, kernels, memory, and whether tables are there
 * already, change how long it takes and nothing else.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support_engine.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { MAX_JOBS = 64, ROW_STEP = 57, LONGEST_ROW = 7 };

/* A job and the answer that it must have. */
struct question {
    const struct puzzle *puzzle;
    struct cycle_structure target;
    uint8_t start[PERM_MAX_BYTES];
    unsigned min_length;
    bool easy; /* without any table as well */
    bool answered;
    int length;
    uint8_t best[PUZZLE_MAX_WORD];
};

static struct puzzle *cube, *pocket, *faces;
static struct question question[MAX_JOBS];
static unsigned n_questions;
static uint64_t job_memory; /* of each job; 0: all that the engine has */

static struct question *ask(const struct puzzle *puzzle, const struct cycle_structure *target)
{
    ck_assert_uint_lt(n_questions, MAX_JOBS);
    struct question *new = &question[n_questions++];
    *new = (struct question){.puzzle = puzzle, .target = *target};
    perm_identity(puzzle_shape(puzzle), new->start);
    return new;
}

static void ask_text(const struct puzzle *puzzle, const char *text, unsigned min_length)
{
    struct cycle_structure target = support_cycle(puzzle, text);
    ask(puzzle, &target)->min_length = min_length;
}

static void ask_rows(void)
{
    FILE *file = support_structures_open();
    struct support_structure row;
    for (unsigned i = 0; support_structures_next(file, cube, &row); i++)
        if (i % ROW_STEP == 0 && row.min_htm <= LONGEST_ROW)
            ask(cube, &row.structure)->easy = row.min_htm <= 6;
    fclose(file);
}

static void ask_scrambles(void)
{
    struct support_random random = {777};
    struct cycle_structure solved = support_cycle(cube, "c: / e:");
    for (unsigned length = 4; length <= 9; length++) {
        uint8_t word[9];
        struct question *new = ask(cube, &solved);
        support_random_word(&random, cube, word, length);
        puzzle_apply_word(cube, NULL, word, length, new->start);
        new->easy = length <= 5;
    }
    support_word_state(cube, "U2 D2 F2 B2 L2 R2", ask(cube, &solved)->start);
}

static void setup(void)
{
    cube = support_builtin("3x3x3");
    pocket = support_builtin("2x2x2");
    faces = support_puzzle_faces(cube, "R U F");
    n_questions = 0;
    job_memory = 3 << 20; /* tables that are filled in no time */
    ask_rows();
    ask_scrambles();
    ask_text(faces, "c: (3, 4) / e: (1+, 8+)", 0);
    ask_text(pocket, "c: (1+, 5+)", 0);
    ask_text(pocket, "c: (1+, 1+)", 0);
    ask_text(pocket, "c: (4)", 5);
    ask_text(cube, "c: (4) / e: (4)", 3);
    ask_text(cube, "c: (3) / e:", 0);
}

static void teardown(void)
{
    puzzle_release(faces);
    puzzle_release(pocket);
    puzzle_release(cube);
}

/* ---- asking ------------------------------------------------------------------------------- */

static struct engine_spec spec_of(const struct question *asked)
{
    struct engine_spec spec = support_spec_one(asked->puzzle, &asked->target);
    spec.start = asked->start;
    spec.min_length = asked->min_length;
    spec.limits.memory_bytes = job_memory;
    return spec;
}

static void compare(struct question *asked, const struct engine_result *result)
{
    ck_assert_int_ge(result->length, 0);
    if (!asked->answered) {
        asked->answered = true;
        asked->length = result->length;
        memcpy(asked->best, result->best.move, sizeof asked->best);
        return;
    }
    ck_assert_int_eq(result->length, asked->length);
    ck_assert_msg(memcmp(result->best.move, asked->best, (size_t)result->length) == 0,
                  "question %d has another answer", (int)(asked - question));
}

/* Every `step`-th question, or of those the easy ones, all at once in an engine of their own. */
static void ask_all(const struct engine_config *config, unsigned step, bool easy)
{
    static struct support_job job[MAX_JOBS];
    struct support_engine here;
    support_engine_open(&here, config);
    for (unsigned i = 0; i < n_questions; i += step) {
        struct engine_spec spec = spec_of(&question[i]);
        if (question[i].easy || !easy)
            support_job_submit(&here, &spec, &job[i]);
    }
    for (unsigned i = 0; i < n_questions; i += step)
        if (question[i].easy || !easy) {
            compare(&question[i], support_job_wait(&here, &job[i]));
            support_job_release(&job[i]);
        }
    support_engine_close(&here);
}

START_TEST(any_threads)
{
    char directory[80];
    support_directory_make(directory);
    ck_assert_uint_ge(n_questions, 40);
    for (unsigned threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
        struct engine_config config = {.threads = threads, .table_dir = directory};
        ask_all(&config, 1, false); /* tables are there from the second time on */
    }
    support_directory_remove(directory);
}
END_TEST

START_TEST(kernels_and_tables)
{
    char directory[80];
    support_directory_make(directory);
    struct engine_config config = {.threads = 2, .table_dir = directory};
    ask_all(&config, 4, false);
    config.kernels = "avx2";
    ask_all(&config, 4, false);
    config.table_dir = NULL; /* none is there */
    ask_all(&config, 4, false);
    config.kernels = NULL;
    ask_all(&config, 4, false);
    support_directory_remove(directory);
}
END_TEST

/* With hardly any memory no table fits, and the search is plain. */
START_TEST(memory)
{
    static const uint64_t limit[] = {64 << 20, 1 << 20, 4 << 10};
    job_memory = 0;
    ask_all(NULL, 1, true);
    for (unsigned i = 0; i < sizeof limit / sizeof *limit; i++) {
        struct engine_config config = {.threads = 2, .memory_bytes = limit[i]};
        ask_all(&config, i < 2 ? 7 : 1, i == 2);
    }
}
END_TEST

/* Asked one after another, in the other order, and while other jobs run. */
START_TEST(company)
{
    struct support_engine here;
    struct support_job other, job;
    struct cycle_structure superflip =
        support_cycle(cube, "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+)");
    ask_all(NULL, 5, false);
    support_engine_open(&here, NULL);
    struct engine_spec spec = support_spec_one(cube, &superflip);
    support_job_submit(&here, &spec, &other);
    for (unsigned i = (n_questions - 1) / 5 * 5 + 5; i >= 5; i -= 5) {
        spec = spec_of(&question[i - 5]);
        compare(&question[i - 5], support_job_run(&here, &spec, &job));
        support_job_release(&job);
    }
    engine_job_cancel(other.job);
    support_job_wait(&here, &other);
    support_job_release(&other);
    support_engine_close(&here);
}
END_TEST

/* Find all: the order of the list and the numbers of the classes are the same as well. */
START_TEST(lists)
{
    static struct engine_solution known[600];
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct engine_config config = {.threads = threads};
        struct support_engine here;
        struct support_job job;
        struct cycle_structure target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 7+)");
        struct engine_spec spec = support_spec_all(cube, &target);
        spec.limits.solutions = 0;
        support_engine_open(&here, &config);
        const struct engine_result *result = support_job_run(&here, &spec, &job);
        ck_assert_uint_eq(result->n_solutions, 480);
        for (unsigned i = 0; i < 480; i++) {
            const struct engine_solution *solution = engine_job_solution(job.job, i);
            if (threads == 1)
                known[i] = *solution;
            ck_assert_mem_eq(solution->move, known[i].move, sizeof known[i].move);
            ck_assert_uint_eq(solution->class_index, known[i].class_index);
            ck_assert(solution->rank >= known[i].rank && solution->rank <= known[i].rank);
        }
        support_job_release(&job);
        support_engine_close(&here);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {any_threads, kernels_and_tables, memory, company, lists};
    return support_suite_run("engine_same", tests, sizeof tests / sizeof *tests, setup, teardown,
                             120);
}
