/*
 * load_streams.c - readers of event streams, all of which must see the same.
 *
 * Of each event with an id the first reader to get it is the clock for the others: their lag is
 * how much later they have it. Lags count from the time on when every stream has been open for
 * WARM_NS, because before that readers catch up with what they have missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_buf.h"
#include "core/base/base_clock.h"
#include "tests/load/load_loop.h"
#include "tests/load/load_mode.h"
#include "tests/load/load_parse.h"
#include "tests/load/load_times.h"

#define WARM_NS UINT64_C(1000000000)

enum { PATH_BYTES = 200, MOST_IDS = 1 << 22 };

/* What is read by several. */
struct topic {
    char path[PATH_BYTES];
    uint64_t *first_ns; /* when somebody had the event of this id; owned */
    size_t n_ids;
};

struct stream {
    struct load_conn conn;
    struct load_parser parser;
    struct topic *topic;
    struct base_buf line;
    char event[16];
    uint64_t id, last_id, hash; /* of the event; of the last one; of its data */
    uint64_t n_events, n_solutions, solutions_hash;
    bool opened, done;
};

struct streams {
    struct load_loop loop;
    struct topic *topics;
    struct stream *streams;
    size_t n_topics, n_streams, n_opened, n_done;
    uint64_t warm_ns; /* when lags begin to count; 0: not all are open */
    uint64_t n_disorder, n_reconnects, n_refused, n_progress, n_draining, bytes;
    struct load_times lags;
};

static struct streams *streams_of(struct load_conn *conn)
{
    return conn->loop->arg;
}

/* ---- events --------------------------------------------------------------------------- */

/* When the first reader had the event; 0: nobody had. */
static uint64_t *first_of(struct topic *topic, uint64_t id)
{
    size_t n = topic->n_ids ? topic->n_ids : 256;

    BASE_ASSERT(id < MOST_IDS);
    while (n <= id)
        n *= 2;
    if (n != topic->n_ids) {
        topic->first_ns = realloc(topic->first_ns, n * sizeof(*topic->first_ns));
        BASE_ASSERT(topic->first_ns);
        memset(topic->first_ns + topic->n_ids, 0, (n - topic->n_ids) * sizeof(*topic->first_ns));
        topic->n_ids = n;
    }
    return &topic->first_ns[id];
}

static void measure(struct streams *streams, struct stream *stream)
{
    uint64_t *first_ns = first_of(stream->topic, stream->id);
    uint64_t now_ns = base_clock_ns();

    if (!*first_ns)
        *first_ns = now_ns;
    else if (streams->warm_ns && *first_ns > streams->warm_ns)
        load_times_add(&streams->lags, now_ns - *first_ns);
}

static void take_event(struct streams *streams, struct stream *stream)
{
    if (!strcmp(stream->event, "progress"))
        streams->n_progress++;
    if (!strcmp(stream->event, "draining"))
        streams->n_draining++;
    if (!stream->id)
        return;
    streams->n_disorder += stream->id <= stream->last_id;
    stream->last_id = stream->id;
    stream->n_events++;
    measure(streams, stream);
    if (!strcmp(stream->event, "solution")) {
        stream->n_solutions++;
        stream->solutions_hash += stream->hash; /* a sum, so that the driver may sum in any order */
    }
    if (!strcmp(stream->event, "done")) {
        stream->done = true;
        streams->loop.stop = ++streams->n_done == streams->n_streams;
    }
}

/* FNV-1a (Fowler, Noll, Vo): what takes two lines in the driver, too. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static void take_line(struct streams *streams, struct stream *stream, const char *line)
{
    if (!*line) {
        take_event(streams, stream);
        stream->event[0] = '\0';
        stream->id = 0;
    } else if (!strncmp(line, "id: ", 4)) {
        stream->id = strtoull(line + 4, NULL, 10);
    } else if (!strncmp(line, "event: ", 7)) {
        snprintf(stream->event, sizeof(stream->event), "%s", line + 7);
    } else if (!strncmp(line, "data: ", 6)) {
        stream->hash = hash_of(line + 6);
    }
}

static void on_body(void *arg, const char *bytes, size_t n)
{
    struct stream *stream = arg;

    while (n) {
        const char *end = memchr(bytes, '\n', n);
        size_t piece = end ? (size_t)(end - bytes) : n;

        base_buf_append(&stream->line, bytes, piece);
        bytes += piece;
        n -= piece;
        if (!end)
            return;
        bytes++;
        n--;
        BASE_ASSERT(!stream->line.error);
        take_line(streams_of(&stream->conn), stream, base_buf_str(&stream->line));
        base_buf_clear(&stream->line);
    }
}

/* ---- connections ---------------------------------------------------------------------- */

static void on_ready(struct load_conn *conn)
{
    struct stream *stream = (struct stream *)conn;
    char text[PATH_BYTES + 100];
    int n = snprintf(text, sizeof(text),
                     "GET %s?after=%llu HTTP/1.1\r\nHost: localhost\r\n"
                     "Accept: text/event-stream\r\n\r\n",
                     stream->topic->path, (unsigned long long)stream->last_id);

    load_parser_begin(&stream->parser);
    base_buf_clear(&stream->line);
    load_send(conn, text, (size_t)n);
}

