/*
 * base_attr.h - compiler attributes under names of our own.
 */
#ifndef CORE_BASE_BASE_ATTR_H
#define CORE_BASE_BASE_ATTR_H

#define BASE_PRINTF(text_at, first) __attribute__((format(printf, text_at, first)))
#define BASE_INLINE static inline __attribute__((always_inline))
#define BASE_NOINLINE __attribute__((noinline))
#define BASE_NORETURN __attribute__((noreturn))
#define BASE_COLD __attribute__((cold))
#define BASE_MUST_USE __attribute__((warn_unused_result))
#define BASE_LIKELY(x) __builtin_expect(!!(x), 1)
#define BASE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define BASE_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define BASE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Size of a cache line of every machine we build for; data written by different threads stays that
 * far apart. */
#define BASE_CACHE_LINE 64

#endif
