/*
 * server_loop.h - a libmicrohttpd daemon (epoll, external loop, suspend and resume) inside a libuv
 * loop.
 *
 * libmicrohttpd keeps leftovers (edge-triggered sockets that are still readable, connections to be
 * resumed) that its epoll descriptor does not signal. So after every MHD_run its timeout is asked
 * for and armed, and whoever resumes a connection calls server_loop_wake.
 */
#ifndef SERVER_SERVER_LOOP_H
#define SERVER_SERVER_LOOP_H

#include <microhttpd.h>
#include <uv.h>

struct server_loop {
    struct MHD_Daemon *daemon;
    uv_poll_t poll;
    uv_timer_t timer;
    uv_idle_t soon;
    unsigned n_open; /* handles */
};

/* Attaches a daemon that was started without a thread of its own. BASE_ERR_IO. */
int server_loop_attach(struct server_loop *loop, uv_loop_t *uv, struct MHD_Daemon *daemon);

/* Runs the daemon on the loop's next turn; cheap, may be called any number of times. */
void server_loop_wake(struct server_loop *loop);

/* Runs the daemon now. Not to be called from inside its handlers. */
void server_loop_run(struct server_loop *loop);

/* Closes the handles; `loop` must live until the uv loop has run out of them. */
void server_loop_detach(struct server_loop *loop);

#endif
