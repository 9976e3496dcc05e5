/*
 * load_mode.h - what the load generator can do. Each mode runs to its end and prints one line of
 * JSON: raw counts and latencies.
 */
#ifndef TESTS_LOAD_LOAD_MODE_H
#define TESTS_LOAD_LOAD_MODE_H

#include <stddef.h>
#include <stdint.h>

struct load_args {
    const char *host, *port;
    double seconds;
    size_t n_connections;
    char **more; /* what the mode asks for besides */
    int n_more;
};

/* GET of one path, again and again: PATH */
int load_get(const struct load_args *args);

/* POST of different jobs: COUNT BODY IDS. A % in the body becomes the number of the request; the
 * file gets the ids of the jobs that were accepted, a line each. */
int load_post(const struct load_args *args);

/* Readers of event streams: FILE with a path a line, which they share. */
int load_streams(const struct load_args *args);

/* Connections that mean harm: RATE PATH. At most RATE new ones a second; PATH is long to read. */
int load_hostile(const struct load_args *args);

#endif
