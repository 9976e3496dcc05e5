/*
 * load_requests.c - requests over connections that are kept: each sends its next request when it
 * has the whole reply to the last one.
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

enum { STATUS_CLASSES = 6 };

struct requests {
    struct load_loop loop;
    const char *path, *body; /* body NULL: GET */
    uint64_t next, most;     /* numbers of requests; most 0: no limit */
    size_t n_waiting;        /* connections with a reply to come */
    uint64_t n_status[STATUS_CLASSES], n_broken, n_failed, n_connects, bytes;
    struct load_times times;
    struct base_buf text;
    FILE *ids;
};

struct requester {
    struct load_conn conn;
    struct load_parser parser;
    bool waiting;
};

static struct requests *requests_of(struct load_conn *conn)
{
    return conn->loop->arg;
}

/* ---- sending -------------------------------------------------------------------------- */

static void print_body(struct base_buf *out, const char *body, uint64_t number)
{
    const char *mark = strchr(body, '%');

    base_buf_append(out, body, mark ? (size_t)(mark - body) : strlen(body));
    if (mark)
        base_buf_printf(out, "%llu%s", (unsigned long long)number, mark + 1);
}

static void print_request(struct requests *requests)
{
    struct base_buf body = {0};

    base_buf_clear(&requests->text);
    if (requests->body)
        print_body(&body, requests->body, requests->next);
    base_buf_printf(&requests->text, "%s %s HTTP/1.1\r\nHost: localhost\r\n",
                    requests->body ? "POST" : "GET", requests->path);
    if (requests->body)
        base_buf_printf(&requests->text,
                        "Content-Type: application/json\r\nContent-Length: %zu\r\n", body.length);
    base_buf_printf(&requests->text, "\r\n%s", base_buf_str(&body));
    base_buf_deinit(&body);
    BASE_ASSERT(!requests->text.error);
}

static void send_next(struct load_conn *conn)
{
    struct requester *requester = (struct requester *)conn;
    struct requests *requests = requests_of(conn);

    if (requests->most && requests->next >= requests->most) {
        requests->loop.stop = !requests->n_waiting;
        return;
    }
    /* The text of a GET is always the same. */
    if (requests->body || !requests->text.length)
        print_request(requests);
    requests->next++;
    requests->n_waiting++;
    requester->waiting = true;
    load_parser_begin(&requester->parser);
    conn->began_ns = base_clock_ns();
    if (!load_send(conn, requests->text.data, requests->text.length))
        requests->n_failed++;
}

/* ---- receiving ------------------------------------------------------------------------ */

static void note_id(struct requests *requests, const struct load_parser *parser)
{
    const char *slash = strrchr(parser->location, '/');

    if (requests->ids && parser->status == 202 && slash)
        fprintf(requests->ids, "%s\n", slash + 1);
}

static void take_reply(struct load_conn *conn)
{
    struct requester *requester = (struct requester *)conn;
    struct requests *requests = requests_of(conn);
    unsigned class = requester->parser.status / 100;

    load_times_add(&requests->times, base_clock_ns() - conn->began_ns);
    requests->n_status[class < STATUS_CLASSES ? class : 0]++;
    requests->n_waiting--;
    requester->waiting = false;
    note_id(requests, &requester->parser);
    if (!requester->parser.closes) {
        send_next(conn);
        return;
    }
    load_close(conn);
    requests->n_connects++;
    load_connect(conn->loop, conn);
}

static void on_data(struct load_conn *conn, const char *bytes, size_t n)
{
    struct requester *requester = (struct requester *)conn;
    struct requests *requests = requests_of(conn);
    size_t taken = load_parser_take(&requester->parser, bytes, n, NULL, NULL);

    requests->bytes += n;
    if (requester->parser.state == LOAD_PARSE_BROKEN || taken != n)
        requests->n_broken++;
    if (requester->parser.state == LOAD_PARSE_DONE)
        take_reply(conn);
}

static void on_closed(struct load_conn *conn, int error)
{
    struct requester *requester = (struct requester *)conn;
    struct requests *requests = requests_of(conn);

    (void)error;
    if (requester->waiting) { /* between requests the daemon may close when it likes */
        requests->n_failed++;
        requests->n_waiting--;
        requester->waiting = false;
    }
    requests->n_connects++;
    load_connect(conn->loop, conn);
}

/* ---- the modes ------------------------------------------------------------------------ */

static void print_report(struct requests *requests, double seconds)
{
    uint64_t n = requests->times.n;

    printf("{\"sent\": %llu, \"replies\": %llu, \"seconds\": %.3f, \"per_second\": %.1f, ",
           (unsigned long long)requests->next, (unsigned long long)n, seconds, (double)n / seconds);
    for (unsigned class = 0; class < STATUS_CLASSES; class ++)
        if (requests->n_status[class])
            printf("\"status_%uxx\": %llu, ", class, (unsigned long long)requests->n_status[class]);
    printf("\"broken\": %llu, \"failed\": %llu, \"unanswered\": %zu, \"connects\": %llu, "
           "\"bytes\": %llu, ",
           (unsigned long long)requests->n_broken, (unsigned long long)requests->n_failed,
           requests->n_waiting, (unsigned long long)requests->n_connects,
           (unsigned long long)requests->bytes);
    load_times_print(&requests->times, "latency");
    printf("}\n");
}

static int run(struct requests *requests, const struct load_args *args)
{
    static const struct load_calls CALLS = {send_next, on_data, on_closed, NULL};
    struct requester *requesters = calloc(args->n_connections, sizeof(*requesters));
    uint64_t began_ns = base_clock_ns();

    BASE_ASSERT(requesters);
    load_loop_init(&requests->loop, args->host, args->port, &CALLS, requests);
    requests->n_connects = args->n_connections;
    for (size_t i = 0; i < args->n_connections; i++)
        load_connect(&requests->loop, &requesters[i].conn);
    load_loop_run(&requests->loop, began_ns + (uint64_t)(args->seconds * 1e9));
    print_report(requests, base_clock_seconds(base_clock_ns() - began_ns));
    for (size_t i = 0; i < args->n_connections; i++)
        load_close(&requesters[i].conn);
    load_times_deinit(&requests->times);
    base_buf_deinit(&requests->text);
    free(requesters);
    return 0;
}

int load_get(const struct load_args *args)
{
    struct requests requests = {.path = args->more[0]};

    return run(&requests, args);
}

int load_post(const struct load_args *args)
{
    struct requests requests = {.path = "/v1/jobs",
                                .most = strtoull(args->more[0], NULL, 10),
                                .body = args->more[1],
                                .ids = fopen(args->more[2], "we")};
    int status;

    if (!requests.ids) {
        perror(args->more[2]);
        return 1;
    }
    status = run(&requests, args);
    return fclose(requests.ids) ? 1 : status;
}
