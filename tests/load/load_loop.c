/*
 * load_loop.c - see load_loop.h.
 */
#include "tests/load/load_loop.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/base_assert.h"
#include "core/base/base_clock.h"

enum { EVENTS = 256, PIECE_BYTES = 65536, TICK_MS = 10 };

#define TICK_NS UINT64_C(10000000)

void load_loop_init(struct load_loop *loop, const char *host, const char *port,
                    const struct load_calls *calls, void *arg)
{
    *loop = (struct load_loop){.calls = calls, .arg = arg};
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->address.sin_family = AF_INET;
    loop->address.sin_port = htons((uint16_t)strtoul(port, NULL, 10));
    BASE_ASSERT(loop->epoll >= 0 && inet_pton(AF_INET, host, &loop->address.sin_addr) == 1);
}

/* ---- one connection ------------------------------------------------------------------- */

static void watch(struct load_conn *conn, int operation)
{
    struct epoll_event event = {.data.ptr = conn};

    event.events = conn->connecting ? EPOLLOUT : conn->deaf ? EPOLLRDHUP : EPOLLIN | EPOLLRDHUP;
    epoll_ctl(conn->loop->epoll, operation, conn->fd, &event);
}

void load_connect(struct load_loop *loop, struct load_conn *conn)
{
    int on = 1;

    conn->loop = loop;
    conn->connecting = true;
    conn->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    BASE_ASSERT(conn->fd >= 0);
    setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    connect(conn->fd, (const struct sockaddr *)&loop->address, sizeof(loop->address));
    watch(conn, EPOLL_CTL_ADD); /* it tells of failures, too */
}

bool load_send(struct load_conn *conn, const char *bytes, size_t n)
{
    return send(conn->fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n;
}

void load_listen(struct load_conn *conn)
{
    conn->deaf = false;
    watch(conn, EPOLL_CTL_MOD);
}

void load_close(struct load_conn *conn)
{
    if (conn->fd >= 0)
        close(conn->fd);
    conn->fd = -1;
}

void load_reset(struct load_conn *conn)
{
    const struct linger now = {1, 0};

    setsockopt(conn->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    load_close(conn);
}

static void end(struct load_conn *conn, int error)
{
    load_close(conn);
    conn->loop->calls->closed(conn, error);
}

static void finish_connecting(struct load_conn *conn)
{
    int error = 0;
    socklen_t length = sizeof(error);

    getsockopt(conn->fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error) {
        end(conn, error);
        return;
    }
    conn->connecting = false;
    conn->loop->calls->ready(conn);
    if (conn->fd >= 0)
        watch(conn, EPOLL_CTL_MOD);
}

static void receive(struct load_conn *conn)
{
    static char piece[PIECE_BYTES];
    ssize_t n = recv(conn->fd, piece, sizeof(piece), 0);

    if (n > 0)
        conn->loop->calls->data(conn, piece, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        end(conn, n == 0 ? 0 : errno);
}

static void take(struct load_conn *conn, uint32_t events)
{
    if (conn->fd < 0)
        return;
    if (conn->connecting)
        finish_connecting(conn);
    else if (conn->deaf)
        end(conn, events & EPOLLERR ? ECONNRESET : 0);
    else
        receive(conn);
}

/* ---- all of them ---------------------------------------------------------------------- */

void load_loop_run(struct load_loop *loop, uint64_t end_ns)
{
    struct epoll_event event[EVENTS];
    uint64_t now_ns = base_clock_ns(), tick_ns = now_ns;

    while (!loop->stop && now_ns < end_ns) {
        int n = epoll_wait(loop->epoll, event, EVENTS, TICK_MS);

        for (int i = 0; i < n && !loop->stop; i++)
            take(event[i].data.ptr, event[i].events);
        now_ns = base_clock_ns();
        if (loop->calls->tick && now_ns >= tick_ns) {
            loop->calls->tick(loop->arg, now_ns);
            tick_ns = now_ns + TICK_NS;
        }
    }
}
