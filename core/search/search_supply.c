/*
 * search_supply.c - the tables of a job: claims, what comes of them, and the order in which they
 * are asked.
 */
#include <math.h>
#include <stdio.h>

#include "core/base/base_err.h"
#include "core/search/search_resume_int.h"
#include "core/search/search_supply_int.h"

/* From the bank, without its lock. */
static void table_filled(void *arg, struct search_claim *claim, int code)
{
    struct search_job *job = arg;
    unsigned t = (unsigned)(claim - job->claim);
    pthread_mutex_lock(&job->mutex);
    job->pending--;
    job->table_state[t] = code == 0 ? SEARCH_TABLE_SEALED : SEARCH_TABLE_MISSING;
    if (code != 0) {
        job->denied[t] = true;
        snprintf(job->plan.table[t].why, sizeof job->plan.table[t].why, "not used: %s",
                 base_err_text(code));
    }
    if (job->pending == 0 && job->phase == SEARCH_PHASE_WAIT)
        job->phase = SEARCH_PHASE_FILLED;
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

/* From the bank, without its lock. */
static void table_verified(void *arg, struct search_claim *claim, int code)
{
    struct search_job *job = arg;
    pthread_mutex_lock(&job->mutex);
    job->unverified--;
    if (code != 0) {
        job->failed[claim - job->claim] = job->distrust = true;
        atomic_store(&job->interrupted, job->phase == SEARCH_PHASE_DEPTH);
    }
    if (job->unverified == 0 && !job->distrust && job->phase != SEARCH_PHASE_ENDED)
        search__job_tell_held(job);
    search__checkpoint_write(job); /* which may have waited for this; nobody may come by */
    search__job_refresh(job);
    pthread_mutex_unlock(&job->mutex);
    search_pool_wake(job->shared.pool);
}

static void table_layer(void *arg, struct search_claim *claim,
                        const struct search_fill_report *report)
{
    struct search_job *job = arg;
    pthread_mutex_lock(&job->mutex);
    if (job->phase != SEARCH_PHASE_ENDED) {
        job->spec.events.layer(job->spec.events.arg, &job->plan.table[claim - job->claim], report);
        search__job_check_seconds(job);
        search__job_refresh(job);
    }
    pthread_mutex_unlock(&job->mutex);
}

void search__step_claim_spec(const struct search_job *job, unsigned t,
                             struct search_claim_spec *out)
{
    const struct search_plan_table *plan = &job->plan.table[t];
    *out = (struct search_claim_spec){.context = job->context,
                                      .kind = plan->kind,
                                      .encoding = plan->encoding,
                                      .orbit = plan->orbit,
                                      .k = plan->k,
                                      .entries = plan->entries,
                                      .structures = job->spec.targets,
                                      .n = job->spec.n_targets};
}

void search__step_claim(struct search_job *job, unsigned t, bool fill)
{
    struct search_plan_table *plan = &job->plan.table[t];
    struct base_diag diag = {0};
    struct search_claim_spec spec;
    search__step_claim_spec(job, t, &spec);
    spec.resident_only = !fill;
    spec.weight = job->spec.purpose == SEARCH_FOR_SOLUTIONS ? 0 : job->spec.weight;
    job->claim[t] = (struct search_claim){.filled = table_filled,
                                          .layer = table_layer,
                                          .verified = table_verified,
                                          .arg = job,
                                          .background = spec.weight != 0};
    pthread_mutex_lock(&job->mutex);
    job->pending++; /* the callbacks may come before the claim returns */
    job->unverified++;
    pthread_mutex_unlock(&job->mutex);
    int code = search_bank_claim(job->shared.bank, &spec, &job->claim[t], &diag);
    job->claimed[t] = code >= 0;
    pthread_mutex_lock(&job->mutex);
    job->unverified -= code != SEARCH_CLAIM_UNTRUSTED;
    if (code != SEARCH_CLAIM_PENDING) {
        job->pending--;
        job->table_state[t] = code >= 0 ? SEARCH_TABLE_SEALED : SEARCH_TABLE_MISSING;
    } else if (job->table_state[t] == SEARCH_TABLE_MISSING && !job->denied[t]) {
        job->table_state[t] = SEARCH_TABLE_GROWING; /* table_filled has not come yet */
    }
    if (code < 0 && code != BASE_ERR_NOT_FOUND) {
        job->denied[t] = true;
        snprintf(plan->why, sizeof plan->why, "not used: %.140s", diag.text);
    }
    pthread_mutex_unlock(&job->mutex);
}

static bool is_wanted(const struct search_job *job, unsigned t)
{
    return !job->claimed[t] && !job->denied[t] && job->plan.table[t].kind != TABLE_KIND_FIXED;
}

/* The wanted table that is worth its fill first; -1: none. Large ones come one at a time, because
 * each changes what the next one would save. */
static int next_table(const struct search_job *job)
{
    int next = -1;
    for (unsigned t = 0; t < job->plan.n; t++)
        if (is_wanted(job, t) &&
            (next < 0 || job->plan.table[t].worth_nodes < job->plan.table[next].worth_nodes))
            next = (int)t;
    return next;
}

/* Nodes at which it is. A depth that comes to them is begun again with the table: what is spent in
 * vain is at most what the fill costs, so a bad guess costs a factor of two at worst. */
double search__supply_worth(const struct search_job *job)
{
    int next = next_table(job);
    return next < 0 ? INFINITY : job->plan.table[next].worth_nodes;
}

/* Claims what is resident, small or wished; and, to be filled, the next table if a depth with so
 * many nodes is worth it. */
void search__supply_claim(struct search_job *job, double nodes)
{
    int next = nodes > search__supply_worth(job) ? next_table(job) : -1;
    bool any = false;
    for (unsigned t = 0; t < job->plan.n; t++)
        if (is_wanted(job, t)) {
            search__step_claim(job, t,
                               (int)t == next || search_plan_fills_at_once(&job->plan.table[t]));
            any = true;
        }
    if (any)
        job->spec.events.planned(job->spec.events.arg);
}

/* Adds the questions of this job to what lists show of its tables. */
void search__supply_note_queries(struct search_job *job)
{
    for (unsigned t = 0; t < job->problem.n_tables; t++) {
        table_file_count_queries(job->problem.table[t]->file, job->depth.asked[t]);
        job->depth.asked[t] = 0;
    }
}

/* Exact tables come first: they cost one question and lie in the cache. Then the largest, which
 * leaves least for the others: with the fine product first, the twenty moves of superflip take a
 * third of the time that they take with it last. */
static bool is_asked_before(const struct search_plan_table *a, const struct search_plan_table *b)
{
    if ((a->kind == TABLE_KIND_EXACT) != (b->kind == TABLE_KIND_EXACT))
        return a->kind == TABLE_KIND_EXACT;
    return a->bytes > b->bytes;
}

void search__supply_use(struct search_job *job)
{
    struct search_problem *problem = &job->problem;
    unsigned order[SEARCH_PLAN_MAX];
    search__supply_note_queries(job);
    problem->n_tables = 0;
    job->depth.other_tables = true;
    for (unsigned t = 0; t < job->plan.n; t++) {
        if (!job->claimed[t] || job->table_state[t] != SEARCH_TABLE_SEALED)
            continue;
        unsigned at = problem->n_tables++;
        for (; at > 0 && is_asked_before(&job->plan.table[t], &job->plan.table[order[at - 1]]);
             at--)
            order[at] = order[at - 1];
        order[at] = t;
    }
    for (unsigned i = 0; i < problem->n_tables; i++)
        problem->table[i] = search_claim_table(&job->claim[order[i]]);
}
