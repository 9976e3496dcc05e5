/*
 * search_offer.c - what a job offers before it has its answer: incumbents, found beside the search
 * by a beam (search_beam.h) and, on the 3x3x3, in two phases (search_phases.h), in turns.
 *
 * A job that has run for a second spends a small share of its thread time on them, in moments of a
 * millisecond or a few between the pieces of its search; the search itself does not know of it. So
 * the answer is the same, and comes hardly later. While the job waits for a table its share is that
 * of one thread, and is looked at when somebody asks for the job's progress or a layer of the table
 * is complete.
 *
 * The thread in a moment may be overtaken by the step to the next depth, which changes the job's
 * problem: it reads the beam's copy. Tables stay claimed meanwhile, because only steps that wait
 * until nobody is running drop them.
 */
#include <string.h>

#include "core/base/base_clock.h"
#include "core/search/search_job_int.h"
#include "core/search/search_phases.h"
#include "core/search/search_sample.h"

enum {
    MOMENT_NS = 1000000,
    /* The tables of the two phases take some tenths of a second of the first job that wants them,
     * once: they have a share of their own, so many times larger. */
    FASTER = 3,
    /* Nobody wants to see a word that is so much longer than it must be. */
    MOST_ABOVE = 16,
    /* A try takes some milliseconds at most. The first ones are short: any word will do. */
    SHORT_TRIES = 16,
    SHORT_TRY_NODES = 50000,
    TRY_NODES = 200000
};

/* The shortest and the longest word that is of interest. */
static unsigned least_length(const struct search_job *job)
{
    return job->lower_bound > job->spec.min_length ? job->lower_bound : job->spec.min_length;
}

static unsigned most_length(const struct search_job *job)
{
    unsigned incumbent = job->offer.incumbent.length, most = least_length(job) + MOST_ABOVE;
    if (incumbent > 0)
        return incumbent - 1;
    return most < job->spec.max_length ? most : job->spec.max_length;
}

/* Has the search itself found a word? */
static bool is_found(const struct search_job *job)
{
    return job->has_best || job->found_length >= 0 || search_set_classes(job->set) > 0;
}

static bool is_wanted(const struct search_job *job)
{
    return job->searching && !job->offer.busy && !job->offer.over && !is_found(job) &&
           least_length(job) <= most_length(job) && job->spec.incumbent_seconds >= 0;
}

static bool is_making_tables(const struct search_offer *offer)
{
    return offer->phases && search_phases_state(offer->phases) == SEARCH_PHASES_GROWING;
}

bool search__offer_is_due(const struct search_job *job)
{
    const struct search_offer *offer = &job->offer;
    if (!is_wanted(job))
        return false;
    uint64_t now_ns = base_clock_ns(), spent_ns = offer->searched_ns;
    if (offer->wait_began_ns)
        spent_ns += now_ns - offer->wait_began_ns;
    if (base_clock_seconds(search__job_spent_ns(job)) < job->spec.incumbent_seconds)
        return false;
    double share = job->spec.incumbent_share;
    if (is_making_tables(offer))
        return (double)spent_ns * share * FASTER > (double)offer->made_ns;
    return (double)spent_ns * share > (double)offer->used_ns;
}

void search__offer_begin(struct search_job *job)
{
    if (search_phases_fits(&job->problem))
        job->offer.phases = job->shared.phases;
}

void search__offer_wait(struct search_job *job, bool waits)
{
    struct search_offer *offer = &job->offer;
    uint64_t now_ns = base_clock_ns();
    if (offer->wait_began_ns)
        offer->searched_ns += now_ns - offer->wait_began_ns;
    offer->wait_began_ns = waits ? now_ns : 0;
}

/* ---- a moment ---------------------------------------------------------------------------- */

/* What one is to do, and what came of it. */
struct moment {
    struct search_job *job; /* without the lock: only what never changes, and the offer's beam */
    unsigned least, most;
    uint64_t until_ns;
    bool failed;
    struct search_beam_word word; /* length 0: none was found */
};

static void run_beam(struct moment *moment)
{
    struct search_beam *beam = moment->job->offer.beam;
    enum search_beam_result result = search_beam_run(beam, moment->least, moment->until_ns);
    moment->failed = result == SEARCH_BEAM_FAILED;
    if (result == SEARCH_BEAM_FOUND)
        moment->word = *search_beam_word(beam);
}

