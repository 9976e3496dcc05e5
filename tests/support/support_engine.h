/*
 * support_engine.h - an engine with a directory of its own, jobs on it, and their events.
 *
 * Every event is held against the rules of engine_result.h as it comes, and every result against
 * what it says about itself: solutions are applied by the reference code, sorted and counted. So
 * whatever a test runs through here is checked for that besides.
 */
#ifndef TESTS_SUPPORT_SUPPORT_ENGINE_H
#define TESTS_SUPPORT_SUPPORT_ENGINE_H

#include <semaphore.h>

#include "core/engine/engine.h"
#include "tests/support/support_directory.h"

enum { SUPPORT_MAX_DEPTHS = 64 };

struct support_engine {
    struct engine *engine;
    sem_t events; /* posted by `notify` */
    char directory[SUPPORT_DIRECTORY_SIZE];
    bool own_directory; /* made by us, to be removed */
};

/* `config` may be NULL: two threads. Where its members are 0: 256 MiB of tables, in a fresh
 * directory. notify is ours. */
void support_engine_open(struct support_engine *here, const struct engine_config *config);
void support_engine_close(struct support_engine *here);

/* A job and what its events have said so far. It must not move until it is released. */
struct support_job {
    struct engine_job *job;
    struct engine_spec spec;
    enum engine_state state; /* by the events; the result's once `done` */
    bool done, planned;
    unsigned n_states, n_tables, n_solutions;
    unsigned n_incumbents;
    struct engine_solution incumbent; /* the last one */
    unsigned n_checkpoints;
    void *checkpoint; /* the last one; freed with the job, unless it is taken */
    size_t checkpoint_bytes;
    unsigned n_depths;
    struct {
        unsigned depth, lower_bound;
        uint64_t nodes;
    } depth[SUPPORT_MAX_DEPTHS];
    double table_fraction[ENGINE_MAX_TABLES];
    char table_orbits[ENGINE_MAX_TABLES][64];
};

/* What `spec` borrows must outlive the job here. */
void support_job_submit(struct support_engine *here, const struct engine_spec *spec,
                        struct support_job *job);

/* Takes events until none is waiting; or else waits for one at most so long. */
void support_engine_pump(struct support_engine *here, double seconds);

/* Pumps until the job is done; the result, which has been checked. */
const struct engine_result *support_job_wait(struct support_engine *here, struct support_job *job);

/* The two together; the job is still to be released. */
const struct engine_result *support_job_run(struct support_engine *here,
                                            const struct engine_spec *spec,
                                            struct support_job *job);
void support_job_release(struct support_job *job);

/* Waits until no thread works, at most so long; false: one still does. */
bool support_engine_is_idle(struct support_engine *here, double seconds);

struct engine_stats support_engine_stats(struct support_engine *here);

/* The structure written as text, canonical and feasible. */
struct cycle_structure support_cycle(const struct puzzle *puzzle, const char *text);

/* Find all, with few of the solutions stored; or one. */
struct engine_spec support_spec_all(const struct puzzle *puzzle,
                                    const struct cycle_structure *target);
struct engine_spec support_spec_one(const struct puzzle *puzzle,
                                    const struct cycle_structure *target);

/* The counts of one length in a result; all zero if it has none. */
struct engine_count support_count(const struct engine_result *result, unsigned length);

#endif
