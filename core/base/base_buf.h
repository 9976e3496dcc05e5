/*
 * base_buf.h - a growable byte buffer.
 *
 * All-zero is an empty buffer. When memory runs out the buffer keeps what it holds, remembers the
 * error and ignores what follows, so that a writer of many pieces checks once, at the end:
 *
 *     struct base_buf buf = {0};
 *     base_buf_text(&buf, "{\"id\":");
 *     base_buf_printf(&buf, "%u}", id);
 *     if (buf.error)
 *         ...
 *
 * There is always a NUL behind the last byte; it is not counted.
 */
#ifndef CORE_BASE_BASE_BUF_H
#define CORE_BASE_BASE_BUF_H

#include <stddef.h>

#include "core/base/base_attr.h"

struct base_buf {
    char *data; /* NULL while nothing was ever appended: read by base_buf_str */
    size_t length;
    size_t capacity;
    int error; /* 0 or BASE_ERR_NOMEM */
};

/* All return buf->error. `bytes` must not point into the buffer. */
int base_buf_append(struct base_buf *buf, const void *bytes, size_t length);
int base_buf_text(struct base_buf *buf, const char *text);
int base_buf_byte(struct base_buf *buf, char byte);
int base_buf_printf(struct base_buf *buf, const char *format, ...) BASE_PRINTF(2, 3);

/* The content with a NUL behind; "" when empty. Borrowed until the next append. */
const char *base_buf_str(const struct base_buf *buf);

/* Empties the buffer and forgets the error; the memory is kept for the next content. */
void base_buf_clear(struct base_buf *buf);

/* Hands the content over: new, to be freed with free(), with a NUL behind; `length` may be NULL.
 * NULL if an append had failed or there is no memory. The buffer is empty afterwards. */
char *base_buf_take(struct base_buf *buf, size_t *length);

void base_buf_deinit(struct base_buf *buf);

#endif
