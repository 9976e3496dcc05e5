/*
 * base_buf.c - a growable byte buffer: capacity doubles, errors stick.
 */
#include "core/base/base_buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"

enum { FIRST_CAPACITY = 128 };

/* Makes room for `more` bytes and the NUL. */
static int reserve(struct base_buf *buf, size_t more)
{
    size_t need, capacity;
    char *data;

    if (buf->error)
        return buf->error;
    if (more > SIZE_MAX / 2 - buf->length - 1)
        return buf->error = BASE_ERR_NOMEM;
    need = buf->length + more + 1;
    if (need <= buf->capacity)
        return 0;
    capacity = buf->capacity ? buf->capacity : FIRST_CAPACITY;
    while (capacity < need)
        capacity *= 2;
    data = realloc(buf->data, capacity);
    if (!data)
        return buf->error = BASE_ERR_NOMEM;
    buf->data = data;
    buf->capacity = capacity;
    return 0;
}

int base_buf_append(struct base_buf *buf, const void *bytes, size_t length)
{
    if (reserve(buf, length))
        return buf->error;
    if (length)
        memcpy(buf->data + buf->length, bytes, length);
    buf->length += length;
    buf->data[buf->length] = '\0';
    return 0;
}

int base_buf_text(struct base_buf *buf, const char *text)
{
    return base_buf_append(buf, text, strlen(text));
}

int base_buf_byte(struct base_buf *buf, char byte)
{
    return base_buf_append(buf, &byte, 1);
}

int base_buf_printf(struct base_buf *buf, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    /* Only a result over INT_MAX makes vsnprintf fail with the formats we use. */
    if (length < 0)
        return buf->error = BASE_ERR_NOMEM;
    if (reserve(buf, (size_t)length))
        return buf->error;
    va_start(args, format);
    vsnprintf(buf->data + buf->length, (size_t)length + 1, format, args);
    va_end(args);
    buf->length += (size_t)length;
    return 0;
}

const char *base_buf_str(const struct base_buf *buf)
{
    return buf->data ? buf->data : "";
}

void base_buf_clear(struct base_buf *buf)
{
    buf->length = 0;
    buf->error = 0;
    if (buf->data)
        buf->data[0] = '\0';
}

char *base_buf_take(struct base_buf *buf, size_t *length)
{
    char *data = NULL;
    if (!reserve(buf, 0)) {
        data = buf->data;
        data[buf->length] = '\0';
        if (length)
            *length = buf->length;
        buf->data = NULL;
    }
    base_buf_deinit(buf);
    return data;
}

void base_buf_deinit(struct base_buf *buf)
{
    free(buf->data);
    *buf = (struct base_buf){0};
}
