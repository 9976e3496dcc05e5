/*
 * base_assert.c - what happens when an assertion fails.
 */
#include "core/base/base_assert.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The one counter of the process: it belongs to the program text, not to an engine, because a
 * BASE_EXPECT may stand anywhere. Relaxed: it is only ever read as a metric. */
static _Atomic uint64_t expect_failures;

void base_assert_failed(const char *expression, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
    fflush(stderr);
    abort();
}

bool base_expect_failed(const char *expression, const char *file, int line)
{
    /* Only the first few are printed, a loop of them must not flood the log. */
    if (atomic_fetch_add_explicit(&expect_failures, 1, memory_order_relaxed) < 10)
        fprintf(stderr, "%s:%d: expectation failed: %s\n", file, line, expression);
    return false;
}

uint64_t base_expect_failures(void)
{
    return atomic_load_explicit(&expect_failures, memory_order_relaxed);
}
