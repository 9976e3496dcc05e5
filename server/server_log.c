/*
 * server_log.c - see server_log.h.
 *
 *   text: 2026-01-02T03:04:05.678901Z warning the text
 *   json: {"time":"2026-...","level":"warning","text":"the text"}
 */
#include "server/server_log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_buf.h"
#include "core/base/base_clock.h"
#include "proto/proto_write.h"

static const char *level_name(enum base_log_level level)
{
    static const char *const NAME[] = {
        [BASE_LOG_DEBUG] = "debug",
        [BASE_LOG_INFO] = "info",
        [BASE_LOG_WARNING] = "warning",
        [BASE_LOG_ERROR] = "error",
    };

    return NAME[level];
}

/* A line break inside the text would fake a second line. */
static void append_flat(struct base_buf *out, const char *text)
{
    for (; *text; text++)
        base_buf_byte(out, (unsigned char)*text < 0x20 ? ' ' : *text);
}

static void format_text(struct base_buf *out, enum base_log_level level, const char *text)
{
    char time[PROTO_TIME_BYTES];

    proto_time_print(base_clock_unix_us(), time);
    base_buf_printf(out, "%s %s ", time, level_name(level));
    append_flat(out, text);
}

static void format_json(struct base_buf *out, enum base_log_level level, const char *text)
{
    struct proto_writer writer = {0};
    char *line;

    proto_write_object(&writer, NULL);
    proto_write_time(&writer, "time", base_clock_unix_us());
    proto_write_text(&writer, "level", level_name(level));
    proto_write_text(&writer, "text", text);
    proto_write_object_end(&writer);
    line = proto_writer_take(&writer);
    if (line)
        base_buf_text(out, line);
    free(line);
}

/* A log that cannot be written is no reason to fail, and there is nobody to tell. */
static void write_line(void *arg, enum base_log_level level, const char *text)
{
    const struct server_log *log = arg;
    struct base_buf line = {0};

    if (level < log->level)
        return;
    if (log->format == CONFIG_LOG_JSON)
        format_json(&line, level, text);
    else
        format_text(&line, level, text);
    base_buf_byte(&line, '\n');
    if (write(log->fd, base_buf_str(&line), line.length) < 0)
        line.error = 0;
    base_buf_deinit(&line);
}

struct base_log server_log_sink(struct server_log *log)
{
    return (struct base_log){write_line, log};
}
