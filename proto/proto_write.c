/*
 * proto_write.c - compact JSON text.
 *
 * A single flag is all the state that commas need: a container's beginning clears it, everything
 * that ends a value sets it.
 */
#include "proto/proto_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

void proto_writer_deinit(struct proto_writer *writer)
{
    base_buf_deinit(&writer->buf);
    writer->comma = false;
}

char *proto_writer_take(struct proto_writer *writer)
{
    writer->comma = false;
    return base_buf_take(&writer->buf, NULL);
}

/* ---- text ----------------------------------------------------------------------------- */

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Bytes of the well-formed UTF-8 sequence at `p` (NUL-terminated), 0 if there is none: no overlong
 * forms, no surrogates, nothing above U+10FFFF. */
static size_t utf8_sequence(const unsigned char *p)
{
    if (p[0] < 0x80)
        return 1;
    if (p[0] >= 0xC2 && p[0] <= 0xDF)
        return is_continuation(p[1]) ? 2 : 0;
    if (p[0] >= 0xE0 && p[0] <= 0xEF) {
        unsigned char low = p[0] == 0xE0 ? 0xA0 : 0x80;
        unsigned char high = p[0] == 0xED ? 0x9F : 0xBF;
        return p[1] >= low && p[1] <= high && is_continuation(p[2]) ? 3 : 0;
    }
    if (p[0] >= 0xF0 && p[0] <= 0xF4) {
        unsigned char low = p[0] == 0xF0 ? 0x90 : 0x80;
        unsigned char high = p[0] == 0xF4 ? 0x8F : 0xBF;
        return p[1] >= low && p[1] <= high && is_continuation(p[2]) && is_continuation(p[3]) ? 4
                                                                                             : 0;
    }
    return 0;
}

static void write_escape(struct base_buf *buf, unsigned char byte)
{
    static const char from[] = "\"\\\n\r\t\b\f";
    static const char to[] = "\"\\nrtbf";
    const char *found = strchr(from, byte);

    if (found)
        base_buf_printf(buf, "\\%c", to[found - from]);
    else
        base_buf_printf(buf, "\\u%04x", byte);
}

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

static void write_string(struct base_buf *buf, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;

    base_buf_byte(buf, '"');
    while (*p) {
        size_t plain = 0, sequence;
        while (is_plain(p[plain]))
            plain++;
        base_buf_append(buf, p, plain);
        p += plain;
        if (!*p)
            break;
        sequence = utf8_sequence(p);
        if (!sequence)
            base_buf_text(buf, replacement);
        else if (sequence == 1)
            write_escape(buf, *p);
        else
            base_buf_append(buf, p, sequence);
        p += sequence ? sequence : 1;
    }
    base_buf_byte(buf, '"');
}

/* ---- values --------------------------------------------------------------------------- */

static void begin_value(struct proto_writer *writer, const char *key)
{
    if (writer->comma)
        base_buf_byte(&writer->buf, ',');
    writer->comma = true;
    if (key) {
        write_string(&writer->buf, key);
        base_buf_byte(&writer->buf, ':');
    }
}

static void begin_container(struct proto_writer *writer, const char *key, char bracket)
{
    begin_value(writer, key);
    base_buf_byte(&writer->buf, bracket);
    writer->comma = false;
}

static void end_container(struct proto_writer *writer, char bracket)
{
    base_buf_byte(&writer->buf, bracket);
    writer->comma = true;
}

void proto_write_object(struct proto_writer *writer, const char *key)
{
    begin_container(writer, key, '{');
}

void proto_write_object_end(struct proto_writer *writer)
{
    end_container(writer, '}');
}

void proto_write_array(struct proto_writer *writer, const char *key)
{
    begin_container(writer, key, '[');
}

void proto_write_array_end(struct proto_writer *writer)
{
    end_container(writer, ']');
}

void proto_write_raw(struct proto_writer *writer, const char *key, const char *json)
{
    begin_value(writer, key);
    base_buf_text(&writer->buf, json ? json : "null");
}

void proto_write_null(struct proto_writer *writer, const char *key)
{
    proto_write_raw(writer, key, NULL);
}

void proto_write_bool(struct proto_writer *writer, const char *key, bool value)
{
    proto_write_raw(writer, key, value ? "true" : "false");
}

void proto_write_text(struct proto_writer *writer, const char *key, const char *text)
{
    if (!text) {
        proto_write_null(writer, key);
        return;
    }
    begin_value(writer, key);
    write_string(&writer->buf, text);
}

void proto_write_uint(struct proto_writer *writer, const char *key, uint64_t value)
{
    begin_value(writer, key);
    base_buf_printf(&writer->buf, "%" PRIu64, value);
}

/* Drops zeros behind the point, and the point if nothing is left behind it. */
static void trim_decimals(char *number)
{
    size_t length = strlen(number);

    if (!strchr(number, '.'))
        return;
    while (number[length - 1] == '0')
        length--;
    if (number[length - 1] == '.')
        length--;
    number[length] = '\0';
}

void proto_write_real(struct proto_writer *writer, const char *key, double value, unsigned decimals)
{
    char number[400]; /* the longest double has 309 digits before the point */

    if (!isfinite(value)) {
        proto_write_null(writer, key);
        return;
    }
    snprintf(number, sizeof(number), "%.*f", (int)decimals, value);
    trim_decimals(number);
    proto_write_raw(writer, key, strcmp(number, "-0") ? number : "0");
}

/* ---- times ---------------------------------------------------------------------------- */

void proto_time_print(int64_t unix_us, char *out)
{
    int64_t fraction = unix_us % 1000000;
    time_t seconds;
    struct tm tm;
    char date[PROTO_TIME_BYTES];

    if (fraction < 0)
        fraction += 1000000;
    seconds = (time_t)((unix_us - fraction) / 1000000);
    if (!gmtime_r(&seconds, &tm) || !strftime(date, 24, "%Y-%m-%dT%H:%M:%S", &tm))
        date[0] = '\0';
    snprintf(out, PROTO_TIME_BYTES, "%.24s.%06dZ", date, (int)fraction);
}

void proto_write_time(struct proto_writer *writer, const char *key, int64_t unix_us)
{
    char text[PROTO_TIME_BYTES];

    if (!unix_us) {
        proto_write_null(writer, key);
        return;
    }
    proto_time_print(unix_us, text);
    proto_write_text(writer, key, text);
}
