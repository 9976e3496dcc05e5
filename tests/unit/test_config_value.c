/*
 * test_config_value.c - what each type of option accepts, refuses and prints.
 */
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "config/config_int.h"
#include "core/base/base_err.h"
#include "tests/support/support_config.h"
#include "tests/support/support_suite.h"

static struct support_config here;

static void setup(void)
{
    support_config_init(&here);
}

static void teardown(void)
{
    support_config_deinit(&here);
}

START_TEST(defaults)
{
    ck_assert_int_eq(support_config_load(&here, NULL, "XDG_STATE_HOME=/state"), 0);
    ck_assert_int_eq(here.config.action, CONFIG_SERVE);
    ck_assert_uint_eq(here.config.listen.n, 1);
    ck_assert_str_eq(here.config.listen.item[0].host, "127.0.0.1");
    ck_assert_uint_eq(here.config.listen.item[0].port, 8080);
    ck_assert_ptr_null(here.config.address_file);
    ck_assert_str_eq(here.config.state_dir, "/state/cyclosolve");
    ck_assert_str_eq(here.config.table_dir, "/dev/shm/cyclosolve");
    ck_assert_uint_eq(here.config.threads, 0);
    ck_assert_uint_eq(here.config.memory_bytes, 0);
    ck_assert(here.config.fill_factor == 1);
    ck_assert_uint_eq(here.config.solution_bytes, 256 << 20);
    ck_assert_int_eq(here.config.pin_threads, CONFIG_NO);
    ck_assert_uint_eq(here.config.max_connections, 1200);
    ck_assert_uint_eq(here.config.max_body_bytes, 1 << 20);
    ck_assert_uint_eq(here.config.max_queued_jobs, 10000);
    ck_assert_uint_eq(here.config.max_running_jobs, 8);
    ck_assert_ptr_null(here.config.kernels_off);
    ck_assert_ptr_null(here.config.token_file);
    ck_assert_int_eq(here.config.allow_anonymous, CONFIG_NO);
    ck_assert_uint_eq(here.config.max_requests_each, CONFIG_LIMIT_AUTO);
    ck_assert_uint_eq(here.config.max_jobs_each, CONFIG_LIMIT_AUTO);
    ck_assert_uint_eq(here.config.max_job_seconds, CONFIG_LIMIT_NONE);
    ck_assert_uint_eq(here.config.max_job_nodes, CONFIG_LIMIT_NONE);
    ck_assert_uint_eq(here.config.allow_host.n + here.config.allow_origin.n, 0);
    ck_assert_int_eq(here.config.log_level, BASE_LOG_INFO);
    ck_assert_int_eq(here.config.log_format, CONFIG_LOG_TEXT);
    ck_assert_ptr_null(here.config.config_file);
    ck_assert_str_eq(base_buf_str(&here.errors), "");
}
END_TEST

