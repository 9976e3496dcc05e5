/*
 * base_diag.c - filling a diagnosis.
 */
#include "core/base/base_diag.h"

#include <stdarg.h>
#include <stdio.h>

int base_diag_set(struct base_diag *diag, size_t position, int code, const char *format, ...)
{
    if (diag) {
        va_list args;
        va_start(args, format);
        diag->position = position;
        vsnprintf(diag->text, sizeof diag->text, format, args);
        va_end(args);
    }
    return code;
}
