/*
 * table_listing.h - lists a target's image in one orbit: all arrangements of the movable slots that
 * have one of the structures, numbered, each once.
 *
 * An arrangement belongs to a structure's items of the orbit alone; that a whole state must also
 * suit the other orbits (parities) is not asked. Where all moves keep the orbit's sum of
 * orientations, only arrangements of sum zero count.
 */
#ifndef CORE_TABLE_TABLE_LISTING_H
#define CORE_TABLE_TABLE_LISTING_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/base_diag.h"
#include "core/table/table_coord.h"

/* Arrangements that a listing may have: a third of a second for one thread. */
enum { TABLE_LISTING_MAX = 1 << 20 };

struct table_listing;

/* Can the image be listed? BASE_ERR_TOO_LARGE: it has more than TABLE_LISTING_MAX arrangements;
 * `diag` (may be NULL) names them and the way out. BASE_ERR_NOMEM. */
int table_listing_check(const struct puzzle *puzzle, unsigned orbit,
                        const struct cycle_structure *structures, size_t n, struct base_diag *diag);

/* How many arrangements the image has; UINT64_MAX: more than 2^53. BASE_ERR_NOMEM. */
int table_listing_count(const struct puzzle *puzzle, unsigned orbit,
                        const struct cycle_structure *structures, size_t n, uint64_t *count);

/* New. The structures of the target; only their items of the orbit count. BASE_ERR_TOO_LARGE: see
 * table_listing_check. BASE_ERR_RANGE: the orbit has no movable slot or more than TABLE_MAX_VIEW.
 * BASE_ERR_NOMEM. */
int table_listing_new(const struct puzzle *puzzle, unsigned orbit,
                      const struct cycle_structure *structures, size_t n,
                      struct table_listing **out, struct base_diag *diag);
void table_listing_free(struct table_listing *listing);

uint64_t table_listing_size(const struct table_listing *listing);

/* Arrangement number `rank` < size, in the numbers of the view (movable slots only). */
void table_listing_at(const struct table_listing *listing, uint64_t rank, struct table_view *view);

#endif
