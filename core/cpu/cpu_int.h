/*
 * cpu_int.h - parts of the folder that tests look at.
 */
#ifndef CORE_CPU_CPU_INT_H
#define CORE_CPU_CPU_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cpu/cpu.h"

/* What the processor reports, without regard to what builds on what. */
uint32_t cpu__detect_raw(void);

/* Drops every feature of which a prerequisite is missing. */
uint32_t cpu__close(uint32_t bits);

/* Limits of the control groups the process is in, UINT64_MAX or UINT_MAX: none. `root` is put
 * before /proc and before the mount points: "" for the host, a folder in tests. */
uint64_t cpu__cgroup_memory(const char *root);
unsigned cpu__cgroup_processors(const char *root);

/* Processors that an affinity mask of ours has room for; the kernel's own maximum is smaller. */
enum { CPU__MOST_PROCESSORS = 1 << 16 };

/* Bits of memory nodes, 1024 of them, the kernel's maximum. */
enum { CPU__NODE_WORDS = 1024 / (8 * sizeof(unsigned long)) };

/* The memory nodes that we may use; returns their number, 0: the kernel does not say. */
unsigned cpu__place_nodes(unsigned long nodes[CPU__NODE_WORDS]);
/* As cpu_place_spread, over these nodes. */
bool cpu__place_interleave(void *at, size_t bytes, const unsigned long nodes[CPU__NODE_WORDS]);

#endif
