/*
 * support_bench.c - see support_bench.h.
 */
#include "tests/support/support_bench.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/base_clock.h"
#include "core/base/base_hash.h"
#include "tests/support/support_directory.h"

static void (*bench_body)(void);

START_TEST(bench)
{
    bench_body();
}
END_TEST

int support_bench_main(void (*body)(void))
{
    Suite *suite = suite_create("bench");
    TCase *cases = tcase_create("all");
    bench_body = body;
    setvbuf(stdout, NULL, _IOLBF, 0);
    tcase_add_test(cases, bench);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    support_directory_begin();
    srunner_run_all(runner, CK_SILENT);
    support_directory_end();
    int failed = srunner_ntests_failed(runner);
    if (failed) {
        TestResult **results = srunner_failures(runner);
        fprintf(stderr, "%s:%d: %s\n", tr_lfile(results[0]), tr_lno(results[0]),
                tr_msg(results[0]));
        free(results);
    }
    srunner_free(runner);
    return failed ? 1 : 0;
}

double support_bench_since(uint64_t began_ns)
{
    return base_clock_seconds(base_clock_ns() - began_ns);
}

void support_bench_add(struct support_bench_times *times, double seconds)
{
    ck_assert_uint_lt(times->count, SUPPORT_BENCH_RUNS);
    times->seconds[times->count++] = seconds;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double support_bench_median(struct support_bench_times *times)
{
    ck_assert_uint_gt(times->count, 0);
    qsort(times->seconds, times->count, sizeof *times->seconds, compare);
    return times->seconds[times->count / 2];
}

uint64_t support_bench_hash(const struct engine_result *result)
{
    uint64_t hash = base_hash_mix(result->lower_bound, (uint64_t)(int64_t)result->length);
    if (result->length >= 0)
        hash = base_hash_mix(hash, base_hash(result->best.move, result->best.length, 0));
    for (unsigned i = 0; i < result->n_counts; i++) {
        hash = base_hash_mix(hash, result->count[i].sequences);
        hash = base_hash_mix(hash, result->count[i].canonical);
        hash = base_hash_mix(hash, result->count[i].classes);
    }
    return hash;
}
