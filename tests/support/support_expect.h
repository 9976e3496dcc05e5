/*
 * support_expect.h - an assertion for inner loops: check's own write a mark to a file even when
 * they succeed.
 */
#ifndef TESTS_SUPPORT_SUPPORT_EXPECT_H
#define TESTS_SUPPORT_SUPPORT_EXPECT_H

#include <check.h>

#define SUPPORT_EXPECT(x)                                                                          \
    do {                                                                                           \
        if (!(x))                                                                                  \
            ck_abort_msg("expected: %s", #x);                                                      \
    } while (0)

#endif
