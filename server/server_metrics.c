/*
 * server_metrics.c - see server_metrics.h.
 */
#include "server/server_metrics.h"

#include <string.h>
#include <sys/resource.h>

#include "core/base/base_assert.h"
#include "core/base/base_buf.h"
#include "server/server.h"
#include "server/server_build.h"

static const double BUCKET[SERVER_METRICS_BUCKETS] = {0.001, 0.005, 0.02, 0.1,  0.5,  2,
                                                      10,    60,    300,  1800, 7200, 43200};

/* ---- counting ------------------------------------------------------------------------- */

static void observe(struct server_histogram *histogram, double value)
{
    unsigned at = 0;

    while (at < SERVER_METRICS_BUCKETS && value > BUCKET[at])
        at++;
    histogram->bucket[at]++;
    histogram->sum += value;
}

void server_metrics_count_reply(struct server_metrics *metrics, const struct proto_route *route,
                                unsigned status, double seconds)
{
    metrics->replies[route ? route->id : PROTO_ROUTE_COUNT][status / 100 % 6]++;
    observe(&metrics->reply_seconds, seconds);
}

void server_metrics_count_search(struct server_metrics *metrics, const struct engine_result *result)
{
    observe(&metrics->search_seconds, result->seconds);
    metrics->limits_hit[result->limit_hit]++;
}

void server_metrics_count_end(struct server_metrics *metrics, enum engine_state state)
{
    metrics->jobs_ended[state]++;
}

/* ---- printing ------------------------------------------------------------------------- */

static void head(struct base_buf *out, const char *name, const char *type, const char *help)
{
    base_buf_printf(out, "# HELP cyclosolve_%s %s\n# TYPE cyclosolve_%s %s\n", name, help, name,
                    type);
}

static void number(struct base_buf *out, const char *name, const char *type, const char *help,
                   double value)
{
    head(out, name, type, help);
    base_buf_printf(out, "cyclosolve_%s %.17g\n", name, value);
}

static void labelled(struct base_buf *out, const char *name, const char *label, const char *value,
                     uint64_t n)
{
    base_buf_printf(out, "cyclosolve_%s{%s=\"%s\"} %llu\n", name, label, value,
                    (unsigned long long)n);
}

static void print_histogram(struct base_buf *out, const char *name, const char *help,
                            const struct server_histogram *histogram)
{
    unsigned long long n = 0;

    head(out, name, "histogram", help);
    for (unsigned i = 0; i < SERVER_METRICS_BUCKETS; i++) {
        n += histogram->bucket[i];
        base_buf_printf(out, "cyclosolve_%s_bucket{le=\"%g\"} %llu\n", name, BUCKET[i], n);
    }
    n += histogram->bucket[SERVER_METRICS_BUCKETS];
    base_buf_printf(out, "cyclosolve_%s_bucket{le=\"+Inf\"} %llu\n", name, n);
    base_buf_printf(out, "cyclosolve_%s_sum %.9g\ncyclosolve_%s_count %llu\n", name, histogram->sum,
                    name, n);
}

static void print_build(struct base_buf *out, const struct server *server)
{
    head(out, "build_info", "gauge", "The build; the value is always 1.");
    base_buf_printf(out, "cyclosolve_build_info{version=\"%s\",commit=\"%s\",kernels=\"%s\"} 1\n",
                    server_build_version(), server_build_commit(), engine_kernels(server->engine));
}

static void print_jobs(struct base_buf *out, const struct server *server)
{
    const struct server_metrics *metrics = &server->metrics;
    static const char *const LIMIT[] = {"none", "seconds", "nodes", "memory"};

    head(out, "jobs", "gauge", "Live jobs by state.");
    for (int state = ENGINE_QUEUED; state <= ENGINE_PAUSED; state++)
        labelled(out, "jobs", "state", proto_state_name((enum engine_state)state),
                 server->jobs.n_state[state]);
    head(out, "jobs_ended_total", "counter", "Jobs that ended, by state.");
    for (int state = ENGINE_SUCCEEDED; state <= ENGINE_CANCELLED; state++)
        labelled(out, "jobs_ended_total", "state", proto_state_name((enum engine_state)state),
                 metrics->jobs_ended[state]);
    head(out, "searches_total", "counter", "Searches of the engine, by the limit that ended them.");
    for (unsigned limit = 0; limit < BASE_COUNT(LIMIT); limit++)
        labelled(out, "searches_total", "limit", LIMIT[limit], metrics->limits_hit[limit]);
    number(out, "jobs_accepted_total", "counter", "Jobs that were queued.",
           (double)metrics->jobs_accepted);
    number(out, "jobs_answered_total", "counter", "Jobs answered from the results store.",
           (double)metrics->jobs_answered);
    number(out, "jobs_refused_total", "counter",
           "Submissions refused because the queue was full, or the principal's share of it.",
           (double)metrics->jobs_refused);
    print_histogram(out, "search_seconds", "Running time of searches.", &metrics->search_seconds);
}

