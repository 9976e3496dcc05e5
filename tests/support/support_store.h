/*
 * support_store.h - a job store in a folder of its own, and ops on it that are waited for.
 */
#ifndef TESTS_SUPPORT_SUPPORT_STORE_H
#define TESTS_SUPPORT_SUPPORT_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/server_store.h"

#define SUPPORT_STORE_HOUR_US INT64_C(3600000000)

struct support_store {
    char folder[64], path[96];
    struct server_store *store;
    struct server_store_op *finished; /* by the last support_store_run */
};

extern struct support_store support_store;

/* Around each test. */
void support_store_set_up(void);
void support_store_tear_down(void);

void support_store_open(void);
void support_store_restart(void);

/* Submits, waits, and leaves the op in support_store.finished; its status. */
int support_store_run(struct server_store_op *op);

/* The same for a whole job: of id, key and digest; all with the same equal_key. */
struct server_store_op *support_store_enqueue_op(const char *id, const char *key,
                                                 const char *digest);
void support_store_enqueue(const char *id); /* which must be accepted */

/* Some record of a job, and the events that jobs begin with. */
struct server_store_job support_store_record(const char *id);
void support_store_first_events(struct server_store_op *op);

struct server_store_op *support_store_op(enum server_store_verb verb, const char *id,
                                         uint64_t attempt);
int support_store_claim(const char *id); /* NULL: any */
struct server_store_op *support_store_finish_op(const char *id, uint64_t attempt,
                                                uint64_t n_solutions, bool complete);
int support_store_finish(const char *id, uint64_t attempt, uint64_t n_solutions, bool complete);
int support_store_event(const char *id, uint64_t attempt, uint64_t event_id);

/* Jobs "ID0", "ID1", ..., with keys of their own. */
struct server_store_op *support_store_batch_op(const char *id, unsigned n, const char *key,
                                               const char *digest);

/* Closes the store, runs statements on its file, opens it again. */
void support_store_change(const char *sql);

/* The first number of the first row that the query gives, past the store. */
int support_store_count(const char *sql);

#endif
