/*
 * table_fill_kept.c - looking through the entries that a broken-off fill has left.
 *
 * During a fill an entry only ever changes from vacant to its final value. So without the entries
 * of later layers the bytes are again what they were when the layers kept were complete, and have
 * the digest that was noted then; if they have not, something has been lost (a page that a crash of
 * the machine kept from the disk) or changed. Entries of a layer that was not complete are right as
 * well, but nobody has vouched for them: they are made vacant and found again.
 */
#include <string.h>

#include "core/base/base_hash.h"
#include "core/table/table_fill_int.h"

enum { BYTES_PER_CHUNK = 1 << 20 };

static uint32_t lines_per_chunk(const struct table_fill *fill)
{
    uint32_t lines = BYTES_PER_CHUNK / fill->coord->stride;
    return lines ? lines : 1;
}

unsigned table__kept_chunks(const struct table_fill *fill)
{
    uint32_t lines = lines_per_chunk(fill);
    return (unsigned)(((uint64_t)fill->coord->n_lines + lines - 1) / lines);
}

/* Lines of a chunk. */
struct range {
    uint32_t first, last;
};

static struct range lines_of(const struct table_fill *fill, unsigned chunk)
{
    uint64_t lines = lines_per_chunk(fill), last = (chunk + 1) * lines;
    return (struct range){.first = (uint32_t)(chunk * lines),
                          .last =
                              last < fill->coord->n_lines ? (uint32_t)last : fill->coord->n_lines};
}

uint64_t table__kept_digest(const struct table_fill *fill, unsigned chunk)
{
    struct range range = lines_of(fill, chunk);
    size_t stride = fill->coord->stride;
    return base_hash(fill->entries + range.first * stride, (range.last - range.first) * stride,
                     chunk);
}

void table__kept_recount(struct table_fill *fill, unsigned chunk)
{
    struct range range = lines_of(fill, chunk);
    uint64_t count[256] = {0};
    uint8_t *end = fill->entries + (uint64_t)range.last * fill->coord->stride;
    for (uint8_t *at = fill->entries + (uint64_t)range.first * fill->coord->stride; at < end;
         at++) {
        unsigned value = table__entry_load(at);
        if (value > fill->kept.layers)
            table__entry_store(at, TABLE_VACANT);
        count[value]++;
    }
    for (unsigned d = 0; d < fill->kept.layers; d++)
        if (count[d + 1])
            atomic_fetch_add_explicit(&fill->recount.counted[d], count[d + 1],
                                      memory_order_relaxed);
    atomic_fetch_add_explicit(&fill->recount.digest, table__kept_digest(fill, chunk),
                              memory_order_relaxed);
    if (fill->strategy->keep)
        fill->strategy->keep(fill, range.first, range.last);
}

bool table__kept_is_sound(const struct table_fill *fill)
{
    const struct table_kept *kept = &fill->kept;
    for (unsigned d = 0; d < kept->layers; d++) {
        uint64_t counted = atomic_load_explicit(&fill->recount.counted[d], memory_order_relaxed);
        if (counted == 0 || counted != kept->histogram[d])
            return false;
    }
    return atomic_load_explicit(&fill->recount.digest, memory_order_relaxed) == kept->digest;
}

void table__kept_wipe(struct table_fill *fill, unsigned chunk)
{
    struct range range = lines_of(fill, chunk);
    size_t stride = fill->coord->stride;
    memset(fill->entries + range.first * stride, TABLE_VACANT, (range.last - range.first) * stride);
}
