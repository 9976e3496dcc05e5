/*
 * proto_target_int.h - targets: cycle structures in requests and replies. Inside proto only.
 */
#ifndef PROTO_PROTO_TARGET_INT_H
#define PROTO_PROTO_TARGET_INT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/cycle/cycle.h"
#include "proto/proto_json.h"
#include "proto/proto_write.h"

/* A growing list of canonical structures. All-zero is empty. */
struct proto_targets {
    struct cycle_structure *items;
    size_t n, capacity;
};

/* Appends a copy. BASE_ERR_NOMEM. */
int proto__targets_add(struct proto_targets *targets, const struct cycle_structure *structure);
void proto__targets_deinit(struct proto_targets *targets);

/* Sorts and drops repetitions. */
void proto__targets_normalise(struct proto_targets *targets);

/* Decodes a `cycles` value, text or object, and checks that it is feasible with the moves of
 * `puzzle`. Every finding is added to the problem under its own pointer; then the code is negative.
 * *out is canonical. */
int proto__cycles_read(const struct puzzle *puzzle, const struct proto_json_at *at,
                       struct cycle_structure *out);

/* Adds what makes the structure infeasible, all under the pointer of `at`. 0: feasible. */
int proto__cycles_check(const struct puzzle *puzzle, const struct proto_json_at *at,
                        const struct cycle_structure *structure);

/* The object form: {"corners": [[1, true]], "edges": []}. */
void proto__cycles_write(struct proto_writer *writer, const char *key, const struct puzzle *puzzle,
                         const struct cycle_structure *structure);

/* The text form: new text (free), NULL: out of memory. */
char *proto__cycles_text(const struct puzzle *puzzle, const struct cycle_structure *structure);

/* The members of a target into the open object: `text`, `order`, `states`, `log10_states` and the
 * number of `structures`. BASE_ERR_NOMEM. */
int proto__targets_write(struct proto_writer *writer, const struct puzzle *puzzle,
                         const struct proto_targets *targets);

/* Of the states of all targets together. */
double proto__targets_log10(const struct puzzle *puzzle, const struct proto_targets *targets);

/* The `target` member of a job: new text (free), NULL: out of memory. Of several structures `text`
 * is null, `order` is theirs if they share one, and the states are added up. */
char *proto__targets_encode(const struct puzzle *puzzle, const struct proto_targets *targets);

#endif
