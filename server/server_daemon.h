/*
 * server_daemon.h - the life of the service: opened from a configuration, running, drained, closed.
 *
 *   SIGTERM, SIGINT   drain: refuse jobs, say farewell to streams, give running jobs back to the
 *                     queue, exit 0; a second one: exit at once
 *   SIGHUP            read the configuration again, of which the options that can change live do,
 *                     and the token-file; what has a fault changes nothing
 */
#ifndef SERVER_SERVER_DAEMON_H
#define SERVER_SERVER_DAEMON_H

#include "config/config.h"

/* Serves until a signal ends it. `config` was loaded from the command line, which is borrowed to be
 * read again. Returns the exit status. */
int server_daemon_run(const struct config *config, int argc, char *const *argv);

/* --check: are configuration and directories good and, if a daemon runs on them, is it ready?
 * Says so on standard output; returns the exit status. (server_check.c) */
int server_check_run(const struct config *config);

#endif
