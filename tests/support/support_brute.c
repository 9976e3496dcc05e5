/*
 * support_brute.c - see support_brute.h.
 */
#include "tests/support/support_brute.h"

#include <check.h>
#include <string.h>

#include "tests/support/support_words.h"

enum { LONGEST = 16 };

static bool keeps_job(const struct sym_group *group, unsigned sym, void *arg)
{
    const struct engine_spec *spec = arg;
    return sym_keeps_structures(group, sym, spec->targets, spec->n_targets) &&
           (!spec->start || sym_fixes_state(group, sym, spec->start));
}

struct sym_group *support_brute_group(const struct engine_spec *spec)
{
    struct engine_spec copy = *spec;
    struct sym_group *all, *group;
    ck_assert_int_eq(sym_group_new(spec->puzzle, &all), 0);
    ck_assert_int_eq(sym_group_filter(all, keeps_job, &copy, &group), 0);
    sym_group_free(all);
    return group;
}

/* What brute force knows of a job. */
struct brute {
    const struct engine_spec *spec;
    struct support_words words[LONGEST + 1];
    int optimum; /* -1: none of so many moves */
    int length;  /* the shortest within the bounds */
    struct sym_group *group;
};

static void brute_init(struct brute *brute, const struct engine_spec *spec, unsigned longest)
{
    *brute = (struct brute){.spec = spec, .optimum = -1, .length = -1};
    brute->group = support_brute_group(spec);
    for (unsigned length = 0; length <= longest; length++) {
        support_words_init(&brute->words[length], spec, length);
        if (brute->words[length].count == 0)
            continue;
        if (brute->optimum < 0)
            brute->optimum = (int)length;
        if (brute->length < 0 && length >= spec->min_length &&
            (!spec->max_length_set || length <= spec->max_length))
            brute->length = (int)length;
    }
}

static void brute_deinit(struct brute *brute)
{
    for (unsigned length = 0; length <= LONGEST; length++)
        support_words_deinit(&brute->words[length]);
    sym_group_free(brute->group);
}

static void check_bounds(const struct brute *brute, const struct engine_result *result)
{
    ck_assert_int_eq(result->state, ENGINE_SUCCEEDED);
    ck_assert_int_eq(result->length, brute->length);
    if (brute->optimum >= 0)
        ck_assert_uint_le(result->lower_bound, (unsigned)brute->optimum);
    if (result->optimal)
        ck_assert_int_eq(result->length, brute->optimum);
    if (brute->spec->min_length == 0) {
        ck_assert(result->optimal == (result->length >= 0));
        if (result->length < 0)
            ck_assert_uint_ge(result->lower_bound, brute->spec->max_length + 1);
    }
}

static void check_one(struct support_engine *here, const struct brute *brute)
{
    struct engine_spec spec = *brute->spec;
    struct support_job job;
    spec.find = ENGINE_FIND_ONE;
    spec.slack = 0;
    const struct engine_result *result = support_job_run(here, &spec, &job);
    check_bounds(brute, result);
    if (result->length >= 0)
        ck_assert(support_words_have(&brute->words[result->length], result->best.move));
    support_job_release(&job);
}

static void check_length(const struct brute *brute, const struct engine_result *result,
                         unsigned length)
{
    const struct support_words *words = &brute->words[length];
    bool is_cycle_job = !brute->spec->start ||
                        perm_is_identity(puzzle_shape(brute->spec->puzzle), brute->spec->start);
    struct engine_count count = support_count(result, length);
    ck_assert_msg(count.sequences == words->count, "%u moves: %llu sequences instead of %zu",
                  length, (unsigned long long)count.sequences, words->count);
    ck_assert_uint_eq(count.canonical, support_words_canonical(words));
    ck_assert_uint_eq(count.classes, support_words_classes(words, brute->group, is_cycle_job));
}

static void check_all(struct support_engine *here, const struct brute *brute)
{
    struct engine_spec spec = *brute->spec;
    struct support_job job;
    spec.find = ENGINE_FIND_ALL;
    const struct engine_result *result = support_job_run(here, &spec, &job);
    check_bounds(brute, result);
    for (unsigned length = 0; result->length >= 0 && length <= LONGEST; length++) {
        bool wanted = (int)length >= result->length &&
                      length <= (unsigned)result->length + spec.slack &&
                      (!spec.max_length_set || length <= spec.max_length);
        if (wanted)
            check_length(brute, result, length);
        else
            ck_assert_uint_eq(support_count(result, length).sequences, 0);
    }
    support_job_release(&job);
}

void support_brute_check(struct support_engine *here, const struct engine_spec *spec,
                         unsigned longest)
{
    struct brute brute;
    ck_assert_uint_le(longest, LONGEST);
    brute_init(&brute, spec, longest);
    ck_assert(spec->max_length_set
                  ? spec->max_length <= longest
                  : brute.length >= 0 && (unsigned)brute.length + spec->slack <= longest);
    check_one(here, &brute);
    check_all(here, &brute);
    brute_deinit(&brute);
}
