/*
 * support_story.h - jobs that are interrupted and gone on with from their checkpoints, each time in
 * an engine of its own.
 */
#ifndef TESTS_SUPPORT_SUPPORT_STORY_H
#define TESTS_SUPPORT_SUPPORT_STORY_H

#include "tests/support/support_engine.h"

/* Runs the job undisturbed and interrupted at random moments, with other threads and kernels each
 * time: the answers are the same. `exact`, where tables and so nodes are the same all the time:
 * every node is visited, and few are twice. Threads, kernels and log of the config are ours. */
void support_story_check(const struct engine_spec *spec, const struct engine_config *config,
                         bool exact);

/* Pumps until the job has visited so many nodes or is done. */
void support_story_wait(struct support_engine *here, struct support_job *job, uint64_t nodes);

#endif
