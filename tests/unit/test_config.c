/*
 * test_config.c - the four places of a value and their order, errors, and the texts made from the
 * table.
 */
#include <stdio.h>
#include <stdlib.h>
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

/* ---- places ---------------------------------------------------------------------------- */

START_TEST(flag_beats_environment_beats_file_beats_default)
{
    const char text[] = "threads = 1\nmax-connections = 101\nmax-queued-jobs=102\n";
    ck_assert_int_eq(
        support_config_load_file(&here, text, strlen(text), "|--threads|3",
                                 "CYCLOSOLVE_THREADS=2|CYCLOSOLVE_MAX_CONNECTIONS=202"),
        0);
    ck_assert_uint_eq(here.config.threads, 3);
    ck_assert_uint_eq(here.config.max_connections, 202);
    ck_assert_uint_eq(here.config.max_queued_jobs, 102);
    ck_assert_uint_eq(here.config.max_body_bytes, 1 << 20);
    ck_assert_str_eq(here.config.config_file, here.file);
}
END_TEST

START_TEST(lists_replace_those_of_weaker_places)
{
    const char text[] = "allow-host = f1\nallow-host = f2, f3\n";
    ck_assert_int_eq(support_config_load_file(&here, text, strlen(text), "", NULL), 0);
    ck_assert_uint_eq(here.config.allow_host.n, 3);
    ck_assert_str_eq(here.config.allow_host.item[2], "f3");
    ck_assert_int_eq(
        support_config_load_file(&here, text, strlen(text), "", "CYCLOSOLVE_ALLOW_HOST=e1,e2"), 0);
    ck_assert_uint_eq(here.config.allow_host.n, 2);
    ck_assert_str_eq(here.config.allow_host.item[0], "e1");
    ck_assert_int_eq(support_config_load_file(&here, text, strlen(text), "|--allow-host|x",
                                              "CYCLOSOLVE_ALLOW_HOST=e1,e2"),
                     0);
    ck_assert_uint_eq(here.config.allow_host.n, 1);
    ck_assert_int_eq(support_config_load(&here, "--listen|[::1]:1", NULL), 0);
    ck_assert_uint_eq(here.config.listen.n, 1);
    ck_assert_uint_eq(here.config.listen.item[0].port, 1);
    ck_assert_int_eq(support_config_load_file(&here, text, strlen(text), "|--allow-host=", NULL),
                     0);
    ck_assert_uint_eq(here.config.allow_host.n, 0);
}
END_TEST

START_TEST(empty_and_foreign_variables_are_ignored)
{
    ck_assert_int_eq(
        support_config_load(
            &here, NULL,
            "CYCLOSOLVE_THREADSX=3|CYCLOSOLVE_THREADS=|CYCLOSOLVE_PORT=tcp://10.0.0.1:8080|"
            "CYCLOSOLVE_SERVICE_HOST=10.0.0.1|XCYCLOSOLVE_THREADS=3|"
            "CYCLOSOLVE_CHECK=1|CYCLOSOLVE_HELP=1|garbage"),
        0);
    ck_assert_uint_eq(here.config.threads, 0);
    ck_assert_int_eq(here.config.action, CONFIG_SERVE);
}
END_TEST

START_TEST(the_environment_may_be_absent)
{
    char name[] = "cyclosolved", *argv[] = {name, NULL};
    ck_assert_int_eq(config_load(&here.config, 1, argv, NULL, &here.errors), 0);
    config_deinit(&here.config);
    ck_assert_int_eq(config_load(&here.config, 0, argv + 1, NULL, &here.errors), 0);
    ck_assert_str_eq(here.config.state_dir, "/var/lib/cyclosolve");
}
END_TEST

START_TEST(variables_name_themselves_in_errors)
{
    support_config_expect_error(
        &here, support_config_load(&here, NULL, "CYCLOSOLVE_MAX_BODY_BYTES=lots"), BASE_ERR_SYNTAX,
        "CYCLOSOLVE_MAX_BODY_BYTES: option max-body-bytes: \"lots\" is not accepted; it "
        "takes a number of bytes, or one followed by KiB, MiB or GiB, from 1KiB to 1GiB\n");
}
END_TEST

