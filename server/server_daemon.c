/*
 * server_daemon.c - see server_daemon.h.
 */
#include "server/server_daemon.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "server/server.h"
#include "server/server_build.h"
#include "server/server_host.h"
#include "server/server_log.h"
#include "server/server_store_backend.h"

enum {
    DRAIN_STEP_MS = 20,
    DRAIN_CLIENTS_MS = 2000, /* how long clients may take to read their last replies */
    DRAIN_LIMIT_MS = 8000    /* and the rest, before the process ends regardless */
};

struct daemon {
    struct server server;
    struct server_log log;
    uv_async_t store_ready, engine_ready;
    uv_signal_t terminate, interrupt, hangup;
    uv_timer_t drain;
    uint64_t drain_ms; /* when it began */
    int lock;
    int argc; /* of the command line, borrowed */
    char *const *argv;
    struct config again; /* that was read last at a hangup; all zero: none was */
};

/* ---- news from other threads ---------------------------------------------------------- */

static void wake_loop(void *arg)
{
    uv_async_send(arg);
}

/* Writes that were delivered make room for events of the engine that had to wait. */
static void on_store_ready(uv_async_t *async)
{
    struct daemon *daemon = async->data;

    server_store_poll(daemon->server.store);
    server_batches_refresh(&daemon->server);
    server_scheduler_take_events(&daemon->server);
}

static void on_engine_ready(uv_async_t *async)
{
    struct daemon *daemon = async->data;

    server_scheduler_take_events(&daemon->server);
}

/* ---- going down ----------------------------------------------------------------------- */

static bool is_settled(const struct server *server)
{
    return server_scheduler_is_idle(server) && server_tables_is_idle(server) &&
           !server_store_backlog(server->store) && !server->submissions.n_pending;
}

/* A suspended connection cannot be closed in order; then the end is abrupt, and what was running is
 * found in the store by the next process. */
static void on_drain(uv_timer_t *timer)
{
    struct daemon *daemon = timer->data;
    uint64_t elapsed_ms = server_now_ms(&daemon->server) - daemon->drain_ms;

    if (elapsed_ms > DRAIN_LIMIT_MS) {
        base_logf(&daemon->server.log, BASE_LOG_WARNING, "drain: not done in time; going down");
        server_host_publish(daemon->lock, "");
        _exit(0);
    }
    server_waits_flush(&daemon->server); /* of requests that came since */
    server_batches_expire(&daemon->server, true);
    if (is_settled(&daemon->server) &&
        (!daemon->server.http.n_requests || elapsed_ms > DRAIN_CLIENTS_MS))
        uv_stop(&daemon->server.uv);
}

static void drain_streams(struct server *server)
{
    struct server_frame *farewell = server_frame_new(PROTO_EVENT_DRAINING, 0, PROTO_EVENT_EMPTY);

    if (!farewell)
        return;
    SERVER_LIST_EACH(node, &server->jobs.live)
        server_channel_drain(SERVER_LIST_OF(node, struct server_job, in_live)->channel, farewell);
    server_batches_drain(server, farewell);
    server_channel_drain(server->news.channel, farewell);
    server_frame_release(farewell);
}

static void on_terminate(uv_signal_t *signal, int number)
{
    struct daemon *daemon = signal->data;
    struct server *server = &daemon->server;

    if (server->draining) {
        base_logf(&server->log, BASE_LOG_WARNING, "second signal %d: going down at once", number);
        _exit(1);
    }
    base_logf(&server->log, BASE_LOG_INFO, "signal %d: draining", number);
    server->draining = true;
    server_http_drain(&server->http);
    server_waits_flush(server);
    server_batches_expire(server, true);
    drain_streams(server);
    server_scheduler_drain(server);
    server_tables_drain(server);
    daemon->drain_ms = server_now_ms(server);
    uv_timer_start(&daemon->drain, on_drain, 0, DRAIN_STEP_MS);
}

/* ---- reading again -------------------------------------------------------------------- */

