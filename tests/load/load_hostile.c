/*
 * load_hostile.c - connections that say little, say it slowly, vanish, or do not read. What was
 * ended is opened again, at a bounded rate, so that the pressure stays.
 *
 * A connection that does not read cannot see its end, which waits behind what was sent before. So
 * the deaf ones listen after a while: they were ended if the replies then stop short.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "core/base/base_assert.h"
#include "core/base/base_clock.h"
#include "tests/load/load_loop.h"
#include "tests/load/load_mode.h"
#include "tests/load/load_parse.h"
#include "tests/load/load_times.h"

#define SECOND_NS UINT64_C(1000000000)

enum { PIPELINE_BYTES = 48 * 1024, RECEIVE_BYTES = 4096, IN_ALL = 20, VANISH_S = 2, DEAF_S = 6 };

/* X(NAME, of IN_ALL connections, text) */
#define KIND_LIST(X)                                                                               \
    X(silent, 5, "")                                                                               \
    X(slow_head, 5, "GET /version HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")                        \
    X(slow_body, 5,                                                                                \
      "POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{")           \
    X(half_open, 2, "POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{") \
    X(vanishing, 2, "GET /version HTTP/1.1\r\nHost: localhost\r\n")                                \
    X(deaf, 1, NULL) /* asks for much, reads nothing */

enum kind {
#define KIND_ENUM(name, share, text) KIND_##name,
    KIND_LIST(KIND_ENUM)
#undef KIND_ENUM
        N_KINDS
};

static const struct {
    const char *name, *text;
    unsigned share;
} KIND[N_KINDS] = {
#define KIND_ROW(name, share, text) {#name, text, share},
    KIND_LIST(KIND_ROW)
#undef KIND_ROW
};

struct attacker {
    struct load_conn conn;
    enum kind kind;
    uint64_t crumb_ns;         /* when the next byte is due */
    struct load_parser parser; /* of a deaf one that listens */
    uint64_t n_replies;
};

struct hostile {
    struct load_loop loop;
    struct attacker *attackers;
    size_t n, next; /* the next one that is looked at for opening */
    double rate, allowance;
    uint64_t last_ns;
    char *pipeline;                     /* owned */
    size_t pipeline_bytes, n_pipelined; /* requests */
    uint64_t n_opened[N_KINDS], n_ended[N_KINDS], n_refused, n_most, n_fed;
    struct load_times lives[N_KINDS];
};

static struct hostile *hostile_of(struct load_conn *conn)
{
    return conn->loop->arg;
}

/* ---- one connection ------------------------------------------------------------------- */

