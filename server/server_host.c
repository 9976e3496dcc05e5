/*
 * server_host.c - see server_host.h.
 */
#include "server/server_host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/base/base_err.h"

enum {
    PATH_BYTES = 4096,
    SPARE_DESCRIPTORS = 128 /* beside connections and the duplicates that watch streams */
};

#define MIB (UINT64_C(1) << 20)

/* What a first large job wants to put into the table directory. */
#define WANTED_TABLE_BYTES (256 * MIB)

/* ---- directories ---------------------------------------------------------------------- */

static int make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0755) && errno != EEXIST)
            return -1;
        *slash = '/';
    }
    return mkdir(path, 0700) && errno != EEXIST ? -1 : 0;
}

static int prepare_directory(const char *option, const char *path, struct base_diag *diag)
{
    char copy[PATH_BYTES];

    if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy))
        return base_diag_set(diag, 0, BASE_ERR_RANGE, "%s is too long", option);
    if (make_parents(copy))
        return base_diag_set(diag, 0, BASE_ERR_IO,
                             "%s %.80s cannot be made: %s; choose another one", option, path,
                             strerror(errno));
    if (access(path, R_OK | W_OK | X_OK))
        return base_diag_set(diag, 0, BASE_ERR_IO,
                             "%s %.80s cannot be used: %s; give it to this user, or choose another",
                             option, path, strerror(errno));
    return 0;
}

static void check_table_space(const struct config *config, const struct base_log *log)
{
    struct statvfs space;
    uint64_t free_bytes, wanted = config->memory_bytes ? config->memory_bytes : WANTED_TABLE_BYTES;

    if (statvfs(config->table_dir, &space))
        return;
    free_bytes = (uint64_t)space.f_bavail * space.f_frsize;
    if (free_bytes < wanted)
        base_logf(
            log, BASE_LOG_WARNING,
            "table-dir %s has %llu MiB left, %llu MiB may be wanted: searches will use smaller "
            "tables; in a container raise it with --shm-size (the default is 64 MB), else "
            "mount a larger tmpfs or set table-dir",
            config->table_dir, (unsigned long long)(free_bytes / MIB),
            (unsigned long long)(wanted / MIB));
}

/* ---- descriptors ---------------------------------------------------------------------- */

/* A stream has two: its socket and the duplicate by which its client is watched. */
static void raise_descriptors(const struct config *config, const struct base_log *log)
{
    rlim_t wanted = 2 * (rlim_t)config->max_connections + SPARE_DESCRIPTORS;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < wanted)
        base_logf(log, BASE_LOG_WARNING,
                  "only %llu files may be open, max-connections = %u may want %llu: raise the hard "
                  "limit (ulimit -Hn, LimitNOFILE=) or lower max-connections",
                  (unsigned long long)limit.rlim_cur, config->max_connections,
                  (unsigned long long)wanted);
}

int server_host_prepare(const struct config *config, const struct base_log *log,
                        struct base_diag *diag)
{
    int status = prepare_directory("state-dir", config->state_dir, diag);

    if (!status)
        status = prepare_directory("table-dir", config->table_dir, diag);
    if (status)
        return status;
    check_table_space(config, log);
    raise_descriptors(config, log);
    return 0;
}

/* ---- the lock ------------------------------------------------------------------------- */

static int open_lock(const char *state_dir, int flags)
{
    char path[PATH_BYTES];

    if (snprintf(path, sizeof(path), "%s/daemon.lock", state_dir) >= (int)sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, flags | O_CLOEXEC, 0600);
}

int server_host_lock(const char *state_dir, struct base_diag *diag)
{
    int fd = open_lock(state_dir, O_RDWR | O_CREAT);
    bool busy;

    if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB)) {
        if (ftruncate(fd, 0))
            errno = 0;
        return fd;
    }
    busy = fd >= 0 && errno == EWOULDBLOCK;
    if (busy)
        base_diag_set(diag, 0, BASE_ERR_BUSY,
                      "another cyclosolved runs on state-dir %.80s; stop it, or choose another one",
                      state_dir);
    else
        base_diag_set(diag, 0, BASE_ERR_IO, "state-dir %.80s cannot be locked: %s", state_dir,
                      strerror(errno));
    if (fd >= 0)
        close(fd);
    return busy ? BASE_ERR_BUSY : BASE_ERR_IO;
}

void server_host_publish(int lock, const char *url)
{
    if (ftruncate(lock, 0) || pwrite(lock, url, strlen(url), 0) < 0)
        errno = 0; /* --check then finds a process that does not say where it is */
}

int server_host_find(const char *state_dir, char *url, size_t size)
{
    int fd = open_lock(state_dir, O_RDONLY);
    ssize_t length;

    if (fd < 0)
        return BASE_ERR_NOT_FOUND;
    if (!flock(fd, LOCK_SH | LOCK_NB)) {
        close(fd);
        return BASE_ERR_NOT_FOUND;
    }
    length = pread(fd, url, size - 1, 0);
    close(fd);
    url[length < 0 ? 0 : length] = '\0';
    return 0;
}