START_TEST(the_file_can_be_named_by_a_variable)
{
    char variable[128];
    ck_assert_int_eq(support_config_load_text(&here, "threads = 5\n"), 0);
    snprintf(variable, sizeof variable, "CYCLOSOLVE_CONFIG=%s", here.file);
    ck_assert_int_eq(support_config_load(&here, NULL, variable), 0);
    ck_assert_uint_eq(here.config.threads, 5);
    ck_assert_int_eq(support_config_load(&here, "--config=", variable), 0);
    ck_assert_uint_eq(here.config.threads, 0);
    ck_assert_ptr_null(here.config.config_file);
}
END_TEST

START_TEST(state_goes_where_the_environment_says)
{
    static const struct {
        const char *variables;
        bool is_root;
        const char *expected;
    } cases[] = {
        {"", true, "/var/lib/cyclosolve"},
        {"", false, "/var/lib/cyclosolve"},
        {"HOME=/home/ann", true, "/var/lib/cyclosolve"},
        {"HOME=/home/ann", false, "/home/ann/.local/state/cyclosolve"},
        {"HOME=ann", false, "/var/lib/cyclosolve"},
        {"XDG_STATE_HOME=/x", true, "/x/cyclosolve"},
        {"XDG_STATE_HOME=x", true, "/var/lib/cyclosolve"},
        {"STATE_DIRECTORY=/var/lib/a:/var/lib/b", false, "/var/lib/a"},
        {"STATE_DIRECTORY=rel", true, "/var/lib/cyclosolve"},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char variable[64];
        char *environment[] = {variable, NULL};
        struct base_arena arena = {0};
        snprintf(variable, sizeof variable, "%s", cases[i].variables);
        ck_assert_str_eq(config__default_state_dir(&arena, environment, cases[i].is_root),
                         cases[i].expected);
        base_arena_deinit(&arena);
    }
}
END_TEST

/* ---- command line ---------------------------------------------------------------------- */

START_TEST(help_and_version_win_over_everything)
{
    ck_assert_int_eq(
        support_config_load(&here, "--threads|lots|--config|/nonexistent|--bogus|--help", NULL), 0);
    ck_assert_int_eq(here.config.action, CONFIG_HELP);
    ck_assert_int_eq(support_config_load(&here, "--version|--help", "CYCLOSOLVE_THREADS=lots"), 0);
    ck_assert_int_eq(here.config.action, CONFIG_VERSION);
    ck_assert_int_eq(support_config_load(&here, "--dump-config", NULL), 0);
    ck_assert_int_eq(here.config.action, CONFIG_DUMP);
    ck_assert_int_eq(support_config_load(&here, "--address-file|--help", NULL),
                     0); /* a value, odd as it is */
    ck_assert_int_eq(here.config.action, CONFIG_SERVE);
}
END_TEST

START_TEST(flags_that_are_refused)
{
    support_config_expect_error(
        &here, support_config_load(&here, "--bogus", NULL), BASE_ERR_UNKNOWN_MEMBER,
        "command line: there is no option \"--bogus\"; --help lists them\n");
    support_config_expect_error(&here, support_config_load(&here, "--bogus=1", NULL),
                                BASE_ERR_UNKNOWN_MEMBER, "--bogus");
    support_config_expect_error(&here, support_config_load(&here, "8080", NULL),
                                BASE_ERR_UNKNOWN_MEMBER, "\"8080\"");
    support_config_expect_error(&here, support_config_load(&here, "-h", NULL),
                                BASE_ERR_UNKNOWN_MEMBER, "\"-h\"");
    support_config_expect_error(&here, support_config_load(&here, "--", NULL),
                                BASE_ERR_UNKNOWN_MEMBER, "\"--\"");
    support_config_expect_error(&here, support_config_load(&here, "--=1", NULL),
                                BASE_ERR_UNKNOWN_MEMBER, "\"--=1\"");
    support_config_expect_error(&here, support_config_load(&here, "--thread|1", NULL),
                                BASE_ERR_UNKNOWN_MEMBER, "\"--thread\"");
    support_config_expect_error(
        &here, support_config_load(&here, "--threads", NULL), BASE_ERR_SYNTAX,
        "--threads: option threads: a value is missing; it takes a whole number from 0 to "
        "1024\n");
    support_config_expect_error(&here, support_config_load(&here, "--check=yes", NULL),
                                BASE_ERR_SYNTAX, "it takes no value");
}
END_TEST

