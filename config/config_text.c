/*
 * config_text.c - the texts made from the option table: --help, --dump-config, the example file.
 */
#include <stdio.h>
#include <string.h>

#include "config/config_int.h"

enum { WIDTH = 90, HELP_INDENT = 26 };

/* Appends the words of `text`, starting a new line before one that would end beyond WIDTH; every
 * line after the first starts with `indent` spaces and `mark`. `column` is where the first begins.
 */
static void wrap(struct base_buf *out, const char *text, size_t column, size_t indent,
                 const char *mark)
{
    for (bool first = true; *text; first = false) {
        size_t word = strcspn(text, " ");
        if (!first && column + 1 + word > WIDTH) {
            base_buf_printf(out, "\n%*s%s", (int)indent, "", mark);
            column = indent + strlen(mark);
        } else if (!first) {
            base_buf_byte(out, ' ');
            column++;
        }
        base_buf_append(out, text, word);
        column += word;
        text += word + (text[word] == ' ');
    }
}

static bool has_default(const struct config_option *option)
{
    return option->fallback || option->explain_fallback;
}

static void describe_default(const struct config_option *option, struct base_buf *out)
{
    base_buf_text(out, " Default: ");
    if (option->explain_fallback)
        option->explain_fallback(out);
    else
        base_buf_text(out, option->fallback);
    base_buf_byte(out, '.');
}

/* Help text and default, wrapped. */
static void describe(const struct config_option *option, size_t indent, const char *mark,
                     struct base_buf *out)
{
    struct base_buf text = {0};
    base_buf_text(&text, option->help);
    if (option->live)
        base_buf_text(&text, " Read again at SIGHUP.");
    if (has_default(option))
        describe_default(option, &text);
    wrap(out, base_buf_str(&text), indent + strlen(mark), indent, mark);
    if (text.error)
        out->error = text.error;
    base_buf_deinit(&text);
}

static void help_option(const struct config_option *option, struct base_buf *out)
{
    char left[64];
    int length =
        snprintf(left, sizeof left, "  --%s%s%s", option->name, option->placeholder ? " " : "",
                 option->placeholder ? option->placeholder : "");
    base_buf_text(out, left);
    if (length + 2 > HELP_INDENT)
        base_buf_printf(out, "\n%*s", HELP_INDENT, "");
    else
        base_buf_printf(out, "%*s", HELP_INDENT - length, "");
    describe(option, HELP_INDENT, "", out);
    base_buf_byte(out, '\n');
}

void config_help(struct base_buf *out)
{
    base_buf_text(out, "Usage: cyclosolved [OPTION]...\n"
                       "Finds shortest move sequences that produce a given cycle structure, over "
                       "HTTP.\n\n");
    for (size_t i = 0; i < config__n_options; i++)
        help_option(&config__options[i], out);
    base_buf_text(out,
                  "\nEach option that takes a value can also be set in the environment "
                  "(--max-body-bytes as\nCYCLOSOLVE_MAX_BODY_BYTES) and in the file. A flag beats "
                  "the environment, the\nenvironment beats the file.\n");
}

/* The file does not name itself, and actions are for the command line alone. */
static bool is_in_file(const struct config_option *option)
{
    return option->type != CONFIG_TYPE_ACTION && strcmp(option->name, "config") != 0;
}

void config_dump(const struct config *config, struct base_buf *out)
{
    for (size_t i = 0; i < config__n_options; i++) {
        const struct config_option *option = &config__options[i];
        if (!is_in_file(option))
            continue;
        base_buf_printf(out, "# from: %s\n%s = ", config->origin[i], option->name);
        config__print(config, option, out);
        base_buf_byte(out, '\n');
    }
}

void config_example(struct base_buf *out)
{
    base_buf_text(out, "# Configuration of cyclosolved: `name = value` lines. Every option is at "
                       "its default.\n");
    for (size_t i = 0; i < config__n_options; i++) {
        const struct config_option *option = &config__options[i];
        if (!is_in_file(option))
            continue;
        base_buf_text(out, "\n# ");
        describe(option, 0, "# ", out);
        base_buf_printf(out, "\n#%s =%s%s\n", option->name, option->fallback ? " " : "",
                        option->fallback ? option->fallback : "");
    }
}
