/*
 * load_loop.h - many connections to one address on one thread.
 *
 *     new --load_connect--> connecting --ready()--> open --data()*--> closed()
 *
 * What a connection sends is short and is taken by the kernel at once, or the connection has
 * failed: nothing is queued. closed() may connect again; close it oneself with load_close, which
 * calls nothing.
 */
#ifndef TESTS_LOAD_LOAD_LOOP_H
#define TESTS_LOAD_LOAD_LOOP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct load_loop;

struct load_conn {
    struct load_loop *loop;
    int fd;                /* -1: none */
    bool connecting, deaf; /* deaf: what comes in is left to the kernel */
    uint64_t began_ns;     /* of whatever is being timed */
};

struct load_calls {
    void (*ready)(struct load_conn *conn);
    void (*data)(struct load_conn *conn, const char *bytes, size_t n);
    void (*closed)(struct load_conn *conn, int error); /* 0: in order, or errno */
    void (*tick)(void *arg, uint64_t now_ns);          /* about every 10 ms; may be NULL */
};

struct load_loop {
    int epoll;
    struct sockaddr_in address;
    const struct load_calls *calls;
    void *arg;
    bool stop;
};

void load_loop_init(struct load_loop *loop, const char *host, const char *port,
                    const struct load_calls *calls, void *arg);

/* Until `stop`, or the end (of base_clock_ns). */
void load_loop_run(struct load_loop *loop, uint64_t end_ns);

void load_connect(struct load_loop *loop, struct load_conn *conn);

/* False: not everything could be sent. */
bool load_send(struct load_conn *conn, const char *bytes, size_t n);
void load_close(struct load_conn *conn);

/* Ends deafness. */
void load_listen(struct load_conn *conn);

/* Ends the connection with RST. */
void load_reset(struct load_conn *conn);

#endif
