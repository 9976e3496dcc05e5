/*
 * server_listen.c - see server_listen.h.
 */
#include "server/server_listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/base_err.h"

enum { BACKLOG = 256 };

static int refuse(struct base_diag *diag, const char *what, const char *address)
{
    return base_diag_set(diag, 0, BASE_ERR_IO, "cannot %s %s: %s", what, address, strerror(errno));
}

/* ---- Unix sockets --------------------------------------------------------------------- */

/* Is somebody listening there? A path that nobody serves is left over from a crash. */
static bool is_served(const struct sockaddr_un *name)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool served = fd >= 0 && connect(fd, (const struct sockaddr *)name, sizeof(*name)) == 0;

    if (fd >= 0)
        close(fd);
    return served;
}

static int clear_path(const struct sockaddr_un *name, struct base_diag *diag)
{
    struct stat status;

    if (lstat(name->sun_path, &status))
        return 0;
    if (!S_ISSOCK(status.st_mode))
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s is in the way and is not a socket",
                             name->sun_path);
    if (is_served(name))
        return base_diag_set(diag, 0, BASE_ERR_BUSY, "another process listens on %s",
                             name->sun_path);
    return unlink(name->sun_path) ? refuse(diag, "remove", name->sun_path) : 0;
}

static int open_unix(const struct config_address *address, struct server_socket *out,
                     struct base_diag *diag)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int status;

    if (strlen(address->path) >= sizeof(name.sun_path))
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "the path of %s is too long", address->text);
    memcpy(name.sun_path, address->path, strlen(address->path));
    status = clear_path(&name, diag);
    if (status)
        return status;
    out->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (out->fd < 0 || bind(out->fd, (struct sockaddr *)&name, sizeof(name)) ||
        listen(out->fd, BACKLOG))
        return refuse(diag, "listen on", address->text);
    out->path = address->path;
    snprintf(out->url, sizeof(out->url), "unix:%s", address->path);
    return 0;
}

/* ---- TCP ------------------------------------------------------------------------------ */

static bool is_loopback(const struct sockaddr *name)
{
    const struct sockaddr_in *v4 = (const void *)name;
    const struct sockaddr_in6 *v6 = (const void *)name;

    if (name->sa_family == AF_INET)
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    return name->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

static int bind_tcp(const struct addrinfo *info, struct server_socket *out)
{
    int on = 1;

    out->fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (out->fd < 0)
        return -1;
    setsockopt(out->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (info->ai_family == AF_INET6)
        setsockopt(out->fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
    return bind(out->fd, info->ai_addr, info->ai_addrlen) || listen(out->fd, BACKLOG) ? -1 : 0;
}

/* The port that the kernel chose is in the name of the socket. */
static int print_url(struct server_socket *out)
{
    struct sockaddr_storage name;
    socklen_t length = sizeof(name);
    char host[NI_MAXHOST], port[NI_MAXSERV];

    if (getsockname(out->fd, (struct sockaddr *)&name, &length) ||
        getnameinfo((struct sockaddr *)&name, length, host, sizeof(host), port, sizeof(port),
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return -1;
    snprintf(out->url, sizeof(out->url),
             strchr(host, ':') ? "http://[%.100s]:%s" : "http://%.100s:%s", host, port);
    return 0;
}

bool server_listen_is_public(const struct config *config)
{
    return config->token_file || config->allow_anonymous == CONFIG_YES;
}

static int check_resolved(const struct config_address *address, bool public,
                          const struct addrinfo *info, struct base_diag *diag)
{
    if (public || is_loopback(info->ai_addr))
        return 0;
    return base_diag_set(diag, 0, BASE_ERR_UNSUPPORTED,
                         "%.50s is not a loopback address, and nobody would need a token: set "
                         "token-file (`cyclosolve token new` makes tokens), or, if whoever can "
                         "connect may do all, allow-anonymous = yes",
                         address->text);
}

static int open_resolved(const struct config_address *address, bool public,
                         const struct addrinfo *info, struct server_socket *out,
                         struct base_diag *diag)
{
    int status = check_resolved(address, public, info, diag);

    if (status)
        return status;
    if (!bind_tcp(info, out) && !print_url(out))
        return 0;
    refuse(diag, "listen on", address->text);
    if (out->fd >= 0)
        close(out->fd);
    out->fd = -1;
    return BASE_ERR_IO;
}

static int resolve(const struct config_address *address, struct addrinfo **out,
                   struct base_diag *diag)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | AI_PASSIVE};
    char port[8];
    int status;

    snprintf(port, sizeof(port), "%u", (unsigned)address->port);
    status = getaddrinfo(address->host, port, &hints, out);
    return status ? base_diag_set(diag, 0, BASE_ERR_IO, "cannot resolve %s: %s", address->text,
                                  gai_strerror(status))
                  : 0;
}

/* A name may have several addresses, of which the host may not have all: the first that can be
 * bound is taken. */
static int open_tcp(const struct config_address *address, bool public, struct server_socket *out,
                    struct base_diag *diag)
{
    struct addrinfo *info = NULL;
    int status = resolve(address, &info, diag);

    if (status)
        return status;
    status = BASE_ERR_IO;
    for (const struct addrinfo *at = info; at && status == BASE_ERR_IO; at = at->ai_next)
        status = open_resolved(address, public, at, out, diag);
    freeaddrinfo(info);
    return status;
}

int server_listen_check(const struct config_address *address, bool public, struct base_diag *diag)
{
    struct addrinfo *info = NULL;
    int status = address->host ? resolve(address, &info, diag) : 0;

    for (const struct addrinfo *at = info; at && !status; at = at->ai_next)
        status = check_resolved(address, public, at, diag);
    if (info)
        freeaddrinfo(info);
    return status;
}

int server_listen_open(const struct config_address *address, bool public, struct server_socket *out,
                       struct base_diag *diag)
{
    int status;

    *out = (struct server_socket){.fd = -1};
    status = address->host ? open_tcp(address, public, out, diag) : open_unix(address, out, diag);
    if (status && out->fd >= 0)
        close(out->fd);
    return status;
}

void server_listen_forget(const struct server_socket *socket)
{
    if (socket->path)
        unlink(socket->path);
}

int server_listen_announce(const char *path, const char *url, struct base_diag *diag)
{
    char temporary[4096];
    FILE *file;
    bool written;

    if (snprintf(temporary, sizeof(temporary), "%s.%ld", path, (long)getpid()) >=
        (int)sizeof(temporary))
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "the path %s is too long", path);
    file = fopen(temporary, "we");
    if (!file)
        return refuse(diag, "write", temporary);
    written = fputs(url, file) >= 0;
    written = fclose(file) == 0 && written;
    if (!written || rename(temporary, path))
        return refuse(diag, "write", path);
    return 0;
}
