/*
 * proto_batch.c - batches as JSON.
 */
#include "proto/proto_batch.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/base_buf.h"
#include "proto/proto_job.h"
#include "proto/proto_write.h"

static uint64_t count_live(const struct proto_batch_view *view)
{
    uint64_t n = 0;

    for (int state = ENGINE_QUEUED; state <= ENGINE_CANCELLED; state++)
        if (!proto_state_ended((enum engine_state)state))
            n += view->n_state[state];
    return n;
}

bool proto_batch_ended(const struct proto_batch_view *view)
{
    return count_live(view) == 0;
}

const char *proto_batch_state_name(enum proto_batch_state state)
{
    static const char *const names[] = {[PROTO_BATCH_QUEUED] = "queued",
                                        [PROTO_BATCH_RUNNING] = "running",
                                        [PROTO_BATCH_ENDED] = "ended"};

    return names[state];
}

static enum proto_batch_state state_of(const struct proto_batch_view *view)
{
    if (proto_batch_ended(view))
        return PROTO_BATCH_ENDED;
    return view->n_state[ENGINE_QUEUED] == view->n_jobs ? PROTO_BATCH_QUEUED : PROTO_BATCH_RUNNING;
}

static void write_counts(struct proto_writer *writer, const struct proto_batch_view *view)
{
    proto_write_object(writer, "counts");
    for (int state = ENGINE_QUEUED; state <= ENGINE_CANCELLED; state++)
        proto_write_uint(writer, proto_state_name((enum engine_state)state), view->n_state[state]);
    proto_write_object_end(writer);
}

static void write_link(struct proto_writer *writer, const char *name, const char *id,
                       const char *tail)
{
    char path[160];

    snprintf(path, sizeof(path), "/v1/batches/%s%s", id, tail);
    proto_write_text(writer, name, path);
}

static void write_links(struct proto_writer *writer, const char *id)
{
    proto_write_object(writer, "links");
    write_link(writer, "self", id, "");
    write_link(writer, "jobs", id, "/jobs");
    write_link(writer, "events", id, "/events");
    write_link(writer, "cancel", id, "/cancel");
    proto_write_object_end(writer);
}

char *proto_batch_encode(const struct proto_batch_view *view)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "id", view->id);
    proto_write_text(&writer, "state", proto_batch_state_name(state_of(view)));
    proto_write_text(&writer, "name", view->name);
    proto_write_time(&writer, "created", view->created_us);
    proto_write_time(&writer, "ended", proto_batch_ended(view) ? view->ended_us : 0);
    proto_write_uint(&writer, "total", view->n_jobs);
    write_counts(&writer, view);
    proto_write_uint(&writer, "last_event_id", view->last_event_id);
    write_links(&writer, view->id);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

char *proto_batch_event(const char *job_id, uint64_t index, const char *data)
{
    struct base_buf buf = {0};
    const char *rest = *data == '{' ? data + 1 : "}";

    base_buf_printf(&buf, "{\"job\":\"%s\",\"index\":%" PRIu64 "%s%s", job_id, index,
                    *rest == '}' ? "" : ",", rest);
    return base_buf_take(&buf, NULL);
}
