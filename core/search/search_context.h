/*
 * search_context.h - all that is derived from a move set and used by many jobs: the
 * canonical-sequence machine, the symmetries, the window ranks and the coordinates of tables. Made
 * once, shared, immutable but for the lazily made coordinates.
 */
#ifndef CORE_SEARCH_SEARCH_CONTEXT_H
#define CORE_SEARCH_SEARCH_CONTEXT_H

#include <stddef.h>

#include "core/canon/canon.h"
#include "core/cube3/cube3_structure.h"
#include "core/sym/sym.h"
#include "core/sym/sym_window.h"
#include "core/table/table_coord.h"
#include "core/table/table_hash.h"
#include "core/table/table_product.h"
#include "core/table/table_structure.h"

struct search_context {
    const struct puzzle *puzzle; /* acquired */
    struct canon *canon;
    struct sym_group *group; /* the symmetries that keep the targets this context is for */
    struct sym_window *window;
    struct cube3_structures *structures; /* owned; NULL: the puzzle has none (cube3_structure.h) */
    struct search_context_own *own;
};

/* New, one reference. The symmetries are those that map the set of structures to itself: all of
 * them unless some symmetry exchanges orbits. BASE_ERR_NOMEM, BASE_ERR_TOO_LARGE. */
int search_context_new(const struct puzzle *puzzle, const struct cycle_structure *structures,
                       size_t n, struct search_context **out);
struct search_context *search_context_acquire(struct search_context *context);
void search_context_release(struct search_context *context);

/* Would it serve this puzzle and these structures? */
bool search_context_serves(const struct search_context *context, const struct puzzle *puzzle,
                           const struct cycle_structure *structures, size_t n);

/* The coordinate of product tables, likewise: coarse with all flips (k = 0), or fine with k of
 * them. BASE_ERR_UNSUPPORTED: the puzzle has none; BASE_ERR_RANGE: none has so few or many. */
int search_context_product(struct search_context *context, unsigned k,
                           const struct table_product **out);

/* The cycle structures of an orbit and the steps between them, likewise. BASE_ERR_TOO_LARGE. */
int search_context_steps(struct search_context *context, unsigned orbit,
                         const struct table_structure **out);

/* The coordinate of a hash table of the orbit with so many entries, likewise. BASE_ERR_RANGE. */
int search_context_hash(struct search_context *context, unsigned orbit, uint64_t entries,
                        const struct table_hash **out);

/* The coordinate of an exact (k = 0) or subset table of the orbit, made at the first call and kept
 * with the context. */
int search_context_coord(struct search_context *context, unsigned orbit, unsigned k,
                         const struct table_coord **out);

#endif
