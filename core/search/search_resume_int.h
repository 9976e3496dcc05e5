/*
 * search_resume_int.h - checkpoints (search_checkpoint.h): written from a job, and taken over by
 * one.
 *
 * Written: only while no thread is in a walk, so that every task is finished, open or not begun,
 * and only what rests on verified tables.
 *
 *     wanted --(no walks are handed out)--> running == 0: written, under the lock
 *
 * Taken over: the bytes are read when the job starts, what they say is checked against the job's
 * own frontier, machine and reference code in its first step, and the depth is taken over when it
 * begins. Until then `resume` holds what is left to do. Whatever does not fit makes the job begin
 * from its start.
 */
#ifndef CORE_SEARCH_SEARCH_RESUME_INT_H
#define CORE_SEARCH_SEARCH_RESUME_INT_H

#include "core/search/search_checkpoint.h"
#include "core/search/search_job_int.h"

/* Are walks to be held back, so that a checkpoint can be written? With the lock held. */
bool search__checkpoint_is_due(const struct search_job *job);
/* Writes one if it is due and nobody is in the way. With the lock held. */
void search__checkpoint_write(struct search_job *job);

/* Reads the checkpoint that the job is to go on from. Before it is on the pool. */
void search__resume_read(struct search_job *job, const uint8_t *bytes, size_t length);
/* Takes over what has been proven and found. In the first step, once there is a problem. */
void search__resume_check(struct search_job *job);
/* The search begins: tells again what has been found. In a step. */
void search__resume_tell(struct search_job *job);
/* Takes over what is left of a depth whose tasks have been ordered, if that is the depth; there is
 * nothing to resume from now on. In a step. */
void search__resume_depth(struct search_job *job);
void search__resume_drop(struct search_job *job);

/* ---- of search_step.c, in a step --------------------------------------------------------- */

/* Chooses the tasks for words of `length` moves. BASE_ERR_NOMEM. */
int search__step_frontier(struct search_job *job, unsigned length);

#endif
