/*
 * cpu_host.h - how much of the host the process may use.
 *
 * A container sees the processors and the memory of the whole host; what it may use is written in
 * its control groups. Both are read afresh at each call, they can change while we run.
 */
#ifndef CORE_CPU_CPU_HOST_H
#define CORE_CPU_CPU_HOST_H

#include <stdint.h>

/* Processors that can work for us at the same time: at most those of the affinity mask, and at most
 * the quotas of the control groups (cpu.max, or cpu.cfs_* of version 1), rounded up. At least 1. */
unsigned cpu_host_processors(void);

/* Bytes of memory we may fill: the least of physical memory and of the limits of the control groups
 * up to the root (memory.max and memory.high, or memory.limit_in_bytes of version 1). */
uint64_t cpu_host_memory(void);

#endif
