/*
 * search_supply_int.h - the tables of a job: search_supply.c, and of jobs that search nothing,
 * search_tables.c. In steps only, without the job's lock.
 */
#ifndef CORE_SEARCH_SEARCH_SUPPLY_INT_H
#define CORE_SEARCH_SEARCH_SUPPLY_INT_H

#include "core/search/search_job_int.h"

/* Claims what is resident, small or wished; and, to be filled, the next table if a depth with so
 * many nodes is worth it. In a step. */
void search__supply_claim(struct search_job *job, double nodes);
/* Nodes at which the next table is worth its fill. A depth that comes to them is begun again with
 * the table: what is spent in vain is at most what the fill costs, so a bad guess costs a factor of
 * two at worst. */
double search__supply_worth(const struct search_job *job);
/* Takes the tables that are there into the problem. */
void search__supply_use(struct search_job *job);
/* Adds the questions of this job to what lists show of its tables. */
void search__supply_note_queries(struct search_job *job);

/* Of jobs that search nothing: the first step, once the plan is made; and the later ones. */
void search__tables_begin(struct search_job *job);
void search__tables_next(struct search_job *job);

/* Notes the digests of the plan's tables. */
void search__tables_name(struct search_job *job);

/* Claims one table of the plan; `fill`: even if it has to be filled. In a step. */
void search__step_claim(struct search_job *job, unsigned t, bool fill);
void search__step_claim_spec(const struct search_job *job, unsigned t,
                             struct search_claim_spec *out);

#endif
