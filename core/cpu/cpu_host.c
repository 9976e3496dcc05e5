/*
 * cpu_host.c - processors and memory, the least of what hardware, mask and control groups allow.
 */
#include "core/cpu/cpu_host.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "core/cpu/cpu_int.h"

/* Processors in the affinity mask. The kernel refuses a mask shorter than its own, so the mask
 * grows until it fits. */
static unsigned affinity_count(void)
{
    for (int processors = 1024; processors <= CPU__MOST_PROCESSORS; processors *= 2) {
        size_t bytes = CPU_ALLOC_SIZE(processors);
        cpu_set_t *set = CPU_ALLOC(processors);
        int failed, count;

        if (!set)
            break;
        failed = sched_getaffinity(0, bytes, set) ? errno : 0;
        count = failed ? 0 : CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        if (count > 0)
            return (unsigned)count;
        if (failed != EINVAL)
            break;
    }
    return 1;
}

unsigned cpu_host_processors(void)
{
    unsigned mask = affinity_count(), quota = cpu__cgroup_processors("");
    return quota < mask ? quota : mask;
}

uint64_t cpu_host_memory(void)
{
    uint64_t physical = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t limit = cpu__cgroup_memory("");
    return limit < physical ? limit : physical;
}