START_TEST(every_option_by_flag)
{
    ck_assert_int_eq(
        support_config_load(
            &here,
            "--listen|[::1]:0|--listen=unix:/run/a.sock|--listen|localhost:65535|--address-file|"
            "addr|--state-dir|s|--table-dir=t|--threads|16|--pin-threads|yes|--memory-mib|0.5|--"
            "solution-mib|2|--fill-factor|2.5|--"
            "max-queued-jobs|7|--"
            "max-running-jobs|2|"
            "--max-connections|64|--max-body-bytes|64KiB|--allow-host|a.example|--allow-host|"
            "b.example:80|--allow-origin|https://a.example, http://localhost:3000|--kernels-off|"
            "avx2,bmi2|--token-file|tokens|--allow-anonymous|yes|--max-requests-each|7|"
            "--max-jobs-each|none|--max-job-seconds|60|--max-job-nodes|1000000|--header-seconds|1|"
            "--body-seconds|2|--reply-seconds|3|--idle-seconds|4|--log-level|debug|--log-format|"
            "json|--check",
            NULL),
        0);
    ck_assert_uint_eq(here.config.listen.n, 3);
    ck_assert_str_eq(here.config.listen.item[0].host, "::1");
    ck_assert_str_eq(here.config.listen.item[0].text, "[::1]:0");
    ck_assert_ptr_null(here.config.listen.item[0].path);
    ck_assert_uint_eq(here.config.listen.item[0].port, 0);
    ck_assert_str_eq(here.config.listen.item[1].path, "/run/a.sock");
    ck_assert_ptr_null(here.config.listen.item[1].host);
    ck_assert_str_eq(here.config.listen.item[2].host, "localhost");
    ck_assert_uint_eq(here.config.listen.item[2].port, 65535);
    ck_assert_str_eq(here.config.address_file, "addr");
    ck_assert_str_eq(here.config.state_dir, "s");
    ck_assert_str_eq(here.config.table_dir, "t");
    ck_assert_uint_eq(here.config.threads, 16);
    ck_assert_uint_eq(here.config.memory_bytes, 1 << 19);
    ck_assert(here.config.fill_factor == 2.5);
    ck_assert_uint_eq(here.config.solution_bytes, 2 << 20);
    ck_assert_int_eq(here.config.pin_threads, CONFIG_YES);
    ck_assert_uint_eq(here.config.max_queued_jobs, 7);
    ck_assert_uint_eq(here.config.max_running_jobs, 2);
    ck_assert_uint_eq(here.config.max_connections, 64);
    ck_assert_uint_eq(here.config.max_body_bytes, 1 << 16);
    ck_assert_uint_eq(here.config.allow_host.n, 2);
    ck_assert_str_eq(here.config.allow_host.item[1], "b.example:80");
    ck_assert_uint_eq(here.config.allow_origin.n, 2);
    ck_assert_str_eq(here.config.allow_origin.item[1], "http://localhost:3000");
    ck_assert_str_eq(here.config.kernels_off, "avx2,bmi2");
    ck_assert_str_eq(here.config.token_file, "tokens");
    ck_assert_int_eq(here.config.allow_anonymous, CONFIG_YES);
    ck_assert_uint_eq(here.config.max_requests_each, 7);
    ck_assert_uint_eq(here.config.max_jobs_each, CONFIG_LIMIT_NONE);
    ck_assert_uint_eq(here.config.max_job_seconds, 60);
    ck_assert_uint_eq(here.config.max_job_nodes, 1000000);
    ck_assert_uint_eq(here.config.header_seconds, 1);
    ck_assert_uint_eq(here.config.body_seconds, 2);
    ck_assert_uint_eq(here.config.reply_seconds, 3);
    ck_assert_uint_eq(here.config.idle_seconds, 4);
    ck_assert_int_eq(here.config.log_level, BASE_LOG_DEBUG);
    ck_assert_int_eq(here.config.log_format, CONFIG_LOG_JSON);
    ck_assert_int_eq(here.config.action, CONFIG_CHECK);
}
END_TEST

START_TEST(sizes_and_fractions)
{
    static const struct {
        const char *flags;
        uint64_t memory, body;
    } cases[] = {
        {"--memory-mib|0", 0, 1 << 20},
        {"--memory-mib|0.0", 0, 1 << 20},
        {"--memory-mib|0.00390625", 4096, 1 << 20},
        {"--memory-mib|64", 64 << 20, 1 << 20},
        {"--memory-mib|1.000000953674", (1 << 20), 1 << 20},
        {"--memory-mib|1.000000953675", (1 << 20) + 1, 1 << 20},
        {"--memory-mib|1073741824", UINT64_C(1) << 50, 1 << 20},
        {"--max-body-bytes|1024", 0, 1024},
        {"--max-body-bytes|1GiB", 0, 1 << 30},
        {"--max-body-bytes|3MiB", 0, 3 << 20},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        ck_assert_int_eq(support_config_load(&here, cases[i].flags, NULL), 0);
        ck_assert_uint_eq(here.config.memory_bytes, cases[i].memory);
        ck_assert_uint_eq(here.config.max_body_bytes, cases[i].body);
    }
}
END_TEST

