/*
 * load_client.c - the load generator: one thread, many connections. load.py starts it beside a
 * daemon; load_mode.h says what the modes ask for and print.
 *
 *     load_client MODE HOST PORT SECONDS CONNECTIONS ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/load/load_mode.h"

static const struct mode {
    const char *name, *usage;
    int n_more;
    int (*run)(const struct load_args *args);
} MODE[] = {
    {"get", "PATH", 1, load_get},
    {"post", "COUNT BODY IDS", 3, load_post},
    {"streams", "FILE", 1, load_streams},
    {"hostile", "RATE PATH", 2, load_hostile},
};

enum { N_MODES = sizeof(MODE) / sizeof(MODE[0]), FIXED = 6 };

static int explain(void)
{
    for (size_t i = 0; i < N_MODES; i++)
        fprintf(stderr, "load_client %s HOST PORT SECONDS CONNECTIONS %s\n", MODE[i].name,
                MODE[i].usage);
    return 2;
}

int main(int argc, char **argv)
{
    struct load_args args;

    if (argc < FIXED)
        return explain();
    args = (struct load_args){.host = argv[2],
                              .port = argv[3],
                              .seconds = strtod(argv[4], NULL),
                              .n_connections = strtoul(argv[5], NULL, 10),
                              .more = argv + FIXED,
                              .n_more = argc - FIXED};
    for (size_t i = 0; i < N_MODES; i++)
        if (!strcmp(argv[1], MODE[i].name) && args.n_more == MODE[i].n_more && args.n_connections)
            return MODE[i].run(&args);
    return explain();
}
