/*
 * server_stream.h - one client's event stream over HTTP: a reader of a channel behind a
 * libmicrohttpd response that is suspended while there is nothing to send.
 */
#ifndef SERVER_SERVER_STREAM_H
#define SERVER_SERVER_STREAM_H

#include "server/server_request.h"
#include "server/server_sse.h"

/* Answers the request with the events of `channel` after `after`; `first` (taken, may be NULL) is
 * sent before them. */
void server_stream_answer(struct server_request *request, struct server_channel *channel,
                          uint64_t after, struct server_frame *first);

/* The reply to HEAD: the same without events. */
void server_stream_answer_head(struct server_request *request);

#endif
