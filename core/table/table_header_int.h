/*
 * table_header_int.h - the layout of a table file, byte by byte (FORMAT.md is normative).
 *
 *     0        2048                  payload_offset          + payload_bytes
 *     +--------+---------------------+-----------------------+------------------------------+
 *     | header | checksum of chunk 0 |  payload              | zeroes to the end of a page  |
 *     |        | 1 2 3 ... | (hole)  |                       |                              |
 *     +--------+---------------------+-----------------------+------------------------------+
 *
 * The payload of a large table starts at a multiple of 2 MiB, so that huge pages fit; the hole
 * before it takes no memory.
 */
#ifndef CORE_TABLE_TABLE_HEADER_INT_H
#define CORE_TABLE_TABLE_HEADER_INT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/base_diag.h"
#include "core/table/table_store.h"

enum {
    TABLE__VERSION = 1,
    TABLE__ENDIANNESS = 0x01020304,
    TABLE__HEADER_BYTES = 2048,
    TABLE__PAGE_BYTES = 4096,
    TABLE__FLAG_RESUMABLE = 1,
    TABLE__HUGE_BYTES = 2 << 20 /* also the least payload that is aligned to it */
};

#define TABLE__MAGIC "CYCLOTBL"
#define TABLE__MAX_PAYLOAD (UINT64_C(1) << 46) /* sums of sizes stay far from overflow */

/* The header; numbers in the byte order of the writer, which `endianness` shows. */
struct table_header {
    char magic[8];
    uint32_t endianness;
    uint32_t version;
    uint64_t checksum;        /* of the header's bytes behind this member */
    uint64_t chunks_checksum; /* of the array of chunk checksums; 0 while growing */
    uint32_t state;           /* enum table_state */
    uint32_t layers;
    uint32_t chunk_bytes;
    uint32_t chunk_count;
    uint64_t payload_offset;
    uint64_t payload_bytes;
    uint64_t entry_count;
    uint64_t fill_ns;
    int64_t created_unix_us;
    uint64_t key_digest;
    uint64_t histogram[TABLE_HISTOGRAM_SIZE];
    char key_text[TABLE_KEY_TEXT_SIZE];
    char puzzle[64];
    char orbits[64];
    char kind[32];
    char encoding[32];
    char target[512];
    uint32_t flags;
    uint32_t kept_layers;  /* of a growing table: with what another filler can go on; 0: nothing */
    uint64_t kept_digest;  /* of their entries */
    uint8_t reserved[208]; /* zero */
};

static_assert(sizeof(struct table_header) == TABLE__HEADER_BYTES, "no padding at the end");
static_assert(offsetof(struct table_header, histogram) == 96, "no padding before the histogram");
static_assert(offsetof(struct table_header, flags) == 1824, "no padding between the texts");

/* All sizes that follow from that of the payload. */
struct table_layout {
    uint32_t chunk_count;
    uint64_t head_bytes; /* header and checksums, in whole pages */
    uint64_t payload_offset;
    uint64_t body_bytes; /* payload, in whole pages */
    uint64_t file_bytes;
    uint64_t footprint; /* memory the file takes */
};

/* `huge_bytes`: the page size of a hugetlbfs, which allocates nothing smaller; else 0.
 * `payload_bytes` is in 1 ... TABLE__MAX_PAYLOAD. */
void table_layout__compute(struct table_layout *layout, uint64_t payload_bytes,
                           uint64_t huge_bytes);

/* Length of chunk `chunk`: the last one may be short. */
size_t table_header__chunk_length(const struct table_header *header, uint32_t chunk);

/* Fills in and stamps the header of a growing table. */
void table_header__init(struct table_header *header, const struct table_key *key,
                        const struct table_meta *meta);

/* Renews the header's own checksum: after every change. */
void table_header__stamp(struct table_header *header);

/* Checksum of the array of chunk checksums, which starts at `checksums`. */
uint64_t table_header__chunks_checksum(const struct table_header *header,
                                       const uint64_t *checksums);

/*
 * Judges a header read from a file of `file_bytes` bytes. 0, BASE_ERR_VERSION (another version
 * or byte order) or BASE_ERR_CORRUPT; the reason in `diag`. After 0 all sizes and texts can be
 * relied upon.
 */
int table_header__check(const struct table_header *header, uint64_t file_bytes,
                        struct base_diag *diag);

/* What a good header and the name of its file, for that digest and state, say of each other. 0 or
 * BASE_ERR_CORRUPT. */
int table_header__check_name(const struct table_header *header, uint64_t digest,
                             enum table_state state, struct base_diag *diag);

/* Whether the header has been written at all. */
bool table_header__is_begun(const struct table_header *header);

/* Whether the next filler can go on with the payload of a growing file of `file_bytes` bytes that
 * nobody fills any more; its header is good. */
bool table_header__is_resumable(const struct table_header *header, uint64_t file_bytes,
                                uint64_t huge_bytes);

/* Makes such a header that of a table being filled once more. */
void table_header__resume(struct table_header *header);

/* Reads and judges the header of an open file. Also BASE_ERR_IO. */
int table_header__read(int fd, struct table_header *header, struct base_diag *diag);

void table_header__meta(const struct table_header *header, struct table_meta *meta);
void table_header__key(const struct table_header *header, struct table_key *key);

/* What the header can say of an info; the rest is left as it is. */
void table_header__info(const struct table_header *header, struct table_info *info);

#endif
