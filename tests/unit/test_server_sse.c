/*
 * test_server_sse.c - who gets which event when: order, replay, sharing, slow readers, bounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_buf.h"
#include "server/server_sse.h"
#include "tests/support/support_suite.h"

enum { STORED = 5000 };

static struct server_hub hub;
static struct server_channel *channel;
static unsigned n_fetches, n_freed;
static uint64_t stored_from; /* the store has the events stored_from .. 5000 */

static char *text_of(uint64_t id)
{
    char *text = NULL;

    ck_assert_int_gt(asprintf(&text, "{\"n\":%d}", (int)id), 0);
    return text;
}

static struct server_frame *frame_of(uint64_t id)
{
    char *text = text_of(id);
    struct server_frame *frame = server_frame_new(PROTO_EVENT_DEPTH, id, text);

    free(text);
    ck_assert_ptr_nonnull(frame);
    return frame;
}

static int fetch(void *arg, uint64_t after, struct server_reader *reader)
{
    uint64_t id = after < stored_from ? stored_from : after + 1;

    ck_assert_ptr_eq(arg, &hub);
    n_fetches++;
    for (unsigned n = 0; n < SERVER_SSE_PAGE && id <= STORED; n++, id++)
        ck_assert_int_eq(server_reader_push(reader, id, frame_of(id)), 0);
    return 0;
}

static void on_free(void *arg)
{
    (void)arg;
    n_freed++;
}

static void new_channel(uint64_t trimmed_id)
{
    channel = server_channel_new(trimmed_id, fetch, &hub, on_free);
    ck_assert_ptr_nonnull(channel);
}

static void set_up(void)
{
    server_hub_init(&hub);
    stored_from = 1;
    new_channel(0);
}

static void tear_down(void)
{
    server_channel_release(channel);
    ck_assert_uint_eq(n_freed, 1);
    ck_assert_uint_eq(hub.n_readers, 0);
}

static void publish(uint64_t id)
{
    ck_assert_int_eq(server_channel_publish(channel, id, frame_of(id)), 0);
}

static void publish_range(uint64_t first, uint64_t last)
{
    for (uint64_t id = first; id <= last; id++)
        publish(id);
}

static void on_wake(void *arg)
{
    unsigned *n = arg;

    (*n)++;
}

static struct server_reader *attach(uint64_t after, unsigned *wakes)
{
    struct server_reader *reader = server_reader_new(&hub, channel, after, 0, on_wake, wakes);

    ck_assert_ptr_nonnull(reader);
    return reader;
}

/* Reads in small bites until nothing comes; returns what read said last. */
static ssize_t read_all(struct server_reader *reader, struct base_buf *out)
{
    char bite[7];
    ssize_t n;

    while ((n = server_reader_read(reader, bite, sizeof(bite), 0)) > 0)
        base_buf_append(out, bite, (size_t)n);
    return n;
}

static unsigned count(const struct base_buf *text, const char *word)
{
    unsigned n = 0;

    for (const char *at = base_buf_str(text); (at = strstr(at, word)) != NULL; at++)
        n++;
    return n;
}

/* The ids of the text must be first .. last, each once and in order. */
static void check_ids(const struct base_buf *text, uint64_t first, uint64_t last)
{
    uint64_t expected = first;

    for (const char *at = base_buf_str(text); (at = strstr(at, "id: ")) != NULL; at++)
        ck_assert_uint_eq(strtoull(at + 4, NULL, 10), expected++);
    ck_assert_uint_eq(expected, last + 1);
}

