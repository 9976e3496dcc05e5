/*
 * base_diag.h - what a parser says beside its error code.
 */
#ifndef CORE_BASE_BASE_DIAG_H
#define CORE_BASE_BASE_DIAG_H

#include <stddef.h>

#include "core/base/base_attr.h"

/* position: byte offset in the input, 0-based; text: one sentence without a full stop. */
struct base_diag {
    size_t position;
    char text[200];
};

/* Fills `diag` (may be NULL) and returns `code`, so that a parser can say
 * `return base_diag_set(diag, at, BASE_ERR_SYNTAX, "...")`. */
int base_diag_set(struct base_diag *diag, size_t position, int code, const char *format, ...)
    BASE_PRINTF(4, 5);

#endif
