/*
 * table_header.c - computing, writing and judging the header of a table file.
 */
#include "core/table/table_header_int.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/table/table_file.h"

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static uint64_t chunks_of(uint64_t payload_bytes)
{
    return (payload_bytes + TABLE_CHUNK_BYTES - 1) / TABLE_CHUNK_BYTES;
}

void table_layout__compute(struct table_layout *layout, uint64_t payload_bytes, uint64_t huge_bytes)
{
    bool large = payload_bytes >= TABLE__HUGE_BYTES;
    uint64_t chunks = chunks_of(payload_bytes);
    layout->chunk_count = (uint32_t)chunks;
    layout->head_bytes =
        round_up(TABLE__HEADER_BYTES + chunks * sizeof(uint64_t), TABLE__PAGE_BYTES);
    layout->payload_offset =
        large ? round_up(layout->head_bytes, TABLE__HUGE_BYTES) : layout->head_bytes;
    layout->body_bytes = round_up(payload_bytes, TABLE__PAGE_BYTES);
    layout->file_bytes = layout->payload_offset + layout->body_bytes;
    layout->footprint = layout->head_bytes + layout->body_bytes;
    if (huge_bytes) {
        layout->file_bytes = round_up(layout->file_bytes, huge_bytes);
        layout->footprint = layout->file_bytes;
    }
}

size_t table_header__chunk_length(const struct table_header *header, uint32_t chunk)
{
    uint64_t left = header->payload_bytes - (uint64_t)chunk * TABLE_CHUNK_BYTES;
    return left < TABLE_CHUNK_BYTES ? (size_t)left : TABLE_CHUNK_BYTES;
}

static uint64_t own_checksum(const struct table_header *header)
{
    size_t from = offsetof(struct table_header, chunks_checksum);
    return base_hash((const char *)header + from, sizeof *header - from, TABLE__VERSION);
}

void table_header__stamp(struct table_header *header)
{
    header->checksum = own_checksum(header);
}

uint64_t table_header__chunks_checksum(const struct table_header *header, const uint64_t *checksums)
{
    return base_hash(checksums, header->chunk_count * sizeof *checksums, TABLE__VERSION);
}

/* Both are `size` bytes; the copy ends with a NUL and is zero behind it. */
static void copy_text(char *to, const char *from, size_t size)
{
    size_t length = strnlen(from, size - 1);
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
}

void table_header__init(struct table_header *header, const struct table_key *key,
                        const struct table_meta *meta)
{
    struct table_layout layout;
    table_layout__compute(&layout, meta->payload_bytes, 0);
    memset(header, 0, sizeof *header);
    memcpy(header->magic, TABLE__MAGIC, sizeof header->magic);
    header->endianness = TABLE__ENDIANNESS;
    header->version = TABLE__VERSION;
    header->state = TABLE_STATE_GROWING;
    header->chunk_bytes = TABLE_CHUNK_BYTES;
    header->chunk_count = layout.chunk_count;
    header->payload_offset = layout.payload_offset;
    header->payload_bytes = meta->payload_bytes;
    header->entry_count = meta->entry_count;
    header->created_unix_us = base_clock_unix_us();
    header->flags = meta->resumable ? TABLE__FLAG_RESUMABLE : 0;
    header->key_digest = key->digest;
    copy_text(header->key_text, key->text, sizeof header->key_text);
    copy_text(header->puzzle, meta->puzzle, sizeof header->puzzle);
    copy_text(header->orbits, meta->orbits, sizeof header->orbits);
    copy_text(header->kind, meta->kind, sizeof header->kind);
    copy_text(header->encoding, meta->encoding, sizeof header->encoding);
    copy_text(header->target, meta->target, sizeof header->target);
    table_header__stamp(header);
}

void table_header__key(const struct table_header *header, struct table_key *key)
{
    memcpy(key->text, header->key_text, sizeof key->text);
    key->digest = header->key_digest;
}

void table_header__meta(const struct table_header *header, struct table_meta *meta)
{
    meta->payload_bytes = header->payload_bytes;
    meta->entry_count = header->entry_count;
    meta->resumable = header->flags & TABLE__FLAG_RESUMABLE;
    memcpy(meta->puzzle, header->puzzle, sizeof meta->puzzle);
    memcpy(meta->orbits, header->orbits, sizeof meta->orbits);
    memcpy(meta->kind, header->kind, sizeof meta->kind);
    memcpy(meta->encoding, header->encoding, sizeof meta->encoding);
    memcpy(meta->target, header->target, sizeof meta->target);
}

void table_header__info(const struct table_header *header, struct table_info *info)
{
    table_header__key(header, &info->key);
    table_header__meta(header, &info->meta);
    info->state = header->state == TABLE_STATE_SEALED ? TABLE_STATE_SEALED : TABLE_STATE_GROWING;
    info->layers = (int)header->layers;
    info->fill_ns = header->fill_ns;
    info->created_unix_us = header->created_unix_us;
    memcpy(info->histogram, header->histogram, sizeof info->histogram);
}

