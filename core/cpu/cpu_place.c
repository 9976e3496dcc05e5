/*
 * cpu_place.c - affinity of threads, and the kernel's memory policies, which the C library does not
 * wrap.
 */
#include "core/cpu/cpu_place.h"

#include <limits.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/base_attr.h"
#include "core/cpu/cpu_int.h"

enum { WORD_BITS = CHAR_BIT * sizeof(unsigned long), MASK_BITS = CPU__NODE_WORDS * WORD_BITS };

/* The nth bit of the set, counted round; -1: it is empty. */
static int nth_processor(const cpu_set_t *set, size_t bytes, int processors, unsigned nth)
{
    int count = CPU_COUNT_S(bytes, set);
    int left = count > 0 ? (int)(nth % (unsigned)count) : 0;
    for (int processor = 0; count > 0 && processor < processors; processor++)
        if (CPU_ISSET_S((size_t)processor, bytes, set) && left-- == 0)
            return processor;
    return -1;
}

bool cpu_place_pin(unsigned nth)
{
    const int processors = CPU__MOST_PROCESSORS;
    const size_t bytes = CPU_ALLOC_SIZE(processors);
    cpu_set_t *set = CPU_ALLOC(processors);
    bool pinned = false;

    if (set && sched_getaffinity(0, bytes, set) == 0) {
        int processor = nth_processor(set, bytes, processors, nth);
        if (processor >= 0) {
            CPU_ZERO_S(bytes, set);
            CPU_SET_S((size_t)processor, bytes, set);
            pinned = sched_setaffinity(0, bytes, set) == 0;
        }
    }
    CPU_FREE(set);
    return pinned;
}

unsigned cpu__place_nodes(unsigned long nodes[CPU__NODE_WORDS])
{
    unsigned count = 0;

    memset(nodes, 0, CPU__NODE_WORDS * sizeof *nodes);
    if (syscall(SYS_get_mempolicy, NULL, nodes, (unsigned long)MASK_BITS, NULL,
                MPOL_F_MEMS_ALLOWED) != 0)
        return 0;
    for (unsigned i = 0; i < CPU__NODE_WORDS; i++)
        count += (unsigned)__builtin_popcountl(nodes[i]);
    return count;
}

bool cpu__place_interleave(void *at, size_t bytes, const unsigned long nodes[CPU__NODE_WORDS])
{
    return syscall(SYS_mbind, at, bytes, MPOL_INTERLEAVE, nodes, (unsigned long)MASK_BITS, 0) == 0;
}

bool cpu_place_spread(void *at, size_t bytes)
{
    unsigned long nodes[CPU__NODE_WORDS];

    return cpu__place_nodes(nodes) > 1 && cpu__place_interleave(at, bytes, nodes);
}
