/*
 * server_main.c - the daemon's entry: reads the configuration and does what it asks for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "config/config.h"
#include "server/server_build.h"
#include "server/server_daemon.h"

enum { EXIT_USAGE = 2 };

static int print(void (*write)(struct base_buf *out))
{
    struct base_buf out = {0};
    int status;

    write(&out);
    status = out.error || fputs(base_buf_str(&out), stdout) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    base_buf_deinit(&out);
    return status;
}

static int dump(const struct config *config)
{
    struct base_buf out = {0};
    int status;

    config_dump(config, &out);
    status = out.error || fputs(base_buf_str(&out), stdout) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    base_buf_deinit(&out);
    return status;
}

static int version(void)
{
    return printf("cyclosolved %s (%s, %s)\n", server_build_version(), server_build_commit(),
                  server_build_compiler()) < 0
               ? EXIT_FAILURE
               : EXIT_SUCCESS;
}

static int act(const struct config *config, int argc, char *const *argv)
{
    switch (config->action) {
    case CONFIG_SERVE:
        return server_daemon_run(config, argc, argv);
    case CONFIG_HELP:
        return print(config_help);
    case CONFIG_VERSION:
        return version();
    case CONFIG_DUMP:
        return dump(config);
    case CONFIG_CHECK:
        return server_check_run(config);
    }
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    struct base_buf errors = {0};
    struct config config;
    int status;

    if (config_load(&config, argc, argv, environ, &errors)) {
        fputs(base_buf_str(&errors), stderr);
        status = EXIT_USAGE;
    } else {
        status = act(&config, argc, argv);
    }
    base_buf_deinit(&errors);
    config_deinit(&config);
    return status;
}
