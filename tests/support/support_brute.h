/*
 * support_brute.h - jobs held against brute force over words.
 */
#ifndef TESTS_SUPPORT_SUPPORT_BRUTE_H
#define TESTS_SUPPORT_SUPPORT_BRUTE_H

#include "core/sym/sym.h"
#include "tests/support/support_engine.h"

/* Runs the job twice, finding one and all, and finds the same by trying every word of up to
 * `longest` moves: shortest length within the bounds, counts of each length up to the slack, bounds
 * that are true. A job without max_length must have a solution of at most `longest` - slack moves.
 * spec.find does not count. */
void support_brute_check(struct support_engine *here, const struct engine_spec *spec,
                         unsigned longest);

/* New: the symmetries that keep the start and the targets. */
struct sym_group *support_brute_group(const struct engine_spec *spec);

#endif
