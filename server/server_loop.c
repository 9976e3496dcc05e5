/*
 * server_loop.c - see server_loop.h.
 */
#include "server/server_loop.h"

#include "core/base/base_err.h"

static void on_timer(uv_timer_t *timer)
{
    server_loop_run(timer->data);
}

/* 0 means "again, at once": on the next turn, never by recursion, so that one busy daemon cannot
 * keep the rest of the loop waiting. */
static void arm(struct server_loop *loop)
{
    MHD_UNSIGNED_LONG_LONG milliseconds;

    if (MHD_get_timeout(loop->daemon, &milliseconds) == MHD_NO)
        uv_timer_stop(&loop->timer);
    else if (milliseconds == 0)
        server_loop_wake(loop);
    else
        uv_timer_start(&loop->timer, on_timer, milliseconds, 0);
}

void server_loop_run(struct server_loop *loop)
{
    MHD_run(loop->daemon);
    arm(loop);
}

static void on_soon(uv_idle_t *soon)
{
    uv_idle_stop(soon);
    server_loop_run(soon->data);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    server_loop_run(poll->data);
}

void server_loop_wake(struct server_loop *loop)
{
    uv_idle_start(&loop->soon, on_soon);
}

int server_loop_attach(struct server_loop *loop, uv_loop_t *uv, struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);

    loop->daemon = daemon;
    if (!info || uv_poll_init(uv, &loop->poll, info->epoll_fd))
        return BASE_ERR_IO;
    uv_timer_init(uv, &loop->timer);
    uv_idle_init(uv, &loop->soon);
    loop->poll.data = loop->timer.data = loop->soon.data = loop;
    loop->n_open = 3;
    uv_poll_start(&loop->poll, UV_READABLE, on_readable);
    server_loop_wake(loop);
    return 0;
}

static void on_closed(uv_handle_t *handle)
{
    struct server_loop *loop = handle->data;

    loop->n_open--;
}

void server_loop_detach(struct server_loop *loop)
{
    uv_close((uv_handle_t *)&loop->poll, on_closed);
    uv_close((uv_handle_t *)&loop->timer, on_closed);
    uv_close((uv_handle_t *)&loop->soon, on_closed);
}