static void note_opened(struct streams *streams, struct stream *stream)
{
    if (stream->opened)
        return;
    stream->opened = true;
    if (++streams->n_opened == streams->n_streams)
        streams->warm_ns = base_clock_ns() + WARM_NS;
}

static void on_data(struct load_conn *conn, const char *bytes, size_t n)
{
    struct stream *stream = (struct stream *)conn;
    struct streams *streams = streams_of(conn);

    streams->bytes += n;
    load_parser_take(&stream->parser, bytes, n, on_body, stream);
    if (stream->parser.status == 200)
        note_opened(streams, stream);
    if (stream->parser.state == LOAD_PARSE_BROKEN ||
        (stream->parser.status && stream->parser.status != 200))
        streams->n_refused++;
    if (stream->done && stream->parser.state == LOAD_PARSE_DONE)
        load_close(conn);
}

static void on_closed(struct load_conn *conn, int error)
{
    struct stream *stream = (struct stream *)conn;
    struct streams *streams = streams_of(conn);

    (void)error;
    if (stream->done)
        return;
    streams->n_reconnects++;
    load_connect(conn->loop, conn);
}

/* ---- the report ----------------------------------------------------------------------- */

/* One topic: what its first reader saw, and how many others saw something else. */
static void print_topic(const struct streams *streams, const struct topic *topic)
{
    const struct stream *first = NULL;
    size_t n = 0, n_done = 0, n_different = 0;

    for (size_t i = 0; i < streams->n_streams; i++) {
        const struct stream *stream = &streams->streams[i];

        if (stream->topic != topic)
            continue;
        first = first ? first : stream;
        n++;
        n_done += stream->done;
        n_different += stream->n_solutions != first->n_solutions ||
                       stream->solutions_hash != first->solutions_hash ||
                       stream->n_events != first->n_events;
    }
    if (first)
        printf("%s{\"path\": \"%s\", \"readers\": %zu, \"done\": %zu, \"different\": %zu, "
               "\"events\": %llu, \"solutions\": %llu, \"solutions_hash\": \"%016llx\"}",
               topic == streams->topics ? "" : ", ", topic->path, n, n_done, n_different,
               (unsigned long long)first->n_events, (unsigned long long)first->n_solutions,
               (unsigned long long)first->solutions_hash);
}

static void print_report(struct streams *streams, double seconds)
{
    uint64_t n_events = 0;

    for (size_t i = 0; i < streams->n_streams; i++)
        n_events += streams->streams[i].n_events;
    printf("{\"streams\": %zu, \"opened\": %zu, \"done\": %zu, \"seconds\": %.3f, "
           "\"events\": %llu, \"progress\": %llu, \"disorder\": %llu, \"reconnects\": %llu, "
           "\"refused\": %llu, \"draining\": %llu, \"bytes\": %llu, ",
           streams->n_streams, streams->n_opened, streams->n_done, seconds,
           (unsigned long long)n_events, (unsigned long long)streams->n_progress,
           (unsigned long long)streams->n_disorder, (unsigned long long)streams->n_reconnects,
           (unsigned long long)streams->n_refused, (unsigned long long)streams->n_draining,
           (unsigned long long)streams->bytes);
    load_times_print(&streams->lags, "lag");
    printf(", \"topics\": [");
    for (size_t i = 0; i < streams->n_topics; i++)
        print_topic(streams, &streams->topics[i]);
    printf("]}\n");
}

static void read_topics(struct streams *streams, const char *name)
{
    FILE *file = fopen(name, "re");
    char line[PATH_BYTES];

    BASE_ASSERT(file);
    while (fgets(line, sizeof(line), file)) {
        struct topic *topic;

        streams->topics =
            realloc(streams->topics, (streams->n_topics + 1) * sizeof(*streams->topics));
        BASE_ASSERT(streams->topics);
        topic = &streams->topics[streams->n_topics++];
        *topic = (struct topic){.n_ids = 0};
        line[strcspn(line, "\n")] = '\0';
        snprintf(topic->path, sizeof(topic->path), "%s", line);
    }
    BASE_ASSERT(streams->n_topics);
    fclose(file);
}

static void streams_free(struct streams *streams)
{
    for (size_t i = 0; i < streams->n_streams; i++) {
        load_close(&streams->streams[i].conn);
        base_buf_deinit(&streams->streams[i].line);
    }
    for (size_t i = 0; i < streams->n_topics; i++)
        free(streams->topics[i].first_ns);
    load_times_deinit(&streams->lags);
    free(streams->topics);
    free(streams->streams);
}

int load_streams(const struct load_args *args)
{
    static const struct load_calls CALLS = {on_ready, on_data, on_closed, NULL};
    struct streams streams = {.n_streams = args->n_connections};
    uint64_t began_ns = base_clock_ns();

    read_topics(&streams, args->more[0]);
    streams.streams = calloc(streams.n_streams, sizeof(*streams.streams));
    BASE_ASSERT(streams.streams);
    load_loop_init(&streams.loop, args->host, args->port, &CALLS, &streams);
    for (size_t i = 0; i < streams.n_streams; i++) {
        streams.streams[i].topic = &streams.topics[i % streams.n_topics];
        load_connect(&streams.loop, &streams.streams[i].conn);
    }
    load_loop_run(&streams.loop, began_ns + (uint64_t)(args->seconds * 1e9));
    print_report(&streams, base_clock_seconds(base_clock_ns() - began_ns));
    streams_free(&streams);
    return 0;
}
