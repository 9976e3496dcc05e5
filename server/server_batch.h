/*
 * server_batch.h - batches while the daemon runs. A batch has no state of its own: it is in the
 * store, its jobs are jobs like others, and its stream is what the store has numbered for it. Here
 * are the streams that someone reads, and the requests that wait for the end of a batch; both look
 * at the store whenever it has written.
 */
#ifndef SERVER_SERVER_BATCH_H
#define SERVER_SERVER_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "server/server_list_inl.h"
#include "server/server_sse.h"
#include "server/server_store_read.h"

struct server;
struct server_request;

struct server_batches {
    struct server_list feeds; /* with readers */
    struct server_list waits;
};

void server_batches_init(struct server_batches *batches);

/* The store has written: there may be news. */
void server_batches_refresh(struct server *server);

/* Answers the requests whose time is up; all of them if `all`. */
void server_batches_expire(struct server *server, bool all);

/* Ends the streams with `farewell` (borrowed). */
void server_batches_drain(struct server *server, struct server_frame *farewell);

/* ---- documents -------------------------------------------------------------------------- */

/* New text (free), NULL: out of memory. */
char *server_batch_document(const struct server_store_batch *batch);
bool server_batch_ended(const struct server_store_batch *batch);

/* ---- streams ---------------------------------------------------------------------------- */

/* The event after which nothing follows has an id of its own, behind all others. */
uint64_t server_batch_end_id(const struct server_store_pulse *pulse);

/* The channel of the batch's events, a new reference; every event is fetched from the store. NULL:
 * out of memory. */
struct server_channel *server_batch_channel(struct server *server, const char *id);

/* ---- waiting ---------------------------------------------------------------------------- */

/* Answers the kept request; the batch is as it is then, ended or not, or gone. */
typedef void server_batch_answer(struct server_request *request, const char *id);

/* Keeps the request until the end of the batch or for about `ms`, to half a second. Out of memory:
 * answers now. */
void server_batch_wait(struct server_request *request, const char *id, uint64_t ms,
                       server_batch_answer *answer);

#endif
