/*
 * server_check.c - --check, also for the health checks of containers: it needs no other program.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "server/server_daemon.h"
#include "server/server_host.h"
#include "server/server_listen.h"
#include "server/server_log.h"
#include "server/server_tokens.h"

enum { PATIENCE_S = 5 };

static int connect_unix(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(name.sun_path, sizeof(name.sun_path), "%.*s", (int)sizeof(name.sun_path) - 1, path);
    if (fd >= 0 && !connect(fd, (struct sockaddr *)&name, sizeof(name)))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* "127.0.0.1:8080" or "[::1]:8080". */
static int connect_tcp(const char *authority)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    struct addrinfo *info = NULL;
    const char *colon = strrchr(authority, ':');
    char host[SERVER_LISTEN_URL_BYTES];
    int fd;

    if (!colon)
        return -1;
    snprintf(host, sizeof(host), "%.*s", (int)(colon - authority), authority);
    if (host[0] == '[') {
        host[strcspn(host, "]")] = '\0';
        memmove(host, host + 1, strlen(host));
    }
    if (getaddrinfo(host, colon + 1, &hints, &info))
        return -1;
    fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, info->ai_addr, info->ai_addrlen)) {
        close(fd);
        fd = -1;
    }
    freeaddrinfo(info);
    return fd;
}

static int connect_url(const char *url)
{
    struct timeval patience = {.tv_sec = PATIENCE_S};
    int fd = -1;

    if (!strncmp(url, "unix:", 5))
        fd = connect_unix(url + 5);
    else if (!strncmp(url, "http://", 7))
        fd = connect_tcp(url + 7);
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    }
    return fd;
}

static bool is_ready(const char *url)
{
    static const char REQUEST[] = "GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n";
    char reply[16] = "";
    int fd = connect_url(url);
    bool ready;

    if (fd < 0)
        return false;
    ready = send(fd, REQUEST, sizeof(REQUEST) - 1, MSG_NOSIGNAL) == sizeof(REQUEST) - 1 &&
            recv(fd, reply, sizeof(reply) - 1, MSG_WAITALL) == sizeof(reply) - 1 &&
            !strncmp(reply + strcspn(reply, " "), " 200", 4);
    close(fd);
    return ready;
}

/* What only the start would find out: addresses that are too public, a token-file with a fault. */
static int check_access(const struct config *config, struct base_diag *diag)
{
    const struct server_limits none = {0};
    struct server_tokens tokens;
    int status = 0;

    for (size_t i = 0; i < config->listen.n && !status; i++)
        status =
            server_listen_check(&config->listen.item[i], server_listen_is_public(config), diag);
    if (status || !config->token_file)
        return status;
    status = server_tokens_read(config->token_file, &none, &tokens, diag);
    server_tokens_deinit(&tokens);
    return status;
}

int server_check_run(const struct config *config)
{
    struct server_log settings = {config->log_level, config->log_format, STDERR_FILENO};
    struct base_log log = server_log_sink(&settings);
    char url[SERVER_LISTEN_URL_BYTES];
    struct base_diag diag = {0};

    if (server_host_prepare(config, &log, &diag) || check_access(config, &diag)) {
        fprintf(stderr, "cyclosolved: %s\n", diag.text);
        return EXIT_FAILURE;
    }
    printf("configuration and directories: ok\n");
    if (server_host_find(config->state_dir, url, sizeof(url))) {
        printf("no daemon runs on %s\n", config->state_dir);
        return EXIT_SUCCESS;
    }
    if (!is_ready(url)) {
        fprintf(stderr, "cyclosolved: the daemon on %s is not ready (%s)\n", config->state_dir,
                *url ? url : "it does not serve yet");
        return EXIT_FAILURE;
    }
    printf("the daemon at %s is ready\n", url);
    return EXIT_SUCCESS;
}
