/*
 * server_tool.h - the command-line tool, which works on a table directory without a daemon, and
 * makes tokens for one.
 *
 *   server_tool_main.c      the entry: which command
 *   server_tool_options.c   options and help
 *   server_tool_print.c     what commands print
 *   server_tool_tables.c    tables list, show, remove
 *   server_tool_verify.c    tables verify
 *   server_tool_fill.c      tables plan, build
 *   server_tool_token.c     token new
 *
 * With --json standard output is one JSON document, also when a request is refused.
 */
#ifndef SERVER_SERVER_TOOL_H
#define SERVER_SERVER_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base_buf.h"
#include "core/base/base_log.h"
#include "core/engine/engine.h"
#include "proto/proto_problem.h"

/* Exit statuses. */
enum {
    SERVER_TOOL_OK = 0,
    SERVER_TOOL_FAILED = 1, /* a table is damaged, absent, in use or could not be made */
    SERVER_TOOL_USAGE = 2   /* a command or option is wrong, or a request was refused */
};

/* All texts are borrowed from the command line or static; NULL: not given. */
struct server_tool_options {
    const char *table_dir;
    const char *puzzle, *like, *order, *moves, *tables;
    const char *scopes, *limits;
    uint64_t memory_bytes; /* 0: the engine's choice */
    unsigned threads;      /* 0: one per processor */
    bool json, pin, help;
    char **arg; /* what is not an option */
    int n_args;
};

struct server_tool_command {
    const char *group, *name; /* "tables", "list" */
    const char *options;      /* names that it takes, each with a blank before and behind */
    int min_args, max_args;
    const char *arg; /* what the first argument is, if one is needed */
    int (*run)(const struct server_tool_options *options); /* returns the exit status */
};

/* ---- server_tool_options.c ---------------------------------------------------------------- */

/* Reads what stands behind the command's name. 0, or a negative code after a word on stderr. */
int server_tool_read_options(const struct server_tool_command *command, int argc, char **argv,
                             struct server_tool_options *out);

/* ---- server_tool_print.c ------------------------------------------------------------------ */

/* "cyclosolve: ..." on stderr. */
void server_tool_complain(const char *format, ...) BASE_PRINTF(1, 2);

/* Prints why a request was refused and deinitialises the problem. Returns the exit status. */
int server_tool_refuse(const struct server_tool_options *options, struct proto_problem *problem);

/* Lines of libraries: warnings and errors, on stderr. */
struct base_log server_tool_log(void);

/* Prints a JSON document and frees it; NULL: out of memory. Returns the exit status, `status` if
 * all went well. */
int server_tool_print_json(char *document, int status);

enum { SERVER_TOOL_SIZE_BYTES = 24 };
/* "2.1 MiB" */
const char *server_tool_size(uint64_t bytes, char out[SERVER_TOOL_SIZE_BYTES]);

/* Flushes standard output; returns the exit status, `status` if all could be written. */
int server_tool_finish(int status);

/* ---- commands ----------------------------------------------------------------------------- */

int server_tool_tables_list(const struct server_tool_options *options);
int server_tool_tables_show(const struct server_tool_options *options);
int server_tool_tables_remove(const struct server_tool_options *options);
int server_tool_tables_verify(const struct server_tool_options *options);
int server_tool_tables_plan(const struct server_tool_options *options);
int server_tool_tables_build(const struct server_tool_options *options);
int server_tool_token_new(const struct server_tool_options *options);

/* Opens an engine on the directory, which must exist unless `make`; NULL after a complaint. notify
 * may be NULL. */
struct engine *server_tool_open_engine(const struct server_tool_options *options, bool make,
                                       void (*notify)(void *arg), void *arg);

#endif
