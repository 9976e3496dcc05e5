/*
 * base_assert.h - three tiers of assertions.
 *
 *   BASE_ASSERT(x)  always on and fatal: going on would risk a wrong answer
 *   BASE_DEBUG(x)   in debug and CI builds only (CYCLOSOLVE_DEBUG): too hot to keep
 *   BASE_EXPECT(x)  counts and continues: "cannot happen", but the service is better off alive.
 *                   The value is that of `x`; base_expect_failures() is exported as a metric.
 */
#ifndef CORE_BASE_BASE_ASSERT_H
#define CORE_BASE_BASE_ASSERT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/base_attr.h"

BASE_NORETURN BASE_COLD void base_assert_failed(const char *expression, const char *file, int line);
BASE_COLD bool base_expect_failed(const char *expression, const char *file, int line);

/* How often a BASE_EXPECT failed since the process started. */
uint64_t base_expect_failures(void);

#define BASE_ASSERT(x) (BASE_LIKELY(x) ? (void)0 : base_assert_failed(#x, __FILE__, __LINE__))

#ifdef CYCLOSOLVE_DEBUG
#define BASE_DEBUG(x) BASE_ASSERT(x)
#else
#define BASE_DEBUG(x) ((void)0)
#endif

#define BASE_EXPECT(x) (BASE_LIKELY(x) ? true : base_expect_failed(#x, __FILE__, __LINE__))

#endif
