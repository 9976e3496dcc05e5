/*
 * server_limit.h - how much one principal may ask for. Pure: the clock is a parameter.
 *
 * Requests are limited by a token bucket: it holds `quota` requests, starts full, and fills at
 * `quota` in SERVER_LIMIT_WINDOW_S seconds, so that a burst is allowed and the mean is not passed.
 */
#ifndef SERVER_SERVER_LIMIT_H
#define SERVER_SERVER_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "core/base/base_diag.h"

enum { SERVER_LIMIT_WINDOW_S = 10 };

/* 0: none. */
struct server_limits {
    uint64_t requests; /* in SERVER_LIMIT_WINDOW_S */
    uint64_t jobs;     /* that have not ended */
    uint64_t seconds;  /* of a job */
    uint64_t nodes;    /* of a job */
};

/* The limits of the configuration. `trusted`: of a client on loopback without a token, for whom
 * "auto" means none. */
struct server_limits server_limits_of(const struct config *config, bool trusted);

/* Replaces one limit by a word such as "jobs=20" or "nodes=none". BASE_ERR_SYNTAX (which names
 * there are is in the text of `diag`), BASE_ERR_RANGE. */
int server_limits_set(struct server_limits *limits, const char *word, struct base_diag *diag);

struct server_bucket {
    uint64_t missing; /* from full, in units of 1 / (1000 * window) request */
    uint64_t at_ms;   /* when that was so */
};

/* A bucket as a client sees it. */
struct server_bucket_state {
    uint64_t remaining; /* whole requests */
    unsigned full_s;    /* until it is full again, rounded up */
    unsigned next_s;    /* until a request is allowed, rounded up; 0: now */
};

/* Takes one request out. false: there is none, and nothing was taken. `now_ms` never runs
 * backwards; a quota that shrank since takes effect at once. */
bool server_bucket_take(struct server_bucket *bucket, uint64_t quota, uint64_t now_ms);

struct server_bucket_state server_bucket_look(const struct server_bucket *bucket, uint64_t quota,
                                              uint64_t now_ms);

#endif