/* Logs text line by line. */
static void log_lines(const struct server *server, enum base_log_level level,
                      const struct base_buf *text)
{
    for (const char *line = base_buf_str(text); *line;) {
        size_t length = strcspn(line, "\n");

        base_logf(&server->log, level, "hangup: %.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* The first configuration stays where it is: the parts have taken texts from it. */
static void take_config(struct daemon *daemon, const struct config *fresh)
{
    struct server *server = &daemon->server;

    config_deinit(&daemon->again);
    daemon->again = *fresh;
    server->config = &daemon->again;
    daemon->log.level = server->config->log_level;
    server_conns_tune(&server->http.conns, server->config);
    server_scheduler_kick(server);
}

static void reload_config(struct daemon *daemon)
{
    struct server *server = &daemon->server;
    struct base_buf text = {0};
    struct config fresh;
    bool is_good = !config_load(&fresh, daemon->argc, daemon->argv, environ, &text) &&
                   !config_take_live(&fresh, server->config, &text);

    if (is_good) {
        take_config(daemon, &fresh);
    } else {
        config_deinit(&fresh);
        base_logf(&server->log, BASE_LOG_ERROR, "hangup: the configuration stays as it was");
    }
    log_lines(server, is_good ? BASE_LOG_INFO : BASE_LOG_ERROR, &text);
    base_buf_deinit(&text);
}

static void on_hangup(uv_signal_t *signal, int number)
{
    struct daemon *daemon = signal->data;

    (void)number;
    base_logf(&daemon->server.log, BASE_LOG_INFO, "hangup: reading the configuration again");
    reload_config(daemon);
    server_auth_reload(&daemon->server);
}

/* ---- parts ---------------------------------------------------------------------------- */

static void open_handles(struct daemon *daemon)
{
    uv_loop_t *uv = &daemon->server.uv;

    uv_async_init(uv, &daemon->store_ready, on_store_ready);
    uv_async_init(uv, &daemon->engine_ready, on_engine_ready);
    uv_signal_init(uv, &daemon->terminate);
    uv_signal_init(uv, &daemon->interrupt);
    uv_signal_init(uv, &daemon->hangup);
    uv_timer_init(uv, &daemon->drain);
    daemon->store_ready.data = daemon->engine_ready.data = daemon;
    daemon->terminate.data = daemon->interrupt.data = daemon->hangup.data = daemon;
    daemon->drain.data = daemon;
    uv_signal_start(&daemon->terminate, on_terminate, SIGTERM);
    uv_signal_start(&daemon->interrupt, on_terminate, SIGINT);
    uv_signal_start(&daemon->hangup, on_hangup, SIGHUP);
    server_waits_open(&daemon->server);
    server_scheduler_open(&daemon->server);
}

static void close_handle(uv_handle_t *handle, void *arg)
{
    (void)arg;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static int open_store(struct daemon *daemon, struct base_diag *diag)
{
    const struct server_store_backend *backend;
    char path[4096];
    void *self;
    int status;

    if (snprintf(path, sizeof(path), "%s/jobs.db", daemon->server.config->state_dir) >=
        (int)sizeof(path))
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "state-dir is too long");
    status = server_store_sqlite_open(path, &daemon->server.log, &backend, &self, diag);
    if (status)
        return status;
    status =
        server_store_new(backend, self, wake_loop, &daemon->store_ready, &daemon->server.store);
    return status ? base_diag_set(diag, 0, status, "the job store cannot be started") : 0;
}

static int open_engine(struct daemon *daemon, struct base_diag *diag)
{
    const struct config *config = daemon->server.config;
    struct engine_config settings = {
        .threads = config->threads,
        .pin_threads = config->pin_threads == CONFIG_YES,
        .memory_bytes = config->memory_bytes,
        .table_dir = config->table_dir,
        .kernels = config->kernels_off,
        .fill_factor = config->fill_factor,
        .solution_bytes = config->solution_bytes,
        .log = daemon->server.log,
        .notify = wake_loop,
        .notify_arg = &daemon->engine_ready,
    };

    return engine_open(&settings, &daemon->server.engine, diag);
}

static int open_service(struct daemon *daemon, struct base_diag *diag)
{
    struct server *server = &daemon->server;
    int status = server_http_open(&server->http, server, diag);

    if (status)
        return status;
    status = server_scheduler_recover(server);
    if (status)
        return base_diag_set(diag, 0, status, "the jobs of the store cannot be read: %s",
                             base_err_text(status));
    server_host_publish(daemon->lock, server_http_url(&server->http));
    if (server->config->address_file)
        return server_listen_announce(server->config->address_file, server_http_url(&server->http),
                                      diag);
    return 0;
}

/* Whoever waits for the address file must not find the one of a former process. */
static void forget_address(const struct config *config)
{
    if (config->address_file)
        unlink(config->address_file);
}

static int open_all(struct daemon *daemon, struct base_diag *diag)
{
    struct server *server = &daemon->server;
    int status = server_host_prepare(server->config, &server->log, diag);

    if (!status)
        status = server_auth_open(server, diag);
    if (status)
        return status;
    daemon->lock = server_host_lock(server->config->state_dir, diag);
    if (daemon->lock < 0)
        return daemon->lock;
    forget_address(server->config);
    status = open_store(daemon, diag);
    if (!status && server_news_open(server))
        status = base_diag_set(diag, 0, BASE_ERR_NOMEM, "out of memory");
    if (!status)
        status = open_engine(daemon, diag);
    return status ? status : open_service(daemon, diag);
}

/* In the order of dependence: clients first, then those who write, then the store. */
static void close_all(struct daemon *daemon)
{
    struct server *server = &daemon->server;

    server->draining = true; /* what the store still delivers starts nothing */
    server_http_close(&server->http);
    server_scheduler_close(server);
    server_tables_close(server);
    if (server->engine)
        engine_close(server->engine);
    server_store_free(server->store);
    uv_walk(&server->uv, close_handle, NULL);
    uv_run(&server->uv, UV_RUN_DEFAULT);
    server_jobs_deinit(&server->jobs);
    server_puzzles_deinit(&server->puzzles);
    server_news_close(server);
    server_auth_close(server);
    server_http_free(&server->http);
    free(server->openapi);
    uv_loop_close(&server->uv);
    if (daemon->lock >= 0) {
        forget_address(server->config);
        server_host_publish(daemon->lock, "");
        close(daemon->lock);
    }
}

static void announce(const struct server *server)
{
    base_logf(&server->log, BASE_LOG_INFO, "cyclosolved %s (%s) is ready; kernels: %s",
              server_build_version(), server_build_commit(), engine_kernels(server->engine));
    for (size_t i = 0; i < server->http.n_listeners; i++)
        base_logf(&server->log, BASE_LOG_INFO, "listening on %s",
                  server->http.listeners[i].socket.url);
    if (!server->auth.required && server->config->allow_anonymous == CONFIG_YES)
        base_logf(&server->log, BASE_LOG_WARNING,
                  "allow-anonymous: whoever can connect may do everything");
}

static void init(struct daemon *daemon, const struct config *config)
{
    struct server *server = &daemon->server;

    daemon->lock = -1;
    daemon->log = (struct server_log){config->log_level, config->log_format, STDERR_FILENO};
    server->config = config;
    server->log = server_log_sink(&daemon->log);
    server_hub_init(&server->hub);
    server_jobs_init(&server->jobs);
    server_batches_init(&server->batches);
    server_submissions_init(&server->submissions);
    server_tables_init(&server->tables);
}

int server_daemon_run(const struct config *config, int argc, char *const *argv)
{
    struct daemon *daemon = calloc(1, sizeof(*daemon));
    struct base_diag diag = {0};
    int status;

    if (!daemon)
        return EXIT_FAILURE;
    init(daemon, config);
    daemon->argc = argc;
    daemon->argv = argv;
    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&daemon->server.uv);
    open_handles(daemon);
    status = open_all(daemon, &diag);
    if (status) {
        base_logf(&daemon->server.log, BASE_LOG_ERROR, "%s", diag.text);
    } else {
        announce(&daemon->server);
        uv_run(&daemon->server.uv, UV_RUN_DEFAULT);
        base_logf(&daemon->server.log, BASE_LOG_INFO, "down");
    }
    close_all(daemon);
    config_deinit(&daemon->again);
    free(daemon);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
