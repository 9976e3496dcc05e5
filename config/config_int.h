/*
 * config_int.h - the option table and the values behind it.
 */
#ifndef CONFIG_CONFIG_INT_H
#define CONFIG_CONFIG_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

enum config_type {
    CONFIG_TYPE_ACTION,    /* enum config_action; a flag without a value */
    CONFIG_TYPE_STRING,    /* const char *; empty means NULL if `optional` */
    CONFIG_TYPE_LIST,      /* struct config_list */
    CONFIG_TYPE_ADDRESSES, /* struct config_addresses */
    CONFIG_TYPE_UNSIGNED,  /* unsigned, min .. max */
    CONFIG_TYPE_SIZE,      /* uint64_t bytes, min .. max; "65536", "64KiB", "1MiB" */
    CONFIG_TYPE_MIB,       /* uint64_t bytes given in MiB with fractions, min .. max bytes or 0 */
    CONFIG_TYPE_FACTOR,    /* double with at most 3 decimals, min .. max thousandths */
    CONFIG_TYPE_LIMIT,     /* uint64_t, min .. max or "none"; "auto" if `optional` */
    CONFIG_TYPE_ENUM       /* enum, by name */
};

struct config_option {
    const char *name;
    enum config_type type;
    size_t offset;           /* of the field in struct config */
    const char *placeholder; /* of the value in --help */
    const char *help;        /* one or more sentences, without line breaks */
    const char *fallback;    /* default, in the form of a value; NULL: none, or computed */
    bool optional;           /* a string or list that may be empty, a limit that may be "auto" */
    bool live;               /* can change while the daemon runs, at SIGHUP */
    uint64_t min, max;
    const char *const *names;           /* of an enum, by value; NULL at the end */
    bool (*is_valid)(const char *text); /* of each item of a list; may be NULL */
    const char *accepts;                /* what is_valid accepts, for the error message */
    enum config_action action;          /* of CONFIG_TYPE_ACTION */
    void (*explain_fallback)(struct base_buf *out); /* in place of `fallback` in texts */
};

/* The table. */
extern const struct config_option config__options[];
extern const size_t config__n_options;

/* The row with this name, NULL if there is none. */
const struct config_option *config__find(const char *name, size_t length);

/* Value of a variable of the environment, NULL: not set or empty. */
const char *config__variable(char *const *environment, const char *name);

/* "CYCLOSOLVE_MAX_BODY_BYTES" for max-body-bytes, with a NUL, cut to the size of `out`. */
void config__variable_name(const struct config_option *option, char *out, size_t size);

/* Default state directory. Static, or new in the arena; NULL: out of memory. */
const char *config__default_state_dir(struct base_arena *arena, char *const *environment,
                                      bool is_root);

/* ---- values --------------------------------------------------------------------------- */

/* Parses `text` into the option's field; items are added to a list. 0 or a negative code. */
int config__set(struct config *config, const struct config_option *option, const char *text);

/* Empties a list or address field; nothing for other types. */
void config__clear(struct config *config, const struct config_option *option);

/* The field as text that config__set reads back to the same value. */
void config__print(const struct config *config, const struct config_option *option,
                   struct base_buf *out);

/* What the option accepts, for error messages: "a whole number from 0 to 1024". */
void config__print_accepted(const struct config_option *option, struct base_buf *out);

#endif
