/*
 * table_dir.c - the directory of a store.
 */
#include "core/table/table_dir_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "core/base/base_assert.h"
#include "core/base/base_clock.h"
#include "core/base/base_err.h"

#define SEALED_SUFFIX ".cyt"
#define GROWING_SUFFIX ".cyt.growing"

enum { NAME_SIZE = TABLE_DIGEST_TEXT_SIZE + sizeof GROWING_SUFFIX };

static void format_name(uint64_t digest, enum table_state state, char name[NAME_SIZE])
{
    char text[TABLE_DIGEST_TEXT_SIZE];
    table_digest_format(digest, text);
    snprintf(name, NAME_SIZE, "%s%s", text,
             state == TABLE_STATE_SEALED ? SEALED_SUFFIX : GROWING_SUFFIX);
}

/* False: not the name of a table, and so none of our business. */
static bool parse_name(const char *name, uint64_t *digest, enum table_state *state)
{
    const char *suffix = strchr(name, '.');
    if (!suffix || table_digest_parse(name, (size_t)(suffix - name), digest) != 0)
        return false;
    *state = strcmp(suffix, SEALED_SUFFIX) == 0 ? TABLE_STATE_SEALED : TABLE_STATE_GROWING;
    return *state == TABLE_STATE_SEALED || strcmp(suffix, GROWING_SUFFIX) == 0;
}

/* ---- opening --------------------------------------------------------------------------- */

/* mkdir -p; the last part is for the owner alone. What fails here shows when it is opened. */
static int make_directories(const char *path)
{
    char *part = strdup(path);
    if (!part)
        return BASE_ERR_NOMEM;
    for (size_t length = strlen(part); length > 1 && part[length - 1] == '/'; length--)
        part[length - 1] = '\0';
    char *slash = part + strspn(part, "/");
    for (; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(part, 0755);
        *slash = '/';
    }
    (void)mkdir(part, 0700);
    free(part);
    return 0;
}

/* In a place such as /dev/shm anybody may have made the directory first, to slip us tables that
 * make the search answer wrongly, or to cut them short under our feet. */
static int check_owner(int fd, const char *path, struct base_diag *diag)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s: %s", path, strerror(errno));
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s belongs to another user (uid %lu)", path,
                             (unsigned long)status.st_uid);
    if (status.st_mode & S_IWOTH)
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s may be written by everybody: chmod o-w it",
                             path);
    return 0;
}

int table_dir__open(struct table_dir *dir, const char *path, const struct base_log *log,
                    struct base_diag *diag)
{
    struct statfs file_system;
    int err = make_directories(path);
    if (err)
        return base_diag_set(diag, 0, err, "%s", base_err_text(err));
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s: %s", path, strerror(errno));
    err = check_owner(fd, path, diag);
    if (!err && fstatfs(fd, &file_system) != 0)
        err = base_diag_set(diag, 0, BASE_ERR_IO, "%s: %s", path, strerror(errno));
    if (err) {
        close(fd);
        return err;
    }
    bool huge = file_system.f_type == HUGETLBFS_MAGIC;
    *dir = (struct table_dir){.fd = fd,
                              .huge_bytes = huge ? (uint64_t)file_system.f_bsize : 0,
                              .in_memory = file_system.f_type == TMPFS_MAGIC,
                              .log = log};
    return 0;
}

void table_dir__close(struct table_dir *dir)
{
    close(dir->fd);
}

/* ---- locks ----------------------------------------------------------------------------- */

static void flock_directory(struct table_dir *dir, int operation)
{
    int result;
    do
        result = flock(dir->fd, operation);
    while (result != 0 && errno == EINTR);
    (void)BASE_EXPECT(result == 0); /* without it processes may interleave; threads still do not */
}

void table_dir__lock(struct table_dir *dir)
{
    flock_directory(dir, LOCK_EX);
}

void table_dir__unlock(struct table_dir *dir)
{
    flock_directory(dir, LOCK_UN);
}

static int lock_file(int fd, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
        return 0;
    return errno == EAGAIN || errno == EACCES ? BASE_ERR_BUSY : BASE_ERR_IO;
}

int table_dir__lock_shared(int fd)
{
    return lock_file(fd, F_RDLCK);
}

