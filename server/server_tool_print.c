/*
 * server_tool_print.c - what the command-line tool prints.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/server_tool.h"

void server_tool_complain(const char *format, ...)
{
    va_list values;

    fputs("cyclosolve: ", stderr);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
}

int server_tool_finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    server_tool_complain("standard output cannot be written");
    return SERVER_TOOL_FAILED;
}

int server_tool_print_json(char *document, int status)
{
    if (!document) {
        server_tool_complain("out of memory");
        return SERVER_TOOL_FAILED;
    }
    puts(document);
    free(document);
    return server_tool_finish(status);
}

const char *server_tool_size(uint64_t bytes, char out[SERVER_TOOL_SIZE_BYTES])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    unsigned unit = 0;

    for (; size >= 1024 && unit + 1 < sizeof(units) / sizeof(*units); unit++)
        size /= 1024;
    snprintf(out, SERVER_TOOL_SIZE_BYTES, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
    return out;
}

/* ---- refusals ------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

/* One line for each error; the pointers tell which option is meant, for they are named alike. */
static void complain_errors(const char *document)
{
    json_t *problem = json_loads(document, 0, NULL);
    const json_t *errors = json_object_get(problem, "errors"), *error;
    size_t i;

    if (!json_array_size(errors))
        server_tool_complain("%s", text_of(problem, "detail"));
    json_array_foreach(errors, i, error)
        server_tool_complain("%s: %s", text_of(error, "pointer"), text_of(error, "detail"));
    json_decref(problem);
}

int server_tool_refuse(const struct server_tool_options *options, struct proto_problem *problem)
{
    char *document = proto_problem_encode(problem);

    proto_problem_deinit(problem);
    if (options->json)
        return server_tool_print_json(document, SERVER_TOOL_USAGE);
    if (document)
        complain_errors(document);
    free(document);
    return SERVER_TOOL_USAGE;
}

/* ---- logs ----------------------------------------------------------------------------- */

static void write_log(void *arg, enum base_log_level level, const char *text)
{
    (void)arg;
    if (level >= BASE_LOG_WARNING)
        server_tool_complain("%s", text);
}

struct base_log server_tool_log(void)
{
    return (struct base_log){.write = write_log};
}
