/*
 * base_clock.c - time from the three clocks of POSIX that matter here.
 */
#include "core/base/base_clock.h"

#include <time.h>

#include "core/base/base_assert.h"

static struct timespec now(clockid_t clock)
{
    struct timespec time;
    BASE_ASSERT(clock_gettime(clock, &time) == 0); /* fails only for an unknown clock */
    return time;
}

static uint64_t nanoseconds(struct timespec time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t base_clock_ns(void)
{
    return nanoseconds(now(CLOCK_MONOTONIC));
}

uint64_t base_clock_thread_cpu_ns(void)
{
    return nanoseconds(now(CLOCK_THREAD_CPUTIME_ID));
}

int64_t base_clock_unix_us(void)
{
    struct timespec time = now(CLOCK_REALTIME);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}
