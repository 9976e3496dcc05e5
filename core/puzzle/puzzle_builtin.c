/*
 * puzzle_builtin.c - the definitions that come with the program, by name.
 */
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "core/puzzle/puzzle_builtin.h"
#include "core/puzzle/puzzle_geometry_int.h"

static const struct {
    const char *name;
    int (*make)(const char *name, struct puzzle **out);
} builtins[] = {
    {"3x3x3", puzzle__cube_new},        {"2x2x2", puzzle__cube_new},
    {"4x4x4", puzzle__cube_new},        {"5x5x5", puzzle__cube_new},
    {"pyraminx", puzzle__pyraminx_new}, {"skewb", puzzle__skewb_new},
    {"megaminx", puzzle__megaminx_new},
};

size_t puzzle_builtin_count(void)
{
    return BASE_COUNT(builtins);
}

const char *puzzle_builtin_name(size_t index)
{
    BASE_ASSERT(index < BASE_COUNT(builtins));
    return builtins[index].name;
}

int puzzle_builtin_new(const char *name, struct puzzle **out)
{
    for (size_t i = 0; i < BASE_COUNT(builtins); i++) {
        if (strcmp(builtins[i].name, name) == 0)
            return builtins[i].make(name, out);
    }
    return BASE_ERR_UNKNOWN_PUZZLE;
}
