/*
 * server_sse.c - frames, channels, readers.
 *
 * What a reader reads next, in this order: the rest of the frame it is in; what was pushed for it
 * alone (opening, snapshot, a page from the store); the farewell of a drain; the next event of the
 * ring, or a page if it is behind the ring; the latest progress; a comment that is due.
 */
#include "server/server_sse.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"

struct server_frame {
    unsigned references;
    size_t length;
    char *bytes;
};

struct ring_entry {
    uint64_t id;
    struct server_frame *frame;
};

struct server_channel {
    unsigned references;
    struct ring_entry *ring; /* ring[first .. first + n) modulo capacity */
    size_t capacity, first, n, bytes;
    uint64_t last_id, trimmed_id, durable_id;
    struct server_frame *progress;
    uint64_t progress_number; /* of that progress, from 1 */
    bool ended;
    server_sse_fetch_fn *fetch;
    void *arg;
    void (*free_arg)(void *);
    struct server_list readers;
    size_t n_readers;
};

struct server_reader {
    struct server_node in_channel, in_hub;
    struct server_hub *hub;
    struct server_channel *channel;
    struct server_frame *current;
    size_t offset; /* of what was read of `current` */
    struct ring_entry pushed[SERVER_SSE_PAGE + 2];
    unsigned first_pushed, n_pushed;
    struct server_frame *farewell;
    bool closing; /* end after the farewell */
    uint64_t after;
    uint64_t progress_seen;
    uint64_t last_ms; /* when it last read something */
    bool comment_due, waiting;
    void (*wake)(void *);
    void *arg;
};

/* ---- frames --------------------------------------------------------------------------- */

/* Takes `bytes`, which may be NULL. */
static struct server_frame *frame_of(char *bytes, size_t length)
{
    struct server_frame *frame = malloc(sizeof(*frame));

    if (!frame || !bytes) {
        free(bytes);
        free(frame);
        return NULL;
    }
    *frame = (struct server_frame){1, length, bytes};
    return frame;
}

struct server_frame *server_frame_new(enum proto_event event, uint64_t id, const char *data)
{
    size_t length = 0;
    char *bytes = proto_event_frame(event, id, data, &length);

    return frame_of(bytes, length);
}

struct server_frame *server_frame_new_text(const char *text)
{
    return frame_of(strdup(text), strlen(text));
}

struct server_frame *server_frame_acquire(struct server_frame *frame)
{
    frame->references++;
    return frame;
}

void server_frame_release(struct server_frame *frame)
{
    if (!frame || --frame->references)
        return;
    free(frame->bytes);
    free(frame);
}

/* ---- the ring ------------------------------------------------------------------------- */

static struct ring_entry *ring_at(const struct server_channel *channel, size_t index)
{
    return &channel->ring[(channel->first + index) % channel->capacity];
}

static int ring_grow(struct server_channel *channel)
{
    size_t capacity = channel->capacity ? 2 * channel->capacity : 16;
    struct ring_entry *ring = malloc(capacity * sizeof(*ring));

    if (!ring)
        return BASE_ERR_NOMEM;
    for (size_t i = 0; i < channel->n; i++)
        ring[i] = *ring_at(channel, i);
    free(channel->ring);
    channel->ring = ring;
    channel->capacity = capacity;
    channel->first = 0;
    return 0;
}

static void ring_drop_first(struct server_channel *channel)
{
    struct ring_entry *entry = ring_at(channel, 0);

    channel->trimmed_id = entry->id;
    channel->bytes -= entry->frame->length;
    server_frame_release(entry->frame);
    channel->first = (channel->first + 1) % channel->capacity;
    channel->n--;
}

static void ring_trim(struct server_channel *channel)
{
    while (channel->n &&
           (channel->n > SERVER_SSE_RING_FRAMES || channel->bytes > SERVER_SSE_RING_BYTES) &&
           ring_at(channel, 0)->id <= channel->durable_id)
        ring_drop_first(channel);
}

/* The first entry with an id above `after`, NULL: none. */
static const struct ring_entry *ring_find(const struct server_channel *channel, uint64_t after)
{
    size_t low = 0, high = channel->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ring_at(channel, middle)->id > after)
            high = middle;
        else
            low = middle + 1;
    }
    return low < channel->n ? ring_at(channel, low) : NULL;
}

/* ---- channels ------------------------------------------------------------------------- */

