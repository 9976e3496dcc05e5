/*
 * config_table.c - every option of the daemon, one row each.
 *
 * The order is that of --help and of the example file. No option may be called `port` or
 * `service-...`: Kubernetes sets CYCLOSOLVE_PORT and CYCLOSOLVE_SERVICE_* for a service named
 * "cyclosolve".
 */
#include <assert.h>
#include <string.h>

#include "config/config_int.h"

#define FIELD(name) .offset = offsetof(struct config, name)
#define KIB (UINT64_C(1) << 10)
#define GIB (UINT64_C(1) << 30)
#define PIB (UINT64_C(1) << 50)

static const char *const log_levels[] = {
    [BASE_LOG_DEBUG] = "debug",
    [BASE_LOG_INFO] = "info",
    [BASE_LOG_WARNING] = "warning",
    [BASE_LOG_ERROR] = "error",
    NULL,
};

static const char *const log_formats[] = {
    [CONFIG_LOG_TEXT] = "text",
    [CONFIG_LOG_JSON] = "json",
    NULL,
};

static const char *const answers[] = {
    [CONFIG_NO] = "no",
    [CONFIG_YES] = "yes",
    NULL,
};

static bool is_host(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]") ==
           strlen(text);
}

/* An origin as browsers send it: a scheme, a host, perhaps a port, and no slash after it. */
static bool is_origin(const char *text)
{
    const char *host = strstr(text, "://");
    return host && host != text && host[3] != '\0' && is_host(host + 3);
}

static void explain_state_dir(struct base_buf *out)
{
    base_buf_text(out, "$STATE_DIRECTORY, else $XDG_STATE_HOME/cyclosolve, else "
                       "/var/lib/cyclosolve for root and ~/.local/state/cyclosolve for others");
}

