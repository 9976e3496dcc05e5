/*
 * support_survey.c - see support_survey.h.
 */
#include "tests/support/support_survey.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_ball.h"

enum { MAX_STRUCTURES = 512 };

/* Place of the structure, or where it belongs. */
static unsigned place_of(const struct support_survey *survey,
                         const struct cycle_structure *structure)
{
    unsigned low = 0, high = survey->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (cycle_compare(&survey->known[middle].structure, structure) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add(struct support_survey *survey, const struct cycle_structure *structure,
                unsigned length, uint64_t words)
{
    unsigned place = place_of(survey, structure);
    struct support_known *known = &survey->known[place];
    if (place < survey->count && cycle_equal(&known->structure, structure)) {
        if (known->length == length)
            known->words += words;
        return;
    }
    ck_assert_uint_lt(survey->count, MAX_STRUCTURES);
    memmove(known + 1, known, (survey->count++ - place) * sizeof *known);
    *known = (struct support_known){*structure, length, words};
}

void support_survey_init(struct support_survey *survey, const struct puzzle *puzzle,
                         unsigned radius)
{
    struct support_ball ball;
    struct cycle_structure structure;
    survey->puzzle = puzzle;
    survey->count = 0;
    survey->known = malloc(MAX_STRUCTURES * sizeof *survey->known);
    ck_assert_ptr_nonnull(survey->known);
    support_ball_init(&ball, puzzle, NULL, radius);
    for (unsigned d = 0; d <= ball.radius; d++)
        for (size_t i = ball.first[d]; i < ball.first[d + 1]; i++) {
            cycle_of_state(puzzle, ball.state + i * ball.bytes, &structure);
            add(survey, &structure, d, ball.words[i]);
        }
    support_ball_deinit(&ball);
}

void support_survey_deinit(struct support_survey *survey)
{
    free(survey->known);
}

static void check_known(struct support_engine *here, const struct puzzle *puzzle,
                        const struct support_known *known)
{
    struct engine_spec spec = support_spec_all(puzzle, &known->structure);
    struct support_job job;
    char text[CYCLE_TEXT_BYTES];
    cycle_print(puzzle, &known->structure, text, sizeof text);
    const struct engine_result *result = support_job_run(here, &spec, &job);
    ck_assert_msg(result->length == (int)known->length && result->optimal &&
                      result->count[0].sequences == known->words,
                  "%s: %d moves, %llu sequences instead of %u, %llu", text, result->length,
                  (unsigned long long)result->count[0].sequences, known->length,
                  (unsigned long long)known->words);
    support_job_release(&job);
}

void support_survey_check(struct support_engine *here, const struct support_survey *survey)
{
    for (unsigned i = 0; i < survey->count; i++)
        check_known(here, survey->puzzle, &survey->known[i]);
}