START_TEST(a_reader_gets_what_follows_its_id)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader;

    publish_range(1, 9);
    reader = attach(4, &wakes);
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    check_ids(&text, 5, 9);
    ck_assert_uint_eq(count(&text, "event: depth\n"), 5);
    ck_assert_uint_eq(n_fetches, 0);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(a_waiting_reader_is_woken_once_per_wait)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader = attach(0, &wakes);

    publish(1); /* it does not wait yet */
    ck_assert_uint_eq(wakes, 0);
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    publish_range(2, 5);
    ck_assert_uint_eq(wakes, 1);
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    check_ids(&text, 1, 5);
    publish(6);
    ck_assert_uint_eq(wakes, 2);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(what_is_pushed_comes_first)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader;

    publish_range(1, 2);
    reader = attach(0, &wakes);
    ck_assert_int_eq(server_reader_push(reader, 0, server_frame_new_text("first\n\n")), 0);
    read_all(reader, &text);
    ck_assert_ptr_eq(strstr(base_buf_str(&text), "first"), base_buf_str(&text));
    check_ids(&text, 1, 2);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(the_stream_ends_after_the_last_event)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader = attach(0, &wakes);

    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    publish_range(1, 3);
    server_channel_end(channel);
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_END);
    check_ids(&text, 1, 3);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(progress_is_reduced_to_the_latest)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader = attach(0, &wakes);

    for (int i = 0; i < 10; i++)
        server_channel_progress(channel,
                                server_frame_new(PROTO_EVENT_PROGRESS, 0, i < 9 ? "1" : "2"));
    publish(1);
    read_all(reader, &text);
    ck_assert_uint_eq(count(&text, "event: progress"), 1);
    ck_assert_uint_eq(count(&text, "data: 2\n"), 1);
    ck_assert_ptr_ne(strstr(base_buf_str(&text), "event: depth"), NULL);
    ck_assert(strstr(base_buf_str(&text), "depth") < strstr(base_buf_str(&text), "progress"));
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

/* The bound holds although one reader reads nothing, and that reader loses nothing. */
START_TEST(a_reader_that_sleeps_costs_nothing_and_loses_nothing)
{
    struct base_buf slow_text = {0}, quick_text = {0};
    unsigned slow_wakes = 0, quick_wakes = 0;
    struct server_reader *slow = attach(0, &slow_wakes), *quick = attach(0, &quick_wakes);

    for (uint64_t id = 1; id <= STORED; id++) {
        publish(id);
        server_channel_durable(channel, id);
        ck_assert_uint_le(server_channel_ring_bytes(channel), SERVER_SSE_RING_BYTES + 100);
        read_all(quick, &quick_text);
    }
    server_channel_end(channel);
    ck_assert_uint_eq(n_fetches, 0);
    check_ids(&quick_text, 1, STORED);
    ck_assert_int_eq(read_all(slow, &slow_text), SERVER_READER_END);
    check_ids(&slow_text, 1, STORED);
    ck_assert_uint_gt(n_fetches, 10);
    server_reader_free(slow);
    server_reader_free(quick);
    base_buf_deinit(&slow_text);
    base_buf_deinit(&quick_text);
}
END_TEST

