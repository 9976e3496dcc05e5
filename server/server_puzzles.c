/*
 * server_puzzles.c - see server_puzzles.h.
 */
#include "server/server_puzzles.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/puzzle/puzzle.h"
#include "core/sym/sym.h"
#include "proto/proto_job.h"

void server_puzzles_deinit(struct server_puzzles *puzzles)
{
    for (size_t i = 0; puzzles->document && i < puzzle_builtin_count(); i++)
        free(puzzles->document[i]);
    free(puzzles->document);
    puzzles->document = NULL;
}

static int encode(const char *name, char **out)
{
    struct sym_group *symmetries = NULL;
    struct puzzle *puzzle;
    int status = puzzle_builtin_new(name, &puzzle);

    if (status)
        return status;
    status = sym_group_new(puzzle, &symmetries);
    if (!status)
        *out = proto_puzzle_encode(puzzle, symmetries->count);
    if (!status && !*out)
        status = BASE_ERR_NOMEM;
    sym_group_free(symmetries);
    puzzle_release(puzzle);
    return status;
}

int server_puzzles_find(struct server_puzzles *puzzles, const char *name, const char **out)
{
    size_t i = 0;
    int status = 0;

    while (i < puzzle_builtin_count() && strcmp(puzzle_builtin_name(i), name))
        i++;
    if (i == puzzle_builtin_count())
        return BASE_ERR_UNKNOWN_PUZZLE;
    if (!puzzles->document)
        puzzles->document = calloc(puzzle_builtin_count(), sizeof(*puzzles->document));
    if (!puzzles->document)
        return BASE_ERR_NOMEM;
    if (!puzzles->document[i])
        status = encode(name, &puzzles->document[i]);
    *out = puzzles->document[i];
    return status;
}
