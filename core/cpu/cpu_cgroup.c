/*
 * cpu_cgroup.c - limits of the control groups, version 2 and version 1.
 *
 * /proc/self/cgroup tells in which group of each hierarchy the process is, /proc/self/mountinfo
 * where the hierarchies are mounted and from which group on (a container often sees only a part):
 *
 *     0::/system.slice/job                                   version 2
 *     4:memory:/docker/1f                                    version 1, by controllers
 *     30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
 *     31 24 0:27 /docker/1f /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
 *
 * A limit holds for all groups below it, so the search walks from our group up to the mount point
 * and takes the least. What cannot be read sets no limit.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu/cpu_int.h"

enum { PATH_BYTES = 4096 };

/* A group of one hierarchy. The path is cut shorter on the way up, never below `top`. */
struct group {
    char path[PATH_BYTES];
    size_t top; /* length of the mount point, with `root` before it */
};

/* Is `word` one of the comma-separated words of `list`? */
static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (;;) {
        size_t item = strcspn(list, ",\n");
        if (item == length && memcmp(list, word, length) == 0)
            return true;
        if (list[item] != ',')
            return false;
        list += item + 1;
    }
}

/* Calls `visit` for the lines of root/path until it returns true; was there such a line? */
static bool find_line(const char *root, const char *path, const char *controller,
                      bool (*visit)(const char *line, const char *controller, void *out), void *out)
{
    char full[PATH_BYTES];
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    FILE *file;

    snprintf(full, sizeof full, "%s%s", root, path);
    file = fopen(full, "re");
    if (!file)
        return false;
    while (!found && getline(&line, &size, file) >= 0)
        found = visit(line, controller, out);
    free(line);
    fclose(file);
    return found;
}

/* A line of /proc/self/cgroup: "ID:CONTROLLERS:PATH". An empty controller means version 2. */
static bool read_membership(const char *line, const char *controller, void *out)
{
    const char *controllers = strchr(line, ':');
    const char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    char words[256];

    if (!path || path - controllers > (ptrdiff_t)sizeof words)
        return false;
    snprintf(words, sizeof words, "%.*s", (int)(path - controllers - 1), controllers + 1);
    if (!lists(words, controller))
        return false;
    snprintf(out, PATH_BYTES, "%.*s", (int)strcspn(path + 1, "\n"), path + 1);
    return true;
}

struct mount {
    char from[PATH_BYTES]; /* group at the mount point */
    char at[PATH_BYTES];
};

/* A line of /proc/self/mountinfo; proc(5) describes it. */
static bool read_mount(const char *line, const char *controller, void *out)
{
    struct mount *mount = out;
    const char *tail = strstr(line, " - ");
    char type[32], options[PATH_BYTES];

    if (!tail || sscanf(tail, " - %31s %*s %4095s", type, options) != 2 ||
        sscanf(line, "%*s %*s %*s %4095s %4095s", mount->from, mount->at) != 2)
        return false;
    return *controller ? strcmp(type, "cgroup") == 0 && lists(options, controller)
                       : strcmp(type, "cgroup2") == 0;
}

/* Our group in the hierarchy with this controller ("": version 2). */
static bool find_group(const char *root, const char *controller, struct group *out)
{
    char member[PATH_BYTES];
    struct mount mount;
    const char *below = member;
    size_t from;
    int length;

    if (!find_line(root, "/proc/self/cgroup", controller, read_membership, member) ||
        !find_line(root, "/proc/self/mountinfo", controller, read_mount, &mount))
        return false;
    from = strcmp(mount.from, "/") == 0 ? 0 : strlen(mount.from);
    if (strncmp(member, mount.from, from) == 0 && (member[from] == '/' || !member[from]))
        below = member + from;
    else
        below = ""; /* named from outside of what is mounted: the mount point is all we see */
    if (strstr(below, "/.."))
        below = ""; /* likewise, in a namespace of control groups */
    out->top = strlen(root) + strlen(mount.at);
    length = snprintf(out->path, sizeof out->path, "%s%s%s", root, mount.at, below);
    return length > 0 && (size_t)length < sizeof out->path;
}

/* One level up; false: we were at the mount point. */
static bool go_up(struct group *group)
{
    char *slash = strrchr(group->path, '/');
    if (!slash || (size_t)(slash - group->path) < group->top)
        return false;
    *slash = '\0';
    return true;
}

/* First line of a file of the group; "" if it cannot be read. */
static void read_limit(const struct group *group, const char *name, char *out, int size)
{
    char path[PATH_BYTES + 64];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", group->path, name);
    file = fopen(path, "re");
    if (!file || !fgets(out, size, file))
        *out = '\0';
    if (file)
        fclose(file);
}

/* ---- memory --------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* "max", "-1" or a text that is no number sets no limit. */
static uint64_t memory_limit(const struct group *group, const char *name)
{
    char text[64];
    uint64_t bytes;
    read_limit(group, name, text, sizeof text);
    return *text != '-' && sscanf(text, "%" SCNu64, &bytes) == 1 ? bytes : UINT64_MAX;
}

uint64_t cpu__cgroup_memory(const char *root)
{
    struct group group;
    uint64_t limit = UINT64_MAX;

    if (find_group(root, "", &group)) {
        do {
            limit = least(limit, memory_limit(&group, "memory.max"));
            limit = least(limit, memory_limit(&group, "memory.high"));
        } while (go_up(&group));
    }
    if (find_group(root, "memory", &group)) {
        do
            limit = least(limit, memory_limit(&group, "memory.limit_in_bytes"));
        while (go_up(&group));
    }
    return limit;
}

/* ---- processors ----------------------------------------------------------------------- */

/* Processors for `quota` microseconds of work in every `period`, rounded up. */
static unsigned processors_of(int64_t quota, int64_t period)
{
    int64_t count;
    if (quota <= 0 || period <= 0)
        return UINT_MAX;
    count = quota / period + (quota % period != 0);
    return count < UINT_MAX ? (unsigned)count : UINT_MAX;
}

static unsigned quota_v2(const struct group *group)
{
    char text[64];
    int64_t quota, period;
    read_limit(group, "cpu.max", text, sizeof text);
    if (sscanf(text, "%" SCNd64 " %" SCNd64, &quota, &period) != 2) /* "max 100000" */
        return UINT_MAX;
    return processors_of(quota, period);
}

static unsigned quota_v1(const struct group *group)
{
    char quota_text[64], period_text[64];
    int64_t quota, period;
    read_limit(group, "cpu.cfs_quota_us", quota_text, sizeof quota_text);
    read_limit(group, "cpu.cfs_period_us", period_text, sizeof period_text);
    if (sscanf(quota_text, "%" SCNd64, &quota) != 1 ||
        sscanf(period_text, "%" SCNd64, &period) != 1)
        return UINT_MAX;
    return processors_of(quota, period);
}

static unsigned least_quota(const char *root, const char *controller,
                            unsigned (*quota_of)(const struct group *))
{
    struct group group;
    unsigned limit = UINT_MAX;

    if (!find_group(root, controller, &group))
        return limit;
    do {
        unsigned quota = quota_of(&group);
        limit = quota < limit ? quota : limit;
    } while (go_up(&group));
    return limit;
}

unsigned cpu__cgroup_processors(const char *root)
{
    unsigned v2 = least_quota(root, "", quota_v2), v1 = least_quota(root, "cpu", quota_v1);
    return v2 < v1 ? v2 : v1;
}
