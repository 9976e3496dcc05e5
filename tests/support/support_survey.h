/*
 * support_survey.h - what all states of a small puzzle say about its cycle structures.
 */
#ifndef TESTS_SUPPORT_SUPPORT_SURVEY_H
#define TESTS_SUPPORT_SUPPORT_SURVEY_H

#include "tests/support/support_engine.h"

struct support_known {
    struct cycle_structure structure;
    unsigned length; /* least number of moves */
    uint64_t words;  /* ordered words of that length */
};

struct support_survey {
    const struct puzzle *puzzle; /* borrowed */
    unsigned count;
    struct support_known *known; /* in the order of cycle_compare */
};

/* Visits every state that so many moves reach (at most SUPPORT_BALL_MAX_RADIUS, which is all). */
void support_survey_init(struct support_survey *survey, const struct puzzle *puzzle,
                         unsigned radius);
void support_survey_deinit(struct support_survey *survey);

/* Finds all solutions of every structure, and holds length and number against the survey. */
void support_survey_check(struct support_engine *here, const struct support_survey *survey);

#endif
