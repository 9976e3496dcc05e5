/*
 * support_mount.h - file systems of a test's own, in a mount namespace that ends with its process.
 */
#ifndef TESTS_SUPPORT_SUPPORT_MOUNT_H
#define TESTS_SUPPORT_SUPPORT_MOUNT_H

#include <stdbool.h>

/* Mounts a new file system for this process and its children only: to be called in a child. False:
 * it is not allowed here, or the kernel has no such type or option. Who is not root becomes root of
 * a user namespace. */
bool support_mount(const char *type, const char *directory, const char *options);

/* Runs `body` in a child, whose exit status it returns: 0 for good, SUPPORT_MOUNT_SKIPPED, else the
 * failed step. Fails the running test if the child is killed; says so on stdout if it skips. */
enum { SUPPORT_MOUNT_SKIPPED = 77 };
int support_mount_run(const char *name, int (*body)(void));

#endif
