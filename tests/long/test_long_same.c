/*
 * test_long_same.c - 500 jobs, each for one solution and for all of them: sixteen threads with
 * every kernel there is, and walks over product tables where those help, find exactly what one
 * thread of portable code finds with small tables.
 */
#include <check.h>
#include <stdlib.h>

#include "core/base/base_hash.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_random.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum {
    ROWS = 400,
    ROW_STEP = 8,
    SCRAMBLES = 100,
    SHORTEST = 6,
    LONGEST = 12,
    JOBS = ROWS + SCRAMBLES,
    AT_ONCE = 8,
    MIB = 1 << 20
};

struct question {
    struct cycle_structure target;
    uint8_t start[PERM_MAX_BYTES];
    bool with_product;
    uint64_t answer[2]; /* digests: one, all; of whoever was asked first */
};

static struct puzzle *cube;
static struct question *question;

/* Every ROW_STEP-th row of the data; every tenth of them gets a product table. */
static unsigned ask_rows(void)
{
    struct support_structure row;
    FILE *file = support_structures_open();
    unsigned n = 0;
    for (unsigned i = 0; n < ROWS && support_structures_next(file, cube, &row); i++)
        if (i % ROW_STEP == 0) {
            question[n] = (struct question){.target = row.structure, .with_product = n % 10 == 0};
            perm_identity(puzzle_shape(cube), question[n++].start);
        }
    fclose(file);
    return n;
}

/* They share a table. */
static unsigned ask_scrambles(unsigned n)
{
    struct support_random random = {20261130};
    struct cycle_structure solved = support_cycle(cube, "c: / e:");
    for (unsigned i = 0; i < SCRAMBLES; i++) {
        uint8_t word[LONGEST];
        unsigned length = SHORTEST + i % (LONGEST - SHORTEST + 1);
        question[n] = (struct question){.target = solved, .with_product = true};
        support_random_word(&random, cube, word, length);
        puzzle_apply_word(cube, NULL, word, length, question[n++].start);
    }
    return n;
}

static void setup(void)
{
    cube = support_builtin("3x3x3");
    question = calloc(JOBS, sizeof *question);
    ck_assert_ptr_nonnull(question);
    ck_assert_uint_eq(ask_scrambles(ask_rows()), JOBS);
}

static void teardown(void)
{
    free(question);
    puzzle_release(cube);
}

/* ---- answers ------------------------------------------------------------------------------ */

static uint64_t digest_word(uint64_t digest, const struct engine_solution *solution)
{
    digest = base_hash_mix(digest, solution->length);
    digest = base_hash_mix(digest, solution->class_index);
    return base_hash(solution->move, solution->length, digest);
}

/* Length, best word, counts, and every word of the list in its order. */
static uint64_t digest_of(const struct support_job *job, const struct engine_result *result)
{
    uint64_t digest = base_hash_mix((uint64_t)result->length, result->optimal);
    digest = base_hash(result->best.move, result->best.length, digest);
    for (unsigned i = 0; i < result->n_counts; i++) {
        digest = base_hash_mix(digest, result->count[i].sequences);
        digest = base_hash_mix(digest, result->count[i].canonical);
        digest = base_hash_mix(digest, result->count[i].classes);
    }
    for (uint64_t i = 0; i < result->n_solutions; i++)
        digest = digest_word(digest, engine_job_solution(job->job, i));
    return digest;
}

static struct engine_spec spec_of(const struct question *asked, bool all, bool may_have_product)
{
    struct engine_spec spec =
        all ? support_spec_all(cube, &asked->target) : support_spec_one(cube, &asked->target);
    spec.start = asked->start;
    spec.limits.solutions = 1000;
    if (asked->with_product && may_have_product)
        spec.tables.product = (struct search_wish){.set = true, .kind = TABLE_KIND_PRODUCT};
    return spec;
}

static void take(struct question *asked, bool all, const struct support_job *job,
                 const struct engine_result *result)
{
    ck_assert_int_eq(result->state, ENGINE_SUCCEEDED);
    uint64_t digest = digest_of(job, result);
    if (asked->answer[all] == 0)
        asked->answer[all] = digest;
    ck_assert_msg(asked->answer[all] == digest, "question %d (%s) has another answer",
                  (int)(asked - question), all ? "all" : "one");
}

/* Some jobs at a time. */
static void ask_all(const struct engine_config *config, bool may_have_product)
{
    static struct support_job job[AT_ONCE];
    struct support_engine here;
    support_engine_open(&here, config);
    for (unsigned i = 0; i < 2 * JOBS; i += AT_ONCE) {
        for (unsigned j = 0; j < AT_ONCE; j++) {
            bool all = (i + j) % 2;
            struct engine_spec spec = spec_of(&question[(i + j) / 2], all, may_have_product);
            support_job_submit(&here, &spec, &job[j]);
        }
        for (unsigned j = 0; j < AT_ONCE; j++) {
            take(&question[(i + j) / 2], (i + j) % 2, &job[j], support_job_wait(&here, &job[j]));
            support_job_release(&job[j]);
        }
    }
    support_engine_close(&here);
}

START_TEST(sixteen_threads_find_what_portable_code_finds)
{
    const struct engine_config plain = {.threads = 1,
                                        .memory_bytes = (uint64_t)256 * MIB,
                                        .fill_factor = -1,
                                        .incumbent_seconds = -1,
                                        .kernels = "bmi2,avx2,avx512,avx512vbmi,neon"};
    const struct engine_config all = {.threads = 16, .memory_bytes = (uint64_t)1024 * MIB};
    ask_all(&plain, false);
    ask_all(&all, true);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {sixteen_threads_find_what_portable_code_finds};
    return support_suite_run("long_same", tests, sizeof tests / sizeof *tests, setup, teardown,
                             3600);
}
