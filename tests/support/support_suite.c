/*
 * support_suite.c - see support_suite.h.
 */
#include "tests/support/support_suite.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/support_directory.h"

static int run(const char *name, TCase *cases, const TTest *const *tests, size_t n, double seconds)
{
    const char *only = getenv("CYCLOSOLVE_ONLY");
    Suite *suite = suite_create(name);

    tcase_set_timeout(cases, seconds);
    for (size_t i = 0; i < n; i++)
        if (!only || strstr(tests[i]->name, only))
            tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);

    SRunner *runner = srunner_create(suite);
    support_directory_begin();
    srunner_run_all(runner, CK_NORMAL);
    support_directory_end();
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}

int support_suite_run(const char *name, const TTest *const *tests, size_t n, SFun setup,
                      SFun teardown, double seconds)
{
    TCase *cases = tcase_create("all");

    tcase_add_checked_fixture(cases, setup, teardown);
    return run(name, cases, tests, n, seconds);
}

int support_suite_run_shared(const char *name, const TTest *const *tests, size_t n, SFun setup,
                             SFun teardown, double seconds)
{
    TCase *cases = tcase_create("all");

    tcase_add_unchecked_fixture(cases, setup, teardown);
    return run(name, cases, tests, n, seconds);
}
