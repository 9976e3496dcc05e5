/*
 * fuzz_config.c - configuration files: what is read is dumped as a file that is read as the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config/config.h"
#include "config/config_int.h"
#include "tests/fuzz/harness.h"

static int load(const void *data, size_t size, struct config *config)
{
    char program[] = "cyclosolved", flag[] = "--config", path[40];
    char *argv[] = {program, flag, path, NULL};
    struct base_buf errors = {0};
    int fd = memfd_create("configuration", MFD_CLOEXEC);
    BASE_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int code = config_load(config, 3, argv, NULL, &errors);
    BASE_ASSERT(!code == !errors.length);
    base_buf_deinit(&errors);
    close(fd);
    return code;
}

/* All values, without the comments that say where they are from. The name of the file is none. */
static void print_all(const struct config *config, struct base_buf *out)
{
    for (size_t i = 0; i < config__n_options; i++) {
        const struct config_option *option = &config__options[i];
        if (option->type == CONFIG_TYPE_ACTION || !strcmp(option->name, "config"))
            continue;
        base_buf_printf(out, "%s = ", option->name);
        config__print(config, option, out);
        base_buf_byte(out, '\n');
    }
    BASE_ASSERT(!out->error);
}

static void dump_and_load(const struct config *config)
{
    struct base_buf text = {0}, before = {0}, after = {0};
    struct config again;
    config_dump(config, &text);
    BASE_ASSERT(!text.error);
    BASE_ASSERT(load(text.data, text.length, &again) == 0);
    print_all(config, &before);
    print_all(&again, &after);
    BASE_ASSERT(!strcmp(base_buf_str(&before), base_buf_str(&after)));
    config_deinit(&again);
    base_buf_deinit(&text);
    base_buf_deinit(&before);
    base_buf_deinit(&after);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct config config;
    if (load(data, size, &config) == 0)
        dump_and_load(&config);
    config_deinit(&config);
    return 0;
}
