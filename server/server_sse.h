/*
 * server_sse.h - the event streams of jobs: who gets which event when. Knows neither HTTP nor the
 * store; all of it lives on the loop thread.
 *
 *   channel (one per job)     trimmed_id       last_id
 *      ids:   1 2 3 4 5 6 7 8 | 9 10 11 12 13  |  + the latest progress
 *      where: only the store  | ring           |
 *      reader (one per client): `after`, the last id that it has
 *
 * Frames are reference counted: two hundred clients of a job share the bytes of every event. The
 * ring is bounded; it gives up its oldest frames once they are durable, and a reader that is behind
 * them is served from the store, page by page, at its own pace. So a client that reads nothing
 * costs its socket and no more, no solution is ever lost to a slow one, and progress - the only
 * thing that is worthless when late - is reduced to the latest.
 */
#ifndef SERVER_SERVER_SSE_H
#define SERVER_SERVER_SSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proto/proto_event.h"
#include "server/server_list_inl.h"

enum {
    SERVER_SSE_RING_FRAMES = 1024,
    SERVER_SSE_RING_BYTES = 512 * 1024,
    SERVER_SSE_PAGE = 64, /* events fetched at once for a reader that is behind the ring */
    SERVER_SSE_COMMENT_MS = 15000
};

struct server_frame;
struct server_channel;
struct server_reader;

/* ---- frames --------------------------------------------------------------------------- */

/* New, one reference; id 0: none. NULL: out of memory. */
struct server_frame *server_frame_new(enum proto_event event, uint64_t id, const char *data);

/* New; text that is framed already: a comment, the opening. */
struct server_frame *server_frame_new_text(const char *text);
struct server_frame *server_frame_acquire(struct server_frame *frame);
void server_frame_release(struct server_frame *frame); /* NULL is allowed */

/* ---- channels ------------------------------------------------------------------------- */

/* Fetches for `reader`, by server_reader_push, the next events after `after`, at most
 * SERVER_SSE_PAGE. A negative value ends the reader. */
typedef int server_sse_fetch_fn(void *arg, uint64_t after, struct server_reader *reader);

/* New, one reference. `trimmed_id`: events up to this one are in the store alone. `free_arg` is
 * called with `arg` when the last reference goes. NULL: no memory, and `arg` is still the caller's.
 */
struct server_channel *server_channel_new(uint64_t trimmed_id, server_sse_fetch_fn *fetch,
                                          void *arg, void (*free_arg)(void *));
struct server_channel *server_channel_acquire(struct server_channel *channel);
void server_channel_release(struct server_channel *channel);

/* Ids up to `n` above the last one will not be given. */
void server_channel_skip(struct server_channel *channel, uint64_t n);

/* Appends an event (the frame is taken) with an id above all others. */
int server_channel_publish(struct server_channel *channel, uint64_t id, struct server_frame *frame);

/* Replaces the progress that readers get when they have nothing better (the frame is taken). */
void server_channel_progress(struct server_channel *channel, struct server_frame *frame);

/* Events up to `id` are durable and may leave the ring. */
void server_channel_durable(struct server_channel *channel, uint64_t id);

/* Events up to `id` are in the store, without having been published here: readers fetch them. */
void server_channel_stored(struct server_channel *channel, uint64_t id);

/* No event will follow: readers end when they have read all. */
void server_channel_end(struct server_channel *channel);

/* Readers get `frame` (borrowed) next, without an id, and end. */
void server_channel_drain(struct server_channel *channel, struct server_frame *frame);

uint64_t server_channel_last_id(const struct server_channel *channel);
size_t server_channel_reader_count(const struct server_channel *channel);
size_t server_channel_ring_bytes(const struct server_channel *channel);

/* ---- readers -------------------------------------------------------------------------- */

struct server_hub {
    struct server_list readers; /* of all channels */
    size_t n_readers;
};

void server_hub_init(struct server_hub *hub);

/* Readers that got nothing for SERVER_SSE_COMMENT_MS get a comment. */
void server_hub_tick(struct server_hub *hub, uint64_t now_ms);

/* New. `wake` is called, once per wait, when a reader that had nothing to read has something. */
struct server_reader *server_reader_new(struct server_hub *hub, struct server_channel *channel,
                                        uint64_t after, uint64_t now_ms, void (*wake)(void *),
                                        void *arg);
void server_reader_free(struct server_reader *reader);

/* To be read before anything of the channel (the frame is taken, also on error). */
int server_reader_push(struct server_reader *reader, uint64_t id, struct server_frame *frame);

enum { SERVER_READER_WAIT = 0, SERVER_READER_END = -1 };

/* Copies what comes next: the number of bytes, SERVER_READER_WAIT (wake will be called), or
 * SERVER_READER_END. */
ssize_t server_reader_read(struct server_reader *reader, char *out, size_t size, uint64_t now_ms);

#endif
