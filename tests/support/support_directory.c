/*
 * support_directory.c - see support_directory.h.
 */
#include "tests/support/support_directory.h"

#include <check.h>
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The process that runs the tests; 0: there is none, or none that takes care. */
static pid_t runner;

static const char *base_directory(void)
{
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

static void format_prefix(char prefix[SUPPORT_DIRECTORY_SIZE])
{
    snprintf(prefix, SUPPORT_DIRECTORY_SIZE, "cyclosolve_test.%ld.",
             (long)(runner ? runner : getpid()));
}

void support_directory_make(char path[SUPPORT_DIRECTORY_SIZE])
{
    char prefix[SUPPORT_DIRECTORY_SIZE];
    format_prefix(prefix);
    snprintf(path, SUPPORT_DIRECTORY_SIZE, "%s/%.40sXXXXXX", base_directory(), prefix);
    ck_assert_ptr_nonnull(mkdtemp(path));
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    (void)remove(path);
    return 0;
}

void support_directory_remove(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void support_directory_begin(void)
{
    runner = getpid();
}

void support_directory_end(void)
{
    char prefix[SUPPORT_DIRECTORY_SIZE], path[512];
    const struct dirent *item;
    DIR *listing = opendir(base_directory());
    format_prefix(prefix);
    while (listing && (item = readdir(listing)) != NULL) {
        if (strncmp(item->d_name, prefix, strlen(prefix)) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", base_directory(), item->d_name);
        support_directory_remove(path);
    }
    if (listing)
        closedir(listing);
}
