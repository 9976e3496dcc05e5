/*
 * search_tables.c - jobs that search nothing: they only plan tables, or also fill them.
 *
 *     PREPARE -> claim what is there -+-> END                               (for a plan)
 *                                     +-> (claim the next -> WAIT)* -> END  (for tables)
 *
 * Tables are filled one after the other, smallest first, and kept until the last is there, so that
 * the plan is met as a whole. A table can be given up from outside, whether its turn has come or
 * not; the others go on.
 */
#include <stdio.h>

#include "core/base/base_err.h"
#include "core/search/search_job_tables.h"
#include "core/search/search_supply_int.h"

/* A table whose coordinate cannot be made stays without a name; its claim will say why. */
void search__tables_name(struct search_job *job)
{
    struct search_claim_spec spec;
    struct table_key key;
    for (unsigned t = 0; t < job->plan.n; t++) {
        if (job->plan.table[t].kind == TABLE_KIND_FIXED)
            continue;
        search__step_claim_spec(job, t, &spec);
        if (search_bank_describe(&spec, &key, NULL) != 0)
            continue;
        pthread_mutex_lock(&job->mutex);
        job->digest[t] = key.digest;
        pthread_mutex_unlock(&job->mutex);
    }
}

/* ---- claims ------------------------------------------------------------------------------ */

static bool is_to_come(const struct search_job *job, unsigned t)
{
    return job->plan.table[t].kind != TABLE_KIND_FIXED && !job->claimed[t] && !job->denied[t];
}

/* The smallest of the tables that are still to come; -1: none. With the lock held. */
static int next_to_come(const struct search_job *job)
{
    int next = -1;
    for (unsigned t = 0; t < job->plan.n; t++)
        if (is_to_come(job, t) &&
            (next < 0 || job->plan.table[t].bytes < job->plan.table[next].bytes))
            next = (int)t;
    return next;
}

/* A table that is being filled though it was given up; -1: none. With the lock held. */
static int next_given_up(const struct search_job *job)
{
    for (unsigned t = 0; t < job->plan.n; t++)
        if (job->claimed[t] && job->denied[t] && job->table_state[t] == SEARCH_TABLE_GROWING)
            return (int)t;
    return -1;
}

/* Without the lock: dropping waits for callbacks, which take it. */
static void drop_given_up(struct search_job *job, unsigned t)
{
    search_bank_drop(job->shared.bank, &job->claim[t]);
    pthread_mutex_lock(&job->mutex);
    job->claimed[t] = false;
    if (job->table_state[t] == SEARCH_TABLE_GROWING) {
        job->table_state[t] = SEARCH_TABLE_MISSING;
        job->pending--;
    }
    pthread_mutex_unlock(&job->mutex);
}

/* Pins the table from the beginning of its fill on, so that it is not evicted once it is sealed. */
static void claim(struct search_job *job, unsigned t, bool fill)
{
    search__step_claim(job, t, fill);
    pthread_mutex_lock(&job->mutex);
    bool pin = job->claimed[t] && job->pin[t];
    pthread_mutex_unlock(&job->mutex);
    if (pin)
        (void)table_store_pin(job->shared.store, job->digest[t], true);
}

/* ---- steps ------------------------------------------------------------------------------- */

static void tell_plan(const struct search_job *job)
{
    job->spec.events.planned(job->spec.events.arg);
}

void search__tables_begin(struct search_job *job)
{
    pthread_mutex_lock(&job->mutex);
    for (unsigned t = 0; t < job->plan.n; t++)
        job->pin[t] = job->spec.pin;
    pthread_mutex_unlock(&job->mutex);
    for (unsigned t = 0; t < job->plan.n; t++)
        if (job->plan.table[t].kind != TABLE_KIND_FIXED)
            claim(job, t, false);
    tell_plan(job);
    if (job->spec.purpose == SEARCH_FOR_PLAN)
        search__step_end(job);
    else
        search__tables_next(job);
}

/* An encoded table has no file before it is sealed: it is pinned now, while it is still claimed. */
static void pin_sealed(struct search_job *job)
{
    for (unsigned t = 0; t < job->plan.n; t++) {
        pthread_mutex_lock(&job->mutex);
        bool pin = job->claimed[t] && job->pin[t] && job->table_state[t] == SEARCH_TABLE_SEALED;
        pthread_mutex_unlock(&job->mutex);
        if (pin)
            (void)table_store_pin(job->shared.store, job->digest[t], true);
    }
}

void search__tables_next(struct search_job *job)
{
    pin_sealed(job);
    for (;;) {
        pthread_mutex_lock(&job->mutex);
        int dropped = next_given_up(job), next = next_to_come(job);
        if (dropped < 0 && job->pending > 0) {
            search__job_publish(job);
            job->phase = SEARCH_PHASE_WAIT;
            search__job_refresh(job);
            pthread_mutex_unlock(&job->mutex);
            search_pool_wake(job->shared.pool); /* a cancel may have come meanwhile */
            return;
        }
        pthread_mutex_unlock(&job->mutex);
        if (dropped >= 0)
            drop_given_up(job, (unsigned)dropped);
        else if (next >= 0)
            claim(job, (unsigned)next, true);
        else
            break;
        tell_plan(job);
    }
    search__step_end(job);
}

/* ---- from outside ------------------------------------------------------------------------ */

/* The table of this digest, if the job is there to fill it and has not done so; -1: none. With the
 * lock held. */
static int find_unfilled(const struct search_job *job, uint64_t digest)
{
    if (job->spec.purpose != SEARCH_FOR_TABLES || job->phase == SEARCH_PHASE_ENDED)
        return -1;
    for (unsigned t = 0; t < job->plan.n; t++)
        if (job->digest[t] == digest && job->plan.table[t].kind != TABLE_KIND_FIXED &&
            !job->denied[t] && job->table_state[t] != SEARCH_TABLE_SEALED)
            return (int)t;
    return -1;
}

bool search_job_give_up_table(struct search_job *job, uint64_t digest)
{
    pthread_mutex_lock(&job->mutex);
    int t = find_unfilled(job, digest);
    if (t >= 0) {
        job->denied[t] = true;
        snprintf(job->plan.table[t].why, sizeof job->plan.table[t].why, "cancelled");
        if (job->phase == SEARCH_PHASE_WAIT)
            job->phase = SEARCH_PHASE_FILLED;
        search__job_refresh(job);
    }
    pthread_mutex_unlock(&job->mutex);
    if (t >= 0)
        search_pool_wake(job->shared.pool);
    return t >= 0;
}

bool search_job_pin_table(struct search_job *job, uint64_t digest, bool pinned)
{
    pthread_mutex_lock(&job->mutex);
    int t = find_unfilled(job, digest);
    if (t >= 0)
        job->pin[t] = pinned;
    pthread_mutex_unlock(&job->mutex);
    return t >= 0;
}

int search_job_table_to_come(struct search_job *job, unsigned t, struct search_table_outlook *out)
{
    struct search_claim_spec spec;
    pthread_mutex_lock(&job->mutex);
    bool waits =
        t < job->plan.n && job->digest[t] != 0 && find_unfilled(job, job->digest[t]) == (int)t;
    if (waits) {
        out->bytes = job->plan.table[t].bytes;
        out->pinned = job->pin[t];
        search__step_claim_spec(job, t, &spec);
    }
    pthread_mutex_unlock(&job->mutex);
    return waits ? search_bank_describe(&spec, &out->key, &out->meta) : BASE_ERR_NOT_FOUND;
}