static_assert(
    sizeof((struct table_meta *)0)->puzzle == sizeof((struct table_header *)0)->puzzle &&
        sizeof((struct table_meta *)0)->orbits == sizeof((struct table_header *)0)->orbits &&
        sizeof((struct table_meta *)0)->kind == sizeof((struct table_header *)0)->kind &&
        sizeof((struct table_meta *)0)->encoding == sizeof((struct table_header *)0)->encoding &&
        sizeof((struct table_meta *)0)->target == sizeof((struct table_header *)0)->target,
    "texts are copied whole");

static bool ends(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

static bool texts_end(const struct table_header *h)
{
    return ends(h->key_text, sizeof h->key_text) && ends(h->puzzle, sizeof h->puzzle) &&
           ends(h->orbits, sizeof h->orbits) && ends(h->kind, sizeof h->kind) &&
           ends(h->encoding, sizeof h->encoding) && ends(h->target, sizeof h->target);
}

/* Whether the sizes are those this version would have computed. A checksum only shows that nothing
 * has changed since the file was written; nothing outside the file is read on its word. */
static bool sizes_agree(const struct table_header *h)
{
    struct table_layout layout;
    if (h->payload_bytes == 0 || h->payload_bytes > TABLE__MAX_PAYLOAD)
        return false;
    table_layout__compute(&layout, h->payload_bytes, 0);
    return h->chunk_bytes == TABLE_CHUNK_BYTES && h->chunk_count == layout.chunk_count &&
           h->payload_offset == layout.payload_offset;
}

bool table_header__is_begun(const struct table_header *header)
{
    return memcmp(header->magic, TABLE__MAGIC, sizeof header->magic) == 0;
}

int table_header__check(const struct table_header *h, uint64_t file_bytes, struct base_diag *diag)
{
    if (!table_header__is_begun(h))
        return base_diag_set(diag, 0, BASE_ERR_CORRUPT, "not a table file");
    if (h->endianness != TABLE__ENDIANNESS)
        return base_diag_set(diag, offsetof(struct table_header, endianness), BASE_ERR_VERSION,
                             "written on a machine of the other byte order");
    if (h->version != TABLE__VERSION)
        return base_diag_set(diag, offsetof(struct table_header, version), BASE_ERR_VERSION,
                             "format version %u, this program knows %d", h->version,
                             TABLE__VERSION);
    if (h->checksum != own_checksum(h))
        return base_diag_set(diag, offsetof(struct table_header, checksum), BASE_ERR_CORRUPT,
                             "the header does not match its checksum");
    if ((h->state != TABLE_STATE_GROWING && h->state != TABLE_STATE_SEALED) || !texts_end(h) ||
        !sizes_agree(h))
        return base_diag_set(diag, 0, BASE_ERR_CORRUPT, "the header contradicts itself");
    if (file_bytes < h->payload_offset + h->payload_bytes)
        return base_diag_set(diag, file_bytes, BASE_ERR_CORRUPT, "the file is cut off");
    return 0;
}

int table_header__check_name(const struct table_header *header, uint64_t digest,
                             enum table_state state, struct base_diag *diag)
{
    if (header->key_digest != digest)
        return base_diag_set(diag, offsetof(struct table_header, key_digest), BASE_ERR_CORRUPT,
                             "the name is that of another table");
    if (state == TABLE_STATE_SEALED && header->state != TABLE_STATE_SEALED)
        return base_diag_set(diag, offsetof(struct table_header, state), BASE_ERR_CORRUPT,
                             "not sealed in spite of its name");
    return 0;
}

/* A filler that died while it sealed has left a header that says so; the payload is complete then,
 * but nobody knows whether all checksums are. */
bool table_header__is_resumable(const struct table_header *header, uint64_t file_bytes,
                                uint64_t huge_bytes)
{
    struct table_layout layout;
    table_layout__compute(&layout, header->payload_bytes, huge_bytes);
    return (header->flags & TABLE__FLAG_RESUMABLE) && header->kept_layers > 0 &&
           header->kept_layers <= header->layers && header->layers <= TABLE_HISTOGRAM_SIZE &&
           file_bytes == layout.file_bytes;
}

void table_header__resume(struct table_header *header)
{
    header->state = TABLE_STATE_GROWING;
    header->chunks_checksum = 0;
    header->fill_ns = 0;
    table_header__stamp(header);
}

int table_header__read(int fd, struct table_header *header, struct base_diag *diag)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s", strerror(errno));
    ssize_t got;
    do
        got = pread(fd, header, sizeof *header, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s", strerror(errno));
    if (got != (ssize_t)sizeof *header)
        return base_diag_set(diag, (size_t)got, BASE_ERR_CORRUPT, "the header is cut off");
    return table_header__check(header, (uint64_t)status.st_size, diag);
}
