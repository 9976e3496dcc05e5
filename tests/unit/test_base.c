/*
 * test_base.c - errors, diagnoses, log lines, memory, clocks, hashes, assertions, bits.
 */
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/base_assert.h"
#include "core/base/base_bits.h"
#include "core/base/base_clock.h"
#include "core/base/base_diag.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/base/base_log.h"
#include "core/base/base_mem.h"
#include "tests/support/support_suite.h"

/* ---- errors and diagnoses ------------------------------------------------------------- */

START_TEST(errors_have_names_and_texts)
{
    for (int code = -1; code >= -BASE_ERR_COUNT; code--) {
        ck_assert_str_ne(base_err_name(code), "UNKNOWN");
        ck_assert_uint_gt(strlen(base_err_text(code)), 5);
        for (int other = code - 1; other >= -BASE_ERR_COUNT; other--)
            ck_assert_str_ne(base_err_text(code), base_err_text(other));
    }
    ck_assert_str_eq(base_err_name(BASE_ERR_NOMEM), "NOMEM");
    ck_assert_str_eq(base_err_name(BASE_ERR_INTERNAL), "INTERNAL");
    ck_assert_str_eq(base_err_text(BASE_ERR_BUSY), "the resource is busy");
}
END_TEST

START_TEST(foreign_codes_are_unknown)
{
    const int foreign[] = {1, INT_MAX, INT_MIN, -1 - BASE_ERR_COUNT};
    for (size_t i = 0; i < BASE_COUNT(foreign); i++) {
        ck_assert_str_eq(base_err_name(foreign[i]), "UNKNOWN");
        ck_assert_str_eq(base_err_text(foreign[i]), "unknown error");
    }
    ck_assert_str_eq(base_err_name(0), "OK");
}
END_TEST

START_TEST(diag_is_filled_and_returns_the_code)
{
    struct base_diag diag;
    ck_assert_int_eq(base_diag_set(&diag, 7, BASE_ERR_SYNTAX, "no %s here", "move"),
                     BASE_ERR_SYNTAX);
    ck_assert_uint_eq(diag.position, 7);
    ck_assert_str_eq(diag.text, "no move here");
    ck_assert_int_eq(base_diag_set(NULL, 7, BASE_ERR_RANGE, "%d", 1), BASE_ERR_RANGE);
}
END_TEST

START_TEST(diag_cuts_long_texts)
{
    struct base_diag diag;
    base_diag_set(&diag, 0, BASE_ERR_SYNTAX, "%500s", "x");
    ck_assert_uint_eq(strlen(diag.text), sizeof diag.text - 1);
}
END_TEST

/* ---- log ------------------------------------------------------------------------------ */

struct heard {
    unsigned lines;
    enum base_log_level level;
    char text[2048];
};

static void hear(void *arg, enum base_log_level level, const char *text)
{
    struct heard *heard = arg;
    heard->lines++;
    heard->level = level;
    ck_assert_uint_lt(strlen(text), sizeof heard->text);
    memcpy(heard->text, text, strlen(text) + 1);
}

START_TEST(log_formats_for_the_sink)
{
    struct heard heard = {0};
    struct base_log log = {hear, &heard};
    base_logf(&log, BASE_LOG_WARNING, "%d tables", 3);
    ck_assert_uint_eq(heard.lines, 1);
    ck_assert_int_eq(heard.level, BASE_LOG_WARNING);
    ck_assert_str_eq(heard.text, "3 tables");
}
END_TEST

START_TEST(log_without_sink_is_silent)
{
    struct base_log log = {0};
    base_logf(NULL, BASE_LOG_ERROR, "nobody hears this");
    base_logf(&log, BASE_LOG_ERROR, "nor this");
}
END_TEST

START_TEST(log_marks_a_cut_line)
{
    struct heard heard = {0};
    struct base_log log = {hear, &heard};
    base_logf(&log, BASE_LOG_INFO, "%1023s", "x");
    ck_assert_uint_eq(strlen(heard.text), 1023);
    ck_assert_int_eq(heard.text[1022], 'x');
    base_logf(&log, BASE_LOG_INFO, "%1024s", "x");
    ck_assert_uint_eq(strlen(heard.text), 1023);
    ck_assert_str_eq(heard.text + 1023 - 4, " ...");
}
END_TEST

/* ---- memory --------------------------------------------------------------------------- */

static bool all_zero(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i])
            return false;
    return true;
}

START_TEST(memory_is_aligned_and_zero)
{
    for (size_t alignment = sizeof(void *); alignment <= 4096; alignment *= 2) {
        unsigned char *memory = base_mem_new(1000, alignment);
        ck_assert_ptr_nonnull(memory);
        ck_assert_uint_eq((uintptr_t)memory % alignment, 0);
        ck_assert(all_zero(memory, 1000));
        memset(memory, 0xff, 1000); /* so that memory used again would show */
        base_mem_free(memory);
    }
}
END_TEST

