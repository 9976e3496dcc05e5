/*
 * table_map_int.h - mapping table files and reserving their memory.
 */
#ifndef CORE_TABLE_TABLE_MAP_INT_H
#define CORE_TABLE_TABLE_MAP_INT_H

#include "core/table/table_dir_int.h"

/* A whole file, from its header on. All-zero: nothing mapped. */
struct table_map {
    uint8_t *base;
    size_t bytes;
    enum table_pages pages;
};

/* Maps an existing file, to read. BASE_ERR_NOMEM, BASE_ERR_IO. */
int table_map__open(struct table_map *map, const struct table_dir *dir, int fd,
                    const struct table_layout *layout);

/* Gives an empty file its size, but no memory yet. BASE_ERR_NO_SPACE, BASE_ERR_IO. */
int table_map__set_size(int fd, const struct table_layout *layout);

/*
 * Gives a file of the right size all its memory, zeroed, and maps it, to write: no later write can
 * meet a full file system, which would be a SIGBUS. BASE_ERR_NO_SPACE, BASE_ERR_NOMEM, BASE_ERR_IO.
 */
int table_map__create(struct table_map *map, const struct table_dir *dir, int fd,
                      const struct table_layout *layout);

/* From now on it can only be read. */
void table_map__protect(struct table_map *map);

/* Bytes of it that huge pages hold, as the kernel says; 0 if it does not. */
uint64_t table_map__huge_bytes(const struct table_map *map);

void table_map__close(struct table_map *map);

#endif
