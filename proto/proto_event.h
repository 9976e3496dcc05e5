/*
 * proto_event.h - events of a job and their framing as text/event-stream.
 */
#ifndef PROTO_PROTO_EVENT_H
#define PROTO_PROTO_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "core/engine/engine.h"

/* X(NAME, "wire name") */
#define PROTO_EVENT_LIST(X)                                                                        \
    X(SNAPSHOT, "snapshot")   /* data: the job (proto_job_encode) */                               \
    X(STATE, "state")         /* proto_event_state */                                              \
    X(PLAN, "plan")           /* proto_plan_encode */                                              \
    X(TABLE, "table")         /* proto_event_table */                                              \
    X(DEPTH, "depth")         /* proto_event_depth */                                              \
    X(PROGRESS, "progress")   /* proto_progress_encode; carries no id */                           \
    X(SOLUTION, "solution")   /* proto_solution_encode */                                          \
    X(INCUMBENT, "incumbent") /* proto_incumbent_encode */                                         \
    X(DRAINING, "draining")   /* PROTO_EVENT_EMPTY; carries no id */                               \
    X(DONE, "done")           /* the job */                                                        \
    X(END, "end")             /* of a batch: its document (proto_batch_encode) */

enum proto_event {
#define PROTO_EVENT_ENUM(name, wire) PROTO_EVENT_##name,
    PROTO_EVENT_LIST(PROTO_EVENT_ENUM)
#undef PROTO_EVENT_ENUM
        PROTO_EVENT_COUNT
};

const char *proto_event_name(enum proto_event event);           /* static */
int proto_event_parse(const char *name, enum proto_event *out); /* BASE_ERR_RANGE */

#define PROTO_EVENT_MEDIA_TYPE "text/event-stream"
#define PROTO_EVENT_EMPTY "{}"
#define PROTO_EVENT_HEARTBEAT ":\n\n" /* a comment, to be sent every 15 s */
#define PROTO_EVENT_OPENING "retry: 2000\n\n"

/* One framed event: new text (free) of *length bytes, NULL: out of memory. `id` 0: none. New lines
 * in `data` become further data fields. */
char *proto_event_frame(enum proto_event event, uint64_t id, const char *data, size_t *length);

/* Payloads (batch_id NULL: a single job): new text (free), NULL: out of memory. */
char *proto_event_state(enum engine_state state);
char *proto_event_job_state(const char *job_id, const char *batch_id, enum engine_state state);
char *proto_event_counts(uint64_t queued, uint64_t running, uint64_t paused); /* of live jobs */
char *proto_event_table(const struct engine_event *event); /* of kind ENGINE_EVENT_TABLE */
char *proto_event_depth(const struct engine_event *event); /* of kind ENGINE_EVENT_DEPTH */

/* Last-Event-ID or `after`: decimal digits, up to 2^63-1. BASE_ERR_SYNTAX. */
int proto_event_parse_id(const char *text, uint64_t *out);

#endif