const struct config_option config__options[] = {
    {.name = "listen",
     FIELD(listen),
     .type = CONFIG_TYPE_ADDRESSES,
     .placeholder = "ADDRESS",
     .fallback = "127.0.0.1:8080",
     .help =
         "Where to serve HTTP: HOST:PORT, [IPV6]:PORT or unix:/PATH; port 0 takes any free one. "
         "May be repeated."},
    {.name = "address-file",
     FIELD(address_file),
     .type = CONFIG_TYPE_STRING,
     .optional = true,
     .placeholder = "FILE",
     .help = "Once ready, write the first address here, as http://HOST:PORT; appears by rename."},
    {.name = "state-dir",
     FIELD(state_dir),
     .type = CONFIG_TYPE_STRING,
     .placeholder = "DIR",
     .explain_fallback = explain_state_dir,
     .help = "Jobs, results and uploads; made if missing. Must be on a local disk."},
    {.name = "table-dir",
     FIELD(table_dir),
     .type = CONFIG_TYPE_STRING,
     .placeholder = "DIR",
     .fallback = "/dev/shm/cyclosolve",
     .help = "Pruning tables; made if missing. Should be in memory: they are attached again after "
             "a restart."},
    {.name = "threads",
     FIELD(threads),
     .type = CONFIG_TYPE_UNSIGNED,
     .max = 1024,
     .placeholder = "N",
     .fallback = "0",
     .help = "Search threads; 0: one per processor that the process may use."},
    {.name = "pin-threads",
     FIELD(pin_threads),
     .type = CONFIG_TYPE_ENUM,
     .names = answers,
     .placeholder = "ANSWER",
     .fallback = "no",
     .help = "yes: tie each search thread to a processor of its own. For hosts that do nothing "
             "else; beside other work it does harm."},
    {.name = "memory-mib",
     FIELD(memory_bytes),
     .type = CONFIG_TYPE_MIB,
     .min = 4 * KIB,
     .max = PIB,
     .placeholder = "M",
     .fallback = "0",
     .help = "Memory for all pruning tables together, in MiB, fractions allowed; 0: three quarters "
             "of what the host or the container allows."},
    {.name = "solution-mib",
     FIELD(solution_bytes),
     .type = CONFIG_TYPE_MIB,
     .min = UINT64_C(64) * KIB,
     .max = PIB,
     .placeholder = "M",
     .fallback = "256",
     .help = "Memory for all the words that one job finds, about 27 bytes each, in MiB, fractions "
             "allowed; a job that finds more ends with `limit_hit` memory. 0: the same as 256."},
    {.name = "fill-factor",
     FIELD(fill_factor),
     .type = CONFIG_TYPE_FACTOR,
     .min = 1,
     .max = UINT64_C(1000000000000),
     .placeholder = "X",
     .fallback = "1",
     .help =
         "How reluctant a job is to fill a large table: it is filled once the search of a depth "
         "has cost X times the nodes that the plan finds it worth. 0.001: at once; 1000000000: "
         "never."},
    {.name = "max-queued-jobs",
     .live = true,
     FIELD(max_queued_jobs),
     .type = CONFIG_TYPE_UNSIGNED,
     .min = 1,
     .max = 10000000,
     .placeholder = "N",
     .fallback = "10000",
     .help = "Jobs that may wait; a submission beyond that is answered 503."},
    {.name = "max-batch-jobs",
     .live = true,
     FIELD(max_batch_jobs),
     .type = CONFIG_TYPE_UNSIGNED,
     .min = 1,
     .max = 100000,
     .placeholder = "N",
     .fallback = "1000",
     .help = "Jobs in one batch; a longer list is answered 422. No more than may wait."},
    {.name = "max-running-jobs",
     .live = true,
     FIELD(max_running_jobs),
     .type = CONFIG_TYPE_UNSIGNED,
     .min = 1,
     .max = 1024,
     .placeholder = "N",
     .fallback = "8",
     .help =
         "Jobs that run at once; they share the search threads fairly, so that a short one does "
         "not wait for a long one."},
    {.name = "checkpoint-seconds",
     FIELD(checkpoint_seconds),
     .type = CONFIG_TYPE_UNSIGNED,
     .max = 86400,
     .placeholder = "N",
     .fallback = "20",
     .help =
         "How often the state of a running search is written down, which is what a restart costs "
         "it at most; 0: never, so that it begins from its start."},
    {.name = "keep-days",
     .live = true,
     FIELD(keep_days),
     .type = CONFIG_TYPE_UNSIGNED,
     .max = 36500,
     .placeholder = "N",
     .fallback = "0",
     .help = "How long jobs and batches are kept after their end, with their answers; 0: as long "
             "as there is room."},
    {.name = "store-mib",
     .live = true,
     FIELD(store_bytes),
     .type = CONFIG_TYPE_MIB,
     .min = UINT64_C(256) * KIB,
     .max = PIB,
     .placeholder = "M",
     .fallback = "4096",
     .help = "Room for jobs, answers and events in the state-dir, in MiB; when they need more, "
             "those go that ended longest ago, but for the last minute's. 0: no bound."},
    {.name = "max-connections",
     FIELD(max_connections),
     .type = CONFIG_TYPE_UNSIGNED,
     .min = 8,
     .max = 1000000,
     .placeholder = "N",
     .fallback = "1200",
     .help = "HTTP connections at once, event streams included."},
    {.name = "max-body-bytes",
     .live = true,
     FIELD(max_body_bytes),
     .type = CONFIG_TYPE_SIZE,
     .min = KIB,
     .max = GIB,
     .placeholder = "SIZE",
     .fallback = "1MiB",
     .help = "Largest request body; a larger one is answered 413."},
    {.name = "header-seconds",
     .live = true,
     FIELD(header_seconds),
     .type = CONFIG_TYPE_UNSIGNED,
     .min = 1,
     .max = 3600,
     .placeholder = "N",
     .fallback = "10",
     .help = "How long a new connection may take to send the head of its first request, however "
             "steadily its bytes come."},
    {.name = "body-seconds",
     .live = true,
     FIELD(body_seconds),
     .type = CONFIG_TYPE_UNSIGNED,
     .min = 1,
     .max = 3600,
     .placeholder = "N",
     .fallback = "30",
     .help = "How long the body of a request may take."},
    {.name = "reply-seconds",
     .live = true,
     FIELD(reply_seconds),
     .type = CONFIG_TYPE_UNSIGNED,
     .min = 1,
     .max = 3600,
     .placeholder = "N",
     .fallback = "120",
     .help = "How long a client may take to read a reply that is no event stream."},
    {.name = "idle-seconds",
     .live = true,
     FIELD(idle_seconds),
     .type = CONFIG_TYPE_UNSIGNED,
     .min = 1,
     .max = 3600,
     .placeholder = "N",
     .fallback = "30",
     .help = "How long a connection may stay between two requests, the head of the second one "
             "included."},
    {.name = "token-file",
     FIELD(token_file),
     .type = CONFIG_TYPE_STRING,
     .optional = true,
     .placeholder = "FILE",
     .help =
         "Who may do what: one token a line, `NAME SCOPES SHA256-HEX [requests=N] [jobs=N] "
         "[seconds=N] [nodes=N]`; scopes are read, submit and admin, separated by commas; what "
         "follows replaces the limits below for this token. `cyclosolve token new NAME` makes "
         "one. With a file, every request but those for health and the web page needs a token, "
         "on loopback too. Nobody but its owner may be able to write it. Read again on SIGHUP."},
    {.name = "allow-anonymous",
     FIELD(allow_anonymous),
     .type = CONFIG_TYPE_ENUM,
     .names = answers,
     .placeholder = "ANSWER",
     .fallback = "no",
     .help = "yes: listen beyond loopback without a token-file, for whoever can connect."},
    {.name = "max-requests-each",
     .live = true,
     FIELD(max_requests_each),
     .type = CONFIG_TYPE_LIMIT,
     .optional = true,
     .min = 1,
     .max = 1000000,
     .placeholder = "N",
     .fallback = "auto",
     .help = "Requests of one principal, which is a token, or an address without one, in ten "
             "seconds; more are answered 429. auto: none for loopback without a token, 500 for "
             "others."},
    {.name = "max-jobs-each",
     .live = true,
     FIELD(max_jobs_each),
     .type = CONFIG_TYPE_LIMIT,
     .optional = true,
     .min = 1,
     .max = 10000000,
     .placeholder = "N",
     .fallback = "auto",
     .help = "Jobs of one principal that have not ended; a submission beyond that is answered "
             "429. auto: none for loopback without a token, 1000 for others."},
    {.name = "max-job-seconds",
     .live = true,
     FIELD(max_job_seconds),
     .type = CONFIG_TYPE_LIMIT,
     .min = 1,
     .max = 1000000000,
     .placeholder = "N",
     .fallback = "none",
     .help = "Running time of a job: the limit of one that names none, and the largest that it "
             "may name."},
    {.name = "max-job-nodes",
     .live = true,
     FIELD(max_job_nodes),
     .type = CONFIG_TYPE_LIMIT,
     .min = 1,
     .max = UINT64_C(1) << 53,
     .placeholder = "N",
     .fallback = "none",
     .help = "Nodes that a job may visit, in the same way; unlike time they do not depend on what "
             "else runs."},
    {.name = "allow-host",
     .live = true,
     FIELD(allow_host),
     .type = CONFIG_TYPE_LIST,
     .optional = true,
     .is_valid = is_host,
     .accepts = "a host name or address, with :PORT if it is not to hold for every port",
     .placeholder = "HOST",
     .help = "A Host header to accept beside loopback literals, for use behind a name. May be "
             "repeated."},
    {.name = "allow-origin",
     .live = true,
     FIELD(allow_origin),
     .type = CONFIG_TYPE_LIST,
     .optional = true,
     .is_valid = is_origin,
     .accepts = "an origin such as https://example.org or http://localhost:3000",
     .placeholder = "ORIGIN",
     .help = "A web origin whose pages may call the API. May be repeated."},
    {.name = "kernels-off",
     FIELD(kernels_off),
     .type = CONFIG_TYPE_STRING,
     .optional = true,
     .placeholder = "NAMES",
     .help = "Processor features to leave unused, such as avx2,bmi2; separated by commas."},
    {.name = "log-level",
     .live = true,
     FIELD(log_level),
     .type = CONFIG_TYPE_ENUM,
     .names = log_levels,
     .placeholder = "LEVEL",
     .fallback = "info",
     .help = "Least severe lines to log."},
    {.name = "log-format",
     FIELD(log_format),
     .type = CONFIG_TYPE_ENUM,
     .names = log_formats,
     .placeholder = "FORMAT",
     .fallback = "text",
     .help = "Lines for people or one JSON object a line; both go to standard error."},
    {.name = "config",
     FIELD(config_file),
     .type = CONFIG_TYPE_STRING,
     .optional = true,
     .placeholder = "FILE",
     .help = "Read options from this file: `name = value` lines, '#' for comments."},
    {.name = "dump-config",
     .type = CONFIG_TYPE_ACTION,
     .action = CONFIG_DUMP,
     .help = "Print the configuration in force, in the syntax of the file, and exit."},
    {.name = "check",
     .type = CONFIG_TYPE_ACTION,
     .action = CONFIG_CHECK,
     .help =
         "Check the configuration and the directories and, if a daemon runs on them, whether it "
         "is ready; exit 0 if all is well."},
    {.name = "version",
     .type = CONFIG_TYPE_ACTION,
     .action = CONFIG_VERSION,
     .help = "Print the version and exit."},
    {.name = "help",
     .type = CONFIG_TYPE_ACTION,
     .action = CONFIG_HELP,
     .help = "Print this text and exit."},
};

const size_t config__n_options = BASE_COUNT(config__options);

static_assert(BASE_COUNT(config__options) <= CONFIG_MAX_OPTIONS, "raise CONFIG_MAX_OPTIONS");

const struct config_option *config__find(const char *name, size_t length)
{
    for (size_t i = 0; i < config__n_options; i++) {
        const char *candidate = config__options[i].name;
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0)
            return &config__options[i];
    }
    return NULL;
}
