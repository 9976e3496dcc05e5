/*
 * support_mount.c - see support_mount.h.
 */
#include "tests/support/support_mount.h"

#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool good = fputs(text, file) >= 0;
    return fclose(file) == 0 && good;
}

static bool may_mount(void)
{
    char users[32], groups[32];
    snprintf(users, sizeof users, "0 %u 1", (unsigned)geteuid());
    snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getegid());
    if (unshare(CLONE_NEWNS) == 0)
        return true;
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
           write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/uid_map", users) &&
           write_text("/proc/self/gid_map", groups);
}

bool support_mount(const char *type, const char *directory, const char *options)
{
    if (!may_mount())
        return false;
    (void)mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
    return mount("test", directory, type, 0, options) == 0;
}

int support_mount_run(const char *name, int (*body)(void))
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(body());
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "%s: killed by signal %d", name, WTERMSIG(status));
    if (WEXITSTATUS(status) == SUPPORT_MOUNT_SKIPPED)
        printf("%s: skipped, this machine does not allow it\n", name);
    return WEXITSTATUS(status);
}
