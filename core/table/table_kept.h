/*
 * table_kept.h - what a filler has noted for the one who goes on should it be killed.
 */
#ifndef CORE_TABLE_TABLE_KEPT_H
#define CORE_TABLE_TABLE_KEPT_H

#include <stdint.h>

enum { TABLE_KEPT_MAX_LAYERS = 64 };

struct table_kept {
    uint32_t layers;                           /* complete; 0: nothing is kept */
    uint64_t digest;                           /* of their entries: table_fill_digest */
    uint64_t histogram[TABLE_KEPT_MAX_LAYERS]; /* how many there are of each */
};

#endif
