/*
 * cpu_place.h - where threads run and where memory lies, on hosts of several processors and nodes.
 */
#ifndef CORE_CPU_CPU_PLACE_H
#define CORE_CPU_CPU_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Ties the calling thread to the processor number `nth`, counted from 0 and round, of those that it
 * may use. False: the host does not let us, and the thread runs wherever it did. */
bool cpu_place_pin(unsigned nth);

/*
 * Memory at `at`, mapped and not touched yet, shall come from all memory nodes that we may use,
 * page by page in turn: what all threads read at random is then equally far from all of them, and
 * no node's memory channels carry it alone. Of a shared file in memory it holds for the file. `at`:
 * a multiple of the page size.
 *
 * False: there is but one node, or the host does not let us (some containers do not); then the
 * memory comes from where it would have.
 */
bool cpu_place_spread(void *at, size_t bytes);

#endif
