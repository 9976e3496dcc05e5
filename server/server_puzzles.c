/*
 * server_puzzles.c - see the header.
 */
#include "server/server_puzzles.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/puzzle/puzzle_builtin.h"
#include "core/sym/sym.h"
#include "proto/proto_job.h"

void server_puzzles_deinit(struct server_puzzles *puzzles)
{
    for (size_t i = 0; i < SERVER_PUZZLES_MAX; i++)
        free(puzzles->text[i]);
    *puzzles = (struct server_puzzles){0};
}

static char *describe(const char *name)
{
    struct sym_group *symmetries = NULL;
    struct puzzle *puzzle;
    char *text = NULL;

    if (puzzle_builtin_new(name, &puzzle))
        return NULL;
    if (sym_group_new(puzzle, &symmetries) == 0)
        text = proto_puzzle_encode(puzzle, symmetries->count);
    sym_group_free(symmetries);
    puzzle_release(puzzle);
    return text;
}

char *server_puzzles_describe(struct server_puzzles *puzzles, size_t index)
{
    BASE_ASSERT(index < puzzle_builtin_count() && puzzle_builtin_count() <= SERVER_PUZZLES_MAX);
    if (!puzzles->text[index])
        puzzles->text[index] = describe(puzzle_builtin_name(index));
    return puzzles->text[index] ? strdup(puzzles->text[index]) : NULL;
}

int server_puzzles_find(const char *name, size_t *index)
{
    for (*index = 0; *index < puzzle_builtin_count(); ++*index)
        if (strcmp(puzzle_builtin_name(*index), name) == 0)
            return 0;
    return BASE_ERR_UNKNOWN_PUZZLE;
}
