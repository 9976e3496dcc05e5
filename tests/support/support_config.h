/*
 * support_config.h - loads configurations from texts, for tests.
 */
#ifndef TESTS_SUPPORT_SUPPORT_CONFIG_H
#define TESTS_SUPPORT_SUPPORT_CONFIG_H

#include <stddef.h>

#include "config/config.h"

/* What was loaded last, and a temporary file that plays the configuration file. */
struct support_config {
    struct config config;
    struct base_buf errors;
    char file[64];
};

void support_config_init(struct support_config *here);
void support_config_deinit(struct support_config *here);

/* Loads from words of a command line and of an environment, both separated by '|'; NULL: none.
 * Returns what config_load returned. */
int support_config_load(struct support_config *here, const char *flags, const char *variables);

/* The same with the content of a file, which the flags must not name; `flags` begins with '|'
 * unless empty. */
int support_config_load_file(struct support_config *here, const char *text, size_t length,
                             const char *flags, const char *variables);

/* The same with the file alone. */
int support_config_load_text(struct support_config *here, const char *text);

/* Asserts the code, and that `text` is part of the errors reported. */
void support_config_expect_error(const struct support_config *here, int code, int expected,
                                 const char *text);

#endif
