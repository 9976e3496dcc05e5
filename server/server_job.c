/*
 * server_job.c - see server_job.h.
 */
#include "server/server_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "core/base/base_assert.h"
#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "server/server.h"
#include "server/server_feed.h"

enum { FIRST_BUCKETS = 1024 };

/* ---- the registry --------------------------------------------------------------------- */

void server_jobs_init(struct server_jobs *jobs)
{
    memset(jobs, 0, sizeof(*jobs));
    server_list_init(&jobs->live);
    server_list_init(&jobs->documents);
}

void server_jobs_deinit(struct server_jobs *jobs)
{
    SERVER_LIST_EACH(node, &jobs->live)
        server_job_free(SERVER_LIST_OF(node, struct server_job, in_live));
    free(jobs->bucket);
    jobs->bucket = NULL;
    jobs->n_buckets = 0;
}

static struct server_list *bucket_of(struct server_jobs *jobs, const char *id)
{
    return &jobs->bucket[base_hash(id, strlen(id), 0) % jobs->n_buckets];
}

/* Room for one more. Without memory for that the chains get longer; false: there is not even one.
 */
static bool make_room(struct server_jobs *jobs)
{
    size_t n = jobs->n_buckets ? 2 * jobs->n_buckets : FIRST_BUCKETS;
    struct server_list *fresh;

    if (jobs->n_live < jobs->n_buckets)
        return true;
    fresh = calloc(n, sizeof(*fresh));
    if (!fresh)
        return jobs->n_buckets > 0;
    for (size_t i = 0; i < n; i++)
        server_list_init(&fresh[i]);
    free(jobs->bucket);
    jobs->bucket = fresh;
    jobs->n_buckets = n;
    SERVER_LIST_EACH(node, &jobs->live) {
        struct server_job *job = SERVER_LIST_OF(node, struct server_job, in_live);

        server_list_append(bucket_of(jobs, job->id), &job->in_bucket);
    }
    return true;
}

struct server_job *server_job_find(struct server *server, const char *id)
{
    if (!server->jobs.n_buckets)
        return NULL;
    SERVER_LIST_EACH(node, bucket_of(&server->jobs, id)) {
        struct server_job *job = SERVER_LIST_OF(node, struct server_job, in_bucket);

        if (!strcmp(job->id, id))
            return job;
    }
    return NULL;
}

/* 70 random bits: ids cannot be guessed, and need no coordination between hosts. */
void server_job_new_id(char kind, char *out)
{
    static const char DIGIT[] = "0123456789abcdefghjkmnpqrstvwxyz";
    unsigned char noise[SERVER_JOB_ID_BYTES - 3];

    BASE_ASSERT(getrandom(noise, sizeof(noise), 0) == sizeof(noise));
    *out++ = kind;
    *out++ = '_';
    for (size_t i = 0; i < sizeof(noise); i++)
        *out++ = DIGIT[noise[i] % 32];
    *out = '\0';
}

/* Copies a text to `at`, which it moves behind. */
static const char *keep(char **at, const char *text)
{
    size_t bytes = text ? strlen(text) + 1 : 0;
    const char *copy = text ? memcpy(*at, text, bytes) : NULL;

    *at += bytes;
    return copy;
}

/* In one piece without slack, because there may be very many jobs. */
static bool keep_texts(struct server_job *job, const struct server_store_job *record)
{
    const char *const text[] = {record->label,   record->puzzle, record->equal_key,
                                record->request, record->target, record->batch};
    size_t bytes = 0;
    char *at;

    for (size_t i = 0; i < BASE_COUNT(text); i++)
        bytes += text[i] ? strlen(text[i]) + 1 : 0;
    at = job->texts = malloc(bytes);
    if (!at)
        return false;
    job->label = keep(&at, record->label);
    job->puzzle = keep(&at, record->puzzle);
    job->key = keep(&at, record->equal_key);
    job->request = keep(&at, record->request);
    job->target = keep(&at, record->target);
    job->batch = keep(&at, record->batch);
    return true;
}

static void count(struct server_job *job)
{
    struct server_jobs *jobs = &job->server->jobs;

    jobs->n_state[job->state]++;
    jobs->n_queued_of_batches += job->batch && job->state == ENGINE_QUEUED;
    if (job->state == ENGINE_QUEUED)
        server_queue_add(&jobs->queue, &job->place);
}

static void discount(struct server_job *job)
{
    struct server_jobs *jobs = &job->server->jobs;

    jobs->n_state[job->state]--;
    jobs->n_queued_of_batches -= job->batch && job->state == ENGINE_QUEUED;
    server_queue_remove(&jobs->queue, &job->place);
}

