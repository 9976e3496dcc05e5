/*
 * config_live.c - what a configuration that is loaded anew may change while the daemon runs.
 *
 * Values are compared and put back as texts, which config__set reads back to the same value: so the
 * old configuration need not outlive the new one.
 */
#include <string.h>

#include "config/config_int.h"
#include "core/base/base_err.h"

static int put_back(struct config *config, const struct config_option *option, const char *text)
{
    config__clear(config, option);
    return config__set(config, option, text);
}

static const char *shown(const struct base_buf *text)
{
    return text->length ? base_buf_str(text) : "unset";
}

/* One option; a line in `notes` if it differs. */
static int take(struct config *config, const struct config *old, const struct config_option *option,
                struct base_buf *notes)
{
    struct base_buf before = {0}, now = {0};
    int code = 0;

    config__print(old, option, &before);
    config__print(config, option, &now);
    if (before.error || now.error) {
        code = BASE_ERR_NOMEM;
    } else if (strcmp(base_buf_str(&before), base_buf_str(&now)) != 0) {
        if (option->live)
            base_buf_printf(notes, "%s is now %s\n", option->name, shown(&now));
        else
            base_buf_printf(notes, "%s stays %s until a restart\n", option->name, shown(&before));
        if (!option->live)
            code = put_back(config, option, base_buf_str(&before));
    }
    base_buf_deinit(&before);
    base_buf_deinit(&now);
    return code;
}

int config_take_live(struct config *config, const struct config *old, struct base_buf *notes)
{
    int code = 0;

    for (size_t i = 0; i < config__n_options && !code; i++)
        if (config__options[i].type != CONFIG_TYPE_ACTION)
            code = take(config, old, &config__options[i], notes);
    return code;
}
