/*
 * config.h - the configuration of the daemon.
 *
 * Every option is one row of the table in config_table.c; command line, environment, file, --help,
 * --dump-config and the example file are made from it. An option named `max-body-bytes` is
 *
 *     --max-body-bytes 65536           a flag (also --max-body-bytes=65536)
 *     CYCLOSOLVE_MAX_BODY_BYTES=65536  an environment variable; an empty one counts as not set
 *     max-body-bytes = 65536           a line of the file named by `config`
 *
 * and a flag beats the environment, which beats the file, which beats the default. Options that
 * take a list may be repeated and split at commas; a list given in one place replaces, it does not
 * extend, the one of a weaker place.
 *
 * The file: one `name = value` a line; white space around both is dropped; '#' at the start of a
 * line or after white space begins a comment, there is no quoting; a name may appear twice only if
 * it takes a list.
 * Unknown names are errors. Unknown CYCLOSOLVE_ variables are not, because container platforms
 * inject such names by themselves (a Kubernetes service "cyclosolve" sets CYCLOSOLVE_PORT).
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/base_buf.h"
#include "core/base/base_log.h"
#include "core/base/base_mem.h"

enum { CONFIG_MAX_LIST = 64, CONFIG_MAX_OPTIONS = 48 };

/* What the daemon is asked to do instead of serving. */
enum config_action {
    CONFIG_SERVE,
    CONFIG_HELP,    /* print config_help() */
    CONFIG_VERSION, /* print the version */
    CONFIG_DUMP,    /* print config_dump() */
    CONFIG_CHECK    /* is the configuration good, and a running daemon ready? */
};

enum config_log_format { CONFIG_LOG_TEXT, CONFIG_LOG_JSON };

enum config_answer { CONFIG_NO, CONFIG_YES };

/* Values of limits beside numbers. */
#define CONFIG_LIMIT_NONE UINT64_C(0)
#define CONFIG_LIMIT_AUTO UINT64_MAX /* the server chooses by who asks */

struct config_list {
    size_t n;
    const char *item[CONFIG_MAX_LIST];
};

/* Where to listen: a TCP port if `host` is set, otherwise a Unix socket. */
struct config_address {
    const char *text; /* as given: "127.0.0.1:8080", "[::1]:0", "unix:/run/cyclosolve.sock" */
    const char *host; /* name or literal without brackets; NULL: Unix socket */
    const char *path; /* of the Unix socket; NULL: TCP */
    uint16_t port;    /* 0: any free one */
};

struct config_addresses {
    size_t n;
    struct config_address item[CONFIG_MAX_LIST];
};

/* All strings are borrowed until config_deinit. */
struct config {
    enum config_action action;

    struct config_addresses listen; /* at least one */
    const char *address_file;       /* NULL: none */
    unsigned max_connections;
    uint64_t max_body_bytes;
    unsigned header_seconds, body_seconds, reply_seconds, idle_seconds; /* deadlines */
    const char *token_file;             /* NULL: nobody needs a token */
    enum config_answer allow_anonymous; /* beyond loopback without tokens */
    uint64_t max_requests_each;         /* of a principal in ten seconds; these four may be */
    uint64_t max_jobs_each;             /* CONFIG_LIMIT_NONE, the first two */
    uint64_t max_job_seconds;           /* CONFIG_LIMIT_AUTO as well */
    uint64_t max_job_nodes;
    struct config_list allow_host;   /* Host headers accepted beside loopback literals */
    struct config_list allow_origin; /* "https://example.org" */

    const char *state_dir;
    const char *table_dir;
    unsigned threads; /* 0: one per usable processor */
    enum config_answer pin_threads;
    uint64_t memory_bytes;   /* of all pruning tables; 0: chosen from what the host allows */
    uint64_t solution_bytes; /* for the solutions of one job */
    double fill_factor;      /* 1: large tables are filled when the plan says that it pays */
    unsigned max_queued_jobs;
    unsigned max_batch_jobs;
    unsigned max_running_jobs;
    unsigned keep_days;   /* how long jobs are kept after their end; 0: for ever */
    uint64_t store_bytes; /* of the job store, which old jobs leave when it needs more; 0: any */
    unsigned checkpoint_seconds; /* 0: searches are not checkpointed */
    const char *kernels_off;     /* comma list of CPU features to leave out, NULL: none */

    enum base_log_level log_level;
    enum config_log_format log_format;
    const char *config_file; /* NULL: none was read */

    /* Where the value of each row of the table came from: "default", "--threads", "FILE:3" ... */
    const char *origin[CONFIG_MAX_OPTIONS];
    struct base_arena arena; /* holds the strings */
};

/*
 * Fills `config` (whatever it held before is overwritten) from the command line, the environment
 * ("NAME=value" strings, NULL at the end; may be NULL) and the file that they name. When --help or
 * --version is given, only `action` matters and nothing else is read.
 *
 * On failure returns the code of the first error (BASE_ERR_SYNTAX, _RANGE, _UNKNOWN_MEMBER,
 * _CONFLICT, _IO, _TOO_LARGE, _NOMEM) and appends to `errors` one line for every error found: where
 * the value came from, the option, the value and what is accepted. config_deinit is due in any
 * case.
 */
int config_load(struct config *config, int argc, char *const *argv, char *const *environment,
                struct base_buf *errors);
void config_deinit(struct config *config);

/* Of a configuration that was loaded while another one, `old`, is in force: keeps what can change
 * live and puts back the rest. Appends to `notes` a line for every option that differs. Nothing of
 * `old` is borrowed. BASE_ERR_NOMEM. */
int config_take_live(struct config *config, const struct config *old, struct base_buf *notes);

/* What --help prints. */
void config_help(struct base_buf *out);

/* The configuration in force, in the syntax of the file, with the origin of each value. */
void config_dump(const struct config *config, struct base_buf *out);

/* A file in which every option is explained and commented out at its default. */
void config_example(struct base_buf *out);

#endif