/* Without memory for its principal the job counts for nobody, which is no reason to lose it. */
static struct server_principal *owner_of(struct server *server, const char *key)
{
    struct server_principal *principal =
        key ? server_principal_acquire(&server->auth.principals, key) : NULL;

    server_principal_add_jobs(principal, 1);
    server_principal_release(principal);
    return principal;
}

struct server_job *server_job_new(struct server *server, const struct server_store_job *record)
{
    struct server_job *job = calloc(1, sizeof(*job));

    if (!job)
        return NULL;
    job->server = server;
    server_list_init(&job->waits);
    strncpy(job->id, record->id, sizeof(job->id) - 1);
    job->place.priority = record->priority;
    job->place.turn = record->turn;
    job->place.seq = record->seq;
    job->batch_index = record->batch_index;
    job->version = record->version;
    job->attempt = record->attempt;
    job->fresh = record->fresh;
    job->created_us = record->created_us;
    job->started_us = record->started_us;
    job->solutions_cap = record->solutions_cap;
    job->state = record->state;
    job->channel = server_feed_channel(server, record->id, record->last_event_id);
    if (!job->channel || !keep_texts(job, record) || !make_room(&server->jobs)) {
        free(job->texts);
        if (job->channel)
            server_channel_release(job->channel);
        free(job);
        return NULL;
    }
    job->principal = owner_of(server, record->principal);
    server_list_append(&server->jobs.live, &job->in_live);
    server_list_append(bucket_of(&server->jobs, job->id), &job->in_bucket);
    server->jobs.n_live++;
    count(job);
    return job;
}

void server_job_free(struct server_job *job)
{
    struct server_jobs *jobs = &job->server->jobs;

    server_list_remove(&job->in_live);
    server_list_remove(&job->in_bucket);
    server_list_remove(&job->in_run);
    server_list_remove(&job->in_documents);
    jobs->n_live--;
    server_job_want(job, SERVER_WANT_NOTHING);
    discount(job);
    server_principal_remove_jobs(job->principal, 1);
    server_channel_release(job->channel);
    server_frame_release(job->snapshot);
    free(job->texts);
    free(job->shared_with);
    free(job->document);
    free(job);
}

void server_job_set_state(struct server_job *job, enum engine_state state)
{
    discount(job);
    job->state = state;
    count(job);
    server_job_touch(job);
}

void server_job_want(struct server_job *job, enum server_want want)
{
    struct server_jobs *jobs = &job->server->jobs;

    jobs->n_wanting -= job->want != SERVER_WANT_NOTHING;
    job->want = want;
    jobs->n_wanting += job->want != SERVER_WANT_NOTHING;
}

int64_t server_job_queue_position(const struct server_job *job)
{
    return job->state == ENGINE_QUEUED
               ? (int64_t)server_queue_before(&job->server->jobs.queue, &job->place)
               : -1;
}

/* ---- events --------------------------------------------------------------------------- */

/* An event that could not be stored is lost to later readers only; the job itself is not in
 * danger. */
static void on_appended(struct server_store_op *op)
{
    struct server *server = op->arg;
    struct server_job *job = server_job_find(server, op->id);

    if (job)
        server_channel_durable(job->channel, op->event[0].id);
    if (op->status && job)
        server->metrics.events_lost++;
    server_store_op_free(op);
}

static void store_event(struct server_job *job, uint64_t id, enum proto_event event,
                        const char *data)
{
    struct server_store_op *op = server_store_op_new(SERVER_STORE_APPEND);

    if (!op)
        return;
    op->id = server_store_op_text(op, job->id);
    op->attempt = job->attempt;
    op->event[0] =
        (struct server_store_event){id, proto_event_name(event), server_store_op_text(op, data)};
    op->n_events = 1;
    op->done = on_appended;
    op->arg = job->server;
    server_store_submit(job->server->store, op);
}

void server_job_emit(struct server_job *job, enum proto_event event, const char *data)
{
    uint64_t id = server_channel_last_id(job->channel) + 1;
    struct server_frame *frame = NULL;

    if (job->ending)
        return;
    if (data)
        frame = server_frame_new(event, id, data);
    if (!frame || server_channel_publish(job->channel, id, frame)) {
        job->server->metrics.events_lost++;
        return;
    }
    job->server->metrics.events[event]++;
    store_event(job, id, event, data);
}

void server_job_emit_state(struct server_job *job, enum engine_state state)
{
    char *data = proto_event_state(state);

    server_job_emit(job, PROTO_EVENT_STATE, data);
    free(data);
    if (!job->ending)
        server_news_tell(job->server, job->id, job->batch, state);
}
