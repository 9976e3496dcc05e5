/*
 * table_image.h - does a full or partial arrangement of one orbit belong to the image of the
 * target?
 *
 * A partial arrangement belongs to it if it extends to a full state of one of the structures. The
 * known arcs (slot -> piece in it) split into closed cycles and open chains. It extends iff the
 * closed cycles are cycles of the structure, orientation included, and the chains fit into the
 * cycles that are left, filled up with free pieces. An open cycle can be oriented at will, so
 * orientations bind only through the closed cycles and, where the moves keep the orbit's sum, when
 * at most one oriented cycle is still open.
 */
#ifndef CORE_TABLE_TABLE_IMAGE_H
#define CORE_TABLE_TABLE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/table/table_coord.h"

struct table_image;

/* New. The structures of the target; only their items of the coordinate's orbit count.
 * BASE_ERR_NOMEM. */
int table_image_new(const struct table_coord *coord, const struct cycle_structure *structures,
                    size_t n, struct table_image **out);
void table_image_free(struct table_image *image);

/* What is known of an arrangement: piece[j] is in slot[j]. */
struct table_partial {
    unsigned known;
    uint8_t slot[TABLE_MAX_VIEW];
    uint8_t piece[TABLE_MAX_VIEW];
};

/* The closed cycles and open chains of a partial arrangement. */
struct table_trails {
    unsigned n_closed, n_chains;
    uint8_t closed[TABLE_MAX_VIEW];   /* length of each closed cycle */
    uint64_t members[TABLE_MAX_VIEW]; /* which of the known arcs (bits j) it consists of */
    uint8_t chain[TABLE_MAX_VIEW];    /* points of each chain (arcs + 1), longest first */
};

void table_trails_find(const struct table_coord *coord, const struct table_partial *partial,
                       struct table_trails *trails);

/* Does it belong to the image when closed cycle i has the orientation sum sums[i] (mod the
 * orbit's)? */
bool table_image_has(const struct table_image *image, const struct table_trails *trails,
                     const uint8_t *sums);

/*
 * Marks the entries of one line that belong to the image: calls `mark` for each. `mark` gets
 * entry numbers in ascending order.
 */
void table_image_mark(const struct table_image *image, uint32_t line,
                      void (*mark)(void *arg, uint32_t entry), void *arg);

#endif
