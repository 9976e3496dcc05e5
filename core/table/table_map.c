/*
 * table_map.c - mapping table files and reserving their memory.
 *
 * How memory is reserved, and why so. Measured with 44 MiB on a tmpfs, milliseconds from the empty
 * file until every byte has been written once:
 *
 *     mounted with huge=                     never   advise   within_size
 *     fallocate, then page faults              24      23          3
 *     fallocate, then MAP_POPULATE             30      30          3
 *     MADV_HUGEPAGE, then MADV_POPULATE_WRITE  28      13          4
 *
 * The last one is never far from the best and the only one that gets huge pages under "advise":
 * fallocate has no mapping to take the advice from. A full file system is an error of the call, as
 * with fallocate. It needs Linux 5.14; before that, and where memory is not what is reserved, it is
 * fallocate.
 *
 * On a host of several memory nodes the pages of a table come from all of them in turn.
 */
#include "core/table/table_map_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/cpu/cpu_place.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

/* Room in the address space that begins at a multiple of 2 MiB. */
static void *reserve_addresses(size_t bytes)
{
    size_t all = bytes + TABLE__HUGE_BYTES;
    void *room = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return MAP_FAILED;
    uintptr_t from = (uintptr_t)room;
    size_t before = (size_t)(-from % TABLE__HUGE_BYTES);
    if (before)
        munmap(room, before);
    munmap((char *)room + before + bytes, all - before - bytes);
    return (char *)room + before;
}

/* Advises huge pages for what of the payload fills them: the rest would only be padding. */
static bool advise_huge(uint8_t *payload, uint64_t bytes)
{
    size_t whole = (size_t)(bytes - bytes % TABLE__HUGE_BYTES);
    return whole && madvise(payload, whole, MADV_HUGEPAGE) == 0;
}

static int map_file(struct table_map *map, const struct table_dir *dir, int fd,
                    const struct table_layout *layout, int protection)
{
    size_t bytes = (size_t)layout->file_bytes;
    void *base = NULL;
    int fixed = 0;
    if (!dir->huge_bytes) {
        base = reserve_addresses(bytes);
        fixed = MAP_FIXED;
        if (base == MAP_FAILED)
            return BASE_ERR_NOMEM;
    }
    void *mapped = mmap(base, bytes, protection, MAP_SHARED | fixed, fd, 0);
    if (mapped == MAP_FAILED) {
        int err = errno == ENOMEM ? BASE_ERR_NOMEM : BASE_ERR_IO;
        if (base)
            munmap(base, bytes);
        return err;
    }
    *map = (struct table_map){.base = mapped, .bytes = bytes, .pages = TABLE_PAGES_SMALL};
    if (dir->huge_bytes)
        map->pages = TABLE_PAGES_EXPLICIT;
    else if (advise_huge(map->base + layout->payload_offset, layout->body_bytes))
        map->pages = TABLE_PAGES_TRANSPARENT;
    return 0;
}

int table_map__open(struct table_map *map, const struct table_dir *dir, int fd,
                    const struct table_layout *layout)
{
    return map_file(map, dir, fd, layout, PROT_READ);
}

/* 0, or an error; BASE_ERR_UNSUPPORTED: this kernel cannot. */
static int populate(uint8_t *from, uint64_t bytes)
{
    int result;
    do
        result = madvise(from, (size_t)bytes, MADV_POPULATE_WRITE);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return 0;
    switch (errno) {
    case EINVAL:
        return BASE_ERR_UNSUPPORTED;
    case EFAULT: /* where a write would have been a SIGBUS */
        return BASE_ERR_NO_SPACE;
    case ENOMEM:
        return BASE_ERR_NOMEM;
    default:
        return BASE_ERR_IO;
    }
}

static int allocate(int fd, uint64_t offset, uint64_t bytes)
{
    int result;
    do
        result = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
    while (result == EINTR);
    if (result == 0)
        return 0;
    return result == ENOSPC || result == EDQUOT || result == EFBIG ? BASE_ERR_NO_SPACE
                                                                   : BASE_ERR_IO;
}

/* Head and body, not the hole between them. */
static int reserve_memory(struct table_map *map, const struct table_dir *dir, int fd,
                          const struct table_layout *layout)
{
    int err = BASE_ERR_UNSUPPORTED;
    if (dir->huge_bytes)
        return allocate(fd, 0, layout->file_bytes);
    if (dir->in_memory) {
        err = populate(map->base, layout->head_bytes);
        if (!err)
            err = populate(map->base + layout->payload_offset, layout->body_bytes);
    }
    if (err == BASE_ERR_UNSUPPORTED) {
        err = allocate(fd, 0, layout->head_bytes);
        if (!err)
            err = allocate(fd, layout->payload_offset, layout->body_bytes);
    }
    return err;
}

int table_map__set_size(int fd, const struct table_layout *layout)
{
    if (ftruncate(fd, (off_t)layout->file_bytes) == 0)
        return 0;
    return errno == EFBIG || errno == ENOSPC ? BASE_ERR_NO_SPACE : BASE_ERR_IO;
}

int table_map__create(struct table_map *map, const struct table_dir *dir, int fd,
                      const struct table_layout *layout)
{
    int err = map_file(map, dir, fd, layout, PROT_READ | PROT_WRITE);
    if (err == BASE_ERR_NOMEM && dir->huge_bytes)
        return BASE_ERR_NO_SPACE; /* a hugetlbfs sets its pages aside as it is mapped */
    if (err)
        return err;
    (void)cpu_place_spread(map->base + layout->payload_offset, (size_t)layout->body_bytes);
    err = reserve_memory(map, dir, fd, layout);
    if (err)
        table_map__close(map);
    return err;
}

void table_map__protect(struct table_map *map)
{
    /* A guard against stray writes only: if the kernel will not, the table is good all the same. */
    (void)BASE_EXPECT(mprotect(map->base, map->bytes, PROT_READ) == 0);
}

/* What smaps has to say of one mapping, up to the line that begins the next. Its lines read
 * "ShmemPmdMapped:   2048 kB"; pages of a hugetlbfs are counted in lines of their own. */
static uint64_t huge_kilobytes(const char *line)
{
    static const char *const names[] = {
        "ShmemPmdMapped:", "FilePmdMapped:", "Shared_Hugetlb:", "Private_Hugetlb:"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        size_t length = strlen(names[i]);
        if (strncmp(line, names[i], length) == 0)
            return strtoull(line + length, NULL, 10);
    }
    return 0;
}

uint64_t table_map__huge_bytes(const struct table_map *map)
{
    uintptr_t first = (uintptr_t)map->base, last = first + map->bytes;
    uint64_t kilobytes = 0;
    bool ours = false;
    char line[512];
    FILE *list = map->base ? fopen("/proc/self/smaps", "re") : NULL;
    while (list && fgets(line, sizeof line, list)) {
        char *dash;
        uintptr_t from = strtoull(line, &dash, 16);
        if (*dash == '-' &&
            dash > line) /* "7f0000000000-7f0000200000 rw-s ...": a mapping begins */
            ours = from >= first && from < last;
        else if (ours)
            kilobytes += huge_kilobytes(line);
    }
    if (list)
        fclose(list);
    return kilobytes * 1024;
}

void table_map__close(struct table_map *map)
{
    if (map->base)
        munmap(map->base, map->bytes);
    *map = (struct table_map){0};
}
