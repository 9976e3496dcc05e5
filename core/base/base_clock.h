/*
 * base_clock.h - time.
 */
#ifndef CORE_BASE_BASE_CLOCK_H
#define CORE_BASE_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a clock that never jumps (CLOCK_MONOTONIC). */
uint64_t base_clock_ns(void);

/* Nanoseconds of CPU time of the calling thread. */
uint64_t base_clock_thread_cpu_ns(void);

/* Microseconds since 1970-01-01 UTC. */
int64_t base_clock_unix_us(void);

static inline double base_clock_seconds(uint64_t ns)
{
    return (double)ns * 1e-9;
}

#endif
