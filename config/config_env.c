/*
 * config_env.c - the environment: variables of options, and where state is kept by default.
 *
 * The environment is passed in, never read from the process, so that tests need not change it.
 */
#include <ctype.h>
#include <string.h>

#include "config/config_int.h"

const char *config__variable(char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (; environment && *environment; environment++) {
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return (*environment)[length + 1] ? *environment + length + 1 : NULL;
    }
    return NULL;
}

void config__variable_name(const struct config_option *option, char *out, size_t size)
{
    static const char prefix[] = "CYCLOSOLVE_";
    size_t at = 0;

    for (const char *from = prefix; *from && at + 1 < size; from++)
        out[at++] = *from;
    for (const char *from = option->name; *from && at + 1 < size; from++)
        out[at++] = (char)(*from == '-' ? '_' : toupper((unsigned char)*from));
    out[at] = '\0';
}

/* New in the arena: `length` bytes of `parent`, then `child`. */
static const char *join(struct base_arena *arena, const char *parent, size_t length,
                        const char *child)
{
    char *path = base_arena_alloc(arena, length + strlen(child) + 1);
    if (path) {
        memcpy(path, parent, length);
        memcpy(path + length, child, strlen(child));
    }
    return path;
}

/* systemd sets STATE_DIRECTORY (several are separated by colons); XDG_STATE_HOME is of the XDG base
 * directory specification, which says to ignore a relative path. */
const char *config__default_state_dir(struct base_arena *arena, char *const *environment,
                                      bool is_root)
{
    const char *given = config__variable(environment, "STATE_DIRECTORY");
    const char *state_home = config__variable(environment, "XDG_STATE_HOME");
    const char *home = config__variable(environment, "HOME");

    if (given && *given == '/')
        return join(arena, given, strcspn(given, ":"), "");
    if (state_home && *state_home == '/')
        return join(arena, state_home, strlen(state_home), "/cyclosolve");
    if (is_root || !home || *home != '/')
        return "/var/lib/cyclosolve";
    return join(arena, home, strlen(home), "/.local/state/cyclosolve");
}
