/*
 * server_log.h - where the process's log lines go: standard error, one line each, as text or JSON.
 */
#ifndef SERVER_SERVER_LOG_H
#define SERVER_SERVER_LOG_H

#include "config/config.h"
#include "core/base/base_log.h"

struct server_log {
    enum base_log_level level; /* lines below are dropped */
    enum config_log_format format;
    int fd;
};

/* A sink over `log`, which must live as long. Lines of all threads stay whole: one write each. */
struct base_log server_log_sink(struct server_log *log);

#endif