static void on_ready(struct load_conn *conn)
{
    struct attacker *attacker = (struct attacker *)conn;
    struct hostile *hostile = hostile_of(conn);
    const char *text = KIND[attacker->kind].text;
    int small = RECEIVE_BYTES;

    hostile->n_opened[attacker->kind]++;
    conn->began_ns = base_clock_ns();
    attacker->crumb_ns = conn->began_ns + SECOND_NS;
    if (text)
        load_send(conn, text, strlen(text));
    if (attacker->kind == KIND_half_open)
        shutdown(conn->fd, SHUT_WR);
    if (attacker->kind == KIND_deaf) {
        conn->deaf = true;
        attacker->n_replies = 0;
        load_parser_begin(&attacker->parser);
        setsockopt(conn->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
        load_send(conn, hostile->pipeline, hostile->pipeline_bytes);
    }
}

static void on_data(struct load_conn *conn, const char *bytes, size_t n)
{
    struct attacker *attacker = (struct attacker *)conn;

    while (attacker->kind == KIND_deaf && n) {
        size_t taken = load_parser_take(&attacker->parser, bytes, n, NULL, NULL);

        bytes += taken;
        n -= taken;
        if (attacker->parser.state == LOAD_PARSE_BROKEN)
            return;
        if (attacker->parser.state == LOAD_PARSE_DONE) {
            attacker->n_replies++;
            load_parser_begin(&attacker->parser);
        }
    }
}

static void on_closed(struct load_conn *conn, int error)
{
    struct attacker *attacker = (struct attacker *)conn;
    struct hostile *hostile = hostile_of(conn);

    (void)error;
    if (conn->connecting) {
        hostile->n_refused++;
        return;
    }
    hostile->n_fed += attacker->kind == KIND_deaf && attacker->n_replies >= hostile->n_pipelined;
    hostile->n_ended[attacker->kind]++;
    load_times_add(&hostile->lives[attacker->kind], base_clock_ns() - conn->began_ns);
}

/* ---- the course of time --------------------------------------------------------------- */

static void crumble(struct attacker *attacker, uint64_t now_ns)
{
    bool slow = attacker->kind == KIND_slow_head || attacker->kind == KIND_slow_body;

    if (attacker->conn.fd < 0 || attacker->conn.connecting || now_ns < attacker->crumb_ns)
        return;
    attacker->crumb_ns = now_ns + SECOND_NS;
    if (slow)
        load_send(&attacker->conn, "x", 1);
    if (attacker->conn.deaf && now_ns - attacker->conn.began_ns > DEAF_S * SECOND_NS)
        load_listen(&attacker->conn);
    if (attacker->kind == KIND_vanishing &&
        now_ns - attacker->conn.began_ns > VANISH_S * SECOND_NS) {
        hostile_of(&attacker->conn)->n_ended[KIND_vanishing]++;
        load_reset(&attacker->conn);
    }
}

static void open_some(struct hostile *hostile, uint64_t now_ns)
{
    hostile->allowance += base_clock_seconds(now_ns - hostile->last_ns) * hostile->rate;
    hostile->last_ns = now_ns;
    for (size_t i = 0; i < hostile->n && hostile->allowance >= 1; i++) {
        struct attacker *attacker = &hostile->attackers[hostile->next];

        hostile->next = (hostile->next + 1) % hostile->n;
        if (attacker->conn.fd >= 0)
            continue;
        attacker->conn.deaf = false;
        load_connect(&hostile->loop, &attacker->conn);
        hostile->allowance--;
    }
    if (hostile->allowance > hostile->rate)
        hostile->allowance = hostile->rate;
}

static void on_tick(void *arg, uint64_t now_ns)
{
    struct hostile *hostile = arg;
    uint64_t n_open = 0;

    for (size_t i = 0; i < hostile->n; i++) {
        crumble(&hostile->attackers[i], now_ns);
        n_open += hostile->attackers[i].conn.fd >= 0;
    }
    if (n_open > hostile->n_most)
        hostile->n_most = n_open;
    open_some(hostile, now_ns);
}

/* ---- the mode ------------------------------------------------------------------------- */

static void make_pipeline(struct hostile *hostile, const char *path)
{
    size_t bytes = 0;

    hostile->pipeline = calloc(1, PIPELINE_BYTES);
    BASE_ASSERT(hostile->pipeline);
    for (; bytes + strlen(path) + 50 < PIPELINE_BYTES; hostile->n_pipelined++)
        bytes += (size_t)snprintf(hostile->pipeline + bytes, PIPELINE_BYTES - bytes,
                                  "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    hostile->pipeline_bytes = bytes;
}

static enum kind kind_of(size_t i)
{
    unsigned place = (unsigned)(i % IN_ALL), kind = 0;

    for (; place >= KIND[kind].share; kind++)
        place -= KIND[kind].share;
    return kind;
}

static void print_report(struct hostile *hostile, double seconds)
{
    size_t n_open[N_KINDS] = {0};

    for (size_t i = 0; i < hostile->n; i++)
        n_open[hostile->attackers[i].kind] += hostile->attackers[i].conn.fd >= 0;
    printf("{\"connections\": %zu, \"most_at_once\": %llu, \"seconds\": %.3f, \"refused\": %llu, "
           "\"fed\": %llu, "
           "\"kinds\": {",
           hostile->n, (unsigned long long)hostile->n_most, seconds,
           (unsigned long long)hostile->n_refused, (unsigned long long)hostile->n_fed);
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        printf("%s\"%s\": {\"opened\": %llu, \"ended\": %llu, \"open\": %zu, ", kind ? ", " : "",
               KIND[kind].name, (unsigned long long)hostile->n_opened[kind],
               (unsigned long long)hostile->n_ended[kind], n_open[kind]);
        load_times_print(&hostile->lives[kind], "lives");
        printf("}");
    }
    printf("}}\n");
}

int load_hostile(const struct load_args *args)
{
    static const struct load_calls CALLS = {on_ready, on_data, on_closed, on_tick};
    struct hostile hostile = {.n = args->n_connections, .rate = strtod(args->more[0], NULL)};
    uint64_t began_ns = base_clock_ns();

    hostile.attackers = calloc(hostile.n, sizeof(*hostile.attackers));
    BASE_ASSERT(hostile.attackers);
    for (size_t i = 0; i < hostile.n; i++) {
        hostile.attackers[i].kind = kind_of(i);
        hostile.attackers[i].conn.fd = -1;
    }
    make_pipeline(&hostile, args->more[1]);
    hostile.last_ns = began_ns;
    load_loop_init(&hostile.loop, args->host, args->port, &CALLS, &hostile);
    load_loop_run(&hostile.loop, began_ns + (uint64_t)(args->seconds * 1e9));
    print_report(&hostile, base_clock_seconds(base_clock_ns() - began_ns));
    for (size_t i = 0; i < hostile.n; i++)
        load_close(&hostile.attackers[i].conn);
    for (unsigned kind = 0; kind < N_KINDS; kind++)
        load_times_deinit(&hostile.lives[kind]);
    free(hostile.pipeline);
    free(hostile.attackers);
    return 0;
}