START_TEST(factors)
{
    static const struct {
        const char *flags, *printed;
        double factor;
    } cases[] = {
        {"--fill-factor|0.001", "0.001", 0.001},
        {"--fill-factor|1", "1", 1},
        {"--fill-factor|1.000", "1", 1},
        {"--fill-factor|0.25", "0.25", 0.25},
        {"--fill-factor|12.345", "12.345", 12.345},
        {"--fill-factor|999999999.999", "999999999.999", 999999999.999},
        {"--fill-factor|1000000000", "1000000000", 1e9},
    };
    const struct config_option *option = config__find("fill-factor", strlen("fill-factor"));
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_buf text = {0};
        ck_assert_int_eq(support_config_load(&here, cases[i].flags, NULL), 0);
        ck_assert(here.config.fill_factor == cases[i].factor);
        config__print(&here.config, option, &text);
        ck_assert_str_eq(base_buf_str(&text), cases[i].printed);
        base_buf_deinit(&text);
    }
}
END_TEST

/* Every value below must be refused, whatever the place, with a line that names option and value.
 */
static const char *const refused[][2] = {
    {"threads", ""},
    {"threads", "-1"},
    {"threads", "+1"},
    {"threads", " 1"},
    {"threads", "0x10"},
    {"threads", "1e3"},
    {"threads", "1025"},
    {"threads", "4294967297"},
    {"threads", "18446744073709551617"},
    {"threads", "99999999999999999999999999999999999999"},
    {"max-connections", "7"},
    {"max-queued-jobs", "0"},
    {"memory-mib", ""},
    {"memory-mib", "."},
    {"memory-mib", ".5"},
    {"memory-mib", "1."},
    {"memory-mib", "1,5"},
    {"memory-mib", "1.5.5"},
    {"memory-mib", "1.0000000000001"},
    {"memory-mib", "0.003"},
    {"memory-mib", "0.000000000001"},
    {"memory-mib", "1073741825"},
    {"memory-mib", "1073741824.5"},
    {"memory-mib", "18446744073709551615"},
    {"memory-mib", "nan"},
    {"memory-mib", "inf"},
    {"memory-mib", "-1"},
    {"fill-factor", ""},
    {"fill-factor", "0"},
    {"fill-factor", "0.000"},
    {"fill-factor", "-1"},
    {"fill-factor", ".5"},
    {"fill-factor", "1."},
    {"fill-factor", "0.0001"},
    {"fill-factor", "1.0005"},
    {"fill-factor", "1000000000.001"},
    {"fill-factor", "18446744073709551615"},
    {"fill-factor", "1e3"},
    {"fill-factor", "inf"},
    {"fill-factor", "nan"},
    {"max-body-bytes", "1023"},
    {"max-body-bytes", "2GiB"},
    {"max-body-bytes", "1MB"},
    {"max-body-bytes", "1 MiB"},
    {"max-body-bytes", "MiB"},
    {"max-body-bytes", "17179869185GiB"},
    {"listen", ""},
    {"listen", ","},
    {"listen", "127.0.0.1:80,"},
    {"listen", "8080"},
    {"listen", ":8080"},
    {"listen", "localhost"},
    {"listen", "localhost:"},
    {"listen", "localhost:http"},
    {"listen", "localhost:65536"},
    {"listen", "::1:8080"},
    {"listen", "[]:8080"},
    {"listen", "[::1:8080"},
    {"listen", "[::1]8080"},
    {"listen", "[:]:1]:8080"},
    {"listen", "[:8080"},
    {"listen", "]:8080:"},
    {"listen", "unix:"},
    {"listen", "unix:relative"},
    {"allow-origin", "*"},
    {"allow-origin", "example.org"},
    {"allow-origin", "://example.org"},
    {"allow-origin", "https://"},
    {"allow-origin", "https://example.org/"},
    {"allow-host", "a/b"},
    {"allow-host", "http://a"},
    {"log-level", "INFO"},
    {"log-level", "inf"},
    {"log-level", ""},
    {"log-format", "xml"},
    {"state-dir", ""},
    {"allow-anonymous", "1"},
    {"allow-anonymous", ""},
    {"max-requests-each", "0"},
    {"max-requests-each", "1000001"},
    {"max-requests-each", "Auto"},
    {"max-requests-each", "5x"},
    {"max-requests-each", ""},
    {"max-job-seconds", "auto"},
    {"max-job-seconds", "1.5"},
    {"max-job-nodes", "9007199254740993"},
    {"header-seconds", "0"},
    {"idle-seconds", "3601"},
    {"table-dir", ""},
};