/* A state from which the words to the solved one lead from the start to a state t of the target:
 * t^-1 * start. */
static bool pick_state(const struct search_problem *problem, uint64_t number, uint8_t *state)
{
    uint8_t target[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
    if (!search_sample_state(problem->puzzle, &problem->targets[number % problem->n_targets],
                             number, target))
        return false;
    perm_invert(problem->shape, target, inverse);
    perm_compose(problem->shape, inverse, problem->start, state);
    return true;
}

static void take_try(struct moment *moment, const struct search_problem *problem, int length)
{
    uint8_t state[PERM_MAX_BYTES];
    if (length < (int)moment->least || length == 0)
        return;
    puzzle_apply_word(problem->puzzle, problem->start, moment->word.move, (unsigned)length, state);
    if (search_problem_is_target(problem, state))
        moment->word.length = (uint8_t)length;
}

static void run_try(struct moment *moment)
{
    const struct search_problem *problem = search_beam_problem(moment->job->offer.beam);
    uint64_t number = moment->job->offer.tries++;
    uint8_t state[PERM_MAX_BYTES];
    if (!pick_state(problem, number, state))
        return;
    const struct search_phases_try task = {.problem = problem,
                                           .state = state,
                                           .number = number,
                                           .nodes =
                                               number < SHORT_TRIES ? SHORT_TRY_NODES : TRY_NODES,
                                           .most = moment->most};
    take_try(moment, problem,
             search_phases_try(moment->job->offer.phases, &task, moment->word.move));
}

/* Makes the tables, or tries. */
static void run_phases(struct moment *moment)
{
    struct search_phases *phases = moment->job->offer.phases;
    enum search_phases_state state;
    do {
        state = search_phases_make(phases, moment->job->spec.puzzle);
        if (state == SEARCH_PHASES_READY)
            run_try(moment);
    } while (state != SEARCH_PHASES_FAILED && moment->word.length == 0 &&
             base_clock_ns() < moment->until_ns);
}

/* In turns, once there are tables; these come before all. With the lock held. */
static bool is_turn_of_phases(struct search_job *job)
{
    struct search_offer *offer = &job->offer;
    if (!offer->phases || search_phases_state(offer->phases) == SEARCH_PHASES_FAILED)
        return false;
    offer->two_phases = !offer->two_phases || is_making_tables(offer);
    return offer->two_phases;
}

static bool is_same_problem(const struct search_problem *a, const struct search_problem *b)
{
    return a->n_tables == b->n_tables &&
           memcmp(a->table, b->table, a->n_tables * sizeof *a->table) == 0;
}

/* Other tables guide better, or are all that is left: the beam begins again. With the lock held. */
static bool prepare(struct search_job *job)
{
    struct search_offer *offer = &job->offer;
    if (offer->beam && !is_same_problem(search_beam_problem(offer->beam), &job->problem)) {
        search_beam_free(offer->beam);
        offer->beam = NULL;
    }
    if (!offer->beam)
        offer->beam = search_beam_new(&job->problem, most_length(job));
    offer->over = !offer->beam;
    return !offer->over;
}

/* With the lock held. What the search has found meanwhile is better. */
static void take_word(struct search_job *job, const struct search_beam_word *word)
{
    if (word->length == 0 || is_found(job) || atomic_load(&job->stop) != SEARCH_STOP_NONE)
        return;
    job->offer.incumbent = *word;
    search_beam_lower(job->offer.beam, word->length - 1U);
    job->spec.events.incumbent(job->spec.events.arg, word);
}

void search__offer_run(struct search_job *job)
{
    struct search_offer *offer = &job->offer;
    uint64_t began_ns = base_clock_ns();
    if (!prepare(job))
        return;
    struct moment moment = {.job = job,
                            .least = least_length(job),
                            .most = most_length(job),
                            .until_ns = began_ns + MOMENT_NS};
    bool phases = is_turn_of_phases(job), making = is_making_tables(offer);
    offer->busy = true;
    job->running++;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    if (phases)
        run_phases(&moment);
    else
        run_beam(&moment);
    pthread_mutex_lock(&job->mutex);
    job->running--;
    offer->busy = false;
    *(making ? &offer->made_ns : &offer->used_ns) += base_clock_ns() - began_ns;
    offer->over = moment.failed;
    take_word(job, &moment.word);
    search__job_refresh(job);
}
