/*
 * fault_preload.c - makes the n-th call of a function fail, in a program that it is preloaded into.
 *
 * CYCLOSOLVE_FAULT names a file of the size of struct fault_control, which the test and the program
 * share: the test says which kind of call is to fail and when, and sees how many there were and
 * whether one failed. Calls of all libraries count, which is what happens when a host runs out of
 * something, but of writes only those to regular files: libuv ends the process when it cannot wake
 * its own loop.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The order is known to tests/fault/fault.py. */
enum fault_kind {
    FAULT_NONE,
    FAULT_ALLOCATE, /* malloc, calloc, realloc, aligned_alloc, posix_memalign */
    FAULT_MMAP,
    FAULT_FTRUNCATE,
    FAULT_THREAD,
    FAULT_WRITE,
    FAULT_RESERVE, /* fallocate, posix_fallocate, madvise that fills pages */
    FAULT_SQLITE,
    FAULT_KINDS
};

struct fault_control {
    _Atomic uint64_t kind;  /* that is to fail */
    _Atomic uint64_t after; /* fails when so many have been counted, 1: the next */
    _Atomic uint64_t failed;
    _Atomic uint64_t count[FAULT_KINDS];
};

enum { SQLITE_FULL_CODE = 13 };

static struct fault_control *control;

static void *real_mmap(void *address, size_t length, int protection, int flags, int fd, off_t at)
{
    static void *(*call)(void *, size_t, int, int, int, off_t);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "mmap");
    return call(address, length, protection, flags, fd, at);
}

__attribute__((constructor)) static void attach(void)
{
    const char *path = getenv("CYCLOSOLVE_FAULT");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *memory = real_mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (memory != MAP_FAILED)
        control = memory;
}

/* Is it this call's turn? Counting is in one order for all threads, so exactly one call fails. */
static int fails(enum fault_kind kind, int error)
{
    if (!control)
        return 0;
    uint64_t count = atomic_fetch_add(&control->count[kind], 1) + 1;
    if (atomic_load(&control->kind) != kind || atomic_load(&control->after) != count)
        return 0;
    atomic_fetch_add(&control->failed, 1);
    errno = error;
    return 1;
}

/* ---- memory: the names by which glibc lets its allocator be called from wrappers ------------ */

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes)
{
    return fails(FAULT_ALLOCATE, ENOMEM) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return fails(FAULT_ALLOCATE, ENOMEM) ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails(FAULT_ALLOCATE, ENOMEM) ? NULL : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails(FAULT_ALLOCATE, ENOMEM) ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    void *memory = fails(FAULT_ALLOCATE, ENOMEM) ? NULL : __libc_memalign(alignment, bytes);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

/* ---- the system ------------------------------------------------------------------------- */

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t at)
{
    if (fails(FAULT_MMAP, ENOMEM))
        return MAP_FAILED;
    return real_mmap(address, length, protection, flags, fd, at);
}

int ftruncate(int fd, off_t length)
{
    static int (*call)(int, off_t);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "ftruncate");
    return fails(FAULT_FTRUNCATE, ENOSPC) ? -1 : call(fd, length);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *arg)
{
    static int (*call)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "pthread_create");
    return fails(FAULT_THREAD, EAGAIN) ? EAGAIN : call(thread, attributes, start, arg);
}

static int is_file(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    static ssize_t (*call)(int, const void *, size_t);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "write");
    return is_file(fd) && fails(FAULT_WRITE, ENOSPC) ? -1 : call(fd, bytes, length);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at)
{
    static ssize_t (*call)(int, const void *, size_t, off64_t);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "pwrite64");
    return is_file(fd) && fails(FAULT_WRITE, ENOSPC) ? -1 : call(fd, bytes, length, at);
}

int fallocate(int fd, int mode, off_t at, off_t length)
{
    static int (*call)(int, int, off_t, off_t);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "fallocate");
    return fails(FAULT_RESERVE, ENOSPC) ? -1 : call(fd, mode, at, length);
}

int posix_fallocate(int fd, off_t at, off_t length)
{
    static int (*call)(int, off_t, off_t);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "posix_fallocate");
    return fails(FAULT_RESERVE, ENOSPC) ? ENOSPC : call(fd, at, length);
}

int madvise(void *address, size_t length, int advice)
{
    static int (*call)(void *, size_t, int);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "madvise");
    if (advice == MADV_POPULATE_WRITE && fails(FAULT_RESERVE, EFAULT))
        return -1;
    return call(address, length, advice);
}

/* ---- SQLite: as when the disk is full ------------------------------------------------------ */

/* Steps of sqlite3_exec do not count: it asks the statement, not the step, whether it has failed.
 */
static int is_of_sqlite(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "sqlite");
}

struct sqlite3_stmt;
int sqlite3_step(struct sqlite3_stmt *statement);

int sqlite3_step(struct sqlite3_stmt *statement)
{
    static int (*call)(struct sqlite3_stmt *);
    if (!call)
        *(void **)&call = dlsym(RTLD_NEXT, "sqlite3_step");
    if (is_of_sqlite(__builtin_return_address(0)))
        return call(statement);
    return fails(FAULT_SQLITE, ENOSPC) ? SQLITE_FULL_CODE : call(statement);
}