START_TEST(the_last_of_repeated_flags_counts)
{
    ck_assert_int_eq(support_config_load(&here, "--threads|1|--threads|2", NULL), 0);
    ck_assert_uint_eq(here.config.threads, 2);
}
END_TEST

START_TEST(all_errors_are_reported)
{
    const char text[] = "threads = x\nnonsense\nunknown = 1\n";
    int code = support_config_load_file(&here, text, strlen(text), "|--log-level|loud",
                                        "CYCLOSOLVE_LISTEN=nowhere");
    ck_assert_int_eq(code, BASE_ERR_SYNTAX);
    support_config_expect_error(&here, code, code, ":1: option threads");
    support_config_expect_error(&here, code, code,
                                ":2: \"nonsense\" is not of the form `name = value`");
    support_config_expect_error(&here, code, code, ":3: there is no option \"unknown\"");
    support_config_expect_error(&here, code, code, "CYCLOSOLVE_LISTEN: option listen: \"nowhere\"");
    support_config_expect_error(&here, code, code,
                                "--log-level: option log-level: \"loud\" is not accepted; it takes "
                                "debug, info, warning or error\n");
}
END_TEST

/* ---- file ------------------------------------------------------------------------------ */

START_TEST(file_syntax)
{
    ck_assert_int_eq(support_config_load_text(
                         &here, "\n  # all of it\r\n\tthreads\t=\t4\t# half\r\n"
                                "state-dir = /srv/a b#c = d\nkernels-off =\n#threads = x\n"
                                "listen=[::1]:1\nlisten = unix:/s # socket\nlog-level=error"),
                     0);
    ck_assert_uint_eq(here.config.threads, 4);
    ck_assert_str_eq(here.config.state_dir, "/srv/a b#c = d");
    ck_assert_ptr_null(here.config.kernels_off);
    ck_assert_uint_eq(here.config.listen.n, 2);
    ck_assert_str_eq(here.config.listen.item[1].path, "/s");
    ck_assert_int_eq(here.config.log_level, BASE_LOG_ERROR);
    ck_assert_int_eq(support_config_load_text(&here, ""), 0);
}
END_TEST

START_TEST(files_that_are_refused)
{
    support_config_expect_error(&here,
                                support_config_load_text(&here, "threads = 1\nthreads = 1\n"),
                                BASE_ERR_CONFLICT, ":2: option threads: already set in this file");
    support_config_expect_error(&here, support_config_load_text(&here, "help = 1\n"),
                                BASE_ERR_CONFLICT, "cannot be set in a file");
    support_config_expect_error(&here, support_config_load_text(&here, "config = x\n"),
                                BASE_ERR_CONFLICT, "cannot be set in a file");
    support_config_expect_error(&here, support_config_load_text(&here, "= 1\n"),
                                BASE_ERR_UNKNOWN_MEMBER, "there is no option \"\"");
    support_config_expect_error(&here, support_config_load_text(&here, "--threads = 1\n"),
                                BASE_ERR_UNKNOWN_MEMBER, "\"--threads\"");
    support_config_expect_error(&here, support_config_load_text(&here, "[server]\n"),
                                BASE_ERR_SYNTAX, "not of the form");
    support_config_expect_error(&here,
                                support_config_load_file(&here, "threads = 1\0\n", 13, "", NULL),
                                BASE_ERR_SYNTAX, "NUL byte");
    support_config_expect_error(&here, support_config_load(&here, "--config|/nonexistent/x", NULL),
                                BASE_ERR_IO,
                                "/nonexistent/x: option config: cannot be read: No such file");
    support_config_expect_error(&here, support_config_load(&here, "--config|/tmp", NULL),
                                BASE_ERR_IO, "Is a directory");
}
END_TEST

