/*
 * base_log.c - formats a line and hands it to the sink.
 *
 * The line is built on the stack, so that logging works when memory is short; what does not fit is
 * cut and marked.
 */
#include "core/base/base_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

void base_logf(const struct base_log *log, enum base_log_level level, const char *format, ...)
{
    static const char cut[] = " ...";
    char line[LINE_BYTES];
    va_list args;
    int length;

    if (!log || !log->write)
        return;
    va_start(args, format);
    length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length >= LINE_BYTES)
        memcpy(line + LINE_BYTES - sizeof cut, cut, sizeof cut);
    log->write(log->arg, level, line);
}
