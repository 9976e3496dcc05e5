/*
 * server_tool_options.c - the options of the command-line tool: --name VALUE or --name=VALUE, in
 * any order, before or behind the arguments; -- ends them.
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "server/server_tool.h"

#define MIB 1048576.0
static const char default_table_dir[] = "/dev/shm/cyclosolve";

enum { MAX_THREADS = 1024 };

/* ---- values --------------------------------------------------------------------------- */

static int read_text(void *field, const char *name, const char *value)
{
    const char **text = field;

    if (!*value) {
        server_tool_complain("--%s must not be empty", name);
        return BASE_ERR_RANGE;
    }
    *text = value;
    return BASE_OK;
}

static int read_threads(void *field, const char *name, const char *value)
{
    unsigned *threads = field;
    char *end;
    long number;

    errno = 0;
    number = strtol(value, &end, 10);
    if (errno || *end || end == value || number < 1 || number > MAX_THREADS) {
        server_tool_complain("--%s must be a number from 1 to %d, not '%.40s'", name, MAX_THREADS,
                             value);
        return BASE_ERR_RANGE;
    }
    *threads = (unsigned)number;
    return BASE_OK;
}

static int read_mib(void *field, const char *name, const char *value)
{
    uint64_t *bytes = field;
    char *end;
    double mib = strtod(value, &end);

    if (*end || end == value || !(mib >= 1 / MIB && mib <= 1e9)) {
        server_tool_complain("--%s must be a number of MiB above 0, not '%.40s'", name, value);
        return BASE_ERR_RANGE;
    }
    *bytes = (uint64_t)llround(mib * MIB);
    return BASE_OK;
}

/* ---- the table ------------------------------------------------------------------------ */

struct option {
    const char *name;
    int (*read)(void *field, const char *name, const char *value); /* NULL: a flag */
    size_t offset;
};

#define AT(field) offsetof(struct server_tool_options, field)

static const struct option known[] = {
    {"table-dir", read_text, AT(table_dir)},
    {"puzzle", read_text, AT(puzzle)},
    {"like", read_text, AT(like)},
    {"order", read_text, AT(order)},
    {"moves", read_text, AT(moves)},
    {"tables", read_text, AT(tables)},
    {"scopes", read_text, AT(scopes)},
    {"limits", read_text, AT(limits)},
    {"memory-mib", read_mib, AT(memory_bytes)},
    {"threads", read_threads, AT(threads)},
    {"json", NULL, AT(json)},
    {"pin", NULL, AT(pin)},
    {"help", NULL, AT(help)},
};

/* Does the command take the option? */
static bool takes(const struct server_tool_command *command, const char *name)
{
    char padded[32];

    snprintf(padded, sizeof(padded), " %s ", name);
    return strstr(command->options, padded);
}

static const struct option *find(const char *name, size_t length)
{
    for (size_t i = 0; i < BASE_COUNT(known); i++) {
        if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0)
            return &known[i];
    }
    return NULL;
}

/* Reads the option at argv[0]; returns how many words it took, or a negative code. */
static int read_option(const struct server_tool_command *command, int argc, char **argv,
                       struct server_tool_options *out)
{
    const char *name = argv[0] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct option *option = find(name, length);
    const char *value = equals ? equals + 1 : argc > 1 ? argv[1] : NULL;
    int code;

    if (!option || !takes(command, option->name)) {
        server_tool_complain("%s %s has no option --%.*s; see --help", command->group,
                             command->name, (int)(length < 40 ? length : 40), name);
        return BASE_ERR_UNKNOWN_MEMBER;
    }
    if (option->read && !value) {
        server_tool_complain("--%s needs a value", option->name);
        return BASE_ERR_SYNTAX;
    }
    if (!option->read && equals) {
        server_tool_complain("--%s takes no value", option->name);
        return BASE_ERR_SYNTAX;
    }
    if (!option->read) {
        *(bool *)((char *)out + option->offset) = true;
        return 1;
    }
    code = option->read((char *)out + option->offset, option->name, value);
    return code ? code : equals ? 1 : 2;
}

static int check_args(const struct server_tool_command *command,
                      const struct server_tool_options *options)
{
    if (options->help)
        return BASE_OK;
    if (options->n_args < command->min_args) {
        server_tool_complain("%s %s needs %s", command->group, command->name, command->arg);
        return BASE_ERR_SYNTAX;
    }
    if (options->n_args > command->max_args) {
        server_tool_complain("%s %s has no use for '%.40s'", command->group, command->name,
                             options->arg[command->max_args]);
        return BASE_ERR_SYNTAX;
    }
    return BASE_OK;
}

int server_tool_read_options(const struct server_tool_command *command, int argc, char **argv,
                             struct server_tool_options *out)
{
    const char *directory = getenv("CYCLOSOLVE_TABLE_DIR");
    bool ended = false;
    int at = 0;

    *out = (struct server_tool_options){.arg = argv};
    out->table_dir = directory && *directory ? directory : default_table_dir;
    while (at < argc) {
        int taken = 1;
        if (!ended && strcmp(argv[at], "--") == 0)
            ended = true;
        else if (!ended && strncmp(argv[at], "--", 2) == 0)
            taken = read_option(command, argc - at, argv + at, out);
        else
            argv[out->n_args++] = argv[at]; /* never in front of what is still to be read */
        if (taken < 0)
            return taken;
        at += taken;
    }
    return check_args(command, out);
}