START_TEST(huge_and_endless_files_are_refused)
{
    size_t length = (1 << 20) + 1;
    char *text = malloc(length);
    memset(text, '\n', length);
    ck_assert_int_eq(support_config_load_file(&here, text, length - 1, "", NULL), 0);
    support_config_expect_error(&here, support_config_load_file(&here, text, length, "", NULL),
                                BASE_ERR_TOO_LARGE, "1048576 bytes");
    free(text);
    support_config_expect_error(&here, support_config_load(&here, "--config|/dev/zero", NULL),
                                BASE_ERR_TOO_LARGE, "/dev/zero");
}
END_TEST

/* No  here.file, however broken, may do more than be refused. Fixed seed: failures can be repeated.
 */
START_TEST(random_files_do_no_harm)
{
    static const char *const parts[] = {"threads", "listen", "=",           " ",          "\n",
                                        "#",       "1",      "[",           "]:",         ",",
                                        "unix:/",  "\r\n",   "\xff",        "memory-mib", ".",
                                        "MiB",     "--",     "allow-origin"};
    uint32_t state = 12345;
    unsigned accepted = 0;

    for (unsigned round = 0; round < 2000; round++) {
        char text[512] = "";
        for (unsigned i = 0; i < 20; i++) {
            const char *part;
            state = state * 1664525 + 1013904223;
            part = parts[(state >> 16) % BASE_COUNT(parts)];
            memcpy(text + strlen(text), part, strlen(part) + 1);
        }
        if (support_config_load_text(&here, text) == 0)
            accepted++;
        else
            ck_assert_uint_gt(here.errors.length, 0);
    }
    ck_assert_uint_lt(accepted, 2000);
}
END_TEST

/* ---- texts ----------------------------------------------------------------------------- */

START_TEST(every_option_is_in_the_help)
{
    struct base_buf help = {0};
    config_help(&help);
    ck_assert_int_eq(help.error, 0);
    for (size_t i = 0; i < config__n_options; i++) {
        char flag[64];
        snprintf(flag, sizeof flag, "  --%s ", config__options[i].name);
        ck_assert_msg(strstr(base_buf_str(&help), flag), "%s is missing", flag);
    }
    for (const char *line = base_buf_str(&help); *line; line += strcspn(line, "\n") + 1)
        ck_assert_uint_le(strcspn(line, "\n"), 90);
    base_buf_deinit(&help);
}
END_TEST

START_TEST(a_dump_loads_to_the_same_dump)
{
    struct base_buf first = {0}, second = {0};
    ck_assert_int_eq(
        support_config_load(&here,
                            "--listen|[::1]:0,unix:/x y|--memory-mib|0.123456789|--threads|3|"
                            "--allow-origin|https://a,https://b|--max-body-bytes|1025|"
                            "--log-format|json|--kernels-off|neon",
                            "CYCLOSOLVE_MAX_CONNECTIONS=99"),
        0);
    config_dump(&here.config, &first);
    ck_assert_ptr_nonnull(strstr(base_buf_str(&first), "# from: --threads\nthreads = 3\n"));
    ck_assert_ptr_nonnull(strstr(base_buf_str(&first), "# from: CYCLOSOLVE_MAX_CONNECTIONS\n"));
    ck_assert_ptr_nonnull(strstr(base_buf_str(&first), "# from: default\nlog-level = info\n"));
    ck_assert_int_eq(support_config_load_text(&here, base_buf_str(&first)), 0);
    config_dump(&here.config, &second);
    ck_assert_ptr_nonnull(strstr(base_buf_str(&second), here.file)); /* the origins differ ... */
    for (const char *a = base_buf_str(&first), *b = base_buf_str(&second); *a || *b;) {
        size_t length = strcspn(a, "\n");
        if (*a != '#') { /* ... and nothing else */
            ck_assert_uint_eq(strcspn(b, "\n"), length);
            ck_assert_mem_eq(a, b, length);
        }
        a += length + 1;
        b += strcspn(b, "\n") + 1;
    }
    base_buf_deinit(&first);
    base_buf_deinit(&second);
}
END_TEST

