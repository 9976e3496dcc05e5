/*
 * config_load.c - merges the four places a value can come from.
 *
 * The places are applied from weakest to strongest: defaults, file, environment, flags. The flags
 * must be scanned first, because they name the file, and applied last; so the command line is
 * walked twice. Errors do not stop the walk: a person gets all of them in one go.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/config_int.h"
#include "core/base/base_err.h"

enum { MAX_FILE_BYTES = 1 << 20, SHOWN_VALUE_BYTES = 80 };

enum place { PLACE_DEFAULT, PLACE_FILE, PLACE_ENVIRONMENT, PLACE_FLAG };

struct loader {
    struct config *config;
    struct base_buf *errors;
    int first_error;
    enum place place[CONFIG_MAX_OPTIONS]; /* that set the option last */
};

/* ---- errors --------------------------------------------------------------------------- */

/* Prints a value from outside so that it can do no harm in a terminal or a log. */
static void quote(struct base_buf *out, const char *text)
{
    base_buf_byte(out, '"');
    for (size_t i = 0; text[i]; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (i == SHOWN_VALUE_BYTES) {
            base_buf_text(out, "...");
            break;
        }
        if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\')
            base_buf_printf(out, "\\x%02x", byte);
        else
            base_buf_byte(out, (char)byte);
    }
    base_buf_byte(out, '"');
}

static void note_error(struct loader *loader, int code)
{
    if (!loader->first_error)
        loader->first_error = code;
}

/* Starts an error line; the caller completes it and ends it with a new line. */
static struct base_buf *begin_error(struct loader *loader, const char *origin, int code)
{
    note_error(loader, code);
    base_buf_printf(loader->errors, "%s: ", origin);
    return loader->errors;
}

static void report_value(struct loader *loader, const struct config_option *option,
                         const char *origin, const char *value, int code)
{
    struct base_buf *out = begin_error(loader, origin, code);
    if (code == BASE_ERR_NOMEM) {
        base_buf_printf(out, "option %s: %s\n", option->name, base_err_text(code));
        return;
    }
    base_buf_printf(out, "option %s: ", option->name);
    quote(out, value);
    base_buf_text(out, " is not accepted; it takes ");
    config__print_accepted(option, out);
    base_buf_byte(out, '\n');
}

static void report_unknown(struct loader *loader, const char *origin, const char *name)
{
    struct base_buf *out = begin_error(loader, origin, BASE_ERR_UNKNOWN_MEMBER);
    base_buf_text(out, "there is no option ");
    quote(out, name);
    base_buf_text(out, "; --help lists them\n");
}

/* ---- one value ------------------------------------------------------------------------ */

static size_t row_of(const struct config_option *option)
{
    return (size_t)(option - config__options);
}

/* Sets an option from one place. `origin` is copied. */
static void apply(struct loader *loader, const struct config_option *option, enum place place,
                  const char *origin, const char *value)
{
    struct config *config = loader->config;
    size_t row = row_of(option);
    int code;

    if (loader->place[row] != place)
        config__clear(config, option);
    loader->place[row] = place;
    code = config__set(config, option, value);
    if (!code) {
        config->origin[row] = base_arena_text(&config->arena, origin, strlen(origin));
        code = config->origin[row] ? 0 : BASE_ERR_NOMEM;
    }
    if (code)
        report_value(loader, option, origin, value, code);
}

/* ---- defaults ------------------------------------------------------------------------- */

static void apply_defaults(struct loader *loader, char *const *environment)
{
    struct config *config = loader->config;
    for (size_t i = 0; i < config__n_options; i++) {
        config->origin[i] = "default";
        if (config__options[i].fallback)
            apply(loader, &config__options[i], PLACE_DEFAULT, "default",
                  config__options[i].fallback);
    }
    config->state_dir = config__default_state_dir(&config->arena, environment, geteuid() == 0);
    if (!config->state_dir)
        note_error(loader, BASE_ERR_NOMEM);
}

