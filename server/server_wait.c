/*
 * server_wait.c - see server_wait.h.
 */
#include "server/server_wait.h"

#include <stdlib.h>

#include "server/server.h"

struct wait {
    struct server_node in_job, in_all;
    struct server_request *request;
    struct server_job *job;
    enum server_wait_kind kind;
    uint64_t deadline_ms;
    server_wait_answer *answer;
};

static void end(struct wait *wait)
{
    server_list_remove(&wait->in_job);
    server_list_remove(&wait->in_all);
    wait->answer(wait->request, wait->job);
    free(wait);
}

static void on_deadline(uv_timer_t *timer);

static void arm(struct server *server)
{
    uint64_t now_ms = server_now_ms(server), nearest = UINT64_MAX;

    SERVER_LIST_EACH(node, &server->waits.list) {
        const struct wait *wait = SERVER_LIST_OF(node, struct wait, in_all);

        if (wait->deadline_ms < nearest)
            nearest = wait->deadline_ms;
    }
    if (nearest == UINT64_MAX)
        uv_timer_stop(&server->waits.timer);
    else
        uv_timer_start(&server->waits.timer, on_deadline, nearest > now_ms ? nearest - now_ms : 0,
                       0);
}

static void end_until(struct server *server, uint64_t deadline_ms)
{
    SERVER_LIST_EACH(node, &server->waits.list) {
        struct wait *wait = SERVER_LIST_OF(node, struct wait, in_all);

        if (wait->deadline_ms <= deadline_ms)
            end(wait);
    }
}

static void on_deadline(uv_timer_t *timer)
{
    struct server *server = timer->data;

    end_until(server, server_now_ms(server));
    arm(server);
}

void server_waits_open(struct server *server)
{
    server_list_init(&server->waits.list);
    uv_timer_init(&server->uv, &server->waits.timer);
    server->waits.timer.data = server;
}

void server_waits_close(struct server *server)
{
    uv_close((uv_handle_t *)&server->waits.timer, NULL);
}

void server_wait_start(struct server_request *request, struct server_job *job,
                       enum server_wait_kind kind, uint64_t ms, server_wait_answer *answer)
{
    struct server *server = job->server;
    struct wait *wait = calloc(1, sizeof(*wait));

    if (!wait) {
        answer(request, job);
        return;
    }
    wait->request = request;
    wait->job = job;
    wait->kind = kind;
    wait->deadline_ms = server_now_ms(server) + ms;
    wait->answer = answer;
    server_list_append(&job->waits, &wait->in_job);
    server_list_append(&server->waits.list, &wait->in_all);
    server_request_keep(request);
    arm(server);
}

void server_wait_fire(struct server_job *job, enum server_wait_kind kind)
{
    SERVER_LIST_EACH(node, &job->waits) {
        struct wait *wait = SERVER_LIST_OF(node, struct wait, in_job);

        if (wait->kind == kind || kind == SERVER_WAIT_END)
            end(wait);
    }
}

void server_waits_flush(struct server *server)
{
    end_until(server, UINT64_MAX);
}
