/*
 * support_config.c - see support_config.h.
 */
#include "tests/support/support_config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_err.h"

enum { MAX_WORDS = 256, TEXT_BYTES = 4096 };

void support_config_init(struct support_config *here)
{
    int fd;
    *here = (struct support_config){.file = "/tmp/support_config.XXXXXX"};
    fd = mkstemp(here->file);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

void support_config_deinit(struct support_config *here)
{
    unlink(here->file);
    config_deinit(&here->config);
    base_buf_deinit(&here->errors);
}

/* Cuts the text at '|' in place; returns the number of words. A NULL follows the last. */
static int split(char *text, char **words)
{
    int n = 0;
    while (*text) {
        ck_assert_int_lt(n, MAX_WORDS);
        words[n++] = text;
        text += strcspn(text, "|");
        if (*text)
            *text++ = '\0';
    }
    words[n] = NULL;
    return n;
}

int support_config_load(struct support_config *here, const char *flags, const char *variables)
{
    char flag_text[TEXT_BYTES], variable_text[TEXT_BYTES];
    char *argv[MAX_WORDS + 1], *environment[MAX_WORDS + 1];

    config_deinit(&here->config);
    base_buf_clear(&here->errors);
    snprintf(flag_text, sizeof flag_text, "cyclosolved|%s", flags ? flags : "");
    snprintf(variable_text, sizeof variable_text, "%s", variables ? variables : "");
    split(variable_text, environment);
    return config_load(&here->config, split(flag_text, argv), argv, environment, &here->errors);
}

int support_config_load_file(struct support_config *here, const char *text, size_t length,
                             const char *flags, const char *variables)
{
    char all[TEXT_BYTES];
    FILE *out = fopen(here->file, "w");

    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(text, 1, length, out), length);
    ck_assert_int_eq(fclose(out), 0);
    snprintf(all, sizeof all, "--config|%s%s", here->file, flags);
    return support_config_load(here, all, variables);
}

int support_config_load_text(struct support_config *here, const char *text)
{
    return support_config_load_file(here, text, strlen(text), "", NULL);
}

void support_config_expect_error(const struct support_config *here, int code, int expected,
                                 const char *text)
{
    const char *errors = base_buf_str(&here->errors);
    ck_assert_msg(code == expected, "%s instead of %s: %s", base_err_name(code),
                  base_err_name(expected), errors);
    ck_assert_msg(strstr(errors, text), "\"%s\" is not in: %s", text, errors);
}
