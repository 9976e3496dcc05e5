/*
 * table_dir_int.h - the directory of a store: names, locks, listing, removal.
 *
 * Two kinds of lock, both of the kernel and gone with their holder:
 *   - of the directory (flock): held for every change of a name - make, rename, unlink - and for
 *     attaching, so that none of these interleave, between processes as well as between threads
 *     (which must also hold the store's mutex: a lock belongs to the open directory);
 *   - of one file (open file description lock): shared by readers, exclusive for its filler and, in
 *     the instant of unlinking, for who removes it. Only tried, never waited for.
 *
 * A pinned table is a file with the sticky bit: it outlives restarts and all processes see it.
 * The time of last use is the file's modification time.
 */
#ifndef CORE_TABLE_TABLE_DIR_INT_H
#define CORE_TABLE_TABLE_DIR_INT_H

#include "core/table/table_header_int.h"

struct table_dir {
    int fd;
    uint64_t huge_bytes; /* page size if this is a hugetlbfs, else 0 */
    bool in_memory;      /* a tmpfs */
    const struct base_log *log;
};

/* Makes what is missing of the path, opens it, and checks that no other user may write there.
 * BASE_ERR_IO, BASE_ERR_NOMEM. */
int table_dir__open(struct table_dir *dir, const char *path, const struct base_log *log,
                    struct base_diag *diag);
void table_dir__close(struct table_dir *dir);

void table_dir__lock(struct table_dir *dir);
void table_dir__unlock(struct table_dir *dir);

/* What the directory knows of one file. */
struct table_dir_entry {
    uint64_t digest;
    enum table_state state; /* by its name */
    int status;             /* of the header: 0, BASE_ERR_CORRUPT, _VERSION, _IO */
    struct base_diag diag;  /* why not 0 */
    bool pinned;
    bool in_use;
    bool resumable; /* growing, and what the next filler can go on with when it is not in use */
    int64_t last_used_unix_us;
    uint64_t footprint; /* the size of the file if the header does not tell */
    struct table_header header;
};

/* BASE_ERR_NOT_FOUND: there is no such file (a header that is bad is in `status`); BASE_ERR_IO. */
int table_dir__look(struct table_dir *dir, uint64_t digest, enum table_state state,
                    struct table_dir_entry *entry);

/* The same for the sealed or the growing file, whichever there is. */
int table_dir__look_any(struct table_dir *dir, uint64_t digest, struct table_dir_entry *entry);

/* Every file with the name of a table; stops at the first non-zero value and returns it.
 * BASE_ERR_IO. */
int table_dir__each(struct table_dir *dir,
                    int (*visit)(void *arg, const struct table_dir_entry *entry), void *arg);

/* The opened file, or BASE_ERR_NOT_FOUND, BASE_ERR_IO. */
int table_dir__open_file(struct table_dir *dir, uint64_t digest, enum table_state state,
                         int open_flags);

/* The same for the sealed or the growing file, whichever there is, to read. */
int table_dir__open_any(struct table_dir *dir, uint64_t digest);

/* The rest needs the lock of the directory. */

/* The growing file that the last filler has left of that key, with that payload, locked for the
 * next. The opened file, whose header is *header; or BASE_ERR_NOT_FOUND (none, or none of use),
 * BASE_ERR_BUSY (its filler lives), BASE_ERR_IO. */
int table_dir__adopt(struct table_dir *dir, const struct table_key *key, uint64_t payload_bytes,
                     struct table_header *header);

/* A new empty growing file, locked for its filler; what a dead one has left is removed first.
 * The opened file, or BASE_ERR_BUSY (its filler lives), BASE_ERR_NO_SPACE, BASE_ERR_IO. */
int table_dir__create(struct table_dir *dir, uint64_t digest, struct base_diag *diag);

/* Gives the growing file its final name and its filler the lock of a reader. BASE_ERR_IO. */
int table_dir__publish(struct table_dir *dir, uint64_t digest, int fd);

/* Unlinks a file nobody uses. The opened file: closing it frees its memory, half a second a
 * gigabyte, better done without the locks; or BASE_ERR_NOT_FOUND, BASE_ERR_BUSY (in use, or pinned
 * and `keep_pinned`), BASE_ERR_IO. */
int table_dir__remove(struct table_dir *dir, uint64_t digest, enum table_state state,
                      bool keep_pinned);

/* Unlinks the file opened as `fd`, used or not, if it still has that name. */
void table_dir__remove_opened(struct table_dir *dir, uint64_t digest, enum table_state state,
                              int fd);

/* Takes a reader's lock. BASE_ERR_BUSY, BASE_ERR_IO. */
int table_dir__lock_shared(int fd);

/* Notes that the file is used now. */
void table_dir__touch(int fd);

#endif