static bool is_locked(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* ---- looking --------------------------------------------------------------------------- */

int table_dir__open_file(struct table_dir *dir, uint64_t digest, enum table_state state,
                         int open_flags)
{
    char name[NAME_SIZE];
    format_name(digest, state, name);
    int fd = openat(dir->fd, name, open_flags | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        return fd;
    return errno == ENOENT ? BASE_ERR_NOT_FOUND : BASE_ERR_IO;
}

int table_dir__open_any(struct table_dir *dir, uint64_t digest)
{
    /* Sealed once more: it may have been sealed between the first two looks. */
    static const enum table_state order[] = {TABLE_STATE_SEALED, TABLE_STATE_GROWING,
                                             TABLE_STATE_SEALED};
    int fd = BASE_ERR_NOT_FOUND;
    for (unsigned i = 0; i < 3 && fd == BASE_ERR_NOT_FOUND; i++)
        fd = table_dir__open_file(dir, digest, order[i], O_RDONLY);
    return fd;
}

/* The header of a file that its filler is writing to at this moment can be met between two states:
 * that passes. */
static int read_header(int fd, struct table_dir_entry *entry)
{
    enum { TRIES = 50 };
    const struct timespec moment = {.tv_nsec = 100000};
    int err = table_header__read(fd, &entry->header, &entry->diag);
    for (int i = 0; i < TRIES && err == BASE_ERR_CORRUPT && entry->in_use &&
                    entry->state == TABLE_STATE_GROWING && table_header__is_begun(&entry->header);
         i++) {
        (void)nanosleep(&moment, NULL);
        err = table_header__read(fd, &entry->header, &entry->diag);
    }
    return err;
}

int table_dir__look(struct table_dir *dir, uint64_t digest, enum table_state state,
                    struct table_dir_entry *entry)
{
    struct stat status;
    struct table_layout layout;
    memset(entry, 0, sizeof *entry);
    int fd = table_dir__open_file(dir, digest, state, O_RDONLY);
    if (fd < 0)
        return fd;
    if (fstat(fd, &status) != 0) {
        close(fd);
        return BASE_ERR_IO;
    }
    entry->digest = digest;
    entry->state = state;
    entry->pinned = status.st_mode & S_ISVTX;
    entry->in_use = is_locked(fd);
    entry->last_used_unix_us =
        (int64_t)status.st_mtim.tv_sec * 1000000 + status.st_mtim.tv_nsec / 1000;
    entry->footprint = (uint64_t)status.st_size;
    entry->status = read_header(fd, entry);
    if (entry->status == 0)
        entry->status = table_header__check_name(&entry->header, digest, state, &entry->diag);
    if (entry->status == 0) {
        table_layout__compute(&layout, entry->header.payload_bytes, dir->huge_bytes);
        entry->footprint = layout.footprint;
        entry->resumable =
            state == TABLE_STATE_GROWING &&
            table_header__is_resumable(&entry->header, (uint64_t)status.st_size, dir->huge_bytes);
    }
    close(fd);
    return 0;
}

int table_dir__look_any(struct table_dir *dir, uint64_t digest, struct table_dir_entry *entry)
{
    static const enum table_state order[] = {TABLE_STATE_SEALED, TABLE_STATE_GROWING,
                                             TABLE_STATE_SEALED}; /* as in table_dir__open_any */
    int err = BASE_ERR_NOT_FOUND;
    for (unsigned i = 0; i < 3 && err == BASE_ERR_NOT_FOUND; i++)
        err = table_dir__look(dir, digest, order[i], entry);
    return err;
}

static DIR *open_listing(struct table_dir *dir)
{
    int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = fd >= 0 ? fdopendir(fd) : NULL;
    if (!listing && fd >= 0)
        close(fd);
    return listing;
}

int table_dir__each(struct table_dir *dir,
                    int (*visit)(void *arg, const struct table_dir_entry *entry), void *arg)
{
    struct table_dir_entry entry;
    const struct dirent *item;
    uint64_t digest;
    enum table_state state;
    int result = 0;
    DIR *listing = open_listing(dir);
    if (!listing)
        return BASE_ERR_IO;
    while (result == 0 && (item = readdir(listing)) != NULL) {
        if (!parse_name(item->d_name, &digest, &state))
            continue;
        if (table_dir__look(dir, digest, state, &entry) == 0) /* else: gone meanwhile */
            result = visit(arg, &entry);
    }
    closedir(listing);
    return result;
}

/* ---- changing -------------------------------------------------------------------------- */

/* Whether the opened, locked file is what the table's next filler can go on with. */
static bool is_left_for(const struct table_dir *dir, int fd, const struct table_key *key,
                        uint64_t payload_bytes, struct table_header *header)
{
    struct stat status;
    return table_header__read(fd, header, NULL) == 0 && fstat(fd, &status) == 0 &&
           header->key_digest == key->digest && strcmp(header->key_text, key->text) == 0 &&
           header->payload_bytes == payload_bytes &&
           table_header__is_resumable(header, (uint64_t)status.st_size, dir->huge_bytes);
}

int table_dir__adopt(struct table_dir *dir, const struct table_key *key, uint64_t payload_bytes,
                     struct table_header *header)
{
    struct table_header read;
    int fd = table_dir__open_file(dir, key->digest, TABLE_STATE_GROWING, O_RDWR);
    if (fd < 0)
        return fd;
    int err = lock_file(fd, F_WRLCK);
    if (!err && !is_left_for(dir, fd, key, payload_bytes, &read))
        err = BASE_ERR_NOT_FOUND;
    if (!err) {
        *header = read;
        return fd;
    }
    close(fd);
    return err;
}

int table_dir__create(struct table_dir *dir, uint64_t digest, struct base_diag *diag)
{
    char name[NAME_SIZE];
    int fd = table_dir__remove(dir, digest, TABLE_STATE_GROWING, false);
    if (fd == BASE_ERR_BUSY)
        return base_diag_set(diag, 0, fd, "the table is being filled by another process");
    if (fd >= 0) {
        base_logf(dir->log, BASE_LOG_WARNING, "table %016llx: discarded, its filler died",
                  (unsigned long long)digest);
        close(fd);
    }
    format_name(digest, TABLE_STATE_GROWING, name);
    fd = openat(dir->fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        bool full = errno == ENOSPC || errno == EDQUOT;
        return base_diag_set(diag, 0, full ? BASE_ERR_NO_SPACE : BASE_ERR_IO, "%s: %s", name,
                             strerror(errno));
    }
    int err = lock_file(fd, F_WRLCK);
    if (err) {
        unlinkat(dir->fd, name, 0);
        close(fd);
        return base_diag_set(diag, 0, err, "%s cannot be locked: does the file system allow it?",
                             name);
    }
    return fd;
}

int table_dir__publish(struct table_dir *dir, uint64_t digest, int fd)
{
    char from[NAME_SIZE], to[NAME_SIZE];
    format_name(digest, TABLE_STATE_GROWING, from);
    format_name(digest, TABLE_STATE_SEALED, to);
    if (renameat(dir->fd, from, dir->fd, to) != 0)
        return BASE_ERR_IO;
    /* From exclusive to shared: nobody can be in the way. */
    (void)BASE_EXPECT(table_dir__lock_shared(fd) == 0);
    table_dir__touch(fd);
    return 0;
}

int table_dir__remove(struct table_dir *dir, uint64_t digest, enum table_state state,
                      bool keep_pinned)
{
    char name[NAME_SIZE];
    struct stat status;
    int fd = table_dir__open_file(dir, digest, state, O_RDWR);
    if (fd < 0)
        return fd;
    int err = lock_file(fd, F_WRLCK);
    if (!err && fstat(fd, &status) != 0)
        err = BASE_ERR_IO;
    if (!err && keep_pinned && (status.st_mode & S_ISVTX))
        err = BASE_ERR_BUSY;
    format_name(digest, state, name);
    if (!err && unlinkat(dir->fd, name, 0) != 0)
        err = BASE_ERR_IO;
    if (!err)
        return fd;
    close(fd);
    return err;
}

void table_dir__remove_opened(struct table_dir *dir, uint64_t digest, enum table_state state,
                              int fd)
{
    char name[NAME_SIZE];
    struct stat opened, named;
    format_name(digest, state, name);
    if (fstat(fd, &opened) == 0 && fstatat(dir->fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        opened.st_ino == named.st_ino && opened.st_dev == named.st_dev)
        (void)unlinkat(dir->fd, name, 0);
}

void table_dir__touch(int fd)
{
    int64_t now = base_clock_unix_us();
    struct timespec time = {.tv_sec = now / 1000000, .tv_nsec = now % 1000000 * 1000};
    struct timespec times[2] = {time, time};
    (void)futimens(fd, times); /* another user's file: its order of eviction is not ours to keep */
}