START_TEST(what_can_change_live_does)
{
    struct config old;
    struct base_buf notes = {0}, dump = {0};

    ck_assert_int_eq(support_config_load(&here,
                                         "--threads|3|--state-dir|a|--max-body-bytes|2KiB|"
                                         "--listen|127.0.0.1:1",
                                         NULL),
                     0);
    old = here.config;
    here.config = (struct config){0};
    ck_assert_int_eq(support_config_load(&here,
                                         "--threads|4|--state-dir|b|--allow-host|x|"
                                         "--listen|127.0.0.1:2|--listen|unix:/c|"
                                         "--token-file|t|--max-jobs-each|5",
                                         NULL),
                     0);
    ck_assert_int_eq(config_take_live(&here.config, &old, &notes), 0);
    config_deinit(&old);
    ck_assert_str_eq(base_buf_str(&notes), "listen stays 127.0.0.1:1 until a restart\n"
                                           "state-dir stays a until a restart\n"
                                           "threads stays 3 until a restart\n"
                                           "max-body-bytes is now 1MiB\n"
                                           "token-file stays unset until a restart\n"
                                           "max-jobs-each is now 5\n"
                                           "allow-host is now x\n");
    ck_assert_uint_eq(here.config.threads, 3);
    ck_assert_str_eq(here.config.state_dir, "a");
    ck_assert_uint_eq(here.config.listen.n, 1);
    ck_assert_uint_eq(here.config.listen.item[0].port, 1);
    ck_assert_ptr_null(here.config.token_file);
    ck_assert_uint_eq(here.config.max_jobs_each, 5);
    ck_assert_uint_eq(here.config.max_body_bytes, 1 << 20);
    ck_assert_str_eq(here.config.allow_host.item[0], "x");
    config_dump(&here.config, &dump);
    ck_assert_ptr_nonnull(strstr(base_buf_str(&dump), "\nstate-dir = a\n"));
    base_buf_deinit(&notes);
    base_buf_deinit(&dump);
}
END_TEST

/* The example in the repository is the one the table makes; its lines, uncommented, load. */
START_TEST(the_example_is_up_to_date)
{
    static const char path[] = "config/cyclosolved.conf.example";
    struct base_buf example = {0}, loaded = {0};
    char *stored = calloc(1, 1 << 16);
    FILE *in = fopen(path, "r");

    config_example(&example);
    if (in) {
        ck_assert_uint_lt(fread(stored, 1, 1 << 16, in), 1 << 16);
        fclose(in);
    }
    if (strcmp(stored, base_buf_str(&example)) != 0)
        printf("%s must hold exactly the following:\n%s", path, base_buf_str(&example));
    ck_assert_str_eq(path, strcmp(stored, base_buf_str(&example)) == 0 ? path : "out of date");
    for (const char *line = base_buf_str(&example); *line; line += strcspn(line, "\n") + 1)
        if (line[0] == '#' && line[1] != ' ' && strncmp(line, "#state-dir", 10) != 0)
            base_buf_append(&loaded, line + 1, strcspn(line, "\n"));
    ck_assert_int_eq(support_config_load_text(&here, base_buf_str(&loaded)), 0);
    ck_assert_uint_eq(here.config.max_connections, 1200);
    base_buf_deinit(&example);
    base_buf_deinit(&loaded);
    free(stored);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        flag_beats_environment_beats_file_beats_default,
        lists_replace_those_of_weaker_places,
        empty_and_foreign_variables_are_ignored,
        the_environment_may_be_absent,
        variables_name_themselves_in_errors,
        the_file_can_be_named_by_a_variable,
        state_goes_where_the_environment_says,
        help_and_version_win_over_everything,
        flags_that_are_refused,
        the_last_of_repeated_flags_counts,
        all_errors_are_reported,
        file_syntax,
        files_that_are_refused,
        huge_and_endless_files_are_refused,
        random_files_do_no_harm,
        every_option_is_in_the_help,
        a_dump_loads_to_the_same_dump,
        what_can_change_live_does,
        the_example_is_up_to_date,
    };
    return support_suite_run("config", tests, BASE_COUNT(tests), setup, teardown, 10);
}
