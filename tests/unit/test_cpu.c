/*
 * test_cpu.c - processor features, and the limits of the host read from made-up /proc trees.
 */
#include <ftw.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "core/cpu/cpu.h"
#include "core/cpu/cpu_host.h"
#include "core/cpu/cpu_int.h"
#include "core/cpu/cpu_place.h"
#include "tests/support/support_suite.h"

#define ALL ((UINT32_C(1) << CPU_FEATURE_COUNT) - 1)

/* ---- features ------------------------------------------------------------------------- */

START_TEST(detection_is_closed_and_repeatable)
{
    struct cpu_features features = cpu_detect();
    ck_assert_uint_eq(cpu__close(features.bits), features.bits);
    ck_assert_uint_eq(cpu_detect().bits, features.bits);
#if defined(__x86_64__)
    ck_assert(!cpu_has(features, CPU_NEON));
    ck_assert_int_eq(cpu_has(features, CPU_BMI2), __builtin_cpu_supports("bmi2") != 0);
    ck_assert_int_eq(cpu_has(features, CPU_AVX2), __builtin_cpu_supports("avx2") != 0);
    ck_assert_int_eq(cpu_has(features, CPU_AVX512), __builtin_cpu_supports("avx512bw") &&
                                                        __builtin_cpu_supports("avx512vl") &&
                                                        __builtin_cpu_supports("avx512dq"));
    ck_assert_int_eq(cpu_has(features, CPU_AVX512_VBMI), __builtin_cpu_supports("avx512vbmi") != 0);
#endif
}
END_TEST

START_TEST(closing_drops_what_lacks_its_base)
{
    ck_assert_uint_eq(cpu__close(ALL), ALL);
    ck_assert_uint_eq(cpu__close(0), 0);
    ck_assert_uint_eq(cpu__close(ALL & ~(uint32_t)CPU_BMI2), CPU_NEON);
    ck_assert_uint_eq(cpu__close(ALL & ~(uint32_t)CPU_AVX2), CPU_BMI2 | CPU_NEON);
    ck_assert_uint_eq(cpu__close(CPU_AVX512_VBMI), 0);
    for (uint32_t bits = 0; bits <= ALL; bits++)
        ck_assert_uint_eq(cpu__close(cpu__close(bits)), cpu__close(bits));
}
END_TEST

START_TEST(features_can_be_left_out)
{
    static const struct {
        const char *names;
        uint32_t left;
    } cases[] = {
        {NULL, ALL},
        {"", ALL},
        {"  ", ALL},
        {"neon", ALL & ~(uint32_t)CPU_NEON},
        {"avx512vbmi", ALL & ~(uint32_t)CPU_AVX512_VBMI},
        {"avx512", CPU_BMI2 | CPU_AVX2 | CPU_NEON},
        {" avx2 ,\tneon ", CPU_BMI2},
        {"bmi2,neon", 0},
        {"neon,neon", ALL & ~(uint32_t)CPU_NEON},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct cpu_features features = {ALL};
        ck_assert_int_eq(cpu_leave_out(&features, cases[i].names, NULL), 0);
        ck_assert_uint_eq(features.bits, cases[i].left);
    }
}
END_TEST

START_TEST(unknown_names_are_refused)
{
    static const struct {
        const char *names;
        size_t position;
    } cases[] = {
        {"avx", 0},  {"avx2,", 5},     {",avx2", 0},     {"avx2,,neon", 5}, {"avx2 neon", 0},
        {"AVX2", 0}, {"neon,sse9", 5}, {"avx2;neon", 0}, {"avx22", 0},      {" , ", 0},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct cpu_features features = {ALL};
        struct base_diag diag = {0};
        ck_assert_int_eq(cpu_leave_out(&features, cases[i].names, &diag), BASE_ERR_RANGE);
        ck_assert_uint_eq(diag.position, cases[i].position);
        ck_assert_ptr_nonnull(strstr(diag.text, "known are bmi2, avx2, avx512"));
        ck_assert_uint_eq(features.bits, ALL);
    }
}
END_TEST

START_TEST(long_unknown_names_fit)
{
    struct cpu_features features = {ALL};
    struct base_diag diag;
    char names[2000];
    memset(names, 'x', sizeof names - 1);
    names[sizeof names - 1] = '\0';
    ck_assert_int_eq(cpu_leave_out(&features, names, &diag), BASE_ERR_RANGE);
    ck_assert_ptr_nonnull(strstr(diag.text, "neon"));
}
END_TEST

