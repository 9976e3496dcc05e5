/*
 * server_puzzles.h - the built-in puzzles as JSON, each made when it is first asked for: finding
 * the symmetries of one takes milliseconds, in which the loop would serve nobody.
 */
#ifndef SERVER_SERVER_PUZZLES_H
#define SERVER_SERVER_PUZZLES_H

#include <stddef.h>

/* All zero: none was asked for. */
struct server_puzzles {
    char **document; /* owned, as many as there are built-in puzzles */
};

void server_puzzles_deinit(struct server_puzzles *puzzles);

/* Borrowed. BASE_ERR_UNKNOWN_PUZZLE, _NOMEM. */
int server_puzzles_find(struct server_puzzles *puzzles, const char *name, const char **out);

#endif
