/*
 * server_host.h - is the host fit for the service? Checks at start-up; what is wrong is named
 * together with the fix.
 */
#ifndef SERVER_SERVER_HOST_H
#define SERVER_SERVER_HOST_H

#include "config/config.h"
#include "core/base/base_diag.h"
#include "core/base/base_log.h"

/* Makes the directories, checks that they can be written, and raises the limit of open files.
 * Refuses what cannot work; warns of what will hurt later. */
int server_host_prepare(const struct config *config, const struct base_log *log,
                        struct base_diag *diag);

/* Takes the state directory for this process; the lock goes with the process. Returns the
 * descriptor, or BASE_ERR_BUSY if another process has it, or BASE_ERR_IO. */
int server_host_lock(const char *state_dir, struct base_diag *diag);

/* Writes the address of the service into the lock file, for --check. */
void server_host_publish(int lock, const char *url);

/* The address of the process that has the state directory: text of at most `size` bytes with NUL.
 * BASE_ERR_NOT_FOUND: none has. */
int server_host_find(const char *state_dir, char *url, size_t size);

#endif
