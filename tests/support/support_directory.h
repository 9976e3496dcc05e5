/*
 * support_directory.h - fresh directories for tests, removed even when a test fails.
 *
 * A test that fails or crashes ends its process without tearing down, so the process that runs the
 * tests removes what theirs have made: all names carry its number.
 */
#ifndef TESTS_SUPPORT_SUPPORT_DIRECTORY_H
#define TESTS_SUPPORT_SUPPORT_DIRECTORY_H

enum { SUPPORT_DIRECTORY_SIZE = 80 };

/* A fresh directory in shared memory, if there is any; and its removal with all that is in it. */
void support_directory_make(char path[SUPPORT_DIRECTORY_SIZE]);
void support_directory_remove(const char *path);

/* Before the first test, and after the last, in the process that runs them. */
void support_directory_begin(void);
void support_directory_end(void);

#endif
