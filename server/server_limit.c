/*
 * server_limit.c - see server_limit.h.
 *
 * Whole numbers only: a request is UNIT units, and `quota` units flow in per millisecond. What is
 * missing from full is counted instead of what is there, so that a new bucket, all zero, is full,
 * and so is one that was left alone for long.
 */
#include "server/server_limit.h"

#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"

#define UNIT (UINT64_C(1000) * SERVER_LIMIT_WINDOW_S)

enum { AUTO_REQUESTS = 500, AUTO_JOBS = 1000 };

/* Ten digits more than any limit needs, and far from where products overflow. */
#define MAX_LIMIT (UINT64_C(1) << 53)
#define MAX_REQUESTS UINT64_C(1000000)

/* ---- limits --------------------------------------------------------------------------- */

static uint64_t choose(uint64_t configured, bool trusted, uint64_t automatic)
{
    if (configured != CONFIG_LIMIT_AUTO)
        return configured;
    return trusted ? 0 : automatic;
}

struct server_limits server_limits_of(const struct config *config, bool trusted)
{
    return (struct server_limits){
        .requests = choose(config->max_requests_each, trusted, AUTO_REQUESTS),
        .jobs = choose(config->max_jobs_each, trusted, AUTO_JOBS),
        .seconds = config->max_job_seconds,
        .nodes = config->max_job_nodes,
    };
}

/* "none" is 0; a limit of 0 would be a way to say that nothing is allowed, for which there are
 * scopes. */
static int read_limit(const char *text, uint64_t max, uint64_t *out)
{
    uint64_t value = 0;

    if (strcmp(text, "none") == 0) {
        *out = 0;
        return BASE_OK;
    }
    if (!*text)
        return BASE_ERR_SYNTAX;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return BASE_ERR_SYNTAX;
        value = 10 * value + (uint64_t)(*text - '0');
        if (value > max)
            return BASE_ERR_RANGE;
    }
    *out = value;
    return value ? BASE_OK : BASE_ERR_RANGE;
}

int server_limits_set(struct server_limits *limits, const char *word, struct base_diag *diag)
{
    const struct {
        const char *name;
        uint64_t *field, max;
    } known[] = {
        {"requests=", &limits->requests, MAX_REQUESTS},
        {"jobs=", &limits->jobs, MAX_LIMIT},
        {"seconds=", &limits->seconds, MAX_LIMIT},
        {"nodes=", &limits->nodes, MAX_LIMIT},
    };

    for (size_t i = 0; i < BASE_COUNT(known); i++) {
        size_t length = strlen(known[i].name);

        if (strncmp(word, known[i].name, length) != 0)
            continue;
        if (!read_limit(word + length, known[i].max, known[i].field))
            return BASE_OK;
        return base_diag_set(diag, 0, BASE_ERR_RANGE,
                             "%s takes a whole number from 1 to %llu, or none", known[i].name,
                             (unsigned long long)known[i].max);
    }
    return base_diag_set(diag, 0, BASE_ERR_SYNTAX,
                         "a limit is requests=N, jobs=N, seconds=N or nodes=N");
}

/* ---- buckets -------------------------------------------------------------------------- */

/* No more can be missing than the bucket holds. The time that fills any bucket is the window, so
 * the product below cannot overflow. */
static uint64_t missing_at(const struct server_bucket *bucket, uint64_t quota, uint64_t now_ms)
{
    uint64_t missing = bucket->missing < quota * UNIT ? bucket->missing : quota * UNIT;
    uint64_t elapsed_ms = now_ms > bucket->at_ms ? now_ms - bucket->at_ms : 0;
    uint64_t gained = quota * (elapsed_ms < UNIT ? elapsed_ms : UNIT);

    return missing > gained ? missing - gained : 0;
}

bool server_bucket_take(struct server_bucket *bucket, uint64_t quota, uint64_t now_ms)
{
    uint64_t missing = missing_at(bucket, quota, now_ms);

    bucket->at_ms = now_ms;
    bucket->missing = missing;
    if (missing + UNIT > quota * UNIT)
        return false;
    bucket->missing += UNIT;
    return true;
}

/* Seconds in which so many units flow in. */
static unsigned seconds_for(uint64_t units, uint64_t quota)
{
    uint64_t per_second = 1000 * quota;

    return (unsigned)((units + per_second - 1) / per_second);
}

struct server_bucket_state server_bucket_look(const struct server_bucket *bucket, uint64_t quota,
                                              uint64_t now_ms)
{
    uint64_t missing = missing_at(bucket, quota, now_ms);
    uint64_t there = quota * UNIT - missing;

    return (struct server_bucket_state){
        .remaining = there / UNIT,
        .full_s = seconds_for(missing, quota),
        .next_s = there < UNIT ? seconds_for(UNIT - there, quota) : 0,
    };
}