START_TEST(what_is_not_durable_stays_in_the_ring)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader;

    publish_range(1, 3 * SERVER_SSE_RING_FRAMES);
    reader = attach(0, &wakes);
    read_all(reader, &text);
    check_ids(&text, 1, 3 * SERVER_SSE_RING_FRAMES);
    ck_assert_uint_eq(n_fetches, 0);
    server_channel_durable(channel, 3 * SERVER_SSE_RING_FRAMES);
    ck_assert_uint_le(server_channel_ring_bytes(channel), SERVER_SSE_RING_BYTES);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(what_is_only_in_the_store_is_fetched)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader = attach(STORED - 300, &wakes);

    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    ck_assert_uint_eq(text.length + n_fetches, 0);
    server_channel_stored(channel, STORED);
    ck_assert_uint_eq(wakes, 1);
    server_channel_stored(channel, STORED - 1); /* no news */
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    check_ids(&text, STORED - 299, STORED);
    ck_assert_uint_eq(n_fetches, 5);
    ck_assert_uint_eq(server_channel_ring_bytes(channel), 0);
    server_channel_end(channel);
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_END);
    ck_assert_uint_eq(wakes, 2);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(replay_goes_on_in_the_ring_over_skipped_ids)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader;

    server_channel_release(channel);
    n_freed = 0;
    new_channel(STORED);
    server_channel_skip(channel, 1000);
    ck_assert_uint_eq(server_channel_last_id(channel), STORED + 1000);
    publish(STORED + 1001);
    reader = attach(STORED - 2, &wakes);
    read_all(reader, &text);
    ck_assert_uint_eq(count(&text, "id: "), 3);
    ck_assert_uint_eq(count(&text, "id: 6001\n"), 1);
    server_reader_free(reader);
    base_buf_clear(&text);
    reader = attach(STORED + 500, &wakes); /* given out, but lost in a crash */
    read_all(reader, &text);
    check_ids(&text, STORED + 1001, STORED + 1001);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(a_job_that_is_gone_ends_its_readers)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader;

    server_channel_release(channel);
    n_freed = 0;
    new_channel(STORED + 10);
    stored_from = STORED + 1; /* nothing */
    server_channel_end(channel);
    reader = attach(0, &wakes);
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_END);
    ck_assert_uint_eq(text.length, 0);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(a_drain_says_farewell_and_ends)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader = attach(0, &wakes);
    struct server_frame *farewell = server_frame_new(PROTO_EVENT_DRAINING, 0, PROTO_EVENT_EMPTY);

    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    server_channel_drain(channel, farewell);
    server_frame_release(farewell);
    ck_assert_uint_eq(wakes, 1);
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_END);
    ck_assert_uint_eq(count(&text, "event: draining"), 1);
    ck_assert_uint_eq(count(&text, "id: "), 0);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

START_TEST(silence_is_broken_by_comments)
{
    struct base_buf text = {0};
    unsigned wakes = 0;
    struct server_reader *reader = attach(0, &wakes);

    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    server_hub_tick(&hub, SERVER_SSE_COMMENT_MS - 1);
    ck_assert_uint_eq(wakes, 0);
    server_hub_tick(&hub, SERVER_SSE_COMMENT_MS);
    ck_assert_uint_eq(wakes, 1);
    ck_assert_int_eq(read_all(reader, &text), SERVER_READER_WAIT);
    ck_assert_str_eq(base_buf_str(&text), PROTO_EVENT_HEARTBEAT);
    server_reader_free(reader);
    base_buf_deinit(&text);
}
END_TEST

/* Two hundred readers of a large event: each has it, its bytes exist once. */
START_TEST(readers_share_the_bytes_of_events)
{
    enum { N = 200, LARGE = 100000 };
    struct server_reader *readers[N];
    unsigned wakes = 0;
    char *large = malloc(LARGE + 1);
    char bite[4096];

    memset(large, 'x', LARGE);
    large[LARGE] = '\0';
    ck_assert_int_eq(
        server_channel_publish(channel, 1, server_frame_new(PROTO_EVENT_DONE, 1, large)), 0);
    for (int i = 0; i < N; i++) {
        readers[i] = attach(0, &wakes);
        ck_assert_int_eq(server_reader_read(readers[i], bite, sizeof(bite), 0), sizeof(bite));
    }
    ck_assert_uint_eq(server_channel_reader_count(channel), N);
    ck_assert_uint_lt(server_channel_ring_bytes(channel), LARGE + 100);
    for (int i = 0; i < N; i++)
        server_reader_free(readers[i]); /* in the middle of the frame */
    free(large);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_reader_gets_what_follows_its_id,
                                  a_waiting_reader_is_woken_once_per_wait,
                                  what_is_pushed_comes_first,
                                  the_stream_ends_after_the_last_event,
                                  progress_is_reduced_to_the_latest,
                                  a_reader_that_sleeps_costs_nothing_and_loses_nothing,
                                  what_is_not_durable_stays_in_the_ring,
                                  what_is_only_in_the_store_is_fetched,
                                  replay_goes_on_in_the_ring_over_skipped_ids,
                                  a_job_that_is_gone_ends_its_readers,
                                  a_drain_says_farewell_and_ends,
                                  silence_is_broken_by_comments,
                                  readers_share_the_bytes_of_events};

    return support_suite_run("server_sse", tests, BASE_COUNT(tests), set_up, tear_down, 10);
}