START_TEST(values_that_are_refused_as_flags)
{
    for (size_t i = 0; i < BASE_COUNT(refused); i++) {
        const char *name = refused[i][0], *value = refused[i][1];
        char flags[256], named[256];
        int code;

        snprintf(flags, sizeof flags, "--%s=%s", name, value);
        code = support_config_load(&here, flags, NULL);
        ck_assert_msg(code == BASE_ERR_SYNTAX || code == BASE_ERR_RANGE, "%s: %d", flags, code);
        snprintf(named, sizeof named, "--%s: option %s: \"%s\"", name, name, value);
        support_config_expect_error(&here, code, code, named);
        support_config_expect_error(&here, code, code, "it takes ");
    }
}
END_TEST

START_TEST(values_that_are_refused_in_a_file)
{
    for (size_t i = 0; i < BASE_COUNT(refused); i++) {
        const char *name = refused[i][0], *value = refused[i][1];
        char text[256];
        int code;

        if (*value == ' ')
            continue; /* white space around a value is not part of it in a file */
        snprintf(text, sizeof text, "# comment\n%s = %s\n", name, value);
        code = support_config_load_text(&here, text);
        ck_assert_msg(code == BASE_ERR_SYNTAX || code == BASE_ERR_RANGE, "%s: %d", text, code);
        snprintf(text, sizeof text, "%s:2: option %s: \"%s\"", here.file, name, value);
        support_config_expect_error(&here, code, code, text);
    }
}
END_TEST

START_TEST(a_list_has_a_limit)
{
    char flags[1024] = "--allow-host=a";
    for (unsigned i = 1; i < CONFIG_MAX_LIST; i++)
        memcpy(flags + strlen(flags), ",a", 3);
    ck_assert_int_eq(support_config_load(&here, flags, NULL), 0);
    ck_assert_uint_eq(here.config.allow_host.n, CONFIG_MAX_LIST);
    memcpy(flags + strlen(flags), ",a", 3);
    support_config_expect_error(&here, support_config_load(&here, flags, NULL), BASE_ERR_TOO_LARGE,
                                "at most 64 of them");
}
END_TEST

START_TEST(values_are_quoted_safely)
{
    char flags[400] = "--log-level=\033[2J\"\\\n\xff";
    support_config_expect_error(&here, support_config_load(&here, flags, NULL), BASE_ERR_SYNTAX,
                                "\"\\x1b[2J\\x22\\x5c\\x0a\\xff\"");
    memset(flags + strlen("--log-level="), 'x', 300);
    support_config_expect_error(&here, support_config_load(&here, flags, NULL), BASE_ERR_SYNTAX,
                                "xxx...\" is not accepted");
    ck_assert_uint_lt(here.errors.length, 250);
}
END_TEST

START_TEST(memory_prints_back_exactly)
{
    for (uint64_t bytes = 4096; bytes < UINT64_C(1) << 50; bytes = bytes * 3 + 1) {
        struct base_buf text = {0};
        const struct config_option *option = config__find("memory-mib", strlen("memory-mib"));
        here.config.memory_bytes = bytes;
        config__print(&here.config, option, &text);
        here.config.memory_bytes = 0;
        ck_assert_int_eq(config__set(&here.config, option, base_buf_str(&text)), 0);
        ck_assert_uint_eq(here.config.memory_bytes, bytes);
        base_buf_deinit(&text);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        defaults,
        every_option_by_flag,
        sizes_and_fractions,
        factors,
        values_that_are_refused_as_flags,
        values_that_are_refused_in_a_file,
        a_list_has_a_limit,
        values_are_quoted_safely,
        memory_prints_back_exactly,
    };
    return support_suite_run("config_value", tests, BASE_COUNT(tests), setup, teardown, 10);
}