START_TEST(memory_of_no_bytes_can_be_freed)
{
    void *memory = base_mem_new(0, 64);
    ck_assert_ptr_nonnull(memory);
    base_mem_free(memory);
    base_mem_free(NULL);
}
END_TEST

START_TEST(arena_hands_out_disjoint_zeroed_memory)
{
    struct base_arena arena = {0};
    unsigned char *piece[300];

    for (size_t i = 0; i < BASE_COUNT(piece); i++) {
        piece[i] = base_arena_alloc(&arena, i);
        ck_assert_ptr_nonnull(piece[i]);
        ck_assert_uint_eq((uintptr_t)piece[i] % 16, 0);
        ck_assert(all_zero(piece[i], i));
        memset(piece[i], (int)(i & 0xff), i);
    }
    for (size_t i = 0; i < BASE_COUNT(piece); i++)
        for (size_t at = 0; at < i; at++)
            ck_assert_uint_eq(piece[i][at], i & 0xff);
    ck_assert_uint_ge(arena.used, 300 * 299 / 2);
    base_arena_deinit(&arena);
    ck_assert_uint_eq(arena.used, 0);
    ck_assert_ptr_null(arena.head);
}
END_TEST

START_TEST(arena_holds_more_than_a_block)
{
    struct base_arena arena = {0};
    unsigned char *small = base_arena_alloc(&arena, 10);
    unsigned char *large = base_arena_alloc(&arena, 1 << 20);
    memset(large, 1, 1 << 20);
    ck_assert(all_zero(small, 10));
    base_arena_deinit(&arena);
}
END_TEST

START_TEST(arena_refuses_what_cannot_be)
{
    struct base_arena arena = {0};
    ck_assert_ptr_null(base_arena_alloc(&arena, SIZE_MAX));
    ck_assert_ptr_null(base_arena_alloc(&arena, SIZE_MAX - 16));
    ck_assert_ptr_null(base_arena_text(&arena, "", SIZE_MAX));
    ck_assert_uint_eq(arena.used, 0);
    base_arena_deinit(&arena);
}
END_TEST

START_TEST(arena_copies_texts)
{
    struct base_arena arena = {0};
    char source[] = "corners";
    char *copy = base_arena_text(&arena, source, 4);
    source[0] = 'x';
    ck_assert_str_eq(copy, "corn");
    ck_assert_str_eq(base_arena_text(&arena, NULL, 0), "");
    base_arena_deinit(&arena);
}
END_TEST

/* ---- clocks --------------------------------------------------------------------------- */

START_TEST(monotonic_clock_measures_sleep)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    uint64_t start = base_clock_ns();
    nanosleep(&nap, NULL);
    ck_assert_uint_ge(base_clock_ns() - start, 20000000);
    ck_assert_double_eq(base_clock_seconds(1500000000), 1.5);
}
END_TEST

START_TEST(thread_clock_does_not_count_sleep)
{
    const struct timespec nap = {.tv_nsec = 50000000};
    uint64_t start = base_clock_thread_cpu_ns(), slept;
    volatile unsigned work = 0;

    nanosleep(&nap, NULL);
    slept = base_clock_thread_cpu_ns() - start;
    ck_assert_uint_lt(slept, 40000000);
    for (unsigned i = 0; i < 10000000; i++)
        work = work + i;
    ck_assert_uint_ne(work, 0);
    ck_assert_uint_gt(base_clock_thread_cpu_ns() - start, slept);
}
END_TEST

START_TEST(unix_clock_agrees_with_time)
{
    int64_t before = (int64_t)time(NULL) - 1, now = base_clock_unix_us() / 1000000;
    ck_assert_int_ge(now, before);
    ck_assert_int_le(now, (int64_t)time(NULL) + 1);
}
END_TEST

/* ---- hashes --------------------------------------------------------------------------- */

/* The digest of no bytes is published with XXH3's own tests; the rest pins ours, because it is part
 * of file names and checksums. */
START_TEST(hash_is_stable)
{
    ck_assert_uint_eq(base_hash(NULL, 0, 0), UINT64_C(0x2d06800538d394c2));
    ck_assert_uint_ne(base_hash("corners", 7, 0), base_hash("corners", 7, 1));
    ck_assert_uint_ne(base_hash("corners", 7, 0), base_hash("corners", 6, 0));
    ck_assert_uint_eq(base_hash_mix(5, UINT64_C(0x0807060504030201)),
                      base_hash("\1\2\3\4\5\6\7\10", 8, 5));
    ck_assert_uint_ne(base_hash_mix(base_hash_mix(0, 1), 2), base_hash_mix(base_hash_mix(0, 2), 1));
}
END_TEST

