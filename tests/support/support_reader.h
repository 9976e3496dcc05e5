/*
 * support_reader.h - holds the readers of core/cube3/cube3_structure.h against the reference. Knows
 * nothing of the test library, so that it also runs where that is not: tests/cross.
 */
#ifndef TESTS_SUPPORT_SUPPORT_READER_H
#define TESTS_SUPPORT_SUPPORT_READER_H

#include "core/cube3/cube3_structure.h"

enum { SUPPORT_READER_MAX = 8 };

/* Every reader that some subset of the processor's features chooses, each once. Returns their
 * number. */
unsigned support_reader_all(const struct cube3_reader *reader[SUPPORT_READER_MAX]);

/* The reader that features of these names choose, though the processor has others. */
const struct cube3_reader *support_reader_named(const char *name);

/*
 * Reads a random state of every structure of the 3x3x3 (41224) and `rounds` random states, in
 * batches of all sizes, and compares with the structure that cycle_of_state says they have. Returns
 * how many states were read, or writes to `fault` (200 bytes) what is wrong and returns 0.
 */
unsigned support_reader_check(const struct puzzle *cube, const struct cube3_reader *reader,
                              unsigned rounds, char *fault);

#endif
