/*
 * bench_words.c - words a second under the window rule, without a table: every word of a length is
 * visited once per class, and the structure of each is read. By every reader that some subset of
 * the processor's features chooses, in one thread and in two; and for comparison words that are
 * only visited, and read one by one with the reference code.
 *
 *     bench_words [longest]     lengths 8 to `longest` (9; 10 are two hundred million words)
 *
 * Seconds are those of all threads together, on the clock; Mwords/s are per thread and second of
 * processor time, so that what else runs on the machine does not count, and in all on the clock.
 */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_reader.h"
#include "tests/support/support_walk.h"
#include "tests/support/support_word.h"

enum { MAX_THREADS = 2 };

static unsigned longest = 9;

/* ---- what is done with words --------------------------------------------------------------- */

struct survey {
    const struct puzzle *cube;
    const struct search_problem *problem;
    unsigned length;
    bool reference;       /* one by one */
    bool reading;         /* else only visited */
    atomic_uint next;     /* class to be walked */
    const uint64_t *hash; /* [number of a structure] */
};

/* What one thread has seen. */
struct share {
    struct survey *survey;
    struct support_run run;
    uint64_t sum;     /* of the hashes of the structures */
    uint32_t *counts; /* [number] */
    double cpu;       /* seconds */
};

static void count_structures(void *arg, const uint32_t *number, unsigned count)
{
    struct share *share = arg;
    for (unsigned i = 0; i < count; i++)
        share->counts[number[i]]++;
}

static void read_structure(void *arg, const struct search_walk *walk)
{
    struct share *share = arg;
    uint8_t state[PERM_MAX_BYTES];
    struct cycle_structure structure;
    puzzle_apply_word(share->survey->cube, NULL, walk->word, walk->length, state);
    cycle_of_state(share->survey->cube, state, &structure);
    share->sum += cycle_hash(&structure);
}

static void walk_classes(struct share *share)
{
    struct survey *survey = share->survey;
    const struct search_context *context = survey->problem->context;
    struct search_walk *walk = support_walk_new(survey->problem, support_run_leaf(&share->run));
    for (;;) {
        /* Relaxed: only the number counts. */
        unsigned c = atomic_fetch_add_explicit(&survey->next, 1, memory_order_relaxed);
        if (c >= context->window->n_classes)
            break;
        struct search_root root = support_root_window(context, c, survey->length);
        support_walk_root(walk, &root);
    }
    search_walk_free(walk);
}

static void *run_share(void *arg)
{
    struct share *share = arg;
    uint64_t began = base_clock_thread_cpu_ns();
    share->run = (struct support_run){.problem = share->survey->problem, .arg = share};
    if (share->survey->reference)
        share->run.each = read_structure;
    else if (share->survey->reading)
        share->run.read = count_structures;
    walk_classes(share);
    share->cpu = (double)(base_clock_thread_cpu_ns() - began) * 1e-9;
    return NULL;
}

/* ---- one line of the table ----------------------------------------------------------------- */

struct result {
    uint64_t words, answers;
    double seconds, cpu;
};

static void share_init(struct share *share, struct survey *survey)
{
    *share = (struct share){.survey = survey};
    share->counts = calloc(CUBE3_STRUCTURES, sizeof *share->counts);
    ck_assert_ptr_nonnull(share->counts);
}

static void add_share(struct share *share, struct result *result)
{
    result->words += share->run.leaves;
    result->cpu += share->cpu;
    if (share->survey->reading || share->survey->reference)
        result->answers += share->sum;
    else
        result->answers += share->run.digest;
    for (unsigned i = 0; i < CUBE3_STRUCTURES; i++)
        result->answers += share->counts[i] * share->survey->hash[i];
    free(share->counts);
}

static struct result run_once(struct survey *survey, unsigned threads)
{
    struct share share[MAX_THREADS];
    pthread_t thread[MAX_THREADS];
    struct result result = {.words = 0};
    uint64_t began = base_clock_ns();
    atomic_store(&survey->next, 0);
    for (unsigned t = 0; t < threads; t++)
        share_init(&share[t], survey);
    for (unsigned t = 1; t < threads; t++)
        ck_assert_int_eq(pthread_create(&thread[t], NULL, run_share, &share[t]), 0);
    run_share(&share[0]);
    for (unsigned t = 1; t < threads; t++)
        pthread_join(thread[t], NULL);
    result.seconds = support_bench_since(began);
    for (unsigned t = 0; t < threads; t++)
        add_share(&share[t], &result);
    return result;
}

static void measure(struct survey *survey, const char *name, unsigned threads)
{
    struct support_bench_times seconds = {.count = 0}, cpu = {.count = 0};
    struct result result = {.words = 0};
    unsigned runs = survey->reference || survey->length > 9 ? 1 : SUPPORT_BENCH_RUNS;
    for (unsigned i = 0; i < runs; i++) {
        result = run_once(survey, threads);
        support_bench_add(&seconds, result.seconds);
        support_bench_add(&cpu, result.cpu);
    }
    double on_clock = support_bench_median(&seconds);
    printf("%6u  %-11s  %7u  %10llu  %8.3f  %10.2f  %6.2f  %016llx\n", survey->length, name,
           threads, (unsigned long long)result.words, on_clock,
           (double)result.words / support_bench_median(&cpu) * 1e-6,
           (double)result.words / on_clock * 1e-6, (unsigned long long)result.answers);
}

static void measure_length(struct survey *survey, struct search_problem *problem)
{
    const struct cube3_reader *reader[SUPPORT_READER_MAX];
    unsigned n = support_reader_all(reader);
    survey->reading = survey->reference = false;
    measure(survey, "not read", 1);
    if (survey->length == 8) {
        survey->reference = true;
        measure(survey, "one by one", 1);
        survey->reference = false;
    }
    survey->reading = true;
    for (unsigned threads = 1; threads <= MAX_THREADS; threads++)
        for (unsigned i = 0; i < n; i++) {
            problem->reader = reader[i];
            if (survey->length < 10 || strcmp(reader[i]->name, "portable") != 0)
                measure(survey, reader[i]->name, threads);
        }
}

/* ---- hashes by number ---------------------------------------------------------------------- */

struct hashing {
    const struct cube3_structures *structures;
    uint64_t *hash;
};

static bool hash_one(void *arg, const struct cycle_structure *structure)
{
    struct hashing *hashing = arg;
    uint32_t number;
    ck_assert_int_eq(cube3_structure_find(hashing->structures, structure, &number), 0);
    hashing->hash[number] = cycle_hash(structure);
    return true;
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    struct support_setting setting;
    uint64_t *hash = calloc(CUBE3_STRUCTURES, sizeof *hash);
    ck_assert_ptr_nonnull(hash);
    support_setting_init(&setting, cube, NULL);
    support_walk_choose_best(&setting.problem);
    struct hashing hashing = {setting.context->structures, hash};
    ck_assert_int_eq(cycle_enumerate(cube, hash_one, &hashing), 0);
    struct survey survey = {.cube = cube, .problem = &setting.problem, .hash = hash};
    printf("length  structure    threads       words   seconds  per thread  in all  answers (%s)\n",
           search_kernel_name(setting.problem.kernel));
    for (survey.length = 8; survey.length <= longest; survey.length++)
        measure_length(&survey, &setting.problem);
    support_setting_deinit(&setting);
    free(hash);
    puzzle_release(cube);
}

int main(int argc, char **argv)
{
    longest = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : longest;
    return support_bench_main(body);
}