/* ---- file ----------------------------------------------------------------------------- */

/* Reads all there is. Of BASE_ERR_IO, errno tells the reason. */
static int read_all(int fd, struct base_buf *out)
{
    char piece[4096];
    for (;;) {
        ssize_t n = read(fd, piece, sizeof piece);
        if (n == 0)
            return out->error;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return BASE_ERR_IO;
        base_buf_append(out, piece, (size_t)n);
        if (out->error || out->length > MAX_FILE_BYTES)
            return out->error ? out->error : BASE_ERR_TOO_LARGE;
    }
}

static int read_file(const char *path, struct base_buf *out)
{
    /* O_NONBLOCK: a named pipe must not hang the start. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int code, saved;

    if (fd < 0)
        return BASE_ERR_IO;
    code = read_all(fd, out); /* of a folder: EISDIR */
    saved = errno;
    close(fd);
    errno = saved;
    return code;
}

/* Cuts white space from both ends, in place. */
static char *trim(char *text)
{
    char *end;
    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

static void drop_comment(char *line)
{
    for (char *at = line; *at; at++) {
        if (*at == '#' && (at == line || isspace((unsigned char)at[-1]))) {
            *at = '\0';
            return;
        }
    }
}

static bool takes_list(const struct config_option *option)
{
    return option->type == CONFIG_TYPE_LIST || option->type == CONFIG_TYPE_ADDRESSES;
}

static void apply_pair(struct loader *loader, const char *origin, const char *name,
                       const char *value)
{
    const struct config_option *option = config__find(name, strlen(name));
    if (!option)
        report_unknown(loader, origin, name);
    else if (option->type == CONFIG_TYPE_ACTION || strcmp(name, "config") == 0)
        base_buf_printf(begin_error(loader, origin, BASE_ERR_CONFLICT),
                        "option %s cannot be set in a file\n", name);
    else if (loader->place[row_of(option)] == PLACE_FILE && !takes_list(option))
        base_buf_printf(begin_error(loader, origin, BASE_ERR_CONFLICT),
                        "option %s: already set in this file; it takes one value\n", name);
    else
        apply(loader, option, PLACE_FILE, origin, value);
}

static void apply_line(struct loader *loader, const char *path, unsigned number, char *line)
{
    struct base_buf origin = {0};
    char *equals;

    drop_comment(line);
    line = trim(line);
    if (!*line)
        return;
    base_buf_printf(&origin, "%s:%u", path, number);
    equals = strchr(line, '=');
    if (equals) {
        *equals = '\0';
        apply_pair(loader, base_buf_str(&origin), trim(line), trim(equals + 1));
    } else {
        struct base_buf *out = begin_error(loader, base_buf_str(&origin), BASE_ERR_SYNTAX);
        quote(out, line);
        base_buf_text(out, " is not of the form `name = value`\n");
    }
    base_buf_deinit(&origin);
}

static void apply_text(struct loader *loader, const char *path, char *text, size_t length)
{
    unsigned number = 1;
    if (memchr(text, '\0', length)) {
        base_buf_text(begin_error(loader, path, BASE_ERR_SYNTAX),
                      "holds a NUL byte, this is not a configuration file\n");
        return;
    }
    for (char *line = text, *next; line; line = next, number++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        apply_line(loader, path, number, line);
    }
}

static void apply_file(struct loader *loader, const char *path)
{
    struct base_buf text = {0};
    int code = read_file(path, &text);

    if (code == BASE_ERR_IO)
        base_buf_printf(begin_error(loader, path, code), "option config: cannot be read: %s\n",
                        strerror(errno));
    else if (code)
        base_buf_printf(begin_error(loader, path, code), "option config: %s (%d bytes)\n",
                        base_err_text(code), MAX_FILE_BYTES);
    else if (text.length)
        apply_text(loader, path, text.data, text.length);
    base_buf_deinit(&text);
}

/* ---- environment ---------------------------------------------------------------------- */

static void apply_environment(struct loader *loader, char *const *environment)
{
    for (size_t i = 0; i < config__n_options; i++) {
        char name[64];
        const char *value;

        if (config__options[i].type == CONFIG_TYPE_ACTION)
            continue;
        config__variable_name(&config__options[i], name, sizeof name);
        value = config__variable(environment, name);
        if (value)
            apply(loader, &config__options[i], PLACE_ENVIRONMENT, name, value);
    }
}

/* ---- flags ---------------------------------------------------------------------------- */

struct flag {
    const struct config_option *option; /* NULL: unknown, or not a flag */
    const char *text;                   /* the argument itself */
    const char *value;                  /* NULL: none given */
};

/* Reads the flag at argv[*at] and moves *at behind it and its value. */
static struct flag next_flag(int argc, char *const *argv, int *at)
{
    struct flag flag = {.text = argv[(*at)++]};
    size_t length;

    if (strncmp(flag.text, "--", 2) != 0)
        return flag;
    length = strcspn(flag.text + 2, "=");
    flag.option = config__find(flag.text + 2, length);
    if (flag.text[2 + length] == '=')
        flag.value = flag.text + 2 + length + 1;
    else if (flag.option && flag.option->type != CONFIG_TYPE_ACTION && *at < argc)
        flag.value = argv[(*at)++];
    return flag;
}

static void apply_flag(struct loader *loader, const struct flag *flag)
{
    const struct config_option *option = flag->option;
    char origin[64];

    if (!option) {
        report_unknown(loader, "command line", flag->text);
        return;
    }
    snprintf(origin, sizeof origin, "--%s", option->name);
    if (option->type == CONFIG_TYPE_ACTION && flag->value) {
        report_value(loader, option, origin, flag->value, BASE_ERR_SYNTAX);
    } else if (option->type != CONFIG_TYPE_ACTION && !flag->value) {
        struct base_buf *out = begin_error(loader, origin, BASE_ERR_SYNTAX);
        base_buf_printf(out, "option %s: a value is missing; it takes ", option->name);
        config__print_accepted(option, out);
        base_buf_byte(out, '\n');
    } else {
        apply(loader, option, PLACE_FLAG, origin, flag->value);
    }
}

static void apply_flags(struct loader *loader, int argc, char *const *argv)
{
    for (int at = 1; at < argc;) {
        struct flag flag = next_flag(argc, argv, &at);
        apply_flag(loader, &flag);
    }
}

/* What the command line says before anything else is read: the file, and --help or --version. */
static void scan_flags(struct config *config, int argc, char *const *argv, const char **file)
{
    for (int at = 1; at < argc;) {
        struct flag flag = next_flag(argc, argv, &at);
        if (!flag.option)
            continue;
        if (flag.option->type != CONFIG_TYPE_ACTION) {
            if (strcmp(flag.option->name, "config") == 0 && flag.value)
                *file = flag.value;
        } else if (!flag.value &&
                   (flag.option->action == CONFIG_HELP || flag.option->action == CONFIG_VERSION)) {
            config->action = flag.option->action;
            return;
        }
    }
}

/* ---- all ------------------------------------------------------------------------------ */

int config_load(struct config *config, int argc, char *const *argv, char *const *environment,
                struct base_buf *errors)
{
    struct loader loader = {.config = config, .errors = errors};
    const char *file = config__variable(environment, "CYCLOSOLVE_CONFIG");

    *config = (struct config){0};
    scan_flags(config, argc, argv, &file);
    if (config->action != CONFIG_SERVE)
        return 0;
    apply_defaults(&loader, environment);
    if (file && *file)
        apply_file(&loader, file);
    apply_environment(&loader, environment);
    apply_flags(&loader, argc, argv);
    return loader.first_error ? loader.first_error : errors->error;
}

void config_deinit(struct config *config)
{
    base_arena_deinit(&config->arena);
    *config = (struct config){0};
}
