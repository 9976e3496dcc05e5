/*
 * server_wait.h - requests that wait for a job: Prefer: wait, cancel, pause, resume, DELETE.
 */
#ifndef SERVER_SERVER_WAIT_H
#define SERVER_SERVER_WAIT_H

#include <stdint.h>
#include <uv.h>

#include "server/server_list_inl.h"

struct server;
struct server_job;
struct server_request;

enum server_wait_kind {
    SERVER_WAIT_CHANGE, /* of the state, the end included */
    SERVER_WAIT_END
};

struct server_waits {
    struct server_list list; /* of all jobs */
    uv_timer_t timer;        /* of the nearest deadline */
};

/* Answers the kept request; the job is as it is then, ended or not. */
typedef void server_wait_answer(struct server_request *request, struct server_job *job);

void server_waits_open(struct server *server);
void server_waits_close(struct server *server);

/* Keeps the request until the job's change, its end, or for `ms`. Out of memory: answers now. */
void server_wait_start(struct server_request *request, struct server_job *job,
                       enum server_wait_kind kind, uint64_t ms, server_wait_answer *answer);

/* Something happened to the job. */
void server_wait_fire(struct server_job *job, enum server_wait_kind kind);

/* Answers all requests that wait, with their jobs as they are. */
void server_waits_flush(struct server *server);

#endif
