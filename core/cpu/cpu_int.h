/*
 * cpu_int.h - parts of the folder that tests look at.
 */
#ifndef CORE_CPU_CPU_INT_H
#define CORE_CPU_CPU_INT_H

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

#endif
