/*
 * support_suite.h - the main program of a unit test that is one list of tests.
 */
#ifndef TESTS_SUPPORT_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUPPORT_SUITE_H

#include <check.h>
#include <stddef.h>

/* Runs all `tests` as the suite `name`; setup and teardown (may be NULL) run around each of them in
 * its own process, `seconds` is the time that each may take. Returns the exit status: 0, or 1 if a
 * test failed. CYCLOSOLVE_ONLY=PART in the environment: only tests whose names contain it. */
int support_suite_run(const char *name, const TTest *const *tests, size_t n, SFun setup,
                      SFun teardown, double seconds);

/* The same, but setup and teardown run once, before and after all tests, which start from copies of
 * what setup left. */
int support_suite_run_shared(const char *name, const TTest *const *tests, size_t n, SFun setup,
                             SFun teardown, double seconds);

#endif
