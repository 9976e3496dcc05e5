/*
 * server_listen.h - sockets to listen on.
 */
#ifndef SERVER_SERVER_LISTEN_H
#define SERVER_SERVER_LISTEN_H

#include <stdbool.h>

#include "config/config.h"
#include "core/base/base_diag.h"

enum { SERVER_LISTEN_URL_BYTES = 160 };

struct server_socket {
    int fd;
    const char *path;                  /* of a Unix socket, borrowed from the address; else NULL */
    char url[SERVER_LISTEN_URL_BYTES]; /* "http://127.0.0.1:8080", "unix:/run/x.sock" */
};

/* Binds and listens, without blocking. Unless `public` a host that is not loopback is refused with
 * what to do about it (BASE_ERR_UNSUPPORTED). BASE_ERR_IO with the reason. */
int server_listen_open(const struct config_address *address, bool public, struct server_socket *out,
                       struct base_diag *diag);

/* Would server_listen_open refuse the address for what it is? The same codes. */
int server_listen_check(const struct config_address *address, bool public, struct base_diag *diag);

/* May everybody who can connect be let in, by this configuration: do they need tokens, or does the
 * administrator say so? */
bool server_listen_is_public(const struct config *config);

/* Removes the path of a Unix socket. The descriptor is closed by whoever serves it. */
void server_listen_forget(const struct server_socket *socket);

/* Writes `url`, without a line end, to `path`, which appears complete or not at all. */
int server_listen_announce(const char *path, const char *url, struct base_diag *diag);

#endif
