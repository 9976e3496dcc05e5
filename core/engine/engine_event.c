/*
 * engine_event.c - the queue of events between pool threads and the owner.
 */
#include <stdlib.h>

#include "core/base/base_log.h"
#include "core/engine/engine_int.h"

void engine__post(struct engine_job *job, struct engine_event *event)
{
    struct engine *engine = job->engine;
    struct engine_event_node *node = malloc(sizeof *node);
    if (!node) {
        base_logf(&engine->log, BASE_LOG_ERROR, "an event was lost: out of memory");
        return;
    }
    event->cookie = job->spec.cookie;
    node->event = *event;
    node->job = engine__job_acquire(job);
    node->next = NULL;
    pthread_mutex_lock(&engine->mutex);
    bool was_empty = !engine->first;
    if (was_empty)
        engine->first = node;
    else
        engine->last->next = node;
    engine->last = node;
    pthread_mutex_unlock(&engine->mutex);
    if (was_empty && engine->notify)
        engine->notify(engine->notify_arg);
}

static struct engine_event_node *take(struct engine *engine)
{
    pthread_mutex_lock(&engine->mutex);
    struct engine_event_node *node = engine->first;
    if (node)
        engine->first = node->next;
    pthread_mutex_unlock(&engine->mutex);
    return node;
}

bool engine_poll(struct engine *engine, struct engine_event *out)
{
    struct engine_event_node *node;
    bool wanted = false;
    while (!wanted && (node = take(engine))) {
        wanted = !atomic_load(&node->job->released);
        *out = node->event;
        engine__job_release(node->job);
        free(node);
    }
    return wanted;
}

void engine__drop_events(struct engine *engine)
{
    struct engine_event_node *node;
    while ((node = take(engine))) {
        engine__job_release(node->job);
        free(node);
    }
}
