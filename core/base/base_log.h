/*
 * base_log.h - where library code sends its log lines. The owner of the process
 * decides what becomes of them; the engine never writes to a stream itself.
 */
#ifndef CORE_BASE_BASE_LOG_H
#define CORE_BASE_BASE_LOG_H

#include "core/base/base_attr.h"

enum base_log_level { BASE_LOG_DEBUG, BASE_LOG_INFO, BASE_LOG_WARNING, BASE_LOG_ERROR };

/* `write` may be called from any thread. A NULL log, or one without `write`, is silent. */
struct base_log {
    void (*write)(void *arg, enum base_log_level level, const char *text);
    void *arg;
};

void base_logf(const struct base_log *log, enum base_log_level level, const char *format, ...)
    BASE_PRINTF(3, 4);

#endif
