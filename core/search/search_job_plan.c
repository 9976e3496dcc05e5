/*
 * search_job_plan.c - what a job's plan says it will cost, from where the job stands.
 */
#include "core/base/base_clock.h"
#include "core/search/search_forecast.h"
#include "core/search/search_job_int.h"

/* A depth of fewer nodes took less time than a forecast is worth. */
enum { DEPTH_WORTH_A_FORECAST = 20000 };

static void forecast(const struct search_job *job, unsigned from, struct search_forecast *out)
{
    const struct search_job_spec *spec = &job->spec;
    const struct search_plan_target target = {.start = spec->start,
                                              .structures = spec->targets,
                                              .n = spec->n_targets,
                                              .is_cycle_job = job->problem.is_cycle_job};
    struct search_forecast_spec at = {.context = job->context,
                                      .target = &target,
                                      .plan = &job->plan,
                                      .find_all = spec->find_all,
                                      .slack = spec->slack,
                                      .from = from,
                                      .most = spec->max_length,
                                      .threads = search_pool_threads(job->shared.pool)};
    at.start_bound = search_problem_bound(&job->problem, spec->start);
    for (unsigned t = 0; t < job->plan.n; t++) {
        if (job->claimed[t] && job->table_state[t] == SEARCH_TABLE_SEALED)
            at.table[t] = search_claim_table(&job->claim[t]);
        at.denied[t] = job->denied[t];
        at.at_once[t] = search_plan_fills_at_once(&job->plan.table[t]);
    }
    if (job->depth.began_ns && !job->depth.other_tables) {
        at.seen_depth = job->depth.length;
        at.seen_nodes = (double)(atomic_load_explicit(&job->nodes, memory_order_relaxed) -
                                 job->depth.began_nodes);
    }
    at.spent_nodes = (double)atomic_load_explicit(&job->nodes, memory_order_relaxed);
    at.spent_seconds = base_clock_seconds(search__job_spent_ns(job));
    search_forecast_make(&at, out);
}

/* The plan is read by others under the lock. */
static void write_down(struct search_job *job, const struct search_forecast *made, bool first)
{
    struct search_plan *plan = &job->plan;
    pthread_mutex_lock(&job->mutex);
    plan->forecast_length = made->length;
    plan->forecast_nodes = made->nodes;
    plan->forecast_seconds = made->seconds;
    if (first) {
        plan->estimated_length = made->length;
        plan->estimated_nodes = made->nodes;
        plan->estimated_seconds = made->seconds;
    }
    pthread_mutex_unlock(&job->mutex);
}

void search__step_estimate(struct search_job *job, unsigned from)
{
    struct search_forecast made;
    forecast(job, from, &made);
    write_down(job, &made, true);
}

void search__step_forecast(struct search_job *job, unsigned from)
{
    struct search_forecast made;
    uint64_t nodes =
        atomic_load_explicit(&job->nodes, memory_order_relaxed) - job->depth.began_nodes;
    if (nodes < DEPTH_WORTH_A_FORECAST || job->found_length >= 0)
        return;
    forecast(job, from, &made);
    write_down(job, &made, false);
}
