/*
 * server_puzzles.h - the built-in puzzles as they are shown. To find the symmetries of a big one
 * takes tens of milliseconds, so each description is made once, when it is first asked for.
 */
#ifndef SERVER_SERVER_PUZZLES_H
#define SERVER_SERVER_PUZZLES_H

#include <stddef.h>

enum { SERVER_PUZZLES_MAX = 16 };

/* All zero: nothing has been asked for. */
struct server_puzzles {
    char *text[SERVER_PUZZLES_MAX]; /* of puzzle_builtin_name(i), owned; NULL: not yet */
};

void server_puzzles_deinit(struct server_puzzles *puzzles);

/* The description of built-in puzzle `index`, as JSON. New: free. NULL: out of memory. */
char *server_puzzles_describe(struct server_puzzles *puzzles, size_t index);

/* Its index. BASE_ERR_UNKNOWN_PUZZLE. */
int server_puzzles_find(const char *name, size_t *index);

#endif
