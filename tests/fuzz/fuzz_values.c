/*
 * fuzz_values.c - values of options: the first byte chooses the option, the rest is the value. What
 * is accepted prints as a value that is accepted and prints the same. And lists of processor
 * features, which are one of them.
 */
#include <stdlib.h>
#include <string.h>

#include "config/config_int.h"
#include "core/cpu/cpu.h"
#include "tests/fuzz/harness.h"

static void set_and_print(const struct config_option *option, const char *text)
{
    struct config first = {0}, second = {0};
    struct base_buf printed = {0}, again = {0};
    if (config__set(&first, option, text) == 0 && option->type != CONFIG_TYPE_ACTION) {
        config__print(&first, option, &printed);
        BASE_ASSERT(config__set(&second, option, base_buf_str(&printed)) == 0);
        config__print(&second, option, &again);
        BASE_ASSERT(!strcmp(base_buf_str(&printed), base_buf_str(&again)));
    }
    base_buf_deinit(&printed);
    base_buf_deinit(&again);
    config_deinit(&first);
    config_deinit(&second);
}

static void leave_out(const char *names)
{
    const struct cpu_features all = {(1u << CPU_FEATURE_COUNT) - 1};
    struct cpu_features left = all;
    struct base_diag diag = {0};
    char text[128];
    int code = cpu_leave_out(&left, names, &diag);
    BASE_ASSERT(code ? left.bits == all.bits && diag.text[0] : (left.bits & ~all.bits) == 0);
    BASE_ASSERT(!code || diag.position <= strlen(names));
    BASE_ASSERT((size_t)cpu_print(left, text, sizeof text) < sizeof text);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    size_t choice = fuzz_byte(&bytes) % config__n_options;
    char *text = fuzz_text(bytes.data, bytes.size);
    set_and_print(&config__options[choice], text);
    leave_out(text);
    free(text);
    return 0;
}
