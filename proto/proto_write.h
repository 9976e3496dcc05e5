/*
 * proto_write.h - a writer of compact JSON text.
 *
 * Why not jansson: replies embed texts that are JSON already (stored requests, results, solutions),
 * and numbers are printed with a stated number of decimals. The writer owns its text; the first
 * failure sticks and makes every later call do nothing, so only proto_writer_take is checked.
 */
#ifndef PROTO_PROTO_WRITE_H
#define PROTO_PROTO_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/base_buf.h"

/* All-zero is an empty writer. */
struct proto_writer {
    struct base_buf buf;
    bool comma; /* the next value is not the first of its container */
};

/* Drops the text, which proto_writer_take has not taken. */
void proto_writer_deinit(struct proto_writer *writer);

/* The text so far (new, free) and an empty writer again; NULL: out of memory. */
char *proto_writer_take(struct proto_writer *writer);

/* `key` is NULL in arrays and for the top value; else it is a member name. */
void proto_write_object(struct proto_writer *writer, const char *key);
void proto_write_object_end(struct proto_writer *writer);
void proto_write_array(struct proto_writer *writer, const char *key);
void proto_write_array_end(struct proto_writer *writer);

/* NULL text is null. Bytes that are not UTF-8 are replaced by U+FFFD. */
void proto_write_text(struct proto_writer *writer, const char *key, const char *text);
void proto_write_uint(struct proto_writer *writer, const char *key, uint64_t value);
void proto_write_bool(struct proto_writer *writer, const char *key, bool value);
void proto_write_null(struct proto_writer *writer, const char *key);

/* At most `decimals` (0 .. 9) digits behind the point, trailing zeros dropped; null if not finite.
 */
void proto_write_real(struct proto_writer *writer, const char *key, double value,
                      unsigned decimals);

/* RFC 3339 UTC with microseconds; 0 is null. */
void proto_write_time(struct proto_writer *writer, const char *key, int64_t unix_us);

/* Text that is JSON already; NULL is null. */
void proto_write_raw(struct proto_writer *writer, const char *key, const char *json);

enum { PROTO_TIME_BYTES = 40 };

/* "2026-01-02T03:04:05.678901Z"; `out` holds PROTO_TIME_BYTES. */
void proto_time_print(int64_t unix_us, char *out);

#endif
