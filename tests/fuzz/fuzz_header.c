/*
 * fuzz_header.c - headers of table files. The bytes are laid over a good header, from the offset
 * that the first two say; an odd third byte has the result stamped, so that what lies behind the
 * checksum is reached.
 */
#include <string.h>

#include "core/table/table_header_int.h"
#include "tests/fuzz/harness.h"

static const uint64_t PAYLOAD = 5000000;

static void make(struct table_header *header)
{
    static const struct table_meta meta = {.payload_bytes = 5000000,
                                           .entry_count = 4999999,
                                           .resumable = true,
                                           .puzzle = "3x3x3",
                                           .orbits = "corners",
                                           .kind = "exact",
                                           .encoding = "none",
                                           .target = "c: / e:"};
    struct table_key key;
    BASE_ASSERT(table_key_init(&key, "v1 puzzle=3x3x3 orbits=corners") == 0);
    table_header__init(header, &key, &meta);
}

/* What can be relied upon once a header is found to be good: all offsets are in the file, all texts
 * end. */
static void rely_on(const struct table_header *header, uint64_t file_bytes)
{
    struct table_info info = {0};
    struct table_key key;
    uint64_t sum = 0;
    BASE_ASSERT(header->payload_offset >= sizeof *header);
    BASE_ASSERT(header->payload_offset + header->payload_bytes <= file_bytes);
    BASE_ASSERT(header->payload_offset >= sizeof *header + 8 * (uint64_t)header->chunk_count);
    if (header->chunk_count < 1000)
        for (uint32_t i = 0; i < header->chunk_count; i++)
            sum += table_header__chunk_length(header, i);
    BASE_ASSERT(header->chunk_count >= 1000 || sum == header->payload_bytes);
    table_header__info(header, &info);
    table_header__key(header, &key);
    BASE_ASSERT(strlen(info.meta.target) < sizeof info.meta.target);
    BASE_ASSERT(strlen(key.text) < sizeof key.text);
    if (table_header__is_resumable(header, file_bytes, 0))
        BASE_ASSERT(header->layers >= 1 && header->layers <= TABLE_HISTOGRAM_SIZE);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct table_header header;
    struct table_layout layout;
    struct base_diag diag = {0};
    make(&header);
    size_t offset = fuzz_byte(&bytes) | (size_t)fuzz_byte(&bytes) << 8;
    bool stamped = fuzz_byte(&bytes) & 1;
    offset %= sizeof header;
    size_t length = bytes.size < sizeof header - offset ? bytes.size : sizeof header - offset;
    if (length)
        memcpy((uint8_t *)&header + offset, bytes.data, length);
    if (stamped)
        table_header__stamp(&header);
    table_layout__compute(&layout, PAYLOAD, 0);
    if (table_header__check(&header, layout.file_bytes, &diag))
        BASE_ASSERT(diag.text[0]);
    else
        rely_on(&header, layout.file_bytes);
    table_header__check_name(&header, header.key_digest, TABLE_STATE_SEALED, &diag);
    return 0;
}