/* ---- assertions ----------------------------------------------------------------------- */

START_TEST(assert_is_fatal)
{
    pid_t child = fork();
    int status;

    BASE_ASSERT(child >= 0);
    if (child == 0) {
        ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
        BASE_ASSERT(child != 0);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGABRT);
}
END_TEST

START_TEST(debug_assert_is_of_debug_builds)
{
    bool evaluated = false;
    BASE_DEBUG((evaluated = true));
#ifdef CYCLOSOLVE_DEBUG
    ck_assert(evaluated);
#else
    ck_assert(!evaluated);
#endif
}
END_TEST

static void *expect_often(void *arg)
{
    for (unsigned i = 0; i < 1000; i++)
        ck_assert(!BASE_EXPECT(i > 1000));
    return arg;
}

START_TEST(expect_counts_and_continues)
{
    pthread_t other;
    ck_assert(BASE_EXPECT(true));
    ck_assert_uint_eq(base_expect_failures(), 0);
    ck_assert_int_eq(pthread_create(&other, NULL, expect_often, NULL), 0);
    expect_often(NULL);
    pthread_join(other, NULL);
    ck_assert_uint_eq(base_expect_failures(), 2000);
}
END_TEST

/* ---- bits ----------------------------------------------------------------------------- */

START_TEST(bits_of_a_set_are_visited_in_order)
{
    const uint64_t set = UINT64_C(0x8000000100000005);
    const unsigned expected[] = {0, 2, 32, 63};
    size_t seen = 0;

    BASE_BITS_EACH(bit, set)
    {
        ck_assert_uint_lt(seen, BASE_COUNT(expected));
        ck_assert_uint_eq(bit, expected[seen]);
        seen++;
    }
    ck_assert_uint_eq(seen, base_bits_count(set));
    BASE_BITS_EACH(bit, 0)
    ck_abort_msg("visited bit %u of the empty set", bit);
}
END_TEST

START_TEST(bits_loop_can_be_left_and_continued)
{
    unsigned sum = 0;
    BASE_BITS_EACH(bit, 0xff)
    {
        if (bit == 1)
            continue;
        if (bit == 4)
            break;
        sum += bit;
    }
    ck_assert_uint_eq(sum, 0 + 2 + 3);
}
END_TEST

START_TEST(bits_loops_nest)
{
    unsigned pairs = 0;
    BASE_BITS_EACH(a, 0x7)
    BASE_BITS_EACH(b, 0x7)
    pairs += a < b;
    ck_assert_uint_eq(pairs, 3);
}
END_TEST

START_TEST(powers_and_alignment)
{
    ck_assert(!base_bits_is_power_of_two(0));
    ck_assert(base_bits_is_power_of_two(1));
    ck_assert(base_bits_is_power_of_two(UINT64_C(1) << 63));
    ck_assert(!base_bits_is_power_of_two(12));
    ck_assert_uint_eq(base_bits_align_up(0, 64), 0);
    ck_assert_uint_eq(base_bits_align_up(1, 64), 64);
    ck_assert_uint_eq(base_bits_align_up(64, 64), 64);
    ck_assert_uint_eq(base_bits_align_up(UINT64_C(1) << 62 | 1, 2), (UINT64_C(1) << 62) + 2);
    ck_assert_uint_eq(base_bits_lowest(UINT64_C(1) << 40 | UINT64_C(1) << 50), 40);
    ck_assert_uint_eq(base_bits_drop_lowest(0), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        errors_have_names_and_texts,
        foreign_codes_are_unknown,
        diag_is_filled_and_returns_the_code,
        diag_cuts_long_texts,
        log_formats_for_the_sink,
        log_without_sink_is_silent,
        log_marks_a_cut_line,
        memory_is_aligned_and_zero,
        memory_of_no_bytes_can_be_freed,
        arena_hands_out_disjoint_zeroed_memory,
        arena_holds_more_than_a_block,
        arena_refuses_what_cannot_be,
        arena_copies_texts,
        monotonic_clock_measures_sleep,
        thread_clock_does_not_count_sleep,
        unix_clock_agrees_with_time,
        hash_is_stable,
        assert_is_fatal,
        debug_assert_is_of_debug_builds,
        expect_counts_and_continues,
        bits_of_a_set_are_visited_in_order,
        bits_loop_can_be_left_and_continued,
        bits_loops_nest,
        powers_and_alignment,
    };
    return support_suite_run("base", tests, BASE_COUNT(tests), NULL, NULL, 10);
}
