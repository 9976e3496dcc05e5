/*
 * table_store_int.h - what the store and its files share.
 */
#ifndef CORE_TABLE_TABLE_STORE_INT_H
#define CORE_TABLE_TABLE_STORE_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/table/table_dir_int.h"
#include "core/table/table_file.h"
#include "core/table/table_kept.h"
#include "core/table/table_map_int.h"

/* `mutex` guards `files` and the members, of each file too, that say so. */
struct table_store {
    struct table_dir dir;
    uint64_t budget_bytes;
    double keep_share; /* as in table_store_config, never 0 */
    pthread_mutex_t mutex;
    struct table_file *files;
    int doomed[16]; /* mutex; removed files, to be closed when it is let go */
    unsigned n_doomed;
};

/*
 * One table this process uses or has used. While there are references it is open and mapped; the
 * object stays when the last is gone, to remember that the file has been verified, until the file
 * is gone too.
 */
struct table_file {
    struct table_store *store;
    struct table_file *next; /* mutex */
    int references; /* mutex; a growing table has one, its filler's, from its creation on */
    bool orphan;    /* mutex; its name is gone or another's: not to be found any more */
    bool listed;    /* mutex; used by a pass over the directory */

    /* Set before the first reference is handed out, and constant while there is one. */
    struct table_key key;
    struct table_meta meta;
    int fd;
    struct table_map map;
    struct table_header *header; /* in the map; written under the mutex, while growing */
    const uint64_t *checksums;   /* in the map */
    uint8_t *payload;            /* in the map */
    struct table_kept kept;      /* of a growing table: what its last filler has left */
    uint64_t identity;           /* the header's checksum when it was last attached or sealed */

    /* Read without the mutex, by searching threads. `layers` is stored with release after the
     * entries of the layer and loaded with acquire before them; the others need no order. */
    _Atomic int state;
    _Atomic int layers;
    _Atomic int trust;
    _Atomic uint32_t next_chunk; /* the first that table_file_verify_step has not taken */
    _Atomic uint32_t passed_chunks;
    _Atomic uint64_t queries;
};

/* All of the following need the store's mutex. */

/* The object that stands for this digest, or NULL. */
struct table_file *table_store__find(struct table_store *store, uint64_t digest);

/* Takes an object without references off the list and frees it. */
void table_store__forget(struct table_store *store, struct table_file *file);

/* Opens and maps the sealed file named by `key`; also needs the lock of the directory.
 * BASE_ERR_NOT_FOUND, BASE_ERR_NOMEM, BASE_ERR_IO. */
int table_file__attach(struct table_file *file, const struct table_key *key);

/* Writes the header of a growing table into the map, or renews that of one that was left. */
void table_file__begin(struct table_file *file, const struct table_map *map,
                       const struct table_layout *layout);

/* What only this process knows of a table. */
void table_file__info(const struct table_file *file, struct table_info *info);

#endif