struct server_channel *server_channel_new(uint64_t trimmed_id, server_sse_fetch_fn *fetch,
                                          void *arg, void (*free_arg)(void *))
{
    struct server_channel *channel = calloc(1, sizeof(*channel));

    if (!channel)
        return NULL;
    channel->references = 1;
    channel->last_id = channel->trimmed_id = channel->durable_id = trimmed_id;
    channel->fetch = fetch;
    channel->arg = arg;
    channel->free_arg = free_arg;
    server_list_init(&channel->readers);
    return channel;
}

struct server_channel *server_channel_acquire(struct server_channel *channel)
{
    channel->references++;
    return channel;
}

void server_channel_release(struct server_channel *channel)
{
    if (--channel->references)
        return;
    while (channel->n)
        ring_drop_first(channel);
    server_frame_release(channel->progress);
    channel->free_arg(channel->arg);
    free(channel->ring);
    free(channel);
}

static void wake_all(struct server_channel *channel)
{
    SERVER_LIST_EACH(node, &channel->readers) {
        struct server_reader *reader = SERVER_LIST_OF(node, struct server_reader, in_channel);

        if (reader->waiting) {
            reader->waiting = false;
            reader->wake(reader->arg);
        }
    }
}

int server_channel_publish(struct server_channel *channel, uint64_t id, struct server_frame *frame)
{
    if (channel->n == channel->capacity && ring_grow(channel)) {
        server_frame_release(frame);
        return BASE_ERR_NOMEM;
    }
    channel->n++;
    *ring_at(channel, channel->n - 1) = (struct ring_entry){id, frame};
    channel->bytes += frame->length;
    channel->last_id = id;
    ring_trim(channel);
    wake_all(channel);
    return 0;
}

void server_channel_skip(struct server_channel *channel, uint64_t n)
{
    channel->last_id += n;
}

void server_channel_progress(struct server_channel *channel, struct server_frame *frame)
{
    server_frame_release(channel->progress);
    channel->progress = frame;
    channel->progress_number++;
    wake_all(channel);
}

void server_channel_durable(struct server_channel *channel, uint64_t id)
{
    if (id > channel->durable_id)
        channel->durable_id = id;
    ring_trim(channel);
}

void server_channel_stored(struct server_channel *channel, uint64_t id)
{
    if (id <= channel->last_id)
        return;
    channel->last_id = channel->trimmed_id = channel->durable_id = id;
    wake_all(channel);
}

void server_channel_end(struct server_channel *channel)
{
    channel->ended = true;
    wake_all(channel);
}

void server_channel_drain(struct server_channel *channel, struct server_frame *frame)
{
    SERVER_LIST_EACH(node, &channel->readers) {
        struct server_reader *reader = SERVER_LIST_OF(node, struct server_reader, in_channel);

        if (!reader->closing)
            reader->farewell = server_frame_acquire(frame);
        reader->closing = true;
    }
    server_channel_end(channel);
}

uint64_t server_channel_last_id(const struct server_channel *channel)
{
    return channel->last_id;
}

size_t server_channel_reader_count(const struct server_channel *channel)
{
    return channel->n_readers;
}

size_t server_channel_ring_bytes(const struct server_channel *channel)
{
    return channel->bytes;
}

/* ---- readers -------------------------------------------------------------------------- */

void server_hub_init(struct server_hub *hub)
{
    server_list_init(&hub->readers);
    hub->n_readers = 0;
}

void server_hub_tick(struct server_hub *hub, uint64_t now_ms)
{
    SERVER_LIST_EACH(node, &hub->readers) {
        struct server_reader *reader = SERVER_LIST_OF(node, struct server_reader, in_hub);

        if (!reader->waiting || now_ms - reader->last_ms < SERVER_SSE_COMMENT_MS)
            continue;
        reader->comment_due = true;
        reader->waiting = false;
        reader->wake(reader->arg);
    }
}

struct server_reader *server_reader_new(struct server_hub *hub, struct server_channel *channel,
                                        uint64_t after, uint64_t now_ms, void (*wake)(void *),
                                        void *arg)
{
    struct server_reader *reader = calloc(1, sizeof(*reader));

    if (!reader)
        return NULL;
    reader->hub = hub;
    reader->channel = server_channel_acquire(channel);
    reader->after = after;
    reader->last_ms = now_ms;
    reader->wake = wake;
    reader->arg = arg;
    server_list_append(&channel->readers, &reader->in_channel);
    server_list_append(&hub->readers, &reader->in_hub);
    channel->n_readers++;
    hub->n_readers++;
    return reader;
}

