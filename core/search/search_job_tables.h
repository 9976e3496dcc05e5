/*
 * search_job_tables.h - of a job for tables: what it has not filled yet.
 */
#ifndef CORE_SEARCH_SEARCH_JOB_TABLES_H
#define CORE_SEARCH_SEARCH_JOB_TABLES_H

#include "core/search/search_job.h"

/* Leaves the table out. False: it is not to be filled. */
bool search_job_give_up_table(struct search_job *job, uint64_t digest);
/* Whether the table is to be pinned when its fill begins. False likewise. */
bool search_job_pin_table(struct search_job *job, uint64_t digest, bool pinned);

struct search_table_outlook {
    struct table_key key;
    struct table_meta meta;
    uint64_t bytes;
    bool pinned;
};
/* What table `t` of the plan will be. BASE_ERR_NOT_FOUND: it is not to be filled. */
int search_job_table_to_come(struct search_job *job, unsigned t, struct search_table_outlook *out);

#endif