START_TEST(features_are_printed)
{
    char text[64];
    ck_assert_int_eq(cpu_print((struct cpu_features){0}, text, sizeof text), 4);
    ck_assert_str_eq(text, "none");
    ck_assert_int_eq(cpu_print((struct cpu_features){CPU_BMI2 | CPU_AVX2}, text, sizeof text), 9);
    ck_assert_str_eq(text, "bmi2 avx2");
    ck_assert_int_eq(cpu_print((struct cpu_features){ALL}, text, 8), 32);
    ck_assert_str_eq(text, "bmi2 av");
    ck_assert_int_eq(cpu_print((struct cpu_features){ALL}, NULL, 0), 32);
}
END_TEST

/* ---- host ----------------------------------------------------------------------------- */

START_TEST(host_is_usable)
{
    ck_assert_uint_ge(cpu_host_processors(), 1);
    ck_assert_uint_le(cpu_host_processors(), (unsigned)sysconf(_SC_NPROCESSORS_CONF));
    ck_assert_uint_ge(cpu_host_memory(), 1 << 20);
    ck_assert_uint_le(cpu_host_memory(),
                      (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
}
END_TEST

/* A folder that plays the root of a host. */
static char root[64];

static void make_root(void)
{
    snprintf(root, sizeof root, "/tmp/test_cpu.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
}

/* Writes root/path, making its folders. */
static void put(const char *path, const char *text)
{
    char full[512];
    FILE *file;

    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    file = fopen(full, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    return remove(path);
}

static void remove_root(void)
{
    nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#define V2_MOUNT "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"

START_TEST(without_control_groups_there_is_no_limit)
{
    ck_assert_uint_eq(cpu__cgroup_memory(root), UINT64_MAX);
    ck_assert_uint_eq(cpu__cgroup_processors(root), UINT_MAX);
    put("/proc/self/cgroup", "0::/job\n");
    put("/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n" V2_MOUNT);
    ck_assert_uint_eq(cpu__cgroup_memory(root), UINT64_MAX);
    ck_assert_uint_eq(cpu__cgroup_processors(root), UINT_MAX);
}
END_TEST

START_TEST(the_least_limit_up_to_the_mount_point_counts)
{
    put("/proc/self/cgroup", "0::/slice/job\n");
    put("/proc/self/mountinfo", V2_MOUNT);
    put("/sys/fs/cgroup/slice/job/memory.max", "max\n");
    put("/sys/fs/cgroup/slice/job/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/slice/memory.max", "8388608\n");
    put("/sys/fs/cgroup/slice/cpu.max", "350000 100000\n");
    put("/sys/fs/cgroup/memory.max", "9000000\n");
    put("/sys/fs/cgroup/cpu.max", "500000 100000\n");
    put("/sys/fs/memory.max", "1\n"); /* above the mount point: not ours */
    ck_assert_uint_eq(cpu__cgroup_memory(root), 8388608);
    ck_assert_uint_eq(cpu__cgroup_processors(root), 4); /* 3.5, rounded up */
    put("/sys/fs/cgroup/slice/job/memory.high", "4194304\n");
    ck_assert_uint_eq(cpu__cgroup_memory(root), 4194304);
    put("/sys/fs/cgroup/slice/job/cpu.max", "1000 100000\n");
    ck_assert_uint_eq(cpu__cgroup_processors(root), 1);
}
END_TEST

START_TEST(a_container_sees_part_of_the_tree)
{
    put("/proc/self/cgroup", "0::/docker/1f/inner\n");
    put("/proc/self/mountinfo",
        "31 24 0:26 /docker/1f /sys/fs/cgroup ro - cgroup2 cgroup rw,nsdelegate\n");
    put("/sys/fs/cgroup/inner/memory.max", "300\n");
    put("/sys/fs/cgroup/memory.max", "200\n");
    ck_assert_uint_eq(cpu__cgroup_memory(root), 200);
}
END_TEST

START_TEST(a_group_outside_of_what_is_mounted_counts_as_the_mount_point)
{
    put("/proc/self/cgroup", "0::/../../other\n");
    put("/proc/self/mountinfo", V2_MOUNT);
    put("/sys/fs/cgroup/memory.max", "200\n");
    ck_assert_uint_eq(cpu__cgroup_memory(root), 200);
    put("/proc/self/cgroup", "0::/docker/1fff\n");
    put("/proc/self/mountinfo", "31 24 0:26 /docker/1f /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    ck_assert_uint_eq(cpu__cgroup_memory(root), 200);
}
END_TEST

START_TEST(version_1_is_read)
{
    put("/proc/self/cgroup", "5:cpu,cpuacct:/box\n4:memory:/box\n1:name=systemd:/\n0::/\n");
    put("/proc/self/mountinfo",
        "32 24 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
        "33 24 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    put("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n");
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "150000\n");
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "50000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    ck_assert_uint_eq(cpu__cgroup_memory(root), 1000000);
    ck_assert_uint_eq(cpu__cgroup_processors(root), 3);
}
END_TEST

START_TEST(nonsense_sets_no_limit)
{
    put("/proc/self/cgroup", "\n::\nx\n0:\n0::/\n");
    put("/proc/self/mountinfo", "\n - \n1 2 3 - cgroup2\n" V2_MOUNT);
    put("/sys/fs/cgroup/memory.max", "-1\n");
    put("/sys/fs/cgroup/memory.high", "");
    put("/sys/fs/cgroup/cpu.max", "0 0\n");
    ck_assert_uint_eq(cpu__cgroup_memory(root), UINT64_MAX);
    ck_assert_uint_eq(cpu__cgroup_processors(root), UINT_MAX);
    put("/sys/fs/cgroup/cpu.max", "9223372036854775807 1\n");
    ck_assert_uint_eq(cpu__cgroup_processors(root), UINT_MAX);
}
END_TEST

/* ---- places ----------------------------------------------------------------------------- */

/* The processors that the thread may use. */
static cpu_set_t allowed(void)
{
    cpu_set_t set;
    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

static void *pin_here(void *arg)
{
    cpu_set_t *set = arg;
    bool pinned = cpu_place_pin(*(unsigned *)arg);
    *set = allowed();
    return pinned ? set : NULL;
}

/* What is left to a new thread that is pinned to the nth. */
static cpu_set_t pin(unsigned nth)
{
    cpu_set_t set;
    pthread_t thread;
    void *pinned;
    memcpy(&set, &nth, sizeof nth);
    ck_assert_int_eq(pthread_create(&thread, NULL, pin_here, &set), 0);
    pthread_join(thread, &pinned);
    ck_assert_ptr_nonnull(pinned);
    return set;
}

START_TEST(threads_are_pinned_one_after_the_other)
{
    const cpu_set_t all = allowed();
    const unsigned count = (unsigned)CPU_COUNT(&all);
    cpu_set_t together, again;
    CPU_ZERO(&together);
    for (unsigned nth = 0; nth < count; nth++) {
        cpu_set_t set = pin(nth);
        ck_assert_int_eq(CPU_COUNT(&set), 1);
        CPU_OR(&together, &together, &set);
        again = pin(nth + count);
        ck_assert(CPU_EQUAL(&set, &again));
    }
    ck_assert(CPU_EQUAL(&together, &all));
    cpu_set_t still = allowed();
    ck_assert(CPU_EQUAL(&still, &all));
}
END_TEST

START_TEST(memory_is_spread_over_nodes)
{
    unsigned long nodes[CPU__NODE_WORDS];
    const size_t bytes = 1 << 20;
    unsigned count = cpu__place_nodes(nodes);
    int policy = -1;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(at, MAP_FAILED);
    if (count == 0) { /* a kernel without memory nodes */
        ck_assert(!cpu_place_spread(at, bytes));
    } else if (cpu__place_interleave(at, bytes, nodes)) { /* a container may not let us */
        ck_assert_int_eq(syscall(SYS_get_mempolicy, &policy, NULL, 0UL, at, MPOL_F_ADDR), 0);
        ck_assert_int_eq(policy, MPOL_INTERLEAVE);
        ck_assert(cpu_place_spread(at, bytes) == (count > 1));
    }
    memset(at, 1, bytes);
    munmap(at, bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        detection_is_closed_and_repeatable,
        closing_drops_what_lacks_its_base,
        features_can_be_left_out,
        unknown_names_are_refused,
        long_unknown_names_fit,
        features_are_printed,
        host_is_usable,
        without_control_groups_there_is_no_limit,
        the_least_limit_up_to_the_mount_point_counts,
        a_container_sees_part_of_the_tree,
        a_group_outside_of_what_is_mounted_counts_as_the_mount_point,
        version_1_is_read,
        nonsense_sets_no_limit,
        threads_are_pinned_one_after_the_other,
        memory_is_spread_over_nodes,
    };
    return support_suite_run("cpu", tests, BASE_COUNT(tests), make_root, remove_root, 10);
}