static void print_engine(struct base_buf *out, struct server *server)
{
    struct engine_stats stats;

    engine_stats_get(server->engine, &stats);
    number(out, "threads", "gauge", "Search threads.", stats.threads);
    number(out, "threads_busy", "gauge", "Search threads at work.", stats.busy_threads);
    number(out, "nodes_total", "counter", "Nodes visited.", (double)stats.nodes);
    number(out, "tables", "gauge", "Resident pruning tables.", (double)stats.table_count);
    number(out, "table_bytes", "gauge", "Bytes of resident pruning tables.",
           (double)stats.table_bytes);
    number(out, "table_memory_bytes", "gauge", "Bytes that pruning tables may take.",
           (double)stats.memory_bytes);
    number(out, "tables_filled_total", "counter", "Tables filled by this process.",
           (double)stats.tables_filled);
    number(out, "tables_attached_total", "counter", "Tables found and attached.",
           (double)stats.tables_attached);
    number(out, "table_fill_seconds_total", "counter", "Time spent filling tables.",
           stats.table_fill_seconds);
}

static void print_store(struct base_buf *out, const struct server *server)
{
    number(out, "store_bytes", "gauge", "Bytes of jobs, answers and events, as of the last look.",
           (double)server->retention.store_bytes);
    number(out, "jobs_expired_total", "counter",
           "Ended jobs and batches that were removed to make room, or because of their age.",
           (double)server->retention.n_removed);
}

static void print_replies(struct base_buf *out, const struct server_metrics *metrics)
{
    head(out, "http_replies_total", "counter", "Replies by route and class of status.");
    for (int route = 0; route <= PROTO_ROUTE_COUNT; route++) {
        const char *name =
            route == PROTO_ROUTE_COUNT ? "none" : proto_route_at((enum proto_route_id)route)->name;

        for (unsigned class = 1; class < 6; class ++)
            if (metrics->replies[route][class])
                base_buf_printf(out,
                                "cyclosolve_http_replies_total{route=\"%s\",status=\"%uxx\"} "
                                "%llu\n",
                                name, class, (unsigned long long)metrics->replies[route][class]);
    }
    print_histogram(out, "http_reply_seconds", "From the head of a request to its reply.",
                    &metrics->reply_seconds);
}

static void print_http(struct base_buf *out, const struct server *server)
{
    number(out, "http_connections", "gauge", "Open connections.", (double)server->http.conns.n);
    number(out, "http_expired_total", "counter", "Connections ended by a deadline.",
           (double)server->http.conns.n_expired);
    number(out, "http_displaced_total", "counter",
           "Connections that owed bytes and made room for newer ones.",
           (double)server->http.conns.n_displaced);
    head(out, "http_refused_total", "counter", "Requests refused, by reason.");
    labelled(out, "http_refused_total", "reason", "rate", server->metrics.requests_refused);
    labelled(out, "http_refused_total", "reason", "credentials", server->metrics.requests_denied);
    number(out, "principals", "gauge", "Tokens and addresses that are remembered.",
           (double)server->auth.principals.n);
    number(out, "sse_clients", "gauge", "Open event streams.", (double)server->hub.n_readers);
    head(out, "events_total", "counter", "Events of jobs, by kind.");
    for (int event = 0; event < PROTO_EVENT_COUNT; event++)
        if (server->metrics.events[event])
            labelled(out, "events_total", "event", proto_event_name((enum proto_event)event),
                     server->metrics.events[event]);
    number(out, "events_lost_total", "counter", "Events that could not be kept.",
           (double)server->metrics.events_lost);
}

static void print_checkpoints(struct base_buf *out, const struct server_metrics *metrics)
{
    number(out, "checkpoints_total", "counter", "Checkpoints of searches that were stored.",
           (double)metrics->checkpoints);
    number(out, "checkpoint_bytes_total", "counter", "Their bytes.",
           (double)metrics->checkpoint_bytes);
    number(out, "checkpoints_failed_total", "counter", "Checkpoints that could not be stored.",
           (double)metrics->checkpoints_failed);
}

static void print_process(struct base_buf *out, const struct server *server)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    number(out, "process_cpu_seconds_total", "counter", "User and system time.",
           (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec));
    number(out, "process_peak_resident_bytes", "gauge", "Largest resident set so far.",
           1024.0 * (double)usage.ru_maxrss);
    number(out, "store_backlog", "gauge", "Writes on the way to the job store.",
           (double)server_store_backlog(server->store));
    number(out, "expect_failures_total", "counter", "Things that cannot happen, and did.",
           (double)base_expect_failures());
}

char *server_metrics_print(struct server *server)
{
    struct base_buf out = {0};

    print_build(&out, server);
    print_jobs(&out, server);
    print_engine(&out, server);
    print_store(&out, server);
    print_replies(&out, &server->metrics);
    print_http(&out, server);
    print_checkpoints(&out, &server->metrics);
    print_process(&out, server);
    return base_buf_take(&out, NULL);
}
