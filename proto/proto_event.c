/*
 * proto_event.c - event payloads and frames.
 */
#include "proto/proto_event.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_buf.h"
#include "core/base/base_err.h"
#include "proto/proto_job.h"
#include "proto/proto_write.h"

static const char *const names[PROTO_EVENT_COUNT] = {
#define EVENT_NAME(name, wire) wire,
    PROTO_EVENT_LIST(EVENT_NAME)
#undef EVENT_NAME
};

const char *proto_event_name(enum proto_event event)
{
    return names[event];
}

int proto_event_parse(const char *name, enum proto_event *out)
{
    for (unsigned i = 0; i < PROTO_EVENT_COUNT; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (enum proto_event)i;
            return BASE_OK;
        }
    }
    return BASE_ERR_RANGE;
}

/* ---- frames --------------------------------------------------------------------------- */

/* A reader ends a line at CR, LF or CR LF, and joins data fields by LF. */
static void append_data(struct base_buf *buf, const char *data)
{
    for (;;) {
        size_t line = strcspn(data, "\r\n");
        base_buf_text(buf, "data: ");
        base_buf_append(buf, data, line);
        base_buf_byte(buf, '\n');
        data += line;
        if (!*data)
            return;
        data += data[0] == '\r' && data[1] == '\n' ? 2 : 1;
    }
}

char *proto_event_frame(enum proto_event event, uint64_t id, const char *data, size_t *length)
{
    struct base_buf buf = {0};

    if (id)
        base_buf_printf(&buf, "id: %" PRIu64 "\n", id);
    base_buf_printf(&buf, "event: %s\n", names[event]);
    append_data(&buf, data);
    base_buf_byte(&buf, '\n');
    return base_buf_take(&buf, length);
}

int proto_event_parse_id(const char *text, uint64_t *out)
{
    const uint64_t limit = INT64_MAX;
    uint64_t value = 0;

    if (!*text)
        return BASE_ERR_SYNTAX;
    for (; *text; text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (*text < '0' || *text > '9' || value > (limit - digit) / 10)
            return BASE_ERR_SYNTAX;
        value = value * 10 + digit;
    }
    *out = value;
    return BASE_OK;
}

/* ---- payloads ------------------------------------------------------------------------- */

char *proto_event_state(enum engine_state state)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "state", proto_state_name(state));
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

char *proto_event_job_state(const char *job_id, const char *batch_id, enum engine_state state)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "job", job_id);
    if (batch_id)
        proto_write_text(&writer, "batch", batch_id);
    proto_write_text(&writer, "state", proto_state_name(state));
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

char *proto_event_counts(uint64_t queued, uint64_t running, uint64_t paused)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_uint(&writer, proto_state_name(ENGINE_QUEUED), queued);
    proto_write_uint(&writer, proto_state_name(ENGINE_RUNNING), running);
    proto_write_uint(&writer, proto_state_name(ENGINE_PAUSED), paused);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

char *proto_event_table(const struct engine_event *event)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "orbits", event->u.table.orbits);
    proto_write_text(&writer, "kind", event->u.table.kind);
    proto_write_uint(&writer, "layer", event->u.table.layer);
    proto_write_real(&writer, "fraction", event->u.table.fraction, 6);
    proto_write_uint(&writer, "entries", event->u.table.entries);
    proto_write_real(&writer, "seconds", event->u.table.seconds, 3);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

char *proto_event_depth(const struct engine_event *event)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_uint(&writer, "depth", event->u.depth.depth);
    proto_write_uint(&writer, "lower_bound", event->u.depth.lower_bound);
    proto_write_uint(&writer, "nodes", event->u.depth.nodes);
    proto_write_real(&writer, "seconds", event->u.depth.seconds, 3);
    proto_write_real(&writer, "nodes_per_second", event->u.depth.nodes_per_second, 0);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}