void server_reader_free(struct server_reader *reader)
{
    if (!reader)
        return;
    server_list_remove(&reader->in_channel);
    server_list_remove(&reader->in_hub);
    reader->channel->n_readers--;
    reader->hub->n_readers--;
    for (; reader->first_pushed < reader->n_pushed; reader->first_pushed++)
        server_frame_release(reader->pushed[reader->first_pushed].frame);
    server_frame_release(reader->current);
    server_frame_release(reader->farewell);
    server_channel_release(reader->channel);
    free(reader);
}

int server_reader_push(struct server_reader *reader, uint64_t id, struct server_frame *frame)
{
    if (reader->first_pushed == reader->n_pushed)
        reader->first_pushed = reader->n_pushed = 0;
    if (!frame || reader->n_pushed == BASE_COUNT(reader->pushed)) {
        server_frame_release(frame);
        return frame ? BASE_ERR_TOO_LARGE : BASE_ERR_NOMEM;
    }
    reader->pushed[reader->n_pushed++] = (struct ring_entry){id, frame};
    return 0;
}

/* Takes over the reference in `entry`. */
static struct server_frame *deliver(struct server_reader *reader, struct ring_entry entry)
{
    if (entry.id > reader->after)
        reader->after = entry.id;
    return entry.frame;
}

static struct server_frame *take_pushed(struct server_reader *reader)
{
    if (reader->first_pushed == reader->n_pushed)
        return NULL;
    return deliver(reader, reader->pushed[reader->first_pushed++]);
}

/* The reader is behind the ring. What the store does not have either are ids that were skipped, or
 * the job is gone. */
static struct server_frame *take_fetched(struct server_reader *reader)
{
    struct server_channel *channel = reader->channel;

    if (channel->fetch(channel->arg, reader->after, reader) < 0) {
        reader->closing = true;
        return NULL;
    }
    if (reader->first_pushed == reader->n_pushed)
        reader->after = channel->trimmed_id;
    return take_pushed(reader);
}

static struct server_frame *take_event(struct server_reader *reader)
{
    const struct ring_entry *entry;
    struct server_frame *frame;

    if (reader->after < reader->channel->trimmed_id) {
        frame = take_fetched(reader);
        if (frame || reader->closing)
            return frame;
    }
    entry = ring_find(reader->channel, reader->after);
    if (!entry)
        return NULL;
    server_frame_acquire(entry->frame);
    return deliver(reader, *entry);
}

static struct server_frame *take_progress(struct server_reader *reader)
{
    struct server_channel *channel = reader->channel;

    if (channel->ended || !channel->progress || reader->progress_seen == channel->progress_number)
        return NULL;
    reader->progress_seen = channel->progress_number;
    return server_frame_acquire(channel->progress);
}

static struct server_frame *take_next(struct server_reader *reader)
{
    struct server_frame *frame = NULL;

    if (!reader->closing)
        frame = take_pushed(reader);
    if (!frame && !reader->closing)
        frame = take_event(reader);
    if (!frame && !reader->closing)
        frame = take_progress(reader);
    if (!frame && reader->closing) {
        frame = reader->farewell;
        reader->farewell = NULL;
    }
    return frame;
}

static size_t read_current(struct server_reader *reader, char *out, size_t size)
{
    struct server_frame *frame = reader->current;
    size_t n = frame->length - reader->offset;

    if (n > size)
        n = size;
    memcpy(out, frame->bytes + reader->offset, n);
    reader->offset += n;
    if (reader->offset == frame->length) {
        server_frame_release(frame);
        reader->current = NULL;
        reader->offset = 0;
    }
    return n;
}

static size_t read_comment(struct server_reader *reader, char *out, size_t size)
{
    size_t n = strlen(PROTO_EVENT_HEARTBEAT);

    if (!reader->comment_due || n > size)
        return 0;
    memcpy(out, PROTO_EVENT_HEARTBEAT, n);
    return n;
}

ssize_t server_reader_read(struct server_reader *reader, char *out, size_t size, uint64_t now_ms)
{
    size_t n = 0;

    while (n < size) {
        if (!reader->current)
            reader->current = take_next(reader);
        if (!reader->current)
            break;
        n += read_current(reader, out + n, size - n);
    }
    if (!n)
        n = read_comment(reader, out, size);
    if (n) {
        reader->comment_due = false;
        reader->last_ms = now_ms;
        return (ssize_t)n;
    }
    if (reader->closing || reader->channel->ended)
        return SERVER_READER_END;
    reader->waiting = true;
    return SERVER_READER_WAIT;
}
